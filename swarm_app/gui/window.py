"""The main window: chats at the side, the chosen page beside them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QMainWindow,
    QSplitter,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import look, troubles
from swarm_app.gui.chat.page import ChatPage
from swarm_app.gui.chat.sidebar import Sidebar
from swarm_app.gui.frames import Words, plain_tip
from swarm_app.gui.link import NodeLink
from swarm_app.gui.membership import standing
from swarm_app.gui.memory import WindowMemory
from swarm_app.gui.tongue import isolated, tr, trn
from swarm_app.localapi.view import StateView

SIDE = 250


class MainWindow(QMainWindow):
    """Pages but the chat are made when they are first looked at: `add_page` takes their makers."""

    closing = Signal(QCloseEvent)
    """What closing means decides who owns the window: it accepts or ignores the event."""

    def __init__(self, link: NodeLink, memory: WindowMemory) -> None:
        super().__init__()
        self._link = link
        self.memory = memory
        self._makers: dict[str, Callable[[], QWidget]] = {}
        self._pages: dict[str, QWidget] = {}
        self._nav: dict[str, QToolButton] = {}
        self._restyling = False
        self.setWindowTitle("Homeswarm")
        self.setMinimumSize(520, 420)
        self.sidebar = Sidebar()
        self.chat = ChatPage(link, self.sidebar)
        self._build()
        self._place_on_screen()
        link.stateChanged.connect(self._state)
        link.lost.connect(self._lost)
        self.sidebar.chosen.connect(lambda _: self.show_page("chat"))
        self.sidebar.newAsked.connect(lambda: self.show_page("chat"))
        for keys, call in (
            ("Ctrl+N", self._new_chat),
            ("Ctrl+F", self._search),
            ("Ctrl+Q", QApplication.quit),
            ("Ctrl+,", lambda: self.show_page("settings")),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(call)
        QGuiApplication.styleHints().colorSchemeChanged.connect(self.restyle)

    def _build(self) -> None:
        self.split = QSplitter(Qt.Orientation.Horizontal)
        self.split.setHandleWidth(1)
        self.split.setChildrenCollapsible(False)
        side = QFrame()
        side.setObjectName("side")
        side.setMinimumWidth(190)
        box = QVBoxLayout(side)
        box.setContentsMargins(0, 0, 0, 8)
        box.setSpacing(2)
        box.addWidget(self.sidebar, 1)
        self.foot = QVBoxLayout()
        self.foot.setContentsMargins(8, 0, 8, 0)
        self.foot.setSpacing(2)
        self.status = Words()
        self.status.setProperty("role", "dim")
        self.status.setWordWrap(True)
        self.status.setContentsMargins(8, 4, 4, 2)
        self.foot.addWidget(self.status)
        box.addLayout(self.foot)
        self.stack = QStackedWidget()
        self.stack.addWidget(self.chat)
        self._pages["chat"] = self.chat
        self.split.addWidget(side)
        self.split.addWidget(self.stack)
        self.split.setStretchFactor(1, 1)
        self.split.setSizes([SIDE, 1000])
        self._outer = QStackedWidget()
        self._outer.addWidget(self.split)
        self.setCentralWidget(self._outer)

    def add_page(self, name: str, icon: str, label: str, make: Callable[[], QWidget]) -> None:
        self._makers[name] = make
        button = QToolButton()
        button.setProperty("role", "nav")
        button.setText(label)
        button.setIcon(look.icon(icon))
        button.setIconSize(QSize(18, 18))
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setCheckable(True)
        button.setAccessibleName(label)
        button.setSizePolicy(button.sizePolicy().Policy.Expanding, button.sizePolicy().Policy.Fixed)
        # Pressed again it leads back.
        button.clicked.connect(lambda on: self.show_page(name if on else "chat"))
        button.setProperty("icon_name", icon)
        self._nav[name] = button
        self.foot.addWidget(button)

    def show_page(self, name: str) -> QWidget:
        page = self._pages.get(name)
        if page is None:
            page = self._pages[name] = self._makers[name]()
            self.stack.addWidget(page)
        self.stack.setCurrentWidget(page)
        for other, button in self._nav.items():
            button.setChecked(other == name)
        return page

    def show_alone(self, page: QWidget | None) -> None:
        """Show a page instead of everything; None shows everything again."""
        if page is not None:
            self._outer.addWidget(page)
            self._outer.setCurrentWidget(page)
        else:
            self._outer.setCurrentIndex(0)

    def _new_chat(self) -> None:
        self.show_page("chat")
        self.chat.new()

    def _search(self) -> None:
        self.sidebar.search.setFocus()
        self.sidebar.search.selectAll()

    def bring_to_front(self) -> None:
        if self.isMinimized():
            self.showNormal()
        self.show()
        self.raise_()
        self.activateWindow()

    # ------------------------------------------------ the node

    def _state(self, state: StateView) -> None:
        self.status.setText(status_line(state))
        self.status.setToolTip("")

    def _lost(self, error: HomeswarmError) -> None:
        self.status.setText(tr("Homeswarm's node is not running on this computer."))
        self.status.setToolTip(plain_tip(troubles.sentence(error)))

    # ------------------------------------------------ the desktop

    def _place_on_screen(self) -> None:
        """Where it was, unless that is nowhere any more; a size that fits the screen (at any scale)."""
        screen = self.screen().availableGeometry()
        self.resize(min(1080, screen.width() - 40), min(740, screen.height() - 60))
        geometry = self.memory.geometry
        if not geometry.isEmpty():
            self.restoreGeometry(geometry)
        if not any(
            area.availableGeometry().intersects(self.geometry()) for area in QGuiApplication.screens()
        ):
            self.move(screen.topLeft())
        self.resize(min(self.width(), screen.width()), min(self.height(), screen.height()))

    def restyle(self) -> None:
        """Light or dark, as the system has it now."""
        if self._restyling:
            return
        self._restyling = True
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        look.apply(app, look.wanted())
        for button in self.findChildren(QToolButton):
            if name := button.property("icon_name"):
                button.setIcon(look.icon(str(name)))
        self.chat.transcript.restyle()
        self.chat.composer.set_can_send(self._link.is_connected)
        self._restyling = False

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.chat.transcript.restyle()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.memory.geometry = self.saveGeometry()
        self.closing.emit(event)


def status_line(state: StateView) -> str:
    """One line on how the household is."""
    swarm, children = state["swarm"], state["children"]
    here = {peer["name"] for peer in swarm["peers"] if peer["state"] == "available" and peer["on_route"]}
    asleep = sorted({isolated(peer["name"]) for peer in swarm["peers"] if peer["state"] == "asleep"})
    member = standing(state)
    if member is not None and member["standing"] in ("outside", "removed"):
        return tr("In no household")
    if children["engine"]["phase"] == "down":
        return tr("The chats' part of Homeswarm does not run.")
    if children["engine"]["phase"] != "ready":
        return tr("Getting ready …")
    parts = [trn("%n computer(s)", len(here))]
    if swarm["covered"]:
        parts.append(tr("everything covered"))
    elif swarm["seen"]:
        missing = sum(end - start for start, end in swarm["gaps"])
        parts.append(trn("%n block(s) missing", missing))
    if asleep:
        parts.append(tr("{names} asleep", names=", ".join(asleep)))
    return " · ".join(parts)
