"""Models on this computer: finding, opening, checking and removing them.

No torch at the top: the node lists models. The methods that return tensors, a configuration or a
tokenizer import what they need when they are called.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm_app.domain.errors import (
    BadRequest,
    HomeswarmError,
    ModelDamaged,
    ModelIncomplete,
    ModelNotFound,
)
from swarm_app.models import manifest as manifests
from swarm_app.models.manifest import CLIENT_FILE, CONFIG_FILE, Manifest, block_file

if TYPE_CHECKING:
    from torch import Tensor
    from transformers import PreTrainedConfig, PreTrainedTokenizerBase

CHECKED_FILE = ".checked.json"
"""Sidecar that remembers which files matched their checksum; hidden, and not part of the model."""

GENERATION_FILE = "generation_config.json"

HASH_CHUNK_BYTES = 4 * 1024 * 1024
_MAX_CHECKED_BYTES = 4 * 1024 * 1024
_MAX_JSON_BYTES = 16 * 1024 * 1024
_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much is done and how much there is (bytes, unless told)."""


def no_progress(what: str, done: int, total: int) -> None:
    """A `Progress` that tells nobody."""


def check_name(name: str) -> str:
    """A name that can be a folder on every system; raises BadRequest otherwise."""
    if _NAME.fullmatch(name) is None or name.endswith("."):
        raise BadRequest(
            f"{name[:80]!r} cannot be the name of a model.",
            remedy="Use up to 64 of a-z, 0-9, dot, dash and underscore, beginning with a letter or digit.",
        )
    return name


def sha256_of(path: Path, progress: Callable[[int], None] | None = None) -> str:
    """SHA-256 of a file in hexadecimal; `progress` gets the number of bytes of each chunk."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(HASH_CHUNK_BYTES):
            digest.update(chunk)
            if progress is not None:
                progress(len(chunk))
    return digest.hexdigest()


def _stamp(stat: os.stat_result) -> list[int]:
    # The change time tells a file whose modification time was set back after an edit.
    return [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]


def _read_json(path: Path, limit: int) -> dict[str, Any]:
    with path.open("rb") as file:
        content = file.read(limit + 1)
    if len(content) > limit:
        raise ModelDamaged(f"{path.name} is larger than any such file should be.")
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        raise ModelDamaged(f"{path.name} is not JSON.") from None
    if not isinstance(value, dict):
        raise ModelDamaged(f"{path.name} is not a JSON object.")
    return value


class StoredModel:
    """One model folder, opened. Nothing is loaded from it that does not match its checksum.

    Not every file need be there: a computer that serves a span needs that span's files only.
    Methods may be called from several threads and processes at once.
    """

    def __init__(self, folder: Path, manifest: Manifest) -> None:
        self.dir = folder
        self.manifest = manifest

    def __repr__(self) -> str:
        return f"StoredModel({self.manifest.name}, {self.manifest.model_id[:12]})"

    @property
    def name(self) -> str:
        return self.manifest.name

    @property
    def model_id(self) -> str:
        return self.manifest.model_id

    def has(self, file: str) -> bool:
        """Whether a file of the manifest is on this computer (unchecked)."""
        return (self.dir / self.manifest.entry(file).name).is_file()

    def checked_path(self, file: str) -> Path:
        """The path of a file whose content matches the manifest.

        The SHA-256 is computed once per file, size and times; later starts only look at those.
        Raises ModelIncomplete when the file is not here or is cut short, ModelDamaged when it differs.
        """
        entry = self.manifest.entry(file)
        path = self.dir / entry.name
        try:
            stat = path.stat()
        except OSError:
            raise ModelIncomplete(
                f"{entry.name} of the model {self.name} is not on this computer.",
                remedy="Import the model again, or copy that file from a computer that has it.",
            ) from None
        if stat.st_size < entry.size:
            raise ModelIncomplete(
                f"{entry.name} of the model {self.name} is incomplete:"
                f" it has {stat.st_size} of {entry.size} bytes.",
                remedy="Import the model again.",
            )
        known = self._read_checked().get(entry.name)
        if known == [*_stamp(stat), entry.sha256]:
            return path
        if stat.st_size != entry.size or sha256_of(path) != entry.sha256:
            raise ModelDamaged(f"{entry.name} of the model {self.name} does not match its checksum.")
        self._remember(entry.name, [*_stamp(stat), entry.sha256])
        return path

    def block_tensors(self, index: int) -> dict[str, Tensor]:
        """Tensors of one block, memory-mapped; keys relative to the decoder layer.

        Quantized linears appear as described in `swarm_app.models.quantize`. Raises ModelIncomplete
        when the block's file is not here, ModelDamaged when it does not match.
        """
        if not 0 <= index < self.manifest.num_blocks:
            raise BadRequest(f"The model {self.name} has no block {index}, only {self.manifest.num_blocks}.")
        return self._tensors(block_file(index))

    def client_tensors(self) -> dict[str, Tensor]:
        """Embeddings, final norm and (unless tied) the head, keyed as in the whole model's state dict."""
        return self._tensors(CLIENT_FILE)

    def _tensors(self, file: str) -> dict[str, Tensor]:
        from safetensors import safe_open

        with safe_open(os.fspath(self.checked_path(file)), framework="pt") as opened:
            return {key: opened.get_tensor(key) for key in opened.keys()}  # noqa: SIM118

    def config_dict(self) -> dict[str, Any]:
        """The stored ``config.json``; needs no torch."""
        return _read_json(self.checked_path(CONFIG_FILE), _MAX_JSON_BYTES)

    def config(self) -> PreTrainedConfig:
        """The configuration, as transformers' own class for the family; never from the network."""
        from swarm_app.models.families import config_from_dict

        return config_from_dict(self.config_dict())

    def generation_dict(self) -> dict[str, Any]:
        """The source's ``generation_config.json``, or nothing where it had none; needs no torch."""
        if all(entry.name != GENERATION_FILE for entry in self.manifest.files):
            return {}
        return _read_json(self.checked_path(GENERATION_FILE), _MAX_JSON_BYTES)

    def eos_token_ids(self) -> tuple[int, ...]:
        """Ids that end an answer: those of the generation configuration and of the configuration."""
        found: set[int] = set()
        for fields in (self.generation_dict(), self.config_dict()):
            value = fields.get("eos_token_id")
            for item in value if isinstance(value, list) else [value]:
                if type(item) is int and 0 <= item < self.manifest.vocab_size:
                    found.add(item)
        return tuple(sorted(found))

    def tokenizer(self) -> PreTrainedTokenizerBase:
        """The tokenizer with its chat template; never from the network, and never code of the model's."""
        from swarm_app.models.tokenizers import load_tokenizer

        for entry in self.manifest.files:
            if not entry.name.endswith(".safetensors"):
                self.checked_path(entry.name)
        return load_tokenizer(self.dir)

    def _read_checked(self) -> dict[str, Any]:
        # Only a shortcut: whatever is wrong with it, the files are hashed again.
        try:
            return _read_json(self.dir / CHECKED_FILE, _MAX_CHECKED_BYTES)
        except (OSError, HomeswarmError):
            return {}

    def _remember(self, file: str, stamp: list[Any]) -> None:
        # A folder that cannot be written to (another user's, a read-only disk) works too, only slower.
        with contextlib.suppress(OSError):
            checked = {**self._read_checked(), file: stamp}
            handle, temporary = tempfile.mkstemp(prefix=".checked-", dir=self.dir)
            try:
                with os.fdopen(handle, "w", encoding="ascii") as out:
                    json.dump(checked, out)
                os.replace(temporary, self.dir / CHECKED_FILE)
            except BaseException:
                os.unlink(temporary)
                raise


def open_model(folder: Path | str) -> StoredModel:
    """Open a model folder; raises ModelNotFound, ModelDamaged or ModelUnsupported for a bad manifest."""
    path = Path(folder)
    return StoredModel(path, manifests.read(path))


@dataclass(frozen=True, slots=True)
class Verification:
    """What `ModelStore.verify` found, by file name."""

    matching: tuple[str, ...]
    damaged: tuple[str, ...]
    missing: tuple[str, ...]
    """Not on this computer; a computer may keep only the files of its own span."""

    @property
    def ok(self) -> bool:
        return not self.damaged and not self.missing


class ModelStore:
    """The folder with all models of this computer, one folder each, named after the model.

    Names that begin with a dot are work in progress and are not models.
    """

    def __init__(self, root: Path | str) -> None:
        self.root = Path(root)

    def path_of(self, name: str) -> Path:
        """Where a model of this name is or would be; raises BadRequest for an impossible name."""
        return self.root / check_name(name)

    def _folders(self) -> Iterator[Path]:
        try:
            entries = sorted(self.root.iterdir())
        except (FileNotFoundError, NotADirectoryError):
            return
        for path in entries:
            if not path.name.startswith(".") and (path / manifests.MANIFEST_FILE).is_file():
                yield path

    def list(self) -> list[StoredModel]:
        """All models with a readable manifest, by name; `problems` tells of the others."""
        found: list[StoredModel] = []
        for path in self._folders():
            with contextlib.suppress(HomeswarmError):
                found.append(open_model(path))
        return found

    def problems(self) -> dict[str, HomeswarmError]:
        """What is wrong with each folder that holds an unreadable manifest, by folder name."""
        found: dict[str, HomeswarmError] = {}
        for path in self._folders():
            try:
                open_model(path)
            except HomeswarmError as error:
                found[path.name] = error
        return found

    def find(self, name_or_id_prefix: str) -> StoredModel:
        """The model with this name, or else the only one whose id begins so (6 digits at least).

        Raises ModelNotFound, BadRequest for a prefix of several ids, or what is wrong with its manifest.
        """
        wanted = name_or_id_prefix.strip()
        if (
            _NAME.fullmatch(wanted.lower())
            and (self.root / wanted.lower() / manifests.MANIFEST_FILE).is_file()
        ):
            return open_model(self.root / wanted.lower())
        matching = [
            model
            for model in self.list()
            if model.name == wanted or (len(wanted) >= 6 and model.model_id.startswith(wanted.lower()))
        ]
        if len(matching) > 1:
            names = ", ".join(f"{model.dir.name} ({model.model_id[:12]})" for model in matching)
            raise BadRequest(f"{wanted[:80]!r} means several models: {names}.")
        if not matching:
            raise ModelNotFound(f"There is no model {wanted[:80]!r} on this computer.")
        return matching[0]

    def verify(self, name_or_id_prefix: str, progress: Progress = no_progress) -> Verification:
        """Compute the checksum of every file, whatever was remembered."""
        model = self.find(name_or_id_prefix)
        total, done = model.manifest.total_bytes, 0
        matching: list[str] = []
        damaged: list[str] = []
        missing: list[str] = []
        progress("verify", 0, total)
        for entry in model.manifest.files:
            path = model.dir / entry.name
            start = done

            def advance(count: int) -> None:
                nonlocal done
                done += count
                progress("verify", min(done, total), total)

            try:
                same = path.stat().st_size == entry.size and sha256_of(path, advance) == entry.sha256
            except FileNotFoundError:
                missing.append(entry.name)
            except OSError:
                damaged.append(entry.name)
            else:
                (matching if same else damaged).append(entry.name)
            done = start + entry.size
        progress("verify", total, total)
        return Verification(tuple(matching), tuple(damaged), tuple(missing))

    def remove(self, name_or_id_prefix: str) -> None:
        """Delete a model. It is out of sight at once, whatever happens to the deletion."""
        wanted = name_or_id_prefix.strip()
        try:
            folder = self.find(wanted).dir
        except ModelDamaged:
            # A model that cannot be opened can still be removed, by its folder's name.
            folder = self.path_of(wanted.lower())
        from swarm_app.models.writing import temporary_folder

        grave = temporary_folder(self.root, "removed")
        os.replace(folder, grave / "model")
        shutil.rmtree(grave)
