"""Going on with a text that somebody else has begun, without a visible seam. Pure.

A text that is cut anywhere is not cut where the model's tokens end: told to go on after "Home" "sw", a model
that knows "Homeswarm" by other tokens goes on with something else, and after a lone space it writes another.
So the end of the text, back to the last beginning of a word, is taken off the prompt, and the model is made
to write it again, by a grammar that lets it choose freely afterwards. What it writes again is not shown.
"""

from __future__ import annotations

MAX_REDONE_CHARS = 48
"""A longer word is no word (a URL, or a script without spaces): its end is written again, not all of it."""


def split(partial: str) -> tuple[str, str]:
    """The text as the prompt has it, and its end, which is to be written again.

    The end begins with the white space before the last word: most tokenizers join a word with the space
    before it. It is "" only where the text is.
    """
    start = len(partial)
    while start > 0 and partial[start - 1].isspace():
        start -= 1
    while start > 0 and not partial[start - 1].isspace():
        start -= 1
    while start > 0 and partial[start - 1].isspace():
        start -= 1
    if len(partial) - start > MAX_REDONE_CHARS:
        start = len(partial) - MAX_REDONE_CHARS
        while start < len(partial) - 1 and _joins(partial[start]):
            start += 1
    return partial[:start], partial[start:]


def _joins(char: str) -> bool:
    """Whether a character belongs to the one before it: marks, joiners, and what a joiner joins."""
    import unicodedata

    return char in "\u200d\ufe0f" or unicodedata.combining(char) != 0


def grammar(redone: str) -> str:
    """llama.cpp's grammar (GBNF) of all texts that begin with `redone`."""
    literal = "".join(f"\\U{ord(char):08X}" for char in redone)
    return f'root ::= "{literal}" .*'


class Redone:
    """Takes off a stream of pieces what was to be written again."""

    def __init__(self, redone: str) -> None:
        self._left = redone

    @property
    def over(self) -> bool:
        """Everything was written again: what comes now is new."""
        return not self._left

    def feed(self, piece: str) -> str | None:
        """The new part of a piece; None where the text is not the one that was to be written again."""
        if not self._left:
            return piece
        common = min(len(piece), len(self._left))
        if piece[:common] != self._left[:common]:
            return None
        self._left = self._left[common:]
        return piece[common:]
