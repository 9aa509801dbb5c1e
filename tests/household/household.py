"""A household: several nodes, a model in one store, and a mark on every process."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from swarm_app.config.options import NEVER_POLITE
from swarm_app.domain.span import Span
from swarm_app.localapi.view import StateView
from swarm_app.models.store import ModelStore
from tests.household.leftovers import Mark, describe
from tests.household.logind import Logind
from tests.household.namespaces import Lan
from tests.household.node import Node

NO_BUS = "unix:path=/nonexistent/system-bus"
"""No node of a household minds when the computer that it is tried on really sleeps or moves."""

NAMES = ("desk", "attic", "laptop", "kitchen", "nursery", "cellar", "studio", "garage")
GONE_S = 10.0
"""Everything of a node is gone this long after it stopped (scenario I2)."""


def usable(state: StateView) -> set[str]:
    """Names of the peers whose blocks can be used, as one node sees it."""
    return {peer["name"] for peer in state["swarm"]["peers"] if peer["on_route"]}


def even_spans(num_blocks: int, parts: int) -> list[Span]:
    """`parts` contiguous spans over all blocks, as equal as possible."""
    assert 1 <= parts <= num_blocks
    return [Span(num_blocks * i // parts, num_blocks * (i + 1) // parts) for i in range(parts)]


class Household:
    """Context manager: nodes with one span each, the first one founding the swarm.

    On loopback, or in network namespaces where `lan` is given (made already, with one for each node).
    With `sleepers` each node has a logind of its own, which can announce a sleep to it. The swarm is open,
    unless `private`: then the founder makes one with invites, and each other node joins by a link. With
    `admit` False they only run, and `link` makes the links that a test lets them join by.

    Leaving it stops all and raises AssertionError if any process of the household is left, whatever
    happened to its parents. `folder` keeps profiles and logs.
    """

    def __init__(
        self,
        folder: Path,
        *,
        models: Path,
        model: str,
        spans: Sequence[Span | None] | None = None,
        nodes: int = 3,
        names: Sequence[str] = NAMES,
        arguments: Sequence[str] = (),
        gone_s: float = GONE_S,
        lan: Lan | None = None,
        sleepers: bool = False,
        fallback: str = "never",
        private: bool = False,
        admit: bool = True,
    ) -> None:
        """`spans`: one per node, None for a node that only chats; left out, `nodes` even ones.

        `fallback`: whether a local model may take over; most tests are about the household alone.
        """
        self.folder = folder
        self._gone_s = gone_s
        self.model = ModelStore(models).find(model)
        self.num_blocks = self.model.manifest.num_blocks
        self.mark = Mark()
        chosen = list(even_spans(self.num_blocks, nodes) if spans is None else spans)
        assert len(chosen) <= len(names), "more spans than names"
        assert lan is None or len(chosen) == len(lan.nodes)
        self.lan = lan
        self.private = private
        self.admit = admit
        self.loginds = {name: Logind(folder / name) for name in names[: len(chosen)] if sleepers}
        self.spans = dict(zip(names, chosen, strict=False))
        self.nodes = [
            Node(
                folder / name,
                name,
                [
                    *("--models", str(models), "--model", model),
                    *("--span", str(span) if span else "none", "--fallback", fallback),
                    *NEVER_POLITE,
                    *arguments,
                    *(("--secrets", "file", "--nearby", "no") if private else ("--open",)),
                    *(() if lan is None else ("--listen", "0.0.0.0")),
                ],
                {
                    **self.mark.environment(),
                    "DBUS_SYSTEM_BUS_ADDRESS": self.loginds[name].address if sleepers else NO_BUS,
                },
                None if lan is None else lan.nodes[index],
            )
            for index, (name, span) in enumerate(self.spans.items())
        ]

    def __getitem__(self, name: str) -> Node:
        return next(node for node in self.nodes if node.name == name)

    def __enter__(self) -> Household:
        try:
            self.start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        left = self._end()
        # An error of the test itself goes first.
        if error is None:
            assert not left, "left behind:\n" + "\n".join(left)

    def start(self) -> None:
        """Start the founder, then the others through its addresses; returns before they are covered."""
        for logind in self.loginds.values():
            logind.start()
        founder, *others = self.nodes
        founder.start()
        if self.private:
            self._join_by_links(founder, others)
            return
        founder.wait_until(lambda state: state["children"]["blocks"]["addresses"], "reachable")
        for node in others:
            node.start(join=founder.swarm_addresses)

    def _join_by_links(self, founder: Node, others: Sequence[Node]) -> None:
        for node in others:
            node.start()
        with founder.inside(), founder.client() as client:
            client.membership.create("home")
        founder.wait_until(lambda state: state["children"]["blocks"]["addresses"], "reachable")
        if not self.admit:
            return
        for node in others:
            link = self.link()
            with node.inside(), node.client() as client:
                client.membership.join(link)

    def link(self) -> str:
        """A fresh link for one computer, by the founder of a private swarm."""
        founder = self.nodes[0]
        with founder.inside(), founder.client() as client:
            return client.membership.invite(role="member")["link"]

    def wait_until_covered(self, timeout_s: float = 90.0) -> None:
        """Every node sees all blocks served and can chat."""
        deadline = time.monotonic() + timeout_s
        for node in self.nodes:
            node.wait_until_covered(max(1.0, deadline - time.monotonic()))

    def wait_until_all_serve(self, by: Node, timeout_s: float = 90.0, *, but: int = 0) -> None:
        """`by` sees every node's blocks available and usable, those of `but` nodes at most left out."""
        serving = {node.name for node in self.nodes if self.spans[node.name] is not None}

        def true_of(state: StateView) -> bool:
            return len(serving - usable(state)) <= but

        by.wait_until(true_of, f"in a household of {', '.join(sorted(serving))}", timeout_s)

    def spares_of(self, name: str, seen: StateView) -> list[str]:
        """Other nodes with the very blocks of the node `name` that can be used, as `seen` by some node."""
        there = usable(seen)
        return [
            other
            for other, span in self.spans.items()
            if other != name and span == self.spans[name] and other in there
        ]

    def strays(self) -> list[str]:
        """Living processes of the household that belong to no node's present tree."""
        trees = {pid for node in self.nodes if node.running for pid in node.tree().pids}
        return [describe(process) for process in self.mark.processes() if process.pid not in trees]

    def wait_until_idle(self, timeout_s: float = 10.0) -> None:
        """No answer in flight and no session left on any node that runs."""
        deadline = time.monotonic() + timeout_s
        for node in self.nodes:
            if node.running:
                node.wait_until_idle(max(0.1, deadline - time.monotonic()))

    def _end(self) -> list[str]:
        """Stop all nodes together; returns what was left after `gone_s`, and kills that."""
        for node in self.nodes:
            if node.running:
                node.tree().go_on()  # who is stopped can neither be asked nor end
            node.ask_to_stop()
        left = self.mark.wait_gone(self._gone_s)
        self.mark.end_all()
        for node in self.nodes:
            node.reap()
        for logind in self.loginds.values():
            logind.stop()
        return left
