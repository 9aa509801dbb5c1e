"""A whole node whose household cannot answer: the local model does, says so, and outlives its own crashes."""

from __future__ import annotations

import json
import os
import random
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from swarm_app.config import localfile
from swarm_app.domain.errors import (
    ChildDown,
    FallbackOffered,
    HomeswarmError,
    ModelIncomplete,
    ModelUnsupported,
)
from swarm_app.localapi.answers import Begun, Choice, Done, Paused, Switched, Text, Turn
from swarm_app.models.default import DEFAULT_LOCAL_NAME, embedded_default
from tests.node.rig import RiggedNode, alive, rigged_node, until

QUESTION = [Turn("user", "What is the capital of France?")]

KILLS = int(os.environ.get("HOMESWARM_KILLS", "3"))
"""How often the local process is killed in an answer; ``make kills`` does it fifty times."""


def ask(node: RiggedNode, said: str = "Hello?", **choice: Any) -> list[Any]:
    with node.client() as client:
        return list(client.chat([Turn("user", said)], Choice(**choice)))


def text_of(events: list[Any]) -> str:
    return "".join(event.text for event in events if isinstance(event, Text))


def done_of(events: list[Any]) -> Done:
    last = events[-1]
    assert isinstance(last, Done)
    return last


def test_a_computer_that_is_alone_answers_with_its_own_model_and_says_so(tmp_path: Path) -> None:
    with rigged_node(tmp_path, engine={"gaps": True}, local={}, fallback="auto") as node:
        node.wait_for(lambda s: s["swarm"]["seen"])
        state = node.state()
        assert state["children"]["local"]["phase"] == "off"
        events = ask(node)
        assert text_of(events) == "Hello there."
        assert events[0] == Begun(
            *(1, 0, (), DEFAULT_LOCAL_NAME, "local", "no other computer is there"),
            "Start Homeswarm on another computer of the household.",
        )
        (segment,) = done_of(events).segments
        assert (segment.engine, segment.model, segment.reason) == (
            "local",
            DEFAULT_LOCAL_NAME,
            "no other computer is there",
        )
        address = node.address
        with httpx.Client(
            base_url=address.url, headers={"Authorization": f"Bearer {address.token}"}, trust_env=False
        ) as http:
            body = {"model": "tiny", "messages": [{"role": "user", "content": "Hello?"}]}
            whole = http.post("/v1/chat/completions", json=body).json()
            assert whole["model"] == DEFAULT_LOCAL_NAME  # not the one that was asked for
            assert whole["homeswarm"]["segments"][0]["reason"] == "no other computer is there"
            # Asked for by its own name, with or without a household.
            body["model"] = DEFAULT_LOCAL_NAME
            own = http.post("/v1/chat/completions", json=body).json()
            assert own["homeswarm"]["segments"][0]["reason"] == "asked for"
            never = http.post("/v1/chat/completions", json={**body, "model": "tiny", "fallback": "never"})
            assert "swarm" in never.json()["homeswarm"]["segments"][0]["engine"]
            wrong = http.post("/v1/chat/completions", json={**body, "continue_final_message": True})
            assert (wrong.status_code, wrong.json()["error"]["param"]) == (400, "continue_final_message")
        state = node.wait_for(lambda s: s["local"]["answers"] == 0 and s["children"]["local"]["memory_bytes"])
        assert state["local"]["model"] == DEFAULT_LOCAL_NAME
        assert state["local"]["loaded_because"]
        assert state["children"]["local"]["memory_bytes"] == 2000
        assert any(problem["code"] == "no-route" for problem in state["problems"])


def test_an_answer_whose_engine_dies_goes_on_here(tmp_path: Path) -> None:
    with rigged_node(tmp_path, local={}, fallback="auto") as node:
        node.wait_ready()
        script = {"tokens": ["One ", "two ", "three."], "crash_after": 2, "going_on": ["three, ", "here."]}
        events = ask(node, "!" + json.dumps(script))
        assert text_of(events) == "One two three, here."
        kinds = [type(event) for event in events]
        assert kinds.index(Switched) < kinds.index(Paused)
        done = done_of(events)
        assert [(s.engine, s.completion_tokens) for s in done.segments] == [("swarm", 2), ("local", 2)]
        assert "engine process ended (signal SIGKILL)" in done.segments[1].reason
        state = node.wait_for(lambda s: s["pauses"])
        assert state["pauses"][-1]["moved_to"] == [DEFAULT_LOCAL_NAME]
        # Back again, and nothing of the other's words in it.
        node.wait_ready()
        until(lambda: done_of(ask(node)).segments[-1].engine == "swarm" or None, 30)


def test_a_window_is_asked_and_its_word_counts(tmp_path: Path) -> None:
    with rigged_node(tmp_path, engine={"gaps": True}, local={}, fallback="ask") as node:
        node.wait_for(lambda s: s["swarm"]["seen"])
        with node.client() as client, node.client() as other:
            chat = client.chats.create()["id"]
            client.chats.ask(chat, "Hello?")
            seen: list[str] = []
            for event in client.chats.follow(chat):
                seen.append(event.kind)
                if event.kind == "offered":
                    assert event.about is not None
                    assert event.about["reason"] == "no other computer is there"
                    assert other.state()["local"]["offers"] == [event.about]
                    other.decide(event.about["request_id"], "local")
            assert [kind for kind in seen if kind != "text"] == [
                "message",
                "offered",
                "offer-over",
                "begun",
                "done",
            ]
            answer = client.chats.read(chat)["messages"][-1]
            assert (answer["text"], answer["state"]) == ("Hello there.", "complete")
            assert answer["answer"] is not None
            assert answer["answer"]["segments"][0]["remedy"].startswith("Start Homeswarm on another")
            # Who comes later sees what is to be decided; whoever cannot be asked is told so at once.
            client.chats.ask(chat, "And now?")
            until(lambda: client.state()["local"]["offers"])
            late = client.chats.follow(chat)
            assert [next(late).kind for _ in range(2)] == ["message", "offered"]
            late.close()
            with pytest.raises(FallbackOffered):
                list(other.chat(QUESTION))
            client.chats.stop(chat)
            assert client.state()["local"]["offers"] == []


def test_memory_is_given_back_after_idling(tmp_path: Path) -> None:
    with rigged_node(tmp_path, engine={"gaps": True}, local={}, fallback="auto", local_idle_s=1) as node:
        node.wait_for(lambda s: s["swarm"]["seen"])
        ask(node)
        pid = node.state()["children"]["local"]["pid"]
        assert pid is not None
        state = node.wait_for(lambda s: s["children"]["local"]["phase"] == "off")
        assert (state["children"]["local"]["memory_bytes"], state["local"]["loaded_because"]) == (0, "")
        until(lambda: not alive(pid))


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Local models that are none: their headers are real, their weights are holes."""
    root = tmp_path_factory.mktemp("broken")
    source = embedded_default()
    size = source.stat().st_size
    with source.open("rb") as file:
        head = file.read(4_000_000)
    family = head.replace(
        b"\x05\x00\x00\x00\x00\x00\x00\x00llama", b"\x05\x00\x00\x00\x00\x00\x00\x00zzama", 1
    )
    assert family != head
    at = head.index(b"blk.0.attn_k.weight") + len(b"blk.0.attn_k.weight") + 4 + 2 * 8
    kind = head[:at] + (99).to_bytes(4, "little") + head[at + 4 :]
    for name, content, length in (
        ("empty", b"", 0),
        ("fifty-bytes", head, 50),
        ("sixty-percent", head, size * 6 // 10),
        ("one-byte-less", head, size - 1),
        ("family", family, size),
        ("kind", kind, size),
        ("page", b"<!doctype html><html>not found</html>", 37),
    ):
        (root / name).mkdir()
        with (root / name / f"{name}.gguf").open("wb") as out:
            out.write(content)
            out.truncate(length)
    return root


BROKEN = [
    ("empty", ModelIncomplete, "incomplete"),
    ("fifty-bytes", ModelIncomplete, "incomplete"),
    ("sixty-percent", ModelIncomplete, "incomplete"),
    ("one-byte-less", ModelIncomplete, "incomplete"),
    ("family", ModelUnsupported, "family zzama are unsupported"),
    ("kind", ModelUnsupported, "number 99"),
    ("page", ModelUnsupported, "web page"),
]


@pytest.fixture(scope="module")
def bad_node(tmp_path_factory: pytest.TempPathFactory, broken: Path) -> Iterator[RiggedNode]:
    folder = tmp_path_factory.mktemp("bad")
    with rigged_node(folder, local=None, threads=1, fallback="auto", local_models=str(broken)) as node:
        node.wait_ready()
        yield node


@pytest.mark.parametrize(("name", "kind", "told"), BROKEN)
def test_a_bad_file_is_named_and_leaves_other_chats_alone(
    bad_node: RiggedNode, name: str, kind: type[HomeswarmError], told: str
) -> None:
    with bad_node.client() as client:
        client.use_local(name)
        with pytest.raises(kind, match=told):
            list(client.chat(QUESTION, Choice(prefer="local")))
        assert text_of(list(client.chat(QUESTION))) == "Hello there."
        assert client.state()["children"]["local"]["reason"] is not None
    assert localfile.read(bad_node.paths.local_file) == name


def test_another_choice_helps_after_a_bad_one(bad_node: RiggedNode) -> None:
    with bad_node.client() as client:
        client.use_local("empty")
        with pytest.raises(ModelIncomplete):
            list(client.chat(QUESTION, Choice(prefer="local")))
        client.use_local(DEFAULT_LOCAL_NAME)
        events = list(client.chat(QUESTION, Choice(prefer="local", max_tokens=8)))
        assert "Paris" in text_of(events)
        assert done_of(events).segments[0].model == DEFAULT_LOCAL_NAME
        with pytest.raises(HomeswarmError, match="There is no local model 'nothing'"):
            client.use_local("nothing")


@pytest.mark.timeout(60 + 20 * KILLS)
def test_kills_at_random_leave_neither_a_hung_answer_nor_a_process(tmp_path: Path) -> None:
    """The process ends at a random moment of the answer, loading included."""
    chance = random.Random(5)
    with rigged_node(tmp_path, engine={"gaps": True}, local=None, threads=1, fallback="auto") as node:
        node.wait_for(lambda s: s["swarm"]["seen"])
        pids: set[int] = set()
        for _ in range(KILLS):
            over = threading.Event()
            after_s = chance.uniform(0, 1.5)
            killer = threading.Thread(target=kill_at_random, args=(node, after_s, pids, over))
            killer.start()
            began_s = time.monotonic()
            try:
                events = ask(node, "Tell me a long story.", max_tokens=40)
                assert done_of(events).completion_tokens <= 40
                assert text_of(events)
            except ChildDown:
                pass  # killed twice: told, not hung
            finally:
                over.set()
                killer.join()
            assert time.monotonic() - began_s < 45
            # It starts anew, whatever became of the last one.
            with node.client() as client:
                if client.state()["children"]["local"]["phase"] == "down":
                    client.retry("local")
            until(lambda: node.state()["children"]["local"]["phase"] == "ready", 30)
        assert "Paris" in text_of(ask(node, QUESTION[0].content, max_tokens=8))
        last = node.state()["children"]["local"]["pid"]
    assert pids
    assert not [pid for pid in {*pids, last} if pid is not None and alive(pid)]


def kill_at_random(node: RiggedNode, after_s: float, pids: set[int], over: threading.Event) -> None:
    over.wait(after_s)
    with node.client() as client:
        deadline_s = time.monotonic() + 5
        while (pid := client.state()["children"]["local"]["pid"]) is None and time.monotonic() < deadline_s:
            time.sleep(0.02)
    if pid is not None:
        pids.add(pid)
        os.kill(pid, signal.SIGKILL)


def test_a_local_model_that_vanished_is_not_replaced(tmp_path: Path) -> None:
    models = tmp_path / "local"
    (models / "mine").mkdir(parents=True)
    shutil.copyfile(embedded_default(), models / "mine" / "mine.gguf")
    options: dict[str, Any] = {
        "threads": 1,
        "fallback": "auto",
        "local_models": str(models),
        "local_model": "mine",
    }
    with rigged_node(tmp_path, local=None, **options) as node:
        node.wait_ready()
        shutil.rmtree(models)
        with pytest.raises(HomeswarmError, match="The local model mine is not where it was"):
            ask(node, prefer="local")
