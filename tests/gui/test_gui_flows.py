"""The flows that begin with nothing, and those that a stage cannot prove, against whole nodes (their children
scripted): the three doors, an invitation that is used, a removal, a takeover in mid-answer."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPushButton
from pytestqt.qtbot import QtBot

from swarm_app.config.paths import ProfilePaths
from swarm_app.config.settings import read_node_settings
from swarm_app.gui import asking
from swarm_app.gui.app import App
from swarm_app.gui.chat.foot import FootCard
from swarm_app.gui.membership import LINK
from swarm_app.gui.swarm.page import SwarmPage
from tests.gui.conftest import wait
from tests.node.rig import NODE_MAIN, REPOSITORY, alive, rigged_node, store_model

SLOW = {"tokens": ["word "] * 400, "delay_s": 0.02}


@pytest.fixture
def starting(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Callable[[str], App]]:
    """Makes the app of a computer on which nothing is set up. It starts real nodes, by their settings, that
    reach nobody but each other; no keyring is there."""
    store_model(tmp_path / "models")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")
    monkeypatch.setenv("PYTHONPATH", str(REPOSITORY))
    monkeypatch.setattr("swarm_app.gui.firstrun.page.has_model", lambda: True)
    real = subprocess.Popen

    def popen(arguments: list[str], **more: object) -> subprocess.Popen[bytes]:
        assert arguments[1:4] == ["-m", "swarm_app", "node"]
        profile = ProfilePaths.of(Path(arguments[5]))
        options = read_node_settings(profile.settings_file)
        told = {"open": False, **options, "listen": "127.0.0.1", "nearby": "no"}
        command = [sys.executable, str(NODE_MAIN), str(profile.root), str(tmp_path / "models")]
        return real([*command, json.dumps({"options": told})], **more)  # type: ignore[call-overload,no-any-return]

    monkeypatch.setattr("swarm_app.gui.nodeprocess.subprocess.Popen", popen)
    apps: list[App] = []

    def make(name: str) -> App:
        app = App(ProfilePaths.of(tmp_path / name), qapp)
        app.paths.create()
        apps.append(app)
        app.start()
        return app

    yield make
    for app in apps:
        app.end()
        app.window.deleteLater()


def ask(app: App, text: str) -> None:
    app.window.chat.composer.text.setPlainText(text)
    app.window.chat.send()


def last(app: App) -> dict[str, object]:
    items = app.window.chat.transcript.items
    return dict(items[-1].view) if items else {"text": "", "state": ""}


def standing(app: App) -> str:
    return app.link.state["membership"]["standing"] if app.link.state else ""


def says(app: App, text: str) -> bool:
    return last(app)["text"] == text and last(app)["state"] == "complete"


def is_member(app: App) -> bool:
    return app.first_run is None and standing(app) == "member"


def test_a_household_is_started_joined_and_left_behind(
    qtbot: QtBot, starting: Callable[[str], App], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = starting("desk")
    wait(qtbot, lambda: desk.first_run is not None)
    first = desk.first_run
    assert first is not None
    first.door_found.click()
    first.computer.setText("desk")
    first.found.click()
    # Without a keyring nothing is lost and nobody is stuck: the keys may lie in a file, by consent.
    wait(qtbot, lambda: first.in_a_file.isVisibleTo(first), 30)
    assert "keyring" in first.trouble.text()
    assert "homeswarm node" not in first.trouble.text()
    first.in_a_file.click()
    wait(qtbot, lambda: is_member(desk), 30)
    assert read_node_settings(desk.paths.settings_file)["secrets"] == "file"
    page = desk.window.show_page("household")
    assert isinstance(page, SwarmPage)
    wait(qtbot, lambda: page.people.invite.isVisibleTo(page))
    page.people.invite.click()
    wait(qtbot, lambda: page.people.made.text().startswith(LINK))

    attic = starting("attic")
    wait(qtbot, lambda: attic.first_run is not None)
    second = attic.first_run
    assert second is not None
    QApplication.clipboard().setText(page.people.made.text())
    second.door_join.click()
    assert second.join_page.invitation.text() == page.people.made.text()
    second.join_page.computer.setText("attic")
    second.join_page.join.click()
    wait(qtbot, lambda: second.in_a_file.isVisibleTo(second) or is_member(attic), 30)
    if attic.first_run is not None:
        second.in_a_file.click()
    wait(qtbot, lambda: is_member(attic), 30)
    ask(attic, "Hello?")
    wait(qtbot, lambda: says(attic, "Hello there."), 30)

    monkeypatch.setattr(asking, "confirm", lambda *_: True)
    removes = partial(button_of, page, "Remove attic")
    page.people._read()
    wait(qtbot, removes)
    button = removes()
    assert button is not None
    button.click()
    wait(qtbot, lambda: standing(attic) == "removed", 30)
    wait(qtbot, lambda: "was removed" in attic.window.chat.notice.said.text())
    assert desk.link.state is not None
    wait(qtbot, lambda: desk.link.state is not None and desk.link.state["membership"]["members"] == 1)
    QApplication.clipboard().clear()


def button_of(page: SwarmPage, name: str) -> QPushButton | None:
    return next((b for b in page.people.findChildren(QPushButton) if b.accessibleName() == name), None)


def test_just_chatting_is_one_click_and_outlives_its_node(
    qtbot: QtBot, starting: Callable[[str], App]
) -> None:
    app = starting("alone")
    wait(qtbot, lambda: app.first_run is not None)
    assert app.first_run is not None
    app.first_run.door_alone.click()
    wait(qtbot, lambda: app.first_run is None and app.link.state is not None, 30)
    ask(app, "Hello?")
    wait(qtbot, lambda: says(app, "Hello there."), 30)
    page = app.window.chat
    page.regenerate(page.transcript.items[-1])
    wait(qtbot, lambda: last(app)["versions"] and len(last(app)["versions"]) == 2)  # type: ignore[arg-type]
    wait(qtbot, lambda: says(app, "Hello there."))
    assert app.link.state is not None
    pid = app.link.state["node"]["pid"]
    app.restart_node()  # as new settings do
    wait(qtbot, lambda: app.link.state is not None and app.link.state["node"]["pid"] != pid, 30)
    assert not alive(pid)
    wait(qtbot, lambda: says(app, "Hello there."))
    ask(app, "Again?")
    wait(qtbot, lambda: len(page.transcript.items) == 4 and says(app, "Hello there."), 30)


def test_a_takeover_in_mid_answer_is_told_and_other_chats_stay_clean(
    qtbot: QtBot, qapp: QApplication, tmp_path: Path
) -> None:
    with rigged_node(tmp_path, fallback="auto", keep_local="always") as node:
        node.wait_for(lambda s: s["swarm"]["covered"] and s["children"]["local"]["phase"] == "ready")
        app = App(node.paths, qapp, own_node=False)
        app.start()
        wait(qtbot, lambda: app.link.state is not None)
        page = app.window.chat
        ask(app, "!" + json.dumps(SLOW))
        wait(qtbot, lambda: str(last(app)["text"]).startswith("word word"))
        slow = page._wanted
        page.new()
        lost = ["no-route", "No computer that can be used now holds blocks 0 to 7", ""]
        ask(app, "!" + json.dumps({"tokens": ["half "] * 3, "fail_after": 2, "fail": lost}))
        wait(qtbot, lambda: last(app)["state"] == "complete", 30)
        assert last(app)["text"] == "half half and so on."
        foot = next(c for _, c in sorted(page.transcript._live.items()) if isinstance(c, FootCard))
        assert "then this computer alone" in foot.who.text()
        page.open(slow)
        wait(qtbot, lambda: page.transcript.items and str(last(app)["text"]).startswith("word word"))
        assert "half" not in str(last(app)["text"])
        page.stop()
        wait(qtbot, lambda: last(app)["state"] == "stopped")
        app.end()
        app.window.deleteLater()
