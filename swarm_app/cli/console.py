"""What the commands draw with: plain text in a pipe, colours and live lines on a terminal."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Collection, Iterator, Sequence

import click
from rich.cells import cell_len
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskID, TaskProgressColumn, TextColumn

from swarm_app.domain.errors import BadRequest

PLAIN_PROGRESS_S = 5.0
"""In a pipe or a log a long piece of work says every so often how far it is."""


def out() -> Console:
    """Standard output. rich leaves colours out by itself in a pipe and under NO_COLOR."""
    return Console(file=sys.stdout, highlight=False, markup=False, soft_wrap=True)


def err() -> Console:
    """Standard error: progress and remarks, so that a pipe gets the answer alone."""
    return Console(file=sys.stderr, highlight=False, markup=False, soft_wrap=True)


def can_draw(console: Console, glyphs: str) -> bool:
    """Whether the encoding has these characters; a terminal in Latin-1 gets letters instead."""
    try:
        glyphs.encode(console.encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def be_sure(question: str) -> None:
    """Go on with a yes alone. Raises click.Abort for a no, BadRequest where nobody is there to say either."""
    try:
        click.confirm(question, abort=True, err=True)
    except click.Abort as end:
        if not isinstance(end.__context__, EOFError):
            raise
        click.echo(err=True)  # the question's line
        raise BadRequest("Nobody has said yes, so nothing was done.", remedy="Say so with --yes.") from None


def columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """Lines with the cells of each row below one another, those of the columns `right` to the right.

    However narrow the terminal is, or a pipe pretends to be, names stay whole: they are there to be copied.
    """
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(
            " " * (width - cell_len(cell)) + cell if i in right else cell + " " * (width - cell_len(cell))
            for i, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def in_bytes(count: int | float) -> str:
    """A size for people: 1 MB is 1,000,000 bytes, as disks are sold."""
    size = float(count)
    for unit in ("bytes", "kB", "MB", "GB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit in ("bytes", "kB") or size >= 100 else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} TB"


def in_ms(seconds: float) -> str:
    """A duration for people, in milliseconds up to ten seconds."""
    if seconds < 0.1:
        return f"{seconds * 1000:.1f} ms"
    return f"{seconds * 1000:.0f} ms" if seconds < 10 else f"{seconds:.1f} s"


@contextlib.contextmanager
def progress(console: Console) -> Iterator[Callable[[str, int, int], None]]:
    """A function (what, done, total) that draws a bar per `what`; plain lines where nothing can move."""
    if not console.is_terminal:
        yield _plain_progress(console)
        return
    bars = Progress(
        TextColumn("{task.description}"), BarColumn(bar_width=30), TaskProgressColumn(), console=console
    )
    tasks: dict[str, TaskID] = {}

    def draw(what: str, done: int, total: int) -> None:
        if what not in tasks:
            tasks[what] = bars.add_task(what, total=total)
        bars.update(tasks[what], completed=done, total=total)

    with bars:
        yield draw


def _plain_progress(console: Console) -> Callable[[str, int, int], None]:
    last_what = ""
    last_s = 0.0

    def say(what: str, done: int, total: int) -> None:
        nonlocal last_what, last_s
        now_s = time.monotonic()
        if what != last_what or now_s - last_s >= PLAIN_PROGRESS_S:
            share = f" {100 * done // total} %" if total and done else ""
            console.print(f"{what}{share}")
            last_what, last_s = what, now_s

    return say
