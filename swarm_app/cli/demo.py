"""``homeswarm demo``: a household on this one computer, with a real model and a real swarm."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import click

from swarm_app.cli.chat import answer_once, choice_options, converse, read_prompt
from swarm_app.cli.console import err, progress
from swarm_app.cli.gathering import Gathering
from swarm_app.cli.model import QUANTS, store_of, store_options
from swarm_app.cli.nodes import StartedNode, stop_all
from swarm_app.config.options import NEVER_POLITE
from swarm_app.config.paths import default_profile
from swarm_app.domain.errors import (
    ChildDown,
    HomeswarmError,
    ModelNotFound,
    NodeNotRunning,
    NoRoute,
)
from swarm_app.domain.span import Span
from swarm_app.localapi.answers import Choice
from swarm_app.localapi.view import StateView

if TYPE_CHECKING:
    from swarm_app.models.store import ModelStore, StoredModel

NAMES = ("desk", "attic", "laptop", "kitchen", "nursery", "cellar")
GATHER_S = 300.0
"""A slow old computer takes a minute or two to load torch six times; beyond that something hangs."""
LOOK_S = 0.2


@click.command()
@click.option(
    "--prompt", metavar="TEXT", help='Answer this, stop everything and leave; "-" reads standard input.'
)
@click.option(
    "--nodes",
    type=click.IntRange(1, len(NAMES)),
    default=3,
    show_default=True,
    help="How many nodes to start.",
)
@click.option(
    "--quant",
    type=click.Choice(QUANTS),
    default="int8",
    show_default=True,
    help="Weights of the model's blocks.",
)
@click.option("--terminal", is_flag=True, help="Chat in the terminal, also where a window can open.")
@choice_options
@store_options
def demo(
    prompt: str | None,
    nodes: int,
    quant: str,
    terminal: bool,
    system: str | None,
    temperature: float,
    max_tokens: int | None,
    seed: int | None,
    profile: Path | None,
    models: Path | None,
) -> None:
    """Try it out: a household of three nodes on this computer.

    Imports the small model that comes with Homeswarm, starts a node for each of three make-believe computers
    (desk, attic and laptop), which share the model's blocks, and opens a window on them, or a chat in the
    terminal where there is no display. Everything that was started stops with it. The nodes' profiles lie
    below --profile, or beside the user's own.
    """
    question = read_prompt(prompt) if prompt is not None else None
    choice = Choice(temperature=temperature, max_tokens=max_tokens, seed=seed)
    home = profile if profile is not None else default_profile().parent / "demo"
    with orderly_end():
        store = store_of(None, models)
        stored = default_model(store, quant)
        with household(home, store.root, stored, NAMES[:nodes]) as desk:
            if question is not None:
                answer_once(desk.paths.root, question, choice, system)
            elif terminal or not has_display() or not open_window(desk.paths.root):
                converse(desk.paths.root, choice, system)


def has_display() -> bool:
    """Whether a person sits before a screen that a window can open on."""
    if not sys.stdin.isatty():
        return False
    on_screen = "DISPLAY" in os.environ or "WAYLAND_DISPLAY" in os.environ
    return on_screen or sys.platform in ("darwin", "win32")


def open_window(profile: Path) -> bool:
    """Open the window on a running node until it is closed; False where it could not open.

    In a process of its own: a display that refuses ends a whole process, and the nodes are this one's.
    """
    command = [sys.executable, "-m", "swarm_app", "app", "--profile", str(profile), "--attached"]
    err().print("The window is open. Closing it stops the demo; --terminal chats here.", style="dim")
    return subprocess.run(command, check=False).returncode == 0


@contextmanager
def orderly_end() -> Iterator[None]:
    """A closed terminal or a SIGTERM ends the demo as Ctrl-C does: it stops its nodes first."""

    def end(number: int, frame: FrameType | None) -> None:
        raise click.exceptions.Exit(128 + number)

    before = {number: signal.signal(number, end) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def default_model(store: ModelStore, quant: str) -> StoredModel:
    """The embedded model with these weights, imported when it is missing or no longer whole."""
    from swarm_app.models.default import DEFAULT_NAME, embedded_default
    from swarm_app.models.importing import import_model
    from swarm_app.models.manifest import Quant

    name = DEFAULT_NAME + ("" if quant == "none" else f"-{quant}")
    try:
        stored = store.find(name)
        if all(stored.has(entry.name) for entry in stored.manifest.files):
            return stored
        store.remove(name)
    except ModelNotFound:
        pass
    with progress(err()) as tell:
        return import_model(str(embedded_default()), store, quant=Quant(quant), name=name, progress=tell)


def even_spans(num_blocks: int, parts: int) -> list[Span]:
    """`parts` contiguous spans over all blocks, as equal as possible."""
    return [Span(num_blocks * i // parts, num_blocks * (i + 1) // parts) for i in range(parts)]


@contextmanager
def household(home: Path, models: Path, model: StoredModel, names: Sequence[str]) -> Iterator[StartedNode]:
    """Start a node per name, wait until all blocks are covered, and yield the first one; stops all."""
    nodes: list[StartedNode] = []
    spans = even_spans(model.manifest.num_blocks, len(names))
    console = err()
    began_s = time.monotonic()
    try:
        with Gathering(console, names, spans) as gathering:

            def start(name: str, span: Span, join: Sequence[str]) -> None:
                joining = [word for address in join for word in ("--join", address)]
                common = ["--open", "--models", str(models), "--model", model.name, "--span", str(span)]
                nodes.append(StartedNode(home / name, name, [*common, *NEVER_POLITE, *joining]))

            start(names[0], spans[0], ())
            gather(nodes, gathering, reachable)
            addresses = reachable(gathering.states)
            for name, span in zip(names[1:], spans[1:], strict=True):
                start(name, span, addresses)
            gather(nodes, gathering, usable)
        console.print(
            f"{len(names)} nodes serve all {model.manifest.num_blocks} blocks of {model.name}"
            f" (ready after {time.monotonic() - began_s:.0f} s).\n",
            style="dim",
        )
        yield nodes[0]
    finally:
        stop_all(nodes)


def reachable(states: Sequence[StateView | None]) -> list[str]:
    """The first node's addresses in the swarm."""
    first = states[0] if states else None
    return first["children"]["blocks"]["addresses"] if first else []


def usable(states: Sequence[StateView | None]) -> bool:
    """Whether the first node can chat through all blocks."""
    first = states[0]
    return first is not None and first["swarm"]["covered"] and first["children"]["engine"]["phase"] == "ready"


def gather(
    nodes: Sequence[StartedNode],
    gathering: Gathering,
    enough: Callable[[Sequence[StateView | None]], object],
) -> None:
    """Look at the nodes until it is `enough`. Raises what keeps them from coming."""
    deadline_s = time.monotonic() + GATHER_S
    while True:
        states = [look_at(node) for node in nodes]
        gathering.show(states)
        if enough(states):
            return
        for node, state in zip(nodes, states, strict=True):
            if state is not None and (down := what_is_down(state)) is not None:
                raise ChildDown(f"{node.name}: {down.message}", remedy=f"Its log is {node.log}.")
        if time.monotonic() > deadline_s:
            raise NoRoute(
                f"The nodes did not get ready in {GATHER_S:.0f} s.",
                remedy=f"Their logs are in {nodes[0].paths.root.parent}.",
            )
        time.sleep(LOOK_S)


def look_at(node: StartedNode) -> StateView | None:
    """The node's state; None while it is not there to answer."""
    from swarm_app.localapi.client import LocalClient

    address = node.address()
    if address is None:
        return None
    try:
        with LocalClient(address) as client:
            return client.state()
    except NodeNotRunning:
        # It ends, or is busy: the next look tells.
        return None


def what_is_down(state: StateView) -> HomeswarmError | None:
    """Why a child of this node stays down, if one does."""
    for child in (state["children"]["blocks"], state["children"]["engine"]):
        if child["phase"] == "down":
            reason = child["reason"]
            last = child["last_words"][-1] if child["last_words"] else "it ended"
            return ChildDown(reason["message"] if reason else last)
    return None
