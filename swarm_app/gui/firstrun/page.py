"""The pages of the first start, and what happens behind them."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from swarm_app.config.options import NODE_OPTIONS
from swarm_app.config.paths import ProfilePaths, default_models
from swarm_app.config.settings import read_node_settings, write_node_settings
from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import troubles
from swarm_app.gui.commands import Command
from swarm_app.gui.firstrun.joining import JoinPage
from swarm_app.gui.firstrun.parts import Door, Page, own_name, trouble_label
from swarm_app.gui.frames import Words
from swarm_app.gui.link import NodeLink
from swarm_app.gui.membership import membership
from swarm_app.gui.nearby import as_error, asking_sentence
from swarm_app.gui.nodeprocess import NodeProcess
from swarm_app.gui.tongue import tr
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import StateView

QUANT = "int8"
EVERYWHERE = "0.0.0.0"  # noqa: S104 (written into the settings by the door's own words)
WIDTH = 520
NEARBY_MS = 1500
SEEN_S = 8.0
"""For a household that was seen to be seen again by a node with other settings."""

Step = Callable[[Any], Any]
"""What is asked of the node once it runs."""


class FirstRun(QWidget):
    """`done` when the node runs and the chat can begin."""

    done = Signal()

    def __init__(self, paths: ProfilePaths, link: NodeLink, node: NodeProcess, outlive: bool = False) -> None:
        super().__init__()
        self._paths = paths
        self._link = link
        self._node = node
        self._outlive = outlive
        self._settings: dict[str, object] = {}
        self._started_with: dict[str, object] | None = None
        """The settings of the node that was started here."""
        self._then: Step | None = None
        self._back: QWidget | None = None
        self._waiting = self._asked = self._only_looking = False
        self._attempt = 0
        self._is_done = False
        """Counts what was tried: answers to an earlier one come too late."""
        self._ending = 0
        """The process of the node that is being replaced: what it still says does not count."""
        self.importing = Command(self)
        self.importing.progressed.connect(self._progressed)
        self.importing.finished.connect(self._imported)
        self._look = QTimer(self)
        self._look.setInterval(NEARBY_MS)
        self._look.timeout.connect(self._look_around)
        self.stack = QStackedWidget()
        self.stack.setMaximumWidth(WIDTH)
        inside = QWidget()
        row = QHBoxLayout(inside)
        row.addStretch()
        row.addWidget(self.stack, 100)
        row.addStretch()
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidget(inside)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(area)
        self.doors = self._doors()
        self.found_page = self._found_page()
        self.join_page = JoinPage(self._show_doors)
        self.join_page.linkGiven.connect(self._join)
        self.join_page.asked.connect(self._ask)
        self.progress_page = self._progress_page()
        for page in (self.doors, self.found_page, self.join_page, self.progress_page):
            self.stack.addWidget(page)
        link.stateChanged.connect(self._state)
        node.ended.connect(self._failed)

    @property
    def is_busy(self) -> bool:
        """A door has been taken."""
        return self.stack.currentWidget() is self.progress_page or self._started_with is not None

    # ------------------------------------------------ pages

    def _doors(self) -> QWidget:
        page = Page(
            tr("Welcome to Homeswarm"),
            tr("The computers of your household run one language model together. Nothing leaves your home."),
        )
        self.door_found = Door(
            "home", tr("Start a household"), tr("This is the first computer. Invite the others afterwards.")
        )
        self.door_join = Door(
            "link",
            tr("Join a household"),
            tr("By an invitation, its QR code, or by asking a computer nearby."),
        )
        self.door_alone = Door(
            "computer",
            tr("Just chat on this computer"),
            tr("Try it out with a small model. You can start or join a household later."),
        )
        self.door_found.clicked.connect(lambda: self._show(self.found_page, self.household))
        self.door_join.clicked.connect(self._open_join)
        self.door_alone.clicked.connect(self.alone)
        for door in (self.door_found, self.door_join, self.door_alone):
            page.box.addWidget(door)
        page.box.addStretch(3)
        return page

    def _found_page(self) -> QWidget:
        page = Page(
            tr("Start a household"),
            tr("You get an invitation link for the others once it runs. Only who has one can join."),
        )
        form = QFormLayout()
        self.household = QLineEdit(tr("Home"))
        self.computer = QLineEdit(own_name())
        form.addRow(tr("Name of the &household"), self.household)
        form.addRow(tr("Name of this &computer"), self.computer)
        page.box.addLayout(form)
        self.found = page.buttons(tr("Start"), self.start_household, self._show_doors)
        self.household.returnPressed.connect(self.start_household)
        return page

    def _progress_page(self) -> QWidget:
        page = self._moment = Page(tr("One moment"), "")
        self.doing = Words()
        self.doing.setWordWrap(True)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.trouble = trouble_label()
        self.again = QPushButton(tr("Try again"))
        self.again.setProperty("role", "main")
        self.in_a_file = QPushButton(tr("Keep the keys in a file"))
        self.in_a_file.setToolTip(tr("In this profile's folder, readable by you alone."))
        self.back = QPushButton(tr("Back"))
        self.again.clicked.connect(self._begin)
        self.in_a_file.clicked.connect(self._use_file)
        self.back.clicked.connect(self._give_up)
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addStretch()
        row.addWidget(self.in_a_file)
        row.addWidget(self.again)
        for widget in (self.doing, self.bar, self.trouble):
            page.box.addWidget(widget)
        page.box.addLayout(row)
        page.box.addStretch(3)
        return page

    def _show(self, page: QWidget, focus: QWidget | None = None) -> None:
        self.stack.setCurrentWidget(page)
        if focus is not None:
            focus.setFocus()

    def _show_doors(self) -> None:
        self._look.stop()
        self._show(self.doors, self.door_found)

    # ------------------------------------------------ doors

    def offer(self, invitation: str) -> None:
        """A link that was opened elsewhere."""
        self.join_page.invitation.setText(invitation)
        self._open_join()

    def alone(self) -> None:
        self._go({"open": True}, None, self.doors)

    def start_household(self) -> None:
        name = self.household.text().strip() or tr("Home")
        settings = _member_settings(self.computer.text())
        self._go(settings, lambda client: membership(client).create(name), self.found_page)

    def _open_join(self) -> None:
        self._show(self.join_page)
        self.join_page.opened()
        if self._link.is_connected:
            self._look_around()
        else:
            # Only a node hears the others' announcements.
            self._settings, self._only_looking = _member_settings(self.join_page.computer.text()), True
            self._prepare()
        self._look.start()

    def _join(self, invitation: str) -> None:
        settings = _member_settings(self.join_page.computer.text())
        self._go(settings, lambda client: membership(client).join(invitation), self.join_page)

    def _ask(self, where: str) -> None:
        settings = _member_settings(self.join_page.computer.text())
        self._go(settings, lambda client: _ask_when_seen(client, where), self.join_page)

    def _go(self, settings: dict[str, object], then: Step | None, back: QWidget) -> None:
        self._look.stop()
        self._settings, self._then, self._back = settings, then, back
        self._begin()

    # ------------------------------------------------ nearby

    def _look_around(self) -> None:
        if not self._link.is_connected:
            return
        self._link.call(lambda client: membership(client).nearby(), self._nearby, lambda _: None)

    def _nearby(self, seen: Any) -> None:
        self.join_page.nearby.show_households(seen["households"])
        asking = seen["asking"]
        if self._waiting and self._asked and asking is not None:
            if asking["state"] == "joined":
                self._finish()
            elif asking["state"] == "refused":
                self._refused(as_error(asking))
            else:
                self.doing.setText(asking_sentence(asking))

    # ------------------------------------------------ on the way

    def _begin(self) -> None:
        self._only_looking = False
        self._attempt += 1
        self._moment.head.setText(tr("One moment"))
        for widget in (self.trouble, self.again, self.in_a_file):
            widget.hide()
        self._waiting, self._asked = True, False
        self.doing.show()
        self.bar.setRange(0, 0)
        self.bar.show()
        self._show(self.progress_page)
        self._prepare()

    def _prepare(self) -> None:
        """A model, then a node with the settings of the door."""
        if self._link.is_connected or has_model():
            self._start_node()
            return
        self.doing.setText(tr("Preparing the model …"))
        if not self.importing.is_running:
            self.importing.run("model", "import", "embedded", "--quant", QUANT, "--json")

    def _progressed(self, what: str, done: int, total: int) -> None:
        self.bar.setRange(0, max(total, 0))
        self.bar.setValue(done)

    def _imported(self, trouble: str, _: object = None) -> None:
        if trouble:
            self._failed(trouble)
        else:
            self._start_node()

    def _start_node(self) -> None:
        """Start it, or start it anew where it has other settings; one of somebody else is taken as it is."""
        self.doing.setText(tr("Starting …"))
        self.bar.setRange(0, 0)
        ours = self._started_with is not None
        if self._link.is_connected and not ours:
            if self._link.state is not None:
                self._state(self._link.state)
            return
        try:
            self._paths.create()
            known = {option.name for option in NODE_OPTIONS}
            settings = read_node_settings(self._paths.settings_file)
            settings |= {key: value for key, value in self._settings.items() if key in known}
            write_node_settings(self._paths.settings_file, settings)
        except HomeswarmError as error:
            self._failed(troubles.sentence(error))
            return
        before, self._started_with = self._started_with, settings
        if not ours or not self._node.runs:
            self._node.start(self._outlive)
        elif before != settings:
            self._ending = self._node.pid
            self._node.restart(self._outlive)
        elif self._link.state is not None:
            self._state(self._link.state)
        self._link.look_now()

    def _state(self, state: StateView) -> None:
        if not self._waiting or state["node"]["pid"] == self._ending:
            return
        if self._then is None:
            self._finish()
        elif not self._asked:
            self._asked = True
            self.doing.setText(tr("Joining the household …"))
            attempt = self._attempt
            self._link.call(
                self._then,
                lambda told: self._done(told, attempt),
                lambda error: self._failed_at(error, attempt),
            )

    def _done(self, told: Any, attempt: int) -> None:
        asks = isinstance(told, dict) and "digits" in told
        if attempt != self._attempt or not self._waiting:
            if not self._waiting and not asks:
                self._finish()  # they went back, and are in all the same
            return
        if asks:
            self.doing.setText(asking_sentence(told))
            self._look.start()  # until somebody has decided there
        else:
            self._finish()

    def _failed_at(self, error: HomeswarmError, attempt: int) -> None:
        if attempt != self._attempt or not self._waiting:
            return
        if error.code == "already-member":
            self._finish()  # by an attempt before
        else:
            self._refused(error)

    def _refused(self, error: HomeswarmError) -> None:
        self._failed(troubles.sentence(error))
        self.in_a_file.setVisible(error.code == "secrets-unusable" and self._node.runs)

    def _use_file(self) -> None:
        """The user's consent to keep the keys where no keyring does."""
        self._settings["secrets"] = "file"
        self._begin()

    def _finish(self) -> None:
        if self._is_done:  # another attempt came through: the page may be gone by now
            return
        self._is_done = True
        self._look.stop()
        self._waiting = False
        self.done.emit()

    def _failed(self, sentence: str) -> None:
        if self._only_looking:
            self.join_page.nearby.tell(sentence)
        if self.stack.currentWidget() is not self.progress_page:
            return
        self._look.stop()
        self._waiting = False
        self.bar.hide()
        self.doing.hide()
        self._moment.head.setText(tr("That did not work"))
        self.trouble.setText(sentence)
        self.trouble.show()
        self.again.show()
        self.again.setFocus()

    def _give_up(self) -> None:
        self._waiting = False
        self.importing.cancel()
        back = self._back or self.doors
        self._show(back)
        if back is self.join_page:
            self._look.start()


def _ask_when_seen(client: LocalClient, where: str) -> Any:
    """A node that has just started sees its neighbours a moment later. On one of the link's threads."""
    part, until = membership(client), time.monotonic() + SEEN_S
    while time.monotonic() < until and all(one["where"] != where for one in part.nearby()["households"]):
        time.sleep(0.2)
    return part.ask(where)


def _member_settings(computer: str) -> dict[str, object]:
    name = computer.strip()
    return {"listen": EVERYWHERE, "open": False} | ({"name": name} if name else {})


def has_model() -> bool:
    """Whether anything lies in the model store: what it is, the node says."""
    try:
        return any(default_models().glob("*/manifest.json"))
    except OSError:
        return False
