"""The app beside a whole node process: what the scripted stage cannot prove."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from swarm_app.config import apifile
from swarm_app.config.paths import ProfilePaths
from swarm_app.config.settings import write_node_settings
from swarm_app.gui.app import App
from swarm_app.gui.nodeprocess import NodeProcess
from tests.gui.conftest import wait
from tests.node.rig import NODE_MAIN, alive, rigged_node, store_model, until


def said(app: App) -> str:
    items = app.window.chat.transcript.items
    return items[-1].view["text"] if items else ""


def state_of(app: App) -> str:
    items = app.window.chat.transcript.items
    return items[-1].view["state"] if items else ""


def ask(app: App, text: str) -> None:
    app.window.chat.composer.text.setPlainText(text)
    app.window.chat.send()


def test_chat_stop_kill_and_back(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        node.wait_ready()
        app = App(node.paths, qapp, own_node=False)
        app.start()
        wait(qtbot, lambda: app.link.state is not None)
        ask(app, "Hello?")
        wait(qtbot, lambda: said(app) == "Hello there." and state_of(app) == "complete")
        ask(app, "!" + json.dumps({"tokens": ["word "] * 1000, "delay_s": 0.02}))
        wait(qtbot, lambda: said(app).startswith("word word"))
        app.window.chat.stop()
        wait(qtbot, lambda: state_of(app) == "stopped")
        ask(app, "!" + json.dumps({"tokens": ["more "] * 1000, "delay_s": 0.02}))
        wait(qtbot, lambda: len(said(app)) > 400, 30)
        node.process.send_signal(signal.SIGKILL)
        node.process.wait()
        wait(qtbot, lambda: app.link.state is None)
        with rigged_node(tmp_path) as again:
            again.wait_ready()
            wait(qtbot, lambda: app.link.state is not None)
            # What had come is still there, and it is told that it was cut off.
            wait(qtbot, lambda: state_of(app) == "interrupted")
            assert said(app).startswith("more more")
            app.end()
        app.window.deleteLater()


@pytest.fixture
def started(qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> App:
    """The app of a profile that is set up, whose node it starts itself (with scripted children)."""
    paths = ProfilePaths.of(tmp_path / "profile")
    paths.create()
    write_node_settings(paths.settings_file, {"name": "N1"})
    store_model(tmp_path / "models")
    real = subprocess.Popen
    told = json.dumps({"blocks": {}, "engine": {}, "options": {"name": "N1"}})
    command = [sys.executable, str(NODE_MAIN), str(paths.root), str(tmp_path / "models"), told]

    def popen(arguments: list[str], **more: object) -> subprocess.Popen[bytes]:
        assert arguments[1:4] == ["-m", "swarm_app", "node"]
        return real(command, **more)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr("swarm_app.gui.nodeprocess.subprocess.Popen", popen)
    app = App(paths, qapp)
    app.start()
    wait(qtbot, lambda: app.link.state is not None, 20)
    return app


def test_quitting_ends_the_node_that_the_app_has_started(qtbot: QtBot, started: App) -> None:
    assert started.first_run is None
    state = started.link.state
    assert state is not None
    pid = state["node"]["pid"]
    assert alive(pid)
    started.end()
    assert not alive(pid)
    started.window.deleteLater()


def test_a_killed_app_leaves_no_node(tmp_path: Path) -> None:
    """Scenario I2: nothing of it runs that could end the node; the kernel closes what it held."""
    profile = ProfilePaths.of(tmp_path / "profile")
    profile.create()
    settings = {"models": str(tmp_path / "none"), "open": True}  # it answers alone, and starts no child
    write_node_settings(profile.settings_file, settings)
    program = (
        "import sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication;"
        "from swarm_app.config.paths import ProfilePaths;"
        "from swarm_app.gui.nodeprocess import NodeProcess; app = QCoreApplication([]);"
        "node = NodeProcess(ProfilePaths.of(sys.argv[1])); node.start(outlive=False); sys.stdin.read()"
    )
    window = subprocess.Popen([sys.executable, "-c", program, str(profile.root)], stdin=subprocess.PIPE)
    with window:
        address = until(lambda: apifile.read(profile.api_file), 30)
        assert alive(address.pid)
        window.kill()
    until(lambda: not alive(address.pid), 10)
    assert not profile.api_file.exists(), "it ended in order"


def test_a_node_of_somebody_else_is_left_alone(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        app = App(node.paths, qapp)
        app.start()
        wait(qtbot, lambda: app.link.state is not None)
        app.end()
        app.window.deleteLater()
        assert node.process.poll() is None


def test_a_node_that_cannot_start_says_why(qtbot: QtBot, tmp_path: Path) -> None:
    paths = ProfilePaths.of(tmp_path / "profile")
    paths.create()
    paths.settings_file.write_text("[node]\nthreads = 'many'\n")
    node = NodeProcess(paths)
    heard: list[str] = []
    node.ended.connect(heard.append)
    node.start(outlive=False)
    wait(qtbot, lambda: heard, 30)
    assert heard == ["--threads: this needs a whole number from 0 to 1024."]
