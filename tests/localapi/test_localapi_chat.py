"""OpenAI's protocol against a node in this process: J1, J2, G5 and what bad input gets."""

from __future__ import annotations

import asyncio
import copy
import json
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm_app.domain.errors import ChildDown, ContextLengthExceeded, NoRoute
from swarm_app.domain.pause import Pause
from swarm_app.domain.said import say
from swarm_app.localapi import chat
from swarm_app.localapi.answers import (
    Begun,
    Choice,
    Done,
    Offered,
    OfferOver,
    Paused,
    Segment,
    Switched,
    Text,
    Turn,
)
from swarm_app.localapi.schema import DEFAULT_TEMPERATURE, parse_chat
from tests.localapi.fakehost import ROUTE, FakeAnswer, FakeHost, web

HI = [{"role": "user", "content": "hi"}]


async def ask(host: FakeHost, **body: object) -> tuple[int, dict[str, Any]]:
    async with web(host) as client:
        reply = await client.post("/v1/chat/completions", json={"messages": HI, **body})
    return reply.status_code, reply.json()


async def stream(host: FakeHost, **body: object) -> list[Any]:
    """The data of every event, decoded, ``[DONE]`` as it is."""
    async with web(host) as client:
        reply = await client.post("/v1/chat/completions", json={"messages": HI, "stream": True, **body})
    assert reply.status_code == 200
    assert reply.headers["content-type"].startswith("text/event-stream")
    events = [event for event in reply.text.split("\n\n") if event and not event.startswith(":")]
    assert all(event.startswith("data: ") and "\n" not in event for event in events)
    return [event[6:] if event == "data: [DONE]" else json.loads(event[6:]) for event in events]


# ---------------------------------------------------------------- answers


async def test_a_whole_answer() -> None:
    host = FakeHost()
    status, body = await ask(host, model="tiny")
    assert status == 200
    assert body["object"] == "chat.completion"
    assert body["model"] == "tiny"
    (choice,) = body["choices"]
    assert choice["message"] == {"role": "assistant", "content": "hi", "refusal": None}
    assert choice["finish_reason"] == "stop"
    assert body["usage"] == {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}
    assert body["homeswarm"]["segments"][0]["route"] == [
        {"peer": "12D3KooWOne", "name": "N1", "start": 0, "end": 4},
        {"peer": "12D3KooWTwo", "name": "N2", "start": 4, "end": 8},
    ]
    assert host.answers[0].closed


async def test_a_stream_with_and_without_usage() -> None:
    plain = await stream(FakeHost())
    *chunks, end = plain
    assert end == "[DONE]"
    assert not any("usage" in chunk for chunk in chunks)
    assert all(len(chunk["choices"]) == 1 for chunk in chunks)
    assert "".join(c["choices"][0]["delta"].get("content", "") for c in chunks) == "hi"
    assert chunks[0]["choices"][0]["delta"]["role"] == "assistant"
    assert chunks[-1]["choices"][0]["finish_reason"] == "stop"
    assert chunks[-1]["homeswarm"]["segments"][0]["engine"] == "swarm"
    assert len({chunk["id"] for chunk in chunks}) == 1

    *chunks, last, end = await stream(FakeHost(), stream_options={"include_usage": True})
    assert end == "[DONE]"
    assert last["choices"] == []
    assert all(chunk["usage"] is None for chunk in chunks)
    _, whole = await ask(FakeHost())
    assert last["usage"] == whole["usage"]


async def test_the_model_of_an_answer_is_the_one_that_gave_it() -> None:
    host = FakeHost()
    fallback = Segment("local", "tiny-q4", (), 1, "no-route")
    host.script = [Begun(1, 0, ROUTE), Done("length", 1, 1, (fallback,), None)]
    _, body = await ask(host, model="ab" * 32)
    assert body["model"] == "tiny-q4"
    assert body["choices"][0]["finish_reason"] == "length"
    assert body["homeswarm"]["segments"][0]["reason"] == "no-route"


async def test_a_stream_says_when_its_reader_has_to_decide() -> None:
    host = FakeHost()
    offered = Offered("request1", say("peer-asleep", "attic"), "Wake attic.", "small", 1, 2.0)
    host.script = [
        Begun(1, 0, ROUTE),
        Text("a"),
        offered,
        OfferOver("request1", "local"),
        Switched("small", "attic is asleep", 1, 0, "Wake attic."),
        Done("stop", 1, 1, (), None),
    ]
    chunks = await stream(host, fallback="ask", decides=True)
    assert host.asked[0][1].decides
    ours = [chunk.get("homeswarm") for chunk in chunks[:-1]]
    assert ours[2] == {
        "offered": {
            "request_id": "request1",
            "reason": "attic is asleep",
            "why": [{"code": "peer-asleep", "names": ["attic"], "number": None, "least": None, "about": ""}],
            "remedy": "Wake attic.",
            "model": "small",
            "at_token": 1,
            "until": 2.0,
        }
    }
    assert ours[3] == {"offer_over": {"request_id": "request1", "how": "local"}}
    assert all(chunk["choices"][0]["delta"] == {"content": ""} for chunk in chunks[2:5])
    assert (await ask(host, decides=True))[1]["error"]["param"] == "decides"
    async with web(host) as client:
        decided = await client.post("/api/answers/request1/fallback", json={"decision": "local"})
        wrong = await client.post("/api/answers/request1/fallback", json={"decision": "yes"})
        late = await client.post("/api/answers/other/fallback", json={"decision": "wait"})
    assert (decided.status_code, decided.json(), host.decided) == (202, {"decided": "local"}, ["local"])
    assert (wrong.status_code, wrong.json()["error"]["param"]) == (400, "decision")
    assert (late.status_code, late.json()["error"]["code"]) == (404, "no-offer")


async def test_a_computer_without_a_model_to_share_has_its_own() -> None:
    host = FakeHost()
    host.has_model, host.local = False, "small"
    async with web(host) as client:
        listed = (await client.get("/v1/models")).json()
    assert [model["id"] for model in listed["data"]] == ["small"]
    assert (await ask(host, model="small"))[0] == 200
    assert host.asked[0][1].prefer == "local"
    _, body = await ask(host, model="tiny")
    assert body["error"]["code"] == "model_not_found"
    assert "runs the model 'small'" in body["error"]["message"]
    host.local = None
    async with web(host) as client:
        assert (await client.get("/v1/models")).json()["data"] == []
    assert "This node has no model" in (await ask(host, model="tiny"))[1]["error"]["message"]


async def test_another_model_is_not_silently_replaced() -> None:
    host = FakeHost()
    for model in ("gpt-4o", "", "tin", "\ud800"):
        status, body = await ask_raw(host, json.dumps({"messages": HI, "model": model}))
        assert status == 404
        assert body["error"]["code"] == "model_not_found"
        assert body["error"]["param"] == "model"
    assert host.asked == []


async def ask_raw(host: FakeHost, body: str | bytes) -> tuple[int, dict[str, Any]]:
    async with web(host) as client:
        reply = await client.post(
            "/v1/chat/completions", content=body, headers={"content-type": "application/json; charset=utf-8"}
        )
    return reply.status_code, reply.json()


async def test_models() -> None:
    async with web(FakeHost()) as client:
        listed = (await client.get("/v1/models")).json()
        one = (await client.get("/v1/models/tiny")).json()
        missing = await client.get("/v1/models/a/b")
    assert [model["id"] for model in listed["data"]] == ["tiny"]
    assert one == listed["data"][0]
    assert missing.status_code == 404
    assert missing.json()["error"]["code"] == "model_not_found"


# ---------------------------------------------------------------- errors


async def test_a_refusal_before_the_first_text_has_its_status() -> None:
    host = FakeHost()
    host.script = [ContextLengthExceeded("The conversation has 300 tokens and 256 fit.")]
    for body in ({}, {"stream": True}):
        status, reply = await ask(host, **body)
        assert status == 400
        assert reply["error"]["code"] == "context_length_exceeded"
        assert reply["error"]["type"] == "invalid_request_error"
        assert reply["error"]["message"].endswith("Shorten the message or start a new chat.")
    host.refusal = ChildDown("The engine is still starting.", remedy="Try again in a moment.")
    async with web(host) as client:
        refused = await client.post("/v1/chat/completions", json={"messages": HI, "stream": True})
    assert refused.status_code == 503
    assert refused.headers["retry-after"] == "2"
    assert refused.json()["error"]["homeswarm"]["remedy"] == "Try again in a moment."


async def test_a_loss_in_the_middle_of_a_stream_is_its_last_word() -> None:
    host = FakeHost()
    host.script = [Begun(1, 0, ROUTE), Text("x"), NoRoute("Nobody serves 4:8 now.")]
    *_, text, error, end = await stream(host)
    assert text["choices"][0]["delta"] == {"content": "x"}
    assert error["error"]["code"] == "no-route"
    assert end == "[DONE]"
    assert host.answers[0].closed
    status, _ = await ask(host)
    assert status == 503


ASLEEP = Pause(
    "asleep",
    "12D3KooWOne",
    "desk",
    ("attic",),
    0.1,
    0.2,
    0.1,
    0.4,
    1,
    "desk went to sleep; moved to attic in 0.4 s",
)
ASLEEP_VIEW = {
    "cause": "asleep",
    "peer": "12D3KooWOne",
    "name": "desk",
    "moved_to": ["attic"],
    "detect_s": 0.1,
    "route_s": 0.2,
    "replay_s": 0.1,
    "total_s": 0.4,
    "at_token": 1,
    "text": "desk went to sleep; moved to attic in 0.4 s",
    "why": [],
    "load_s": 0.0,
    "words_may_differ": False,
}


async def test_a_pause_is_told_in_the_stream_and_in_the_metadata_and_adds_no_text() -> None:
    host = FakeHost()
    host.script = [
        Begun(1, 0, ROUTE),
        Text("x"),
        Paused(ASLEEP),
        Text("y"),
        Done("stop", 1, 2, (), None, pauses=(ASLEEP,)),
    ]
    for body in ({}, {"stream_options": {"include_usage": True}}):
        *chunks, end = await stream(host, **body)
        assert end == "[DONE]"
        texts = [c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"]]
        assert "".join(texts) == "xy"
        (paused,) = [c for c in chunks if "paused" in c.get("homeswarm", {})]
        # The very shape of a piece of text, for whoever looks at nothing else.
        piece = next(c for c in chunks if c["choices"] and c["choices"][0]["delta"].get("content") == "x")
        assert paused.keys() - {"homeswarm"} == piece.keys()
        assert paused["choices"] == [
            {"index": 0, "delta": {"content": ""}, "logprobs": None, "finish_reason": None}
        ]
        assert paused["homeswarm"] == {"paused": ASLEEP_VIEW}
        last = next(c for c in chunks if c["choices"] and c["choices"][0]["finish_reason"])
        assert last["homeswarm"]["pauses"] == [ASLEEP_VIEW]
        assert {c["id"] for c in chunks} == {"chatcmpl-request1"}
    _, whole = await ask(host)
    assert whole["choices"][0]["message"]["content"] == "xy"
    assert whole["homeswarm"]["pauses"] == [ASLEEP_VIEW]
    assert whole["id"] == "chatcmpl-request1"


async def test_an_undisturbed_answer_has_no_pauses() -> None:
    _, whole = await ask(FakeHost())
    assert whole["homeswarm"]["pauses"] == []


async def test_blocks_are_withdrawn_and_served_again() -> None:
    host = FakeHost()
    async with web(host) as client:
        withdrawn = await client.post("/api/blocks/withdraw")
        served = await client.post("/api/blocks/serve")
        wrong = await client.get("/api/blocks/withdraw")
    assert (withdrawn.status_code, withdrawn.json()) == (202, {"withdrawn": True, "kept": True})
    assert (served.status_code, served.json()) == (202, {"withdrawn": False, "kept": True})
    assert wrong.status_code == 405
    assert host.withdrawn == [None, False]


@pytest.mark.parametrize(
    ("body", "asked"),
    [
        (b"", None),
        (b"{}", None),
        (b'{"for_s": null}', None),
        (b'{"for_s": 3600}', 3600.0),
        (b'{"for_s": 0.5}', 0.5),
        (b'{"for_s": 0}', "refused"),
        (b'{"for_s": -1}', "refused"),
        (b'{"for_s": NaN}', "refused"),
        (b'{"for_s": 1e300}', "refused"),
        (b'{"for_s": true}', "refused"),
        (b'{"for_s": "1h"}', "refused"),
        (b"[1]", "refused"),
        (b"no", "refused"),
        (b"[" * 5000, "refused"),
    ],
)
async def test_a_pause_is_for_good_or_for_a_while(body: bytes, asked: float | str | None) -> None:
    host = FakeHost()
    async with web(host) as client:
        reply = await client.post("/api/blocks/withdraw", content=body)
    if asked == "refused":
        assert reply.status_code == 400
        assert host.withdrawn == []
    else:
        assert reply.status_code == 202
        assert host.withdrawn == [asked]


async def test_a_silent_stream_says_that_it_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chat, "KEEP_ALIVE_S", 0.02)

    class Slow(FakeAnswer):
        async def next(self) -> Any:
            if self.sent == 1:
                await self.permission.wait()
            return await super().next()

        permission: asyncio.Event

    host = FakeHost()
    answer = Slow([Begun(1, 0, ROUTE), Text("x"), Done("stop", 1, 1, (), None)])
    answer.permission = asyncio.Event()

    host.ready_made = answer
    sent: list[bytes] = []

    async def send(message: Any) -> None:
        sent.append(message.get("body", b""))
        if message.get("body", b"").startswith(b": "):
            answer.permission.set()

    async def receive() -> Any:
        await asyncio.Event().wait()

    request = parse_chat(json.dumps({"messages": HI, "stream": True}).encode())
    await asyncio.wait_for(chat.ChatReply(host, request)({"type": "http"}, receive, send), 10)
    assert any(body.startswith(b": ") for body in sent)
    assert sent[-1] == b"data: [DONE]\n\n"
    assert sum(b'"content":"x"' in body for body in sent) == 1


@pytest.mark.parametrize("streaming", [True, False])
async def test_an_answer_ends_when_its_reader_goes(streaming: bool) -> None:
    host = FakeHost()
    host.script = [Begun(1, 0, ROUTE), Text("x")]  # and then nothing, for ever
    gone = asyncio.Event()

    async def receive() -> Any:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        return

    request = parse_chat(json.dumps({"messages": HI, "stream": streaming}).encode())
    reply = asyncio.create_task(chat.ChatReply(host, request)({"type": "http"}, receive, send))
    await asyncio.wait_for(host.hung.wait(), 5)
    assert not host.answers[0].closed
    gone.set()
    await asyncio.wait_for(reply, 5)
    assert host.answers[0].closed


# ---------------------------------------------------------------- what a request may look like


async def said(messages: object) -> list[Turn]:
    host = FakeHost()
    status, body = await ask_raw(host, json.dumps({"messages": messages}))
    assert status == 200, body
    return list(host.asked[0][0])


async def test_valid_shapes_of_messages() -> None:
    call = {"id": "1", "type": "function", "function": {"name": "weather", "arguments": '{"city":"Paris"}'}}
    turns = await said(
        [
            {"role": "developer", "content": "be brief"},
            {"role": "user", "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two"}]},
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "1", "content": "sunny"},
            {"role": "assistant", "content": "ok", "refusal": None, "annotations": []},
            {"role": "user", "content": "thanks", "name": "Ann", "unknown": {"x": 1}},
        ]
    )
    assert turns == [
        Turn("system", "be brief"),
        Turn("user", "one\ntwo"),
        Turn("assistant", '[called weather({"city":"Paris"})]'),
        Turn("user", "[result]\nsunny"),
        Turn("assistant", "ok"),
        Turn("user", "thanks"),
    ]


@pytest.mark.parametrize("content", ["", "   ", "\n", [], "\u0000", "é漢😀👩‍👩‍👧"])
async def test_odd_content_gets_a_normal_reply(content: object) -> None:
    assert len(await said([{"role": "user", "content": content}])) == 1


async def test_half_characters_become_whole_ones() -> None:
    (turn,) = await said([{"role": "user", "content": "a\ud83d b\ud83d\ude00"}])
    assert turn.content == "a\ufffd b😀"


@pytest.mark.parametrize(
    ("messages", "param"),
    [
        ([], "messages"),
        (None, "messages"),
        ("hi", "messages"),
        ([{"role": "user", "content": None}], "messages[0].content"),
        ([{"role": "user"}], "messages[0].content"),
        ([{"role": "system", "content": None}, *HI], "messages[0].content"),
        ([{"role": "robot", "content": "x"}], "messages[0].role"),
        ([*HI, {"content": "x"}], "messages[1].role"),
        ([{"role": "user", "content": 7}], "messages[0].content"),
        ([{"role": "user", "content": [{"type": "text"}]}], "messages[0].content[0]"),
        ([{"role": "user", "content": ["x"]}], "messages[0].content[0]"),
        (["hi"], "messages[0]"),
    ],
)
async def test_messages_that_make_no_sense_are_named(messages: object, param: str) -> None:
    status, body = await ask(FakeHost(), messages=messages)
    assert status == 400
    assert body["error"]["param"] == param
    assert body["error"]["message"].startswith(param)


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"messages": []}, "messages: this must not be empty."),
        ({"messages": HI * 5000}, "messages: too many of these, at most 4096 taken."),
        ({"messages": ["hi"]}, "messages[0]: this must be an object."),
        ({"messages": [{"content": "x"}]}, "messages[0].role: this is missing."),
        ({"response_format": "text"}, "response_format: this must be an object."),
        ({"temperature": 3}, "temperature: this must be at most 2."),
        ({"max_tokens": 1.5}, "max_tokens: this must be a whole number."),
        ({"prefer": "maybe"}, "prefer: this must be 'swarm' or 'local'."),
        ({"stop": ["a", 7]}, "stop: this must be a text."),
    ],
)
async def test_what_is_wrong_is_said_in_plain_words(body: dict[str, object], told: str) -> None:
    status, reply = await ask(FakeHost(), **body)
    assert (status, reply["error"]["message"]) == (400, told)


async def test_an_image_is_refused_in_plain_words() -> None:
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
    parts = [{"type": "text", "text": "what is this?"}, image]
    status, body = await ask(FakeHost(), messages=[{"role": "user", "content": parts}])
    assert status == 400
    assert body["error"]["param"] == "messages[0].content[1]"
    assert "image_url" in body["error"]["message"]
    assert body["error"]["message"].endswith("Send the text alone.")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("n", 2),
        ("n", 0),
        ("logprobs", True),
        ("top_logprobs", 3),
        ("frequency_penalty", 0.5),
        ("presence_penalty", -1),
        ("logit_bias", {"1": 100}),
        ("tools", [{"type": "function", "function": {"name": "x"}}]),
        ("functions", [{"name": "x"}]),
        ("tool_choice", "required"),
        ("function_call", {"name": "x"}),
        ("response_format", {"type": "json_object"}),
        ("modalities", ["text", "audio"]),
        ("audio", {"voice": "x"}),
        ("stop", ["x"] * 17),
        ("stop", ""),
        ("stop", "x" * 501),
        ("temperature", 2.5),
        ("temperature", -0.1),
        ("temperature", "hot"),
        ("temperature", True),
        ("top_p", 1.5),
        ("min_p", -1),
        ("top_k", -2),
        ("repetition_penalty", 0),
        ("max_tokens", 0),
        ("max_tokens", -1),
        ("max_completion_tokens", 1.5),
        ("seed", 2**64),
        ("seed", "x"),
        ("stream", "yes"),
        ("stream_options", []),
        ("model", 7),
    ],
)
async def test_what_cannot_be_honoured_is_refused_by_name(field: str, value: object) -> None:
    host = FakeHost()
    for streaming in (False, True):
        body = {"stream": streaming, field: value}
        status, reply = await ask(host, **body)
        assert status == 400
        assert reply["error"]["param"] == field
        assert field in reply["error"]["message"]
    assert host.asked == []


async def test_what_asks_for_nothing_is_accepted_and_unknown_fields_are_ignored() -> None:
    host = FakeHost()
    nothing: dict[str, object] = {
        "n": 1,
        "logprobs": False,
        "top_logprobs": 0,
        "frequency_penalty": 0,
        "presence_penalty": 0.0,
        "logit_bias": {},
        "tools": [],
        "tool_choice": "auto",
        "response_format": {"type": "text"},
        "modalities": ["text"],
        "stop": None,
        "seed": None,
        "max_tokens": None,
        "temperature": None,
        "user": "me",
        "metadata": {"a": [1, {"b": None}]},
        "reasoning_effort": "low",
        "parallel_tool_calls": True,
    }
    status, body = await ask(host, **nothing)
    assert status == 200, body
    assert host.asked[0][1] == Choice(temperature=DEFAULT_TEMPERATURE)
    status, _ = await ask(host, **dict.fromkeys(nothing))
    assert status == 200


async def test_sampling_crosses_to_the_engine() -> None:
    host = FakeHost()
    await ask(
        host,
        temperature=0,
        top_p=0.5,
        top_k=40,
        min_p=0.05,
        repetition_penalty=1.1,
        seed=-7,
        max_tokens=9,
        max_completion_tokens=5,
        stop="END",
        trim=True,
    )
    await ask(host, top_p=0, top_k=-1, stop=["a", "b", "a"], temperature=1)
    assert host.asked[0][1:] == (Choice(0.0, 0.5, 40, 0.05, 1.1, -7, 5, ("END",)), True)
    assert host.asked[1][1:] == (Choice(1.0, 1e-6, 0, 0.0, 1.0, None, None, ("a", "b")), False)


# ---------------------------------------------------------------- anything at all

VALID: dict[str, Any] = {
    "model": "tiny",
    "messages": [
        {"role": "system", "content": "be"},
        {"role": "user", "content": [{"type": "text", "text": "a"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"function": {"name": "f", "arguments": "x"}}]},
        {"role": "tool", "content": "b", "tool_call_id": "1"},
        {"role": "user", "content": "c"},
    ],
    "stream": False,
    "stream_options": {"include_usage": True},
    "temperature": 0.5,
    "top_p": 0.9,
    "top_k": 5,
    "min_p": 0.1,
    "repetition_penalty": 1.1,
    "seed": 1,
    "max_tokens": 5,
    "stop": ["x", "y"],
    "n": 1,
    "tools": [],
    "response_format": {"type": "text"},
}

awkward = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(),
    st.text(st.characters(), max_size=8),
    st.sampled_from(["text", "user", "", "\ud800", "image_url", "a\x00b"]),
)
json_values = st.recursive(
    awkward,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.dictionaries(st.sampled_from(["type", "text", "role", "content", "name", "x"]), inner, max_size=4),
    ),
    max_leaves=8,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    found = [path] if path else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in items:
        found += places(item, (*path, key))
    return found


@st.composite
def mutated(draw: st.DrawFn) -> str:
    body = copy.deepcopy(VALID)
    for _ in range(draw(st.integers(1, 3))):
        *path, last = draw(st.sampled_from(places(body)))
        parent: Any = body
        for key in path:
            parent = parent[key]
        if draw(st.booleans()):
            parent[last] = draw(json_values)
        else:
            del parent[last]
        if not body:
            break
    return json.dumps(body)


def check_never_a_500(body: str | bytes) -> None:
    async def check() -> None:
        host = FakeHost()
        async with web(host) as client:
            reply = await client.post(
                "/v1/chat/completions", content=body, headers={"content-type": "application/json"}
            )
        assert reply.status_code in (200, 400, 404), reply.text
        assert "Traceback" not in reply.text
        if reply.status_code == 200:
            assert len(host.asked) == 1
        else:
            error = reply.json()["error"]
            assert error["message"].strip()
            assert error["code"]

    asyncio.run(check())


@settings(max_examples=300)
@given(mutated())
def test_a_mutated_request_never_breaks_the_node(body: str) -> None:
    check_never_a_500(body)


@settings(max_examples=100)
@given(st.one_of(json_values.map(json.dumps), st.binary(max_size=40), st.text(max_size=40).map(str.encode)))
def test_any_body_never_breaks_the_node(body: str | bytes) -> None:
    check_never_a_500(body)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"[" * 200_000,
        b'{"messages":' * 50_000,
        b'{"messages":[{"role":"user","content":' + b"[" * 5000 + b"]" * 5000 + b"}]}",
        b'{"seed":' + b"9" * 6000 + b',"messages":[{"role":"user","content":"x"}]}',
        b'{"temperature":NaN,"messages":[{"role":"user","content":"x"}]}',
        b'{"temperature":1e999,"messages":[{"role":"user","content":"x"}]}',
        b'{"messages":[{"role":"user","content":"\\ud800"}],"stop":["\\udfff"]}',
        b'{"messages":[{"role":"user","content":"x"}],"model":"\\udfff"}',
        b'{"messages":[{"role":"user","content":[{"type":"\\udfff"}]}]}',
    ],
)
def test_bodies_made_to_hurt(body: bytes) -> None:
    check_never_a_500(body)


@given(
    st.sampled_from(["GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS", "BREW"]),
    st.text(st.characters(codec="utf-8", exclude_characters="#?"), max_size=20),
)
def test_any_path_never_breaks_the_node(method: str, path: str) -> None:
    async def check() -> None:
        async with web(FakeHost()) as client:
            reply = await client.request(method, f"/v1/{quote(path)}")
        assert reply.status_code < 500

    asyncio.run(check())


async def test_a_reader_that_goes_as_the_next_text_comes_is_noticed() -> None:
    """The cancellation and the result of a wait fall into the same turn of the event loop."""

    class Endless(FakeAnswer):
        def __init__(self) -> None:
            super().__init__([])
            self.queue: asyncio.Queue[Any] = asyncio.Queue()

        async def next(self) -> Any:
            return await self.queue.get()

    host = FakeHost()
    answer = Endless()
    host.ready_made = answer
    answer.queue.put_nowait(Begun(1, 0, ROUTE))
    gone = asyncio.Event()
    waiting = asyncio.Event()

    async def receive() -> Any:
        await gone.wait()
        # Now the reply is cancelled in this very turn; the text that it waits for comes just before.
        answer.queue.put_nowait(Text("x"))
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        if message.get("body"):
            waiting.set()

    request = parse_chat(json.dumps({"messages": HI, "stream": True}).encode())
    reply = asyncio.create_task(chat.ChatReply(host, request)({"type": "http"}, receive, send))
    await waiting.wait()
    await asyncio.sleep(0)
    gone.set()
    async with asyncio.timeout(5):
        await reply
    assert answer.closed
