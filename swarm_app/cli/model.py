"""``homeswarm model``: the store of this computer. Works in this process; the node only reads the store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from swarm_app.cli.console import be_sure, columns, err, in_bytes, out, progress
from swarm_app.cli.profile import options_of, profile_option
from swarm_app.domain.errors import ModelDamaged, ModelIncomplete

if TYPE_CHECKING:
    from swarm_app.models.store import ModelStore, StoredModel

QUANTS = ("none", "bf16", "int8", "int4")


def store_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--models DIR`` and ``--profile DIR``."""
    models = click.option(
        "--models",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder of the model store. Default: the profile's setting, else the one of this user.",
    )
    return models(profile_option(command))


def store_of(profile: Path | None, models: Path | None) -> ModelStore:
    from swarm_app.models.store import ModelStore

    return ModelStore(options_of(profile, models=models).models)


@click.group()
def model() -> None:
    """Import, list, verify and remove models.

    A model is imported once and lies in the store as one file per block, each with its checksum. Every
    computer of the household needs the files of the blocks that it serves.
    """


@model.command("import", short_help="Import a folder, a GGUF file or a repo id.")
@click.argument("source", metavar="FOLDER|FILE.gguf|REPO_ID")
@click.option(
    "--quant",
    type=click.Choice(QUANTS),
    default="none",
    show_default=True,
    help="Weights of the blocks: as the source has them, bfloat16, or packed to 8 or 4 bits. int8 takes a "
    "quarter of float32's memory and is the fastest on most computers; int4 is smaller and less exact.",
)
@click.option("--name", help="What to call it in the store. Default: after the source.")
@click.option("--json", "as_json", is_flag=True, help="Tell the progress in JSON, one object a line.")
@store_options
def import_(
    source: str, quant: str, name: str | None, as_json: bool, profile: Path | None, models: Path | None
) -> None:
    """Import a model: a folder in Hugging Face's layout, a GGUF file, or a repo id.

    "embedded" names the small model that comes with Homeswarm.

    An import that is interrupted leaves nothing behind; a download goes on where it stopped.
    """
    from swarm_app.models.importing import import_model
    from swarm_app.models.manifest import Quant

    store = store_of(profile, models)
    if source == "embedded":
        from swarm_app.models.default import DEFAULT_NAME, embedded_default

        source, name = (
            str(embedded_default()),
            name or DEFAULT_NAME + ("" if quant == "none" else f"-{quant}"),
        )
    if as_json:
        stored = import_model(source, store, quant=Quant(quant), name=name, progress=tell_in_json)
        click.echo(json.dumps({"imported": in_json(stored)}))
        return
    with progress(err()) as tell:
        stored = import_model(source, store, quant=Quant(quant), name=name, progress=tell)
    out().print(
        f"{stored.name}: {stored.manifest.num_blocks} blocks, {in_bytes(stored.manifest.total_bytes)},"
        f" id {stored.model_id[:12]}"
    )


def tell_in_json(what: str, done: int, total: int) -> None:
    click.echo(json.dumps({"what": what, "done": done, "total": total}))


@model.command("list", short_help="List the models on this computer.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@store_options
def list_(as_json: bool, profile: Path | None, models: Path | None) -> None:
    """List the models on this computer, and what is wrong with those that cannot be used."""
    store = store_of(profile, models)
    found, problems = store.list(), store.problems()
    if as_json:
        click.echo(
            json.dumps(
                {
                    "folder": str(store.root),
                    "models": [in_json(stored) for stored in found],
                    "problems": [
                        {"folder": name, "code": error.code, "message": error.message, "remedy": error.remedy}
                        for name, error in problems.items()
                    ],
                },
                indent=2,
            )
        )
        return
    console = out()
    if found:
        rows = [("Name", "Family", "Weights", "Blocks", "Size", "Id")]
        for stored in found:
            about = stored.manifest
            weights = about.dtype if about.quant == "none" else str(about.quant)
            blocks, size = str(about.num_blocks), in_bytes(about.total_bytes)
            rows.append((stored.name, about.model_type, weights, blocks, size, stored.model_id[:12]))
        for line in columns(rows, right=(3, 4)):
            console.print(line)
    elif not problems:
        console.print(f"There is no model in {store.root} yet.")
        console.print("Import the one that comes with Homeswarm with: homeswarm model import embedded")
    for name, error in problems.items():
        err().print(f"{name}: {error}")


def in_json(stored: StoredModel) -> dict[str, object]:
    about = stored.manifest
    return {
        "name": stored.name,
        "id": stored.model_id,
        "model_type": about.model_type,
        "quant": str(about.quant),
        "dtype": about.dtype,
        "num_blocks": about.num_blocks,
        "context_tokens": about.context_tokens,
        "total_bytes": about.total_bytes,
        "source": about.source,
        "revision": about.revision,
    }


@model.command()
@click.argument("name", metavar="NAME|ID")
@store_options
def verify(name: str, profile: Path | None, models: Path | None) -> None:
    """Compare every file of a model with its checksum."""
    store = store_of(profile, models)
    with progress(err()) as tell:
        result = store.verify(name, tell)
    if result.damaged:
        raise ModelDamaged(
            f"{', '.join(result.damaged)} of the model {name}"
            f" {'does' if len(result.damaged) == 1 else 'do'} not match the checksum."
        )
    if result.missing:
        raise ModelIncomplete(
            f"{', '.join(result.missing)} of the model {name}"
            f" {'is' if len(result.missing) == 1 else 'are'} not on this computer.",
            remedy="That is in order where this computer serves other blocks; else import the model again.",
        )
    out().print(f"{name}: all {len(result.matching)} files match their checksums.")


@model.command()
@click.argument("name", metavar="NAME|ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
@store_options
def remove(name: str, yes: bool, profile: Path | None, models: Path | None) -> None:
    """Delete a model from this computer."""
    store = store_of(profile, models)
    if not yes:
        be_sure(f"Delete the model {name} from this computer?")
    store.remove(name)
    out().print(f"{name} is removed.")
