"""An answer's way from the household to the local model, with both engines played by the test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import TypeVar

import pytest

from swarm_app.childproto import (
    Accepted,
    Cancel,
    Delta,
    Failed,
    Finished,
    Generate,
    Message,
    RouteHop,
    Segment,
)
from swarm_app.domain.errors import ChildDown, FallbackOffered, HomeswarmError, NoOffer, NoRoute
from swarm_app.localapi.answers import (
    AnswerEvent,
    Begun,
    Choice,
    Done,
    Offered,
    OfferOver,
    Paused,
    Switched,
    Text,
    Turn,
)
from swarm_app.node import locally
from swarm_app.node.answers import MAX_ANSWERS
from swarm_app.node.children import Child, Complaint, Kind, Phase
from swarm_app.node.events import RetryAsked
from swarm_app.node.relay import Relay, RelayedAnswer
from swarm_app.node.state import State
from swarm_app.node.store import Store
from tests.node.test_node_fallback import GONE, SPARE, fresh, sees

TURNS = [Turn("user", "Where is Paris?")]
ROUTE = [RouteHop("id-desk", "desk", 0, 4), RouteHop("id-attic", "attic", 4, 8)]
Sent = TypeVar("Sent", bound=Message)


class Node:
    def __init__(self, state: State) -> None:
        self.store = Store(replace(state, local=Child(Kind.LOCAL, Phase.READY)))
        self.engine: list[Message] = []
        self.local: list[Message] = []
        self.rehearsals: list[Message] = []
        self.quick_reader = True
        self.relay = Relay(self.store, self.engine.append, self._to_local)

    def _to_local(self, message: Message) -> None:
        request_id = getattr(message, "request_id", "")
        if not request_id.endswith("-rehearsal"):
            self.local.append(message)
            return
        self.rehearsals.append(message)
        if self.quick_reader and isinstance(message, Generate):
            loop = asyncio.get_running_loop()
            loop.call_soon(self.say, Accepted(request_id, 9, 0, [], "small"))
            loop.call_soon(self.say, local_part(request_id, 1, "length"))

    def ask(self, choice: Choice | None = None) -> Heard:
        return Heard(self.relay.open(TURNS, choice or Choice(), False))

    async def sent(self, where: list[Message], kind: type[Sent], count: int = 1) -> Sent:
        """The latest of at least `count` messages of a kind that were sent there."""
        async with asyncio.timeout(5):
            while len(found := [message for message in where if isinstance(message, kind)]) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.005)
        return found[-1]

    def say(self, *messages: Message) -> None:
        for message in messages:
            self.relay.deliver(message)  # type: ignore[arg-type]

    def lose_the_household(self) -> None:
        self.store.state = sees(self.store.state, *GONE, at=1.0)


class Heard:
    def __init__(self, answer: RelayedAnswer) -> None:
        self.answer = answer
        self.events: list[AnswerEvent] = []

    @property
    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, Text))

    async def until(self, kind: type[AnswerEvent], count: int = 1) -> None:
        async with asyncio.timeout(5):
            while sum(isinstance(event, kind) for event in self.events) < count:
                self.events.append(await self.answer.next())

    async def done(self) -> Done:
        await self.until(Done)
        last = self.events[-1]
        assert isinstance(last, Done)
        return last

    async def error(self) -> HomeswarmError:
        with pytest.raises(HomeswarmError) as caught:
            await self.done()
        return caught.value


def swarm_part(request_id: str, reason: str, tokens: int) -> Finished:
    return Finished(request_id, reason, 7, tokens, [Segment("swarm", "tiny", ROUTE, tokens)], None)


def local_part(request_id: str, tokens: int, reason: str = "stop") -> Finished:
    return Finished(request_id, reason, 9, tokens, [Segment("local", "small", [], tokens)], None)


@pytest.fixture
async def node() -> AsyncIterator[Node]:
    made = Node(sees(fresh(), *SPARE))
    yield made
    assert await made.store.until(lambda s: not s.answers and not s.local_answers, 5)


async def begin(node: Node, choice: Choice | None = None, *pieces: str) -> tuple[Heard, Generate]:
    """An answer of the household, some pieces of which have come."""
    heard = node.ask(choice)
    asked = await node.sent(node.engine, Generate)
    node.say(Accepted(asked.request_id, 7, 0, ROUTE, "tiny"))
    node.say(*(Delta(asked.request_id, piece) for piece in pieces))
    await heard.until(Text, len(pieces))
    return heard, asked


async def test_an_undisturbed_answer_is_the_households_alone(node: Node) -> None:
    heard, asked = await begin(node, None, "In ", "France.")
    node.say(swarm_part(asked.request_id, "stop", 2))
    done = await heard.done()
    assert (heard.text, done.completion_tokens, [s.engine for s in done.segments]) == (
        "In France.",
        2,
        ["swarm"],
    )
    assert node.local == []


async def test_the_local_model_goes_on_in_the_middle_of_a_word_and_says_so(node: Node) -> None:
    choice = Choice(max_tokens=10, stop=("DEX",), seed=3)
    heard, asked = await begin(node, choice, "Par", "is is in Fr")
    node.lose_the_household()
    await node.sent(node.engine, Cancel)
    # What was kept back as the possible beginning of a stop string is not shown, and not lost either.
    node.say(Delta(asked.request_id, "D"), swarm_part(asked.request_id, "cancelled", 6))
    going_on = await node.sent(node.local, Generate)
    assert going_on.partial == "Paris is in FrD"
    assert going_on.shown == len("Paris is in Fr")
    assert going_on.trim
    assert (going_on.sampling.max_tokens, going_on.sampling.stop, going_on.sampling.seed) == (4, ["DEX"], 3)
    assert [message.role for message in going_on.messages] == ["user"]
    # However late the household wakes up, none of its words comes into the other's.
    node.say(Delta(asked.request_id, "XXX"), Accepted(going_on.request_id, 20, 1, [], "small"))
    node.say(Delta(going_on.request_id, "Dance."), local_part(going_on.request_id, 3))
    done = await heard.done()
    assert heard.text == "Paris is in FrDance."
    assert [(s.engine, s.model, s.completion_tokens, s.reason) for s in done.segments] == [
        ("swarm", "tiny", 6, ""),
        ("local", "small", 3, "attic is asleep"),
    ]
    assert (done.prompt_tokens, done.completion_tokens, done.trimmed_messages) == (7, 9, 1)
    assert [type(event) for event in heard.events] == [Begun, Text, Text, Switched, Paused, Text, Done]
    assert heard.events[3] == Switched("small", "attic is asleep", 6, 1, "Wake attic.")
    assert done.timing is not None
    assert done.timing.itl_p95_s > 0.3
    (pause,) = done.pauses
    assert (pause.cause, pause.moved_to, pause.at_token) == ("local", ("small",), 6)
    assert pause.text == f"attic is asleep; small on this computer went on in {pause.total_s:.1f} s"
    assert node.store.state.pauses[-1].request_id == heard.answer.request_id


async def test_a_silence_is_used_to_read_what_there_is(node: Node) -> None:
    heard, asked = await begin(node, Choice(max_tokens=9, stop=("x",)), "Once ", "upon ")
    node.quick_reader = False
    rehearsal = await node.sent(node.rehearsals, Generate)
    assert (rehearsal.partial, rehearsal.shown, rehearsal.sampling.max_tokens) == ("Once upon ", 10, 1)
    node.say(Accepted(rehearsal.request_id, 20, 0, [], "small"), Delta(rehearsal.request_id, "NOT SAID"))
    # The household goes on: nobody has noticed anything.
    node.say(Delta(asked.request_id, "a "))
    await heard.until(Text, 3)
    node.lose_the_household()
    await node.sent(node.engine, Cancel)
    node.say(swarm_part(asked.request_id, "cancelled", 3))
    await asyncio.sleep(0.05)
    assert node.local == []  # it is still reading
    node.say(local_part(rehearsal.request_id, 1, "length"))
    going_on = await node.sent(node.local, Generate)
    assert going_on.partial == "Once upon a "
    node.say(Accepted(going_on.request_id, 20, 0, [], "small"), Delta(going_on.request_id, "time."))
    node.say(local_part(going_on.request_id, 1))
    done = await heard.done()
    assert heard.text == "Once upon a time."
    assert done.completion_tokens == 4


async def test_slow_readers_keep_no_answer_from_going_on(node: Node, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locally, "REHEARSAL_S", 0.02)
    node.quick_reader = False
    every: list[Heard] = []
    for count in range(1, MAX_ANSWERS + 1):
        heard = node.ask()
        every.append(heard)
        await node.sent(node.engine, Generate, count)
        request_id = heard.answer.request_id
        node.say(Accepted(request_id, 7, 0, ROUTE, "tiny"), *(Delta(request_id, piece) for piece in "ab"))
        await heard.until(Text, 2)
    # Each has the local model read along, which is busy for longer than anybody waits.
    await node.sent(node.rehearsals, Generate, MAX_ANSWERS)
    node.lose_the_household()
    await node.sent(node.engine, Cancel, MAX_ANSWERS)
    node.say(*(swarm_part(heard.answer.request_id, "cancelled", 2) for heard in every))
    await node.sent(node.local, Generate, MAX_ANSWERS)
    for going_on in [message for message in node.local if isinstance(message, Generate)]:
        node.say(Accepted(going_on.request_id, 9, 0, [], "small"), Delta(going_on.request_id, "c"))
        node.say(local_part(going_on.request_id, 1))
    for heard in every:
        await heard.done()
        assert heard.text == "abc"


async def test_the_households_error_hands_over_what_there_was(node: Node) -> None:
    heard, asked = await begin(node, None, "AB")
    so_far = swarm_part(asked.request_id, "failed", 4)
    node.say(Failed(asked.request_id, "peer-lost", "Attic stopped answering.", "", so_far, "DE"))
    going_on = await node.sent(node.local, Generate)
    assert (going_on.partial, going_on.shown) == ("ABDE", 2)
    node.say(Accepted(going_on.request_id, 9, 0, [], "small"), local_part(going_on.request_id, 0))
    done = await heard.done()
    assert done.segments[-1].reason == "attic stopped answering"
    assert done.completion_tokens == 4


async def test_a_question_to_a_household_that_is_not_there_is_answered_here(node: Node) -> None:
    node.lose_the_household()
    heard = node.ask()
    asked = await node.sent(node.local, Generate)
    assert (asked.partial, asked.shown) == ("", 0)
    node.say(Accepted(asked.request_id, 9, 0, [], "small"), Delta(asked.request_id, "Here."))
    node.say(local_part(asked.request_id, 1))
    done = await heard.done()
    assert heard.events[0] == Begun(9, 0, (), "small", "local", "attic is asleep", "Wake attic.")
    assert (done.segments[0].reason, done.pauses) == ("attic is asleep", ())
    assert node.engine == []


async def test_a_household_without_room_for_one_question_is_asked_the_next_one(node: Node) -> None:
    """Scenario E2: it never went away, so nobody is told that it has just come back."""
    heard = node.ask()
    refused = await node.sent(node.engine, Generate)
    node.say(Failed(refused.request_id, "cache-full", "attic: There is no room.", "Wait."))
    here = await node.sent(node.local, Generate)
    node.say(Accepted(here.request_id, 9, 0, [], "small"), local_part(here.request_id, 1))
    assert (await heard.done()).segments[0].reason == "attic: There is no room"
    again = node.ask()
    asked = await node.sent(node.engine, Generate, 2)
    node.say(Accepted(asked.request_id, 7, 0, ROUTE, "tiny"), swarm_part(asked.request_id, "stop", 1))
    assert (await again.done()).segments[0].engine == "swarm"


async def test_the_answers_own_limit_holds_over_both_parts(node: Node) -> None:
    heard, asked = await begin(node, Choice(max_tokens=2), "a", "b")
    node.lose_the_household()
    await node.sent(node.engine, Cancel)
    node.say(Delta(asked.request_id, "c"), swarm_part(asked.request_id, "cancelled", 2))
    done = await heard.done()
    # What may have become a stop string is a part of the answer.
    assert (heard.text, done.reason, done.completion_tokens, node.local) == ("abc", "length", 2, [])


@pytest.mark.parametrize("fallback", ["ask", "never"])
async def test_nobody_takes_over_unasked(node: Node, fallback: str) -> None:
    heard, asked = await begin(node, Choice(fallback=fallback), "AB")
    so_far = swarm_part(asked.request_id, "failed", 3)
    node.say(Failed(asked.request_id, "no-route", "No computer holds block 4.", "", so_far, "C"))
    error = await heard.error()
    assert heard.text == "ABC"
    assert node.local == []
    if fallback == "ask":
        assert isinstance(error, FallbackOffered)
        assert error.message.endswith("small on this computer can.")
    else:
        assert isinstance(error, NoRoute)


async def test_a_person_is_asked_in_the_middle_of_an_answer_and_says_yes(node: Node) -> None:
    heard, asked = await begin(node, Choice(fallback="ask", decides=True), "AB")
    node.lose_the_household()
    await heard.until(Offered)
    (offer,) = node.store.state.offers
    assert (offer.reason, offer.remedy, offer.model, offer.at_token) == (
        "attic is asleep",
        "Wake attic.",
        "small",
        1,
    )
    assert node.store.state.local_answers == 1  # whoever says yes does not wait for it to be loaded
    assert [type(message) for message in node.engine] == [Generate]  # it is still waited for
    node.relay.offers.decide(heard.answer.request_id, "local")
    await node.sent(node.engine, Cancel)
    node.say(Delta(asked.request_id, "C"), swarm_part(asked.request_id, "cancelled", 2))
    going_on = await node.sent(node.local, Generate)
    assert (going_on.partial, going_on.shown) == ("ABC", 2)
    node.say(Accepted(going_on.request_id, 9, 0, [], "small"), Delta(going_on.request_id, "CD"))
    node.say(local_part(going_on.request_id, 2))
    done = await heard.done()
    assert heard.text == "ABCD"
    assert (done.segments[1].reason, done.segments[1].remedy) == ("attic is asleep", "Wake attic.")
    kinds = [type(event) for event in heard.events if not isinstance(event, Text)]
    assert kinds == [Begun, Offered, OfferOver, Switched, Paused, Done]
    assert node.store.state.offers == ()
    with pytest.raises(NoOffer):
        node.relay.offers.decide(heard.answer.request_id, "local")


async def test_an_offer_ends_when_the_household_goes_on(node: Node) -> None:
    heard, asked = await begin(node, Choice(fallback="ask", decides=True), "AB")
    node.lose_the_household()
    await heard.until(Offered)
    node.say(Delta(asked.request_id, "C"), swarm_part(asked.request_id, "stop", 2))
    await heard.done()
    assert heard.events[3] == OfferOver(heard.answer.request_id, "household")
    assert (heard.text, node.local, node.store.state.offers) == ("ABC", [], ())


async def test_who_wants_to_wait_hears_what_the_household_says(node: Node) -> None:
    heard, asked = await begin(node, Choice(fallback="ask", decides=True), "AB")
    so_far = swarm_part(asked.request_id, "failed", 3)
    node.say(Failed(asked.request_id, "no-route", "No computer holds block 4.", "", so_far, "C"))
    await heard.until(Offered)
    node.relay.offers.decide(heard.answer.request_id, "wait")
    assert isinstance(await heard.error(), NoRoute)
    assert (heard.text, node.local) == ("ABC", [])
    assert OfferOver(heard.answer.request_id, "wait") in heard.events


async def test_a_question_waits_for_a_persons_word_and_for_the_household(
    node: Node, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = node.store.state
    node.lose_the_household()
    heard = node.ask(Choice(fallback="ask", decides=True))
    await heard.until(Offered)
    assert node.engine == []
    node.store.state = replace(whole, offers=node.store.state.offers)
    asked = await node.sent(node.engine, Generate)
    node.say(Accepted(asked.request_id, 7, 0, ROUTE, "tiny"), swarm_part(asked.request_id, "stop", 1))
    await heard.done()
    assert heard.events[1] == OfferOver(heard.answer.request_id, "household")
    # Nobody says anything.
    monkeypatch.setattr("swarm_app.node.offers.OFFER_S", 0.01)
    node.lose_the_household()
    silent = node.ask(Choice(fallback="ask", decides=True))
    assert isinstance(await silent.error(), FallbackOffered)
    assert [type(event) for event in silent.events] == [Offered, OfferOver]
    # Who wants to wait, waits.
    monkeypatch.undo()
    waiting = node.ask(Choice(fallback="ask", decides=True))
    await waiting.until(Offered)
    node.relay.offers.decide(waiting.answer.request_id, "wait")
    await waiting.until(OfferOver)
    assert len(node.engine) == 1
    node.store.state = replace(whole, answers=1)
    node.store.apply(RetryAsked(Kind.LOCAL))
    node.store._changed.set()
    asked = await node.sent(node.engine, Generate, 2)
    node.say(Accepted(asked.request_id, 7, 0, ROUTE, "tiny"), swarm_part(asked.request_id, "stop", 1))
    await waiting.done()
    node.lose_the_household()
    # Who stops listening leaves no offer behind.
    gone = node.ask(Choice(fallback="ask", decides=True))
    await gone.until(Offered)
    gone.answer.close()
    assert node.store.state.offers == ()


async def test_an_answer_that_ends_while_it_is_taken_away_has_ended(node: Node) -> None:
    heard, asked = await begin(node, None, "AB")
    node.lose_the_household()
    await node.sent(node.engine, Cancel)
    node.say(Delta(asked.request_id, "C."), swarm_part(asked.request_id, "stop", 3))
    done = await heard.done()
    assert (heard.text, done.reason, [s.engine for s in done.segments]) == ("ABC.", "stop", ["swarm"])
    assert node.local == []


async def test_a_household_that_only_stumbled_does_not_keep_the_local_model(node: Node) -> None:
    heard, asked = await begin(node, None, "A", "B")
    await node.store.until(lambda state: state.local_answers == 1, 5)  # expected in the silence
    node.say(Delta(asked.request_id, "C"))
    await heard.until(Text, 3)
    assert node.store.state.local_answers == 0
    node.say(swarm_part(asked.request_id, "stop", 3))
    await heard.done()


async def test_a_question_that_makes_no_sense_does_not_go_on_here(node: Node) -> None:
    heard = node.ask()
    asked = await node.sent(node.engine, Generate)
    node.say(Failed(asked.request_id, "context_length_exceeded", "Too long.", ""))
    assert (await heard.error()).code == "context_length_exceeded"
    assert node.local == []


async def test_a_local_model_that_crashes_is_tried_once_more_and_goes_on_where_it_was(node: Node) -> None:
    heard = node.ask(Choice(prefer="local", max_tokens=9))
    first = await node.sent(node.local, Generate)
    node.say(Accepted(first.request_id, 9, 0, [], "small"), Delta(first.request_id, "Once "))
    await heard.until(Text)
    node.relay.local.engine_lost(ChildDown("The local process ended (signal SIGSEGV)."))
    second = await node.sent(node.local, Generate, 2)
    assert second.request_id != first.request_id
    assert (second.partial, second.shown, second.sampling.max_tokens) == ("Once ", 5, 8)
    node.say(Accepted(second.request_id, 10, 0, [], "small"), Delta(second.request_id, "upon."))
    node.say(local_part(second.request_id, 2))
    done = await heard.done()
    assert (heard.text, done.completion_tokens) == ("Once upon.", 3)

    heard = node.ask(Choice(prefer="local"))
    for count in (3, 4):
        await node.sent(node.local, Generate, count)
        node.relay.local.engine_lost(ChildDown("The local process ended (signal SIGSEGV)."))
    assert (await heard.error()).code == "child-down"


async def test_a_bad_local_model_is_named_beside_what_the_household_said(node: Node) -> None:
    broken = Child(
        Kind.LOCAL, Phase.DOWN, complaint=Complaint("model-incomplete", "x.gguf is incomplete.", "Copy it.")
    )
    node.store.state = replace(node.store.state, local=broken)
    retried: list[object] = []
    node.store.watch(lambda before, after, event: retried.append(event))
    heard, asked = await begin(node, None, "AB")
    node.say(Failed(asked.request_id, "no-route", "No computer holds block 4.", ""))
    await node.store.until(lambda state: state.local.phase is Phase.RESTARTING, 5)
    assert RetryAsked(Kind.LOCAL) in retried
    node.store.state = replace(node.store.state, local=broken)
    node.store.apply(RetryAsked(Kind.ENGINE))
    node.store._changed.set()
    error = await heard.error()
    assert error.code == "no-route"
    assert error.message == "No computer holds block 4. Nor can the local model: x.gguf is incomplete."
    # Asked for by name, its own error is the answer: no other model is put in its place.
    asking = node.ask(Choice(prefer="local"))
    await node.store.until(lambda state: state.local.phase is Phase.RESTARTING, 5)
    node.store.state = replace(node.store.state, local=broken)
    node.store._changed.set()
    assert (await asking.error()).code == "model-incomplete"


async def test_who_stops_listening_stops_whoever_answers(node: Node) -> None:
    heard, asked = await begin(node, None, "a")
    heard.answer.close()
    assert node.engine[-1] == Cancel(asked.request_id)
    heard = node.ask(Choice(prefer="local"))
    local = await node.sent(node.local, Generate)
    node.say(Accepted(local.request_id, 1, 0, [], "small"))
    await heard.until(Begun)
    heard.answer.close()
    assert node.local[-1] == Cancel(local.request_id)


async def test_a_stopping_node_ends_its_answers(node: Node) -> None:
    heard, _ = await begin(node, None, "a")
    node.store.state = replace(node.store.state, stopping=True)
    node.relay.swarm.engine_lost(ChildDown("The answer was cut off: the node is stopping.", remedy=""))
    assert "the node is stopping" in (await heard.error()).message
    assert node.local == []
