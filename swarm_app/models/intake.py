"""The import itself: from an opened source to a folder in the store."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import torch

from swarm_app.domain.errors import BadRequest, HomeswarmError, ModelNotFound, ModelUnsupported
from swarm_app.models.checkpoint import Source, clean_config, open_folder
from swarm_app.models.convert import Converter, stored_bytes, stored_tensors
from swarm_app.models.download import fetched
from swarm_app.models.families import architecture_of
from swarm_app.models.ggufparts import stem_with_quant
from swarm_app.models.ggufsource import open_gguf
from swarm_app.models.layers import LinearWeights
from swarm_app.models.manifest import CLIENT_FILE, CONFIG_FILE, FORMAT, MAX_TEXT, Manifest, Quant, block_file
from swarm_app.models.quantize import GROUP_SIZE
from swarm_app.models.store import GENERATION_FILE, ModelStore, StoredModel, check_name, open_model
from swarm_app.models.tokenizers import fitting_files, load_tokenizer
from swarm_app.models.writing import FolderWriter

_NO_LINEARS = LinearWeights(frozenset(), frozenset(), frozenset())


def run(
    source: str,
    store: ModelStore,
    *,
    quant: Quant,
    name: str | None,
    progress: Callable[[str, int, int], None],
    endpoint: str | None,
) -> StoredModel:
    """Import `source`; see `swarm_app.models.importing.import_model`."""
    if name is not None:
        check_name(name)
    path = Path(source).expanduser()
    options: dict[str, Any] = {"quant": quant, "name": name, "progress": progress}
    if path.exists():
        return import_source(_open_path(path), store, **options)
    if path.suffix.lower() in (".gguf", ".safetensors", ".bin") or path.is_absolute():
        raise ModelNotFound(f"There is no folder or file {source!r}.", remedy="Check the spelling.")
    with fetched(source, store.root, quant=quant, progress=progress, endpoint=endpoint) as got:
        about: dict[str, Any] = {"label": got.repo, "revision": got.commit}
        if got.gguf is not None:
            return import_source(open_gguf(got.gguf, **about), store, **options)
        opened = dataclasses.replace(
            open_folder(got.folder, **about), default_name=got.repo.partition("/")[2]
        )
        return import_source(opened, store, **options)


def _open_path(path: Path) -> Source:
    """A folder or file on this computer as a source, by what is in it."""
    if not path.is_dir():
        if path.suffix.lower() == ".safetensors":
            raise BadRequest(
                f"{path.name} holds weights only.",
                remedy="Import the folder that it lies in, with its config.json.",
            )
        return open_gguf(path)
    if (path / "config.json").is_file():
        return open_folder(path)
    models: dict[str, Path] = {}
    for file in sorted(path.glob("*.[gG][gG][uU][fF]")):
        models.setdefault(stem_with_quant(file), file)
    if not models:
        return open_folder(path)
    if len(models) > 1:
        names = ", ".join(sorted(file.name for file in models.values())[:12])
        raise BadRequest(f"The folder holds several GGUF models: {names}.", remedy="Name one of these files.")
    return open_gguf(next(iter(models.values())))


def default_name(text: str) -> str:
    """A name for the store out of a folder's, a file's or a repo's."""
    name = re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-._")[:64].rstrip("-._")
    return name or "model"


def choose_name(source: Source, store: ModelStore, quant: Quant, name: str | None) -> str:
    """The name to import under: the one asked for, or the source's own, with the kind if that is taken.

    Raises BadRequest when the name asked for belongs to a model of another kind.
    """
    wanted = default_name(source.default_name) if name is None else name
    if _free_for(store, wanted, source, quant):
        return wanted
    second = f"{wanted[:58].rstrip('-._')}-{quant}"
    if name is None and _free_for(store, second, source, quant):
        return second
    raise BadRequest(
        f"There is another model named {wanted}.",
        remedy=f"Choose another name with --name, or remove it with: homeswarm model remove {wanted}",
    )


def _free_for(store: ModelStore, name: str, source: Source, quant: Quant) -> bool:
    try:
        there = open_model(store.path_of(name)).manifest
    except HomeswarmError:
        # Nothing there, or what is there cannot be opened and may be replaced.
        return True
    return (there.quant, there.model_type, there.source) == (quant, source.config.model_type, source.label)


def import_source(
    source: Source,
    store: ModelStore,
    *,
    quant: Quant,
    name: str | None,
    progress: Callable[[str, int, int], None],
) -> StoredModel:
    """Write an opened source into the store, one block in memory at a time, and open the result.

    Raises DiskFull, TokenizerMismatch, ModelIncomplete, ModelUnsupported or ModelDamaged; then nothing is
    left in the store.
    """
    name = choose_name(source, store, quant, name)
    config = source.config
    vocab_size = _embedding_rows(source)
    tokenizer_files = fitting_files(
        source.tokenizer_files, vocab_size, [source.config_fields, source.generation_fields]
    )
    converter = Converter(config, source.tensors, source.dtype, source.transforms)
    plan = _Plan(converter, quant, source.dtype)
    expected = plan.total_bytes + sum(len(content) for content in tokenizer_files.values())
    progress("import", 0, expected)
    with (
        _one_thread(),
        FolderWriter(
            store.root,
            name,
            f"Importing {name}",
            expected,
            lambda done: progress("import", min(done, expected), expected),
        ) as writer,
    ):
        for file, content in sorted(tokenizer_files.items()):
            writer.write(file, content)
        # Before the long part: a tokenizer that transformers cannot build is of no use.
        fields = clean_config(source.config_fields, plan.dtype, converter.tied)
        writer.write(CONFIG_FILE, _json(fields))
        if source.generation_fields:
            writer.write(GENERATION_FILE, _json(_clean_generation(source.generation_fields)))
        load_tokenizer(writer.folder)
        for index in range(converter.num_blocks):
            tensors = stored_tensors(converter.block(index), converter.linears[index], quant)
            writer.write_tensors(
                block_file(index),
                [(key, value.dtype, tuple(value.shape)) for key, value in tensors.items()],
                tensors.pop,
            )
        writer.write_tensors(
            CLIENT_FILE,
            [(key, plan.dtype, converter.client_shape(key)) for key in converter.client_keys()],
            lambda key: stored_tensors({key: converter.client(key)}, _NO_LINEARS, quant)[key],
        )
        text = config.get_text_config()
        manifest = Manifest(
            format=FORMAT,
            name=name,
            architecture=architecture_of(config.model_type),
            model_type=config.model_type,
            source=source.label[:MAX_TEXT],
            revision=source.revision[:MAX_TEXT],
            dtype=str(plan.dtype).removeprefix("torch."),
            quant=quant,
            group_size=GROUP_SIZE if quant is Quant.INT4 else 0,
            num_blocks=converter.num_blocks,
            hidden_size=int(text.hidden_size),
            vocab_size=vocab_size,
            context_tokens=int(text.max_position_embeddings),
            files=tuple(sorted(writer.entries, key=lambda entry: entry.name)),
        )
        folder = writer.commit(manifest)
    progress("import", expected, expected)
    return open_model(folder)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """One compute thread: element-wise work on small pieces loses up to ten times its time to several
    threads that wait for each other, most of all on a busy computer."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


class _Plan:
    """What will be written, before it is: sizes and the type of what is not quantized."""

    def __init__(self, converter: Converter, quant: Quant, dtype: torch.dtype) -> None:
        self.dtype = dtype if quant is Quant.NONE else torch.bfloat16
        blocks = sum(
            stored_bytes(converter.block_shapes(index), converter.linears[index], quant, dtype)
            for index in range(converter.num_blocks)
        )
        client = {key: converter.client_shape(key) for key in converter.client_keys()}
        self.total_bytes = blocks + stored_bytes(client, _NO_LINEARS, quant, dtype)


def _embedding_rows(source: Source) -> int:
    rows = source.config.get_text_config().vocab_size
    if type(rows) is not int or rows < 1:
        raise ModelUnsupported("The configuration of this model names no vocabulary size.")
    return rows


def _clean_generation(fields: Mapping[str, Any]) -> dict[str, Any]:
    dropped = {"transformers_version", "_from_model_config", "_name_or_path"}
    return {key: value for key, value in fields.items() if key not in dropped}


def _json(fields: Mapping[str, Any]) -> bytes:
    return (json.dumps(fields, indent=1, sort_keys=True, ensure_ascii=True) + "\n").encode("ascii")
