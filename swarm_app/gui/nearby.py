"""Households in this network that can be asked: a button for each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from swarm_app.domain.errors import HomeswarmError, from_wire
from swarm_app.gui.frames import clear, keep_tab_order, label, literal, shortened
from swarm_app.gui.tongue import tr


class NearbyList(QWidget):
    """`asked` has where the household is that is to be asked."""

    asked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        self.about = label(tr("Looking for households in this network …"), "dim", wrap=True)
        self.found = QVBoxLayout()
        box.addWidget(self.about)
        box.addLayout(self.found)
        self._shown: list[tuple[str, str]] | None = None

    def show_households(self, households: Sequence[Mapping[str, Any]]) -> None:
        found = [(str(one["name"]), str(one["where"])) for one in households]
        if found == self._shown:
            return
        self.tell("" if found else tr("No household in this network can be asked at the moment."))
        self._shown = found
        for name, where in found:
            button = QPushButton(literal(tr("Ask {name} to let this computer in", name=shortened(name))))
            button.setAccessibleName(tr("Ask {name} to let this computer in", name=name))
            button.clicked.connect(lambda _=False, where=where: self.asked.emit(where))
            self.found.addWidget(button)
        keep_tab_order(self.parentWidget() or self)

    def tell(self, sentence: str) -> None:
        """A sentence instead of households."""
        self._shown = None
        clear(self.found)
        self.about.setText(sentence)
        self.about.setVisible(bool(sentence))


def as_error(asking: Mapping[str, Any]) -> HomeswarmError:
    """Why an asking came to nothing."""
    return from_wire(str(asking["code"]) or "membership", str(asking["message"]) or tr("They said no."), "")


def asking_sentence(asking: Mapping[str, Any]) -> str:
    """What has to be done on the other computer."""
    return tr(
        "Approve this computer on {name}, where it must show {digits}. Waiting for that …",
        name=asking["by"] or asking["household"],
        digits=asking["digits"],
    )
