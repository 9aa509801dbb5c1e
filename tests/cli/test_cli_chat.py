"""The chat: what a conversation keeps, and a real one on a pseudo-terminal against a real household."""

from __future__ import annotations

import contextlib
import dataclasses
import io
import os
import pty
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from click.testing import CliRunner
from rich.console import Console

from swarm_app.cli.chat import Conversation
from swarm_app.cli.main import cli
from swarm_app.cli.strips import LETTERS
from swarm_app.cli.talk import Spoken, about, speak
from swarm_app.domain.errors import FallbackOffered, NodeNotRunning, PeerLost
from swarm_app.domain.pause import Pause
from swarm_app.localapi.answers import AnswerEvent, Choice, Done, Paused, Segment, Switched, Text, Turn
from swarm_app.localapi.client import LocalClient
from tests.household import Household

QUESTION = "What is the capital of France?"


class Scripted:
    """Answers "answer N", after whatever `mischief` does."""

    def __init__(self) -> None:
        self.asked: list[tuple[list[Turn], Choice]] = []
        self.mischief: BaseException | None = None
        self.before = ""

    def __call__(self, turns: Sequence[Turn], choice: Choice, spoken: Spoken) -> None:
        self.asked.append((list(turns), choice))
        if self.mischief is not None:
            spoken.text = self.before
            raise self.mischief
        spoken.text = f"answer {len(self.asked)}"
        spoken.done = Done("stop", 1, 2, (), None)


@pytest.fixture
def script() -> Scripted:
    return Scripted()


@pytest.fixture
def said() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def conversation(script: Scripted, said: io.StringIO) -> Conversation:
    console = Console(file=said, markup=False, highlight=False, width=200)
    return Conversation(script, Choice(), "Be kind.", console, LETTERS)


SYSTEM = Turn("system", "Be kind.")


def test_a_conversation_remembers_both_sides(conversation: Conversation, script: Scripted) -> None:
    assert conversation.enter("one")
    assert conversation.enter("two")
    assert script.asked[1][0] == [
        SYSTEM,
        Turn("user", "one"),
        Turn("assistant", "answer 1"),
        Turn("user", "two"),
    ]
    assert conversation.enter("/new")
    assert conversation.turns == [SYSTEM]


def test_an_answer_that_is_stopped_is_kept_and_one_that_never_began_is_not(
    conversation: Conversation, script: Scripted
) -> None:
    script.mischief, script.before = KeyboardInterrupt(), "Once upon"
    with pytest.raises(KeyboardInterrupt):
        conversation.enter("a story")
    assert conversation.turns[1:] == [Turn("user", "a story"), Turn("assistant", "Once upon")]
    script.before = ""
    with pytest.raises(KeyboardInterrupt):
        conversation.enter("another")
    assert conversation.turns[1:] == [Turn("user", "a story"), Turn("assistant", "Once upon")]


def test_an_error_of_the_swarm_is_told_and_the_chat_goes_on(
    conversation: Conversation, script: Scripted, said: io.StringIO
) -> None:
    script.mischief = PeerLost("attic stopped answering.")
    assert conversation.enter("hello")
    assert "attic stopped answering. Ask again" in said.getvalue()
    assert conversation.turns == [SYSTEM]


def test_without_a_node_there_is_no_chat(
    conversation: Conversation, script: Scripted, said: io.StringIO
) -> None:
    script.mischief = NodeNotRunning("It is gone.")
    with pytest.raises(NodeNotRunning):
        conversation.enter("hello")
    assert said.getvalue() == "", "the command ends with it, and says so then"


def test_a_conversation_that_no_longer_fits_goes_on_without_its_beginning(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Scenario E1: it is told, and does not end in a refusal of every further question."""

    class Client(contextlib.nullcontext[None]):
        def __enter__(self) -> Any:
            return self

        def chat(self, turns: Sequence[Turn], choice: Choice, *, trim: bool) -> Iterator[AnswerEvent]:
            assert trim
            yield Text("Paris.")
            yield Done("stop", 250, 2, (), None, trimmed_messages=3)

    monkeypatch.setattr(LocalClient, "from_profile", lambda profile: Client())
    result = CliRunner().invoke(cli, ["chat"], input=f"{QUESTION}\n")
    assert "Paris.\n" in result.stdout
    assert "The 3 oldest messages no longer fit and were left out." in result.stdout


def test_regenerate_asks_again_with_some_warmth_and_replaces_the_answer(
    conversation: Conversation, script: Scripted
) -> None:
    conversation.enter("/regenerate")
    assert script.asked == []
    conversation.enter("one")
    conversation.enter("/regenerate")
    assert script.asked[1][0] == [SYSTEM, Turn("user", "one")]
    assert script.asked[1][1].temperature > 0
    assert conversation.turns == [SYSTEM, Turn("user", "one"), Turn("assistant", "answer 2")]
    script.mischief = PeerLost("gone.")
    conversation.enter("/regenerate")
    assert conversation.turns == [SYSTEM, Turn("user", "one"), Turn("assistant", "answer 2")]


def test_quit_leaves_and_unknown_commands_are_not_sent(
    conversation: Conversation, script: Scripted, said: io.StringIO
) -> None:
    assert conversation.enter("/qiut")
    assert "/help" in said.getvalue()
    assert conversation.enter("   ")
    assert not conversation.enter("/quit")
    assert script.asked == []
    assert conversation.enter("/etc/hosts is what?")
    assert len(script.asked) == 1


@pytest.mark.parametrize("before", ["", "Half an "])
def test_the_local_model_answers_where_a_person_says_so(
    conversation: Conversation, script: Scripted, said: io.StringIO, before: str
) -> None:
    conversation.enter("/yes")
    assert "Nothing was offered." in said.getvalue()
    script.before = before
    script.mischief = FallbackOffered("The household cannot go on: attic is asleep. small can.")
    conversation.enter("one")
    assert "/yes lets it." in said.getvalue()
    script.mischief = None
    begun = conversation.turns[-1]
    conversation.enter("/yes")
    turns, choice = script.asked[-1]
    assert choice.prefer == "local"
    if before:  # it goes on behind what was said
        assert (choice.continues, turns[-1]) == (True, begun)
    else:
        assert (choice.continues, turns[-1]) == (False, Turn("user", "one"))
    assert conversation.turns[-1] == Turn("assistant", f"{before}answer 2")
    assert sum(turn.role == "user" for turn in conversation.turns) == 1
    conversation.enter("/local")
    conversation.enter("two")
    assert script.asked[-1][1].prefer == "local"
    conversation.enter("/swarm")
    conversation.enter("three")
    assert script.asked[-1][1].prefer == "swarm"


def test_an_answer_that_this_computer_went_on_with_is_told() -> None:
    out = io.StringIO()

    def events() -> Iterator[AnswerEvent]:
        yield Text("One ")
        yield Switched("small", "attic is asleep", 1, 3)
        yield Paused(
            dataclasses.replace(
                ASLEEP, cause="local", text="attic is asleep; small on this computer went on in 0.9 s"
            )
        )
        yield Text("two.")

    speak(events(), Console(file=out, width=200), Spoken())
    assert out.getvalue().splitlines() == [
        "One ",
        "(small has room for less: the 3 oldest messages are left out)",
        "(attic is asleep; small on this computer went on in 0.9 s)",
        "two.",
    ]
    segments = (Segment("swarm", "tiny", (), 1), Segment("local", "small", (), 1, "attic is asleep"))
    assert about(Done("stop", 1, 2, segments, None), LETTERS)[:2] == [
        "swarm",
        "local: small on this computer (attic is asleep)",
    ]


def test_what_a_model_writes_cannot_steer_the_terminal() -> None:
    out = io.StringIO()

    def events() -> Iterator[AnswerEvent]:
        yield Text("a\x1b[2Jb\n[bold]c\td")

    speak(events(), Console(file=out, force_terminal=True), Spoken())
    assert out.getvalue() == "a\N{REPLACEMENT CHARACTER}[2Jb\n[bold]c\td\n"


ASLEEP = Pause(
    "asleep", "Qm", "desk", ("attic",), 0.1, 0.2, 0.1, 0.4, 2, "desk went to sleep; moved to attic in 0.4 s"
)
WAITED = dataclasses.replace(
    ASLEEP,
    cause="slow-compute",
    moved_to=(),
    total_s=0.9,
    text="desk was slow to compute; waited 0.9 s for it",
)
UNFELT = dataclasses.replace(WAITED, total_s=0.2, text="nobody wants to read this")
HOSTILE = dataclasses.replace(ASLEEP, text="desk\x1b[2J went to sleep")


def paused_answer(*pauses: Pause) -> Iterator[AnswerEvent]:
    yield Text("one")
    for pause in pauses:
        yield Paused(pause)
    yield Text(" two")


def test_a_pause_that_was_felt_is_a_line_of_its_own() -> None:
    out, spoken = io.StringIO(), Spoken()
    console = Console(
        file=out, force_terminal=True, color_system=None, markup=False, highlight=False, width=100
    )
    speak(paused_answer(ASLEEP, UNFELT, WAITED, WAITED, HOSTILE, WAITED), console, spoken)
    assert out.getvalue().splitlines() == [
        "one",
        "(desk went to sleep; moved to attic in 0.4 s)",
        "(desk was slow to compute; waited 0.9 s for it)",
        "(desk\N{REPLACEMENT CHARACTER}[2J went to sleep)",
        " two",
    ]
    assert spoken.text == "one two"


def test_waits_for_one_peer_are_summed_up_at_the_end() -> None:
    done = Done("stop", 1, 2, (), None, pauses=(ASLEEP, WAITED, UNFELT, WAITED))
    assert about(done, LETTERS)[-1] == "Waited for desk 2 times, 1.8 s in all."
    once = dataclasses.replace(done, pauses=(ASLEEP, WAITED))
    assert "Waited" not in " ".join(about(once, LETTERS))


@pytest.mark.parametrize("both", [True, False])
def test_in_a_pipe_the_answer_stays_whole(both: bool) -> None:
    out, err = io.StringIO(), io.StringIO()
    speak(
        paused_answer(ASLEEP),
        Console(file=out, force_terminal=both),
        Spoken(),
        Console(file=err, force_terminal=True, color_system=None, markup=False, width=100),
    )
    assert "desk went to sleep; moved to attic in 0.4 s" in err.getvalue()
    assert out.getvalue() == ("one\n two\n" if both else "one two\n")


def test_an_answer_is_closed_when_printing_it_fails() -> None:
    closed = []

    def events() -> Iterator[AnswerEvent]:
        try:
            yield Text("a")
            yield Text("b")
        finally:
            closed.append(True)

    file = io.StringIO()
    console = Console(file=file)
    file.close()
    with pytest.raises(ValueError, match="closed file"):
        speak(events(), console, Spoken())
    assert closed == [True]


# ---------------------------------------------------------------- for real


def chat(household: Household, *arguments: str, given: str | None = None) -> subprocess.CompletedProcess[str]:
    profile = str(household["laptop"].paths.root)
    return subprocess.run(
        [sys.executable, "-m", "swarm_app", "chat", "--profile", profile, *arguments],
        input=given,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.timeout(300)
def test_one_answer_goes_to_stdout_and_its_story_to_stderr(household: Household) -> None:
    result = chat(household, "--prompt", "-", given=QUESTION)
    assert result.returncode == 0, result.stderr
    assert "Paris" in result.stdout
    assert "TTFT" not in result.stdout
    assert "desk [0:10)" in result.stderr
    for word in ("TTFT", "tokens per second", "inter-token p95"):
        assert word in result.stderr
    assert "\x1b" not in result.stdout + result.stderr


@pytest.mark.timeout(300)
def test_a_prompt_without_words_is_refused(household: Household) -> None:
    result = chat(household, "--prompt", "  ")
    assert result.returncode == 2
    assert "The prompt is empty." in result.stderr


def wait_until(done: Callable[[], bool], timeout_s: float) -> bool:
    deadline = time.monotonic() + timeout_s
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


class Terminal:
    """A command on a pseudo-terminal."""

    def __init__(self, argv: list[str]) -> None:
        self.master, slave = pty.openpty()
        self.process = subprocess.Popen(
            argv,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm"},
        )
        os.close(slave)
        self.seen = ""

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def read(self, timeout_s: float = 0.2) -> str:
        """What came in that time, added to what was seen."""
        if select.select([self.master], [], [], timeout_s)[0]:
            with contextlib.suppress(OSError):
                self.seen += os.read(self.master, 65536).decode(errors="replace")
        return self.seen

    def interrupt_until(self, done: Callable[[], bool]) -> None:
        """Ctrl-C, and again as a person would where nothing happens: between printing a prompt and waiting
        for input there is a moment in which Python's readline does not notice."""
        for _ in range(20):
            self.process.send_signal(signal.SIGINT)
            if wait_until(done, 1.0):
                return
        raise AssertionError(f"Ctrl-C does nothing: {self.seen!r}")

    def wait_for(self, text: str, timeout_s: float = 60.0) -> None:
        """Read until `text` comes; what came before it is passed."""
        deadline = time.monotonic() + timeout_s
        while text not in self.seen:
            left = deadline - time.monotonic()
            assert left > 0, f"no {text!r} in {self.seen!r}"
            if select.select([self.master], [], [], left)[0]:
                try:
                    self.seen += os.read(self.master, 65536).decode(errors="replace")
                except OSError:
                    raise AssertionError(f"it ended without {text!r}: {self.seen!r}") from None
        self.seen = self.seen.partition(text)[2]

    def close(self) -> int:
        code = self.process.wait(20)
        os.close(self.master)
        return code


@pytest.mark.timeout(300)
def test_a_chat_on_a_terminal_stops_goes_on_and_leaves(household: Household) -> None:
    profile = str(household["laptop"].paths.root)
    terminal = Terminal([sys.executable, "-m", "swarm_app", "chat", "--profile", profile])
    terminal.wait_for("/quit")
    terminal.wait_for("> ")
    terminal.type(QUESTION + "\n")
    terminal.wait_for("Paris")
    terminal.wait_for("TTFT")
    terminal.wait_for("> ")
    terminal.type("Write a very long story about a lighthouse, with many chapters.\n")
    household["attic"].wait_until(lambda state: state["children"]["blocks"]["sessions"], "in a session")
    # As the terminal does it for Ctrl-C.
    terminal.process.send_signal(signal.SIGINT)
    terminal.wait_for("once more leaves")
    household.wait_until_idle(5.0)
    terminal.wait_for("> ")
    terminal.type("/nonsense\n")
    terminal.wait_for("/help")
    terminal.wait_for("> ")
    terminal.type("/quit\n")
    assert terminal.close() == 0


@pytest.mark.timeout(300)
def test_ctrl_c_at_the_prompt_leaves(household: Household) -> None:
    profile = str(household["laptop"].paths.root)
    terminal = Terminal([sys.executable, "-m", "swarm_app", "chat", "--profile", profile])
    terminal.wait_for("/quit")
    terminal.wait_for("> ")
    terminal.interrupt_until(lambda: terminal.process.poll() is not None)
    assert terminal.close() == 130
