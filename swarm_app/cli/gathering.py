"""The picture of a household that comes together: a line per node and the coverage, moving on a terminal."""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from swarm_app.cli.printable import cleaned
from swarm_app.cli.strips import glyphs_for, strip
from swarm_app.domain.span import Span
from swarm_app.localapi.view import StateView


def doing(state: StateView | None, chats: bool) -> str:
    """What a node does now, in a few words; `chats`: it is the one whose engine is waited for."""
    if state is None:
        return "starting"
    blocks, engine = state["children"]["blocks"], state["children"]["engine"]
    if blocks["phase"] == "ready":
        if not chats:
            return "serving"
        return (
            "serving, ready to chat" if engine["phase"] == "ready" else f"serving, engine {engine['phase']}"
        )
    work = blocks["work"]
    if work is None or work["done"] >= work["total"]:
        return f"blocks {blocks['phase']}"
    share = f" {100 * work['done'] // work['total']} %" if work["total"] else ""
    return f"{work['what']}{share}"


class Gathering:
    """Context manager; `show` what is known of the nodes, in the order of `names`."""

    def __init__(self, console: Console, names: Sequence[str], spans: Sequence[Span]) -> None:
        self._console = console
        self._names = names
        self._spans = spans
        self._glyphs = glyphs_for(console)
        self._began_s = time.monotonic()
        self._said: dict[str, str] = {}
        self._live = Live(console=console, refresh_per_second=8) if console.is_terminal else None
        self.states: list[StateView | None] = []

    def __enter__(self) -> Gathering:
        if self._live is not None:
            self._live.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.update(self.picture(waiting=False))
            self._live.__exit__(kind, error, trace)

    def show(self, states: Sequence[StateView | None]) -> None:
        self.states = [cleaned(state) for state in states]
        if self._live is not None:
            self._live.update(self.picture())
        else:
            self._say_changes()

    def _doing(self) -> list[str]:
        waiting = ["waiting for the first"] * (len(self._names) - len(self.states))
        return [doing(state, chats=i == 0) for i, state in enumerate(self.states)] + waiting

    def _served(self) -> list[range]:
        return [
            span.blocks
            for state, span in zip(self.states, self._spans, strict=False)
            if state is not None and state["children"]["blocks"]["phase"] == "ready"
        ]

    def picture(self, waiting: bool = True) -> Group:
        """A line per node with its strip, and how long it takes already."""
        num_blocks = self._spans[-1].end
        width = max(len(name) for name in self._names)
        served = self._served()
        lines = []
        for name, span, words in zip(self._names, self._spans, self._doing(), strict=True):
            mine = [span.blocks]
            there = span.blocks in served
            line = Text(f"  {name:<{width}}  ")
            line.append_text(strip(num_blocks, mine if there else [], [] if there else mine, self._glyphs))
            lines.append(line.append(f"  {span!s:>5}  {words}"))
        if waiting:
            lines.append(Text(f"  {'':<{width}}  {time.monotonic() - self._began_s:.0f} s", "dim"))
        return Group(Text("A household on this computer", "bold"), *lines)

    def _say_changes(self) -> None:
        """Where nothing can move: a line whenever a node does something else."""
        for name, words in zip(self._names, self._doing(), strict=True):
            kind = words.rstrip("0123456789% ")
            if self._said.get(name) != kind:
                self._said[name] = kind
                self._console.print(f"{name}: {kind}")
