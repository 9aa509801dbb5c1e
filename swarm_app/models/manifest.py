"""The manifest: what a stored model is, and the size and SHA-256 of each of its files.

No torch here: the node reads manifests. A manifest may come from another computer, so reading is
strict and bounded: limits come before allocation, and nothing unknown is passed over.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn

from swarm_app.domain.errors import ModelDamaged, ModelNotFound, ModelUnsupported
from swarm_app.domain.span import Span

FORMAT = 1
"""Number of the layout on disk; a change that an older Homeswarm cannot read adds one."""

MANIFEST_FILE = "manifest.json"
CLIENT_FILE = "client.safetensors"
"""Embeddings, final norm and head, with the keys of the whole model's state dict."""
CONFIG_FILE = "config.json"

MAX_MANIFEST_BYTES = 4 * 1024 * 1024
MAX_FILES = 4096
MAX_BLOCKS = 1024
MAX_TEXT = 256
_MAX_FILE_BYTES = 1 << 44
_MAX_DIMENSION = 1 << 31

_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,127}")
_SHA256 = re.compile(r"[0-9a-f]{64}")
_WORD = re.compile(r"[A-Za-z0-9_.-]{1,128}")

_NOT_IDENTITY = ("name", "source", "revision")
"""Fields that say where a model came from and not what it is. They stay out of `model_id`, so that
identical files imported from another folder, or under another name, are the same model."""


class Quant(StrEnum):
    """How the weights of the blocks are stored; see `swarm_app.models.quantize` for the layouts."""

    NONE = "none"
    BF16 = "bf16"
    INT8 = "int8"
    INT4 = "int4"


def block_file(index: int) -> str:
    """Name of the file with the tensors of block `index`."""
    return f"block-{index:05d}.safetensors"


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of a model: its bare name, its size in bytes and its SHA-256 in hexadecimal."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What a stored model is. `files` is ordered by name and lists everything but the manifest itself."""

    format: int
    name: str
    """For people and for `find`; not part of the identity."""
    architecture: str
    """Class of the whole model in transformers, for example ``LlamaForCausalLM``."""
    model_type: str
    """The family's name in transformers, for example ``llama``."""
    source: str
    """Where it was imported from: a repo id, or the bare name of a folder or file."""
    revision: str
    """Commit of the repo id, or ""."""
    dtype: str
    """Of tensors that are not quantized: ``float32``, ``float16`` or ``bfloat16``."""
    quant: Quant
    group_size: int
    """Input columns that share a scale (int4); 0 where there are no groups."""
    num_blocks: int
    hidden_size: int
    vocab_size: int
    """Rows of the embedding matrix, which may be more than the tokenizer has entries."""
    context_tokens: int
    """Longest context that the model was made for."""
    files: tuple[FileEntry, ...]

    @property
    def model_id(self) -> str:
        """SHA-256 (hexadecimal) of the canonical JSON of every field that says what the model is."""
        fields = {key: value for key, value in _plain(self).items() if key not in _NOT_IDENTITY}
        return hashlib.sha256(canonical_json(fields)).hexdigest()

    @property
    def total_bytes(self) -> int:
        return sum(entry.size for entry in self.files)

    def entry(self, name: str) -> FileEntry:
        """The entry of a file; raises ModelNotFound for a name that the model does not have."""
        for entry in self.files:
            if entry.name == name:
                return entry
        raise ModelNotFound(f"The model {self.name} has no file {name!r}.")

    def span_files(self, span: Span) -> tuple[FileEntry, ...]:
        """The block files of a span, in order."""
        return tuple(self.entry(block_file(index)) for index in span.blocks)

    def to_bytes(self) -> bytes:
        """The content of ``manifest.json``: readable, and the same for equal manifests."""
        return (json.dumps(_plain(self), indent=1, sort_keys=True, ensure_ascii=True) + "\n").encode("ascii")


def canonical_json(value: Any) -> bytes:
    """Sorted keys, no spaces, ASCII: equal values give equal bytes on every computer."""
    return json.dumps(
        value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False
    ).encode("ascii")


def _plain(manifest: Manifest) -> dict[str, Any]:
    fields = {f.name: getattr(manifest, f.name) for f in dataclasses.fields(manifest)}
    fields["quant"] = str(manifest.quant)
    fields["files"] = [{"name": e.name, "size": e.size, "sha256": e.sha256} for e in manifest.files]
    return fields


def is_file_name(text: str) -> bool:
    """Whether a name may stand in a manifest: a bare, visible ASCII file name."""
    return _FILE_NAME.fullmatch(text) is not None


def _damaged(why: str) -> NoReturn:
    raise ModelDamaged(f"The manifest of this model is damaged: {why}.")


def _integer(fields: dict[str, Any], key: str, low: int, high: int) -> int:
    value = fields[key]
    if type(value) is not int or not low <= value <= high:
        _damaged(f"{key} is not a number from {low} to {high}")
    return value


def _text(fields: dict[str, Any], key: str) -> str:
    value = fields[key]
    if not isinstance(value, str) or len(value) > MAX_TEXT or not value.isprintable():
        _damaged(f"{key} is not a short text")
    return value


def _word(fields: dict[str, Any], key: str) -> str:
    value = _text(fields, key)
    if _WORD.fullmatch(value) is None:
        _damaged(f"{key} is not a name")
    return value


def _refuse_constant(text: str) -> NoReturn:
    _damaged(f"{text} is not a number")


def _files(value: Any) -> tuple[FileEntry, ...]:
    if not isinstance(value, list) or len(value) > MAX_FILES:
        _damaged(f"files is not a list of at most {MAX_FILES}")
    entries: list[FileEntry] = []
    for item in value:
        if not isinstance(item, dict) or item.keys() != {"name", "size", "sha256"}:
            _damaged("an entry of files is not a name, a size and a sha256")
        name, sha256 = item["name"], item["sha256"]
        if not isinstance(name, str) or not is_file_name(name) or name == MANIFEST_FILE:
            _damaged("an entry of files has no proper file name")
        if not isinstance(sha256, str) or _SHA256.fullmatch(sha256) is None:
            _damaged(f"the sha256 of {name} is not one")
        entries.append(FileEntry(name, _integer(item, "size", 0, _MAX_FILE_BYTES), sha256))
    names = [entry.name for entry in entries]
    if names != sorted(set(names)):
        _damaged("files is not ordered by name, or names one twice")
    return tuple(entries)


def parse(content: bytes) -> Manifest:
    """Read the content of a ``manifest.json``.

    Raises ModelDamaged for anything that is not a complete manifest, and ModelUnsupported for the
    manifest of a newer Homeswarm.
    """
    if len(content) > MAX_MANIFEST_BYTES:
        _damaged(f"it has over {MAX_MANIFEST_BYTES} bytes")
    try:
        fields = json.loads(content, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        _damaged("it is not JSON")
    if not isinstance(fields, dict):
        _damaged("it is not an object")
    number = fields.get("format")
    if type(number) is int and number > FORMAT:
        raise ModelUnsupported(
            f"This model has format {number}, which a newer Homeswarm has written.",
            remedy="Update Homeswarm on this computer.",
        )
    expected = {f.name for f in dataclasses.fields(Manifest)}
    if fields.keys() != expected:
        wrong = sorted(str(key)[:40] for key in fields.keys() ^ expected)
        _damaged(f"missing or unknown fields {', '.join(wrong[:5])}")
    try:
        quant = Quant(_text(fields, "quant"))
    except ValueError:
        _damaged("quant is unknown")
    if fields["dtype"] not in ("float32", "float16", "bfloat16"):
        _damaged("dtype is unknown")
    manifest = Manifest(
        format=_integer(fields, "format", FORMAT, FORMAT),
        name=_text(fields, "name"),
        architecture=_word(fields, "architecture"),
        model_type=_word(fields, "model_type"),
        source=_text(fields, "source"),
        revision=_text(fields, "revision"),
        dtype=fields["dtype"],
        quant=quant,
        group_size=_integer(fields, "group_size", 0, 4096),
        num_blocks=_integer(fields, "num_blocks", 1, MAX_BLOCKS),
        hidden_size=_integer(fields, "hidden_size", 1, _MAX_DIMENSION),
        vocab_size=_integer(fields, "vocab_size", 1, _MAX_DIMENSION),
        context_tokens=_integer(fields, "context_tokens", 1, _MAX_DIMENSION),
        files=_files(fields["files"]),
    )
    names = {entry.name for entry in manifest.files}
    blocks = {block_file(index) for index in range(manifest.num_blocks)}
    missing = sorted((blocks | {CLIENT_FILE, CONFIG_FILE}) - names)
    if missing:
        _damaged(f"{missing[0]} is not listed")
    if any(name.startswith("block-") and name not in blocks for name in names):
        _damaged("it lists more blocks than the model has")
    return manifest


def read(folder: Path) -> Manifest:
    """The manifest of a model folder; raises ModelNotFound where there is none, else like `parse`."""
    path = folder / MANIFEST_FILE
    try:
        with path.open("rb") as file:
            content = file.read(MAX_MANIFEST_BYTES + 1)
    except (FileNotFoundError, NotADirectoryError):
        raise ModelNotFound(f"There is no model in {folder}.") from None
    except OSError as error:
        raise ModelDamaged(f"The manifest in {folder} cannot be read: {error.strerror}.") from None
    return parse(content)
