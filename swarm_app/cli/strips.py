"""Blocks as a strip of cells, in the characters that a terminal can show. Pure."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from dataclasses import dataclass

from rich.console import Console
from rich.text import Text

from swarm_app.cli.console import can_draw

STRIP_CELLS = 40
"""Width of a strip; models with more blocks share a cell among several."""


@dataclass(frozen=True, slots=True)
class Glyphs:
    """The characters of a strip."""

    served: str
    joining: str
    gap: str
    arrow: str


DRAWN = Glyphs("\N{FULL BLOCK}", "\N{LIGHT SHADE}", "\N{MIDDLE DOT}", "\N{RIGHTWARDS ARROW}")
LETTERS = Glyphs("#", "+", ".", "->")
"""For terminals whose encoding lacks the drawn ones."""


def glyphs_for(console: Console) -> Glyphs:
    """The drawn ones where the console can show them."""
    return DRAWN if can_draw(console, "".join(dataclasses.astuple(DRAWN))) else LETTERS


def cells(num_blocks: int) -> list[range]:
    """The blocks of each cell of a strip: one each, or as even as possible in STRIP_CELLS cells."""
    count = min(num_blocks, STRIP_CELLS)
    return [range(num_blocks * i // count, num_blocks * (i + 1) // count) for i in range(count)]


def strip(num_blocks: int, served: Iterable[range], joining: Iterable[range], glyphs: Glyphs) -> Text:
    """One cell per block (or several): served where all of them are, else joining, else a gap."""
    here = {block for span in served for block in span}
    coming = here | {block for span in joining for block in span}
    text = Text()
    for blocks in cells(num_blocks):
        if here.issuperset(blocks):
            text.append(glyphs.served, "green")
        elif coming.issuperset(blocks):
            text.append(glyphs.joining, "yellow")
        else:
            text.append(glyphs.gap, "dim")
    return text
