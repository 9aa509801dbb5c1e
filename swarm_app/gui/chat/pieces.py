"""Messages cut into pieces that are each quick to lay out. Pure.

A conversation is shown piece by piece, and only those that are on the screen exist as widgets, so neither the
length of a message nor the number of messages matters. Markdown is cut between its blocks, code between its
lines; what has neither is cut between words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

SOFT = 1500
"""Characters after which a piece of prose ends at the next gap between two blocks: short enough to be laid
out in a few milliseconds, long enough that a selection rarely has to cross its border."""

HARD = 4000
"""No piece is longer."""

MAX_LINES = 120
"""Nor has more lines: empty ones cost as well."""

_FENCE = re.compile(r"( {0,3})(`{3,}|~{3,})[ \t]*([^`\n]*)$")
_LIST = re.compile(r" {0,3}(?:[-*+]|\d{1,9}[.)])\s")


@dataclass(frozen=True, slots=True)
class Piece:
    """`kind` ``code`` is the inside of a fence, ``plain`` what is not Markdown."""

    kind: Literal["prose", "code", "plain"]
    text: str
    start: int
    """Where the block that it belongs to begins in the message; pieces of one fence share it."""
    language: str = ""
    first: bool = True
    """Of its fence."""


def split_markdown(text: str, start: int = 0) -> list[Piece]:
    """The pieces of a message from `start` on, which must be 0 or the `start` of an earlier piece."""
    pieces: list[Piece] = []
    prose: list[str] = []
    prose_start, length = start, 0
    position, end = start, len(text)
    blank, in_list = True, False

    def flush() -> None:
        nonlocal length
        joined = "".join(prose).strip("\n")
        if joined.strip():
            pieces.extend(Piece("prose", part, prose_start) for part in _chunks(joined))
        prose.clear()
        length = 0

    while position < end:
        stop = text.find("\n", position)
        stop = end if stop < 0 else stop + 1
        line = text[position:stop]
        fence = _FENCE.match(line.rstrip("\n")) if len(line) < 200 else None
        if fence is not None:
            flush()
            body, stop = _fenced(text, stop, fence.group(2))
            language = fence.group(3).strip().split(" ")[0].strip("{}.").lower()[:40]
            for number, part in enumerate(_chunks(body) or [""]):
                pieces.append(Piece("code", part, position, language, number == 0))
            blank, in_list = True, False
        else:
            empty = not line.strip()
            begins_block = blank and not empty
            # An indented line, or the next item, still belongs to the list above the gap.
            goes_on = in_list and (line[0] in " \t" or bool(_LIST.match(line)))
            if begins_block and length > SOFT and not (goes_on and length < HARD):
                flush()
            if not prose:
                prose_start = position
            if begins_block and not goes_on:
                in_list = bool(_LIST.match(line))
            prose.append(line)
            length += len(line)
            blank = empty
            if length > 2 * HARD and not in_list:
                flush()
        position = stop
    flush()
    return pieces


def split_plain(text: str) -> list[Piece]:
    return [Piece("plain", part, 0) for part in _chunks(text)]


def grown(old: Sequence[Piece], text: str) -> list[Piece]:
    """The pieces of a message that has grown: only the last block is looked at again."""
    if not old:
        return split_markdown(text)
    last = old[-1].start
    kept = [piece for piece in old if piece.start < last]
    return [*kept, *split_markdown(text, last)]


def code_of(pieces: Sequence[Piece], start: int) -> str:
    """The whole inside of the fence that begins at `start`."""
    return "\n".join(piece.text for piece in pieces if piece.kind == "code" and piece.start == start)


def _fenced(text: str, position: int, fence: str) -> tuple[str, int]:
    """The inside of a fence that is open before `position`, and where it is over; an answer that is still
    growing has not closed it yet."""
    closing = re.compile(
        r"^ {0,3}" + re.escape(fence[0]) + "{" + str(len(fence)) + r",}[ \t]*$", re.MULTILINE
    )
    found = closing.search(text, position)
    if found is None:
        return text[position:].rstrip("\n"), len(text)
    end = found.end()
    return text[position : max(found.start() - 1, position)], end + 1 if text[end : end + 1] == "\n" else end


def _chunks(text: str) -> list[str]:
    """At most HARD characters and MAX_LINES lines each, cut between lines where there are any."""
    if len(text) <= HARD and text.count("\n") < MAX_LINES:
        return [text] if text else []
    chunks: list[str] = []
    position = 0
    while position < len(text):
        stop = min(position + HARD, len(text))
        lines = text.count("\n", position, stop)
        if lines >= MAX_LINES:
            stop = position
            for _ in range(MAX_LINES):
                stop = text.index("\n", stop) + 1
        elif stop < len(text):
            cut = text.rfind("\n", position, stop)
            if cut <= position:
                cut = text.rfind(" ", position, stop)
            if cut > position:
                stop = cut + 1
        chunks.append(text[position:stop].removesuffix("\n"))
        position = stop
    return chunks
