"""The app around the chat: first run, household, tray, settings, one instance, the desktop."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import shiboken6
from PySide6.QtCore import QByteArray
from PySide6.QtGui import QCloseEvent
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QLabel,
    QLayout,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QWidget,
)
from pytestqt.qtbot import QtBot

from swarm_app.config import apifile
from swarm_app.config.options import NODE_OPTIONS
from swarm_app.config.paths import ProfilePaths, ProfileUnusable
from swarm_app.config.settings import read_node_settings, write_node_settings
from swarm_app.domain.errors import NodeNotRunning
from swarm_app.gui import asking, look, troubles
from swarm_app.gui.app import App
from swarm_app.gui.codes import qr_code
from swarm_app.gui.commands import Command
from swarm_app.gui.files import resource
from swarm_app.gui.nodeprocess import NodeProcess
from swarm_app.gui.settings.models import Models
from swarm_app.gui.settings.page import SettingsPage, editor_of, value_of
from swarm_app.gui.single import SingleInstance, WindowStuck, socket_path
from swarm_app.gui.swarm.page import SwarmPage, peer_cells
from swarm_app.gui.swarm.strip import described
from swarm_app.gui.tray import why
from swarm_app.gui.tray.news import news
from swarm_app.gui.window import status_line
from swarm_app.host.autostart import Autostart, LaunchAgent, RunKey, XdgAutostart
from swarm_app.host.desktopfile import exec_line
from swarm_app.host.urlscheme import RegistryScheme, XdgScheme, with_default
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.membershipview import AlreadyMember
from tests.gui.conftest import wait
from tests.gui.stage import Stage, change, child, contribution, peer, seen
from tests.localapi.views import membership

# ---------------------------------------------------------------- first run


@pytest.fixture
def fresh(qtbot: QtBot, qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """The app where nothing is set up; the node that it starts is a stage."""
    paths = ProfilePaths.of(tmp_path / "fresh")
    paths.create()
    stages: list[Stage] = []

    def start(self: NodeProcess, outlive: bool) -> None:
        stages.append(Stage(paths.root))
        stages[0].start()

    monkeypatch.setattr(NodeProcess, "start", start)
    monkeypatch.setattr(Command, "run", lambda self, *_: self.finished.emit("", None))
    app = App(paths, qapp)
    app.start()
    wait(qtbot, lambda: app.first_run is not None)
    yield app
    app.end()
    for stage in stages:
        stage.end()
    app.window.deleteLater()


def test_just_chat_is_one_click(qtbot: QtBot, fresh: App) -> None:
    first = fresh.first_run
    assert first is not None
    first.door_alone.click()
    wait(qtbot, lambda: fresh.first_run is None and fresh.link.state is not None)
    assert fresh.paths.settings_file.exists()
    page = fresh.window.chat
    page.composer.text.setPlainText("Hello")
    page.send()
    wait(qtbot, lambda: page.transcript.items and page.transcript.items[-1].view["text"] == "Hello there.")


def test_a_failed_import_is_a_sentence_and_can_be_tried_again(
    qtbot: QtBot, fresh: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = fresh.first_run
    assert first is not None
    answers = ["The disk is full. Needs 98 MB, has 3 MB.", ""]
    monkeypatch.setattr(
        first.importing, "run", lambda *_: first.importing.finished.emit(answers.pop(0), None)
    )
    first.door_alone.click()
    assert first.trouble.text() == "The disk is full. Needs 98 MB, has 3 MB."
    first.again.click()
    wait(qtbot, lambda: fresh.first_run is None)


def test_a_link_that_is_none_is_told(fresh: App) -> None:
    first = fresh.first_run
    assert first is not None
    first.door_join.click()
    first.join_page.invitation.setText("https://example.org")
    first.join_page.join.click()
    assert first.join_page.trouble.text() == "An invitation begins with homeswarm://join/."
    fresh.open_link("homeswarm://join/abc")
    assert first.join_page.invitation.text() == "homeswarm://join/abc"


@pytest.mark.parametrize("outcome", ["joined", "already-member"])
def test_a_join_that_comes_through_after_all_is_not_lost(
    qtbot: QtBot, fresh: App, monkeypatch: pytest.MonkeyPatch, outcome: str
) -> None:
    """They went back while it took long; or it came through while they tried again."""
    asked, go = threading.Event(), threading.Event()

    class Slow:
        def nearby(self) -> dict[str, Any]:
            return {"households": [], "asking": None}

        def join(self, link: str) -> dict[str, Any]:
            first_time = not asked.is_set()
            asked.set()
            assert go.wait(20)
            if not first_time:
                raise AlreadyMember("This computer is in a swarm already.")
            return {}

    part = Slow()
    monkeypatch.setattr("swarm_app.gui.firstrun.page.membership", lambda client: part)
    first = fresh.first_run
    assert first is not None
    fresh.open_link("homeswarm://join/abc")
    first.join_page.join.click()
    wait(qtbot, asked.is_set)
    first.back.click()
    assert first.stack.currentWidget() is first.join_page
    monkeypatch.setattr(NodeProcess, "runs", True)
    if outcome == "already-member":
        first.join_page.join.click()
    go.set()
    wait(qtbot, lambda: fresh.first_run is None)
    # Of two attempts one answers when the page is gone.
    wait(qtbot, lambda: not shiboken6.isValid(first))
    first._done({}, 0)


def test_the_import_tells_its_progress(qtbot: QtBot, tmp_path: Path) -> None:
    importing = Command()
    heard: list[str] = []
    importing.finished.connect(lambda trouble, _: heard.append(trouble))
    importing.run("model", "import", str(tmp_path / "no-such.gguf"), "--quant", "int8", "--json")
    wait(qtbot, lambda: heard, 60)
    assert "no-such.gguf" in heard[0]
    assert "Traceback" not in heard[0]


class Talking:
    """A process whose output comes in these pieces."""

    def __init__(self, *pieces: bytes) -> None:
        self.pieces = list(pieces)

    def readAllStandardOutput(self) -> QByteArray:
        return QByteArray(self.pieces.pop(0))


def test_progress_and_result_are_told_apart_however_they_are_cut() -> None:
    told = b'{"what": "read", "done": 1, "total": 2}\n'
    result = b'{\n "models": [\n  {"name": "a"}\n ]\n}\n'
    for whole in (told + told + result, result):
        for cut in range(len(whole)):
            command, heard = Command(), list[tuple[str, int, int]]()
            command.progressed.connect(lambda *one, heard=heard: heard.append(one))
            command._process = Talking(whole[:cut], whole[cut:])  # type: ignore[assignment]
            command._read()
            command._read()
            assert (command._result, len(heard)) == ({"models": [{"name": "a"}]}, whole.count(b"what"))


# ---------------------------------------------------------------- household and tray


def test_the_household_page_answers_why(qtbot: QtBot, opened: App, stage: Stage) -> None:
    page = opened.window.show_page("household")
    assert isinstance(page, SwarmPage)
    view = seen(stage.view, peer("desk", 0, 12), peer("attic", 10, 20, "asleep"), peer("laptop", 20, 30))
    view["swarm"]["changes"] = [
        change("attic", "suspect", "available", 400),
        change("attic", "available", "asleep"),
        change("laptop", "available", "suspect", 4),
        change("laptop", "suspect", "available", 3),
    ]
    stage.change(**view)
    wait(qtbot, lambda: "nobody serves blocks 13 to 20" in page.summary.text())
    assert "serves blocks 1 to 12 with" in page.here.text()
    assert [said.text() for said in labels_in(page.lately)] == ["5 minutes ago", "attic: asleep"]
    assert "attic · blocks 11 to 20 · asleep" in page.strip.accessibleDescription()
    assert opened.window.status.text().endswith("attic asleep")
    assert opened.tray.people.text() == "Asleep: attic"
    page.grab()
    for answers, said in ((2, "The answer being given goes through desk → attic → laptop."), (1, ALONE)):
        stage.change(node=stage.view["node"] | {"answers": answers}, local={"answers": 1})
        wait(qtbot, lambda said=said: page.route.text() == said)  # type: ignore[misc]


ALONE = "The answer being given comes from this computer alone."


def labels_in(layout: QLayout) -> list[QLabel]:
    found = [item.widget() for at in range(layout.count()) if (item := layout.itemAt(at)) is not None]
    return [widget for widget in found if isinstance(widget, QLabel)]


def test_a_child_that_is_down_can_be_tried_again(qtbot: QtBot, opened: App, stage: Stage) -> None:
    page = opened.window.show_page("household")
    assert isinstance(page, SwarmPage)
    down = child("down", reason={"code": "child-down", "message": "It died.", "remedy": ""})
    problem = {"code": "child-down", "message": "The engine is down.", "remedy": "", "about": "engine"}
    children = stage.view["children"] | {"engine": down}
    stage.change(children=children, problems=[problem])
    wait(qtbot, lambda: page.problems.count() == 1)
    item = page.problems.itemAt(0)
    assert item is not None
    row: Any = item.layout()
    button_item = row.itemAt(1)
    assert button_item is not None
    button: Any = button_item.widget()
    button.click()
    wait(qtbot, lambda: stage.calls == ["retry engine"])


def test_contributing_is_paused_and_taken_up_again(qtbot: QtBot, opened: App, stage: Stage) -> None:
    tray = opened.tray
    wait(qtbot, lambda: tray.contribution == "on")
    tray.hour.trigger()
    wait(qtbot, lambda: tray.contribution == "paused")
    assert tray.about.text() == f"Paused until {why.clock(stage.view['contribution']['until'])}, as you asked"
    assert tray.hour.isChecked()
    tray.on.trigger()
    wait(qtbot, lambda: tray.contribution == "on")
    tray.off.trigger()
    wait(qtbot, lambda: tray.contribution == "off")
    assert tray.about.text() == "Paused, as you asked"
    assert stage.calls == ["withdraw for 3600 s", "serve", "withdraw"]


@pytest.mark.parametrize(
    ("told", "withdrawn", "state", "said"),
    [
        (contribution("paused", "battery"), True, "paused", "Paused: this computer runs on battery"),
        (
            contribution("paused", "full-screen", "metered", "later"),
            True,
            "paused",
            "Paused: a program fills the screen, the network is paid by volume",
        ),
        (contribution("gentle", "active"), False, "on", "Contributing gently: somebody uses this computer"),
        (
            contribution("contributing", "owner", "battery", by_owner=True),
            False,
            "on",
            "Contributing, as you asked, although this computer runs on battery",
        ),
    ],
)
def test_the_tray_says_why_contributing_is_paused_or_gentle(
    qtbot: QtBot, opened: App, stage: Stage, told: dict[str, Any], withdrawn: bool, state: str, said: str
) -> None:
    wait(qtbot, lambda: opened.tray.contribution == "on")
    blocks = stage.view["children"]["blocks"] | {"withdrawn": withdrawn}
    stage.change(contribution=told, children=stage.view["children"] | {"blocks": blocks})
    wait(qtbot, lambda: said in opened.tray.about.text())
    assert opened.tray.contribution == state
    assert opened.tray.hour.isChecked() is False
    assert opened.tray.on.isChecked() is (state == "on")


def test_without_a_tray_closing_quits_and_nothing_is_unreachable(
    qtbot: QtBot, opened: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not opened.tray.is_there
    opened.window.hide()
    opened.start(minimized=True)
    assert opened.window.isVisible()
    asked: list[str] = []
    monkeypatch.setattr(opened.application, "quit", lambda: asked.append("quit"))
    opened.window.close()
    assert asked == ["quit"]


def test_a_window_comes_back_to_the_screen_and_never_grows(opened: App) -> None:
    window, memory = opened.window, opened.memory
    window.show()
    screen = window.screen().availableGeometry()
    sizes = set()
    for _ in range(5):
        memory.geometry = window.saveGeometry()
        window._place_on_screen()
        sizes.add((window.width(), window.height()))
    assert len(sizes) == 1
    window.setGeometry(20_000, 20_000, 9_000, 9_000)  # a screen that is not there any more
    memory.geometry = window.saveGeometry()
    window._place_on_screen()
    assert screen.intersects(window.geometry())
    assert window.width() <= screen.width()
    assert window.height() <= screen.height()


@pytest.mark.parametrize(("choice", "hidden"), [("tray", True), ("", False)])
def test_with_a_tray_closing_asks_once(
    opened: App, monkeypatch: pytest.MonkeyPatch, choice: str, hidden: bool
) -> None:
    monkeypatch.setattr(type(opened.tray), "is_there", property(lambda self: True))
    asked: list[bool] = []

    def ask(parent: QWidget, contributes: bool) -> tuple[str, bool]:
        asked.append(contributes)
        return choice, True

    monkeypatch.setattr(asking, "ask_how_to_close", ask)
    for _ in range(2):
        event = QCloseEvent()
        opened._closing(event)
        assert not event.isAccepted()
    assert opened.window.isHidden() is hidden
    assert len(asked) == (1 if choice else 2)


def test_the_tray_shows_nothing_of_a_node_that_is_gone(qtbot: QtBot, opened: App, stage: Stage) -> None:
    tray = opened.tray
    stage.change(swarm=stage.view["swarm"] | {"peers": [peer("R&D", 0, 30, "asleep")]})
    wait(qtbot, lambda: tray.people.text() == "Asleep: R&&D")
    assert tray.on.isEnabled()
    stage.end()
    wait(qtbot, lambda: tray.about.text() == "Homeswarm is not running")
    assert not tray.people.isVisible()
    assert not any(action.isEnabled() for action in (tray.on, tray.hour, tray.off))


def test_news_are_told_once(stage: Stage) -> None:
    before = stage.state()
    stage.view["swarm"] = stage.view["swarm"] | {
        "peers": [
            peer("desk", 0, 10),
            peer("attic", 10, 20, "asleep"),
            peer("laptop", 20, 30, "unreachable"),
        ],
        "covered": False,
    }
    after = stage.state()
    assert [title for title, _ in news(before, after)] == [
        "Good night",
        "A computer is gone",
        "Blocks are missing",
    ]
    assert news(after, after) == []
    assert news(after, before)[-1][0] == "Everything is covered again"
    full: Any = {"about": "profile", "code": "choice-not-kept", "message": "It is full.", "remedy": ""}
    later: Any = after | {"problems": [full]}
    assert news(after, later) == [("Something could not be saved", "It is full.")]
    assert news(later, later) == []
    assert described(after).startswith("desk · blocks 1 to 10 · available")
    assert status_line(before) == "3 computers · everything covered"


class Part:
    """The client's membership, as far as the page uses it."""

    def __init__(self) -> None:
        self.done: list[tuple[str, object]] = []

    def members(self) -> list[dict[str, Any]]:
        them = {"person": "", "role": "member", "removed": False, "seen_at": None}
        return [
            them | {"id": "a", "name": "desk", "this_device": True},
            them | {"id": "b", "name": "attic", "this_device": False},
        ]

    def invites(self) -> list[dict[str, Any]]:
        state = "cancelled" if ("cancel", "i") in self.done else "open"
        return [{"id": "i", "state": state, "role": "member", "expires_at": time.time() + 7300}]

    def invite(self) -> dict[str, Any]:
        self.done.append(("invite", ""))
        return {"link": "homeswarm://join/abcdef", "id": "i"}

    def cancel(self, invite: str) -> None:
        self.done.append(("cancel", invite))

    def remove(self, who: str) -> None:
        self.done.append(("remove", who))

    def answer(self, request: str, approve: bool) -> None:
        self.done.append((request, approve))


def test_members_are_invited_approved_and_removed(
    qtbot: QtBot, opened: App, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    part = Part()
    monkeypatch.setattr("swarm_app.gui.swarm.people.membership", lambda client: part)
    monkeypatch.setattr(asking, "confirm", lambda *_: True)
    page = opened.window.show_page("household")
    assert isinstance(page, SwarmPage)
    member = {"standing": "member", "swarm_name": "Home", "role": "owner", "number": 1, "members": 2}
    asks = [{"id": "r", "name": "tablet", "digits": "123456"}]
    stage.view["membership"] = member | {"reason": None, "requests": asks}
    stage.end()
    stage.start()
    wait(qtbot, lambda: not page.people.invite.isHidden())
    buttons = {button.text(): button for button in page.people.findChildren(QPushButton)}
    buttons["Approve"].click()
    page.people.invite.click()
    page.people.invite.click()  # once is meant
    wait(qtbot, lambda: page.people.made.text() == "homeswarm://join/abcdef")
    assert page.people.code.pixmap().width() > 100
    wait(qtbot, lambda: "Remove attic" in {b.accessibleName() for b in page.people.findChildren(QPushButton)})
    for name in ("Remove", "Cancel the invitation"):
        button = next(b for b in reversed(page.people.findChildren(QPushButton)) if b.text() == name)
        button.click()
    wait(qtbot, lambda: {("cancel", "i"), ("r", True), ("remove", "b")} <= set(part.done))
    wait(qtbot, lambda: page.people.made.isHidden() and page.people.code.isHidden())
    assert page.title.text() == "Home"
    assert part.done.count(("invite", "")) == 1


@pytest.mark.parametrize(
    ("standing", "said"),
    [("removed", "This computer was removed from Home."), ("locked", "The keyring is locked")],
)
def test_a_lost_membership_is_told_where_people_look(
    qtbot: QtBot, opened: App, stage: Stage, standing: str, said: str
) -> None:
    member = {
        "standing": standing,
        "swarm_name": "Home",
        "role": "",
        "number": 3,
        "members": 2,
        "reason": None,
    }
    stage.view["membership"] = member | {"requests": []}
    stage.change(problems=[])
    stage.end()
    stage.start()
    wait(qtbot, lambda: said in opened.window.chat.notice.said.text())
    page = opened.window.show_page("household")
    assert isinstance(page, SwarmPage)
    assert page.people.about.text().startswith(said)
    assert page.people.members.count() == 0


def test_who_was_removed_reads_so_once_and_sees_the_members_no_more(
    qtbot: QtBot, opened: App, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("swarm_app.gui.swarm.people.membership", lambda client: Part())
    page = opened.window.show_page("household")
    assert isinstance(page, SwarmPage)
    stage.change(membership=membership("member", swarm_name="Home", role="member", number=1, members=2))
    wait(qtbot, lambda: page.people.members.count())
    reason = {"code": "removed", "message": "This computer was removed from Home.", "remedy": "Ask."}
    stage.change(membership=membership("removed", swarm_name="Home", number=2, reason=reason))
    wait(qtbot, lambda: not page.people.members.count())
    told = "This computer was removed from Home. An owner or admin can invite this computer again."
    assert page.people.about.text() == told
    assert opened.window.chat.notice.said.text() == told


# ---------------------------------------------------------------- settings


@pytest.mark.parametrize("option", NODE_OPTIONS, ids=lambda option: option.name)
def test_every_option_has_an_editor_that_keeps_its_default(qapp: QApplication, option: Any) -> None:
    editor = editor_of(option, None)
    assert isinstance(editor, QCheckBox | QComboBox | QSpinBox | QLineEdit)
    assert value_of(option, editor) is None


def test_settings_are_saved_or_refused_by_name(qtbot: QtBot, opened: App) -> None:
    page = opened.window.show_page("settings")
    assert isinstance(page, SettingsPage)
    threads, span = page.editors["threads"], page.editors["span"]
    assert isinstance(threads, QSpinBox)
    assert isinstance(span, QLineEdit)
    threads.setValue(3)
    span.setText("nonsense")
    page.save.click()
    assert page.told.text().startswith("--span: 'nonsense' is not a span.")
    assert not opened.paths.settings_file.exists()
    span.setText("0:10")
    page.outlive.setChecked(True)
    page.save.click()
    assert read_node_settings(opened.paths.settings_file) == {"threads": 3, "span": "0:10"}
    assert opened.memory.outlive


def test_a_new_token_holds_at_once_and_the_old_one_no_longer(
    qtbot: QtBot, opened: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened.window.show_page("settings")
    assert isinstance(page, SettingsPage)
    before = apifile.read(opened.paths.api_file)
    assert before is not None
    monkeypatch.setattr(asking, "confirm", lambda *_: True)
    page.api.renew.click()
    wait(qtbot, lambda: page.api.told.text() == "The old token is refused from now on.")
    page.api.copy_token.click()
    after = apifile.read(opened.paths.api_file)
    assert after is not None
    assert after.token == QApplication.clipboard().text() != before.token
    with LocalClient(after) as client:
        assert client.models()
    with LocalClient(before) as client, pytest.raises(NodeNotRunning):
        client.models()
    heard: list[object] = []
    opened.link.call(lambda client: client.models(), heard.append)
    wait(qtbot, lambda: heard)  # the window itself goes on with the new one
    with LocalClient(after) as client:
        client.renew_token()  # by another program, and the window's events go on by the old one
    opened.link.call(lambda client: client.models(), heard.append)
    wait(qtbot, lambda: len(heard) == 2)


def test_models_are_listed_used_and_removed(
    qtbot: QtBot, opened: App, stage: Stage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By our own commands, in processes of their own."""
    mine = opened.paths.root / "settings.toml"
    write_node_settings(mine, {"models": str(tmp_path / "m"), "local_models": str(tmp_path / "l")})
    for name in ("old", "other"):
        (tmp_path / "l" / name).mkdir(parents=True)
        (tmp_path / "l" / name / "model.gguf").write_bytes(b"x" * 1000)
    models = Models(opened.paths.root, opened.link)
    qtbot.addWidget(models)
    models.show()
    wait(qtbot, lambda: not any(reader.is_running for reader in models._readers.values()), 60)

    def buttons() -> dict[str, QPushButton]:
        return {b.accessibleName() or b.text(): b for b in models.findChildren(QPushButton) if b.isVisible()}

    # Qt shows what was added to a page in the next turn of its loop.
    wait(qtbot, lambda: {"Use old", "Remove old", "Remove other"} <= set(buttons()))
    assert "Remove smollm2-135m-instruct-q4_1" not in buttons()
    monkeypatch.setattr(asking, "confirm", lambda *_: True)
    buttons()["Remove old"].click()
    wait(qtbot, lambda: models.told.text() == "old is removed.", 60)
    assert not (tmp_path / "l" / "old").exists()
    monkeypatch.setattr(troubles, "is_english", lambda: False)
    models._change("", "local", "remove", "nothing")
    assert not buttons().keys() & {"Use other", "Remove other"} or not buttons()["Use other"].isEnabled()
    wait(qtbot, lambda: models.told.text() == troubles.of_code("model-not-found"), 60)
    monkeypatch.setattr(troubles, "is_english", lambda: True)
    wait(qtbot, lambda: not any(reader.is_running for reader in models._readers.values()), 60)
    one = {"name": "tiny", "total_bytes": 5, "num_blocks": 8}
    models._show("model", "", {"models": [one], "problems": []})
    wait(qtbot, lambda: "Remove tiny" in buttons())
    stage.change(model=stage.view["model"] | {"name": "tiny"})
    wait(qtbot, lambda: "Remove tiny" not in buttons())  # the node runs it now
    models._show("model", "", {"models": [], "problems": []})
    models.source.setText(str(tmp_path / "none.gguf"))
    models.take.click()
    wait(qtbot, lambda: "none.gguf" in models.told.text(), 60)
    assert "Traceback" not in models.told.text()


def test_a_picture_of_the_code_is_as_good_as_the_link(fresh: App, tmp_path: Path) -> None:
    first = fresh.first_run
    assert first is not None
    link = "homeswarm://join/" + "abcd0123" * 20
    # As the window draws it, and in capitals as `homeswarm invite create` does on a terminal.
    for drawn in (link, link.upper()):
        assert qr_code(drawn).save(str(tmp_path / "code.png"))
        first.join_page.read_picture(str(tmp_path / "code.png"))
        assert first.join_page.invitation.text() == drawn
    fresh.open_link("HOMESWARM://JOIN/ABCD")
    assert first.join_page.invitation.text() == "HOMESWARM://JOIN/ABCD"
    (tmp_path / "none.png").write_bytes(b"no picture")
    first.join_page.read_picture(str(tmp_path / "none.png"))
    assert first.join_page.trouble.text() == "There is no invitation's QR code in this picture."


def test_each_computer_tells_what_it_runs_on(stage: Stage) -> None:
    desk, _, laptop = stage.state()["swarm"]["peers"]
    assert peer_cells(desk)[3:5] == ["mains", "wire"]
    assert peer_cells(laptop)[3:5] == ["battery", "wireless"]


def test_settings_survive_any_text(tmp_path: Path) -> None:
    path = tmp_path / "settings.toml"
    settings = {"name": 'Жанна "M" \\ \x7f 田中 😀', "join": ["/ip4/1"], "threads": 4}
    write_node_settings(path, settings | {"model": None})
    assert read_node_settings(path) == settings


# ---------------------------------------------------------------- one instance


def test_a_second_start_hands_its_link_over(qtbot: QtBot, tmp_path: Path) -> None:
    first = SingleInstance(tmp_path)
    assert first.is_first()
    handed: list[str] = []
    first.handed.connect(handed.append)
    program = (
        "import sys; from pathlib import Path; from PySide6.QtCore import QCoreApplication;"
        "from swarm_app.gui.single import SingleInstance; app = QCoreApplication([]);"
        "one = SingleInstance(Path(sys.argv[1])); assert not one.is_first();"
        "one.hand_over(sys.argv[2])"
    )
    second = subprocess.Popen([sys.executable, "-c", program, str(tmp_path), "homeswarm://join/x"])
    wait(qtbot, lambda: second.poll() is not None, 30)
    assert second.returncode == 0
    assert handed == ["homeswarm://join/x"]
    first.close()


def test_a_start_that_cannot_open_a_window_says_why(
    qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = SingleInstance(tmp_path)
    assert first.is_first()
    monkeypatch.setattr("swarm_app.gui.single.HAND_OVER_MS", 50)
    second = SingleInstance(tmp_path)
    assert not second.is_first()
    with pytest.raises(WindowStuck, match=rf"\(process {os.getpid()}\) does not answer"):
        second.hand_over("")  # nothing of this process answers while it waits
    first.close()
    with pytest.raises(ProfileUnusable, match="Nothing can be written"):
        SingleInstance(tmp_path / "is not there").is_first()


def test_the_lock_of_a_crashed_start_is_taken_over(tmp_path: Path) -> None:
    program = (
        "import sys, os, signal; from pathlib import Path; from PySide6.QtCore import QCoreApplication;"
        "from swarm_app.gui.single import SingleInstance; app = QCoreApplication([]);"
        "one = SingleInstance(Path(sys.argv[1])); assert one.is_first(); os.kill(os.getpid(), signal.SIGKILL)"
    )
    crashed = subprocess.run([sys.executable, "-c", program, str(tmp_path)], timeout=60)
    assert crashed.returncode == -signal.SIGKILL
    again = SingleInstance(tmp_path)
    assert again.is_first()
    again.close()


def test_a_long_profile_gets_a_short_socket(tmp_path: Path) -> None:
    assert socket_path(Path("/p")) == "/p/window.socket"
    assert len(socket_path(tmp_path / ("x" * 150))) < 100


# ---------------------------------------------------------------- the desktop


class Registry:
    """winreg as far as it is used."""

    HKEY_CURRENT_USER, KEY_SET_VALUE, REG_SZ = "HKCU", 2, 1

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str] = {}

    def OpenKey(self, root: str, path: str) -> Any:
        return self.CreateKeyEx(root, path)

    def CreateKeyEx(self, root: str, path: str, reserved: int = 0, access: int = 0) -> Any:
        import contextlib

        return contextlib.nullcontext(path)

    def QueryValueEx(self, key: str, name: str) -> str:
        if (key, name) not in self.values:
            raise FileNotFoundError
        return self.values[key, name]

    def SetValueEx(self, key: str, name: str, reserved: int, kind: int, value: str) -> None:
        self.values[key, name] = value

    def DeleteValue(self, key: str, name: str) -> None:
        if self.values.pop((key, name), None) is None:
            raise FileNotFoundError


@pytest.mark.parametrize("system", ["xdg", "macos", "windows"])
def test_start_at_login_is_one_switch_on_each_system(tmp_path: Path, system: str) -> None:
    systems: dict[str, Callable[[], Autostart]] = {
        "xdg": lambda: XdgAutostart(tmp_path / "a b"),
        "macos": lambda: LaunchAgent(tmp_path / "a b"),
        "windows": lambda: RunKey(Registry()),
    }
    autostart = systems[system]()
    command = ["/usr/my apps/homeswarm", "app", "--minimized"]
    assert not autostart.is_on()
    for _ in range(2):
        autostart.turn(True, command)
        assert autostart.is_on()
    for _ in range(2):
        autostart.turn(False, command)
        assert not autostart.is_on()


@pytest.mark.skipif(
    shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed"
)
def test_desktop_files_are_valid(tmp_path: Path) -> None:
    command = ["/home/Жанна Müller/a $b/homeswarm", "app", '--profile="x"', "100%"]
    XdgAutostart(tmp_path).turn(True, command)
    XdgScheme(tmp_path / "data", tmp_path / "config").register(command)
    XdgScheme(tmp_path / "data", tmp_path / "config").register(command)
    files = [tmp_path / "homeswarm.desktop", tmp_path / "data" / "applications" / "homeswarm.desktop"]
    done = subprocess.run(["desktop-file-validate", *map(str, files)], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")
    assert (tmp_path / "config" / "mimeapps.list").read_text().count("x-scheme-handler/homeswarm") == 1


def test_other_defaults_stay() -> None:
    before = "[Added Associations]\na=b\n\n[Default Applications]\nx-scheme-handler/http=web.desktop\n"
    after = with_default(before)
    assert "x-scheme-handler/http=web.desktop" in after
    assert with_default(after) == after


def test_windows_opens_links_with_this_program() -> None:
    registry = Registry()
    RegistryScheme(registry).register([r"C:\Program Files\homeswarm.exe", "app"])
    assert registry.values[r"Software\Classes\homeswarm\shell\open\command", ""] == (
        '"C:\\Program Files\\homeswarm.exe" app "%1"'
    )


def test_exec_quotes_what_it_must() -> None:
    assert exec_line(["a", "b c", "%u"], "%u") == 'a "b c" %%u %u'


def test_qt_counts_what_it_returns(qapp: QApplication) -> None:
    """A release of PySide that does not ends the process after enough calls."""
    line = QLineEdit()
    before = sys.getrefcount(None)
    for _ in range(1000):
        line.setText("x")
    assert sys.getrefcount(None) > before - 500


def test_the_window_loads_nothing_heavy() -> None:
    program = "import sys, swarm_app.gui.app; print(*{name.partition('.')[0] for name in sys.modules})"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    loaded = set(done.stdout.split())
    heavy = {"torch", "transformers", "numpy", "petals", "hivemind", "pygments", "httpx"}
    assert "PySide6" in loaded
    assert not loaded & heavy


@pytest.mark.skipif(
    shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not installed"
)
def test_the_shipped_desktop_file_is_valid() -> None:
    command = ["desktop-file-validate", str(resource("homeswarm.desktop"))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.skipif(shutil.which("appstreamcli") is None, reason="appstream is not installed")
def test_the_appstream_metadata_are_valid() -> None:
    command = ["appstreamcli", "validate", "--no-net", str(resource("homeswarm.metainfo.xml"))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", sorted(resource("icons").glob("*.svg")), ids=lambda path: path.stem)
def test_icons_can_be_drawn(qapp: QApplication, path: Path) -> None:
    assert not look.icon(path.stem).pixmap(20, 20).toImage().isNull()
    assert QSvgRenderer(str(path)).isValid()
