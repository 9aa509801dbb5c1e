"""Fetching a model repository by its id, resumably, and checking every file that arrives.

Names, sizes and hashes come from the hub's listing of the repository at one commit; the files themselves
go through huggingface_hub's HTTP client. Its own downloader throws a partial file away when the process
ends, so the partial files are kept here, in a hidden folder of the store.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import shutil
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from swarm_app.domain.errors import (
    BadRequest,
    Busy,
    DownloadFailed,
    Forbidden,
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
from swarm_app.models.manifest import Quant
from swarm_app.models.store import HASH_CHUNK_BYTES
from swarm_app.models.writing import check_space, full_disk_named

REPO_ID = re.compile(
    r"(?P<repo>[A-Za-z0-9][\w.-]{0,95}/[\w.-]{1,96})"
    r"(?:@(?P<revision>[\w./-]{1,100}))?(?::(?P<file>[\w./-]{1,200}))?",
    re.ASCII,
)
"""``owner/name``, ``owner/name@revision``, ``owner/name:part-of-a-gguf-file's-name``."""

_GGUF_PART = re.compile(r"-\d{5}-of-\d{5}(?=\.gguf$)", re.IGNORECASE)

MAX_FILE_BYTES = 1 << 42
_MAX_SIBLINGS = 100_000

ATTEMPTS_WITHOUT_PROGRESS = 4
"""How often a file is asked for again after an attempt that brought nothing new."""

RETRY_PAUSE_S = 1.0

KEEP_PARTIAL_S = 7 * 24 * 3600.0
"""Partial downloads that nobody went on with for this long are deleted."""

_SMALL_FILES = ("config.json", "generation_config.json", *TOKENIZER_FILES)

_IMPORT_SHARE = {Quant.NONE: 1.0, Quant.BF16: 1.0, Quant.INT8: 0.6, Quant.INT4: 0.4}
"""About how large a model in bfloat16 becomes; for a warning before the download, not after it."""


@dataclass(frozen=True, slots=True)
class RemoteFile:
    """One file of a repository: its path there, size in bytes, and the hash that the listing gives."""

    path: str
    size: int
    sha256: str | None
    """Of the content, for large files."""
    git_sha1: str | None
    """Of the content as a git blob, for small files."""

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]


@dataclass(frozen=True, slots=True)
class Fetched:
    """A downloaded model: the folder, the file to open in it (None: the folder), where it came from."""

    folder: Path
    gguf: Path | None
    repo: str
    commit: str


def _http() -> Any:
    """The HTTP library that this release of huggingface_hub uses; for its exceptions and its client."""
    try:
        import httpx2

        return httpx2
    except ImportError:
        import httpx

        return httpx


@contextlib.contextmanager
def _client() -> Iterator[None]:
    """huggingface_hub's client, told to leave proxies out of calls to this computer.

    HTTP_PROXY and ALL_PROXY would otherwise catch calls to a mirror on loopback too.
    """
    from huggingface_hub.utils import _http as hub_http

    http = _http()
    before = hub_http._GLOBAL_CLIENT_FACTORY

    def factory() -> Any:
        return http.Client(
            follow_redirects=True,
            timeout=http.Timeout(10.0, read=30.0),
            event_hooks={"request": [hub_http.hf_request_event_hook]},
            mounts={"all://127.0.0.1": None, "all://localhost": None, "all://[::1]": None},
        )

    hub_http.set_client_factory(factory)
    try:
        yield
    finally:
        hub_http.set_client_factory(before)


@contextlib.contextmanager
def _naming_failures(repo: str) -> Iterator[None]:
    """Turn what huggingface_hub and the network raise into sentences."""
    from huggingface_hub import errors

    http = _http()
    try:
        yield
    except errors.GatedRepoError:
        raise Forbidden(
            f"The model {repo} asks for its terms to be accepted.",
            remedy="Accept them on the model's page, and log in with: hf auth login",
        ) from None
    except errors.RevisionNotFoundError:
        raise ModelNotFound(f"The model repository {repo} has no such revision.", remedy="") from None
    except errors.RepositoryNotFoundError:
        raise ModelNotFound(
            f"There is no folder, file or public model repository {repo}.",
            remedy="Check the spelling; a private one needs a login with: hf auth login",
        ) from None
    except errors.OfflineModeIsEnabled:
        raise DownloadFailed(
            "Downloads are switched off by HF_HUB_OFFLINE.", remedy="Unset it and run the command again."
        ) from None
    except errors.HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else "no"
        raise DownloadFailed(f"The server answered with status {status} for {repo}.") from None
    except http.HTTPError as error:
        raise DownloadFailed(
            f"The server cannot be reached for {repo}: {str(error)[:200] or 'no answer'}."
        ) from None
    except errors.HFValidationError:
        raise BadRequest(f"{repo} is not the id of a model repository.") from None
    except ImportError:
        raise DownloadFailed(
            "The proxy that ALL_PROXY names is of a kind that is not supported.",
            remedy="Use an HTTP proxy, or install socksio.",
        ) from None


def _listing(repo: str, revision: str | None, endpoint: str | None) -> tuple[str, list[RemoteFile]]:
    """(commit, files) of a repository."""
    from huggingface_hub import HfApi

    # A token of the user's goes to the hub itself and not to whatever mirror was named.
    api = HfApi(endpoint=endpoint, token=None if endpoint is None else False)
    try:
        info = api.model_info(repo, revision=revision, files_metadata=True, timeout=30)
        siblings = list(info.siblings or ())
        commit = str(info.sha)
    except (ValueError, TypeError, KeyError, AttributeError):
        raise DownloadFailed(
            f"The server did not answer with a list of the files of {repo}, but perhaps with a web page.",
            remedy="Check that this computer is online and needs no login to the network, and try again.",
        ) from None
    if len(siblings) > _MAX_SIBLINGS or not re.fullmatch(r"[0-9a-f]{40}", commit):
        raise DownloadFailed(f"The server's list of the files of {repo} makes no sense.")
    files: list[RemoteFile] = []
    for item in siblings:
        size = item.lfs.size if item.lfs is not None else item.size
        if type(size) is not int or not 0 <= size <= MAX_FILE_BYTES:
            continue
        sha256 = str(item.lfs.sha256).lower() if item.lfs is not None else None
        files.append(RemoteFile(str(item.rfilename), size, sha256, item.blob_id if sha256 is None else None))
    return commit, files


def _choose_gguf(repo: str, files: Sequence[RemoteFile], wanted: str | None) -> list[RemoteFile]:
    """All parts of the one GGUF model that is meant; raises BadRequest with the choices otherwise."""
    sets: dict[str, list[RemoteFile]] = {}
    for file in files:
        if file.name.lower().endswith(".gguf") and not file.name.lower().startswith("mmproj"):
            sets.setdefault(_GGUF_PART.sub("", file.path), []).append(file)
    matching = {key: parts for key, parts in sets.items() if wanted is None or wanted.lower() in key.lower()}
    exact = {key: parts for key, parts in matching.items() if wanted is not None and key.endswith(wanted)}
    if len(exact) == 1:
        matching = exact
    if len(matching) == 1:
        return sorted(next(iter(matching.values())), key=lambda file: file.name)
    names = ", ".join(sorted(key.rpartition("/")[2] for key in (matching or sets))[:12])
    if not sets:
        raise ModelUnsupported(f"The repository {repo} holds no GGUF file.")
    raise BadRequest(
        f"The repository {repo} holds several GGUF files: {names}.",
        remedy=f"Add a part of the name that only one has, for example {repo}:Q4_K_M",
    )


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
        http = _http()
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
    quant: Quant,
    progress: Callable[[str, int, int], None],
    endpoint: str | None,
) -> Iterator[Fetched]:
    """Download a repository's model into a hidden folder of the store, for as long as the context lasts.

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
    with _client(), quiet_transformers():
        with _naming_failures(repo):
            commit, files = _listing(repo, match["revision"], endpoint)
        with full_disk_named(f"Downloading {repo}", root, lambda: 0):
            folder.mkdir(parents=True, exist_ok=True)
        with _lock(folder, repo):
            _keep_only_commit(folder, commit)
            download = _Download(repo, commit, folder, endpoint, progress)
            try:
                with _naming_failures(repo):
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
    download: _Download, files: Sequence[RemoteFile], wanted: str | None, root: Path, quant: Quant
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
            _refuse_without_weights(download.repo, files)
        large = _choose_gguf(download.repo, files, wanted)
        opened = download.folder / large[0].name
    missing = download.plan(large)
    whole = sum(file.size for file in large)
    check_space(
        root, f"Downloading and importing {download.repo}", missing + int(whole * _IMPORT_SHARE[quant])
    )
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


def _refuse_without_weights(repo: str, files: Sequence[RemoteFile]) -> None:
    pickles = [file.name for file in files if file.name.endswith((".bin", ".pt", ".pth"))]
    if pickles:
        raise ModelUnsupported(
            f"The repository {repo} holds {pickles[0]}, a pickle file, which can run code when opened:"
            " this format is unsupported.",
            remedy="Choose a model with safetensors files, or a GGUF file.",
        )
    raise ModelUnsupported(f"The repository {repo} holds no safetensors and no GGUF files.")
