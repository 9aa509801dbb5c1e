"""``homeswarm local``: the models that run on this computer alone, and which of them is used."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from swarm_app.cli.console import columns, err, in_bytes, out, progress
from swarm_app.cli.model import tell_in_json
from swarm_app.cli.profile import options_of, profile_option
from swarm_app.config import localfile
from swarm_app.config.paths import ProfilePaths
from swarm_app.domain.errors import BadRequest, NodeNotRunning
from swarm_app.localapi.client import LocalClient

if TYPE_CHECKING:
    from swarm_app.models.localimport import Progress
    from swarm_app.models.localmodels import LocalFile, LocalModels
    from swarm_app.models.recommend import Measured


@click.group()
def local() -> None:
    """The model that answers on this computer alone, when the household cannot.

    One comes with Homeswarm. Others are GGUF files, as llama.cpp reads them.
    """


def models_of(profile: Path | None) -> LocalModels:
    from swarm_app.models.localmodels import LocalModels

    return LocalModels(options_of(profile).local_models)


@local.command("list", short_help="List the local models, and those worth having.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@profile_option
def list_(as_json: bool, profile: Path | None) -> None:
    """List the local models, which one is used, and which one suits this computer and why.

    Nothing is changed: which model is used is your choice alone.
    """
    from swarm_app.host.allowance import memory
    from swarm_app.models.recommend import catalogue, expected_speed, memory_for, recommend

    models = models_of(profile)
    found = models.list()
    free = memory().free
    chosen, measured = in_use(profile, models)
    best = recommend(found, free, measured)
    known = catalogue()
    if as_json:
        told = {
            "folder": str(models.root),
            "used": chosen,
            "recommended": None if best is None else {"name": best[0].name, "reason": best[1]},
            "models": [
                {
                    "name": m.name,
                    "path": str(m.path),
                    "bytes": m.bytes,
                    "memory_bytes": memory_for(m.bytes),
                    "embedded": m.embedded,
                }
                for m in found
            ],
            "catalogue": [
                {
                    "name": k.name,
                    "licence": k.licence,
                    "memory_gb": k.memory_gb,
                    "swarm": {"source": k.swarm, "bytes": k.swarm_bytes},
                    "fallback": {"source": k.fallback, "bytes": k.fallback_bytes},
                }
                for k in known
            ],
        }
        click.echo(json.dumps(told, indent=2))
        return
    console = out()
    rows = [("Used", "Name", "Size", "Memory")]
    for m in found:
        used = "yes" if m.name == chosen else ""
        rows.append((used, m.name, in_bytes(m.bytes), f"about {in_bytes(memory_for(m.bytes))}"))
    for line in columns(rows, right=(2, 3)):
        console.print(line)
    if chosen is not None and all(m.name != chosen for m in found):
        err().print(f"The model that was chosen, {chosen}, is not there. Choose another: homeswarm local use")
    if best is not None:
        console.print(f"\nSuits this computer: {best[0].name} ({best[1]}).")
    fitting = [k for k in known if k.memory_gb * 1e9 <= free]
    if fitting:
        console.print("\nTo import, from small to large (with --name to call it as you like):")
        for k in fitting:
            speed = expected_speed(k.fallback_bytes, measured)
            here = "" if speed is None else f", about {speed:.0f} tokens per second here"
            console.print(f"  {k.name}, {in_bytes(k.fallback_bytes)}, {k.licence}{here}:")
            # In one piece, to be copied.
            console.print(f"    homeswarm local import {k.fallback}", soft_wrap=True)


def in_use(profile: Path | None, models: LocalModels) -> tuple[str | None, Measured | None]:
    """The name of the model in use, and how fast one was here; from the node where one runs."""
    from swarm_app.models.recommend import Measured

    try:
        with LocalClient.from_profile(profile) as client:
            about = client.state().get("local")
    except NodeNotRunning:
        about = None
    if about is None:
        options = options_of(profile)
        chosen = options.local_model or localfile.read(ProfilePaths.of(profile).local_file)
        embedded = next((m.name for m in models.list() if m.embedded), None)
        return chosen or embedded, None
    speed = about["tokens_per_s"]
    size = next((m.bytes for m in models.list() if m.name == about["model"]), 0)
    return about["model"], Measured(size, speed) if speed and size else None


@local.command()
@click.argument("name")
@profile_option
def use(name: str, profile: Path | None) -> None:
    """Use the local model NAME from now on; answers in flight end with the one that they have."""
    options = options_of(profile)
    models_of(profile).find(name)
    running = True
    try:
        with LocalClient.from_profile(profile) as client:
            client.use_local(name)
    except NodeNotRunning:
        running = False
        paths = ProfilePaths.of(profile)
        paths.create()
        localfile.write(paths.local_file, name)
    if options.local_model in (None, name):
        out().print(f"{name} answers when the household cannot.")
        return
    # An option wins over the choice: whoever believed otherwise would be answered by another model.
    if running:
        out().print(f"{name} answers when the household cannot, until the node stops.")
    err().print(
        f"settings.toml says local_model = {options.local_model}, which the node starts with."
        f" Take that line out to have {name} stay."
    )


@local.command("import", short_help="Import a GGUF file, or one of a repo id.")
@click.argument("source", metavar="FILE.gguf|REPO_ID[:FILE]")
@click.option("--name", help="What to call it. Default: after the file.")
@click.option("--untried", is_flag=True, help="Do not load it once to see whether it works here.")
@click.option("--json", "as_json", is_flag=True, help="Tell the progress in JSON, one object a line.")
@profile_option
def import_(source: str, name: str | None, untried: bool, as_json: bool, profile: Path | None) -> None:
    """Import a GGUF file: any part of a model, or from a repo id, for example owner/name:q4_k_m.

    It is checked and loaded once, in a process of its own, and takes no further room where it can be linked.
    The model in use stays the same.
    """
    from swarm_app.cli.trial import try_out
    from swarm_app.models.localimport import fetch_local, import_local

    models = models_of(profile)
    trial = None if untried else try_out

    def take(tell: Progress) -> LocalFile:
        if Path(source).suffix.lower() == ".gguf" or Path(source).exists():
            return import_local(Path(source), models, name=name, progress=tell, trial=trial)
        return fetch_local(source, models, name=name, progress=tell, trial=trial)

    if as_json:
        model = take(tell_in_json)
        click.echo(json.dumps({"imported": {"name": model.name, "bytes": model.bytes}}))
        return
    with progress(err()) as tell:
        model = take(tell)
    out().print(f"{model.name}: {in_bytes(model.bytes)}. Use it with: homeswarm local use {model.name}")


@local.command(short_help="Delete an imported local model.")
@click.argument("name")
@profile_option
def remove(name: str, profile: Path | None) -> None:
    """Delete the imported local model NAME; the file that it was imported from stays."""
    from swarm_app.models.localimport import remove_local

    models = models_of(profile)
    model = models.find(name)
    if in_use(profile, models)[0] == name:
        raise BadRequest(
            f"{name} is the local model in use.", remedy="Choose another first: homeswarm local use"
        )
    remove_local(model)
    out().print(f"{name} is deleted, {in_bytes(model.bytes)}.")
