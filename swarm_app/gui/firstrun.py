"""The first start: three doors, each a click or two from the first answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from swarm_app.config.options import NODE_OPTIONS
from swarm_app.config.paths import ProfilePaths, default_models
from swarm_app.config.settings import read_node_settings, write_node_settings
from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import look, words
from swarm_app.gui.link import NodeLink
from swarm_app.gui.membership import LINK, membership
from swarm_app.gui.nodeprocess import ModelImport, NodeProcess
from swarm_app.gui.tongue import tr
from swarm_app.localapi.view import StateView

QUANT = "int8"
EVERYWHERE = "0.0.0.0"  # noqa: S104 (written into the settings by the door's own words)
WIDTH = 520


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
        picture = QLabel()
        picture.setPixmap(look.icon(icon, look.current().accent).pixmap(30, 30))
        head, below = QLabel(title), QLabel(more)
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
        self._then: Callable[[Any], Any] | None = None
        self._back: QWidget | None = None
        self.importing = ModelImport(self)
        self.importing.progressed.connect(self._progressed)
        self.importing.finished.connect(self._imported)
        outer = QHBoxLayout(self)
        outer.addStretch()
        self.stack = QStackedWidget()
        self.stack.setFixedWidth(WIDTH)
        outer.addWidget(self.stack)
        outer.addStretch()
        self.doors = self._doors()
        self.found_page = self._found_page()
        self.join_page = self._join_page()
        self.progress_page = self._progress_page()
        for page in (self.doors, self.found_page, self.join_page, self.progress_page):
            self.stack.addWidget(page)
        self._waiting = False
        self._asked = False
        link.stateChanged.connect(self._state)
        node.ended.connect(self._failed)

    @property
    def is_busy(self) -> bool:
        """A door has been taken."""
        return self.stack.currentWidget() is self.progress_page

    # ------------------------------------------------ pages

    def _page(self, title: str, more: str) -> tuple[QWidget, QVBoxLayout]:
        page = QWidget()
        box = QVBoxLayout(page)
        box.setSpacing(12)
        box.addStretch(2)
        head, below = QLabel(title), QLabel(more)
        head.setProperty("role", "heading")
        head.setWordWrap(True)
        below.setProperty("role", "dim")
        below.setWordWrap(True)
        box.addWidget(head)
        box.addWidget(below)
        box.addSpacing(8)
        return page, box

    def _doors(self) -> QWidget:
        page, box = self._page(
            tr("Welcome to Homeswarm"),
            tr("The computers of your household run one language model together. Nothing leaves your home."),
        )
        self.door_found = Door(
            "home", tr("Start a household"), tr("This is the first computer. Invite the others afterwards.")
        )
        self.door_join = Door(
            "link", tr("Join with a link"), tr("Somebody in your household has sent you an invitation.")
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
            box.addWidget(door)
        box.addStretch(3)
        return page

    def _buttons(self, box: QVBoxLayout, label: str, go: Callable[[], None]) -> QPushButton:
        row = QHBoxLayout()
        back, main = QPushButton(tr("Back")), QPushButton(label)
        main.setProperty("role", "main")
        main.setDefault(True)
        back.clicked.connect(lambda: self.stack.setCurrentWidget(self.doors))
        main.clicked.connect(go)
        row.addWidget(back)
        row.addStretch()
        row.addWidget(main)
        box.addLayout(row)
        box.addStretch(3)
        return main

    def _found_page(self) -> QWidget:
        page, box = self._page(
            tr("Start a household"),
            tr("You get an invitation link for the others once it runs. Only who has one can join."),
        )
        form = QFormLayout()
        self.household = QLineEdit(tr("Home"))
        self.computer = QLineEdit(_own_name())
        form.addRow(tr("Name of the &household"), self.household)
        form.addRow(tr("Name of this &computer"), self.computer)
        box.addLayout(form)
        self.found = self._buttons(box, tr("Start"), self.start_household)
        self.household.returnPressed.connect(self.start_household)
        return page

    def _join_page(self) -> QWidget:
        page, box = self._page(
            tr("Join a household"),
            tr("Paste the link, or scan its QR code with a phone and send the text of it to this computer."),
        )
        form = QFormLayout()
        self.invitation = QLineEdit()
        self.invitation.setPlaceholderText(f"{LINK}…")
        self.joining_computer = QLineEdit(_own_name())
        form.addRow(tr("&Link"), self.invitation)
        form.addRow(tr("Name of this &computer"), self.joining_computer)
        box.addLayout(form)
        self.join_trouble = QLabel()
        self.join_trouble.setProperty("role", "bad")
        self.join_trouble.setWordWrap(True)
        self.join_trouble.hide()
        box.addWidget(self.join_trouble)
        self.join = self._buttons(box, tr("Join"), self.join_household)
        self.invitation.returnPressed.connect(self.join_household)
        return page

    def _progress_page(self) -> QWidget:
        page, box = self._page(tr("One moment"), "")
        self.doing = QLabel()
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.trouble = QLabel()
        self.trouble.setProperty("role", "bad")
        self.trouble.setWordWrap(True)
        self.trouble.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.again = QPushButton(tr("Try again"))
        self.back = QPushButton(tr("Back"))
        self.again.clicked.connect(self._begin)
        self.back.clicked.connect(self._give_up)
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addStretch()
        row.addWidget(self.again)
        for widget in (self.doing, self.bar, self.trouble):
            box.addWidget(widget)
        box.addLayout(row)
        box.addStretch(3)
        return page

    def _show(self, page: QWidget, focus: QWidget | None = None) -> None:
        self.stack.setCurrentWidget(page)
        if focus is not None:
            focus.setFocus()

    # ------------------------------------------------ doors

    def offer(self, invitation: str) -> None:
        """A link that was opened elsewhere."""
        self._open_join()
        self.invitation.setText(invitation)

    def _open_join(self) -> None:
        copied = QApplication.clipboard().text().strip()
        if copied.startswith(LINK) and not self.invitation.text():
            self.invitation.setText(copied[:4000])
        self._show(self.join_page, self.invitation)

    def alone(self) -> None:
        self._go({"open": True}, None, self.doors)

    def start_household(self) -> None:
        name = self.household.text().strip() or tr("Home")
        settings: dict[str, object] = {"listen": EVERYWHERE}
        if computer := self.computer.text().strip():
            settings["name"] = computer
        self._go(settings, lambda client: membership(client).create(name), self.found_page)

    def join_household(self) -> None:
        invitation = self.invitation.text().strip()
        if not invitation.startswith(LINK):
            self.join_trouble.setText(tr("An invitation begins with {start}.", start=LINK))
            self.join_trouble.show()
            return
        self.join_trouble.hide()
        settings: dict[str, object] = {"listen": EVERYWHERE}
        if computer := self.joining_computer.text().strip():
            settings["name"] = computer
        self._go(settings, lambda client: membership(client).join(invitation), self.join_page)

    def _go(self, settings: dict[str, object], then: Callable[[Any], Any] | None, back: QWidget) -> None:
        self._settings, self._then, self._back = settings, then, back
        self._begin()

    # ------------------------------------------------ on the way

    def _begin(self) -> None:
        self.trouble.hide()
        self.again.hide()
        self._waiting = self._asked = False
        self.bar.setRange(0, 0)
        self.bar.show()
        self._show(self.progress_page)
        if self._link.is_connected or has_model():
            self._start_node()
        else:
            self.doing.setText(tr("Preparing the model …"))
            self.importing.start("embedded", QUANT)

    def _progressed(self, what: str, done: int, total: int) -> None:
        self.bar.setRange(0, max(total, 0))
        self.bar.setValue(done)

    def _imported(self, trouble: str) -> None:
        if trouble:
            self._failed(trouble)
        else:
            self._start_node()

    def _start_node(self) -> None:
        self.doing.setText(tr("Starting …"))
        self.bar.setRange(0, 0)
        self._waiting = True
        if self._link.is_connected:
            if self._link.state is not None:
                self._state(self._link.state)
            return
        try:
            self._paths.create()
            known = {option.name for option in NODE_OPTIONS}
            settings = read_node_settings(self._paths.settings_file)
            settings |= {key: value for key, value in self._settings.items() if key in known}
            write_node_settings(self._paths.settings_file, settings)
            self._node.start(self._outlive)
        except HomeswarmError as error:
            self._failed(words.error_sentence(error))
            return
        self._link.look_now()

    def _state(self, state: StateView) -> None:
        if not self._waiting:
            return
        if self._then is not None:
            if not self._asked:
                self._asked = True
                self.doing.setText(tr("Joining the household …"))
                self._link.call(
                    self._then,
                    lambda _: self._finish(),
                    lambda error: self._failed(words.error_sentence(error)),
                )
            return
        self._finish()

    def _finish(self) -> None:
        self._waiting = False
        self.done.emit()

    def _failed(self, sentence: str) -> None:
        if self.stack.currentWidget() is not self.progress_page:
            return
        self._waiting = False
        self.bar.hide()
        self.doing.setText(tr("That did not work."))
        self.trouble.setText(sentence)
        self.trouble.show()
        self.again.show()

    def _give_up(self) -> None:
        self._waiting = False
        self.importing.cancel()
        self._show(self._back or self.doors)


def has_model() -> bool:
    """Whether anything lies in the model store: what it is, the node says."""
    try:
        return any(default_models().glob("*/manifest.json"))
    except OSError:
        return False


def _own_name() -> str:
    import platform

    return "".join(c for c in platform.node() if c.isprintable())[:64]
