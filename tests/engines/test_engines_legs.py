"""How long a late step is waited for, with the peers' health played by the test."""

from __future__ import annotations

import asyncio
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest

from swarm_app.availability.deadlines import StepDeadline, StepLimits
from swarm_app.availability.verdict import Judgement, LateStep, Verdict
from swarm_app.domain.errors import PeerLost
from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span
from swarm_app.engines import legs
from swarm_app.engines.legs import Leg, SessionPlan, receive

LIMIT_S = 0.15


class Mute:
    """A stream on which nothing comes."""

    async def receive(self, wait_s: float) -> None:
        await asyncio.sleep(wait_s)
        raise TimeoutError


class Doubtful:
    """This computer doubts itself so much that it never gives anybody up."""

    def __init__(self, *, silent: bool, others: bool) -> None:
        self._silent = silent
        self._others = others

    def limits(self, deadline: StepDeadline, tokens: int) -> StepLimits:
        return StepLimits(0.01, 1.0)

    def judge(self, peer: str, late: LateStep) -> Judgement:
        return Judgement(Verdict.WAIT, 60.0)

    def silent(self, peer: str) -> bool:
        return self._silent

    def can_move(self, hop: Hop) -> bool:
        return self._others

    def overslept(self, late_s: float) -> None:
        pass


@pytest.mark.parametrize(
    ("silent", "others", "given_up"),
    [
        # Nobody else has its blocks, and it does not even answer a heartbeat: "no route" is to be said.
        (True, False, True),
        # It lives and is slow: an answer that takes its time is better than none.
        (False, False, False),
        # Somebody else could go on: when, is the verdict's to say.
        (True, True, False),
    ],
)
async def test_a_silent_sole_holder_is_waited_for_so_long_and_no_longer(
    monkeypatch: pytest.MonkeyPatch, silent: bool, others: bool, given_up: bool
) -> None:
    monkeypatch.setattr(legs, "SOLE_LIMIT_S", LIMIT_S)
    plan = cast(SessionPlan, SimpleNamespace(peers=Doubtful(silent=silent, others=others)))
    leg = Leg(Hop("id", "attic", Span(0, 4)), cast(Any, Mute()))
    began_s = time.monotonic()
    if given_up:
        with pytest.raises(PeerLost, match=r"attic stopped answering") as lost:
            await receive(plan, leg, 1)
        assert lost.value.cause == "silent"
        assert time.monotonic() - began_s >= LIMIT_S
    else:
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(3 * LIMIT_S):
                await receive(plan, leg, 1)
