"""The application: puts window, tray and node together, and decides what closing and quitting mean."""

from __future__ import annotations

import sys

from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QApplication

from swarm_app.config.paths import ProfilePaths
from swarm_app.gui import look, tongue
from swarm_app.gui.files import resource
from swarm_app.gui.link import NodeLink
from swarm_app.gui.memory import WindowMemory
from swarm_app.gui.window import MainWindow


def make_application(language: str = "") -> QApplication:
    """Qt with our style, icon and words; the one that there is already, where there is one."""
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        QCoreApplication.setApplicationName("homeswarm")
        QCoreApplication.setOrganizationDomain("homeswarm")
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


class App:
    """Everything of one start."""

    def __init__(self, paths: ProfilePaths, application: QApplication) -> None:
        self.application = application
        self.memory = WindowMemory(paths.root)
        self.link = NodeLink(paths.root)
        self.window = MainWindow(self.link, self.memory)
        self.window.closing.connect(self._closing)

    def start(self) -> None:
        self.link.start()
        self.window.show()

    def _closing(self, event: object) -> None:
        self.application.quit()

    def end(self) -> None:
        self.link.close()
        self.memory.sync()


def run(paths: ProfilePaths, *, minimized: bool = False, link: str = "") -> int:
    """Open the window and stay until it is quit; returns the exit code."""
    application = make_application()
    app = App(paths, application)
    app.start()
    code = application.exec()
    app.end()
    return code
