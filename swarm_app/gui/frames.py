"""What the pages beside the chat are built of: a column that scrolls, cards, lists that are filled anew."""

from __future__ import annotations

import html
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QStackedWidget,
    QStyle,
    QVBoxLayout,
    QWidget,
)

from swarm_app.gui import words

LEAST, USUAL = 70, 200
"""Pixels that a name gets at least, and asks for at most."""

MOST = 32
"""Characters of a name on a button."""

ROW = 12
"""Pixels: what stands closer is in one row."""


class Words(QLabel):
    """A label that shows what it is given and nothing else: a name or an error from another computer must not
    become markup. All labels of the window are of this kind."""

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)


class Elided(Words):
    """A name that takes what room there is: cut with … where it needs more, and whole in its tooltip."""

    def __init__(self, text: str = "", role: str = "") -> None:
        super().__init__(text)
        if role:
            self.setProperty("role", role)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setToolTip(plain_tip(text))

    def minimumSizeHint(self) -> QSize:
        hint = super().minimumSizeHint()
        return QSize(min(hint.width(), LEAST), hint.height())

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return QSize(min(hint.width(), USUAL), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        inside = self.contentsRect()
        text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, inside.width())
        painter = QPainter(self)
        at = QStyle.visualAlignment(self.layoutDirection(), self.alignment())
        self.style().drawItemText(
            painter, inside, int(at), self.palette(), self.isEnabled(), text, self.foregroundRole()
        )


def shortened(name: str) -> str:
    """For buttons."""
    return name if len(name) <= MOST else f"{name[: MOST - 1]}…"


def plain_tip(text: str) -> str:
    """A tooltip of somebody else's words, which Qt would take for markup where they look so."""
    return f"<qt>{html.escape(text).replace(chr(10), '<br>')}</qt>" if text else ""


def literal(text: str) -> str:
    """For buttons and menus, where a single & marks a key."""
    return text.replace("&", "&&")


def reading_column(page: QWidget, title: str, spacing: int, width: int = 0) -> tuple[QVBoxLayout, QLabel]:
    """The scrolling column of a page, at most `width` pixels wide where that is given, and its heading."""
    outer = QVBoxLayout(page)
    outer.setContentsMargins(0, 0, 0, 0)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    inside = QWidget()
    if width:
        inside.setMaximumWidth(width)
    box = QVBoxLayout(inside)
    box.setContentsMargins(28, 20, 28, 28)
    box.setSpacing(spacing)
    head = Elided(title, "heading")
    head.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
    box.addWidget(head)
    area.setWidget(inside)
    outer.addWidget(area)
    return box, head


def keep_tab_order(part: QWidget) -> None:
    """After something was added in the middle of a page: Tab goes by where things stand, and not by when they
    were made. Done when the layouts have placed them."""
    QTimer.singleShot(0, part, lambda: _order_tabs(part))


def tab_through(start: QWidget, parts: Sequence[QWidget]) -> None:
    """Tab goes on from `start` through these parts, in each by the eye."""
    found = [start]
    for part in parts:
        inside = [one for one in part.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus]
        found += sorted(inside, key=lambda widget, part=part: place_of(widget, part))  # type: ignore[misc]
    for before, after in pairwise(found):
        QWidget.setTabOrder(before, after)


def place_of(widget: QWidget, inside: QWidget) -> tuple[int, int]:
    """Where it comes when one reads what is `inside`: its line and its place in it."""
    at = widget.mapTo(inside, widget.rect().center())
    return at.y() // ROW, -at.x() if inside.layoutDirection() == Qt.LayoutDirection.RightToLeft else at.x()


def _order_tabs(part: QWidget) -> None:
    inside = part  # and up to all of the page, or of what scrolls on it
    while (above := inside.parentWidget()) is not None and not isinstance(above, QStackedWidget):
        if isinstance(above.parentWidget(), QScrollArea):
            break
        inside = above
    window = inside.window()
    found = [
        widget
        for widget in window.findChildren(QWidget)
        if inside.isAncestorOf(widget)
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and widget.isVisibleTo(inside)
    ]
    found.sort(key=lambda widget: place_of(widget, window))
    for before, after in pairwise(found):
        QWidget.setTabOrder(before, after)


def counting(box: QSpinBox, unit: str) -> None:
    """Have a number say what it counts, as each number wants it: "1 token", "2 tokens"."""

    def say(count: int) -> None:
        box.setSuffix(f" {words.unit_word(unit, count)}")

    box.valueChanged.connect(say)
    say(box.value())


def card(inside: QWidget) -> QFrame:
    """A frame around it."""
    frame = QFrame()
    frame.setProperty("role", "card")
    box = QVBoxLayout(frame)
    box.setContentsMargins(16, 14, 16, 14)
    box.addWidget(inside)
    return frame


def label(text: str, role: str = "", *, wrap: bool = False) -> QLabel:
    """Words in one of the style sheet's roles."""
    made = Words(text)
    if role:
        made.setProperty("role", role)
    made.setWordWrap(wrap)
    return made


def clear(layout: Any) -> None:
    """Take everything out of a layout, and away."""
    while (item := layout.takeAt(0)) is not None:
        if item.widget() is not None:
            item.widget().hide()
            item.widget().deleteLater()
        elif item.layout() is not None:
            clear(item.layout())
