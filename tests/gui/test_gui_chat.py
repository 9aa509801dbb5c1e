"""The chat page against a scripted node."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QToolButton
from pytestqt.qtbot import QtBot

from swarm_app.domain.errors import DiskFull, PeerLost
from swarm_app.domain.said import say
from swarm_app.gui import asking
from swarm_app.gui.app import App
from swarm_app.gui.chat.cards import CodeCard, ProseCard, UserCard
from swarm_app.gui.chat.foot import FootCard
from swarm_app.gui.chat.page import ChatPage
from swarm_app.gui.chat.settings import ChatSettings
from swarm_app.gui.chat.sidebar import ROW
from swarm_app.gui.chat.trace import TraceDialog, trace_lines
from swarm_app.gui.tongue import tr
from swarm_app.localapi.answers import Begun, Done, Offered, OfferOver, Segment, Switched, Text
from swarm_app.localapi.chatschema import AskBody
from swarm_app.localapi.chatview import AskedView, ChatListView, SamplingView
from tests.gui.conftest import wait
from tests.gui.stage import DECIDED, ROUTE, Stage, Step, answer_of, pause

DEFAULT = SamplingView(temperature=0.2, top_p=1.0, max_tokens=None, seed=None)

MARKDOWN = "Some **bold** words.\n\n```python\nprint('hi')\n```\n\nThe end."


@pytest.fixture
def page(opened: App) -> ChatPage:
    return opened.window.chat


def ask(qtbot: QtBot, page: ChatPage, text: str, *, whole: bool = True) -> None:
    page.composer.text.setPlainText(text)
    QTest.keyClick(page.composer.text, Qt.Key.Key_Return)
    wait(qtbot, lambda: page.transcript.items and page.composer.draft()[0] == "")
    if whole:
        answered(qtbot, page)


def answered(qtbot: QtBot, page: ChatPage) -> None:
    wait(qtbot, lambda: page.transcript.items and last(page)["state"] != "running" and not page._busy)


def last(page: ChatPage) -> dict[str, object]:
    return dict(page.transcript.items[-1].view)


def texts(page: ChatPage) -> list[str]:
    return [item.view["text"] for item in page.transcript.items]


def cards(page: ChatPage, kind: type) -> list[object]:
    return [card for _, card in sorted(page.transcript._live.items()) if isinstance(card, kind)]


def shows(page: ChatPage, expected: list[str]) -> bool:
    return texts(page) == expected


def has_items(page: ChatPage, count: int) -> bool:
    return len(page.transcript.items) == count


def foot(page: ChatPage) -> FootCard:
    found = cards(page, FootCard)[-1]
    assert isinstance(found, FootCard)
    return found


def test_a_question_is_answered_in_markdown(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    stage.script = lambda turns: answer_of(MARKDOWN, pauses=[pause()])
    ask(qtbot, page, "Hello?")
    assert texts(page) == ["Hello?", MARKDOWN]
    assert page.title.text() == "Hello?"
    prose = [card.reading.toPlainText() for card in cards(page, ProseCard) if isinstance(card, ProseCard)]
    assert prose == ["Some bold words.", "The end."]
    (code,) = cards(page, CodeCard)
    assert isinstance(code, CodeCard)
    assert (code.text.toPlainText(), code.language.text()) == ("print('hi')", "python")
    copy = code.findChild(QToolButton)
    assert copy is not None
    copy.click()
    assert QApplication.clipboard().text() == "print('hi')"
    assert foot(page).who.text().startswith("desk → attic → laptop · ")
    assert foot(page).pauses.text() == "attic went to sleep; moved to kitchen in 420 ms"
    wait(qtbot, lambda: page._sidebar.model.rowCount() == 1)
    assert page._sidebar.list.currentIndex().data() == "Hello?"


def test_a_click_on_who_answered_opens_the_trace(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    stage.script = lambda turns: answer_of("Fine.", pauses=[pause()])
    ask(qtbot, page, "How are you?")
    foot(page).who.click()
    (dialog,) = page.findChildren(TraceDialog)
    said = [label.text() for label in dialog.findChildren(QLabel)]
    for text in ("desk", "blocks 1 to 10", "210 ms", "attic went to sleep; moved to kitchen in 420 ms"):
        assert text in said
    dialog.close()


def test_stop_keeps_the_text_and_the_next_question_goes_at_once(
    qtbot: QtBot, page: ChatPage, stage: Stage
) -> None:
    stage.script = lambda turns: [
        Begun(3, 0, ROUTE),
        *(x for n in range(2000) for x in (Text(f"{n} "), 0.01)),
    ]
    ask(qtbot, page, "Count", whole=False)
    wait(qtbot, lambda: "15 " in texts(page)[-1])
    assert page.composer.go.accessibleName() == "Stop the answer"
    page.composer.go.click()
    answered(qtbot, page)
    assert last(page)["state"] == "stopped"
    assert texts(page)[-1].startswith("0 1 2 3")
    assert stage.closed_answers == 1
    assert "You stopped this answer." in foot(page).trouble.text()
    given = len(texts(page)[-1].split())
    lines = trace_lines(page.transcript.items[-1].view)
    assert ("Together", f"{given} tokens") in lines
    assert ("Answer", f"{given} tokens") in lines
    stage.script = lambda turns: answer_of("Done.")
    ask(qtbot, page, "Again")
    assert texts(page)[-1] == "Done."


@pytest.mark.parametrize(
    ("begins", "expected"),
    [
        # By its length until the engine has counted: 350 characters.
        (False, "about 100 of 2,048 tokens"),
        # As it told (42), and as long as the answer is by now.
        (True, "about 60 of 2,048 tokens"),  # a piece is a token
    ],
)
def test_the_meter_is_true_while_an_answer_runs(
    qtbot: QtBot, page: ChatPage, stage: Stage, begins: bool, expected: str
) -> None:
    there: list[Step] = [Begun(42, 0, ROUTE), *map(Text, "abcdefghijklmnopqr")]
    done = Done("stop", 42, 17, (Segment("swarm", "m", ROUTE, 17),), None)
    stage.script = lambda turns: [*there, DECIDED, done] if begins else [DECIDED, *there, done]
    ask(qtbot, page, "q" * 350, whole=False)
    meter = page.composer.meter_text
    assert not meter.text().startswith("about 0 "), "from the first moment"
    wait(qtbot, lambda: meter.text() == expected)
    page.composer.text.setPlainText("d" * 35)
    assert meter.text() == ("about 110 of 2,048 tokens" if not begins else "about 70 of 2,048 tokens")
    page.composer.text.clear()
    if begins:
        # Whoever comes later is told how far it is.
        shown = page._wanted
        page.new()
        page.open(shown)
        wait(qtbot, lambda: page.hearing.is_on and meter.text() == expected)
    stage.loop.call_soon_threadsafe(stage.decided.set)
    answered(qtbot, page)
    wait(qtbot, lambda: meter.text() == "about 59 of 2,048 tokens")


@pytest.mark.parametrize("first", ["list", "answer"])
def test_a_new_chat_is_chosen_whichever_comes_first(
    qtbot: QtBot, page: ChatPage, stage: Stage, monkeypatch: pytest.MonkeyPatch, first: str
) -> None:
    """The node lists the chat before, or after, it says that the question is taken."""
    chats, side = stage.chats, page._sidebar
    assert chats is not None
    gates = {"list": asyncio.Event(), "answer": asyncio.Event()}
    gates[first].set()
    listed, asked = chats.list, chats.ask

    async def list_late(query: str) -> ChatListView:
        await gates["list"].wait()
        return await listed(query)

    async def ask_late(chat: str, body: AskBody) -> AskedView:
        await gates["answer"].wait()
        gates["list"].clear()  # nothing that comes later shall make good for it
        return await asked(chat, body)

    monkeypatch.setattr(chats, "list", list_late)
    monkeypatch.setattr(chats, "ask", ask_late)
    page.composer.text.setPlainText("Hello?")
    page.send()
    if first == "list":
        wait(qtbot, lambda: side.model.rowCount() == 1)
        assert not side.list.currentIndex().isValid()
        stage.loop.call_soon_threadsafe(gates["answer"].set)
        wait(qtbot, lambda: page._wanted)
    else:
        wait(qtbot, lambda: page._wanted)
        assert side.model.rowCount() == 0
        stage.loop.call_soon_threadsafe(gates["list"].set)
        wait(qtbot, lambda: side.model.rowCount() == 1)
    assert side.list.currentIndex().data(ROW)["id"] == page._wanted
    stage.loop.call_soon_threadsafe(gates["list"].set)


def test_answer_again_and_edit_keep_the_old_versions(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    stage.script = lambda turns: answer_of(f"Answer {len(stage.asked)}")
    ask(qtbot, page, "First")
    foot(page).again.click()
    wait(qtbot, lambda: texts(page)[-1] == "Answer 2")
    answered(qtbot, page)
    assert foot(page).versions._label.text() == "2 / 2"
    (user,) = cards(page, UserCard)
    assert isinstance(user, UserCard)
    user.asked.emit("edit", page.transcript.items[0])
    assert page.composer.text.toPlainText() == "First"
    # Of the conversation nothing but the draft would be left.
    assert page.composer.meter_text.text() == "about 1 of 2,048 tokens"
    QTest.keyClick(page.composer.text, Qt.Key.Key_Escape)
    assert page.composer.meter_text.text() == "about 44 of 2,048 tokens"
    user.asked.emit("edit", page.transcript.items[0])
    ask(qtbot, page, "Second")
    assert texts(page) == ["Second", "Answer 3"]
    (user,) = cards(page, UserCard)
    assert isinstance(user, UserCard)
    wait(qtbot, lambda: not page.hearing.is_on)
    user.versions._back.click()
    wait(qtbot, lambda: texts(page) == ["First", "Answer 2"])


def test_switching_in_the_middle_of_an_answer_mixes_nothing(
    qtbot: QtBot, page: ChatPage, stage: Stage
) -> None:
    def script(turns: object) -> list[object]:
        letter = turns[-1].content[0]  # type: ignore[index]
        segment = Segment("swarm", "m", ROUTE, 60)
        return [
            Begun(1, 0, ROUTE),
            *(x for _ in range(60) for x in (Text(letter), 0.005)),
            Done("stop", 1, 60, (segment,), None),
        ]

    stage.script = script  # type: ignore[assignment]
    chats = []
    for letter in "ABC":
        page.new()
        ask(qtbot, page, letter, whole=False)
        wait(qtbot, lambda: page._wanted != "")
        chats.append(page._wanted)
    for turn in range(12):
        page.open(chats[turn % 3])
        qtbot.wait(30)
        for item in page.transcript.items:
            assert set(item.view["text"]) <= {"ABC"[turn % 3]}
    for chat, letter in zip(chats, "ABC", strict=True):
        page.open(chat)
        wait(qtbot, partial(shows, page, [letter, letter * 60]))


def test_drafts_stay_with_their_chats(qtbot: QtBot, page: ChatPage) -> None:
    ask(qtbot, page, "One")
    one = page._wanted
    page.composer.text.setPlainText("a draft")
    page.new()
    assert page.composer.text.toPlainText() == ""
    page.composer.text.setPlainText("another")
    page.open(one)
    assert page.composer.text.toPlainText() == "a draft"
    page.new()
    assert page.composer.text.toPlainText() == "another"


def test_a_failure_in_the_middle_keeps_the_text(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    stage.script = lambda turns: [Begun(1, 0, ROUTE), Text("So far"), PeerLost("attic is gone.")]
    ask(qtbot, page, "Why?")
    assert texts(page)[-1] == "So far"
    assert foot(page).trouble.text() == "attic is gone. Ask again: the next answer takes another route."


def test_the_takeover_by_this_computer_is_told(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    parts = (Segment("swarm", "m", ROUTE, 3), Segment("local", "SmolLM2", (), 4, "no route in time"))
    stage.script = lambda turns: [
        Begun(1, 0, ROUTE),
        Text("half"),
        Text(" whole"),
        Done("stop", 1, 7, parts, None),
    ]
    ask(qtbot, page, "Who?")
    assert foot(page).who.text() == "desk → attic → laptop, then this computer alone (no route in time)"


def test_a_full_disk_loses_nothing(
    qtbot: QtBot, page: ChatPage, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stage.chats is not None

    async def full(*_: object) -> None:
        raise DiskFull("The chat could not be saved: the disk is full.", remedy="Free some space.")

    monkeypatch.setattr(stage.chats, "ask", full)
    page.composer.text.setPlainText("precious words")
    page.send()
    wait(qtbot, lambda: page.notice.isVisibleTo(page))
    assert page.notice.said.text() == "The chat could not be saved: the disk is full. Free some space."
    assert page.composer.text.toPlainText() == "precious words"
    rows: list[object] = []
    page._link.call(lambda client: client.chats.list(), rows.append)
    wait(qtbot, lambda: rows)
    assert rows == [[]], "each try would leave an empty chat"


def test_a_node_that_goes_and_comes_back(qtbot: QtBot, opened: App, page: ChatPage, stage: Stage) -> None:
    ask(qtbot, page, "Before")
    stage.end()
    wait(qtbot, lambda: not opened.link.is_connected and opened.link.state is None)
    page.composer.text.setPlainText("In between")
    assert not page.composer.go.isEnabled()
    stage.start()
    wait(qtbot, lambda: opened.link.state is not None)
    assert page.composer.text.toPlainText() == "In between"
    ask(qtbot, page, "After")
    assert texts(page)[0::2] == ["Before", "After"]


def test_a_long_paste_becomes_a_file_and_the_meter_shows_it(
    qtbot: QtBot, page: ChatPage, stage: Stage
) -> None:
    mime = QMimeData()
    mime.setText("word " * 200_000)
    page.composer.text.insertFromMimeData(mime)
    assert page.composer.text.toPlainText() == ""
    assert [name for name, _ in page.composer.attachments] == ["Pasted text"]
    page.composer.set_budget({"context_tokens": 2048, "used_tokens": 0, "characters_per_token": 3.5})
    assert "too long" in page.composer.meter_text.text()
    page.composer.text.setPlainText("Sum it up")
    page.send()
    answered(qtbot, page)
    assert stage.asked[0][0][-1].content.endswith("Sum it up")
    assert page.transcript.items[0].view["attachments"] == [{"name": "Pasted text", "characters": 1_000_000}]


def test_files_are_attached_or_refused_by_name(qtbot: QtBot, page: ChatPage, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("fine")
    (tmp_path / "b.bin").write_bytes(b"\0\1")
    page.composer.attach_files([str(tmp_path / "a.txt"), str(tmp_path / "b.bin"), str(tmp_path / "none")])
    assert page.composer.attachments == [("a.txt", "fine")]
    assert page.notice.said.text() == "none cannot be read: No such file or directory."


def test_search_rename_export_delete(
    qtbot: QtBot, page: ChatPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    ask(qtbot, page, "About zebras")
    page.new()
    ask(qtbot, page, "About lions")
    side = page._sidebar
    wait(qtbot, lambda: side.model.rowCount() == 2)
    side.search.setText("zebra")
    wait(qtbot, lambda: side.model.rowCount() == 1)
    row = side.model.index(0).data(ROW)
    assert row["title"] == "About zebras"
    monkeypatch.setattr(asking, "ask_text", lambda *_: "Stripes")
    side.list.setCurrentIndex(side.model.index(0))
    menu = side.menu_of(row)
    actions = {action.text(): action for action in menu.actions() if action.text()}
    actions[tr("Rename …")].trigger()
    wait(qtbot, lambda: page.title.text() == "Stripes")
    for name, form in (("chat.md", "Markdown"), ("chat.json", "JSON")):
        target = tmp_path / name
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, target=target: (str(target), ""))
        actions[tr(f"Export as {form} …")].trigger()
        wait(qtbot, target.exists)
    assert (tmp_path / "chat.md").read_text().startswith("# Stripes")
    assert json.loads((tmp_path / "chat.json").read_text())["title"] == "Stripes"
    monkeypatch.setattr(asking, "confirm", lambda *_: True)
    actions[tr("Delete …")].trigger()
    side.search.clear()
    wait(qtbot, lambda: [r["title"] for r in side.model.rows] == ["About lions"])


def test_hebrew_cjk_and_emoji_reach_the_screen(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    text = "שלום עולם\n\n漢字 and 👩‍👩‍👧"
    stage.script = lambda turns: [Begun(1, 0, ROUTE), *map(Text, text), Done("stop", 1, 1, (), None)]
    ask(qtbot, page, "é 漢 😀")
    assert texts(page) == ["é 漢 😀", text]
    (prose,) = cards(page, ProseCard)
    assert isinstance(prose, ProseCard)
    first = prose.reading.document().firstBlock()
    assert first.textDirection() == Qt.LayoutDirection.RightToLeft


def test_five_thousand_messages_take_a_dozen_widgets(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    chats = stage.chats
    assert chats is not None
    made = threading.Event()

    def fill() -> None:
        history = chats._open_once()
        chat = history.create("Long", "", {})
        with history._change() as db:
            for n in range(1, 5001):
                db.execute(
                    "INSERT INTO messages VALUES (NULL, ?, ?, ?, ?, 'complete', 0, '{}')",
                    (
                        chat.id,
                        n - 1 or None,
                        "user" if n % 2 else "assistant",
                        f"message {n}\n\n" + "w " * 200,
                    ),
                )
            db.execute("UPDATE chats SET leaf = 5000 WHERE id = ?", (chat.id,))
        made.chat = chat.id  # type: ignore[attr-defined]
        made.set()

    chats._thread.submit(fill)
    assert made.wait(20)
    page.open(made.chat)  # type: ignore[attr-defined]
    wait(qtbot, lambda: len(page.transcript.items) == 60)
    bar = page.transcript.verticalScrollBar()
    assert bar.value() == bar.maximum()
    for count in (120, 180, 240):
        bar.setValue(0)
        wait(qtbot, partial(has_items, page, count))
        assert bar.value() > 0  # what was read has not moved
    assert len(page.transcript._live) < 20
    assert page.transcript.items[0].view["text"].startswith("message 4761")


def test_scrolling_up_does_not_jump(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    stage.script = lambda turns: answer_of("\n\n".join(f"Line {n} " + "word " * 60 for n in range(60)))
    for _ in range(3):
        ask(qtbot, page, "More")
    bar, view = page.transcript.verticalScrollBar(), page.transcript
    while bar.value() > 200:
        index = min(view._live)
        top = view._live[index].mapTo(view, QPoint(0, 0)).y()
        asked = bar.value() - 50
        bar.setValue(asked)
        if index in view._live:
            assert view._live[index].mapTo(view, QPoint(0, 0)).y() == top + 50


@pytest.mark.parametrize(("button", "decision"), [("yes", "local"), ("wait", "wait")])
def test_the_local_model_is_offered_and_decided_over(
    qtbot: QtBot, page: ChatPage, stage: Stage, button: str, decision: str
) -> None:
    asleep = say("peer-asleep", "attic")
    offered = Offered("r", asleep, "Wake attic.", "small", 1, time.time() + 120)
    local = Segment("local", "small", (), 2, asleep)
    stage.offering = True
    stage.script = lambda turns: [
        Begun(1, 0, ROUTE),
        Text("half "),
        offered,
        DECIDED,
        OfferOver("r", decision),
        *([Switched("small", asleep, 1, 0)] if decision == "local" else []),
        Text("whole"),
        0.1,
        Done("stop", 1, 3, (Segment("swarm", "m", ROUTE, 1), local), None),
    ]
    ask(qtbot, page, "Who?", whole=False)
    wait(qtbot, lambda: page.offer.isVisibleTo(page))
    assert (
        page.offer.said.text() == "The household cannot go on (attic: asleep). small on this computer could."
    )
    getattr(page.offer, button).click()
    wait(qtbot, lambda: not page.offer.isVisibleTo(page))
    if decision == "local":
        wait(qtbot, lambda: foot(page).who.text() == "this computer alone answers (attic: asleep) …")
    answered(qtbot, page)
    assert stage.calls == [f"decide {decision}"]
    assert texts(page)[-1] == "half whole"


def test_an_offer_that_is_over_only_goes_away(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    stage.script = lambda turns: [
        Begun(1, 0, ROUTE),
        Offered("r", "attic is asleep", "", "small", 0, time.time() + 120),
        DECIDED,
        *answer_of("Back.")[1:],
    ]
    ask(qtbot, page, "Who?", whole=False)
    wait(qtbot, lambda: page.offer.isVisibleTo(page))
    page.offer.yes.click()  # the household is back, and the node has nothing to decide
    wait(qtbot, lambda: not page.offer.isVisibleTo(page))
    stage.loop.call_soon_threadsafe(stage.decided.set)
    answered(qtbot, page)
    assert not page.notice.isVisibleTo(page)


def test_who_answers_is_chosen_for_each_chat(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    dialog = ChatSettings(page, "Be brief.", {**DEFAULT, "fallback": "never"})
    dialog.prefer.setCurrentIndex(dialog.prefer.findData("local"))
    assert dialog.values()[1]["fallback"] == "never"
    page._new_settings = dialog.values()
    ask(qtbot, page, "Hello?")
    assert (stage.asked[-1][1].prefer, stage.asked[-1][1].fallback) == ("local", "never")


def test_tab_goes_through_a_conversation_by_the_eye(qtbot: QtBot, page: ChatPage, stage: Stage) -> None:
    stage.script = lambda turns: answer_of(MARKDOWN)
    for _ in range(3):
        ask(qtbot, page, "Once more?")
    page.transcript.verticalScrollBar().setValue(0)
    inside = page.transcript.viewport()

    def reached() -> list[tuple[int, int]]:
        """The places where Tab leads from the transcript on, until it has left it."""
        places, at = [], page.transcript.nextInFocusChain()
        while at is not None and at is not page.composer.text:
            if at.focusPolicy() & Qt.FocusPolicy.TabFocus and at.isVisibleTo(page) and at.isEnabled():
                centre = at.mapTo(inside, at.rect().center()) if inside.isAncestorOf(at) else QPoint(0, 0)
                places.append((centre.y(), centre.x()))
            at = at.nextInFocusChain()
        return places

    def by_the_eye() -> bool:
        steps = list(pairwise(reached()))
        return len(steps) > 8 and all(
            after[0] > before[0] + 8 or (abs(after[0] - before[0]) <= 8 and after[1] > before[1])
            for before, after in steps
        )

    wait(qtbot, by_the_eye)


def test_a_click_on_the_chosen_chat_leads_back_to_it(qtbot: QtBot, opened: App, page: ChatPage) -> None:
    ask(qtbot, page, "One")
    wait(qtbot, lambda: page._sidebar.model.rowCount() == 1)
    opened.window.show_page("household")
    rows = page._sidebar.list
    QTest.mouseClick(
        rows.viewport(), Qt.MouseButton.LeftButton, pos=rows.visualRect(rows.model().index(0, 0)).center()
    )
    assert opened.window.stack.currentWidget() is page


def test_a_short_question_is_one_line_from_the_first_moment(qtbot: QtBot, page: ChatPage) -> None:
    ask(qtbot, page, "Write a short story about a lighthouse keeper and his cat.")
    (user,) = cards(page, UserCard)
    assert isinstance(user, UserCard)
    assert user.reading.height() < 2 * user.reading.fontMetrics().lineSpacing()
    assert page.composer.text.hasFocus() or not page.isActiveWindow()
