"""How the pages look and are reached, whatever is written on them: nothing is cut off, nothing is markup, Tab
goes by the eye, and everything can be read."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from swarm_app.domain.said import say
from swarm_app.domain.timing import Timing
from swarm_app.gui import look, tongue, words
from swarm_app.gui.app import App
from swarm_app.gui.firstrun.page import FirstRun
from swarm_app.gui.frames import Elided, literal, plain_tip
from swarm_app.gui.look import DARK, LIGHT, Theme
from swarm_app.gui.settings.page import SettingsPage
from swarm_app.gui.swarm.page import SwarmPage
from swarm_app.localapi.answers import Begun, Done, Segment, Text
from tests.gui.conftest import wait
from tests.gui.stage import ROUTE, Stage, Step, peer
from tests.localapi.views import membership
from tests.translate import ROOT

NAMES = ("<b>loud</b> & <img src=x>", "مكتب البيت", "书房的电脑🖥️", "kitchen-" * 8)
"""Of computers: markup, right to left, wide letters, and as long as names can be."""


class Home:
    """The client's membership in a household with such names."""

    def members(self) -> list[dict[str, Any]]:
        return [
            {
                "id": name,
                "name": name,
                "person": name,
                "role": "admin",
                "removed": False,
                "this_device": False,
                "seen_at": None,
            }
            for name in NAMES
        ]

    def invites(self) -> list[dict[str, Any]]:
        return [{"id": "i", "state": "open", "role": "member", "expires_at": 4e9}]


def household(app: App, stage: Stage, monkeypatch: pytest.MonkeyPatch, qtbot: QtBot) -> SwarmPage:
    monkeypatch.setattr("swarm_app.gui.swarm.people.membership", lambda client: Home())
    peers = [peer(name, 0, 30, "unreachable", span=[0, 30]) for name in NAMES]
    requests = [{"id": "r", "name": NAMES[0], "digits": "123 456"}]
    stage.change(
        swarm=stage.view["swarm"] | {"peers": peers, "covered": False, "gaps": [[0, 30]]},
        membership=membership(
            "member", swarm_name=NAMES[0], role="owner", number=3, members=4, requests=requests
        ),
    )
    page = app.window.show_page("household")
    assert isinstance(page, SwarmPage)
    wait(qtbot, lambda: page.people.members.count() > 4)
    return page


def taken_over() -> list[Step]:
    """An answer below which a lot has to be said."""
    asleep = say("peer-asleep", "attic")
    parts = (Segment("swarm", "m", ROUTE, 1), Segment("local", "small", (), 2, asleep))
    timing = Timing(0.2, 0.1, 0.04, 0.06)
    return [Begun(1, 0, ROUTE), Text("half whole"), Done("stop", 1900, 30, parts, timing)]


def cut_off(page: QWidget) -> list[str]:
    """Words that have less room than they need."""
    found = []
    for button in page.findChildren(QPushButton):
        if button.isVisibleTo(page) and not button.visibleRegion().isEmpty():
            least = button.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, button.text())
            if button.width() < least.width() or button.height() < least.height():
                found.append(f"{button.text()!r}: {button.size()} of {least}")
    for label in page.findChildren(QLabel):
        if not label.isVisibleTo(page) or not label.text() or isinstance(label, Elided):
            continue
        width, height = label.width(), label.height()
        if label.wordWrap():
            if height < label.heightForWidth(width):
                found.append(f"{label.text()!r}: {height} of {label.heightForWidth(width)} pixels high")
        elif width < label.sizeHint().width() or height < label.sizeHint().height():
            found.append(f"{label.text()!r}: {width} of {label.sizeHint().width()} pixels wide")
    return found


@pytest.mark.parametrize("language", ["en", "de", "pl", "pt"])
def test_nothing_is_cut_off(
    qtbot: QtBot,
    opened: App,
    stage: Stage,
    monkeypatch: pytest.MonkeyPatch,
    qapp: QApplication,
    language: str,
) -> None:
    tongue.install(qapp, language)
    try:
        chat = opened.window.chat
        stage.script = lambda turns: taken_over()
        chat.composer.text.setPlainText("Hello?")
        chat.send()
        wait(qtbot, lambda: chat.transcript.items and not chat._busy)
        wait(qtbot, lambda: not chat.hearing.is_on and not chat.composer.meter_text.isHidden())
        house = household(opened, stage, monkeypatch, qtbot)
        settings = opened.window.show_page("settings")
        assert isinstance(settings, SettingsPage)
        first = FirstRun(stage.paths, opened.link, opened.node)
        first.join_page.tell("x " * 200)
        first.join_page.nearby.show_households([{"name": name, "where": name} for name in NAMES])
        for size in ((1060, 700), (520, 420)):
            opened.window.show_alone(None)
            opened.window.resize(*size)
            for name, page in (("chat", chat), ("settings", settings), ("household", house)):
                opened.window.show_page(name)
                qtbot.wait(40)
                wait(qtbot, lambda page=page: cut_off(page) == [])  # type: ignore[misc]
            area = house.findChild(QScrollArea)
            assert area is not None
            # Whatever is called whatever, at the usual size nothing has to be scrolled to the side.
            assert area.horizontalScrollBar().maximum() == 0 or size[0] < 600
            opened.window.show_alone(first)
            for shown in (first.doors, first.found_page, first.join_page):
                first.stack.setCurrentWidget(shown)
                qtbot.wait(40)
                wait(qtbot, lambda shown=shown: cut_off(shown) == [])  # type: ignore[misc]
    finally:
        tongue.install(qapp, "en")


def test_names_are_shown_as_they_are(
    qtbot: QtBot, opened: App, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = household(opened, stage, monkeypatch, qtbot)
    labels = [label for label in page.findChildren(QLabel) if NAMES[0] in label.text()]
    assert len(labels) >= 5, "heading, request, computer, member and person"
    assert all(label.textFormat() is Qt.TextFormat.PlainText for label in labels)
    assert literal("R&D") == "R&&D"
    assert plain_tip("<b>a</b> & b\nc") == "<qt>&lt;b&gt;a&lt;/b&gt; &amp; b<br>c</qt>"


def test_a_route_reads_in_its_order_whatever_the_letters() -> None:
    route = [{"name": name} for name in ("desk", "مكتب", "בית", "nas")]
    assert words.way(route) == "desk → \u2068مكتب\u2069 → \u2068בית\u2069 → nas"


def calls(name: str) -> list[tuple[Path, ast.Call]]:
    found = []
    for path in sorted((ROOT / "swarm_app" / "gui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if called == name:
                    found.append((path, node))
    return found


def test_no_label_or_tooltip_takes_words_for_markup() -> None:
    assert [path.name for path, _ in calls("QLabel")] == []
    for name in ("setToolTip", "showText"):
        for path, call in calls(name):
            if isinstance(call.args[0], ast.Constant):
                continue
            named = {part.id for part in ast.walk(call) if isinstance(part, ast.Name)}
            assert named & {"tr", "plain_tip", "label", "help_text", "tip"}, f"{path.name}:{call.lineno}"


def test_tab_goes_by_the_eye(
    qtbot: QtBot, opened: App, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = household(opened, stage, monkeypatch, qtbot)
    qtbot.wait(60)
    buttons = [one for one in page.people.findChildren(QPushButton) if one.isVisibleTo(page)]
    assert len(buttons) >= 2 + 4 + 2 + 1
    reached: list[QWidget] = []
    at = buttons[0].nextInFocusChain()
    while at is not None and at is not buttons[0]:
        if at in buttons:
            reached.append(at)
        at = at.nextInFocusChain()
    places = [one.mapTo(page, one.rect().center()) for one in [buttons[0], *reached]]
    assert len(places) == len(buttons)
    start = min(range(len(places)), key=lambda index: (places[index].y(), places[index].x()))
    in_order = [(at.y(), at.x()) for at in places[start:] + places[:start]]
    assert in_order == sorted(in_order)


def luminance(colour: str) -> float:
    """Relative luminance, by WCAG 2.1."""
    at = QColor(colour)
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
        for part in (at.redF(), at.greenF(), at.blueF())
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_everything_can_be_read(theme: Theme) -> None:
    grounds = (theme.ground, theme.side, theme.raised, theme.tint, theme.code)
    pairs = [(one, ground) for one in (theme.text, theme.dim, theme.bad, theme.warn) for ground in grounds]
    pairs += [(theme.on_accent, theme.accent), *((colour, theme.code) for colour in theme.syntax.values())]
    for one, other in pairs:
        light, dark = sorted((luminance(one), luminance(other)), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (one, other)
    assert look.current() in (LIGHT, DARK)
