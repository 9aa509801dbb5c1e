"""Every test of the window runs without a display, and a warning of Qt's fails it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from swarm_app.gui.app import App, make_application
from tests.gui.stage import Stage


@pytest.fixture(scope="session")
def qapp() -> QApplication:
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    return make_application("en")


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    with Stage(tmp_path / "profile") as stage:
        yield stage


@pytest.fixture
def opened(qtbot: QtBot, qapp: QApplication, stage: Stage) -> Iterator[App]:
    """The app beside a node that runs and is set up."""
    app = App(stage.paths, qapp, own_node=False)
    app.start()
    wait(qtbot, lambda: app.link.state is not None)
    yield app
    app.end()
    app.window.deleteLater()


def wait(qtbot: QtBot, true: Callable[[], object], seconds: float = 10) -> None:
    """Until something is true; the window works meanwhile."""
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "it did not come"
        qtbot.wait(5)
