"""The main promise: whatever happens to a peer, the answer goes on with the very same tokens, and says why.

Once each on a small household, whatever time it takes: tests run on busy computers. What is felt is
measured by ``python -m tests.household fault``, many times and with more kinds.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator

import pytest

from swarm_app.domain.pause import LOCAL
from swarm_app.domain.span import Span
from swarm_app.gui.app import App, make_application
from swarm_app.gui.chat.foot import FootCard
from swarm_app.gui.chat.trace import trace_lines
from swarm_app.localapi.answers import Turn
from swarm_app.localapi.chatview import MessageView
from swarm_app.models.default import DEFAULT_LOCAL_NAME
from swarm_app.node.politeness import SETTLE_S, Condition
from tests.host.mockbus import need_dbusmock
from tests.household import Household, logind
from tests.household.asking import ask
from tests.household.campaign import Campaign, question
from tests.household.embedded import Embedded
from tests.household.faults import (
    AllGone,
    ChildDeath,
    Fault,
    Goodnight,
    Kill,
    SilentSleepLinkUp,
    Unplug,
    Withdraw,
)
from tests.household.household import usable
from tests.household.node import Node

pytestmark = pytest.mark.timeout(300)

TOKENS = 48
AT_TOKEN = 4
"""Early: what has to come about over a bus and a supervisor must not come after the answer's end."""


@pytest.fixture(scope="module")
def campaign(tmp_path_factory: pytest.TempPathFactory, embedded: Embedded) -> Iterator[Campaign]:
    """desk asks; attic and laptop hold the same blocks, so that each is the other's spare."""
    buses = not logind.why_not()
    rig = Household(
        tmp_path_factory.mktemp("faults"),
        models=embedded.models,
        model=embedded.name,
        spans=[Span(0, 10), Span(10, 30), Span(10, 30)],
        # With a bus of the test's own: whoever runs this on battery tests the rest all the same.
        arguments=("--on-battery", "pause") if buses else (),
        sleepers=buses,
    )
    with rig:
        rig.wait_until_covered()
        yield Campaign(rig, rig["desk"], tokens=TOKENS)


def survive(campaign: Campaign, kind: type[Fault], cause: str, *, undo: bool = True) -> None:
    run = campaign.run(kind, AT_TOKEN, 0, undo=undo)
    assert run.tokens_equal, "other tokens than without the fault"
    assert run.finished_by == "swarm", run
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
    survive(campaign, Withdraw, "paused")


def test_a_computer_that_runs_on_battery_is_out_of_it_but_for_its_own_chats(campaign: Campaign) -> None:
    need_dbusmock()
    rig, desk = campaign.rig, campaign.asker

    def serve(node: Node) -> None:
        with node.client() as client:
            client.serve()

    # Undone whatever fails: the tests that follow need everybody.
    with contextlib.ExitStack() as undo:
        for node in rig.nodes:
            undo.callback(rig.loginds[node.name].battery, False)
        survive(campaign, Unplug, "paused", undo=False)
        (victim,) = [node for node in rig.nodes if node.state()["children"]["blocks"]["withdrawn"]]
        state = victim.state()
        assert state["contribution"]["sentence"] == "Paused: this computer runs on battery."
        assert state["contribution"]["state"] == "paused"
        desk.wait_until(lambda state: victim.name not in usable(state), "without it", 30.0)
        # For itself it is there as before: also where nobody else has these blocks, with the very same words.
        calm = campaign.undisturbed(0)
        (spare,) = [node for node in rig.nodes if node not in (desk, victim)]
        undo.callback(serve, spare)
        with spare.client() as client:
            client.withdraw()
        victim.wait_until(lambda state: spare.name not in usable(state), "without the spare", 30.0)
        heard = ask(victim, list(question(0).turns), TOKENS)
        assert heard.begun is not None, heard.error
        assert [hop.name for hop in heard.begun.route] == [desk.name, victim.name]
        assert heard.text == calm.text
        assert victim.name not in usable(desk.state())
        plugged_s = time.monotonic()
    rig.wait_until_all_serve(desk, 60.0)
    assert time.monotonic() - plugged_s >= SETTLE_S[Condition.BATTERY][1] - 1.0, "a plug may be moved"
    assert victim.state()["contribution"]["sentence"] == "Contributing."


def test_a_computer_that_falls_asleep_without_a_word(campaign: Campaign) -> None:
    survive(campaign, SilentSleepLinkUp, "silent")


def test_blocks_whose_process_dies(campaign: Campaign) -> None:
    survive(campaign, ChildDeath, "broken")


@pytest.fixture(scope="module")
def going_on(campaign: Campaign) -> Campaign:
    """The same household, asked so that the local model may go on."""
    return Campaign(campaign.rig, campaign.asker, tokens=TOKENS, local="asked")


def test_when_all_others_are_gone_this_computer_goes_on_and_says_so(going_on: Campaign) -> None:
    run = going_on.run(AllGone, AT_TOKEN, 0)
    assert run.finished_by == "local"
    assert run.tokens_equal, "the household's part has other words than without the fault"
    assert (run.cause, run.moved_to) == (LOCAL, [DEFAULT_LOCAL_NAME])
    assert any("on this computer went on" in told for told in run.told), run.told
    assert run.local_after_s is not None
    assert run.leftover_processes == []


def test_a_sole_holder_that_sleeps_while_nobody_asks_is_not_waited_for(going_on: Campaign) -> None:
    """The question comes right after it fell asleep without a word; how soon it is answered, and after a
    goodnight, ``--kind idle-goodnight idle-silent-sleep-link-up --no-spares`` measures."""
    rig, desk, attic, laptop = going_on.rig, going_on.asker, going_on.rig["attic"], going_on.rig["laptop"]
    with laptop.client() as client:
        client.withdraw()
    desk.wait_until(lambda state: "laptop" not in usable(state), "without laptop", 30.0)
    run = going_on.while_idle(SilentSleepLinkUp, 1, attic)
    with laptop.client() as client:
        client.serve()
    assert run.finished_by == "local", run.told
    assert "attic is asleep" in run.reason or "attic does not answer" in run.reason
    assert run.named_after_s is not None
    rig.wait_until_all_serve(desk)
    deadline_s = time.monotonic() + 60.0
    while True:  # back to the household, and not before it has settled
        again = ask(desk, [Turn("user", "Hello?")], 4, fallback="auto")
        assert again.done is not None, again.error
        (part,) = again.done.segments
        if part.engine == "swarm":
            break
        assert "has been back for" in part.reason
        assert time.monotonic() < deadline_s
        time.sleep(0.5)


@pytest.fixture
def window(campaign: Campaign, monkeypatch: pytest.MonkeyPatch) -> Iterator[App]:
    """The window of the one who asks, off screen."""
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    app = App(campaign.asker.paths, make_application("en"), own_node=False)
    app.start()
    yield app
    app.end()
    app.window.deleteLater()
    app.application.processEvents()


def test_the_window_shows_an_answer_that_loses_a_computer(campaign: Campaign, window: App) -> None:
    """Asked, streamed, the computer's process killed in the middle, stopped, and answered again."""
    rig, desk, page = campaign.rig, campaign.asker, window.window.chat

    def wait(true: Callable[[], object]) -> None:
        until_s = time.monotonic() + 60
        while not true():
            assert time.monotonic() < until_s
            window.application.processEvents()
            time.sleep(0.005)

    def answer() -> MessageView:
        return page.transcript.items[-1].view

    def foot() -> FootCard:
        cards = [card for card in page.transcript._live.values() if isinstance(card, FootCard)]
        return cards[-1]

    rig.wait_until_all_serve(desk)
    wait(lambda: window.link.state and window.link.state["swarm"]["covered"])
    page._new_settings = ("", {"max_tokens": 400})
    page.composer.text.setPlainText("Tell me a long story about a lighthouse.")
    page.send()
    wait(lambda: page.transcript.items and len(answer()["text"]) > 30)
    state = window.link.state
    assert state is not None
    lost = state["route"][-1]["name"]
    fault = ChildDeath(rig, desk, rig[lost])
    fault.prepare()
    fault.happen()
    wait(lambda: page.transcript.items[-1].pauses)
    spare = {"attic": "laptop", "laptop": "attic"}[lost]
    wait(lambda: f"the connection to {lost} broke; moved to {spare} in" in foot().pauses.text())
    length = len(answer()["text"])
    wait(lambda: len(answer()["text"]) > length + 10)
    # What is shown live is the way by which it goes on.
    wait(lambda: window.link.state and window.link.state["route"][-1]["name"] == spare)
    page.stop()
    wait(lambda: answer()["state"] == "stopped")
    assert foot().trouble.text() == "You stopped this answer."
    assert foot().who.text().startswith(f"desk → {lost}, then desk → {spare}")
    traced = dict(trace_lines(answer()))
    assert traced[lost] == traced[spare] == "blocks 11 to 30"
    assert any(line.startswith(f"the connection to {lost} broke") for line in traced)
    page.regenerate(page.transcript.items[-1])
    wait(lambda: len(answer()["versions"]) == 2 and len(answer()["text"]) > 10)
    page.stop()
    wait(lambda: answer()["state"] == "stopped")


def test_a_computer_that_is_killed(campaign: Campaign) -> None:
    """The last one: nobody waits until it has started again."""
    survive(campaign, Kill, "broken", undo=False)
