"""The typed client: what it raises when there is no node, and how it follows one."""

from __future__ import annotations

import contextlib
import http.server
import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.config import apifile
from swarm_app.config.apifile import ApiAddress
from swarm_app.domain.errors import (
    BadRequest,
    ChildDown,
    ContextLengthExceeded,
    HomeswarmError,
    NodeNotRunning,
    NoRoute,
)
from swarm_app.localapi.answers import Begun, Choice, Done, Paused, Text, Turn
from swarm_app.localapi.client import LocalClient, _answer_events
from swarm_app.localapi.sse import data, read_events
from swarm_app.models.default import DEFAULT_LOCAL_NAME
from tests.node.rig import RiggedNode, rigged_node, until


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RiggedNode]:
    folder = tmp_path_factory.mktemp("client")
    with rigged_node(folder, engine={"log": str(folder / "engine.log")}) as running:
        running.wait_ready()
        yield running


def script(**fields: object) -> list[Turn]:
    return [Turn("user", "!" + json.dumps(fields))]


def test_an_answer(node: RiggedNode) -> None:
    with LocalClient.from_profile(node.paths.root) as client:
        assert client.models() == ["tiny", DEFAULT_LOCAL_NAME]
        begun, *texts, done = client.chat([Turn("user", "hi")], Choice(max_tokens=9))
    assert isinstance(begun, Begun)
    assert begun.prompt_tokens == 1
    assert [hop.name for hop in begun.route] == ["N1"]
    assert texts == [Text("Hello "), Text("there.")]
    assert isinstance(done, Done)
    assert (done.reason, done.prompt_tokens, done.completion_tokens) == ("stop", 1, 2)
    assert done.segments[0].route == begun.route
    assert done.timing is not None
    assert done.timing.ttft_s == 0.1


def test_errors_keep_their_kind(node: RiggedNode) -> None:
    with node.client() as client:
        for code, kind in (("no-route", NoRoute), ("context_length_exceeded", ContextLengthExceeded)):
            with pytest.raises(kind) as early:
                list(client.chat(script(fail=[code, "It is so.", "Do this."])))
            assert (early.value.message, early.value.remedy) == ("It is so.", "Do this.")
            with pytest.raises(kind) as late:
                list(
                    client.chat(script(tokens=["a", "b"], fail=[code, "It is so.", "Do this."], fail_after=1))
                )
            assert (late.value.message, late.value.remedy) == ("It is so.", "Do this.")
        with pytest.raises(ChildDown):
            list(client.chat(script(tokens=["a", "b"], crash_after=1)))
    node.wait_ready()


def test_closing_the_iterator_cancels(node: RiggedNode) -> None:
    log = node.folder / "engine.log"
    before = log.read_text().count("Cancel(")
    with node.client() as client:
        answer = client.chat(script(tokens=["x"] * 2000, delay_s=0.02))
        assert isinstance(next(answer), Begun)
        assert next(answer) == Text("x")
        answer.close()  # type: ignore[attr-defined]
        until(lambda: log.read_text().count("Cancel(") == before + 1, 5)


def test_events_are_a_snapshot_then_deltas_with_reasons(node: RiggedNode) -> None:
    with node.client() as client, node.client() as other:
        changes = client.events()
        first = next(changes)
        assert first.because == ()
        assert first.state["swarm"]["covered"]
        list(other.chat([Turn("user", "hi")]))
        seen: list[str] = []
        for change in changes:
            seen += change.because
            if change.state["node"]["answers"] == 0 and "AnswersChanged" in seen:
                break
        assert change.state["route"] == [
            {"peer": "12D3KooWBlocksBlocksBlocks", "name": "N1", "start": 0, "end": 8}
        ]
        assert change.state.keys() == first.state.keys()


def test_a_pause_is_an_event_of_its_own_and_stays_in_the_state(node: RiggedNode) -> None:
    with node.client() as client, node.client() as other:
        changes = client.events()
        next(changes)
        answer = list(other.chat(script(tokens=["a", "b"], pause_after=1)))
        begun, first, paused, second, done = answer
        assert isinstance(begun, Begun)
        assert (first, second) == (Text("a"), Text("b"))
        assert isinstance(paused, Paused)
        assert paused.pause.worth_telling
        assert paused.pause.moved_to == ("attic",)
        assert isinstance(done, Done)
        assert done.pauses == (paused.pause,)
        change = next(change for change in changes if change.paused)
        (told,) = change.paused
        assert told["text"] == paused.pause.text == "N1 went to sleep; moved to attic in 0.4 s"
        assert told["request_id"]
        assert abs(told["at"] - time.time()) < 60
        assert change.because.count("PauseEnded") == 1
        assert client.state()["pauses"][-1] == told
        # Whoever comes later finds it in the list, and is not told again.
        late = client.events()
        assert next(late).state["pauses"][-1] == told
        list(other.chat([Turn("user", "hi")]))
        assert next(late).paused == ()


def test_blocks_can_be_taken_back_and_served_again(node: RiggedNode) -> None:
    with node.client() as client:
        client.withdraw()
        state = node.wait_for(lambda s: s["children"]["blocks"]["quiet"])
        assert state["children"]["blocks"]["withdrawn"]
        client.serve()
        state = node.wait_for(lambda s: not s["children"]["blocks"]["quiet"])
        assert not state["children"]["blocks"]["withdrawn"]


def test_a_node_that_only_chats_has_nothing_to_take_back(tmp_path: Path) -> None:
    with rigged_node(tmp_path, span="none") as chatting, chatting.client() as client:
        for call in (client.withdraw, client.serve):
            with pytest.raises(BadRequest, match="serves no blocks"):
                call()


def test_events_end_with_the_node(tmp_path: Path) -> None:
    with rigged_node(tmp_path) as short_lived:
        short_lived.wait_ready()
        with short_lived.client() as client:
            changes = client.events()
            next(changes)
            short_lived.process.terminate()
            assert list(changes)[-1].state["node"]["stopping"]


def test_no_node(tmp_path: Path) -> None:
    with pytest.raises(NodeNotRunning) as none:
        LocalClient.from_profile(tmp_path)
    assert none.value.message == f"No node is running with the profile {tmp_path}."
    assert none.value.remedy == f"Start it with: homeswarm node --profile {tmp_path}"
    for content in ("", "{", "[]", '{"url": 1}', '{"url": "http://127.0.0.1:1", "token": "", "pid": 1}'):
        (tmp_path / "api.json").write_text(content)
        with pytest.raises(NodeNotRunning, match="No node is running"):
            LocalClient.from_profile(tmp_path)


def test_what_a_killed_node_has_left(tmp_path: Path) -> None:
    apifile.write(tmp_path / "api.json", ApiAddress("http://127.0.0.1:9", "t", 1))
    with pytest.raises(NodeNotRunning, match="is not running any more"):
        LocalClient.from_profile(tmp_path)


@pytest.mark.parametrize(("status", "body"), [(401, b"{}"), (404, b"<html>"), (200, b"hello"), (500, b"{}")])
def test_somebody_else_has_the_port(tmp_path: Path, status: int, body: bytes) -> None:
    class Stranger(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    with http.server.HTTPServer(("127.0.0.1", 0), Stranger) as stranger:
        threading.Thread(target=stranger.serve_forever, daemon=True).start()
        try:
            url = f"http://127.0.0.1:{stranger.server_address[1]}"
            apifile.write(tmp_path / "api.json", ApiAddress(url, "t", 1))
            with pytest.raises(NodeNotRunning):
                LocalClient.from_profile(tmp_path)
        finally:
            stranger.shutdown()


def test_proxies_of_the_environment_are_not_asked(node: RiggedNode) -> None:
    proxy = dict.fromkeys(("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9")
    program = (
        "import sys; from swarm_app.localapi.client import LocalClient; "
        "print(LocalClient.from_profile(sys.argv[1]).state()['node']['name'])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(node.paths.root)],
        env={**os.environ, **proxy},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "N1\n"


def test_an_answer_that_is_cut_off_is_not_taken_for_whole() -> None:
    chunk = {"choices": [{"delta": {"content": "x"}, "finish_reason": None}]}
    events = _answer_events(iter([f"data: {json.dumps(chunk)}", ""]))
    assert next(events) == Text("x")
    with pytest.raises(NodeNotRunning, match="in the middle"):
        next(events)


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(-3, 9), st.text(max_size=3)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(["choices", "delta", "finish_reason", "usage", "homeswarm", "error", "role"]),
            inner,
            max_size=3,
        ),
    ),
    max_leaves=6,
)


@given(st.lists(json_values, max_size=3))
def test_whatever_a_node_sends_the_client_raises_only_our_errors(values: list[object]) -> None:
    lines = [line for value in values for line in (f"data: {json.dumps(value)}", "")]
    with contextlib.suppress(HomeswarmError):
        list(_answer_events(iter(lines)))


@given(st.lists(st.tuples(st.sampled_from(["", "delta"]), st.text(max_size=9)), max_size=5))
def test_server_events_are_read_as_they_were_written(events: list[tuple[str, str]]) -> None:
    written = b"".join(data(json.dumps(text).encode(), name) for name, text in events).decode()
    read = list(read_events(written.split("\n")))
    assert [(event.event, json.loads(event.data)) for event in read] == [
        (name or "message", text) for name, text in events
    ]
