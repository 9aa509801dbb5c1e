"""What the transcript shows, one row per piece, and how high each will probably be. Pure but for fonts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from swarm_app.gui.chat.pieces import Piece, grown, split_markdown, split_plain
from swarm_app.localapi.chatview import MessageView

FOLD = 3000
"""Of a longer question only the beginning is shown until somebody asks for all of it."""


@dataclass(slots=True)
class Item:
    """One message on the screen. `pauses` are those of an answer that is being given."""

    view: MessageView
    pieces: list[Piece] = field(default_factory=list)
    pauses: list[dict[str, Any]] = field(default_factory=list)
    unfolded: bool = False
    begun: dict[str, Any] | None = None
    """Who gives an answer that is being given, as far as the node has told."""

    @property
    def folded(self) -> bool:
        return self.view["role"] == "user" and len(self.view["text"]) > FOLD and not self.unfolded

    def cut(self) -> None:
        text = self.view["text"]
        if self.view["role"] == "user":
            self.pieces = split_plain(text[:FOLD] if self.folded else text)
        else:
            self.pieces = split_markdown(text)

    def grow(self, text: str) -> None:
        self.view["text"] += text
        self.pieces = grown(self.pieces, self.view["text"])


def tokens_before(items: Sequence[Item], item: Item) -> int:
    """Of the conversation before a message, as the latest answer there has counted; 0 where none has."""
    for one in reversed(items[: items.index(item)]):
        if (answer := one.view["answer"]) and answer["prompt_tokens"]:
            return int(answer["prompt_tokens"]) + int(answer["completion_tokens"] or 0)
    return 0


@dataclass(slots=True)
class Row:
    """`kind` ``foot`` stands below the pieces of its message."""

    kind: Literal["user", "prose", "code", "foot"]
    item: Item
    piece: Piece | None
    height: int
    measured: bool = False
    last: bool = False
    """The last piece of its message."""

    @property
    def key(self) -> tuple[object, ...]:
        """Rows with the same key are the same thing on the screen."""
        number = self.item.view["id"]
        return (number, self.kind, self.piece.text if self.piece else "", self.last)


def rows_of(item: Item, characters_per_line: int, line_height: int) -> list[Row]:
    """The rows of one message with estimated heights (pixels)."""
    rows: list[Row] = []
    pieces: list[Piece | None] = list(item.pieces)
    if item.view["role"] == "user":
        for piece in pieces or [None]:
            text = piece.text if piece else ""
            rows.append(Row("user", item, piece, _lines(text, characters_per_line) * line_height + 30))
        rows[-1].last = True
        return rows
    for piece in pieces:
        assert piece is not None
        if piece.kind == "code":
            rows.append(Row("code", item, piece, (piece.text.count("\n") + 3) * line_height))
        else:
            rows.append(Row("prose", item, piece, _lines(piece.text, characters_per_line) * line_height + 8))
    if rows:
        rows[-1].last = True
    rows.append(Row("foot", item, None, 34 + 20 * len(item.pauses)))
    return rows


def _lines(text: str, characters_per_line: int) -> int:
    per_line = max(characters_per_line, 1)
    if len(text) > 200:
        return text.count("\n") + len(text) // per_line + 1
    return sum(len(line) // per_line + 1 for line in text.split("\n"))
