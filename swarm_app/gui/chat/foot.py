"""The quiet line below an answer: who gave it, what it waited for, and what can be done with it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from swarm_app.gui import troubles, words
from swarm_app.gui.chat.cards import Card, Versions, quiet_button
from swarm_app.gui.chat.rows import Row
from swarm_app.gui.frames import Words, literal
from swarm_app.gui.look import set_role
from swarm_app.gui.tongue import tr, trn

MAX_PAUSES = 3
"""Lines of pauses; the rest is in the trace."""


class FootCard(Card):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._line = ""
        self.box = QVBoxLayout(self)
        self.box.setContentsMargins(2, 2, 0, 14)  # where the answer's own text begins
        self.box.setSpacing(2)
        self.trouble = Words()
        self.trouble.setWordWrap(True)
        self.trouble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.pauses = Words()
        self.pauses.setProperty("role", "dim")
        self.pauses.setWordWrap(True)
        line = self.line = QHBoxLayout()
        line.setSpacing(0)
        self.who = QPushButton()
        self.who.setProperty("role", "foot")
        self.who.setToolTip(tr("How this answer came about"))
        self.who.setAccessibleName(tr("How this answer came about"))
        self.who.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.who.clicked.connect(self.ask("trace"))
        self.versions = Versions(self)
        self.copy = quiet_button("copy", tr("Copy this answer"))
        self.copy.clicked.connect(self.ask("copy"))
        self.again = quiet_button("again", tr("Answer again"))
        self.again.clicked.connect(self.ask("regenerate"))
        line.addWidget(self.who)
        line.addStretch()
        for widget in (self.versions, self.copy, self.again):
            line.addWidget(widget)
        self.box.addWidget(self.trouble)
        self.box.addWidget(self.pauses)
        self.box.addLayout(line)

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        view = row.item.view
        running = view["state"] == "running"
        answer = view["answer"]
        told = [p for p in ((answer or {}).get("pauses") or row.item.pauses) if words.worth_telling(p)]
        lines = [words.pause_sentence(pause) for pause in told[:MAX_PAUSES]]
        if len(told) > MAX_PAUSES:
            lines.append(trn("and %n more pause(s)", len(told) - MAX_PAUSES))
        self.pauses.setText("\n".join(lines))
        self.pauses.setVisible(bool(lines))
        trouble = _trouble(row)
        self.trouble.setText(trouble)
        self.trouble.setVisible(bool(trouble))
        set_role(self.trouble, "bad" if view["error"] else "dim")
        self._line = _line(row)
        self.who.setText(literal(self._line))
        self.who.setEnabled(not running)
        self.who.setAccessibleDescription(self._line)
        for widget in (self.copy, self.again):
            widget.setVisible(not running)
        self.versions.show_versions(view["id"], [] if running else view["versions"])

    def height_for(self, width: int) -> int:
        self.setFixedWidth(width)
        beside = (self.versions, self.copy, self.again)
        taken = sum(one.sizeHint().width() for one in beside if not one.isHidden())
        self.who.setText(literal(wrapped(self._line, self.who.fontMetrics(), width - taken - 24)))
        self.line.invalidate()  # the button tells the outer layout alone, which asks this one
        self.box.invalidate()
        return (
            self.box.totalHeightForWidth(width)
            if self.box.hasHeightForWidth()
            else self.box.totalSizeHint().height()
        )


def wrapped(text: str, metrics: QFontMetrics, room: int) -> str:
    """In lines of at most `room` pixels, for a button, which has none of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and metrics.horizontalAdvance(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(metrics.elidedText(word, Qt.TextElideMode.ElideRight, max(room, 40)))
    return "\n".join(lines)


def _line(row: Row) -> str:
    view = row.item.view
    if view["state"] == "running":
        return words.running_line(row.item.begun, bool(view["text"]))
    answer = view["answer"]
    parts = [words.who_answered(answer), words.speed(answer)]
    told = " · ".join(part for part in parts if part)
    return told or tr("nobody")


def _trouble(row: Row) -> str:
    view = row.item.view
    lines = []
    if view["error"]:
        lines.append(troubles.sentence(view["error"]))
    if view["state"] == "stopped":
        lines.append(tr("You stopped this answer."))
    if view["state"] == "interrupted":
        lines.append(tr("The answer was cut off when Homeswarm ended."))
    answer = view["answer"] or {}
    if answer.get("reason") == "length":
        lines.append(tr("The answer reached its longest allowed length."))
    if count := answer.get("trimmed_messages"):
        lines.append(trn("The %n oldest message(s) no longer fitted and were left out.", count))
    return "\n".join(lines)
