"""Faults one after another on one household: an undisturbed answer, the fault, what it cost, and back again.

State owned: the undisturbed answers. Callers: ``python -m tests.household fault``, tests.
"""

from __future__ import annotations

import contextlib
import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from swarm_app.domain.pause import LOCAL, Pause
from swarm_app.localapi.answers import Begun, Turn
from swarm_app.node.fallback import SETTLED_S
from tests.household.asking import Heard, ask
from tests.household.faults import AllGone, Fault, Slow
from tests.household.household import GONE_S, Household, usable
from tests.household.ledger import Run
from tests.household.node import Node

BACK_S = 60.0
"""A victim that is not back after this is started anew, so that the next run has a whole household."""

LOOK_S = 0.1

TRIES = 4

_STORIES = (
    *("a lighthouse keeper", "a lost kite", "two old friends", "a clockmaker", "the first snow of the year"),
    *("a garden behind a wall", "a train that was late", "a very small dragon", "the baker's daughter"),
    *("a map without names", "an empty house", "a river in spring", "the last bus home", "a blue umbrella"),
    *("a letter that came too late", "a boat on the roof", "the music teacher", "a fox in the city"),
)
PROMPTS = tuple(f"Tell me a long story about {what}." for what in _STORIES)

_FILLER = "On day {day} the keeper wrote down the wind, the tide and the names of the ships that had passed. "
_FILLER_TOKENS = 22
"""What the model's tokenizer makes of one of these sentences."""


@dataclass(frozen=True)
class Question:
    turns: tuple[Turn, ...]
    number: int


def question(number: int, history_tokens: int = 0) -> Question:
    """One of the prompts, below a text of about `history_tokens` tokens."""
    before = "".join(_FILLER.format(day=day) for day in range(1, history_tokens // _FILLER_TOKENS + 1))
    return Question((Turn("user", before + PROMPTS[number % len(PROMPTS)]),), number % len(PROMPTS))


class Campaign:
    """Runs on `rig`, asked through `asker`. `note` hears of progress."""

    def __init__(
        self,
        rig: Household,
        asker: Node,
        *,
        tokens: int = 64,
        history_tokens: int = 0,
        seed: int = 1,
        note: Callable[[str], object] = lambda text: None,
        local: str = "never",
    ) -> None:
        """`local`: whether the asking node's local model may take over, and is loaded before: ``never``,
        ``cold``, ``warm``, or ``asked`` (for by each request, whatever the node's own options are)."""
        self.local = local
        self._settles_s = 0.0
        self.rig = rig
        self.asker = asker
        self.tokens = tokens
        self.history_tokens = history_tokens
        self.random = random.Random(seed)
        self._note = note
        self.false_alarms: list[dict[str, Any]] = []
        """Peers that an answer left although nothing was wrong with them."""
        self._undisturbed: dict[int, Heard] = {}

    @property
    def fallback(self) -> str:
        """What each request says of it; "" leaves it to the nodes' options."""
        return "auto" if self.local == "asked" else ""

    def ready(self, *, but: int = 0) -> None:
        """Wait until everybody serves, `but` nodes at most left out, and nobody is at work."""
        self.rig.wait_until_all_serve(self.asker, but=but)
        self.rig.wait_until_idle(30.0)
        if self.local != "never":
            if (wanted := {"cold": "off", "warm": "ready"}.get(self.local)) is not None:
                self.asker.wait_until(
                    lambda state: state["children"]["local"]["phase"] == wanted,
                    f"{self.local}, locally",
                    30.0,
                )
            # A household that was left is asked again when it could have answered for a while.
            time.sleep(max(0.0, self._settles_s - time.monotonic()))

    def undisturbed(self, number: int) -> Heard:
        """The answer to prompt `number` without a fault, asked until no peer was given up in it.

        What was given up without a fault stands in `false_alarms`. AssertionError when an answer fails, or
        after TRIES of them.
        """
        for _ in range(TRIES if number not in self._undisturbed else 0):
            turns = list(question(number, self.history_tokens).turns)
            heard = ask(self.asker, turns, self.tokens, fallback=self.fallback)
            assert heard.done is not None, f"an undisturbed answer failed: {heard.error}"
            if any(segment.engine == "local" for segment in heard.done.segments):
                # The household was in doubt a moment ago, and has not settled.
                time.sleep(SETTLED_S)
                self.ready()
                continue
            moved = [pause for pause in heard.pauses if pause.moved_to]
            if not moved:
                self._undisturbed[number] = heard
                break
            for pause in moved:
                self._note(f"without a fault: {pause.text}, load {os.getloadavg()[0]:.1f}")
            self.false_alarms += [asdict(pause) for pause in moved]
            self.ready()
        assert number in self._undisturbed, f"without any fault: {self.false_alarms}"
        return self._undisturbed[number]

    def run(
        self, kind: type[Fault], at_token: int, number: int, *, undo: bool = True, overlap: bool = False
    ) -> Run:
        """One fault of `kind` at token `at_token` of the answer to prompt `number`, undone afterwards.

        With `overlap` the next one need not wait until the victim is back, as long as no more than one is
        missing: a household in which much happens. Nothing is measured after the answer then.
        """
        self.ready(but=1 if overlap else 0)
        calm = self.undisturbed(number)
        if overlap and not self._spared():
            self.ready()
        assert calm.completion_tokens > at_token + 1, f"prompt {number} ends before token {at_token}"
        load = os.getloadavg()[0]
        strike = _Strike(self, kind, at_token, overlap=overlap)
        missing = _Missing(self.asker, {node.name for node in self.rig.nodes if node is not self.asker})
        looking = missing if issubclass(kind, AllGone) else contextlib.nullcontext()
        with _Watch(self.asker) as watch, looking:
            heard = ask(
                self.asker,
                list(question(number, self.history_tokens).turns),
                self.tokens,
                fallback=self.fallback,
                on_begun=strike.begun,
                on_piece=strike.piece,
            )
            fault = strike.over()
            run = self._entry(fault, heard, calm, at_token, number)
            run.load = load
            if isinstance(fault, AllGone):
                run.named_after_s = missing.after_s(fault.struck_s)
            if isinstance(fault, Slow) and undo and not overlap:
                self._compare(fault, run, number)
            if undo and overlap:
                fault.undo()
            elif undo:
                self._undo(fault, run, watch)
        run.leftover_processes = self._strays()
        self._note(
            f"{run.kind} {run.victim}: pause {run.pause_s}, equal {run.tokens_equal}, by {run.finished_by}, "
            f"told {run.told}, back {run.back_s}, load {run.load:.1f}"
        )
        return run

    def while_idle(self, kind: type[Fault], number: int, victim: Node | None = None) -> Run:
        """A fault of `kind` strikes somebody without whom there is no route, while nobody asks; the question
        comes at once, before anybody has found out. `victim` None is the last node."""
        self.ready(but=0 if victim is None else 1)
        load = os.getloadavg()[0]
        fault = kind(self.rig, self.asker, victim or self.rig.nodes[-1])
        fault.prepare()
        fault.strike()
        try:
            missing = _Missing(self.asker, {node.name for node in self._victims(fault)})
            with missing:
                heard = ask(
                    self.asker, list(question(number).turns), self.tokens, fallback=self.fallback or "auto"
                )
                missing.wait(BACK_S)
        finally:
            fault.undo()
        struck = "all others" if isinstance(fault, AllGone) else fault.victim.name
        run = Run(f"idle-{fault.kind}", struck, 0, number, load=load, silent_s=heard.unexplained_s())
        run.prompt_tokens = heard.begun.prompt_tokens if heard.begun else 0
        run.named_after_s = missing.after_s(heard.asked_s)
        run.told = [pause.text for pause in heard.pauses if pause.worth_telling]
        if heard.done is not None and heard.done.segments:
            run.finished_by, run.reason = heard.done.segments[-1].engine, heard.done.segments[-1].reason
            run.tokens_equal = bool(heard.text)
        elif heard.error is not None:
            run.cause, run.error_after_s = heard.error.code, heard.ended_s - heard.asked_s
            run.told.append(f"{heard.error.message} {heard.error.remedy}".strip())
        if run.finished_by == "local" and heard.pieces:
            run.local_after_s = heard.pieces[0][0] - heard.asked_s
        if victim is None:
            self._back(fault)
        run.leftover_processes = self._strays()
        self._note(
            f"{run.kind}: by {run.finished_by} after {run.local_after_s} ({run.reason}), named after"
            f" {run.named_after_s}, load {run.load:.1f}"
        )
        return run

    def _spared(self) -> bool:
        """Whether the asking node sees anybody who could be struck: one that has a spare."""
        seen = self.asker.state()
        others = usable(seen) - {self.asker.name}
        return any(self.rig.spares_of(name, seen) for name in others)

    # ------------------------------------------------------------ what came of it

    def _entry(self, fault: Fault, heard: Heard, calm: Heard, at_token: int, number: int) -> Run:
        gaps, usual = heard.gaps_s(fault.struck_s), calm.gaps_s()
        felt = self._felt(fault, heard)
        run = Run(
            kind=fault.kind,
            victim="all others" if isinstance(fault, AllGone) else fault.victim.name,
            at_token=at_token,
            prompt=number,
            pause_s=max(gaps, default=None),
            usual_gap_s=median(usual),
            usual_longest_s=max(usual),
            silent_s=heard.unexplained_s(),
            prompt_tokens=heard.begun.prompt_tokens if heard.begun else 0,
            decode_s=heard.decode_s,
            pauses=[asdict(pause) for pause in heard.pauses],
            route=[f"{hop.name} {hop.span}" for hop in heard.begun.route] if heard.begun else [],
            told=[pause.text for pause in heard.pauses if pause.worth_telling],
            heard=heard.around(fault.struck_s),
            how=fault.how if isinstance(fault, Slow) else "",
        )
        if not isinstance(fault, AllGone):
            besides = [p for p in heard.pauses if p.moved_to and p.name != fault.victim.name]
            run.given_up_besides = [pause.text for pause in besides]
        if felt is not None:
            run.detect_s, run.route_s, run.replay_s = felt.detect_s, felt.route_s, felt.replay_s
            run.cause, run.moved_to = felt.cause, list(felt.moved_to)
            run.untold_s = max(gaps) - felt.total_s if gaps else None
        if heard.error is not None:
            run.cause = heard.error.code
            run.told.append(f"{heard.error.message} {heard.error.remedy}".strip())
            run.error_after_s = heard.ended_s - fault.struck_s
            run.tokens_equal = calm.text.startswith(heard.text)
        else:
            run.finished_by = heard.done.segments[-1].engine if heard.done and heard.done.segments else "none"
            if heard.switched is not None:
                return self._local_entry(run, heard, calm, fault)
            run.tokens_equal = (heard.text, heard.completion_tokens) == (calm.text, calm.completion_tokens)
        return run

    def _local_entry(self, run: Run, heard: Heard, calm: Heard, fault: Fault) -> Run:
        """The local model went on: its words are its own, those before are the household's."""
        assert heard.switched is not None
        before = "".join(text for _, text in heard.pieces[: heard.switched])
        run.tokens_equal = bool(before) and calm.text.startswith(before)
        if len(heard.pieces) > heard.switched:
            run.local_after_s = heard.pieces[heard.switched][0] - fault.struck_s
        if heard.done is not None and heard.done.segments:
            run.reason = heard.done.segments[-1].reason
        taking = [pause for pause in heard.pauses if pause.cause == LOCAL]
        if taking:
            taken = taking[-1]
            run.cause, run.moved_to = taken.cause, list(taken.moved_to)
            run.detect_s, run.route_s, run.replay_s = taken.detect_s, taken.route_s, taken.replay_s
            run.load_s = taken.load_s
        return run

    def _felt(self, fault: Fault, heard: Heard) -> Pause | None:
        """The victim's own pause: the move before one that was only waited for, the longest of these."""
        peers = (
            {hop.peer for hop in heard.begun.route if hop.name == fault.victim.name} if heard.begun else set()
        )
        return max(
            (pause for pause in heard.pauses if pause.peer in peers),
            key=lambda pause: (bool(pause.moved_to), pause.total_s),
            default=None,
        )

    def _compare(self, fault: Fault, run: Run, number: int) -> None:
        """The same question while the victim is slow, and by a swarm that has given it up."""
        again = ask(self.asker, list(question(number, self.history_tokens).turns), self.tokens)
        run.next_s = again.decode_s
        run.tokens_equal &= again.text == self.undisturbed(number).text
        fault.tree.stop()
        try:
            self.asker.wait_until(
                lambda state: (
                    not any(
                        peer["on_route"]
                        for peer in state["swarm"]["peers"]
                        if peer["name"] == fault.victim.name
                    )
                ),
                f"without {fault.victim.name}",
                30.0,
            )
            without = ask(self.asker, list(question(number, self.history_tokens).turns), self.tokens)
        finally:
            fault.tree.go_on()
        run.reference_s = without.decode_s

    # ------------------------------------------------------------ back again

    def _undo(self, fault: Fault, run: Run, watch: _Watch) -> None:
        fault.undo()
        try:
            self._back(fault)
            run.back_s = watch.back_s(fault)
        except AssertionError as error:
            run.how = f"{run.how} not back in {BACK_S:.0f} s".strip()
            self._note(str(error))
            self._start_anew(fault)

    def _back(self, fault: Fault) -> None:
        """Everybody serves again. AssertionError after BACK_S."""
        for node in self._victims(fault):
            node.wait_until(lambda state: state["children"]["blocks"]["phase"] == "ready", "serving", BACK_S)
            node.wait_until_covered(BACK_S)
        self.rig.wait_until_all_serve(self.asker, BACK_S)
        self._settles_s = time.monotonic() + SETTLED_S + 0.5

    def _victims(self, fault: Fault) -> list[Node]:
        if not isinstance(fault, AllGone):
            return [fault.victim]
        return [node for node in self.rig.nodes if node is not self.asker]

    def _start_anew(self, fault: Fault) -> None:
        for node in self._victims(fault):
            if node.running:
                tree = node.tree()
                tree.kill()
                tree.wait_gone(GONE_S)
                node.reap()
            node.start(join=self.asker.swarm_addresses)
        self.ready()

    def mend(self) -> None:
        """Make the household whole again after a run that broke off, whatever it has left undone."""
        for node in self.rig.nodes:
            if node.namespace is not None:
                node.namespace.join()
            if node.running:
                node.tree().go_on()
            elif node is not self.asker:
                node.start(join=self.asker.swarm_addresses)
        self.ready()

    def _strays(self) -> list[str]:
        """What is left of earlier lives GONE_S after the answer."""
        deadline = time.monotonic() + GONE_S
        while (strays := self.rig.strays()) and time.monotonic() < deadline:
            time.sleep(LOOK_S)
        return strays


class _Strike:
    """Chooses the victim on the answer's route and strikes it, from a thread so that reading goes on."""

    def __init__(
        self, campaign: Campaign, kind: type[Fault], at_token: int, *, overlap: bool = False
    ) -> None:
        self._campaign = campaign
        self._kind = kind
        self._at_token = at_token
        self._overlap = overlap
        self._due = threading.Event()
        self._fault: Fault | None = None
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    def begun(self, begun: Begun) -> None:
        campaign = self._campaign
        others = [hop.name for hop in begun.route if hop.name != campaign.asker.name]
        assert others, "the asking node carries the whole route itself"
        if self._overlap:
            # An earlier victim may still be away: another one only where somebody can take over.
            seen = campaign.asker.state()
            others = [name for name in others if campaign.rig.spares_of(name, seen)]
            assert others, "nobody on the route has a spare"
        victim = campaign.rig[campaign.random.choice(others)]
        self._fault = self._kind(campaign.rig, campaign.asker, victim)
        self._thread = threading.Thread(target=self._run, args=(self._fault,), name=self._kind.kind)
        self._thread.start()

    def _run(self, fault: Fault) -> None:
        try:
            fault.prepare()
            self._due.wait()
            fault.strike()
        except BaseException as error:  # noqa: BLE001  (raised again by `over`)
            self._failure = error

    def piece(self, count: int) -> None:
        if count == self._at_token:
            self._due.set()

    def over(self) -> Fault:
        """The answer has ended: wait for a fault that ends by itself. AssertionError when none struck."""
        assert self._fault is not None, "the answer never began"
        assert self._thread is not None
        missed = not self._due.is_set()
        self._due.set()
        self._thread.join()
        if self._failure is not None:
            raise self._failure
        assert not missed, f"the answer ended before token {self._at_token}"
        return self._fault


class _Missing:
    """When the asking node's state names one of those who are missing."""

    def __init__(self, asker: Node, names: set[str]) -> None:
        self._asker = asker
        self._names = names
        self._over = threading.Event()
        self._named = threading.Event()
        self._at_s = 0.0
        self._thread = threading.Thread(target=self._run, name="missing")

    def __enter__(self) -> _Missing:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def wait(self, seconds: float) -> None:
        self._named.wait(seconds)

    def after_s(self, since_s: float) -> float | None:
        """None where it never did; 0.0 where it did before."""
        return max(0.0, self._at_s - since_s) if self._named.is_set() else None

    def _run(self) -> None:
        with self._asker.inside(), self._asker.client() as client:
            while not self._over.wait(0.02):
                told = " ".join(problem["message"] for problem in client.state()["problems"])
                if any(name in told for name in self._names):
                    self._at_s = time.monotonic()
                    self._named.set()
                    return


class _Watch:
    """What the asking node thinks of each peer, in time."""

    def __init__(self, asker: Node) -> None:
        self._asker = asker
        self._over = threading.Event()
        self._seen: list[tuple[float, frozenset[str]]] = []
        self._thread = threading.Thread(target=self._run, name="watch")

    def __enter__(self) -> _Watch:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._over.set()
        self._thread.join()

    def _run(self) -> None:
        with self._asker.inside(), self._asker.client() as client:
            while not self._over.wait(LOOK_S):
                usable = frozenset(p["name"] for p in client.state()["swarm"]["peers"] if p["on_route"])
                self._seen.append((time.monotonic(), usable))

    def back_s(self, fault: Fault) -> float | None:
        """From the moment at which the victim could work again until it was counted on again, for good.

        None where it was never missed.
        """
        self._over.set()
        self._thread.join()
        missing = [
            at_s for at_s, usable in self._seen if at_s > fault.struck_s and fault.victim.name not in usable
        ]
        if not missing or fault.returned_s is None:
            return None
        return max(0.0, max(missing) + LOOK_S - fault.returned_s)


@contextlib.contextmanager
def timed(note: Callable[[str], object], what: str) -> Iterator[None]:
    began_s = time.monotonic()
    yield
    note(f"{what} in {time.monotonic() - began_s:.1f} s")
