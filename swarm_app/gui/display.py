"""A display that refuses, told in a sentence.

Qt ends the process where it finds no display, or lacks a library to speak to it (Debian and Ubuntu have
libxcb-cursor0 in a package of its own). The last that it says before that goes to the message handler.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QMessageLogContext, QtMsgType, qInstallMessageHandler

from swarm_app.domain.errors import HomeswarmError

LIBRARY = "libxcb-cursor0"


class NoDisplay(HomeswarmError):
    """No window can be opened here."""

    code = "no-display"
    exit_code = 3
    default_remedy = "Chat in the terminal with: homeswarm chat"


@contextmanager
def told_plainly() -> Iterator[None]:
    """While Qt starts: keep what it says, and where it gives up, end the process with a sentence of ours."""
    said: list[str] = []

    def listen(kind: QtMsgType, _: QMessageLogContext, message: str) -> None:
        if kind is not QtMsgType.QtFatalMsg:
            said.append(message)
            return
        error = no_display(said)
        sys.stderr.write(f"homeswarm: {error}\n")
        sys.stderr.flush()
        # Qt aborts when this returns, which would look like a crash.
        os._exit(error.exit_code)

    before = qInstallMessageHandler(listen)
    try:
        yield
    finally:
        qInstallMessageHandler(before)


def no_display(said: list[str]) -> NoDisplay:
    """What to tell, by what Qt said before it gave up."""
    if os.environ.get("DISPLAY") and any(LIBRARY in line for line in said):
        return NoDisplay(
            "The window cannot open: a library of the system is missing, or the display refuses.",
            remedy=f"Install {LIBRARY}, or chat in the terminal with: homeswarm chat",
        )
    return NoDisplay("There is no display here that a window could open on.")
