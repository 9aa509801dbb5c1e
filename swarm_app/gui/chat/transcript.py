"""The conversation on the screen: thousands of messages, a dozen widgets.

Heights of rows that were never on the screen are estimated; a row that comes into sight is measured, and the
scroll position follows, so that what is read does not jump.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from typing import Any

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QWidget

from swarm_app.gui.chat import cards
from swarm_app.gui.chat.cards import Card, CodeCard, ProseCard, UserCard
from swarm_app.gui.chat.foot import FootCard
from swarm_app.gui.chat.pieces import code_of
from swarm_app.gui.chat.rows import Item, Row, rows_of
from swarm_app.gui.frames import tab_through
from swarm_app.gui.tongue import tr
from swarm_app.localapi.chatview import MessageView

COLUMN = 760
"""Pixels: longer lines are hard to read."""

MARGIN = 24
GROW_MS = 60
"""Between two looks at an answer that grows: 16 a second look smooth, and leave the window its time."""

ORDER_MS = 150
"""After the latest change of the rows on the screen, the order of Tab follows."""

NEAR_TOP = 1500
"""Pixels from the top at which older messages are asked for."""

SPARE = {"user": 4, "prose": 8, "code": 4, "foot": 6}
"""Widgets of each kind that are kept for later."""


class Transcript(QAbstractScrollArea):
    """Shows items; asks for what people want by `asked` (what, Item) and `versionAsked` (message)."""

    asked = Signal(str, object)
    versionAsked = Signal(int)
    olderAsked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "transcript")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Conversation"))
        self.items: list[Item] = []
        self._rows: list[Row] = []
        self._tops: list[int] = [0]
        self._live: dict[int, Card] = {}
        self._spare: dict[str, list[Card]] = {kind: [] for kind in SPARE}
        self._first = 0
        self._stick = True
        self._placing = False
        self._older = False
        self._growing = QTimer(self)
        self._growing.setSingleShot(True)
        self._growing.setInterval(GROW_MS)
        self._growing.timeout.connect(self._grown)
        self._pending = ""
        self._ordering = QTimer(self)
        self._ordering.setSingleShot(True)
        self._ordering.setInterval(ORDER_MS)
        self._ordering.timeout.connect(self._order_tabs)
        self._ordered: list[Card] = []
        self.verticalScrollBar().valueChanged.connect(self._scrolled)
        self.verticalScrollBar().setSingleStep(40)

    # ------------------------------------------------ content

    def show_conversation(self, messages: Sequence[MessageView], older: bool) -> None:
        """Another conversation, from its end; `older`: there are messages before these."""
        self.items = [Item(view) for view in messages]
        for item in self.items:
            item.cut()
        self._older, self._pending, self._stick = older, "", True
        self._growing.stop()
        self._build([])

    def add_older(self, messages: Sequence[MessageView], older: bool) -> None:
        """Messages before those that are shown; what is read stays where it is."""
        fresh = [Item(view) for view in messages]
        for item in fresh:
            item.cut()
        rows = [row for item in fresh for row in self._rows_of(item)]
        self.items[:0] = fresh
        self._older = older
        added = sum(row.height for row in rows)
        self._release_all()
        self._rows[:0] = rows
        self._first += len(rows)
        self._retop()
        self._set_value(self.verticalScrollBar().value() + added)
        self.place()

    def replace_tail(self, messages: Sequence[MessageView]) -> None:
        """From the first of these messages' place on the conversation is this now."""
        if not messages:
            return
        known = {item.view["id"]: item for item in self.items}
        first = messages[0]["id"]
        keep = [item for item in self.items if item.view["id"] < first]
        for view in messages:
            item = known.get(view["id"])
            if item is None or item.view != view:
                pauses = item.pauses if item else []
                item = Item(view, pauses=pauses, unfolded=bool(item and item.unfolded))
                item.cut()
            keep.append(item)
        self.items = keep
        self._build(self._rows)

    def append(self, *messages: MessageView) -> None:
        for view in messages:
            item = Item(view)
            item.cut()
            self.items.append(item)
        self._stick = True
        self._build(self._rows)

    def cut_after(self, message: int) -> None:
        """Take away this message and what follows it."""
        at = next((i for i, item in enumerate(self.items) if item.view["id"] == message), len(self.items))
        del self.items[at:]
        self._build(self._rows)

    def grow(self, text: str) -> None:
        """The last message goes on."""
        self._pending += text
        if not self._growing.isActive():
            self._growing.start()

    def add_pause(self, pause: dict[str, Any]) -> None:
        if self.items:
            self._grown()
            self.items[-1].pauses.append(pause)
            self.refresh_item(self.items[-1])

    def set_begun(self, about: dict[str, Any]) -> None:
        """Who gives the last message, from now on."""
        if self.items:
            self._grown()
            self.items[-1].begun = about
            self.refresh_item(self.items[-1])

    def set_message(self, view: MessageView) -> None:
        """The message with this id is this now."""
        for item in reversed(self.items):
            if item.view["id"] == view["id"]:
                self._pending = ""
                self._growing.stop()
                item.view = view
                item.cut()
                self.refresh_item(item)
                return

    def refresh_item(self, item: Item) -> None:
        """Its rows anew; the others stay."""
        start = next((i for i, row in enumerate(self._rows) if row.item is item), len(self._rows))
        stop = start
        while stop < len(self._rows) and self._rows[stop].item is item:
            stop += 1
        old = {row.key: row for row in self._rows[start:stop]}
        fresh = self._rows_of(item)
        for row in fresh:
            if (known := old.get(row.key)) is not None and row.kind != "foot":
                row.height, row.measured = known.height, known.measured
        live = {index: card for index, card in self._live.items() if index < start}
        reusable = {
            card.row.key: card
            for index, card in self._live.items()
            if start <= index < stop and card.row is not None and card.row.kind != "foot"
        }
        for index, card in self._live.items():
            if index >= start and (index >= stop or card.row is None or card.row.key not in reusable):
                self._release(card)
        self._rows[start:stop] = fresh
        for index, row in enumerate(fresh, start):
            if (card_ := reusable.pop(row.key, None)) is not None:
                card_.row = row
                live[index] = card_
        for card in reusable.values():
            self._release(card)
        self._live = live
        self._retop()
        self.place()

    def _grown(self) -> None:
        if not self._pending or not self.items:
            return
        item, text = self.items[-1], self._pending
        self._pending = ""
        item.grow(text)
        self.refresh_item(item)

    def _build(self, old: Sequence[Row]) -> None:
        """All rows anew, with the heights that are known."""
        known = {row.key: row.height for row in old if row.measured and row.kind != "foot"}
        self._release_all()
        self._rows = [row for item in self.items for row in self._rows_of(item)]
        for row in self._rows:
            if row.key in known:
                row.height, row.measured = known[row.key], True
        self._first = 0
        self._retop()
        self.place()

    def _rows_of(self, item: Item) -> list[Row]:
        metrics = self.fontMetrics()
        return rows_of(item, self._width() // max(metrics.averageCharWidth(), 1), int(metrics.height() * 1.4))

    def item_of(self, message: int) -> Item | None:
        return next((item for item in self.items if item.view["id"] == message), None)

    def restyle(self) -> None:
        """Fonts or colours are others now."""
        for spare in self._spare.values():
            for card in spare:
                card.deleteLater()
            spare.clear()
        for card in self._live.values():
            card.deleteLater()
        self._live.clear()
        for row in self._rows:
            row.measured = False
        self.place()

    # ------------------------------------------------ geometry

    def _width(self) -> int:
        return max(120, min(COLUMN, self.width() - 2 * MARGIN))

    def _retop(self) -> None:
        self._tops = list(accumulate((row.height for row in self._rows), initial=MARGIN // 2))

    def _set_value(self, value: int) -> None:
        bar = self.verticalScrollBar()
        total = self._tops[-1] + MARGIN
        self._placing = True
        bar.setRange(0, max(0, total - self.viewport().height()))
        bar.setPageStep(self.viewport().height())
        bar.setValue(value)
        self._placing = False

    def place(self) -> None:
        """Put widgets where the scroll position wants them. Measures what comes into sight, and begins again
        where that moved things."""
        for _ in range(6):
            if not self._place_once():
                return

    def _place_once(self) -> bool:
        bar = self.verticalScrollBar()
        value = max(0, self._tops[-1] + MARGIN - self.viewport().height()) if self._stick else bar.value()
        self._set_value(value)
        value, bottom = bar.value(), bar.value() + self.viewport().height()
        width = self._width()
        first = max(0, bisect_right(self._tops, value) - 1)
        last = first
        while last < len(self._rows) and self._tops[last] < bottom:
            last += 1
        moved = above = 0
        for index in range(first, last):
            row = self._rows[index]
            card = self._live.get(index)
            if card is None:
                card = self._live[index] = self._take(row)
                card.show_row(row)
                row.measured = False
            if not row.measured:
                height = card.height_for(width)
                row.measured = True
                if height != row.height:
                    moved += abs(height - row.height)
                    if index < self._first:
                        above += height - row.height
                    row.height = height
        self._first = first
        if moved:
            self._retop()
            if above and not self._stick:
                self._set_value(value + above)
            return True
        for index in [index for index in self._live if not first <= index < last]:
            self._release(self._live.pop(index))
        # By the whole width: the column stays where it is when the scroll bar comes.
        x = (self.width() - width) // 2
        for index in range(first, last):
            card = self._live[index]
            card.setGeometry(x, self._tops[index] - value, width, self._rows[index].height)
            card.show()
        if self._ordered != [self._live[index] for index in sorted(self._live)]:
            self._ordering.start()
        return False

    def _order_tabs(self) -> None:
        """By where rows stand, whichever widgets show them."""
        self._ordered = [self._live[index] for index in sorted(self._live)]
        tab_through(self, self._ordered)

    def _take(self, row: Row) -> Card:
        if self._spare[row.kind]:
            return self._spare[row.kind].pop()
        makers: dict[str, Callable[[QWidget], Card]] = {
            "user": UserCard,
            "prose": ProseCard,
            "code": CodeCard,
            "foot": FootCard,
        }
        card = makers[row.kind](self.viewport())
        card.asked.connect(self._asked)
        if isinstance(card, UserCard | FootCard):
            card.versions.chosen.connect(self.versionAsked)
        return card

    def _release(self, card: Card) -> None:
        kind = card.row.kind if card.row is not None else "prose"
        card.hide()
        if len(self._spare[kind]) < SPARE[kind]:
            self._spare[kind].append(card)
        else:
            card.deleteLater()

    def _release_all(self) -> None:
        for card in self._live.values():
            self._release(card)
        self._live.clear()

    # ------------------------------------------------ events

    def _asked(self, what: str, item: Item) -> None:
        if what == "copy":
            cards.copy_text(item.view["text"])
        elif what == "copy-code":
            sender = self.sender()
            if isinstance(sender, CodeCard) and sender.row is not None and sender.row.piece is not None:
                cards.copy_text(code_of(item.pieces, sender.row.piece.start))
        elif what == "unfold":
            item.unfolded = True
            item.cut()
            self._stick = False
            self.refresh_item(item)
        else:
            self.asked.emit(what, item)

    def _scrolled(self, value: int) -> None:
        if self._placing:
            return
        self._stick = value >= self.verticalScrollBar().maximum() - 4
        self.place()
        if self._older and self.verticalScrollBar().value() < NEAR_TOP:
            self._older = False  # until these are there
            self.olderAsked.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            for row in self._rows:
                row.measured = False
        self.place()

    def scrollContentsBy(self, dx: int, dy: int) -> None:
        pass  # place() moves the widgets itself

    def viewportEvent(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            return True
        return super().viewportEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.verticalScrollBar().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        bar = self.verticalScrollBar()
        page = self.viewport().height() - 60
        steps = {
            Qt.Key.Key_Up: -40,
            Qt.Key.Key_Down: 40,
            Qt.Key.Key_PageUp: -page,
            Qt.Key.Key_PageDown: page,
            Qt.Key.Key_Space: page,
            Qt.Key.Key_Home: -bar.maximum(),
            Qt.Key.Key_End: bar.maximum(),
        }
        step = steps.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            bar.setValue(bar.value() + step)
