"""Colours for code, by pygments, loaded when the first code is shown."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from PySide6.QtGui import QColor, QSyntaxHighlighter, QTextCharFormat, QTextDocument

from swarm_app.gui import look

MAX_CHARACTERS = 6000
"""A lexer of regular expressions can take long over what was not written for it."""


@lru_cache(maxsize=32)
def _lexer(language: str) -> Any:
    from pygments.lexers import get_lexer_by_name
    from pygments.util import ClassNotFound

    try:
        return get_lexer_by_name(language, stripnl=False, ensurenl=False)
    except ClassNotFound:
        return None


def _kind(token: Any) -> str:
    from pygments.token import Comment, Keyword, Name, Number, String

    kinds = (
        (Comment, "comment"),
        (Keyword.Type, "type"),
        (Keyword, "keyword"),
        (String, "string"),
        (Number, "number"),
        (Name.Class, "type"),
        (Name.Builtin, "type"),
        (Name.Function, "name"),
        (Name.Tag, "keyword"),
        (Name.Attribute, "name"),
        (Name.Decorator, "name"),
    )
    return next((kind for parent, kind in kinds if token in parent), "")


def spans(text: str, language: str) -> list[list[tuple[int, int, str]]]:
    """For each line (start, length, kind), in UTF-16 units as Qt counts them."""
    lexer = _lexer(language) if language and len(text) <= MAX_CHARACTERS else None
    lines: list[list[tuple[int, int, str]]] = [[]]
    if lexer is None:
        return lines
    column = 0
    for token, value in lexer.get_tokens(text):
        kind = _kind(token)
        for number, part in enumerate(value.split("\n")):
            if number:
                lines.append([])
                column = 0
            units = len(part.encode("utf-16-le", "surrogatepass")) // 2
            line = lines[-1]
            if kind and units:
                if line and line[-1][2] == kind and line[-1][0] + line[-1][1] == column:
                    line[-1] = (line[-1][0], line[-1][1] + units, kind)
                else:
                    line.append((column, units, kind))
            column += units
    return lines


class CodeColours(QSyntaxHighlighter):
    """Paints one document; `show` before its text is set."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._lines: list[list[tuple[int, int, str]]] = []
        self._formats: dict[str, QTextCharFormat] = {}

    def show(self, text: str, language: str) -> None:
        self._lines = spans(text, language)
        self._formats = {}
        for kind, color in look.current().syntax.items():
            shape = QTextCharFormat()
            shape.setForeground(QColor(color))
            if kind == "comment":
                shape.setFontItalic(True)
            self._formats[kind] = shape

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        if number < len(self._lines):
            for start, length, kind in self._lines[number]:
                self.setFormat(start, length, self._formats[kind])
