"""Keeps the children: carries out `plan`, listens to them, notices the silent, ends them.

State owned: the child processes. Callers: `swarm_app.node.process`.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import assert_never

from swarm_app.childproto import (
    Accepted,
    BindingWanted,
    Delta,
    Drained,
    Failed,
    Finished,
    Listening,
    LocalSeen,
    MembersHeard,
    Message,
    Paused,
    Prepared,
    Progress,
    Ready,
    Serving,
    SwarmSeen,
)
from swarm_app.config.program import own_command
from swarm_app.domain.errors import ChildDown, ProtocolViolation
from swarm_app.node.answers import AnswerReport
from swarm_app.node.childprocess import ChildProcess
from swarm_app.node.children import Complaint, Kind, Phase
from swarm_app.node.events import (
    ChildComplained,
    ChildEnded,
    ChildEntered,
    ChildNotStarted,
    ChildReported,
    ChildStarted,
    ChildStopping,
    ChildTold,
    ChildWrote,
)
from swarm_app.node.plan import Action, PrepareChild, StartChild, StopChild, TellChild, next_look_at, plan
from swarm_app.node.store import Store

ChildCommands = Mapping[Kind, Sequence[str]]

TICK_S = 1.0

SILENCE_S = 30.0
"""A ready child reports at least every 2 s. One that said nothing for this long, of the node's own waking
time, hangs. Long enough for a computer that swaps."""


def own_commands() -> dict[Kind, Sequence[str]]:
    """How this very program starts its children, frozen or not."""
    return {kind: own_command(f"_{kind}") for kind in Kind}


class Silence:
    """How long a child has said nothing, in time during which this process itself was awake.

    A stopped or sleeping computer must not condemn its children when it wakes: a tick counts for no more
    than two ticks, however late it comes.
    """

    def __init__(self) -> None:
        self.silent_s = 0.0
        self._last_tick: float | None = None

    def heard(self) -> None:
        self.silent_s = 0.0

    def tick(self, now: float) -> float:
        if self._last_tick is not None:
            self.silent_s += min(now - self._last_tick, 2 * TICK_S)
        self._last_tick = now
        return self.silent_s


class Keeper:
    """The children of one node.

    `on_answer` gets what the engines say about requests; `on_engine_lost` and `on_local_lost` are called when
    the swarm's engine or the local one is gone, with the reason, before another can be started; `on_groups`
    hears of the process groups whenever they are others; `on_membership` gets what children ask and tell
    about the swarm's members.
    """

    def __init__(
        self,
        store: Store,
        commands: ChildCommands,
        cwd: Path,
        on_answer: Callable[[AnswerReport], None],
        on_engine_lost: Callable[[ChildDown], None],
        on_groups: Callable[[dict[Kind, int]], None],
        on_membership: Callable[[Kind, BindingWanted | MembersHeard], None] = lambda kind, message: None,
        on_local_lost: Callable[[ChildDown], None] = lambda error: None,
    ) -> None:
        self._store = store
        self._commands = commands
        self._cwd = cwd
        self._on_answer = on_answer
        self._lost = {Kind.ENGINE: on_engine_lost, Kind.LOCAL: on_local_lost}
        self._on_groups = on_groups
        self._on_membership = on_membership
        self._children: dict[Kind, ChildProcess] = {}
        self._recalled: dict[Kind, asyncio.Task[None]] = {}
        self._silence: dict[Kind, Silence] = {}

    async def run(self) -> None:
        """Follow the plan until the node stops, then end the children; returns when they are gone."""
        while not self._store.state.stopping:
            now = time.monotonic()
            while (action := plan(self._store.state, now)) is not None:
                await self._carry_out(action)
            self._recall()
            self._end_the_silent(now)
            due = next_look_at(self._store.state)
            await self._store.next_change(TICK_S if due is None else max(0.0, min(TICK_S, due - now)))

        await asyncio.gather(
            *(child.stop() for kind, child in self._children.items() if kind not in self._recalled),
            *self._recalled.values(),
        )

    def kill(self) -> None:
        """The impatient end: SIGKILL to every group."""
        for child in self._children.values():
            child.kill()

    def send(self, kind: Kind, message: Message) -> None:
        """To a child, where it runs; nobody else would take it either."""
        if (child := self._children.get(kind)) is not None and child.running:
            child.send(message)

    def send_to_engine(self, message: Message) -> None:
        """Raises ChildDown when there is no engine, ProtocolViolation when the message is too big."""
        self._send(Kind.ENGINE, message)

    def send_to_local(self, message: Message) -> None:
        """The same for the local model's process."""
        self._send(Kind.LOCAL, message)

    def _send(self, kind: Kind, message: Message) -> None:
        child = self._children.get(kind)
        if child is None or not child.running:
            raise ChildDown(f"The {kind} process is not running.")
        child.send(message)

    async def _carry_out(self, action: Action) -> None:
        match action:
            case StartChild(kind, frame) if self._store.state.child(kind).phase is Phase.WARM:
                # One that is just ending misses it, and its end is handled as that of any that starts.
                self._children[kind].send(frame)
                self._store.apply(ChildEntered(kind))
            case PrepareChild(kind, frame) | StartChild(kind, frame):
                ear = _Ear(kind, self, warm=isinstance(action, PrepareChild))
                try:
                    await ChildProcess.start(self._commands[kind], frame, ear, self._cwd)
                except ChildDown as error:
                    self._store.apply(ChildNotStarted(kind, error.message, time.monotonic()))
            case StopChild(kind):
                self._store.apply(ChildStopping(kind))
            case TellChild(kind, message):
                # Noted as told even where the process is just ending: the next one starts unburdened.
                if (child := self._children.get(kind)) is not None:
                    child.send(message)
                self._store.apply(ChildTold(kind, message))
            case _:
                assert_never(action)

    def _recall(self) -> None:
        """End children that are not to run any more although the node does."""
        for kind, child in self._children.items():
            stopping = self._store.state.child(kind).phase is Phase.STOPPING
            if stopping and kind not in self._recalled:
                self._recalled[kind] = asyncio.create_task(child.stop())

    def _end_the_silent(self, now: float) -> None:
        for kind, child in self._children.items():
            silent_s = self._silence[kind].tick(now)
            if self._store.state.child(kind).phase is not Phase.READY:
                self._silence[kind].heard()
            elif silent_s > SILENCE_S and child.running:
                self._silence[kind].heard()
                why = f"The {kind} process said nothing for {SILENCE_S:.0f} s and was ended."
                self._store.apply(ChildComplained(kind, Complaint(ChildDown.code, why)))
                child.kill()

    def _tell_groups(self) -> None:
        self._on_groups({kind: child.pid for kind, child in self._children.items()})

    # ------------------------------------------------ what the children do

    def started(self, kind: Kind, child: ChildProcess, warm: bool) -> None:
        self._children[kind] = child
        self._silence[kind] = Silence()
        self._store.apply(ChildStarted(kind, child.pid, warm))
        self._tell_groups()

    def said(self, kind: Kind, message: Message) -> None:
        if kind in self._silence:
            self._silence[kind].heard()
        match message:
            case (
                Listening()
                | Progress()
                | Prepared()
                | Ready()
                | Drained()
                | Serving()
                | SwarmSeen()
                | LocalSeen()
            ):
                self._store.apply(ChildReported(kind, message, time.monotonic()))
            case BindingWanted() | MembersHeard():
                self._on_membership(kind, message)
            case Failed(request_id=None):
                complaint = Complaint(message.code, message.message, message.remedy)
                self._store.apply(ChildComplained(kind, complaint))
            case Accepted() | Delta() | Paused() | Finished() | Failed():
                self._on_answer(message)
            case _:
                raise AssertionError(f"{type(message).__name__} is not a child's message")

    def wrote(self, kind: Kind, lines: tuple[str, ...]) -> None:
        self._store.apply(ChildWrote(kind, lines))

    def ended(self, kind: Kind, how: str, violation: ProtocolViolation | None) -> None:
        self._children.pop(kind, None)
        self._recalled.pop(kind, None)
        self._silence.pop(kind, None)
        if violation is not None:
            why = f"The {kind} process broke the protocol: {violation.message}."
            self._store.apply(ChildComplained(kind, Complaint(violation.code, why)))
        self._store.apply(ChildEnded(kind, how, time.monotonic()))
        if (lost := self._lost.get(kind)) is not None:
            complaint = self._store.state.child(kind).complaint
            why = complaint.message if complaint else "The node is stopping."
            lost(ChildDown(f"The answer was cut off. {why}"))
        self._tell_groups()


class _Ear:
    """Ties a child's calls to its kind."""

    def __init__(self, kind: Kind, keeper: Keeper, *, warm: bool) -> None:
        self._kind = kind
        self._keeper = keeper
        self._warm = warm

    def child_started(self, child: ChildProcess) -> None:
        self._keeper.started(self._kind, child, self._warm)

    def child_said(self, message: Message) -> None:
        self._keeper.said(self._kind, message)

    def child_wrote(self, lines: tuple[str, ...]) -> None:
        self._keeper.wrote(self._kind, lines)

    def child_ended(self, how: str, violation: ProtocolViolation | None) -> None:
        self._keeper.ended(self._kind, how, violation)
