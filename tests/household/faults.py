"""What can happen to a node in the middle of an answer, and how it is undone.

State owned: what each fault holds until it is undone. Callers: `tests.household.campaign`, tests.
"""

from __future__ import annotations

import os
import signal
import time
from abc import ABC, abstractmethod
from typing import ClassVar

from tests.household.household import Household
from tests.household.node import Node
from tests.household.throttle import Throttle, throttle
from tests.household.tree import Tree

AWAY_S = 8.0
"""How long a link is down where it comes back by itself: roaming to another network (scenario B1)."""

SLOW_SHARE = 0.05
"""Of one processor (scenario H1)."""

ENDS_S = 2.0
"""A killed process is gone after this."""


class Fault(ABC):
    """One fault that strikes `victim` while `asker` waits for an answer; use each once."""

    kind: ClassVar[str]
    about: ClassVar[str]
    needs_lan: ClassVar[bool] = False
    """A link of the node's own: network namespaces."""
    needs_logind: ClassVar[bool] = False

    def __init__(self, rig: Household, asker: Node, victim: Node) -> None:
        self.rig = rig
        self.asker = asker
        self.victim = victim
        self.tree = Tree(())
        self.struck_s = 0.0
        """When it happened, monotonic."""
        self.returned_s: float | None = None
        """When the victim could work again as far as the fault is concerned; None while it cannot."""

    def prepare(self) -> None:
        """Look up beforehand what would take time when it happens."""
        self.tree = self.victim.tree()

    def strike(self) -> None:
        """Let it happen; where the fault ends by itself, this returns after that."""
        self.struck_s = time.monotonic()
        self.happen()

    @abstractmethod
    def happen(self) -> None: ...

    def undo(self) -> None:  # noqa: B027  (there is nothing to undo where it ends by itself)
        """Let the victim come back, where it has not by itself."""

    def returns(self) -> None:
        self.returned_s = time.monotonic()


class Goodnight(Fault):
    kind = "goodnight"
    about = "logind announces a sleep; everything is stopped once nobody delays it"
    needs_logind = True

    def happen(self) -> None:
        self.rig.loginds[self.victim.name].announce_sleep()
        self.tree.stop()

    def undo(self) -> None:
        self.tree.go_on()
        self.returns()
        self.rig.loginds[self.victim.name].announce_wake()


class Withdraw(Fault):
    kind = "withdraw"
    about = "its owner takes the blocks back, over the local API"

    def prepare(self) -> None:
        super().prepare()
        # On a busy computer making a client takes as long as the rest of a short answer.
        with self.victim.inside():
            self._client = self.victim.client()
            self._client.state()

    def happen(self) -> None:
        with self._client, self.victim.inside():
            self._client.withdraw()

    def undo(self) -> None:
        with self.victim.inside(), self.victim.client() as client:
            client.serve()
        self.returns()


class Unplug(Fault):
    kind = "unplug"
    about = "UPower says that it runs on battery, and its options pause contributing then (--on-battery)"
    needs_logind = True

    def happen(self) -> None:
        self.rig.loginds[self.victim.name].battery(True)

    def undo(self) -> None:
        self.rig.loginds[self.victim.name].battery(False)
        self.returns()


class SilentSleepLinkUp(Fault):
    kind = "silent-sleep-link-up"
    about = "the whole tree is stopped; its kernel still acknowledges"

    def happen(self) -> None:
        self.tree.stop()

    def undo(self) -> None:
        self.tree.go_on()
        self.returns()


class SilentSleep(Fault):
    kind = "silent-sleep"
    about = "the whole tree is stopped and its link is down"
    needs_lan = True

    def happen(self) -> None:
        assert self.victim.namespace is not None
        self.tree.stop()
        self.victim.namespace.cut()

    def undo(self) -> None:
        assert self.victim.namespace is not None
        self.tree.go_on()
        self.victim.namespace.join()
        self.returns()


class Kill(Fault):
    kind = "kill"
    about = "the whole tree is killed"

    def happen(self) -> None:
        self.tree.kill()
        self.victim.reap()

    def undo(self) -> None:
        self.tree.wait_gone(ENDS_S)
        self.victim.start(join=self.asker.swarm_addresses)
        self.returns()


class Restart(Kill):
    kind = "restart"
    about = "the whole tree is killed and started again at once, under the same identity"

    def happen(self) -> None:
        super().happen()
        super().undo()

    def undo(self) -> None:
        pass


class ChildDeath(Fault):
    kind = "child-death"
    about = "the process that serves the blocks is killed, its node lives"

    def __init__(self, rig: Household, asker: Node, victim: Node) -> None:
        super().__init__(rig, asker, victim)
        self._pid: int | None = None

    def prepare(self) -> None:
        self._pid = self.victim.state()["children"]["blocks"]["pid"]

    def happen(self) -> None:
        assert self._pid is not None, "the blocks process was not running"
        os.kill(self._pid, signal.SIGKILL)
        self.returns()


class Slow(Fault):
    kind = "slow"
    about = f"the whole tree gets {SLOW_SHARE:.0%} of one processor"

    def __init__(self, rig: Household, asker: Node, victim: Node) -> None:
        super().__init__(rig, asker, victim)
        self._throttle: Throttle | None = None

    @property
    def how(self) -> str:
        return self._throttle.how if self._throttle else ""

    def happen(self) -> None:
        self._throttle = throttle(self.tree, SLOW_SHARE)

    def undo(self) -> None:
        if self._throttle is not None:
            self._throttle.lift()
        self.returns()


class Cut(Fault):
    kind = "cut"
    about = f"its link is down for {AWAY_S:.0f} s; it comes back under the same address"
    needs_lan = True

    def happen(self) -> None:
        assert self.victim.namespace is not None
        self.victim.namespace.cut()
        time.sleep(AWAY_S)
        self.victim.namespace.join()
        self.returns()


class Move(Fault):
    kind = "move"
    about = f"its link is down for {AWAY_S:.0f} s; it comes back under another address"
    needs_lan = True

    def happen(self) -> None:
        namespace = self.victim.namespace
        assert namespace is not None
        namespace.cut()
        time.sleep(AWAY_S)
        # Back and forth between two addresses, both outside those of the other nodes.
        namespace.move(namespace.host - 100 if namespace.host > 100 else namespace.host + 100)
        namespace.join()
        self.returns()


class AllGone(Fault):
    kind = "all-gone"
    about = "every node but the asking one is stopped at once"

    def __init__(self, rig: Household, asker: Node, victim: Node) -> None:
        super().__init__(rig, asker, victim)
        self._trees: list[Tree] = []

    def prepare(self) -> None:
        self._trees = [node.tree() for node in self.rig.nodes if node is not self.asker]

    def happen(self) -> None:
        for tree in self._trees:
            tree.stop()

    def undo(self) -> None:
        for tree in self._trees:
            tree.go_on()
        self.returns()


FAULTS: dict[str, type[Fault]] = {
    fault.kind: fault
    for fault in (
        Goodnight,
        Withdraw,
        Unplug,
        SilentSleepLinkUp,
        SilentSleep,
        Kill,
        Restart,
        ChildDeath,
        Slow,
        Cut,
        Move,
        AllGone,
    )
}

RANDOM = ("withdraw", "silent-sleep-link-up", "kill", "restart", "child-death", "slow")
"""Among which ``--kind random`` chooses: those that need neither namespaces nor a mock."""
