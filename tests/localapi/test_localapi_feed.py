"""Events: a snapshot first, then deltas, and a slow watcher that costs nothing."""

from __future__ import annotations

import asyncio
import json
from typing import Any, cast

import pytest

from swarm_app.localapi import feed
from swarm_app.localapi.feed import MAX_REASONS, Feed
from swarm_app.localapi.view import PauseView, Section
from tests.localapi.fakehost import FakeHost


class Watching:
    """A watcher whose reading can be held up."""

    def __init__(self, pauses: list[PauseView] | None = None) -> None:
        self.host = FakeHost()
        self.host.view["pauses"] = pauses or []
        self.sent: asyncio.Queue[bytes] = asyncio.Queue()
        self.may_read = asyncio.Event()
        self.may_read.set()
        self.gone = asyncio.Event()
        self.ended = False
        self.task = asyncio.create_task(Feed(self.host)({"type": "http"}, self._receive, self._send))

    async def _receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        await self.may_read.wait()
        self.ended = message["type"] == "http.response.body" and not message["more_body"]
        if body := message.get("body"):
            self.sent.put_nowait(body)

    async def next(self) -> tuple[str, Any]:
        async with asyncio.timeout(5):
            raw = (await self.sent.get()).decode()
        event, data = raw.strip().split("\n")
        return event.removeprefix("event: "), json.loads(data.removeprefix("data: "))

    def change(self, why: str, *sections: Section) -> None:
        for watcher in self.host.watchers:
            watcher(frozenset(sections), why)

    async def leave(self) -> None:
        self.gone.set()
        async with asyncio.timeout(5):
            await self.task
        assert self.host.watchers == []


async def test_a_snapshot_then_deltas_with_reasons() -> None:
    watching = Watching()
    name, snapshot = await watching.next()
    assert name == "snapshot"
    assert snapshot == watching.host.view
    watching.host.view["swarm"]["covered"] = True
    watching.change("SwarmSeen", "swarm")
    name, delta = await watching.next()
    assert name == "delta"
    assert delta == {"because": ["SwarmSeen"], "changed": {"swarm": watching.host.view["swarm"]}}
    await watching.leave()


async def test_what_changes_before_the_snapshot_is_sent_is_not_lost() -> None:
    watching = Watching()
    await asyncio.sleep(0)
    assert len(watching.host.watchers) == 1
    watching.change("Ready", "children")
    assert (await watching.next())[0] == "snapshot"
    assert (await watching.next())[1]["because"] == ["Ready"]
    await watching.leave()


async def test_a_slow_watcher_gets_one_delta_of_the_present_values() -> None:
    watching = Watching()
    await watching.next()
    watching.may_read.clear()
    watching.change("AnswersChanged", "node")
    await asyncio.sleep(0)
    for number in range(10_000):
        watching.host.view["node"]["answers"] = number
        watching.change(f"Reason{number}", "node", "problems")
    watching.may_read.set()
    assert (await watching.next())[1]["because"] == ["AnswersChanged"]
    _, delta = await watching.next()
    assert delta["changed"]["node"]["answers"] == 9999
    assert delta["changed"].keys() == {"node", "problems"}
    assert len(delta["because"]) == MAX_REASONS
    assert watching.sent.empty()
    await watching.leave()


def paused(number: int) -> PauseView:
    return cast(PauseView, {"number": number, "request_id": "r", "text": f"pause {number}"})


async def test_each_pause_after_the_snapshot_is_an_event_ahead_of_its_delta() -> None:
    watching = Watching([paused(1), paused(2)])
    await watching.next()
    watching.host.view["pauses"] += [paused(3), paused(4)]
    watching.change("PauseEnded", "pauses")
    assert await watching.next() == ("paused", paused(3))
    assert await watching.next() == ("paused", paused(4))
    name, delta = await watching.next()
    assert name == "delta"
    assert [pause["number"] for pause in delta["changed"]["pauses"]] == [1, 2, 3, 4]
    # The state drops the oldest; the numbers go on.
    watching.host.view["pauses"] = [paused(4), paused(5)]
    watching.change("PauseEnded", "pauses")
    assert await watching.next() == ("paused", paused(5))
    assert (await watching.next())[0] == "delta"
    watching.change("AnswersChanged", "node")
    assert (await watching.next())[0] == "delta"
    await watching.leave()


async def test_the_last_delta_says_that_the_node_stops() -> None:
    watching = Watching()
    await watching.next()
    watching.host.view["node"]["stopping"] = True
    watching.change("StopAsked", "node")
    assert (await watching.next())[1]["changed"]["node"]["stopping"]
    async with asyncio.timeout(5):
        await watching.task
    assert watching.ended
    assert watching.host.watchers == []


async def test_a_quiet_feed_says_that_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(feed, "KEEP_ALIVE_S", 0.02)
    watching = Watching()
    await watching.next()
    async with asyncio.timeout(5):
        assert (await watching.sent.get()).startswith(b": ")
    await watching.leave()
