"""What a request must show before anything else looks at it: a loopback Host, no foreign Origin, the token.

A web page in the user's browser can send requests to loopback ports. It can forge neither Host nor Origin,
and a name of its own that points to 127.0.0.1 (DNS rebinding) shows in the Host.
"""

from __future__ import annotations

import hmac
import logging
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from swarm_app.domain.errors import Forbidden, HomeswarmError, Unauthorized
from swarm_app.localapi.replies import BodyTooLarge, error_reply

MAX_BODY_BYTES = 8 * 1024 * 1024

DRAIN_BYTES = 64 * 1024 * 1024
"""A body that is too large is still read and thrown away up to here, because most clients read no answer
before they have sent everything."""

PUBLIC_PATHS = frozenset({"/api/health"})
"""Told to anybody on this computer: that there is a node, and nothing more."""

log = logging.getLogger("homeswarm.localapi")


def check_host(values: list[bytes], port: int) -> None:
    """Raises Forbidden unless there is one Host and it names this server on a loopback name."""
    if len(values) != 1 or values[0].decode("latin-1").lower() not in _names(port):
        raise Forbidden("The local API answers only to its own loopback address.")


def check_origin(values: list[bytes], port: int) -> None:
    """Raises Forbidden for a request that a web page of another origin has made."""
    allowed = {f"http://{name}" for name in _names(port)}
    if any(value.decode("latin-1").lower() not in allowed for value in values):
        raise Forbidden("The local API refuses requests from web pages.")


def _names(port: int) -> set[str]:
    names = {f"{host}:{port}" for host in ("127.0.0.1", "localhost", "[::1]")}
    return names | ({"127.0.0.1", "localhost", "[::1]"} if port == 80 else set())


def check_token(values: list[bytes], token: bytes) -> None:
    """Raises Unauthorized unless there is one Authorization and it is a bearer with the token.

    An empty token admits nobody. The comparison takes the same time wherever the two differ.
    """
    given = b""
    if len(values) == 1:
        scheme, _, rest = values[0].partition(b" ")
        if scheme.lower() == b"bearer":
            given = rest.strip()
    if not token or not given or not hmac.compare_digest(given, token):
        raise Unauthorized("The local API needs this node's token.")


def _header(scope: Scope, name: bytes) -> list[bytes]:
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return [value for key, value in headers if key == name]


class Guard:
    """The outermost ASGI application: checks, bounds the body, turns every error into an answer.

    `token` must not be empty: raises ValueError.
    """

    def __init__(self, app: ASGIApp, token: str, port: int) -> None:
        if not token:
            raise ValueError("the local API needs a token")
        self._app = app
        self._token = token.encode("ascii")
        self._port = port

    def renew(self, token: str) -> None:
        """Take this token from now on, and the one before no longer."""
        if not token:
            raise ValueError("the local API needs a token")
        self._token = token.encode("ascii")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        started = False

        async def watched_send(message: Message) -> None:
            nonlocal started
            started = started or message["type"] == "http.response.start"
            await send(message)

        bounded = _BoundedBody(receive)
        try:
            check_host(_header(scope, b"host"), self._port)
            check_origin(_header(scope, b"origin"), self._port)
            if scope["path"] not in PUBLIC_PATHS:
                check_token(_header(scope, b"authorization"), self._token)
            await bounded.check_length(_header(scope, b"content-length"))
            await self._app(scope, bounded.receive, watched_send)
        except HomeswarmError as error:
            if not started:
                await error_reply(error)(scope, receive, send)
        except Exception:
            # The last resort: told in the log with everything, to the caller in one sentence.
            log.exception("a request failed unexpectedly")
            if not started:
                unexpected = HomeswarmError(
                    "Something went wrong inside the node.", remedy="The node's log has the details."
                )
                await error_reply(unexpected)(scope, receive, send)


class _BoundedBody:
    """A request body of at most MAX_BODY_BYTES; raises BodyTooLarge when it is longer."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._seen_bytes = 0

    async def check_length(self, values: list[bytes]) -> None:
        """Refuse by the declared length, before anything is kept."""
        declared = int(values[0]) if values and values[0].isdigit() and len(values[0]) < 20 else 0
        if declared > MAX_BODY_BYTES:
            if declared <= DRAIN_BYTES:
                await self._drain()
            raise self._too_large()

    async def receive(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._seen_bytes += len(message.get("body", b""))
            if self._seen_bytes > MAX_BODY_BYTES:
                if message.get("more_body", False):
                    await self._drain()
                raise self._too_large()
        return message

    async def _drain(self) -> None:
        while self._seen_bytes <= DRAIN_BYTES:
            message = await self._receive()
            if message["type"] != "http.request" or not message.get("more_body", False):
                return
            self._seen_bytes += len(message.get("body", b""))

    @staticmethod
    def _too_large() -> BodyTooLarge:
        return BodyTooLarge(f"A request may have at most {MAX_BODY_BYTES // 2**20} MiB.")
