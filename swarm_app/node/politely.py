"""Keeps the decision about contributing up to date, and what the owner chose over a restart.

State owned: since when each condition has been the case, and the profile's ``contribution.json``. Callers:
`swarm_app.node.process`. What is decided is in `swarm_app.node.politeness`.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from swarm_app.config import choicefile
from swarm_app.config.choicefile import OwnChoice
from swarm_app.domain.clock import Clock, SystemClock
from swarm_app.node.events import ChoiceEnded, ContributionDecided, WriteTried
from swarm_app.node.politeness import SETTLE_S, Condition, Latch, Stance, decide, is_over, settle
from swarm_app.node.state import Keeps, State
from swarm_app.node.store import Store
from swarm_app.node.writing import Written

LOOK_S = 1.0
"""Minutes begin and conditions settle without an event."""


def seen(state: State) -> dict[Condition, bool | None]:
    """What this computer says now of each condition; None where it cannot be known."""
    return {
        Condition.FULL_SCREEN: state.seen.full_screen,
        Condition.BATTERY: state.power.on_battery,
        Condition.METERED: state.link.metered,
        Condition.ACTIVE: state.seen.active,
    }


class Politely:
    """Runs until the node stops. `local` gives the time on the wall for seconds since the epoch."""

    def __init__(
        self,
        store: Store,
        path: Path,
        clock: Clock | None = None,
        local: Callable[[float], datetime] = datetime.fromtimestamp,
    ) -> None:
        self._store = store
        self._clock = clock or SystemClock()
        self._local = local
        self._written = Written(path, choicefile.write, store.state.choice, self._clock)
        self._latches = {condition: Latch() for condition in Condition}

    async def run(self) -> None:
        while not self._store.state.stopping:
            self.look()
            await self._store.next_change(LOOK_S)
        self._remember(self._store.state.choice, at_once=True)

    def look(self) -> None:
        """Decide anew, and note what the owner chose; tells the store where that makes a difference."""
        state, now, epoch = self._store.state, self._clock.monotonic(), self._clock.time()
        for condition, is_seen in seen(state).items():
            begin_s, end_s = SETTLE_S[condition]
            self._latches[condition] = settle(self._latches[condition], is_seen, now, begin_s, end_s)
        standing = frozenset(condition for condition, latch in self._latches.items() if latch.stands)
        rules, local = state.plan.rules, self._local(epoch)
        if is_over(state.choice, rules, standing, local, epoch):
            self._store.apply(ChoiceEnded())
        choice = self._store.state.choice
        decision = decide(rules, standing, choice, local, epoch)
        held = self._store.state.contribution
        new_pause = decision.stance is Stance.PAUSED and held.paused_at is None
        if (decision, standing) != (held.decision, held.standing) or new_pause:
            self._store.apply(ContributionDecided(decision, standing, now))
        self._remember(choice)

    def _remember(self, choice: OwnChoice | None, *, at_once: bool = False) -> None:
        self._written.put(choice, at_once=at_once)
        self._store.apply(WriteTried(Keeps.CHOICE, str(self._written.path), self._written.refusal))
