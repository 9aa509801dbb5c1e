"""The official client against a real node process with a scripted engine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import openai
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from swarm_app.models.default import DEFAULT_LOCAL_NAME
from tests.node.rig import RiggedNode, rigged_node, until


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RiggedNode]:
    folder = tmp_path_factory.mktemp("openai")
    with rigged_node(folder, engine={"log": str(folder / "engine.log")}) as running:
        running.wait_ready()
        yield running


@pytest.fixture
def client(node: RiggedNode) -> Iterator[openai.OpenAI]:
    with openai.OpenAI(
        base_url=f"{node.address.url}/v1",
        api_key=node.address.token,
        max_retries=0,
        timeout=30,
    ) as made:
        yield made


def script(**fields: Any) -> list[Any]:
    return [{"role": "user", "content": "!" + json.dumps(fields)}]


HI: list[Any] = [{"role": "user", "content": "hi you"}]


def test_models(client: openai.OpenAI) -> None:
    assert [model.id for model in client.models.list()] == ["tiny", DEFAULT_LOCAL_NAME]
    assert client.models.retrieve("tiny").owned_by == "homeswarm"
    with pytest.raises(openai.NotFoundError):
        client.models.retrieve("gpt-4o")


def test_a_whole_answer(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(model="tiny", messages=HI, temperature=0, seed=3)
    assert answer.choices[0].message.content == "Hello there."
    assert answer.choices[0].finish_reason == "stop"
    assert answer.usage is not None
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (2, 2)
    extra = answer.model_extra
    assert extra is not None
    (segment,) = extra["homeswarm"]["segments"]
    assert segment["engine"] == "swarm"
    assert segment["route"] == [{"peer": "12D3KooWBlocksBlocksBlocks", "name": "N1", "start": 0, "end": 8}]


def test_a_stream_and_its_usage(client: openai.OpenAI) -> None:
    whole = client.chat.completions.create(model="tiny", messages=HI)
    text = ""
    usages = []
    for chunk in client.chat.completions.create(
        model="tiny", messages=HI, stream=True, stream_options={"include_usage": True}
    ):
        text += "".join(choice.delta.content or "" for choice in chunk.choices)
        if chunk.usage is not None:
            usages.append(chunk.usage)
            assert chunk.choices == []
    assert text == "Hello there."
    assert usages == [whole.usage]
    plain = list(client.chat.completions.create(model="tiny", messages=HI, stream=True))
    assert all(chunk.usage is None and chunk.choices for chunk in plain)
    assert plain[-1].choices[0].finish_reason == "stop"


def test_a_program_that_knows_nothing_of_pauses_sees_the_text_alone(client: openai.OpenAI) -> None:
    broken: list[Any] = script(tokens=["a", "b", "c"], pause_after=2)
    whole = client.chat.completions.create(model="tiny", messages=broken)
    assert whole.choices[0].message.content == "abc"
    (pause,) = (whole.model_extra or {})["homeswarm"]["pauses"]
    assert pause["text"] == "N1 went to sleep; moved to attic in 0.4 s"
    assert pause["moved_to"] == ["attic"]
    chunks = list(client.chat.completions.create(model="tiny", messages=broken, stream=True))
    # As the simplest programs do it: no chunk without a choice, no delta without a text but the last.
    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks) == "abc"
    assert [c.choices[0].delta.content for c in chunks[:-1]] == ["", "a", "b", "", "c"]
    told = [(c.model_extra or {}).get("homeswarm", {}).get("paused") for c in chunks]
    assert [paused["at_token"] for paused in told if paused] == [2]
    assert (chunks[-1].model_extra or {})["homeswarm"]["pauses"] == [pause]
    # And with the helper that gathers a stream into an answer.
    with client.chat.completions.stream(model="tiny", messages=broken) as gathered:
        assert gathered.get_final_completion().choices[0].message.content == "abc"


def test_a_limit_is_told(client: openai.OpenAI) -> None:
    answer = client.chat.completions.create(model="tiny", messages=HI, max_tokens=1)
    assert answer.choices[0].finish_reason == "length"
    assert answer.choices[0].message.content == "Hello "


def test_errors_have_the_classes_that_programs_catch(client: openai.OpenAI, node: RiggedNode) -> None:
    with pytest.raises(openai.BadRequestError) as bad:
        client.chat.completions.create(model="tiny", messages=HI, n=2)
    assert bad.value.param == "n"
    with pytest.raises(openai.NotFoundError) as missing:
        client.chat.completions.create(model="gpt-4o", messages=HI)
    assert missing.value.code == "model_not_found"
    too_long = ["context_length_exceeded", "The conversation has 900 tokens and 256 fit.", "Shorten it."]
    with pytest.raises(openai.BadRequestError) as long:
        client.chat.completions.create(model="tiny", messages=script(fail=too_long))
    assert long.value.code == "context_length_exceeded"
    no_route = ["no-route", "Nobody serves blocks 3:5.", "Wake a computer."]
    with pytest.raises(openai.InternalServerError) as lost:
        client.chat.completions.create(model="tiny", messages=script(fail=no_route))
    assert lost.value.status_code == 503
    assert "Nobody serves blocks 3:5. Wake a computer." in str(lost.value)
    stream = client.chat.completions.create(
        model="tiny", messages=script(tokens=["a", "b"], fail=no_route, fail_after=1), stream=True
    )
    with pytest.raises(openai.APIError, match="Nobody serves"):
        list(stream)
    with (
        openai.OpenAI(base_url=f"{node.address.url}/v1", api_key="wrong", max_retries=0) as stranger,
        pytest.raises(openai.AuthenticationError),
    ):
        stranger.models.list()


def test_four_answers_at_once_never_mix(client: openai.OpenAI) -> None:
    got: dict[str, str] = {}

    def ask(letter: str, streaming: bool) -> None:
        messages = script(tokens=[letter] * 60, delay_s=0.002)
        if streaming:
            chunks = client.chat.completions.create(model="tiny", messages=messages, stream=True)
            got[letter] = "".join(c.choices[0].delta.content or "" for c in chunks)
        else:
            answer = client.chat.completions.create(model="tiny", messages=messages)
            got[letter] = answer.choices[0].message.content or ""

    threads = [threading.Thread(target=ask, args=(letter, letter in "AB")) for letter in "ABCD"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert got == {letter: letter * 60 for letter in "ABCD"}


def cancels(node: RiggedNode) -> int:
    return (node.folder / "engine.log").read_text().count("Cancel(")


@pytest.mark.parametrize("streaming", [True, False])
def test_a_reader_that_goes_cancels_the_answer(node: RiggedNode, streaming: bool) -> None:
    before = cancels(node)
    body = {"messages": script(tokens=["x"] * 2000, delay_s=0.02), "stream": streaming}
    headers = {"Authorization": f"Bearer {node.address.token}"}
    with httpx.Client(base_url=node.address.url, headers=headers, trust_env=False, timeout=1.0) as http:
        began = time.monotonic()
        if streaming:
            with http.stream("POST", "/v1/chat/completions", json=body) as reply:
                for line in reply.iter_lines():
                    if '"content":"x"' in line:
                        break
        else:
            with pytest.raises(httpx.ReadTimeout):
                http.post("/v1/chat/completions", json=body)
        until(lambda: cancels(node) == before + 1, 5)
        assert time.monotonic() - began < 10
        # The next question is answered at once: nothing is busy with the dead one.
        began = time.monotonic()
        assert http.post("/v1/chat/completions", json={"messages": HI}).status_code == 200
        assert time.monotonic() - began < 2
    until(lambda: node.state()["node"]["answers"] == 0, 5)


def test_too_many_at_once_are_told_to_wait(node: RiggedNode, client: openai.OpenAI) -> None:
    endless = script(tokens=["x"] * 2000, delay_s=0.02)
    streams = [client.chat.completions.create(model="tiny", messages=endless, stream=True) for _ in range(8)]
    try:
        with pytest.raises(openai.RateLimitError) as busy:
            client.chat.completions.create(model="tiny", messages=HI)
        assert busy.value.code == "busy"
        assert busy.value.response.headers["retry-after"] == "2"
        assert node.state()["node"]["answers"] == 8
    finally:
        for stream in streams:
            stream.close()
    until(lambda: node.state()["node"]["answers"] == 0, 5)
    assert client.chat.completions.create(model="tiny", messages=HI).choices[0].message.content


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.binary(max_size=200))
def test_bytes_that_are_no_http_do_no_harm(node: RiggedNode, data: bytes) -> None:
    import socket

    host, port = node.address.url.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), 5) as raw:
        raw.sendall(data)
        raw.shutdown(socket.SHUT_WR)
        raw.settimeout(5)
        reply = b""
        while piece := raw.recv(4096):
            reply += piece
    assert not reply.startswith(b"HTTP/1.1 5")
    assert node.state()["swarm"]["covered"]
