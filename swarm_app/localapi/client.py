"""The one typed client of the local API, for every face of the node.

Importing it is cheap: httpx is loaded by the first client that is made. Proxies of the environment are
never asked: the node is on this computer.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import quote

from swarm_app.config import apifile
from swarm_app.config.apifile import ApiAddress
from swarm_app.config.paths import ProfilePaths
from swarm_app.domain.errors import HomeswarmError, NodeNotRunning, ProtocolViolation, from_wire
from swarm_app.domain.pause import Pause
from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span
from swarm_app.domain.timing import Timing
from swarm_app.localapi.answers import (
    AnswerEvent,
    Begun,
    Choice,
    Done,
    Offered,
    OfferOver,
    Paused,
    Segment,
    Switched,
    Text,
    Turn,
)
from swarm_app.localapi.chatclient import ChatsClient
from swarm_app.localapi.membershipclient import MembershipClient
from swarm_app.localapi.sse import read_events
from swarm_app.localapi.view import PauseView, StateView

if TYPE_CHECKING:
    import httpx

CONNECT_S = 2.0
READ_S = 10.0
STREAM_READ_S = 60.0
"""Streams carry a comment every 10 or 15 s; what is silent for this long is gone."""

GREEDY = Choice()


@dataclass(frozen=True, slots=True)
class Change:
    """The state after a change, and what happened; `because` is empty for the first one."""

    because: tuple[str, ...]
    state: StateView
    paused: tuple[PauseView, ...] = ()
    """The pauses of answers that were over in between."""


class LocalClient:
    """Talks to one node. Methods raise NodeNotRunning when there is none, or what the node refused with."""

    def __init__(self, address: ApiAddress) -> None:
        import ssl

        import httpx

        self._address = address
        self._http = httpx.Client(
            base_url=address.url,
            headers={"Authorization": f"Bearer {address.token}"},
            timeout=httpx.Timeout(READ_S, connect=CONNECT_S),
            trust_env=False,
            # It speaks plain HTTP on loopback; left to itself httpx reads all of the system's certificates
            # first, which takes longer than most requests.
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        )

    @classmethod
    def from_profile(cls, folder: str | os.PathLike[str] | None = None) -> LocalClient:
        """A client of the node that runs with this profile (None: the default one).

        Raises NodeNotRunning when there is no node, or what is left of one that has ended.
        """
        paths = ProfilePaths.of(folder)
        address = apifile.read(paths.api_file)
        start = NodeNotRunning.default_remedy
        if paths != ProfilePaths.of():
            start += f" --profile {shlex.quote(str(paths.root))}"
        if address is None:
            raise NodeNotRunning(f"No node is running with the profile {paths.root}.", remedy=start)
        client = cls(address)
        try:
            client.models()
        except NodeNotRunning:
            client.close()
            message = f"The node with the profile {paths.root} is not running any more."
            raise NodeNotRunning(message, remedy=start) from None
        except ProtocolViolation:
            client.close()
            raise NodeNotRunning(f"What answers at {address.url} is not a node.") from None
        except BaseException:
            client.close()
            raise
        return client

    @property
    def address(self) -> ApiAddress:
        return self._address

    @property
    def chats(self) -> ChatsClient:
        """The chats that the node keeps."""
        return ChatsClient(self._call, self._stream, _object)

    @property
    def membership(self) -> MembershipClient:
        """The swarm that the node is in, its invites and members."""
        return MembershipClient(self._call)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> LocalClient:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------ state

    def state(self) -> StateView:
        """The node's state now."""
        return cast(StateView, self._call("GET", "/api/state"))

    def events(self) -> Iterator[Change]:
        """The state now, then the state after each change, until the node stops or the iterator is closed."""
        with self._stream("GET", "/api/events") as lines:
            state: dict[str, Any] | None = None
            paused: list[PauseView] = []
            for event in read_events(lines):
                value = _object(event.data)
                if event.event == "snapshot":
                    state = value
                    yield Change((), cast(StateView, dict(state)))
                elif event.event == "paused":
                    paused.append(cast(PauseView, value))
                elif event.event == "delta" and state is not None:
                    state.update(value["changed"])
                    yield Change(tuple(value["because"]), cast(StateView, dict(state)), tuple(paused))
                    paused.clear()

    def models(self) -> list[str]:
        """The names of the models that the node runs."""
        try:
            return [str(model["id"]) for model in self._call("GET", "/v1/models")["data"]]
        except (KeyError, TypeError):
            raise ProtocolViolation("The node sent its models in an unknown form.") from None

    def retry(self, child: str) -> None:
        """Try a child that is down (``blocks`` or ``engine``) again."""
        self._call("POST", f"/api/children/{child}/retry")

    def withdraw(self, for_s: float | None = None) -> None:
        """Take this computer's blocks back from the household, for `for_s` seconds or until `serve`; returns
        before its sessions have moved."""
        self._call("POST", "/api/blocks/withdraw", body=None if for_s is None else {"for_s": for_s})

    def serve(self) -> None:
        """Serve blocks again after `withdraw`, and although a rule says pause, until none does."""
        self._call("POST", "/api/blocks/serve")

    def use_local(self, name: str) -> None:
        """Use another local model from now on."""
        self._call("POST", f"/api/local/{quote(name, safe='')}/use")

    def decide(self, request_id: str, decision: Literal["local", "wait"]) -> None:
        """Let the local model give an answer that was offered, or wait for the household. Raises NoOffer."""
        self._call("POST", f"/api/answers/{quote(request_id, safe='')}/fallback", body={"decision": decision})

    def renew_token(self) -> ApiAddress:
        """Have the node take another token, which this client uses from now on; the old one is refused."""
        token = str(self._call("POST", "/api/token").get("token", ""))
        if not token:
            raise ProtocolViolation("The node sent its new token in an unknown form.")
        return self.use_token(token)

    def use_token(self, token: str) -> ApiAddress:
        """From now on: the node has taken another one."""
        self._address = replace(self._address, token=token)
        self._http.headers["Authorization"] = f"Bearer {token}"
        return self._address

    def shutdown(self) -> None:
        """Ask the node to stop; returns before it has."""
        self._call("POST", "/api/shutdown")

    # ------------------------------------------------ chat

    def chat(
        self, turns: Sequence[Turn], choice: Choice = GREEDY, *, trim: bool = False
    ) -> Iterator[AnswerEvent]:
        """Ask for an answer: Begun, Text and Paused again and again, Done. Closing the iterator cancels it.

        Where the local model goes on there is a Switched in between; with `choice.decides` also Offered,
        which `decide` answers, and OfferOver.

        Raises what the node or its engine refused or failed with, also in the middle.
        """
        body: dict[str, Any] = {
            "messages": [{"role": turn.role, "content": turn.content} for turn in turns],
            "stream": True,
            "stream_options": {"include_usage": True},
            "temperature": choice.temperature,
            "top_p": choice.top_p,
            "top_k": choice.top_k,
            "min_p": choice.min_p,
            "repetition_penalty": choice.repetition_penalty,
            "seed": choice.seed,
            "max_tokens": choice.max_tokens,
            "stop": list(choice.stop) or None,
            "trim": trim,
            "prefer": choice.prefer or None,
            "fallback": choice.fallback or None,
            "decides": choice.decides or None,
            "continue_final_message": choice.continues or None,
        }
        with self._stream("POST", "/v1/chat/completions", body) as lines:
            yield from _answer_events(lines)

    # ------------------------------------------------ HTTP

    def _call(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        params: dict[str, Any] | None = None,
        read_s: float = READ_S,
    ) -> dict[str, Any]:
        import httpx

        timeout = httpx.Timeout(read_s, connect=CONNECT_S)
        with self._translated():
            reply = self._http.request(method, path, json=body, params=params, timeout=timeout)
        if reply.is_error:
            raise self._refusal(reply)
        return _object(reply.text)

    @contextmanager
    def _stream(self, method: str, path: str, body: dict[str, Any] | None = None) -> Iterator[Iterator[str]]:
        import httpx

        timeout = httpx.Timeout(STREAM_READ_S, connect=CONNECT_S)
        with (
            self._translated(),
            self._http.stream(method, path, json=body, timeout=timeout) as reply,
        ):
            if reply.is_error:
                reply.read()
                raise self._refusal(reply)
            yield reply.iter_lines()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        import httpx

        try:
            yield
        except httpx.TimeoutException:
            raise NodeNotRunning(
                f"The node at {self._address.url} does not answer.", remedy="Stop it and start it again."
            ) from None
        except httpx.TransportError:
            raise NodeNotRunning(f"The node at {self._address.url} is gone.") from None

    def _refusal(self, reply: httpx.Response) -> HomeswarmError:
        if reply.status_code == 401:
            # Ours is the token of a node that has ended; its port has gone to somebody else.
            return NodeNotRunning(f"What answers at {self._address.url} is not this node.")
        try:
            return _error(_object(reply.text))
        except ProtocolViolation:
            return NodeNotRunning(f"What answers at {self._address.url} is not a node.")


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text)
    except ValueError:
        value = None
    if not isinstance(value, dict):
        raise ProtocolViolation("The node sent something that is not a JSON object.")
    return value


def _error(body: dict[str, Any]) -> HomeswarmError:
    """The error in a reply's body or in a chunk; raises ProtocolViolation when there is none."""
    try:
        ours = body["error"]["homeswarm"]
        return from_wire(str(ours["code"]), str(ours["message"]), str(ours["remedy"]))
    except (KeyError, TypeError):
        raise ProtocolViolation("The node sent an error in an unknown form.") from None


def _answer_events(lines: Iterator[str]) -> Iterator[AnswerEvent]:
    reason = ""
    ours: dict[str, Any] = {}
    usage: dict[str, Any] = {}
    for event in read_events(lines):
        if event.data == "[DONE]":
            break
        chunk = _object(event.data)
        if "error" in chunk:
            raise _error(chunk)
        try:
            usage = chunk.get("usage") or usage
            for choice in chunk["choices"]:
                delta, finish = choice["delta"], choice["finish_reason"]
                about = chunk.get("homeswarm") or {}
                if switched := about.get("switched"):
                    yield Switched(**_but(switched, "engine", "why"))
                if paused := about.get("paused"):
                    yield Paused(_pause(paused))
                if offered := about.get("offered"):
                    yield Offered(**_but(offered, "why"))
                if over := about.get("offer_over"):
                    yield OfferOver(**over)
                if delta.get("role"):
                    begun = about
                    yield Begun(
                        begun.get("prompt_tokens", 0),
                        begun.get("trimmed_messages", 0),
                        _route(begun.get("route", [])),
                        str(chunk.get("model", "")),
                        begun.get("engine", "swarm"),
                        begun.get("reason", ""),
                        begun.get("remedy", ""),
                    )
                if delta.get("content"):
                    yield Text(delta["content"])
                if finish:
                    reason, ours = finish, chunk["homeswarm"]
        except (KeyError, TypeError, AttributeError):
            raise ProtocolViolation("The node sent a piece of an answer in an unknown form.") from None
    if not reason:
        raise NodeNotRunning("The node went away in the middle of the answer.")
    yield _done(reason, ours, usage)


def _done(reason: str, ours: dict[str, Any], usage: dict[str, Any]) -> Done:
    try:
        timing = ours["timing"]
        return Done(
            reason=reason,
            prompt_tokens=usage["prompt_tokens"],
            completion_tokens=usage["completion_tokens"],
            segments=tuple(
                Segment(
                    s["engine"],
                    s["model"],
                    _route(s["route"]),
                    s["completion_tokens"],
                    s["reason"],
                    s.get("remedy", ""),
                )
                for s in ours["segments"]
            ),
            timing=None if timing is None else Timing(**timing),
            trimmed_messages=ours["trimmed_messages"],
            pauses=tuple(_pause(pause) for pause in ours["pauses"]),
        )
    except (KeyError, TypeError):
        raise ProtocolViolation("The node ended an answer in an unknown form.") from None


def _pause(pause: dict[str, Any]) -> Pause:
    return Pause(**_but(pause, "why") | {"moved_to": tuple(pause["moved_to"])})


def _but(told: dict[str, Any], *keys: str) -> dict[str, Any]:
    """Without what is for a program that translates."""
    return {key: value for key, value in told.items() if key not in keys}


def _route(route: list[dict[str, Any]]) -> tuple[Hop, ...]:
    return tuple(Hop(hop["peer"], hop["name"], Span(hop["start"], hop["end"])) for hop in route)
