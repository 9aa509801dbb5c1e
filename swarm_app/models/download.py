"""Fetching a model repository by its id, resumably, and checking every file that arrives.

Names, sizes and hashes come from the hub's listing of the repository at one commit; the files themselves
go through huggingface_hub's HTTP client. Its own downloader throws a partial file away when the process
ends, so the partial files are kept here, in a hidden folder of the store.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

from swarm_app.domain.errors import (
    BadRequest,
    Busy,
    DownloadFailed,
    ModelDamaged,
    ModelIncomplete,
    ModelNotFound,
    ModelUnsupported,
    TokenizerMismatch,
)
from swarm_app.models.checkpoint import (
    INDEX_FILE,
    SINGLE_FILE,
    TOKENIZER_FILES,
    check_config,
    read_json_object,
)
from swarm_app.models.hub import (
    REPO_ID,
    RemoteFile,
    choose_gguf,
    http_library,
    hub_client,
    list_repository,
    naming_failures,
    refuse_without_weights,
)
from swarm_app.models.manifest import Quant
from swarm_app.models.store import HASH_CHUNK_BYTES
from swarm_app.models.writing import check_space, full_disk_named

ATTEMPTS_WITHOUT_PROGRESS = 4
"""How often a file is asked for again after an attempt that brought nothing new."""

RETRY_PAUSE_S = 1.0

KEEP_PARTIAL_S = 7 * 24 * 3600.0
"""Partial downloads that nobody went on with for this long are deleted."""

_SMALL_FILES = ("config.json", "generation_config.json", *TOKENIZER_FILES)

_IMPORT_SHARE = {Quant.NONE: 1.0, Quant.BF16: 1.0, Quant.INT8: 0.6, Quant.INT4: 0.4}
"""About how large a model in bfloat16 becomes; for a warning before the download, not after it."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """A downloaded model: the folder, the file to open in it (None: the folder), where it came from."""

    folder: Path
    gguf: Path | None
    repo: str
    commit: str


def write_all(out: IO[bytes], data: bytes) -> None:
    """Write all of `data` to an unbuffered file."""
    view = memoryview(data)
    while view:
        view = view[out.write(view) :]


def _flush(path: Path) -> None:
    with path.open("rb+") as file:
        os.fsync(file.fileno())


class _Download:
    def __init__(
        self,
        repo: str,
        commit: str,
        folder: Path,
        endpoint: str | None,
        progress: Callable[[str, int, int], None],
    ) -> None:
        self.repo = repo
        self.commit = commit
        self.folder = folder
        self.endpoint = endpoint
        self._progress = progress
        self._done = 0
        self._total = 0

    def plan(self, files: Sequence[RemoteFile]) -> int:
        """Add files to what the progress counts up to; gives the bytes that are still to come."""
        self._total += sum(file.size for file in files)
        return sum(file.size - self._here(file) for file in files)

    def _here(self, file: RemoteFile) -> int:
        for path in (self.folder / file.name, self.folder / f"{file.name}.part"):
            if path.is_file():
                return min(path.stat().st_size, file.size)
        return 0

    def fetch(self, file: RemoteFile) -> Path:
        """Bring one file, going on with what is there; raises DownloadFailed, naming the file."""
        target = self.folder / file.name
        if not target.is_file():
            partial = self.folder / f"{file.name}.part"
            for attempt in range(2):
                self._bring(file, partial)
                wrong = self._wrong(file, partial)
                if wrong is None:
                    break
                # What is wrong cannot be gone on with. One more try from the start, then it is the server.
                partial.unlink(missing_ok=True)
                if attempt == 1:
                    raise DownloadFailed(wrong, remedy="Try again later, or from another server.")
            _flush(partial)
            partial.replace(target)
        self._done += file.size
        self._tell(0)
        return target

    def _tell(self, within: int) -> None:
        self._progress("download", min(self._done + within, self._total), self._total)

    def _bring(self, file: RemoteFile, partial: Path) -> None:
        http = http_library()
        idle = 0
        while True:
            before = partial.stat().st_size if partial.is_file() else 0
            if before > file.size:
                partial.unlink()
                before = 0
            try:
                self._attempt(file, partial, before)
                return
            except http.HTTPError as error:
                status = getattr(getattr(error, "response", None), "status_code", None)
                if status is not None and status < 500 and status not in (408, 429):
                    raise
                after = partial.stat().st_size if partial.is_file() else 0
                idle = 0 if after > before else idle + 1
                if idle > ATTEMPTS_WITHOUT_PROGRESS:
                    raise DownloadFailed(
                        f"The connection was lost while {file.name} was downloaded"
                        f" ({after} of {file.size} bytes are here)."
                    ) from None
                time.sleep(RETRY_PAUSE_S)

    def _attempt(self, file: RemoteFile, partial: Path, before: int) -> None:
        """One request for what is missing; what arrives is on the disk even when the connection breaks."""
        from huggingface_hub import get_session, hf_hub_url
        from huggingface_hub.utils._headers import build_hf_headers
        from huggingface_hub.utils._http import hf_raise_for_status

        if before == file.size:
            return
        url = hf_hub_url(self.repo, file.path, revision=self.commit, endpoint=self.endpoint)
        headers = build_hf_headers(token=None if self.endpoint is None else False)
        # Compressed answers have no byte ranges to go on from.
        headers["Accept-Encoding"] = "identity"
        if before:
            headers["Range"] = f"bytes={before}-"
        with get_session().stream("GET", url, headers=headers) as response:
            if response.is_error:
                response.read()
            hf_raise_for_status(response)
            if response.status_code != 206:
                # The server sends the whole file whatever was asked for.
                before = 0
            with full_disk_named(f"Downloading {self.repo}", self.folder, lambda: file.size - before):
                partial.touch()
                with partial.open("r+b", buffering=0) as out:
                    out.truncate(before)
                    out.seek(before)
                    for chunk in response.iter_raw():
                        write_all(out, chunk)
                        before += len(chunk)
                        self._tell(before)
                        if before > file.size:
                            break

    def _wrong(self, file: RemoteFile, path: Path) -> str | None:
        """What is wrong with a complete download, as a sentence, or None."""
        size = path.stat().st_size
        with path.open("rb") as opened:
            start = opened.read(256).lstrip().lower()
            opened.seek(0)
            digest = hashlib.sha256() if file.sha256 is not None else hashlib.sha1(usedforsecurity=False)
            if file.sha256 is None:
                digest.update(f"blob {size}\0".encode())
            while chunk := opened.read(HASH_CHUNK_BYTES):
                digest.update(chunk)
        expected = file.sha256 if file.sha256 is not None else file.git_sha1
        if size == file.size and (expected is None or digest.hexdigest() == expected):
            return None
        if start.startswith((b"<!doctype", b"<html", b"<?xml")):
            return f"The server sent a web page in place of {file.name}."
        if size != file.size:
            return f"The server sent {size} bytes of {file.name} instead of {file.size}."
        return f"{file.name} arrived damaged twice: its content does not match its checksum."


def _clean_abandoned(root: Path, now: float) -> None:
    for path in root.glob(".download-repo-*") if root.is_dir() else ():
        with contextlib.suppress(OSError):
            newest = max((item.stat().st_mtime for item in path.iterdir()), default=path.stat().st_mtime)
            if now - newest > KEEP_PARTIAL_S:
                shutil.rmtree(path, ignore_errors=True)


@contextlib.contextmanager
def fetched(
    source: str,
    root: Path,
    *,
    quant: Quant | None,
    progress: Callable[[str, int, int], None],
    endpoint: str | None,
) -> Iterator[Fetched]:
    """Download a repository's model into a hidden folder of the store, for as long as the context lasts.

    What it becomes there needs room too, by its `quant`; None: it is linked, and needs none.

    The folder goes when the context ends well, or with an error that another try would meet again; after
    DownloadFailed, DiskFull or an interruption it stays, and the next call goes on from there.
    Raises ModelNotFound, DownloadFailed, DiskFull, ModelUnsupported, BadRequest, Forbidden, Busy.
    """
    match = REPO_ID.fullmatch(source)
    if match is None:
        raise ModelNotFound(f"There is no folder or file {source[:200]!r}, and it is no repo id.", remedy="")
    repo = match["repo"]
    if endpoint is not None and urlsplit(endpoint).scheme not in ("http", "https"):
        raise BadRequest(f"{endpoint[:80]!r} is not the address of a server.")
    _clean_abandoned(root, time.time())
    from swarm_app.models.convert import quiet_transformers

    slug = hashlib.sha256(f"{endpoint}\0{source}".encode()).hexdigest()[:16]
    folder = root / f".download-repo-{slug}"
    with hub_client(), quiet_transformers():
        with naming_failures(repo):
            commit, files = list_repository(repo, match["revision"], endpoint)
        with full_disk_named(f"Downloading {repo}", root, lambda: 0):
            folder.mkdir(parents=True, exist_ok=True)
        with _lock(folder, repo):
            _keep_only_commit(folder, commit)
            download = _Download(repo, commit, folder, endpoint, progress)
            try:
                with naming_failures(repo):
                    gguf = _bring_all(download, files, match["file"], root, quant)
                yield Fetched(folder, gguf, repo, commit)
            except (ModelUnsupported, ModelDamaged, ModelIncomplete, TokenizerMismatch):
                # Every file is what the repository has: another try would meet the same.
                shutil.rmtree(folder, ignore_errors=True)
                raise
        shutil.rmtree(folder, ignore_errors=True)


@contextlib.contextmanager
def _lock(folder: Path, repo: str) -> Iterator[None]:
    from filelock import FileLock, Timeout

    lock = FileLock(folder / ".lock")
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise Busy(f"The model {repo} is being downloaded by another command.") from None
    try:
        yield
    finally:
        lock.release()


def _keep_only_commit(folder: Path, commit: str) -> None:
    """Forget what was downloaded of another commit: files of two commits are no model."""
    mark = folder / ".commit"
    known = mark.read_text(encoding="ascii", errors="replace") if mark.is_file() else ""
    if known != commit:
        for path in folder.iterdir():
            if path.name != ".lock":
                path.unlink()
        mark.write_text(commit, encoding="ascii")


def _bring_all(
    download: _Download, files: Sequence[RemoteFile], wanted: str | None, root: Path, quant: Quant | None
) -> Path | None:
    """Fetch what makes the model; gives the GGUF file to open, or None for an ordinary folder."""
    at_top = {file.path: file for file in files}
    has_weights = INDEX_FILE in at_top or SINGLE_FILE in at_top
    if wanted is None and "config.json" in at_top and has_weights:
        small = [at_top[name] for name in _SMALL_FILES if name in at_top]
        if INDEX_FILE in at_top:
            small.append(at_top[INDEX_FILE])
        download.plan(small)
        for file in small:
            download.fetch(file)
        # Before gigabytes come that nobody can use.
        check_config(read_json_object(download.folder / "config.json"))
        large = [at_top[name] for name in _shards(download.folder, at_top)]
        opened = None
    else:
        if not any(file.name.lower().endswith(".gguf") for file in files):
            refuse_without_weights(download.repo, files)
        large = choose_gguf(download.repo, files, wanted)
        opened = download.folder / large[0].name
    missing = download.plan(large)
    becomes = 0 if quant is None else int(sum(file.size for file in large) * _IMPORT_SHARE[quant])
    check_space(root, f"Downloading and importing {download.repo}", missing + becomes)
    for file in large:
        download.fetch(file)
    return opened


def _shards(folder: Path, at_top: dict[str, RemoteFile]) -> list[str]:
    if INDEX_FILE not in at_top:
        return [SINGLE_FILE]
    weight_map = read_json_object(folder / INDEX_FILE).get("weight_map")
    names = sorted({str(name) for name in weight_map.values()}) if isinstance(weight_map, dict) else []
    if not names:
        raise ModelDamaged(f"{INDEX_FILE} names no files.", remedy="")
    for name in names:
        if name not in at_top or "/" in name:
            raise ModelDamaged(
                f"{INDEX_FILE} names a file that the repository does not have: {name[:80]}.", remedy=""
            )
    return names
