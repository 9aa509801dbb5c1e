"""The icon in the tray and its menu. Where no tray is, nothing here is made, and the window does without."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu, QSystemTrayIcon, QWidget

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import look, troubles, words
from swarm_app.gui.frames import literal
from swarm_app.gui.link import NodeLink
from swarm_app.gui.tongue import size, tr, trn
from swarm_app.gui.tray import why
from swarm_app.localapi.view import StateView

HOUR_S = 3600.0
LOOK_MS = 5000
"""A tray that comes late, as after the start of a session, gets its icon this soon."""


class Tray(QObject):
    """`contribution` is ``on``, ``paused`` (for a while, or by a rule), ``off`` (by its owner, for good), or
    ``none``: this node serves nothing."""

    openAsked = Signal()
    quitAsked = Signal()
    householdAsked = Signal()

    def __init__(self, link: NodeLink, parent: QWidget) -> None:
        super().__init__(parent)
        self._link = link
        self.contribution = "none"
        self.icon: QSystemTrayIcon | None = None
        self._shown: tuple[str, str, bool] | None = None
        """State, words and darkness of the icon."""
        self.menu = QMenu(parent)
        self._fill(self.menu)
        self._look = QTimer(self)
        self._look.setInterval(LOOK_MS)
        self._look.timeout.connect(self._look_for_tray)
        self._look.start()
        self._look_for_tray()
        link.stateChanged.connect(self.show_state)
        link.lost.connect(lambda _: self._lost())

    @property
    def is_there(self) -> bool:
        return self.icon is not None

    def _look_for_tray(self) -> None:
        available = QSystemTrayIcon.isSystemTrayAvailable()
        if available and self.icon is None:
            self.icon = QSystemTrayIcon(self)
            self._shown = None
            self.icon.setContextMenu(self.menu)
            self.icon.activated.connect(self._activated)
            self._show("off" if self._link.state is None else self.contribution, "Homeswarm")
            if self._link.state is not None:
                self.show_state(self._link.state)
            self.icon.show()
        elif not available and self.icon is not None:
            # The host has gone; one that comes back shows no icon that was made before it.
            self.icon.hide()
            self.icon.deleteLater()
            self.icon = None

    def _activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        if reason == QSystemTrayIcon.ActivationReason.Trigger:
            self.openAsked.emit()

    def _fill(self, menu: QMenu) -> None:
        self.about = QAction(tr("Homeswarm is not running"), menu)
        self.about.setEnabled(False)
        self.people = QAction("", menu)
        self.people.setEnabled(False)
        self.people.setVisible(False)
        menu.addAction(self.about)
        menu.addAction(self.people)
        menu.addSeparator()
        self.on = menu.addAction(tr("Contribute"), self.serve)
        self.hour = menu.addAction(tr("Pause for an hour"), self.pause_an_hour)
        self.off = menu.addAction(tr("Do not contribute"), self.withdraw)
        for action in (self.on, self.hour, self.off):
            action.setCheckable(True)
        menu.addSeparator()
        menu.addAction(tr("Open Homeswarm"), self.openAsked.emit)
        menu.addAction(tr("Household"), self.householdAsked.emit)
        menu.addSeparator()
        menu.addAction(tr("Quit"), self.quitAsked.emit)

    # ------------------------------------------------ contributing

    def serve(self) -> None:
        self._link.call(lambda client: client.serve(), None, self._failed)
        self._mark()

    def withdraw(self) -> None:
        self._link.call(lambda client: client.withdraw(), None, self._failed)
        self._mark()

    def pause_an_hour(self) -> None:
        self._link.call(lambda client: client.withdraw(HOUR_S), None, self._failed)
        self._mark()

    def _failed(self, error: HomeswarmError) -> None:
        self.tell(tr("That did not work"), troubles.sentence(error))

    # ------------------------------------------------ state

    def _lost(self) -> None:
        """Nothing of a node that is gone stays in the menu."""
        self.contribution = "none"
        self.about.setText(tr("Homeswarm is not running"))
        self.people.setVisible(False)
        self._mark()
        self._show("trouble", tr("Homeswarm is not running"))

    def show_state(self, state: StateView) -> None:
        blocks = state["children"]["blocks"]
        if blocks["phase"] in ("off", "warm") and not blocks["withdrawn"]:
            self.contribution = "none"
        elif blocks["withdrawn"]:
            told = state.get("contribution")
            for_good = told is None or (told["by_owner"] and told["until"] is None)
            self.contribution = "off" if for_good else "paused"
        else:
            self.contribution = "on"
        self._mark()
        trouble = blocks["phase"] == "down" or state["children"]["engine"]["phase"] == "down"
        self.about.setText(literal(served(state)))
        asleep = sorted({p["name"] for p in state["swarm"]["peers"] if p["state"] == "asleep"})
        self.people.setText(literal(tr("Asleep: {names}", names=", ".join(asleep))))
        self.people.setVisible(bool(asleep))
        self._show("trouble" if trouble else self.contribution, f"Homeswarm\n{served(state)}")

    def _mark(self) -> None:
        """Tick what the owner chose; a pause that a rule makes is nobody's choice."""
        told = None if self._link.state is None else self._link.state.get("contribution")
        by_rule = self.contribution == "paused" and told is not None and not told["by_owner"]
        for action, name in ((self.on, "on"), (self.hour, "paused"), (self.off, "off")):
            action.setEnabled(self.contribution != "none")
            action.setChecked(self.contribution == name and not by_rule)

    def _show(self, name: str, tip: str) -> None:
        shown = (name, tip, look.current().dark)
        if self.icon is not None and shown != self._shown:
            self._shown = shown  # each goes to the desktop, and states come often
            self.icon.setIcon(tray_icon(name))
            self.icon.setToolTip(tip)

    def tell(self, title: str, text: str) -> bool:
        """A notification; False where there is nothing to show it."""
        if self.icon is None or not QSystemTrayIcon.supportsMessages():
            return False
        self.icon.showMessage(title, text, QIcon(self.icon.icon()))
        return True


def tray_icon(name: str) -> QIcon:
    return look.icon(f"tray-{'off' if name == 'none' else name}", look.current().text)


def served(state: StateView) -> str:
    """What this computer does for the household, in a line."""
    blocks = state["children"]["blocks"]
    told = state.get("contribution")
    if blocks["withdrawn"]:
        return tr("Contributing is paused") if told is None else why.sentence(told)
    if blocks["phase"] in ("off", "warm"):
        return tr("This computer only chats")
    if blocks["phase"] != "ready" or blocks["span"] is None:
        return tr("Getting ready …")
    parts = [tr("Serves {span}", span=words.span_text(blocks["span"])), size(blocks["memory_bytes"])]
    if blocks["sessions"]:
        parts.append(trn("%n conversation(s)", blocks["sessions"]))
    if told is not None and (told["state"] == "gentle" or told["by_owner"]):
        parts.append(why.sentence(told))
    elif state["power"]["on_battery"]:
        parts.append(tr("on battery"))
    return " · ".join(parts)
