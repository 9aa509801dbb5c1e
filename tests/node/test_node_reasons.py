"""Every reason why the household cannot answer: the sentence, and what a person can do. Read them aloud."""

from __future__ import annotations

from dataclasses import replace

import pytest

from swarm_app.childproto import SeenPeer
from swarm_app.domain.errors import PeerLost
from swarm_app.domain.span import Span
from swarm_app.node.children import Child, Complaint, Kind, Phase, Work
from swarm_app.node.computer import ComingSleep
from swarm_app.node.events import AnswersChanged
from swarm_app.node.fallback import why_loaded
from swarm_app.node.fold import apply
from swarm_app.node.politeness import paused_by_owner
from swarm_app.node.reasons import not_ready, of_error, passes, why_not
from swarm_app.node.state import NO_MODEL, Belongs, Contribution, Standing, State
from tests.node.test_node_fallback import GONE, SPARE, WHOLE, fresh, peer, sees

CHATS = "the process that runs this computer's chats"
SOON = "Try again in a moment."


def stands(standing: Standing, said: Complaint | None = None) -> State:
    return replace(fresh(), belongs=Belongs(standing=standing, complaint=said))


def engine(phase: Phase, said: Complaint | None = None, work: Work | None = None) -> State:
    return replace(fresh(), engine=Child(Kind.ENGINE, phase, complaint=said, work=work))


def serves(state: State, phase: Phase, said: Complaint | None = None, span: Span | None = None) -> State:
    """The same computer, which is to serve blocks itself."""
    return replace(
        state,
        plan=replace(state.plan, serve=True, span=span or Span(4, 8)),
        blocks=Child(Kind.BLOCKS, phase, peer_id="id-here", complaint=said),
    )


DESK = peer("desk", 0, 4)
KEYRING = Complaint("vault-locked", "The keyring is locked.", "Unlock it.")
DAMAGED = Complaint("model-damaged", "block-3.safetensors is damaged.", "Import the model again.")
DIED = Complaint("child-down", "The engine process ended (signal SIGKILL).")
REFUSED = SeenPeer("id-attic", "attic", 4, 8, "available", False, "it has another model", 0.01, 0.001, 100)

SAID = [
    (
        replace(fresh(), stopping=True),
        "this computer's node is stopping",
        "Start it again with: homeswarm node",
    ),
    # It is in no household, or not sure of it.
    (
        stands(Standing.OUTSIDE),
        "this computer is in no household",
        "Found one with: homeswarm swarm create, or join one with: homeswarm join",
    ),
    (stands(Standing.CHECKING), "this computer is still looking up which household it belongs to", SOON),
    (
        stands(Standing.LOCKED, KEYRING),
        "the keys of this computer's household cannot be read now",
        "Unlock it.",
    ),
    (
        stands(Standing.REMOVED),
        "this computer was removed from its household",
        "An owner or admin can invite it again: homeswarm invite create",
    ),
    (
        stands(Standing.TWIN),
        "another computer runs with this one's identity",
        "See what to do with: homeswarm status",
    ),
    (
        replace(fresh(), model=NO_MODEL),
        "there is no model on this computer that a household could share",
        "Import one with: homeswarm model import, and start the node again.",
    ),
    # Its own processes.
    (engine(Phase.WAITING), f"{CHATS} is still starting", SOON),
    (
        engine(Phase.STARTING, work=Work("tokenizer", 0, 1)),
        f"{CHATS} is still starting (tokenizer 0 of 1)",
        SOON,
    ),
    (engine(Phase.LISTENING), f"{CHATS} is still starting", SOON),
    (
        engine(Phase.RESTARTING, DIED),
        f"{CHATS} is being started again: the engine process ended (signal SIGKILL)",
        SOON,
    ),
    (
        engine(Phase.DOWN, DAMAGED),
        f"{CHATS} is down: block-3.safetensors is damaged",
        "Import the model again.",
    ),
    (
        engine(Phase.DOWN, DIED),
        f"{CHATS} is down: the engine process ended (signal SIGKILL)",
        STATUS := "See what happened with: homeswarm status",
    ),
    (engine(Phase.STOPPING), f"{CHATS} is not running", STATUS),
    (engine(Phase.OFF), f"{CHATS} is not running", STATUS),
    (
        serves(engine(Phase.WAITING), Phase.RESTARTING, Complaint("swarm-unavailable", "No port is free.")),
        "the process that serves this computer's blocks is being started again: no port is free",
        SOON,
    ),
    (fresh(), "this computer is still looking for the others", SOON),
    # Its own blocks.
    (
        serves(sees(fresh(), DESK), Phase.STARTING),
        "this computer is still loading its blocks",
        "Wait a moment.",
    ),
    (
        serves(sees(fresh(), DESK), Phase.RESTARTING),
        "this computer's blocks are being loaded again",
        "Wait a moment.",
    ),
    (
        serves(sees(fresh(), DESK), Phase.DOWN, DAMAGED),
        "the process that serves this computer's blocks is down: block-3.safetensors is damaged",
        "Import the model again.",
    ),
    (
        replace(serves(sees(fresh(), DESK), Phase.READY), contribution=Contribution(paused_by_owner(None))),
        "this computer's own blocks are paused",
        "Serve them again with: homeswarm resume",
    ),
    (
        replace(
            serves(sees(fresh(), DESK), Phase.READY),
            sleep=ComingSleep(1.0, 2.0),
            blocks=Child(Kind.BLOCKS, Phase.READY, quiet=True),
        ),
        "this computer is about to sleep",
        "",
    ),
    # Others.
    (sees(fresh(), *GONE), "attic is asleep", "Wake attic."),
    (
        sees(fresh(), DESK, peer("attic", 4, 8, "left")),
        "attic has stopped",
        "Start Homeswarm again on attic.",
    ),
    (
        sees(fresh(), DESK, replace(peer("attic", 4, 8, "left"), reason="paused contributing")),
        "attic has paused contributing",
        "Contribute again on attic.",
    ),
    (
        sees(fresh(), DESK, peer("attic", 4, 8, "suspect")),
        "attic does not answer",
        "See whether attic is on and in the network.",
    ),
    (
        sees(fresh(), peer("desk", 0, 4, "unreachable"), peer("attic", 4, 8, "suspect")),
        "desk and attic do not answer",
        "See whether desk and attic are on and in the network.",
    ),
    (
        sees(fresh(), DESK, peer("attic", 4, 8, "joining")),
        "attic is still loading its blocks",
        "Wait a moment.",
    ),
    (
        sees(fresh(), peer("desk", 0, 4, "asleep"), peer("attic", 4, 8, "left")),
        "desk is asleep, attic has stopped",
        "Wake desk. Start Homeswarm again on attic.",
    ),
    (
        sees(fresh(), DESK, REFUSED),
        "attic cannot be used (it has another model)",
        "See more with: homeswarm status",
    ),
    # Seen under an earlier id and the present one: one computer.
    (
        sees(
            fresh(), DESK, peer("attic", 4, 8, "left"), replace(peer("attic", 4, 8, "left"), peer_id="id-old")
        ),
        "attic has stopped",
        "Start Homeswarm again on attic.",
    ),
    (
        sees(fresh(), DESK),
        "nobody serves blocks 4:8",
        "Wake a computer that holds these blocks, or start another one.",
    ),
    (sees(fresh()), "no other computer is there", "Start Homeswarm on another computer of the household."),
    (
        serves(sees(fresh(), peer("here", 0, 4)), Phase.READY, span=Span(0, 4)),
        "no other computer is there",
        "Start Homeswarm on another computer of the household.",
    ),
]


@pytest.mark.parametrize(("state", "text", "remedy"), SAID, ids=[text for _, text, _ in SAID])
def test_each_reason_is_said_in_plain_words(state: State, text: str, remedy: str) -> None:
    why = why_not(state)
    assert why is not None
    assert (why.text, why.remedy) == (text, remedy)
    error = not_ready(state)
    assert error.message == f"{text[0].upper()}{text[1:]}."
    assert error.remedy == remedy
    # In a language that goes by the code, these are no fault of a process.
    codes = {"this computer was removed from its household": "removed"}
    codes |= {"this computer is in no household": "no-swarm"}
    assert error.code == codes.get(text, "child-down")


def test_a_household_that_can_answer_has_no_reason_not_to() -> None:
    for peers in (WHOLE, SPARE):
        assert why_not(sees(fresh(), *peers)) is None
    # Its own blocks are down, and somebody else has them.
    assert why_not(serves(sees(fresh(), *WHOLE), Phase.DOWN, DAMAGED)) is None


def test_a_computer_alone_holds_its_model_for_its_own_sake() -> None:
    for alone in (stands(Standing.OUTSIDE), replace(fresh(), model=NO_MODEL)):
        assert why_loaded(apply(alone, AnswersChanged(1, 0.0)), 1.0) == "this computer answers alone"


def test_only_what_starts_is_waited_for() -> None:
    waited = {text for state, text, _ in SAID if passes(state)}
    assert waited == {text for _, text, remedy in SAID if remedy == SOON}


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("Attic stopped answering.", "attic stopped answering"),
        (
            "The answer was cut off. The engine process ended (signal SIGKILL).",
            "the engine process ended (signal SIGKILL)",
        ),
        ("GPU memory is full.", "GPU memory is full"),
        ("A peer has no room.", "a peer has no room"),
    ],
)
def test_an_error_becomes_a_part_of_a_sentence(message: str, text: str) -> None:
    why = of_error(PeerLost(message))
    assert (why.text, why.remedy) == (text, PeerLost.default_remedy)
