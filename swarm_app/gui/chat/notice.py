"""What is told above the conversation: a sentence that can be hidden, and a question that waits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton

from swarm_app.gui.chat.cards import quiet_button
from swarm_app.gui.frames import Words
from swarm_app.gui.reasons import takeover
from swarm_app.gui.tongue import tr


class _Bar(QFrame):
    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "notice")
        self.row = QHBoxLayout(self)
        self.row.setContentsMargins(24, 8, 14, 8)
        self.said = Words()
        self.said.setWordWrap(True)
        self.row.addWidget(self.said, 1)
        self.hide()

    def say(self, sentence: str) -> None:
        self.said.setText(sentence)
        self.said.setAccessibleName(sentence)
        self.show()


class Notice(_Bar):
    def __init__(self) -> None:
        super().__init__()
        close = quiet_button("close", tr("Hide this notice"))
        close.clicked.connect(self.hide)
        self.row.addWidget(close)


class Offer(_Bar):
    """The household cannot answer, and the model of this computer could: `decided` has the answer's request
    and ``local`` or ``wait``."""

    decided = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.request = ""
        self.yes = QPushButton(tr("Let this computer answer"))
        self.yes.setProperty("role", "main")
        self.wait = QPushButton(tr("Keep waiting"))
        for button, decision in ((self.wait, "wait"), (self.yes, "local")):
            button.clicked.connect(lambda _=False, decision=decision: self._decide(decision))
            self.row.addWidget(button)

    def offer(self, offered: Mapping[str, Any]) -> None:
        """Ask; the shape is that of the node's ``offered``."""
        self.request = str(offered["request_id"])
        why, model = takeover(offered), offered["model"]
        self.say(
            tr("The household cannot go on ({why}). {model} on this computer could.", why=why, model=model)
            if offered["at_token"]
            else tr(
                "The household cannot answer ({why}). {model} on this computer could.", why=why, model=model
            )
        )
        self.yes.setEnabled(True)
        self.wait.setEnabled(True)

    def withdraw(self, request: str = "") -> None:
        """Ask no longer: that answer's offer, or whichever there is."""
        if not request or request == self.request:
            self.request = ""
            self.hide()

    def _decide(self, decision: str) -> None:
        if self.request:
            self.yes.setEnabled(False)
            self.wait.setEnabled(False)
            self.decided.emit(self.request, decision)
