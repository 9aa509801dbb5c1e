"""The last promise: when the household is gone, this computer's own model goes on, says so, and gives back.

One small household for both; ``python -m tests.household fault --kind all-gone`` measures.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from swarm_app.domain.pause import LOCAL
from swarm_app.domain.span import Span
from swarm_app.localapi.answers import Turn
from swarm_app.models.default import DEFAULT_LOCAL_NAME
from tests.household import Household
from tests.household.asking import ask
from tests.household.campaign import Campaign
from tests.household.embedded import Embedded
from tests.household.faults import AllGone

pytestmark = pytest.mark.timeout(300)

TOKENS = 32
PATIENCE_S = 20.0
"""A bound for a busy computer that runs other tests too; what is felt is measured by the command."""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, embedded: Embedded) -> Iterator[Campaign]:
    """desk asks; half of the blocks are on attic alone."""
    rig = Household(
        tmp_path_factory.mktemp("local"),
        models=embedded.models,
        model=embedded.name,
        spans=[Span(0, 15), Span(15, 30)],
        fallback="auto",
    )
    with rig:
        rig.wait_until_covered()
        yield Campaign(rig, rig["desk"], tokens=TOKENS)


def test_when_all_others_are_gone_this_computer_goes_on_and_says_so(campaign: Campaign) -> None:
    run = campaign.run(AllGone, 10, 0)
    assert run.finished_by == "local"
    assert run.tokens_equal, "the household's part has other words than without the fault"
    assert (run.cause, run.moved_to) == (LOCAL, [DEFAULT_LOCAL_NAME])
    assert any("on this computer went on" in told for told in run.told), run.told
    assert run.local_after_s is not None
    assert run.local_after_s < PATIENCE_S
    assert not run.hung
    assert run.leftover_processes == []


def test_a_sole_holder_that_sleeps_while_nobody_asks(campaign: Campaign) -> None:
    desk, attic = campaign.rig["desk"], campaign.rig["attic"]
    campaign.ready()
    tree = attic.tree()
    tree.stop()
    try:
        desk.wait_until(lambda state: not state["swarm"]["covered"], "without attic", 30.0)
        # Nobody is waited for: it is known who is missing.
        heard = ask(desk, [Turn("user", "What is the capital of France?")], 16)
        assert heard.error is None
        assert "Paris" in heard.text
        assert heard.begun is not None
        assert (heard.begun.engine, heard.begun.reason) == ("local", "attic does not answer")
        assert heard.pieces[0][0] - heard.asked_s < PATIENCE_S
        state = desk.wait_until(
            lambda state: any("attic" in problem["message"] for problem in state["problems"]),
            "naming attic",
            30.0,
        )
        assert state["local"]["model"] == DEFAULT_LOCAL_NAME
    finally:
        tree.go_on()
    campaign.rig.wait_until_all_serve(desk)
    began_s = time.monotonic()
    # Back to the household, and not before it has settled.
    while (segment := ask(desk, [Turn("user", "Hello?")], 4)).done is not None:
        (part,) = segment.done.segments
        if part.engine == "swarm":
            break
        assert "has been back for" in part.reason
        assert time.monotonic() - began_s < PATIENCE_S
        time.sleep(0.5)
    assert segment.error is None
