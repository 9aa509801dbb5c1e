"""What every watcher of this computer does alike: tasks of its own beside the node's work, and listeners.

Purpose: one place for their lives and their failures. State owned: one watcher's tasks and callbacks.
Callers: `host.link`, `host.power`, `host.presence`.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, Generic, TypeVar

Told = TypeVar("Told")


class Listeners(Generic[Told]):
    """Whoever wants to hear of one kind of event."""

    def __init__(self) -> None:
        self._callbacks: list[Callable[[Told], None]] = []

    def add(self, callback: Callable[[Told], None]) -> Callable[[], None]:
        """Call `callback` in the event loop with each event from now on; returns a function that ends it."""
        self._callbacks.append(callback)

        def end() -> None:
            with contextlib.suppress(ValueError):
                self._callbacks.remove(callback)

        return end

    def tell(self, event: Told) -> None:
        """By way of the loop: a callback that fails takes neither the others nor the watcher with it."""
        loop = asyncio.get_running_loop()
        for callback in self._callbacks:
            loop.call_soon(self._deliver, callback, event)

    def _deliver(self, callback: Callable[[Told], None], event: Told) -> None:
        if callback in self._callbacks:
            callback(event)


class Background:
    """The tasks of one watcher. `failed` is called where one of them has ended by an error."""

    def __init__(self, failed: Callable[[], None] = lambda: None) -> None:
        self._failed = failed
        self._tasks: set[asyncio.Task[None]] = set()
        self._stumbling: set[str] = set()

    @property
    def running(self) -> bool:
        return bool(self._tasks)

    def spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    async def close(self) -> None:
        """End them all. Safe to call twice."""
        tasks, self._tasks = self._tasks, set()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def stumbled(self, name: str, error: Exception) -> None:
        """Something that is tried again and again met an error of our own: it goes on, and the log has the
        error once until it succeeds."""
        if name not in self._stumbling:
            self._stumbling.add(name)
            _report(f"{name} failed and is tried again", error)

    def succeeded(self, name: str) -> None:
        self._stumbling.discard(name)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            self._failed()
            _report(f"{task.get_name()} ended", error)  # the other tasks go on


def _report(message: str, error: BaseException) -> None:
    """Ours to repair: nothing from outside may get this far."""
    asyncio.get_running_loop().call_exception_handler({"message": message, "exception": error})
