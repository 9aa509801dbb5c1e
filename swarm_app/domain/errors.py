"""One tree of errors, each with an audience.

Every error that a person may meet has a stable ``code`` (for programs and translations), a
``message`` (one plain sentence saying what is wrong), a ``remedy`` (one sentence saying what to
do, or ""), the HTTP status that the local API answers with, and the exit code of the CLI.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

TELLS_CODES = "HOMESWARM_TELLS_CODES"
"""Set in a command's environment: beside its sentence it tells an error's code, in a last line of JSON."""


class HomeswarmError(Exception):
    """Root of all errors that are told to a person."""

    code: ClassVar[str] = "internal"
    http_status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1
    default_remedy: ClassVar[str] = ""

    def __init__(self, message: str, *, remedy: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.remedy = self.default_remedy if remedy is None else remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class BadRequest(HomeswarmError):
    """The caller asked for something that makes no sense; ``param`` names the field."""

    code = "bad-request"
    http_status = 400
    exit_code = 2

    def __init__(self, message: str, *, remedy: str | None = None, param: str | None = None) -> None:
        super().__init__(message, remedy=remedy)
        self.param = param


class ContextLengthExceeded(BadRequest):
    """The conversation does not fit the context (OpenAI's code for it)."""

    code = "context_length_exceeded"
    default_remedy = "Shorten the message or start a new chat."


class Unauthorized(HomeswarmError):
    code = "unauthorized"
    http_status = 401
    exit_code = 3
    default_remedy = "Send the token of this node as a bearer token."


class Forbidden(HomeswarmError):
    code = "forbidden"
    http_status = 403
    exit_code = 3


class NodeNotRunning(HomeswarmError):
    code = "node-not-running"
    http_status = 503
    exit_code = 3
    default_remedy = "Start it with: homeswarm node"


class NodeAlreadyRunning(HomeswarmError):
    code = "node-already-running"
    http_status = 409
    exit_code = 3


class PortInUse(HomeswarmError):
    code = "port-in-use"
    http_status = 409
    exit_code = 3


class ModelNotFound(HomeswarmError):
    code = "model-not-found"
    http_status = 404
    exit_code = 4
    default_remedy = "See the models on this computer with: homeswarm model list"


class ModelIncomplete(HomeswarmError):
    """A file is cut short or a part is missing."""

    code = "model-incomplete"
    http_status = 422
    exit_code = 4


class ModelUnsupported(HomeswarmError):
    """A family, file kind or tensor type that Homeswarm cannot carry, by name."""

    code = "model-unsupported"
    http_status = 422
    exit_code = 4


class ModelDamaged(HomeswarmError):
    """A file does not match its checksum."""

    code = "model-damaged"
    http_status = 422
    exit_code = 4
    default_remedy = "Import the model again."


class TokenizerMismatch(HomeswarmError):
    code = "tokenizer-mismatch"
    http_status = 422
    exit_code = 4


class ModelOutputInvalid(HomeswarmError):
    """The model's logits are NaN or infinite: damaged weights or a failing computer on the route."""

    code = "model-output-invalid"
    http_status = 502
    exit_code = 5
    default_remedy = "Ask again; if it happens again, check the model with: homeswarm model verify"


class DownloadFailed(HomeswarmError):
    code = "download-failed"
    http_status = 502
    exit_code = 4
    default_remedy = "Run the same command again: it goes on where it stopped."


class DiskFull(HomeswarmError):
    code = "disk-full"
    http_status = 507
    exit_code = 6
    default_remedy = "Free some space there."


class NoSuchChat(HomeswarmError):
    code = "no-such-chat"
    http_status = 404
    exit_code = 2


class HistoryUnusable(HomeswarmError):
    """The file with the chats cannot be read or written, for another reason than a full disk."""

    code = "history-unusable"
    http_status = 500
    exit_code = 6


class MemoryShort(HomeswarmError):
    """A model does not fit into the memory that is free; the message says both numbers."""

    code = "memory-short"
    http_status = 507
    exit_code = 6
    default_remedy = "Close other programs, or choose a smaller model with: homeswarm local use"


class NoRoute(HomeswarmError):
    """Some blocks have no peer; the message names them."""

    code = "no-route"
    http_status = 503
    exit_code = 5
    default_remedy = "Wake a computer that holds these blocks, or start another one."


class PeerLost(HomeswarmError):
    """A peer stopped answering in the middle of a session.

    `cause` is one of domain.pause's causes.
    """

    code = "peer-lost"
    http_status = 503
    exit_code = 5
    default_remedy = "Ask again: the next answer takes another route."

    def __init__(self, message: str, *, remedy: str | None = None, cause: str = "silent") -> None:
        super().__init__(message, remedy=remedy)
        self.cause = cause


class PeerRefused(HomeswarmError):
    """A peer answered with a refusal of its own."""

    code = "peer-refused"
    http_status = 503
    exit_code = 5


class Leaving(HomeswarmError):
    """A peer takes no new session: it is about to sleep or to stop."""

    code = "leaving"
    http_status = 503
    exit_code = 5
    default_remedy = "Ask again: the next answer takes another route."


class CacheFull(HomeswarmError):
    """A peer has no room for a session of this length; the message says how many tokens fit."""

    code = "cache-full"
    http_status = 503
    exit_code = 5
    default_remedy = "Ask for a shorter answer, or again when another one has ended."


class FallbackOffered(HomeswarmError):
    """The household cannot answer, and the local model could: whether it should is for a person to say."""

    code = "fallback-offered"
    http_status = 503
    exit_code = 5
    default_remedy = "Ask again with the local model (prefer: local), or wait for the household."


class NoOffer(HomeswarmError):
    """There is nothing to decide any more: the household came back, the answer ended, or it took too long."""

    code = "no-offer"
    http_status = 404
    exit_code = 2


class LocalFailed(HomeswarmError):
    """llama.cpp could not do what it was asked; the message is its own."""

    code = "local-failed"
    http_status = 502
    exit_code = 5
    default_remedy = "Ask again."


class SwarmUnavailable(HomeswarmError):
    """p2pd does not start, or has ended."""

    code = "swarm-unavailable"
    http_status = 503
    exit_code = 5
    default_remedy = "Check with: homeswarm doctor"


class Busy(HomeswarmError):
    code = "busy"
    http_status = 429
    exit_code = 5
    default_remedy = "Try again in a moment."


class ChildDown(HomeswarmError):
    """A child process of the node is not there to answer."""

    code = "child-down"
    http_status = 503
    exit_code = 5
    default_remedy = "See what happened with: homeswarm status"


class ProtocolViolation(HomeswarmError):
    """A message from a child or a peer that breaks the protocol."""

    code = "protocol"
    http_status = 502
    exit_code = 1


def _classes(root: type[HomeswarmError]) -> Iterator[type[HomeswarmError]]:
    yield root
    for child in root.__subclasses__():
        yield from _classes(child)


def from_wire(code: str, message: str, remedy: str) -> HomeswarmError:
    """Rebuild an error that crossed a pipe or the local API.

    A code whose class this process has not loaded becomes the root, and keeps its code.
    """
    for cls in _classes(HomeswarmError):
        if cls.code == code:
            return cls(message, remedy=remedy)
    error = HomeswarmError(message, remedy=remedy)
    if re.fullmatch(r"[a-z][a-z0-9_-]{0,63}", code):
        vars(error)["code"] = code
    return error
