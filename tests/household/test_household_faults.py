"""The main promise: whatever happens to a peer, the answer goes on with the very same tokens, and says why.

Once each on a small household, whatever time it takes: tests run on busy computers. What is felt is
measured by ``python -m tests.household fault``, many times and with more kinds.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from swarm_app.domain.span import Span
from tests.host.mockbus import need_dbusmock
from tests.household import Household, logind
from tests.household.campaign import Campaign
from tests.household.embedded import Embedded
from tests.household.faults import ChildDeath, Fault, Goodnight, Kill, SilentSleepLinkUp, Withdraw

pytestmark = pytest.mark.timeout(300)

TOKENS = 32
AT_TOKEN = 10


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, embedded: Embedded) -> Iterator[Campaign]:
    """desk asks; attic and laptop hold the same blocks, so that each is the other's spare."""
    rig = Household(
        tmp_path_factory.mktemp("faults"),
        models=embedded.models,
        model=embedded.name,
        spans=[Span(0, 10), Span(10, 30), Span(10, 30)],
        sleepers=not logind.why_not(),
    )
    with rig:
        rig.wait_until_covered()
        yield Campaign(rig, rig["desk"], tokens=TOKENS)


def survive(campaign: Campaign, kind: type[Fault], cause: str, *, undo: bool = True) -> None:
    run = campaign.run(kind, AT_TOKEN, 0, undo=undo)
    assert run.tokens_equal, "other tokens than without the fault"
    assert run.finished_by == "swarm"
    assert run.cause == cause
    assert any(run.victim in told for told in run.told), run.told
    spare = {"attic": "laptop", "laptop": "attic"}[run.victim]
    assert run.moved_to == [spare]
    assert f"moved to {spare}" in " ".join(run.told)
    assert run.leftover_processes == []


def test_a_computer_that_says_goodnight(campaign: Campaign) -> None:
    need_dbusmock()
    survive(campaign, Goodnight, "asleep")


def test_blocks_that_are_taken_back(campaign: Campaign) -> None:
    survive(campaign, Withdraw, "left")


def test_a_computer_that_falls_asleep_without_a_word(campaign: Campaign) -> None:
    survive(campaign, SilentSleepLinkUp, "silent")


def test_blocks_whose_process_dies(campaign: Campaign) -> None:
    survive(campaign, ChildDeath, "broken")


def test_a_computer_that_is_killed(campaign: Campaign) -> None:
    """The last one: nobody waits until it has started again."""
    survive(campaign, Kill, "broken", undo=False)
