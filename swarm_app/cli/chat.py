"""``homeswarm chat``: a conversation on the terminal, or one answer with ``--prompt``."""

from __future__ import annotations

import dataclasses
import math
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from swarm_app.cli.console import err, out
from swarm_app.cli.printable import printable
from swarm_app.cli.profile import profile_option
from swarm_app.cli.strips import Glyphs, glyphs_for
from swarm_app.cli.talk import Spoken, about, speak
from swarm_app.domain.errors import BadRequest, FallbackOffered, HomeswarmError, NodeNotRunning
from swarm_app.localapi.answers import Choice, Turn

COMMANDS = """\
/new         start a new conversation
/regenerate  answer the last question again
/local       let the model of this computer answer from now on; /swarm: the household
/yes         let it answer, or go on, where the household cannot (with --fallback ask)
/quit        leave (as does Ctrl-D)
Ctrl-C       stop the answer; without one: leave"""

JUST_NOW_S = 1.0
"""A Ctrl-C this soon after an answer was meant for the answer."""


def choice_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """How an answer is chosen."""
    options: list[Callable[[Callable[..., Any]], Callable[..., Any]]] = [
        click.option("--seed", type=click.IntRange(0, 2**63 - 1), help="Makes a random answer repeatable."),
        click.option("--max-tokens", type=click.IntRange(1), metavar="N", help="Longest answer, in tokens."),
        click.option(
            "--temperature",
            type=click.FloatRange(0, 2),
            default=0.0,
            show_default=True,
            help="0 always takes the likeliest token; higher is more varied.",
        ),
        click.option("--system", metavar="TEXT", help="Instruction that stands before the conversation."),
    ]
    for option in options:
        command = option(command)
    return command


@click.command()
@click.option("--prompt", metavar="TEXT", help='Answer this and leave; "-" reads it from standard input.')
@click.option(
    "--prefer",
    type=click.Choice(("swarm", "local")),
    help="Who answers: the household, or the model of this computer. Default: the node's setting.",
)
@click.option(
    "--fallback",
    type=click.Choice(("auto", "ask", "never")),
    help="Whether this computer's model takes over when the household cannot. Default: the node's setting.",
)
@choice_options
@profile_option
def chat(
    prompt: str | None,
    prefer: str | None,
    fallback: str | None,
    system: str | None,
    temperature: float,
    max_tokens: int | None,
    seed: int | None,
    profile: Path | None,
) -> None:
    """Chat with the household's model.

    The answer is streamed from the running node of this computer. Below it stand the computers that it came
    through, the time to its first token (TTFT), tokens per second, and the p95 of the times between tokens.
    When the household cannot answer in time, the model of this computer does, and it says so.
    """
    choice = Choice(
        temperature=temperature,
        max_tokens=max_tokens,
        seed=seed,
        prefer=prefer or "",
        fallback=fallback or "",
    )
    if prompt is not None:
        answer_once(profile, read_prompt(prompt), choice, system)
    else:
        converse(profile, choice, system)


def read_prompt(prompt: str) -> str:
    """The text of ``--prompt``; raises BadRequest for an empty one."""
    text = sys.stdin.read() if prompt == "-" else prompt
    if not text.strip():
        raise BadRequest(
            "The prompt is empty.", remedy='Give a question, for example --prompt "Who was Ada?"'
        )
    # A word of the command line that is not valid in the terminal's encoding arrives with surrogates.
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def first_turns(system: str | None) -> list[Turn]:
    return [Turn("system", system)] if system else []


def answer_once(profile: Path | None, prompt: str, choice: Choice, system: str | None) -> None:
    """Print one answer to standard output and what there is to say about it to standard error."""
    console, remarks = out(), err()
    spoken = Spoken()
    ask(profile, [*first_turns(system), Turn("user", prompt)], choice, console, spoken, remarks)
    if spoken.done is not None:
        remarks.print()
        for line in about(spoken.done, glyphs_for(remarks)):
            remarks.print(line, style="dim")


def ask(
    profile: Path | None,
    turns: Sequence[Turn],
    choice: Choice,
    console: Console,
    spoken: Spoken,
    remarks: Console | None = None,
) -> None:
    """Print the answer to `turns` as it comes, and remarks about it on `remarks` (None: there too).

    An interrupt cancels it on the peers as well.
    """
    from swarm_app.localapi.client import LocalClient

    with LocalClient.from_profile(profile) as client:
        # A conversation that has become too long goes on without its beginning, as in the window.
        speak(client.chat(turns, choice, trim=True), console, spoken, remarks)


class Conversation:
    """The turns so far, and what the person's commands do to them. `ask` answers turns into a Spoken."""

    def __init__(
        self,
        ask: Callable[[Sequence[Turn], Choice, Spoken], None],
        choice: Choice,
        system: str | None,
        console: Console,
        glyphs: Glyphs,
    ) -> None:
        self._ask = ask
        self._choice = choice
        self._system = system
        self._console = console
        self._glyphs = glyphs
        self._offered: tuple[Turn, Choice] | None = None
        """What the local model could answer: the question, and how."""
        self.turns = first_turns(system)

    def enter(self, line: str) -> bool:
        """Do what a line says; False to leave. KeyboardInterrupt stops an answer and gets out of here."""
        word = line.strip()
        match word:
            case "":
                return True
            case "/quit" | "/exit":
                return False
            case "/help":
                self._console.print(COMMANDS)
            case "/new":
                self.turns = first_turns(self._system)
                self._console.print("A new conversation.", style="dim")
            case "/regenerate":
                self._regenerate()
            case "/local" | "/swarm":
                self._prefer(word[1:])
            case "/yes":
                self._accept()
            case _ if word.startswith("/") and " " not in word and "/" not in word[1:]:
                self._console.print(f"There is no {printable(word)}; /help lists the commands.")
            case _:
                self.turns.append(Turn("user", line))
                self._answer(self._choice)
        return True

    def _prefer(self, who: str) -> None:
        self._choice = dataclasses.replace(self._choice, prefer=who)
        told = "The model of this computer" if who == "local" else "The household"
        self._console.print(f"{told} answers from now on.", style="dim")

    def _accept(self) -> None:
        if self._offered is None:
            self._console.print("Nothing was offered.")
            return
        (question, choice), self._offered = self._offered, None
        begun = self.turns[-1].role == "assistant"
        if not begun:
            self.turns.append(question)
        self._answer(dataclasses.replace(choice, prefer="local", continues=begun))

    def _regenerate(self) -> None:
        if not any(turn.role == "user" for turn in self.turns):
            self._console.print("There is no question yet.")
            return
        before = list(self.turns)
        if self.turns[-1].role == "assistant":
            self.turns.pop()
        # The likeliest answer would only come again.
        warmer = dataclasses.replace(self._choice, temperature=self._choice.temperature or 0.7, seed=None)
        try:
            self._answer(warmer)
        finally:
            if len(self.turns) < len(before):
                self.turns = before

    def _answer(self, choice: Choice) -> None:
        spoken = Spoken()
        question = next((turn for turn in reversed(self.turns) if turn.role == "user"), None)
        self._offered = None
        try:
            self._ask(self.turns, choice, spoken)
        except FallbackOffered as offer:
            self._console.print(f"{offer.message} /yes lets it.", style="yellow")
            if question is not None:
                self._offered = question, choice
        except NodeNotRunning:
            raise  # the chat ends with it, and that is said once
        except HomeswarmError as error:
            self._console.print(f"{error}", style="yellow")
        except KeyboardInterrupt:
            self._console.print("(stopped)", style="dim")
            raise
        finally:
            # Stopped or failed in the middle: what was said stays a part of the conversation. A question
            # without any answer is taken back, so that it can be asked again.
            if choice.continues and self.turns[-1].role == "assistant":
                self.turns.append(Turn("assistant", self.turns.pop().content + spoken.text))
            elif spoken.text:
                self.turns.append(Turn("assistant", spoken.text))
            elif self.turns[-1].role == "user":
                self.turns.pop()
        if spoken.done is not None:
            for line in about(spoken.done, self._glyphs):
                self._console.print(line, style="dim")


def converse(profile: Path | None, choice: Choice, system: str | None) -> None:
    """Read lines and answer them until the person leaves."""
    console = out()

    def answer(turns: Sequence[Turn], choice: Choice, spoken: Spoken) -> None:
        ask(profile, turns, choice, console, spoken)

    conversation = Conversation(answer, choice, system, console, glyphs_for(console))
    interactive = sys.stdin.isatty()
    if interactive:
        with_line_editing()
        console.print(f"Ask something, or:\n{COMMANDS}", style="dim")
    answered_s = -math.inf
    while True:
        answering = False
        try:
            line = input("\n> " if interactive else "")
            answering = True
            if not conversation.enter(line):
                return
            answered_s = time.monotonic()
        except EOFError:
            if interactive:
                console.print()
            return
        except KeyboardInterrupt:
            if not interactive or not (answering or time.monotonic() - answered_s < JUST_NOW_S):
                raise
            answered_s = -math.inf
            console.print("Ctrl-C once more leaves.", style="dim")


def with_line_editing() -> None:
    """Arrow keys and history for `input`, where the system has them."""
    try:
        import readline  # noqa: F401
    except ImportError:
        return
