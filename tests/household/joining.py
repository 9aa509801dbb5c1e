"""``python -m tests.household join``: how long a computer takes from a pasted link to "available".

A founder serves half of the model; a second node, in no swarm, has the model and runs. The clock starts when
the link is given to its local API, as the command line and the window give it. State owned: none. Callers:
the command.
"""

from __future__ import annotations

import argparse
import contextlib
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from swarm_app.domain.errors import HomeswarmError
from swarm_app.localapi.view import PeerView, StateView
from tests.household.embedded import import_embedded
from tests.household.faulting import announce, give, machine, output_arguments
from tests.household.household import Household, even_spans
from tests.household.ledger import distribution
from tests.household.node import Node

JOIN_S = 120.0

Seen = Callable[[StateView], object]


def join_arguments(commands: Any) -> None:
    """Add the command's parser to `commands`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "join", help="join a private household by a link, and measure the time to available by its phases"
    )
    parser.add_argument("--runs", type=int, default=5, help="each with its own nodes; default: %(default)s")
    parser.add_argument(
        "--at-once", action="store_true", help="paste the link as soon as the node runs, before it is warm"
    )
    output_arguments(parser)


class Milestones:
    """Notes when a node's state is first as wanted; a thread that ends with the node or `close`."""

    def __init__(self, node: Node, wanted: Mapping[str, Seen]) -> None:
        self.at: dict[str, float] = {}
        """Monotonic seconds, by milestone."""
        self.all = threading.Event()
        self._wanted = dict(wanted)
        self._node = node
        self._thread = threading.Thread(target=self._watch, name=f"milestones of {node.name}")
        self._thread.start()

    def _watch(self) -> None:
        # The node may be stopped before it got there: whoever waits for `all` says so.
        with contextlib.suppress(HomeswarmError), self._node.client() as client:
            for change in client.events():
                now_s = time.monotonic()
                for name, seen in self._wanted.items():
                    if name not in self.at and seen(change.state):
                        self.at[name] = now_s
                if len(self.at) == len(self._wanted):
                    self.all.set()
                    return

    def close(self) -> None:
        self._thread.join()


def _peer(state: StateView, name: str) -> PeerView | None:
    return next((peer for peer in state["swarm"]["peers"] if peer["name"] == name), None)


def available(name: str) -> Seen:
    """The peer with that name can be used."""

    def true_of(state: StateView) -> bool:
        peer = _peer(state, name)
        return peer is not None and peer["on_route"] and peer["state"] == "available"

    return true_of


def child_is(kind: str, *phases: str) -> Seen:
    """The child is in one of those phases."""
    return lambda state: state["children"][kind]["phase"] in phases  # type: ignore[literal-required]


def settled(state: StateView) -> bool:
    """A node in no swarm has prepared what it can: its children say what they hold then."""
    children = (state["children"]["blocks"], state["children"]["engine"])
    outside = state["membership"]["standing"] == "outside"
    return outside and all(child["phase"] == "warm" and child["memory_bytes"] for child in children)


def join_once(rig: Household, *, at_once: bool = False) -> dict[str, float]:
    """Let the second node of a private household join; seconds from the pasted link to each milestone.

    ``redeemed``: the local API has answered. ``blocks_``, ``engine_`` ``listening`` and ``ready``: the
    joiner's own children. ``can_chat``: all blocks are covered and its engine is ready. ``available``: the
    founder sees it so.
    """
    founder, joiner = rig.nodes
    founder.wait_until(child_is("blocks", "ready"), "serving")
    founder.wait_until(child_is("engine", "ready"), "looking")
    joiner.wait_until(
        (lambda state: state["membership"]["standing"] == "outside") if at_once else settled, "settled"
    )
    link = rig.link()
    ready = ("ready",)
    seen = [
        Milestones(founder, {"available": available(joiner.name)}),
        Milestones(
            joiner,
            {
                "blocks_listening": child_is("blocks", "listening", *ready),
                "blocks_ready": child_is("blocks", *ready),
                "engine_listening": child_is("engine", "listening", *ready),
                "engine_ready": child_is("engine", *ready),
                "can_chat": lambda state: (
                    state["swarm"]["covered"] and state["children"]["engine"]["phase"] == "ready"
                ),
            },
        ),
    ]
    with joiner.client() as client:
        began_s = time.monotonic()
        client.membership.join(link)
        found = {"redeemed": time.monotonic()}
    for milestones in seen:
        assert milestones.all.wait(JOIN_S), (milestones.at, joiner.state(), joiner.log())
        milestones.close()
        found |= milestones.at
    return {name: round(at_s - began_s, 3) for name, at_s in sorted(found.items(), key=lambda one: one[1])}


def join_command(chosen: argparse.Namespace) -> int:
    """Run by run, then the distribution of each milestone."""
    with contextlib.ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hs-rig-")))
        # The model, imported once, stays for the next time.
        models = Path(tempfile.gettempdir()) / "homeswarm-household" / "models"
        embedded = import_embedded(models, chosen.quant)
        runs: list[dict[str, float]] = []
        for number in range(chosen.runs):
            with Household(
                folder / f"run{number}",
                models=embedded.models,
                model=embedded.name,
                spans=even_spans(30, 2),
                names=["desk", "laptop"],
                private=True,
                admit=False,
            ) as rig:
                runs.append(join_once(rig, at_once=chosen.at_once))
            announce(f"run {number + 1}: {runs[-1]}")
    found = {name: distribution(run[name] for run in runs) for name in runs[0]}
    document = {
        "kind": "join",
        "at_once": chosen.at_once,
        "machine": machine(),
        "join_s": found,
        "runs": runs,
    }
    least, most = (pick(run["available"] for run in runs) for pick in (min, max))
    give(document, chosen, f"from the link to available: {least:.2f} to {most:.2f} s in {len(runs)} runs")
    return 0
