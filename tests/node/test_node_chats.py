"""The chats that a node keeps: the file alone, and a whole node over its local API."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.domain.errors import BadRequest, Busy, DiskFull, HistoryUnusable, NoSuchChat
from swarm_app.domain.pause import Pause
from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span
from swarm_app.localapi.answers import (
    Answer,
    AnswerEvent,
    Begun,
    Choice,
    Done,
    Paused,
    Switched,
    Text,
    Turn,
)
from swarm_app.localapi.chats import Followed
from swarm_app.localapi.chatschema import AskBody, ChatBody
from swarm_app.localapi.client import LocalClient
from swarm_app.node.chats import Conversations
from swarm_app.node.chatviews import budget_view
from swarm_app.node.chatwords import (
    CHARACTERS_PER_TOKEN,
    MAX_TITLE,
    characters_per_token,
    exported,
    prompt_turns,
    title_of,
    with_attachments,
)
from swarm_app.node.history import Attachment, ChatRecord, History, MessageRecord
from swarm_app.node.running import Running
from tests.node.rig import RiggedNode, rigged_node, until


@pytest.fixture
def history(tmp_path: Path) -> Iterator[History]:
    history = History(tmp_path / "history.sqlite")
    yield history
    history.close()


def filled(history: History, *texts: str) -> str:
    """A chat whose questions and answers take turns."""
    chat = history.create("", "", {})
    parent = None
    for index, text in enumerate(texts):
        parent = history.add(chat.id, parent, "assistant" if index % 2 else "user", text).id
    return chat.id


def texts_of(history: History, chat: str, **part: int) -> list[str]:
    return [one.text for one in history.branch(history.chat(chat), **part)[0]]


def test_an_edit_and_another_answer_stand_beside_the_old_ones(history: History) -> None:
    chat = filled(history, "one", "two", "three", "four")
    second = history.branch(history.chat(chat))[0][1]
    other = history.add(chat, second.parent, "assistant", "2b")
    assert texts_of(history, chat) == ["one", "2b"]
    assert other.versions == (second.id, other.id)
    history.show(chat, second.id)
    assert texts_of(history, chat) == ["one", "two", "three", "four"]


def test_a_long_branch_is_read_in_pages(history: History) -> None:
    chat = filled(history, *map(str, range(1200)))
    page, older = history.branch(history.chat(chat), limit=100)
    assert ([one.text for one in page], older) == ([*map(str, range(1100, 1200))], True)
    before, older = history.branch(history.chat(chat), before=page[0].id, limit=1100)
    assert ([one.text for one in before], older) == ([*map(str, range(1100))], False)
    history.delete(chat)
    with pytest.raises(NoSuchChat):
        history.chat(chat)


@pytest.mark.parametrize(
    ("query", "finds"),
    [
        ("WORLD", True),
        ("日本語", True),
        ("本", True),
        ("ÜBER", True),
        ('a "quoted', True),
        ("100%", True),
        ("nothing of it", False),
        ("title", True),
        ("", True),
    ],
)
def test_search(history: History, query: str, finds: bool) -> None:
    chat = filled(history, "hello world", 'über a "quoted" 日本語 at 100% speed')
    history.change(chat, "A Title", None, None)
    filled(history, "another")
    found = [record.id for record, _ in history.chats(query)]
    assert (chat in found) is finds
    assert len(found) == (2 if not query else int(finds))


def test_a_full_disk_is_a_sentence_and_what_was_there_stays(history: History, tmp_path: Path) -> None:
    chat = filled(history, "kept")
    pages = history._db.execute("PRAGMA page_count").fetchone()[0]
    history._db.execute(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(DiskFull, match="the disk is full") as full:
        history.add(chat, None, "user", "x" * 100_000)
    assert str(tmp_path) in full.value.remedy
    assert texts_of(history, chat) == ["kept"]
    history._db.execute("PRAGMA max_page_count = 100000")
    history.add(chat, None, "user", "x" * 100_000)


class TwoPieces:
    """An answer of two pieces; the second one comes when it is allowed to."""

    request_id = "r1"

    def __init__(self) -> None:
        self.go_on = asyncio.Event()
        self._events: list[AnswerEvent] = []

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> Answer:
        done = Done("stop", 1, 2, (), None)
        self._events = [Begun(1, 0, ()), Text("The whole "), Text("x" * 100_000), done]
        return self

    async def next(self) -> AnswerEvent:
        event = self._events.pop(0)
        if event == Text("x" * 100_000):
            await self.go_on.wait()
        return event

    def close(self) -> None:
        pass


HERE = (Hop("D", "desk", Span(0, 4)), Hop("A", "attic", Span(4, 8)))
THERE = (Hop("D", "desk", Span(0, 4)), Hop("K", "kitchen", Span(4, 8)))


def moved(at_token: int) -> Paused:
    told = Pause("asleep", "A", "attic", ("kitchen",), 0.1, 0.1, 0.2, 0.4, at_token, "attic went to sleep")
    return Paused(told, THERE)


@pytest.mark.parametrize(
    ("events", "expected"),
    [
        ([], [("tiny", HERE, 0)]),
        ([Text("a"), Text("b")], [("tiny", HERE, 2)]),
        # Somebody took over before the first token: who was left has given nothing.
        ([moved(0), Text("a")], [("tiny", THERE, 1)]),
        # The engine's own count is better than that of the pieces: a letter may take several tokens.
        (
            [Text("a"), Text("b"), moved(5), Text("c"), Switched("small", "slow", 7), Text("d"), Text("e")],
            [("tiny", HERE, 5), ("tiny", THERE, 2), ("small", (), 2)],
        ),
        ([Text("a"), Switched("small", "slow", 1)], [("tiny", HERE, 1)]),
    ],
)
def test_an_answer_that_is_cut_off_tells_who_gave_how_much(
    events: list[AnswerEvent], expected: list[tuple[str, tuple[Hop, ...], int]]
) -> None:
    running = Running(MessageRecord(1, None, "assistant", "", "running", 0.0, {}, (), ()))
    for event in [Begun(7, 0, HERE), *events]:
        running.take(event)
    done = running.as_far("tiny")
    assert [(one.model, one.route, one.completion_tokens) for one in done.segments] == expected
    assert (done.reason, done.prompt_tokens) == ("cancelled", 7)
    assert done.completion_tokens == sum(count for _, _, count in expected)


def said(
    role: Literal["user", "assistant"], text: str, answer: tuple[int, int] | None = None
) -> MessageRecord:
    told = answer and {"prompt_tokens": answer[0], "completion_tokens": answer[1], "trimmed_messages": 0}
    return MessageRecord(0, None, role, text, "complete", 0.0, {"answer": told} if told else {}, (), ())


@pytest.mark.parametrize(
    ("messages", "used"),
    [
        ([], 4),
        ([said("user", "x" * 35), said("assistant", "")], 14),
        ([said("user", "x" * 35), said("assistant", "y" * 70)], 34),
        ([said("user", "x" * 35), said("assistant", "y" * 70, (50, 20))], 70),
        ([said("assistant", "y", (50, 20)), said("user", "x" * 35), said("assistant", "")], 80),
        ([said("assistant", "y", (50, 20)), said("user", "x" * 35), said("assistant", "z", (90, 3))], 93),
        ([said("assistant", "y", (1800, 200)), said("user", "x" * 3500)], 2048),
    ],
)
def test_the_meter_counts_what_no_answer_has_counted_yet(messages: list[MessageRecord], used: int) -> None:
    chat = ChatRecord("c", "", 0.0, 0.0, "s" * 14, {}, None)
    view = budget_view(chat, messages, 2048)
    assert (view["used_tokens"], view["characters_per_token"]) == (used, CHARACTERS_PER_TOKEN)


async def test_the_meter_is_right_at_every_moment_of_an_answer(tmp_path: Path) -> None:
    answers = TwoPieces()
    chats = Conversations(tmp_path / "h.sqlite", answers, lambda: "tiny", 2048, lambda running: None)
    chat = (await chats.create(ChatBody()))["id"]
    asked = await chats.ask(chat, AskBody(text="x" * 350))
    assert asked["budget"]["used_tokens"] == 100, "by its length"
    async for event in chats.follow(chat):
        if event == ("text", {"text": "The whole "}):
            assert (await chats.read(chat, None, 2))["budget"]["used_tokens"] == 1 + 1, "as the engine told"
            answers.go_on.set()
    assert (await chats.read(chat, None, 2))["budget"]["used_tokens"] == 1 + 2
    again = await chats.ask(chat, AskBody(regenerate=asked["answer"]["id"]))
    assert again["budget"]["used_tokens"] == 100, "without the answer that is given anew"
    await chats.close()


async def test_a_disk_that_fills_up_in_an_answer_costs_none_of_it(tmp_path: Path) -> None:
    path, answers = tmp_path / "history.sqlite", TwoPieces()
    chats = Conversations(path, answers, lambda: "tiny", 2048, lambda running: None)
    chat = (await chats.create(ChatBody()))["id"]
    await chats.ask(chat, AskBody(text="Hello?"))
    assert chats._history is not None
    db = chats._history._db
    db.execute(f"PRAGMA max_page_count = {db.execute('PRAGMA page_count').fetchone()[0]}")
    followed: list[Followed] = []
    async for event in chats.follow(chat):
        followed.append(event)
        if event == ("text", {"text": "The whole "}):
            answers.go_on.set()
    for message in (followed[-1][1], (await chats.read(chat, None, 10))["messages"][-1]):
        assert (message["text"][:12], message["state"]) == ("The whole xx", "complete")
        assert message["error"] is not None, "as long as it is not written down, that is said"
        assert message["error"]["code"] == "disk-full"
    db.execute("PRAGMA max_page_count = 100000")
    await chats.close()
    with contextlib.closing(History(path)) as written:
        (_, answer), _ = written.branch(written.chat(chat))
        assert (len(answer.text), answer.state, "error" in answer.about) == (100_010, "complete", False)


def test_the_file_is_private_and_a_damaged_one_is_put_aside(tmp_path: Path) -> None:
    path = tmp_path / "history.sqlite"
    history = History(path)
    filled(history, "secret")
    assert {file.stat().st_mode & 0o777 for file in tmp_path.iterdir()} == {0o600}
    history.close()
    path.write_bytes(b"this is no database at all, whatever it is called" * 100)
    fresh = History(path)
    assert fresh.put_aside is not None
    assert fresh.put_aside.read_bytes().startswith(b"this is no")
    assert fresh.chats("") == []
    fresh.close()


async def test_who_looks_is_told_where_a_damaged_file_lies(tmp_path: Path) -> None:
    path, told = tmp_path / "history.sqlite", list[Path]()
    path.write_bytes(b"this is no database at all, whatever it is called" * 100)
    chats = Conversations(path, TwoPieces(), lambda: "tiny", 2048, lambda running: None, told.append)
    assert (await chats.list(""))["chats"] == []
    await chats.close()
    assert told
    assert told[0].read_bytes().startswith(b"this is no")


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(HistoryUnusable, match="cannot be used: No such file"):
        History(tmp_path / "gone" / "history.sqlite")


@given(st.text(max_size=200), st.lists(st.text(min_size=1, max_size=20), max_size=2))
def test_titles_are_short_and_on_one_line(text: str, names: list[str]) -> None:
    title = title_of(text, names)
    assert len(title) <= MAX_TITLE or not text.strip()
    assert len(title.splitlines()) <= 1


def test_files_are_fenced_by_more_ticks_than_they_have() -> None:
    said = with_attachments("What is it?", [Attachment("a.md", "```\ncode\n```\n````")])
    assert said == "File a.md:\n`````\n```\ncode\n```\n````\n`````\n\nWhat is it?"


@pytest.mark.parametrize(
    ("told", "expected"),
    [
        ([], CHARACTERS_PER_TOKEN),
        ([(20, 400, 0)], CHARACTERS_PER_TOKEN),
        ([(100, 400, 0)], 4.0),
        ([(100, 400, 0), (200, 500, 0)], 2.5),
        # What was left out of it is among the characters and not among the tokens.
        ([(100, 400, 0), (225, 3000, 12)], 4.0),
        ([(225, 3000, 12)], CHARACTERS_PER_TOKEN),
        ([(100, 400, 0), None], 4.0),
    ],
)
def test_the_meter_goes_by_what_the_model_has_read_whole(
    told: list[tuple[int, int, int] | None], expected: float
) -> None:
    """Prompt tokens, characters and messages left out, answer by answer; None for one that failed."""
    answers = [
        {}
        if one is None
        else {
            "answer": {"prompt_tokens": one[0], "trimmed_messages": one[2]},
            "prompt_characters": one[1],
        }
        for one in told
    ]
    messages = [
        MessageRecord(number, None, "assistant", "", "complete", 0.0, about, (), ())
        for number, about in enumerate(answers)
    ]
    assert characters_per_token(messages) == expected


def test_what_cannot_fit_is_not_even_sent(history: History) -> None:
    chat = filled(history, "x" * 900, "old answer", "y" * 100, "", "last question", "")
    record = history.change(chat, None, "Be brief.", None)
    turns, left_out = prompt_turns(history, record, 50)
    assert [(turn.role, turn.content[:13]) for turn in turns] == [
        ("system", "Be brief."),
        ("assistant", "old answer"),
        ("user", "y" * 13),
        ("user", "last question"),
    ]
    assert left_out == 1


def test_export_has_everything(history: History) -> None:
    chat = filled(history, "question", "answer")
    record = history.change(chat, "Name", "Be kind.", None)
    messages = history.everything(chat)
    markdown = exported(record, messages, [], {}, "markdown")
    for part in ("# Name", "> Be kind.", "## You\n\nquestion", "## Homeswarm\n\nanswer"):
        assert part in markdown
    value = json.loads(exported(record, messages, [1, 2], {1: [Attachment("f", "text")]}, "json"))
    assert value["messages"][0]["attachments"] == [{"name": "f", "text": "text"}]


# ---------------------------------------------------------------- a whole node


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RiggedNode]:
    with rigged_node(tmp_path_factory.mktemp("chats")) as node:
        node.wait_ready()
        yield node


@pytest.fixture
def client(node: RiggedNode) -> Iterator[LocalClient]:
    with node.client() as client:
        yield client


def script(tokens: list[str], **more: object) -> str:
    return "!" + json.dumps({"tokens": tokens, **more})


def finished(client: LocalClient, chat: str) -> None:
    until(lambda: chat not in client.state()["chats"]["running"])


def test_a_question_is_answered_and_kept(client: LocalClient) -> None:
    chat = client.chats.create(system="Be kind.", sampling={"temperature": 0.5})["id"]
    asked = client.chats.ask(chat, "Hello\nthere", [("notes.txt", "some text")])
    assert asked["question"] is not None
    assert asked["question"]["attachments"] == [{"name": "notes.txt", "characters": 9}]
    events = list(client.chats.follow(chat))
    finished(client, chat)
    read = client.chats.read(chat)
    question, answer = read["messages"]
    assert (read["chat"]["title"], read["chat"]["system"]) == ("Hello", "Be kind.")
    assert read["chat"]["sampling"]["temperature"] == 0.5
    assert (question["role"], answer["text"], answer["state"]) == ("user", "Hello there.", "complete")
    assert answer["answer"] is not None
    assert answer["answer"]["segments"][0]["route"][0]["name"] == "N1"
    if events:  # the answer may have been over before anybody followed it
        assert events[-1].message == answer
    assert read["budget"]["used_tokens"] > 0
    assert [row["id"] for row in client.chats.list("there.")] == [chat]


def test_an_answer_goes_on_without_a_follower_and_each_gets_all_of_it(client: LocalClient) -> None:
    chat = client.chats.create()["id"]
    client.chats.ask(chat, script(["a", "b", "c", "d", "e"], delay_s=0.1, pause_after=2))
    first = client.chats.follow(chat)
    assert next(first).kind == "message"
    first.close()
    with pytest.raises(Busy):
        client.chats.ask(chat, "again")
    seen = ""
    for event in client.chats.follow(chat):
        seen = event.message["text"] if event.message else seen + event.text
    assert seen == "abcde"
    finished(client, chat)
    answer = client.chats.read(chat)["messages"][-1]["answer"]
    assert answer is not None
    assert answer["pauses"][0]["cause"] == "asleep"


def test_two_chats_never_mix(node: RiggedNode, client: LocalClient) -> None:
    chats = {letter: client.chats.create()["id"] for letter in "ABCD"}
    seen: dict[str, str] = dict.fromkeys(chats, "")

    def follow(letter: str) -> None:
        with node.client() as own:
            for event in own.chats.follow(chats[letter]):
                seen[letter] = event.message["text"] if event.message else seen[letter] + event.text

    for letter, chat in chats.items():
        client.chats.ask(chat, script([letter] * 30, delay_s=0.01))
    threads = [threading.Thread(target=follow, args=(letter,)) for letter in chats]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    for letter, chat in chats.items():
        finished(client, chat)
        assert client.chats.read(chat)["messages"][-1]["text"] == letter * 30
        assert seen[letter] in ("", letter * 30)


def test_stopped_edited_and_answered_anew(client: LocalClient) -> None:
    chat = client.chats.create()["id"]
    client.chats.ask(chat, script(["x"] * 1000, delay_s=0.02))
    until(lambda: client.chats.read(chat)["messages"][-1]["text"])
    client.chats.stop(chat)
    question, answer = client.chats.read(chat)["messages"]
    assert answer["state"] == "stopped"
    assert set(answer["text"]) == {"x"}
    assert answer["answer"] is not None
    (part,) = answer["answer"]["segments"]
    assert part["completion_tokens"] == answer["answer"]["completion_tokens"] == len(answer["text"])
    client.chats.regenerate(chat, answer["id"])
    client.chats.stop(chat)
    client.chats.ask(chat, "Say hello", edit=question["id"])
    finished(client, chat)
    now = client.chats.read(chat)["messages"]
    assert [one["text"] for one in now] == ["Say hello", "Hello there."]
    assert now[0]["versions"] == [question["id"], now[0]["id"]]
    client.chats.show(chat, question["id"])
    assert client.chats.read(chat)["messages"][1]["versions"][0] == answer["id"]
    with pytest.raises(BadRequest):
        client.chats.regenerate(chat, question["id"])


def test_a_failure_keeps_the_text_and_tells_why(client: LocalClient) -> None:
    chat = client.chats.create()["id"]
    failure = ["peer-lost", "attic is gone.", "Ask again."]
    client.chats.ask(chat, script(["a", "b", "c"], fail=failure, fail_after=2))
    finished(client, chat)
    answer = client.chats.read(chat)["messages"][-1]
    assert (answer["text"], answer["state"]) == ("ab", "failed")
    assert answer["answer"] is not None
    assert [part["completion_tokens"] for part in answer["answer"]["segments"]] == [2]
    assert answer["error"] == {"code": "peer-lost", "message": "attic is gone.", "remedy": "Ask again."}


def test_renamed_exported_and_deleted_in_the_middle_of_an_answer(client: LocalClient) -> None:
    chat = client.chats.create()["id"]
    client.chats.ask(chat, script(["x"] * 1000, delay_s=0.02))
    assert client.chats.change(chat, title="Other")["title"] == "Other"
    assert client.chats.export(chat, "markdown").startswith("# Other")
    client.chats.delete(chat)
    with pytest.raises(NoSuchChat):
        client.chats.read(chat)
    assert chat not in client.state()["chats"]["running"]


@pytest.mark.parametrize("text", ["", "  \n"])
def test_an_empty_question_is_refused(client: LocalClient, text: str) -> None:
    with pytest.raises(BadRequest, match="empty"):
        client.chats.ask(client.chats.create()["id"], text)


def test_a_killed_node_leaves_an_interrupted_answer(tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        node.wait_ready()
        with node.client() as client:
            chat = client.chats.create()["id"]
            client.chats.ask(chat, script(["word "] * 1000, delay_s=0.02))
            database = node.paths.history_file
            until(lambda: len(client.chats.read(chat)["messages"][-1]["text"]) > 300, 30)
        node.process.kill()
        node.process.wait()
        history = History(database)
        answer = history.branch(history.chat(chat))[0][-1]
        history.close()
        assert answer.state == "interrupted"
        assert answer.text.startswith("word word ")
