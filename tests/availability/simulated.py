"""A household in simulated time: peers that fall silent, sleep and stall, and an engine that judges them.

The engine here is as plain as one can be: one answer at a time, one peer a step, and all that it knows of
peers comes from `swarm_app.availability`. An hour passes in about a second.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from swarm_app.availability.constants import Constants
from swarm_app.availability.deadlines import StepDeadline
from swarm_app.availability.events import (
    HeartbeatAnswered,
    HeartbeatMissed,
    HeartbeatSent,
    OpinionAnswered,
    OpinionAsked,
    RecordExpired,
    RecordSeen,
    RecordState,
    SaidGoodnight,
    StepDone,
    StepLate,
    StreamReset,
)
from swarm_app.availability.health import Availability
from swarm_app.availability.household import Change, Household
from swarm_app.availability.verdict import LateStep, Verdict

ANNOUNCE_S = 4.0
EXPIRE_S = 12.0
LOOK_S = 1.0
MOVE_S = 0.3


@dataclass
class SimulatedPeer:
    """The truth about a peer."""

    name: str
    up: bool = True
    changed_s: float = 0.0
    """Up, or not, since."""
    asleep: bool = False
    announced_s: float = 0.0
    offline: bool = False
    step_s: float = 0.05
    life: int = 0
    """Counts its disappearances: what was under way then is lost."""


@dataclass
class Loss:
    """A step that met a peer that did not answer any more."""

    peer: str
    sent_s: float
    resumed_s: float
    """When another peer had done the step."""
    verdict: Verdict
    judged_from_s: float
    """When it was sent, or when this computer was itself again (no stall, link up), if that was later."""


@dataclass
class Outcome:
    """What a run showed."""

    losses: list[Loss] = field(default_factory=list)
    false_alarms: list[Change] = field(default_factory=list)
    """Peers given up that had been there all the time."""
    found_idle_s: list[float] = field(default_factory=list)
    """Seconds from a peer's silence to giving it up, nobody working with it."""
    steps: int = 0
    hedges_of_the_living: int = 0
    longest_step_s: float = 0.0
    changes: int = 0


class Simulation:
    """Make it, add faults with `at`, then `run`."""

    def __init__(self, seed: int, constants: Constants, names: tuple[str, ...], *, opinions: bool) -> None:
        self.random = random.Random(seed)
        self.constants = constants
        self.opinions = opinions
        self.now_s = 0.0
        self.household = Household(0.0, constants)
        self.peers = {name: SimulatedPeer(name) for name in names}
        self.deadlines = dict.fromkeys(names, StepDeadline())
        self.link_up = True
        self.link_changed_s = 0.0
        self.disturbed_s = -1e9
        self.chatting = False
        self.working = ""
        """The peer that has a step in its hands."""
        self.lost = 0
        self.outcome = Outcome()
        self.silent_from_s: dict[str, float] = {}
        self._stalled_until_s = 0.0
        self._link_life = 0
        self._queue: list[tuple[float, int, bool, Callable[[], None]]] = []
        self._order = 0
        self._listed: dict[str, float] = {}
        self._tick_id = 0

    # ------------------------------------------------------------------ the world

    def at(self, time_s: float, call: Callable[[], None], *, own: bool = False) -> None:
        """Do `call` at `time_s`; `own`: it is this process that does it, so it waits out a stall."""
        self._order += 1
        heapq.heappush(self._queue, (time_s, self._order, own, call))

    def run(self, until_s: float) -> Outcome:
        self.at(0.0, self._announce)
        self.at(0.05, self._look, own=True)
        self.at(0.06, self._tick, own=True)
        while self._queue and self._queue[0][0] <= until_s:
            time_s, _, own, call = heapq.heappop(self._queue)
            self.now_s = max(self.now_s, time_s)
            if own and self.now_s < self._stalled_until_s:
                # Timers first, answers some milliseconds later: the hardest order.
                self.at(self._stalled_until_s + self.random.uniform(0, 0.02), call, own=True)
                continue
            call()
            self._collect()
        return self.outcome

    def fall_silent(self, name: str) -> None:
        peer = self.peers[name]
        if peer.up:
            peer.up, peer.changed_s, peer.life = False, self.now_s, peer.life + 1
            self.silent_from_s[name] = self.now_s

    def lose_somebody(self, for_s: float) -> None:
        """Whoever works just now, or anybody, falls silent for a while."""
        name = self.working if self.working else self.random.choice(sorted(self.peers))
        if self.peers[name].up:
            self.fall_silent(name)
            self.lost += 1
            self.at(self.now_s + for_s, lambda: self.come_back(name))

    def come_back(self, name: str) -> None:
        peer = self.peers[name]
        if not peer.up:
            peer.up, peer.changed_s, peer.asleep, peer.offline = True, self.now_s, False, False
            self.silent_from_s.pop(name, None)

    def say_goodnight(self, name: str) -> None:
        peer = self.peers[name]
        if peer.up and self.link_up:
            self.at(self.now_s + 0.002, lambda: self._hear_goodnight(name), own=True)
            peer.offline = True
            self.at(self.now_s + 1.5, lambda: self._fall_asleep(name))

    def stall(self, for_s: float) -> None:
        """This process does not run for a while; its clock does."""
        self._stalled_until_s = max(self._stalled_until_s, self.now_s + for_s)
        self.disturbed_s = self._stalled_until_s

    def cut_link(self, for_s: float, told_after_s: float, *, slept: bool) -> None:
        """This computer's own link is gone for a while (it moved, or just woke); it hears of it later."""
        self.link_up, self.link_changed_s = False, self.now_s
        self._link_life += 1
        self.disturbed_s = self.now_s + for_s

        def link_back() -> None:
            self.link_up, self.link_changed_s = True, self.now_s
            self.disturbed_s = self.now_s

        def told() -> None:
            if slept:
                self.household.woke(self.now_s)
            else:
                self.household.moved(self.now_s)
            self._reschedule()

        self.at(self.now_s + for_s, link_back)
        self.at(self.now_s + told_after_s, told, own=True)

    def _fall_asleep(self, name: str) -> None:
        peer = self.peers[name]
        peer.up, peer.asleep, peer.changed_s, peer.life = False, True, self.now_s, peer.life + 1

    def _announce(self) -> None:
        for peer in self.peers.values():
            if peer.up and not peer.offline:
                peer.announced_s = self.now_s
        self.at(self.now_s + ANNOUNCE_S, self._announce)

    def _trip_s(self) -> float:
        """Round trips of a home: mostly quick, now and then a busy peer or a dozing radio."""
        if self.random.random() < 0.02:
            return self.random.uniform(0.05, 0.9 * self.constants.heartbeat_floor_s)
        return self.random.uniform(0.001, 0.02)

    # ------------------------------------------------------------------ the engine

    def _look(self) -> None:
        if self.link_up:
            for peer in self.peers.values():
                expires = peer.announced_s + EXPIRE_S
                if self.now_s < expires and not peer.offline:
                    self._listed[peer.name] = expires
                    seen = RecordSeen(RecordState.ONLINE, expires, peer.name)
                    self.household.apply(peer.name, seen, self.now_s)
                elif self._listed.pop(peer.name, None) is not None:
                    self.household.apply(peer.name, RecordExpired(), self.now_s)
        self.at(self.now_s + LOOK_S, self._look, own=True)

    def _tick(self) -> None:
        self.household.tick(self.now_s)
        for peer in self.household.to_ask(self.now_s):
            self._ask(peer, urgent=False)
        self._consult()
        self._reschedule()

    def _reschedule(self) -> None:
        self._tick_id += 1
        mine = self._tick_id

        def due() -> None:
            if mine == self._tick_id:
                self._tick()

        self.at(self.household.next_tick_s(self.now_s), due, own=True)

    def _ask(self, name: str, *, urgent: bool) -> None:
        self.household.apply(name, HeartbeatSent(urgent), self.now_s)
        sent_s, trip_s = self.now_s, self._trip_s()
        wait_s = self.household.heartbeat_wait_s(name, sent_s)
        peer, life, link = self.peers[name], self.peers[name].life, self._link_life

        def arrive() -> None:
            whole = peer.up and peer.life == life and self.link_up and link == self._link_life
            if whole:
                self.at(self.now_s, answered, own=True)
            else:
                self.at(sent_s + wait_s, missed, own=True)

        def answered() -> None:
            self.household.apply(name, HeartbeatAnswered(self.now_s - sent_s), self.now_s)

        def missed() -> None:
            self.household.apply(name, HeartbeatMissed(self.now_s - sent_s), self.now_s)

        self.at(sent_s + trip_s, arrive)

    def _consult(self) -> None:
        if not self.opinions:
            return
        for name, health in self.household.peers.items():
            if health.state is not Availability.SUSPECT:
                continue
            for by in self.household.to_consult(name, self.now_s):
                self.household.apply(name, OpinionAsked(by), self.now_s)
                if self.link_up and self.peers[by].up:
                    alive = self.peers[name].up
                    after_s = self._trip_s() + (self._trip_s() if alive else self.constants.heartbeat_floor_s)
                    self.at(self.now_s + after_s, self._opinion(name, by, alive), own=True)

    def _opinion(self, name: str, by: str, alive: bool) -> Callable[[], None]:
        def said() -> None:
            self.household.apply(name, OpinionAnswered(by, alive), self.now_s)
            self._reschedule()

        return said

    def chat(self, steps: int) -> None:
        """One answer of so many steps, each on a peer that is usable."""
        if not self.chatting:
            self.chatting = True
            self._next_step(steps)

    def _next_step(self, left: int) -> None:
        # A probation is a preference: before giving up the answer, it is passed over.
        usable = sorted(self.household.usable(self.now_s)) or [
            name for name, health in self.household.peers.items() if health.state is Availability.AVAILABLE
        ]
        if left == 0 or not usable:
            self.chatting = False
            self.working = ""
            return
        self.working = self.random.choice(usable)
        _Step(self, self.working, left).send()

    # ------------------------------------------------------------------ what came of it

    def _hear_goodnight(self, name: str) -> None:
        self.household.apply(name, SaidGoodnight(), self.now_s)
        assert self.household.health(name, self.now_s).state is Availability.ASLEEP

    def _collect(self) -> None:
        for change in self.household.take_changes():
            self.outcome.changes += 1
            if change.after is not Availability.UNREACHABLE or change.before is change.after:
                continue
            peer = self.peers[change.peer]
            since_s = max(peer.changed_s, self.link_changed_s, self.disturbed_s)
            if peer.up and self.link_up and change.at_s - since_s > self.constants.worst_detection_s():
                self.outcome.false_alarms.append(change)
            elif change.peer in self.silent_from_s:
                silent_from_s = self.silent_from_s.pop(change.peer)
                if silent_from_s - self.disturbed_s > 2 * self.constants.grace_s:
                    self.outcome.found_idle_s.append(change.at_s - silent_from_s)


class _Step:
    """One step, judged until it is done or moved away from."""

    def __init__(self, simulation: Simulation, name: str, left: int) -> None:
        self.simulation, self.name, self.left = simulation, name, left
        self.peer = simulation.peers[name]
        self.sent_s = simulation.now_s
        self.over = False
        self.hedging = False

    def send(self) -> None:
        simulation = self.simulation
        own = simulation.household.own
        simulation.outcome.steps += 1
        self.limits = simulation.deadlines[self.name].limits(1, own, self.sent_s)
        took_s = self.peer.step_s * simulation.random.uniform(0.8, 1.3)
        if simulation.random.random() < 0.005:
            took_s += simulation.random.uniform(0.2, 3.0)  # a straggler
        life, link = self.peer.life, simulation._link_life

        def arrive() -> None:
            if (
                self.peer.up
                and self.peer.life == life
                and simulation.link_up
                and link == simulation._link_life
            ):
                simulation.at(simulation.now_s, self.done, own=True)
            elif self.peer.up:
                # The session's connection did not survive, and is known to be broken.
                simulation.at(simulation.now_s + 0.05, self.broken, own=True)

        simulation.at(self.sent_s + took_s, arrive)
        simulation.at(self.sent_s + self.limits.ask_s, self.judge, own=True)

    def done(self) -> None:
        if self.over:
            return
        simulation, took_s = self.simulation, self.simulation.now_s - self.sent_s
        simulation.household.apply(self.name, StepDone(took_s), simulation.now_s)
        simulation.deadlines[self.name] = simulation.deadlines[self.name].with_step(1, took_s)
        self.finish()

    def broken(self) -> None:
        if not self.over:
            self.simulation.household.apply(self.name, StreamReset(), self.simulation.now_s)
            self.finish()

    def finish(self) -> None:
        self.over = True
        outcome = self.simulation.outcome
        outcome.longest_step_s = max(outcome.longest_step_s, self.simulation.now_s - self.sent_s)
        self.simulation._next_step(self.left - 1)

    def judge(self) -> None:
        if self.over:
            return
        simulation, now_s = self.simulation, self.simulation.now_s
        late = LateStep(self.sent_s, self.limits, MOVE_S, self.hedging)
        found = simulation.household.judge(self.name, late, now_s)
        if found.verdict is Verdict.ASK:
            simulation.household.apply(self.name, StepLate(now_s - self.sent_s), now_s)
            simulation._ask(self.name, urgent=True)
            simulation._reschedule()
        elif found.verdict is Verdict.HEDGE:
            self.hedging = True
            if self.peer.up and simulation.link_up:
                simulation.outcome.hedges_of_the_living += 1
            # The replacement is as far after MOVE_S, and wins if this one has not answered by then.
            simulation.at(now_s + MOVE_S, partial(self.move, found.verdict), own=True)
        elif found.verdict is Verdict.REROUTE:
            # A replacement that has been started already is no sooner there for it.
            if not self.hedging:
                self.hedging = True
                simulation.at(now_s + MOVE_S, partial(self.move, found.verdict), own=True)
            return
        simulation._consult()
        simulation.at(now_s + found.again_in_s, self.judge, own=True)

    def move(self, verdict: Verdict) -> None:
        """The replacement has done the step."""
        if self.over:
            return
        simulation = self.simulation
        if not self.peer.up:
            simulation.outcome.losses.append(
                Loss(
                    self.name,
                    self.sent_s,
                    simulation.now_s,
                    verdict,
                    judged_from_s=max(self.sent_s, min(simulation.now_s, simulation.disturbed_s)),
                )
            )
        self.finish()
