"""A process that is asked and answers in lines of JSON; a handle on one side, a loop on the other."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from types import TracebackType
from typing import Any, TextIO


class Worker:
    """Context manager: ``python -m MODULE ARGUMENTS`` with pipes to it."""

    def __init__(self, module: str, *arguments: str, environment: Mapping[str, str] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", module, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "TQDM_DISABLE": "1", **(environment or {})},
        )

    @property
    def pid(self) -> int:
        return self._process.pid

    def ask(self, **question: Any) -> dict[str, Any]:
        """Send a question and wait for its answer. Raises RuntimeError when the process has ended."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        if not line:
            raise RuntimeError(f"{self._process.args!r} ended: exit code {self._process.wait()}")
        answer: dict[str, Any] = json.loads(line)
        return answer

    def __enter__(self) -> Worker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(20.0)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()


def take_pipes() -> tuple[TextIO, TextIO]:
    """Standard input and output for lines; whatever libraries print goes to standard error from here on."""
    questions, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    return questions, answers


async def answer_all(
    pipes: tuple[TextIO, TextIO], reply: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
) -> None:
    """Answer every line until the other side closes. Between the lines the event loop goes on."""
    questions, answers = pipes
    while line := await asyncio.to_thread(questions.readline):
        answers.write(json.dumps(await reply(json.loads(line))) + "\n")
        answers.flush()
