"""Command lines in desktop files (Desktop Entry Specification, "The Exec key")."""

from __future__ import annotations

from collections.abc import Sequence

_RESERVED = set(" \t\n\"'\\><~|&;$*?#()`")


def exec_line(command: Sequence[str], field: str = "") -> str:
    """The value of Exec for a command; `field` is a field code such as ``%u`` for what is opened."""
    words = [_quoted(word) for word in command]
    return " ".join([*words, field] if field else words)


def _quoted(word: str) -> str:
    word = word.replace("%", "%%")
    if word and not _RESERVED & set(word):
        return word
    inside = "".join(f"\\{c}" if c in '"`$\\' else c for c in word)
    # Values are strings of a desktop file first: there a backslash is written twice.
    return '"' + inside.replace("\\", "\\\\") + '"'
