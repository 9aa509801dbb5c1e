"""``GET /api/events``: a snapshot first, then deltas.

A watcher holds no queue but the names of the sections that changed since it was last sent something, and
gets their present values. However slow it is, it costs nothing and misses nothing but intermediate values.

Each pause of an answer that came after the snapshot is also an event of its own, ``paused``, ahead of the
delta that has it in its list.
"""

from __future__ import annotations

import asyncio
from collections import deque

from starlette.types import Receive, Scope, Send

from swarm_app.localapi.host import Host
from swarm_app.localapi.reader import while_reader_stays
from swarm_app.localapi.replies import to_json
from swarm_app.localapi.sse import SSE_HEADERS, comment, data
from swarm_app.localapi.view import SECTIONS, ChangeView, Section, StateView

KEEP_ALIVE_S = 15.0
"""A comment this often finds out whether a quiet watcher is still there."""

PAUSE_S = 0.05
"""Between two deltas, so that a burst of changes is one."""

MAX_REASONS = 16


class Feed:
    """The ASGI answer to one watcher."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._changed: set[Section] = set()
        self._because: deque[str] = deque(maxlen=MAX_REASONS)
        self._wake = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        unwatch = self._host.watch(self._note)
        try:
            await while_reader_stays(self._send_all(send), receive)
        finally:
            unwatch()

    def _note(self, sections: frozenset[Section], why: str) -> None:
        self._changed |= sections
        if not self._because or self._because[-1] != why:
            self._because.append(why)
        self._wake.set()

    async def _send_all(self, send: Send) -> None:
        async def chunk(content: bytes, more: bool = True) -> None:
            await send({"type": "http.response.body", "body": content, "more_body": more})

        await send({"type": "http.response.start", "status": 200, "headers": SSE_HEADERS})
        state = self._host.state()
        told = _last_number(state)
        await chunk(data(to_json(state), "snapshot"))
        while True:
            try:
                async with asyncio.timeout(KEEP_ALIVE_S):
                    await self._wake.wait()
            except TimeoutError:
                await chunk(comment("still here"))
                continue
            self._wake.clear()
            state = self._host.state()
            change = ChangeView(
                because=list(self._because),
                changed={name: state[name] for name in SECTIONS if name in self._changed},
            )
            self._changed.clear()
            self._because.clear()
            for pause in state["pauses"]:
                if pause["number"] > told:
                    await chunk(data(to_json(pause), "paused"))
            told = _last_number(state)
            await chunk(data(to_json(change), "delta"))
            if state["node"]["stopping"]:
                await chunk(b"", more=False)
                return
            await asyncio.sleep(PAUSE_S)


def _last_number(state: StateView) -> int:
    return state["pauses"][-1]["number"] if state["pauses"] else 0
