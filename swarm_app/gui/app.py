"""The application: puts window, tray and node together, and decides what closing and quitting mean."""

from __future__ import annotations

import contextlib
import signal
import sys

from PySide6.QtCore import QCoreApplication, QLocale, QObject, QTimer
from PySide6.QtGui import QCloseEvent, QIcon
from PySide6.QtWidgets import QApplication, QWidget

from swarm_app.config.paths import ProfilePaths
from swarm_app.config.program import own_command
from swarm_app.config.settings import read_node_settings, write_node_settings
from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import asking, display, look, tongue, troubles
from swarm_app.gui.files import resource
from swarm_app.gui.firstrun.page import FirstRun
from swarm_app.gui.link import NodeLink
from swarm_app.gui.membership import is_invitation
from swarm_app.gui.memory import WindowMemory
from swarm_app.gui.nodeprocess import NodeProcess
from swarm_app.gui.single import SingleInstance
from swarm_app.gui.tongue import tr
from swarm_app.gui.tray.icon import Tray
from swarm_app.gui.tray.news import news
from swarm_app.gui.window import MainWindow
from swarm_app.localapi.view import StateView

SIGNALS_MS = 300
"""Python hears of a signal when it runs again: this often, while the window rests."""


def make_application(language: str = "") -> QApplication:
    """Qt with our style, icon and words; the one that there is already, where there is one."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        QCoreApplication.setApplicationName("homeswarm")
        QCoreApplication.setOrganizationDomain("homeswarm")
        with display.told_plainly():
            app = QApplication(sys.argv[:1])
    app.setApplicationDisplayName("Homeswarm")
    app.setDesktopFileName("homeswarm")
    app.setStyle("Fusion")
    app.setWindowIcon(QIcon(str(resource("icons", "homeswarm.svg"))))
    app.setQuitOnLastWindowClosed(False)
    spoken = tongue.install(app, language)
    app.setLayoutDirection(QLocale(spoken).textDirection())
    look.apply(app, look.wanted())
    return app


class App(QObject):
    """Everything of one start. `own_node`: start a node where none runs, and end it again."""

    def __init__(self, paths: ProfilePaths, application: QApplication, *, own_node: bool = True) -> None:
        super().__init__()
        self.application = application
        self.paths = paths
        self.memory = WindowMemory(paths.root)
        self.link = NodeLink(paths.root, self)
        self.node = NodeProcess(paths, self)
        self._own_node = own_node
        self._told: StateView | None = None
        self._quitting = False
        self.first_run: FirstRun | None = None
        self.window = MainWindow(self.link, self.memory)
        self.window.closing.connect(self._closing)
        self.window.add_page("household", "home", tr("Household"), self._make_household)
        self.window.add_page("settings", "gear", tr("Settings"), self._make_settings)
        self.tray = Tray(self.link, self.window)
        self.tray.openAsked.connect(self.window.bring_to_front)
        self.tray.householdAsked.connect(self._show_household)
        self.tray.quitAsked.connect(self.quit)
        self.link.lost.connect(self._lost)
        self.link.stateChanged.connect(self._state)
        self.node.ended.connect(self._node_ended)

    def start(self, *, minimized: bool = False) -> None:
        """Show the window: in the tray where that is asked for and possible, never nowhere."""
        self.link.start()
        if not minimized:
            self.window.show()
            self.window.chat.composer.text.setFocus()
        elif not self.tray.is_there:
            self.window.showMinimized()

    # ------------------------------------------------ the node

    def _lost(self, error: HomeswarmError) -> None:
        if self._quitting:
            return
        if self.first_run is None and self._own_node and not self.node.runs:
            if self.paths.settings_file.exists():
                self._start_node()
            else:
                self._welcome()

    def _start_node(self) -> None:
        try:
            self.node.start(self.memory.outlive)
        except (HomeswarmError, OSError) as error:
            sentence = troubles.sentence(error) if isinstance(error, HomeswarmError) else str(error.strerror)
            self.window.chat.tell(sentence)
        else:
            self.link.look_now()

    def _node_ended(self, sentence: str) -> None:
        self.window.chat.tell(tr("The node has ended: {why}", why=sentence))

    def restart_node(self) -> None:
        """For new settings. A node that somebody else has started is theirs to restart."""
        if not self.node.restart(self.memory.outlive):
            text = tr("Restart the node for the new settings: this app has not started it.")
            self.window.chat.tell(text)

    def _welcome(self) -> None:
        self.first_run = FirstRun(self.paths, self.link, self.node, self.memory.outlive)
        self.first_run.done.connect(self._welcomed)
        self.window.show_alone(self.first_run)

    def _welcomed(self) -> None:
        if self.first_run is not None:
            self.window.show_alone(None)
            self.first_run.deleteLater()
            self.first_run = None
            self.window.show_page("chat")
            self.window.chat.composer.text.setFocus()

    def _state(self, state: StateView) -> None:
        if self.first_run is not None and not self.first_run.is_busy:
            self._welcomed()  # a node was started elsewhere
        if self.memory.notify and self._told is not None:
            for title, text in news(self._told, state):
                self.tray.tell(title, text)
        self._told = state

    # ------------------------------------------------ pages

    def _make_household(self) -> QWidget:
        from swarm_app.gui.swarm.page import SwarmPage

        page = SwarmPage(self.link)
        page.people.fileAllowed.connect(self._keep_keys_in_file)
        return page

    def _keep_keys_in_file(self) -> None:
        """With the user's consent, where no keyring does."""
        try:
            settings = read_node_settings(self.paths.settings_file)
            write_node_settings(self.paths.settings_file, settings | {"secrets": "file"})
        except HomeswarmError as error:
            asking.tell(self.window, tr("Settings"), troubles.sentence(error))
        else:
            self.restart_node()

    def _make_settings(self) -> QWidget:
        from swarm_app.gui.settings.page import SettingsPage
        from swarm_app.host.autostart import own_autostart

        page = SettingsPage(self.paths, self.link, self.memory, own_autostart().is_on)
        page.restartAsked.connect(self.restart_node)
        page.autostartChanged.connect(self._set_autostart)
        return page

    def _show_household(self) -> None:
        self.window.bring_to_front()
        self.window.show_page("household")

    def _set_autostart(self, on: bool) -> None:
        from swarm_app.host.autostart import own_autostart

        autostart = own_autostart()
        if autostart.is_on() != on:
            try:
                autostart.turn(on, [*self._command(), "--minimized"])
            except HomeswarmError as error:
                asking.tell(self.window, tr("Settings"), troubles.sentence(error))

    def _command(self) -> list[str]:
        profile = [] if self.paths == ProfilePaths.of() else ["--profile", str(self.paths.root)]
        return own_command("app", *profile)

    def register_links(self) -> None:
        """Links open this program from now on."""
        from swarm_app.host.urlscheme import own_scheme

        with contextlib.suppress(HomeswarmError):
            own_scheme().register(self._command())

    def open_link(self, link: str) -> None:
        """Of a second start, or of this one."""
        self.window.bring_to_front()
        if not is_invitation(link):
            return
        if self.first_run is not None:
            self.first_run.offer(link)
            return
        from swarm_app.gui.swarm.page import SwarmPage

        page = self.window.show_page("household")
        if isinstance(page, SwarmPage):
            QTimer.singleShot(0, lambda: page.people.ask_link(link))

    # ------------------------------------------------ the end

    def _closing(self, event: QCloseEvent) -> None:
        if self._quitting:
            return
        event.ignore()
        choice = self.memory.on_close
        if choice == "ask":
            contributes = self.tray.contribution == "on" and self.tray.is_there
            if not self.tray.is_there:
                choice = "quit"
            else:
                choice, always = asking.ask_how_to_close(self.window, contributes)
                if choice and always:
                    self.memory.on_close = choice
        if choice == "tray" and not self.tray.is_there:
            self.window.showMinimized()
        elif choice == "tray":
            self.window.hide()
        elif choice == "quit":
            self.quit()

    def quit(self) -> None:
        self._quitting = True
        self.window.hide()
        self.application.quit()

    def end(self) -> None:
        """Ends what this app has started and nothing else; a node that shall outlive it goes on."""
        self._quitting = True
        self.link.close()
        self.memory.sync()
        if self.memory.outlive:
            self.node.leave()
        else:
            self.node.stop()


def run(paths: ProfilePaths, *, minimized: bool = False, link: str = "", own_node: bool = True) -> int:
    """Open the window and stay until it is quit; returns the exit code.

    Raises ProfileUnusable, WindowStuck.
    """
    application = make_application(WindowMemory(paths.root).language)
    single = SingleInstance(paths.root)
    try:
        paths.create()
        if not single.is_first():
            single.hand_over(link)
            return 0
    except HomeswarmError as error:
        # Whoever started it from a menu sees no terminal, and would see nothing at all.
        if not sys.stderr.isatty() and application.platformName() not in ("offscreen", "minimal"):
            asking.tell(None, "Homeswarm", troubles.sentence(error))
        raise
    app = App(paths, application, own_node=own_node)
    single.handed.connect(app.open_link)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: app.quit())
    awake = QTimer()
    awake.timeout.connect(lambda: None)
    awake.start(SIGNALS_MS)
    app.start(minimized=minimized)
    if own_node:
        QTimer.singleShot(2000, app.register_links)
    if link:
        QTimer.singleShot(500, lambda: app.open_link(link))
    code = application.exec()
    app.end()
    single.close()
    return code
