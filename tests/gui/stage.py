"""A node that plays what a test wants: the real local API and history, answers and states from a script."""

from __future__ import annotations

import asyncio
import copy
import os
import secrets
import socket
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, cast

import uvicorn

from swarm_app.config import apifile
from swarm_app.config.apifile import ApiAddress
from swarm_app.config.paths import ProfilePaths
from swarm_app.domain.errors import HomeswarmError, NoOffer
from swarm_app.domain.pause import Pause, sentence
from swarm_app.domain.route import Hop
from swarm_app.domain.said import reason_views, reasons_of, say
from swarm_app.domain.span import Span
from swarm_app.domain.timing import Timing
from swarm_app.localapi import server
from swarm_app.localapi.answers import (
    AnswerEvent,
    Begun,
    Choice,
    Done,
    Paused,
    Segment,
    Text,
    Turn,
)
from swarm_app.localapi.completions import route_view
from swarm_app.localapi.host import ModelCard
from swarm_app.localapi.view import SECTIONS, Section, StateView
from swarm_app.node.chats import Conversations
from swarm_app.node.process import _Server
from tests.localapi.views import quiet_view

ROUTE = (
    Hop("12D3KooWDesk", "desk", Span(0, 10)),
    Hop("12D3KooWAttic", "attic", Span(10, 20)),
    Hop("12D3KooWLaptop", "laptop", Span(20, 30)),
)
NUM_BLOCKS = 30

DECIDED = "decided"

Step = AnswerEvent | HomeswarmError | float | str | Callable[[], None]
"""Of a script: what is told, a wait in seconds, DECIDED (wait until somebody has), or a call."""


WHY = {"asleep": say("asleep"), "left": say("goodbye"), "joining": say("starting")}
"""Of a peer in a state; in doubt it did not answer."""


def peer(name: str, start: int, end: int, state: str = "available", **more: Any) -> dict[str, Any]:
    reason = "" if state == "available" else WHY.get(state, say("silent", number=0.6))
    return {
        "peer_id": f"12D3KooW{name.capitalize()}",
        "name": name,
        "span": [start, end],
        "state": state,
        "since": time.time() - 300,
        "on_route": state == "available",
        "reason": str(reason),
        "why": reason_views(reasons_of(reason)),
        "compute_s": 0.006,
        "round_trip_s": 0.0021,
        "cache_tokens_left": 8000,
        "power": "battery" if name == "laptop" else "mains",
        "link": "wireless" if name == "laptop" else "wire",
        "this_node": name == "desk",
    } | more


def child(phase: str, **more: Any) -> dict[str, Any]:
    return {
        "phase": phase,
        "pid": 4711,
        "peer_id": "12D3KooWDesk",
        "addresses": [],
        "work": None,
        "memory_bytes": 310_000_000,
        "restarts": 0,
        "retry_in_s": None,
        "last_words": [],
        "reason": None,
    } | more


def contribution(
    state: str, *codes: str, by_owner: bool = False, until: float | None = None
) -> dict[str, Any]:
    return {
        "state": state,
        "by_owner": by_owner,
        "reasons": [{"code": code, "text": code} for code in codes],
        "until": until,
        "sentence": state,
        "knows": {},
        "unknown": [],
        "freed": False,
    }


def seen(view: dict[str, Any], *peers: dict[str, Any]) -> dict[str, Any]:
    """The sections of `view` that tell of these computers: what nobody serves, and what is served here."""
    served = {b for one in peers if one["state"] == "available" for b in range(*one["span"])}
    gaps: list[list[int]] = []
    for block in sorted(set(range(NUM_BLOCKS)) - served):
        if gaps and gaps[-1][1] == block:
            gaps[-1][1] += 1
        else:
            gaps.append([block, block + 1])
    blocks = dict(view["children"]["blocks"])
    blocks["span"] = next((one["span"] for one in peers if one["this_node"]), None)
    return {
        "swarm": view["swarm"] | {"seen": True, "peers": list(peers), "gaps": gaps, "covered": not gaps},
        "children": view["children"] | {"blocks": blocks},
    }


def change(name: str, before: str, after: str, ago_s: float = 300.0) -> dict[str, Any]:
    """Of what became of a computer lately."""
    now = peer(name, 0, 0, after)
    told = {key: now[key] for key in ("peer_id", "name", "reason", "why")}
    return told | {"at": time.time() - ago_s, "before": before, "after": after}


def first_view(profile: Path) -> dict[str, Any]:
    """The three of `ROUTE`, all well, as desk sees them."""
    model = "SmolLM2-135M-Instruct-int8"
    view = cast("dict[str, Any]", quiet_view("desk", model, NUM_BLOCKS))
    view["node"] |= {"started_at": time.time() - 4000, "uptime_s": 4000.0, "profile": str(profile)}
    view["model"]["quant"] = "int8"
    view["children"] = {
        "blocks": child(
            "ready",
            withdrawn=False,
            quiet=False,
            sessions=0,
            cache_tokens_used=0,
            cache_tokens=8192,
            steps=120,
        ),
        "engine": child("ready"),
    }
    view |= seen(view, *(peer(hop.name, hop.span.start, hop.span.end) for hop in ROUTE))
    view["route"] = route_view(ROUTE)
    view["power"] |= {"on_battery": False, "delays_sleep": True}
    view["link"] |= {"addresses": ["10.77.0.11"], "network": "home"}
    view["contribution"] = contribution("contributing")
    return view


def pause(
    cause: str = "asleep", name: str = "attic", moved: Sequence[str] = ("kitchen",), at: int = 4
) -> Pause:
    text = sentence(cause, name, moved, 0.42)
    return Pause(cause, f"12D3KooW{name.capitalize()}", name, tuple(moved), 0.2, 0.02, 0.2, 0.42, at, text)


def answer_of(
    text: str, *, pauses: Sequence[Pause] = (), route: tuple[Hop, ...] = ROUTE, then: tuple[Hop, ...] = ()
) -> list[Step]:
    """A whole answer, told word by word; in its middle the pauses, and `then` the rest by another route."""
    words = text.split(" ")
    pieces = [word + (" " if index + 1 < len(words) else "") for index, word in enumerate(words)]
    ways = [(route, len(words) // 2), (then, len(words) - len(words) // 2)] if then else [(route, len(words))]
    segments = tuple(Segment("swarm", "SmolLM2-135M-Instruct-int8", way, count) for way, count in ways)
    timing = Timing(0.21, len(words) / 24, 0.04, 0.06)
    middle = len(pieces) // 2
    told: list[Step] = [Begun(42, 0, route)]
    told += [Text(piece) for piece in pieces[:middle]]
    told += [Paused(one, then) for one in pauses]
    told += [Text(piece) for piece in pieces[middle:]]
    return [*told, Done("stop", 42, len(words), segments, timing, 0, tuple(pauses))]


class _Answer:
    def __init__(self, stage: Stage, script: Sequence[Step], closed: Callable[[], None]) -> None:
        self._stage = stage
        self.request_id = secrets.token_hex(4)
        self._script = list(script)
        self._closed = closed

    async def next(self) -> AnswerEvent:
        while self._script:
            step = self._script.pop(0)
            if isinstance(step, HomeswarmError):
                raise step
            if isinstance(step, str):
                assert step == DECIDED
                await self._stage.decided.wait()
            elif isinstance(step, int | float):
                await asyncio.sleep(step)
            elif callable(step):
                step()
            else:
                return step
        await asyncio.Event().wait()
        raise AssertionError

    def close(self) -> None:
        self._closed()


class Stage:
    """Context manager. `script` makes the answer to some turns; `refusal` is raised instead."""

    def __init__(self, profile: Path) -> None:
        self.paths = ProfilePaths.of(profile)
        self.paths.create()
        self.view: dict[str, Any] = first_view(self.paths.root)
        self.script: Callable[[Sequence[Turn]], Sequence[Step]] = lambda turns: answer_of("Hello there.")
        self.refusal: HomeswarmError | None = None
        self.asked: list[tuple[tuple[Turn, ...], Choice]] = []
        self.closed_answers = 0
        self.offering = False
        """Whether somebody may decide over the local model."""
        self.decided = asyncio.Event()
        self.calls: list[str] = []
        self._watchers: list[Callable[[frozenset[Section], str], None]] = []
        self._thread: threading.Thread | None = None
        self._ready = threading.Event()
        self.chats: Conversations | None = None

    # ------------------------------------------------ Host

    def state(self) -> StateView:
        return cast(StateView, copy.deepcopy(self.view))

    def watch(self, watcher: Callable[[frozenset[Section], str], None]) -> Callable[[], None]:
        self._watchers.append(watcher)
        return lambda: self._watchers.remove(watcher)

    def model(self) -> ModelCard:
        return ModelCard(self.view["model"]["name"], self.view["model"]["id"], 1_796_000_000)

    def local_model(self) -> str | None:
        return None

    def use_local(self, name: str) -> None:
        raise NotImplementedError

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> _Answer:
        if self.refusal is not None:
            raise self.refusal
        self.asked.append((tuple(turns), choice))

        def closed() -> None:
            self.closed_answers += 1

        return _Answer(self, self.script(turns), closed)

    def decide(self, request_id: str, decision: str) -> None:
        if not self.offering or self.decided.is_set():
            raise NoOffer("There is nothing to decide any more.")
        self.calls.append(f"decide {decision}")
        self.decided.set()

    def retry(self, child: str) -> None:
        self.calls.append(f"retry {child}")

    def withdraw(self, for_s: float | None = None) -> bool:
        self.calls.append("withdraw" if for_s is None else f"withdraw for {for_s:.0f} s")
        self.view["children"]["blocks"]["withdrawn"] = True
        until = None if for_s is None else time.time() + for_s
        self.view["contribution"] = contribution("paused", "owner", by_owner=True, until=until)
        self._tell("children", "contribution")
        return True

    def serve(self) -> bool:
        self.calls.append("serve")
        self.view["children"]["blocks"]["withdrawn"] = False
        self.view["contribution"] = contribution("contributing")
        self._tell("children", "contribution")
        return True

    def stop(self, why: str) -> None:
        self.calls.append("stop")

    # ------------------------------------------------ for tests

    def change(self, **sections: Any) -> None:
        """Other values of some sections, told to everybody who watches."""

        def do() -> None:
            self.view.update(sections)
            self._tell(*sections)

        self.loop.call_soon_threadsafe(do)

    def _tell(self, *sections: Any) -> None:
        assert set(sections) <= set(SECTIONS)
        for watcher in tuple(self._watchers):
            watcher(frozenset(sections), "Scripted")

    def _chats_changed(self, running: tuple[str, ...]) -> None:
        chats = self.view["chats"]
        self.view["chats"] = {"revision": chats["revision"] + 1, "running": list(running)}
        self._tell("chats")

    def __enter__(self) -> Stage:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def start(self) -> None:
        self._ready.clear()
        self.view["node"]["stopping"] = False
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._ready.wait(20)

    def end(self) -> None:
        """As a node that is gone; `start` brings it back on another port."""
        if self._thread is not None:
            self.loop.call_soon_threadsafe(self._over.set)
            self._thread.join(20)
            self._thread = None

    async def _serve(self) -> None:
        self.loop = asyncio.get_running_loop()
        self._over = asyncio.Event()
        token = secrets.token_urlsafe(16)

        def keep(token: str) -> None:
            apifile.write(self.paths.api_file, ApiAddress(f"http://127.0.0.1:{port}", token, os.getpid()))

        with socket.socket() as listener:
            listener.bind(("127.0.0.1", 0))
            port = listener.getsockname()[1]
            self.chats = Conversations(
                self.paths.history_file, self, lambda: self.model().name, 2048, self._chats_changed
            )
            config = uvicorn.Config(
                server.build(self, token, port, self.chats, keep_token=keep),
                http="h11",
                ws="none",
                lifespan="off",
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=1,
            )
            web = _Server(config)
            serving = asyncio.create_task(web.serve(sockets=[listener]))
            await web.listening.wait()
            keep(token)
            self._ready.set()
            await self._over.wait()
            self.paths.api_file.unlink(missing_ok=True)
            self.view["node"]["stopping"] = True
            self._tell("node")  # which ends the event streams, as a real node does
            web.should_exit = True
            await serving
            await self.chats.close()
