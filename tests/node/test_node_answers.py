"""F1: what the engine says about one request reaches that request and no other."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.childproto import (
    Accepted,
    Cancel,
    Delta,
    Failed,
    Finished,
    Generate,
    Message,
    RouteHop,
    Sampling,
)
from swarm_app.domain.errors import Busy, ChildDown, HomeswarmError, NoRoute, ProtocolViolation
from swarm_app.localapi.answers import Begun, Choice, Done, Text, Turn
from swarm_app.node.answers import Answers, OpenAnswer

TURNS = [Turn("user", "hi")]


class Engine:
    def __init__(self, limit: int = 8) -> None:
        self.sent: list[Message] = []
        self.down = False
        self.answers = Answers(self.send, limit)

    def send(self, message: Message) -> None:
        if self.down:
            raise ChildDown("The engine process is not running.")
        self.sent.append(message)

    def open(self) -> OpenAnswer:
        return self.answers.open(TURNS, Choice(), False)


def finished(answer: OpenAnswer) -> Finished:
    return Finished(answer.request_id, "stop", 1, 2, [], None)


async def drain(answer: OpenAnswer) -> tuple[str, HomeswarmError | Done]:
    text = ""
    while True:
        try:
            event = await asyncio.wait_for(answer.next(), 1)
        except HomeswarmError as error:
            return text, error
        if isinstance(event, Done):
            return text, event
        if isinstance(event, Text):
            text += event.text


async def test_a_request_crosses_whole() -> None:
    engine = Engine()
    choice = Choice(0.5, 0.9, 3, 0.1, 1.1, 7, 9, ("x",))
    answer = engine.answers.open([Turn("system", "be"), Turn("user", "hi")], choice, True)
    (sent,) = engine.sent
    assert isinstance(sent, Generate)
    assert sent.request_id == answer.request_id
    assert [(m.role, m.content) for m in sent.messages] == [("system", "be"), ("user", "hi")]
    assert sent.sampling == Sampling(0.5, 0.9, 3, 0.1, 1.1, 7, 9, ["x"])
    assert sent.trim
    engine.answers.deliver(Accepted(answer.request_id, 5, 2, [RouteHop("P", "N1", 0, 8)]))
    begun = await answer.next()
    assert isinstance(begun, Begun)
    assert (begun.prompt_tokens, begun.trimmed_messages, str(begun.route[0].span)) == (5, 2, "0:8")
    engine.answers.deliver(finished(answer))
    done = await answer.next()
    assert isinstance(done, Done)
    assert done.trimmed_messages == 2
    assert engine.answers._open == {}


moves = st.lists(
    st.one_of(
        st.tuples(st.just("say"), st.integers(0, 3)),
        st.tuples(st.just("end"), st.integers(0, 3)),
        st.tuples(st.just("fail"), st.integers(0, 3)),
        st.tuples(st.just("close"), st.integers(0, 3)),
        st.tuples(st.just("stranger"), st.just(0)),
    ),
    max_size=60,
)


@given(moves)
def test_no_letter_strays(history: list[tuple[str, int]]) -> None:
    async def check() -> None:
        engine = Engine()
        answers = [engine.open() for _ in range(4)]
        letters = "ABCD"
        expected = ["", "", "", ""]
        over = [False] * 4
        for move, index in history:
            answer = answers[index]
            if move == "say":
                engine.answers.deliver(Delta(answer.request_id, letters[index]))
                expected[index] += "" if over[index] else letters[index]
            elif move == "end":
                engine.answers.deliver(finished(answer))
                over[index] = True
            elif move == "fail":
                engine.answers.deliver(Failed(answer.request_id, "no-route", "Gone.", ""))
                over[index] = True
            elif move == "close":
                answer.close()
                over[index] = True
            else:
                engine.answers.deliver(Delta("somebody-else", "X"))
        for answer in answers:
            answer.put(Done("stop", 0, 0, (), None))
        for index, answer in enumerate(answers):
            text, _ = await drain(answer)
            assert text == expected[index]

    asyncio.run(check())


async def test_closing_cancels_once_and_only_what_is_not_done() -> None:
    engine = Engine()
    cancelled, done = engine.open(), engine.open()
    engine.answers.deliver(finished(done))
    for answer in (cancelled, cancelled, done):
        answer.close()
    assert [m for m in engine.sent if isinstance(m, Cancel)] == [Cancel(cancelled.request_id)]


async def test_a_cancelled_answer_holds_its_place_until_the_engine_has_let_go() -> None:
    engine = Engine(limit=2)
    first, second = engine.open(), engine.open()
    with pytest.raises(Busy, match="2 answers"):
        engine.open()
    first.close()
    with pytest.raises(Busy):
        engine.open()
    engine.answers.deliver(Finished(first.request_id, "cancelled", 1, 0, [], None))
    engine.open().close()
    engine.answers.engine_lost(ChildDown("gone"))
    assert isinstance((await drain(second))[1], ChildDown)
    assert [engine.open(), engine.open()]


async def test_a_lost_engine_ends_every_answer_after_what_it_had_said() -> None:
    engine = Engine()
    answers = [engine.open() for _ in range(3)]
    for answer in answers:
        engine.answers.deliver(Delta(answer.request_id, "x"))
    engine.answers.engine_lost(ChildDown("The answer was cut off."))
    for answer in answers:
        text, end = await drain(answer)
        assert text == "x"
        assert isinstance(end, ChildDown)
    assert engine.answers._open == {}


async def test_an_engine_error_keeps_its_kind() -> None:
    engine = Engine()
    answer = engine.open()
    engine.answers.deliver(Failed(answer.request_id, "no-route", "Blocks 3:5 have no peer.", "Wake one."))
    _, error = await drain(answer)
    assert isinstance(error, NoRoute)
    assert error.remedy == "Wake one."


async def test_a_route_that_is_none_ends_the_answer_and_not_the_node() -> None:
    engine = Engine()
    answer = engine.open()
    engine.answers.deliver(Accepted(answer.request_id, 1, 0, [RouteHop("P", "N1", 5, 5)]))
    assert isinstance((await drain(answer))[1], ProtocolViolation)


async def test_a_request_that_cannot_be_sent_takes_no_place() -> None:
    engine = Engine(limit=1)
    engine.down = True
    with pytest.raises(ChildDown):
        engine.open()
    engine.down = False
    answer = engine.open()
    engine.down = True
    answer.close()  # nobody there to cancel at
    engine.down = False
    assert engine.open()
