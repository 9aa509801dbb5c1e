"""What the pages of the first start are made of."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from swarm_app.gui import look
from swarm_app.gui.frames import Words
from swarm_app.gui.tongue import tr


class Door(QPushButton):
    """A large button: an icon, what it does, and for whom."""

    def __init__(self, icon: str, title: str, more: str) -> None:
        super().__init__()
        self.setProperty("role", "door")
        self.setAccessibleName(title)
        self.setAccessibleDescription(more)
        self.setMinimumHeight(84)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 14, 18, 14)
        row.setSpacing(16)
        picture = Words()
        picture.setPixmap(look.icon(icon, look.current().accent).pixmap(30, 30))
        head, below = Words(title), Words(more)
        head.setProperty("role", "section")
        below.setProperty("role", "dim")
        below.setWordWrap(True)
        for label in (picture, head, below):
            label.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        text = QVBoxLayout()
        text.setSpacing(3)
        text.addWidget(head)
        text.addWidget(below)
        row.addWidget(picture)
        row.addLayout(text, 1)


class Page(QWidget):
    """A heading, a line below it, and what `box` gets."""

    def __init__(self, title: str, more: str) -> None:
        super().__init__()
        self.box = QVBoxLayout(self)
        self.box.setSpacing(12)
        self.box.addStretch(2)
        self.head, self.below = Words(title), Words(more)
        self.head.setProperty("role", "heading")
        self.below.setProperty("role", "dim")
        for label in (self.head, self.below):
            label.setWordWrap(True)
            self.box.addWidget(label)
        self.below.setVisible(bool(more))
        self.box.addSpacing(8)

    def buttons(self, label: str, go: Callable[[], None], leave: Callable[[], None]) -> QPushButton:
        """Back and onward, at the end of the page; the latter."""
        row = QHBoxLayout()
        back, main = QPushButton(tr("Back")), QPushButton(label)
        main.setProperty("role", "main")
        main.setDefault(True)
        back.clicked.connect(leave)
        main.clicked.connect(go)
        row.addWidget(back)
        row.addStretch()
        row.addWidget(main)
        self.box.addLayout(row)
        self.box.addStretch(3)
        return main


def trouble_label() -> QLabel:
    label = Words()
    label.setProperty("role", "bad")
    label.setWordWrap(True)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    label.hide()
    return label


def own_name() -> str:
    """This computer's."""
    import platform

    return "".join(c for c in platform.node() if c.isprintable())[:64]
