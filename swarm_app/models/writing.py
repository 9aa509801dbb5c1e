"""Writing a model folder so that it appears whole or not at all.

Everything is written into a hidden folder beside the target, flushed to the disk, and renamed. Hidden
folders that a process left behind when it died are cleaned away by the next import.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import secrets
import shutil
import struct
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

from swarm_app.domain.errors import DiskFull
from swarm_app.models.manifest import MANIFEST_FILE, FileEntry, Manifest

if TYPE_CHECKING:
    import torch

_TEMPORARY = re.compile(r"\.(?:import|removed|download)-(\d{1,10})-(\d{1,12})-[0-9a-f]+")

_NO_SPACE = {errno.ENOSPC, errno.EDQUOT}

_SPARE_BYTES = 16 * 1024 * 1024
"""Left free beyond what is written: directory entries, the manifest, other programs' small files."""

_ALIGNMENT = 64
"""Where tensor data begins in a file: vector loads on mapped weights like whole cache lines."""

_SAFETENSORS_NAMES = {
    "float32": "F32",
    "float16": "F16",
    "bfloat16": "BF16",
    "int8": "I8",
    "uint8": "U8",
}

TensorSpec = tuple[str, "torch.dtype", tuple[int, ...]]
"""Key, dtype and shape of a tensor that will follow."""


def human_bytes(count: float) -> str:
    """A size as people read it, in powers of 1000: ``1.5 GB``."""
    if count < 1000:
        return f"{int(count)} B"
    for unit in ("kB", "MB", "GB"):
        count /= 1000
        if count < 1000:
            return f"{count:.1f} {unit}"
    return f"{count / 1000:.1f} TB"


SMALLER = "Make room, or choose a smaller model."
SMALLER_OR_PACKED = "Make room, or choose a smaller model or --quant int4."


def disk_full(what: str, needs: int, has: int, remedy: str) -> DiskFull:
    """The refusal in both numbers."""
    return DiskFull(
        f"{what} needs {human_bytes(needs)}, and the disk has {human_bytes(has)} free.", remedy=remedy
    )


def free_bytes(folder: Path) -> int:
    """Bytes that this user can still write below a folder that may not exist yet."""
    while not folder.exists():
        folder = folder.parent
    return shutil.disk_usage(folder).free


def check_space(folder: Path, what: str, needs: int, remedy: str = SMALLER_OR_PACKED) -> None:
    """Raise DiskFull unless `needs` bytes fit below `folder`."""
    has = free_bytes(folder)
    if has < needs + _SPARE_BYTES:
        raise disk_full(what, needs + _SPARE_BYTES, has, remedy)


@contextlib.contextmanager
def full_disk_named(
    what: str, folder: Path, needs: Callable[[], int], remedy: str = SMALLER_OR_PACKED
) -> Iterator[None]:
    """Turn the system's "no space left" into DiskFull with both numbers; `needs` is asked when it happens."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_SPACE:
            raise
        raise disk_full(what, max(needs(), 1), free_bytes(folder), remedy) from None


def _process_mark() -> str:
    import psutil

    return f"{os.getpid()}-{int(psutil.Process().create_time())}"


def temporary_folder(root: Path, kind: str) -> Path:
    """A new hidden folder in `root` with this process's mark; `kind` is import, removed or download."""
    root.mkdir(parents=True, exist_ok=True)
    path = root / f".{kind}-{_process_mark()}-{secrets.token_hex(4)}"
    path.mkdir()
    return path


def clean_stale(root: Path) -> None:
    """Delete the hidden folders of processes that no longer live."""
    import psutil

    for path in root.iterdir() if root.is_dir() else ():
        match = _TEMPORARY.fullmatch(path.name)
        if match is None:
            continue
        try:
            # A process id is used again some day; the start time tells the two processes apart.
            alive = abs(psutil.Process(int(match[1])).create_time() - int(match[2])) < 2
        except psutil.NoSuchProcess:
            alive = False
        except psutil.AccessDenied:
            alive = True
        if not alive:
            shutil.rmtree(path, ignore_errors=True)


def _flush_folder(path: Path) -> None:
    # Windows cannot open a folder; there the rename is flushed with the file system's journal.
    with contextlib.suppress(OSError):
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


class FolderWriter:
    """Writes the files of one model folder and then, with `commit`, makes it visible.

    Used as a context manager: leaving it without `commit` deletes everything that was written.
    """

    def __init__(
        self, root: Path, name: str, what: str, expected_bytes: int, progress: Callable[[int], None]
    ):
        self.root = root
        self.target = root / name
        self.entries: list[FileEntry] = []
        self._what = what
        self._expected_bytes = expected_bytes
        self._progress = progress
        self._written = 0
        self._folder: Path | None = None

    def __enter__(self) -> FolderWriter:
        with self._naming_a_full_disk():
            self.root.mkdir(parents=True, exist_ok=True)
            clean_stale(self.root)
            check_space(self.root, self._what, self._expected_bytes)
            self._folder = temporary_folder(self.root, "import")
        return self

    def __exit__(self, *_: object) -> None:
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    @property
    def folder(self) -> Path:
        """Where the files are until `commit`."""
        assert self._folder is not None
        return self._folder

    def _naming_a_full_disk(self) -> contextlib.AbstractContextManager[None]:
        return full_disk_named(self._what, self.root, lambda: self._expected_bytes - self._written)

    @contextlib.contextmanager
    def _file(self, name: str) -> Iterator[Callable[[bytes | memoryview], None]]:
        digest = hashlib.sha256()
        size = 0
        with self._naming_a_full_disk(), (self.folder / name).open("wb") as file:

            def write(data: bytes | memoryview) -> None:
                nonlocal size
                file.write(data)
                digest.update(data)
                size += len(data)
                self._written += len(data)
                self._progress(self._written)

            yield write
            _flush(file)
        self.entries.append(FileEntry(name, size, digest.hexdigest()))

    def write(self, name: str, content: bytes) -> None:
        """Write one small file."""
        with self._file(name) as write:
            write(content)

    def write_tensors(
        self, name: str, specs: Iterable[TensorSpec], read: Callable[[str], torch.Tensor]
    ) -> None:
        """Write a safetensors file; each tensor is asked of `read` when its turn comes.

        The order (widest numbers first, then by key) and the header depend on `specs` alone, so that
        equal tensors give equal bytes.
        """
        import torch

        ordered = sorted(specs, key=lambda spec: (-spec[1].itemsize, spec[0]))
        header: dict[str, object] = {"__metadata__": {"format": "pt"}}
        end = 0
        for key, dtype, shape in ordered:
            start = end
            end += dtype.itemsize * torch.Size(shape).numel()
            header[key] = {
                "dtype": _SAFETENSORS_NAMES[str(dtype).removeprefix("torch.")],
                "shape": list(shape),
                "data_offsets": [start, end],
            }
        text = json.dumps(header, separators=(",", ":"), ensure_ascii=True).encode("ascii")
        text += b" " * (-(len(text) + 8) % _ALIGNMENT)
        with self._file(name) as write:
            write(struct.pack("<Q", len(text)) + text)
            for key, dtype, shape in ordered:
                tensor = read(key)
                if tensor.dtype != dtype or tuple(tensor.shape) != tuple(shape):
                    raise AssertionError(
                        f"{key} is {tensor.dtype} {tuple(tensor.shape)}, announced {dtype} {shape}"
                    )
                data = memoryview(tensor.contiguous().reshape(-1).view(torch.uint8).numpy().data)
                for offset in range(0, len(data), 8 << 20):
                    write(data[offset : offset + (8 << 20)])

    def commit(self, manifest: Manifest) -> Path:
        """Write the manifest and rename the folder into place, replacing what has that name."""
        with self._naming_a_full_disk():
            with (self.folder / MANIFEST_FILE).open("wb") as file:
                file.write(manifest.to_bytes())
                _flush(file)
            _flush_folder(self.folder)
            if self.target.exists():
                grave = temporary_folder(self.root, "removed")
                os.replace(self.target, grave / "model")
                os.replace(self.folder, self.target)
                shutil.rmtree(grave, ignore_errors=True)
            else:
                os.replace(self.folder, self.target)
            self._folder = None
            _flush_folder(self.root)
        return self.target


def _flush(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())
