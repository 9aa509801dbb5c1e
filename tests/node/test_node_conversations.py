"""Kept chats when two things happen at once: stopped twice, deleted while asked, followed in between."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path

import pytest

from swarm_app.domain.errors import ChildDown, NoSuchChat
from swarm_app.domain.pause import Pause
from swarm_app.localapi.answers import Answer, AnswerEvent, Begun, Choice, Done, Paused, Text, Turn
from swarm_app.localapi.chatschema import AskBody, ChatBody
from swarm_app.node.chats import Conversations
from swarm_app.node.history import History

DONE = Done("stop", 3, 1, (), None, 0, ())
PAUSE = Pause("died", "Qm1", "attic", ("desk",), 0.1, 0.1, 0.1, 0.3, 1, "attic died; moved to desk.")


class Scripted:
    """An answer whose events the test puts."""

    def __init__(self) -> None:
        self.request_id = "r"
        self.events: asyncio.Queue[AnswerEvent] = asyncio.Queue()
        self.closed = False

    async def next(self) -> AnswerEvent:
        return await self.events.get()

    def close(self) -> None:
        self.closed = True


class Answering:
    def __init__(self) -> None:
        self.given: asyncio.Queue[Scripted] = asyncio.Queue()

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> Answer:
        answer = Scripted()
        self.given.put_nowait(answer)
        return answer


class Slow:
    """One of the history's methods, held back until it is let go."""

    def __init__(self, call: Callable[..., object]) -> None:
        self._call = call
        self.entered, self.let_go = threading.Event(), threading.Event()

    def __call__(self, *args: object, **more: object) -> object:
        self.entered.set()
        assert self.let_go.wait(20)
        return self._call(*args, **more)


def slow(monkeypatch: pytest.MonkeyPatch, method: str) -> Slow:
    held = Slow(getattr(History, method))
    monkeypatch.setattr(History, method, lambda *args, **more: held(*args, **more))
    return held


async def until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not true():  # noqa: ASYNC110 - threads and queues are looked at
            await asyncio.sleep(0.005)


@contextlib.asynccontextmanager
async def conversations(path: Path) -> AsyncIterator[tuple[Conversations, Answering]]:
    answering = Answering()
    chats = Conversations(path / "history.sqlite", answering, lambda: "household", 2048, lambda running: None)
    try:
        yield chats, answering
    finally:
        await chats.close()


async def asked(chats: Conversations, answering: Answering) -> tuple[str, Scripted]:
    chat = (await chats.create(ChatBody()))["id"]
    await chats.ask(chat, AskBody(text="hello"))
    return chat, await answering.given.get()


async def state_of(chats: Conversations, chat: str) -> tuple[bool, str]:
    read = await chats.read(chat, None, 10)
    return read["chat"]["running"], read["messages"][-1]["state"]


async def test_an_answer_that_is_stopped_again_while_it_is_written_down_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with conversations(tmp_path) as (chats, answering):
        chat, answer = await asked(chats, answering)
        held = slow(monkeypatch, "update")
        answer.events.put_nowait(Text("hi"))
        answer.events.put_nowait(DONE)
        await until(held.entered.is_set)
        stops = [asyncio.ensure_future(chats.stop(chat)) for _ in range(3)]
        await asyncio.sleep(0.01)
        held.let_go.set()
        async with asyncio.timeout(20):
            await asyncio.gather(*stops)
        assert chats._running == {}, "whoever has stopped it may ask again at once"
        assert await state_of(chats, chat) == (False, "complete")
        again = await chats.ask(chat, AskBody(text="and again"))
        assert again["answer"]["state"] == "running"


async def test_a_chat_can_be_deleted_while_a_question_is_put_down_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with conversations(tmp_path) as (chats, _):
        chat = (await chats.create(ChatBody()))["id"]
        held = slow(monkeypatch, "add")
        ask = asyncio.ensure_future(chats.ask(chat, AskBody(text="hello")))
        await until(held.entered.is_set)
        stopping = asyncio.ensure_future(chats.stop(chat))
        await asyncio.sleep(0.01)
        assert not stopping.done(), "the answer that is about to begin is what is to be stopped"
        held.let_go.set()
        await asyncio.gather(ask, stopping)
        assert await state_of(chats, chat) == (False, "stopped")
        ask = asyncio.ensure_future(chats.ask(chat, AskBody(text="hello")))
        delete = asyncio.ensure_future(chats.delete(chat))
        asked, _ = await asyncio.gather(ask, delete, return_exceptions=True)
        assert isinstance(asked, NoSuchChat), "whichever is first, nothing is said of a broken file"
        with pytest.raises(NoSuchChat):
            await chats.read(chat, None, 10)


async def test_nothing_is_begun_after_the_end_and_what_was_put_down_then_is_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with conversations(tmp_path) as (chats, _):
        chat = (await chats.create(ChatBody()))["id"]
        held = slow(monkeypatch, "add")
        ask = asyncio.ensure_future(chats.ask(chat, AskBody(text="hello")))
        await until(held.entered.is_set)
        closing = asyncio.ensure_future(chats.close())
        await asyncio.sleep(0.01)
        with pytest.raises(ChildDown):
            async with asyncio.timeout(5):
                await chats.list("")
        held.let_go.set()
        await asyncio.gather(ask, closing)
        with pytest.raises(ChildDown):
            await chats.read(chat, None, 10)
    history = History(tmp_path / "history.sqlite")
    try:
        (_, answer), _ = history.branch(history.chat(chat))
        assert answer.state == "interrupted"
    finally:
        history.close()


async def test_whoever_begins_to_follow_is_told_nothing_twice(tmp_path: Path) -> None:
    async with conversations(tmp_path) as (chats, answering):
        chat, answer = await asked(chats, answering)
        answer.events.put_nowait(Text("hi"))
        await until(answer.events.empty)
        following = chats.follow(chat)
        told = [await anext(following)]
        for event in (Begun(3, 0, (), "household"), Paused(PAUSE), DONE):
            answer.events.put_nowait(event)
        await until(answer.events.empty)
        told += [event async for event in following]
        assert [kind for kind, _ in told] == ["message", "begun", "paused", "done"]
        assert told[0][1]["text"] == "hi"
