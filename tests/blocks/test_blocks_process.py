"""What a block process does beside serving: nothing that fails there is lost without a word."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import pytest

from swarm_app.blocks.process import _BlockProcess
from swarm_app.childproto import Goodnight, Message, Resume, Shutdown, StartBlocks


class Pipe:
    def __init__(self, *messages: Message) -> None:
        self.messages = [*messages, Shutdown()]
        self.sent: list[Message] = []

    async def receive(self) -> Message:
        await asyncio.sleep(0)
        return self.messages.pop(0)

    def send(self, message: Message) -> None:
        self.sent.append(message)


class LamePresence:
    async def resume(self) -> None:
        raise OSError("no way to the swarm")

    async def leave(self, cause: str, within_s: float, own: list[str]) -> int:
        raise OSError("no way out of it")


async def test_a_wake_or_a_goodnight_that_fails_is_told_at_once(capfd: pytest.CaptureFixture[str]) -> None:
    process = _BlockProcess(cast(Any, Pipe(Resume(), Goodnight())), StartBlocks("", 0, 2, "desk", ""))
    process._presence = cast(Any, LamePresence())
    await process.listen()
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    told = capfd.readouterr().err
    assert "no way to the swarm" in told
    assert "no way out of it" in told
