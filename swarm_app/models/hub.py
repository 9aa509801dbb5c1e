"""The hub as huggingface_hub knows it: its HTTP client, its listings of repositories, its failures."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from swarm_app.domain.errors import BadRequest, DownloadFailed, Forbidden, ModelNotFound, ModelUnsupported

REPO_ID = re.compile(
    r"(?P<repo>[A-Za-z0-9][\w.-]{0,95}/[\w.-]{1,96})"
    r"(?:@(?P<revision>[\w./-]{1,100}))?(?::(?P<file>[\w./-]{1,200}))?",
    re.ASCII,
)
"""``owner/name``, ``owner/name@revision``, ``owner/name:part-of-a-gguf-file's-name``."""

_GGUF_PART = re.compile(r"-\d{5}-of-\d{5}(?=\.gguf$)", re.IGNORECASE)

MAX_FILE_BYTES = 1 << 42
_MAX_SIBLINGS = 100_000


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


def http_library() -> Any:
    """The HTTP library that this release of huggingface_hub uses; for its exceptions and its client."""
    try:
        import httpx2

        return httpx2
    except ImportError:
        import httpx

        return httpx


@contextlib.contextmanager
def hub_client() -> Iterator[None]:
    """huggingface_hub's client, told to leave proxies out of calls to this computer.

    HTTP_PROXY and ALL_PROXY would otherwise catch calls to a mirror on loopback too.
    """
    from huggingface_hub.utils import _http as hub_http

    http = http_library()
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


_ONLINE = "See whether this computer is online."

AGAIN = DownloadFailed.default_remedy


def _why(error: BaseException) -> str:
    """What kept a server from being reached, in the system's words where it has some."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, OSError) and cause.strerror:
            return cause.strerror
        cause = cause.__cause__ or cause.__context__
    return str(error)[:200] or "no answer"


@contextlib.contextmanager
def naming_failures(repo: str) -> Iterator[None]:
    """Turn what huggingface_hub and the network raise into sentences."""
    from huggingface_hub import errors

    http = http_library()
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
            f"The server cannot be reached for {repo}: {_why(error)}.", remedy=f"{_ONLINE} {AGAIN}"
        ) from None
    except errors.HFValidationError:
        raise BadRequest(f"{repo} is not the id of a model repository.") from None
    except ImportError:
        raise DownloadFailed(
            "The proxy that ALL_PROXY names is of a kind that is not supported.",
            remedy="Use an HTTP proxy, or install socksio.",
        ) from None


def list_repository(repo: str, revision: str | None, endpoint: str | None) -> tuple[str, list[RemoteFile]]:
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


def choose_gguf(repo: str, files: Sequence[RemoteFile], wanted: str | None) -> list[RemoteFile]:
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


def refuse_without_weights(repo: str, files: Sequence[RemoteFile]) -> None:
    pickles = [file.name for file in files if file.name.endswith((".bin", ".pt", ".pth"))]
    if pickles:
        raise ModelUnsupported(
            f"The repository {repo} holds {pickles[0]}, a pickle file, which can run code when opened:"
            " this format is unsupported.",
            remedy="Choose a model with safetensors files, or a GGUF file.",
        )
    raise ModelUnsupported(f"The repository {repo} holds no safetensors and no GGUF files.")
