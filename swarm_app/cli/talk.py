"""One answer on the terminal: the text as it comes, then who gave it and how fast."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence

from rich.console import Console

from swarm_app.cli.console import in_ms
from swarm_app.cli.draw import route
from swarm_app.cli.printable import printable
from swarm_app.cli.strips import Glyphs
from swarm_app.domain.pause import Pause
from swarm_app.localapi.answers import AnswerEvent, Begun, Done, Paused, Switched, Text


class Spoken:
    """What of an answer has arrived, also when it was stopped in the middle."""

    def __init__(self) -> None:
        self.text = ""
        self.begun: Begun | None = None
        self.switched: Switched | None = None
        self.done: Done | None = None


def speak(
    events: Iterator[AnswerEvent], console: Console, spoken: Spoken, remarks: Console | None = None
) -> None:
    """Print the pieces of an answer as they come and note them in `spoken`.

    A pause that a person wants to know of is a dim line of its own on `remarks` (None: on `console`); of the
    waits for one peer only the first. Raises what the answer raises. Ends the line, and the answer, in every
    case.
    """
    aside = remarks or console
    waited_for: set[tuple[str, ...]] = set()
    # On one and the same screen a remark begins a line, and the answer goes on below it.
    same_screen = aside is console or (aside.is_terminal and console.is_terminal)
    in_line = False

    def end_line() -> None:
        nonlocal in_line
        if in_line:
            console.file.write("\n")
            console.file.flush()
        in_line = False

    try:
        for event in events:
            match event:
                case Begun():
                    spoken.begun = event
                    if event.engine == "local" and event.reason:
                        aside.print(
                            f"({printable(f'{event.model} on this computer: {event.reason}')})", style="dim"
                        )
                case Switched(model=model, trimmed_messages=trimmed):
                    # The pause that follows tells of it, when its length is known.
                    spoken.switched = event
                    if trimmed:
                        if same_screen:
                            end_line()
                        told = f"{model} has room for less: the {trimmed} oldest messages are left out"
                        aside.print(f"({printable(told)})", style="dim")
                case Text(text):
                    spoken.text += text
                    # Past rich, which would wrap lines and turn tabs into spaces.
                    console.file.write(printable(text, keep="\n\t"))
                    console.file.flush()
                    in_line = not text.endswith("\n")
                case Paused(pause):
                    # A slow peer is slow again and again: once is enough in the middle of a text.
                    wait = () if pause.moved_to else (pause.peer, pause.cause)
                    if pause.worth_telling and wait not in waited_for:
                        if wait:
                            waited_for.add(wait)
                        if same_screen:
                            end_line()
                        aside.print(f"({printable(pause.text)})", style="dim")
                case Done():
                    spoken.done = event
    finally:
        if isinstance(events, Generator):
            # Now, and not when somebody collects it: closing is what cancels the answer on the peers.
            events.close()
        end_line()


def about(done: Done, glyphs: Glyphs) -> list[str]:
    """Who answered and how fast: TTFT, tokens per second of decode, p95 between tokens."""
    lines = []
    for segment in done.segments:
        through = f": {route(segment.route, glyphs)}" if segment.route else ""
        if segment.engine == "local":
            through = f": {printable(segment.model)} on this computer"
        reason = f" ({printable(segment.reason)})" if segment.reason else ""
        if segment.remedy:
            reason += f". {printable(segment.remedy)}"
        lines.append(f"{segment.engine}{through}{reason}")
    count = done.completion_tokens
    words = f"{count} token" + ("" if count == 1 else "s")
    if done.timing is not None:
        words += f", TTFT {in_ms(done.timing.ttft_s)}"
        if count > 1 and done.timing.decode_s > 0:
            words += (
                f", {(count - 1) / done.timing.decode_s:.1f} tokens per second"
                f", inter-token p95 {in_ms(done.timing.itl_p95_s)}"
            )
    lines.append(words)
    lines += waits(done.pauses)
    if done.trimmed_messages:
        lines.append(f"The {done.trimmed_messages} oldest messages no longer fit and were left out.")
    if done.reason == "length":
        lines.append("The answer was cut at its longest allowed length.")
    return lines


def waits(pauses: Sequence[Pause]) -> list[str]:
    """A line for each peer that was waited for several times: how often, and for how long in all."""
    together: dict[str, list[float]] = {}
    for pause in pauses:
        if not pause.moved_to and pause.worth_telling:
            together.setdefault(pause.name, []).append(pause.total_s)
    return [
        f"Waited for {printable(name)} {len(each)} times, {sum(each):.1f} s in all."
        for name, each in together.items()
        if len(each) > 1
    ]
