"""The main job: a chat through three real nodes, asked with OpenAI's own client."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from swarm_app.domain.span import Span
from swarm_app.localapi.answers import Begun, Choice, Done, Text, Turn
from tests.household import Household, Node

pytestmark = pytest.mark.timeout(300)

MODEL = "smollm2-135m-instruct-int8"
QUESTION = "What is the capital of France?"


def ask(node: Node, question: str, max_tokens: int = 24) -> str:
    with node.openai() as client:
        answer = client.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": question}],
            temperature=0,
            max_tokens=max_tokens,
        )
    content = answer.choices[0].message.content
    assert content is not None
    return content


def test_the_swarm_answers_paris_and_says_through_whom(household: Household) -> None:
    with household["desk"].openai() as client:
        answer = client.chat.completions.create(
            model=MODEL,
            messages=[{"role": "user", "content": QUESTION}],
            temperature=0,
            max_tokens=24,
        )
    assert "Paris" in (answer.choices[0].message.content or "")
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert answer.usage.completion_tokens > 3
    (segment,) = answer.model_dump()["homeswarm"]["segments"]
    assert segment["engine"] == "swarm"
    route = [(hop["name"], hop["start"], hop["end"]) for hop in segment["route"]]
    assert route == [("desk", 0, 10), ("attic", 10, 20), ("laptop", 20, 30)]


def test_every_node_gives_the_same_answer_streamed_or_not(household: Household) -> None:
    whole = ask(household["desk"], QUESTION)
    for node in household.nodes:
        pieces: list[str] = []
        with (
            node.openai() as client,
            client.chat.completions.create(
                model=MODEL,
                messages=[{"role": "user", "content": QUESTION}],
                temperature=0,
                max_tokens=24,
                stream=True,
                stream_options={"include_usage": True},
            ) as stream,
        ):
            for chunk in stream:
                pieces += [choice.delta.content or "" for choice in chunk.choices]
        assert "".join(pieces) == whole
        assert len([piece for piece in pieces if piece]) > 1, "it streams"


def test_two_chats_at_once_never_mix(household: Household) -> None:
    questions = {
        household.nodes[0]: "Count from one to ten in words.",
        household.nodes[1]: "List the letters of the alphabet.",
        household.nodes[2]: QUESTION,
    }
    alone = {node: ask(node, question, 40) for node, question in questions.items()}
    assert len(set(alone.values())) == 3
    start = threading.Barrier(2 * len(questions))

    def together(node: Node) -> str:
        start.wait(30)
        return ask(node, questions[node], 40)

    # Twice each: two sessions of one node must not mix either.
    with ThreadPoolExecutor(2 * len(questions)) as pool:
        answers = [(node, pool.submit(together, node)) for node in questions for _ in range(2)]
        for node, answer in answers:
            assert answer.result() == alone[node]


def test_a_reader_that_goes_away_frees_every_peer(household: Household) -> None:
    desk = household["desk"]
    with desk.client() as client:
        events = client.chat([Turn("user", "Tell me a very long story.")], Choice(max_tokens=1500))
        pieces = 0
        for event in events:
            pieces += isinstance(event, Text)
            if pieces == 5:
                break
        assert household["laptop"].wait_until(
            lambda state: state["children"]["blocks"]["sessions"], "in a session"
        )
        events.close()  # type: ignore[attr-defined]
    household.wait_until_idle(5.0)
    for node in household.nodes:
        assert node.state()["children"]["blocks"]["cache_tokens_used"] == 0
    assert "Paris" in ask(desk, QUESTION)


def test_fifty_cancellations_leave_no_session_and_no_memory(household: Household) -> None:
    """Each at another moment: before the first token, in the middle, near the end."""
    desk = household["desk"]
    moments = random.Random(7)
    grown: list[list[int]] = []
    for turn in range(50):
        with desk.client() as client:
            events = client.chat([Turn("user", f"Tell me story number {turn}.")], Choice(max_tokens=200))
            for _ in range(moments.choice((0, 1, 1, 2, 4, 8))):
                next(events)
            events.close()  # type: ignore[attr-defined]
        if turn in (19, 49):
            household.wait_until_idle(10.0)
            grown.append([memory_of(node) for node in household.nodes])
    early, late = grown
    assert all(after - before < 30_000_000 for before, after in zip(early, late, strict=True)), grown
    asked_s = time.monotonic()
    assert "Paris" in ask(desk, QUESTION)
    assert time.monotonic() - asked_s < 10.0


def memory_of(node: Node) -> int:
    """Resident bytes of a node's blocks process."""
    pid = node.state()["children"]["blocks"]["pid"]
    assert pid is not None
    return int(psutil.Process(pid).memory_info().rss)


def test_a_long_answer_ends_at_its_limit(household: Household) -> None:
    with household["attic"].client() as client:
        *_, done = client.chat([Turn("user", "Tell me a long story.")], Choice(max_tokens=32))
    assert isinstance(done, Done)
    assert (done.reason, done.completion_tokens) == ("length", 32)
    assert done.timing is not None
    assert 0 < done.timing.itl_median_s <= done.timing.itl_p95_s
    assert done.timing.ttft_s > 0


def test_the_begin_of_an_answer_names_the_route(household: Household) -> None:
    with household["laptop"].client() as client:
        begun, *_ = client.chat([Turn("user", QUESTION)], Choice(max_tokens=4))
    assert isinstance(begun, Begun)
    assert [hop.span for hop in begun.route] == [Span(0, 10), Span(10, 20), Span(20, 30)]


def test_the_state_knows_all_peers_and_has_no_problems(household: Household) -> None:
    for node in household.nodes:
        state = node.state()
        assert {(peer["name"], *peer["span"]) for peer in state["swarm"]["peers"]} == {
            ("desk", 0, 10),
            ("attic", 10, 20),
            ("laptop", 20, 30),
        }
        assert [peer["name"] for peer in state["swarm"]["peers"] if peer["this_node"]] == [node.name]
        assert state["problems"] == []
