"""What the pages beside the chat are built of: a column that scrolls, cards, lists that are filled anew."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QVBoxLayout, QWidget


def reading_column(page: QWidget, title: str, spacing: int, width: int = 0) -> tuple[QVBoxLayout, QLabel]:
    """The scrolling column of a page, at most `width` pixels wide where that is given, and its heading."""
    outer = QVBoxLayout(page)
    outer.setContentsMargins(0, 0, 0, 0)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    inside = QWidget()
    if width:
        inside.setMaximumWidth(width)
    box = QVBoxLayout(inside)
    box.setContentsMargins(28, 20, 28, 28)
    box.setSpacing(spacing)
    head = QLabel(title)
    head.setProperty("role", "heading")
    box.addWidget(head)
    area.setWidget(inside)
    outer.addWidget(area)
    return box, head


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
    made = QLabel(text)
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
