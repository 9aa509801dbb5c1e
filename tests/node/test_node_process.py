"""A node as a process: early state, ways to end, what is left, one per profile."""

from __future__ import annotations

import json
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest

from swarm_app.config import apifile
from swarm_app.domain.errors import ChildDown, NodeNotRunning
from swarm_app.localapi.answers import Begun, Text, Turn
from swarm_app.localapi.client import LocalClient
from swarm_app.models.default import DEFAULT_LOCAL_NAME
from swarm_app.node.children import Kind
from swarm_app.node.leftovers import end_leftovers, record
from tests.node.rig import RiggedNode, alive, living_in_session, rigged_node, store_model, until


def children_of(node: RiggedNode) -> list[int]:
    children = node.wait_ready()["children"]
    pids = [children["blocks"]["pid"], children["engine"]["pid"]]
    assert None not in pids
    return [pid for pid in pids if pid is not None]


def test_state_is_served_at_once_and_before_the_children_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with rigged_node(tmp_path, blocks={"slow_ready_s": 2}, engine={"slow_ready_s": 2}) as node:
        address = until(lambda: apifile.read(node.paths.api_file))
        with LocalClient(address) as client:
            first = client.state()
        seconds = time.monotonic() - node.began
        with capsys.disabled():
            print(f"\n/api/state {seconds:.2f} s after exec (budget 1 s on an idle computer)")
        assert first["children"]["blocks"]["phase"] != "ready"
        assert first["model"]["name"] == "tiny"
        assert first["model"]["num_blocks"] == 8
        assert first["node"]["name"] == "N1"
        assert not first["swarm"]["covered"]
        assert first["swarm"]["gaps"] == [[0, 8]]
        ready = node.wait_ready()
    assert ready["swarm"]["gaps"] == []
    assert ready["problems"] == []
    assert ready["children"]["blocks"]["span"] == [0, 8]
    assert ready["swarm"]["peers"][0]["this_node"]


def test_the_engine_joins_through_the_own_blocks_and_the_given_peers(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    join = "/ip4/127.0.0.1/tcp/9/p2p/12D3KooWGuestGuestGuestGuest"
    with rigged_node(tmp_path, engine={"starts": str(starts)}, join=[join], context_tokens=77) as node:
        node.wait_ready()
    first = json.loads(starts.read_text())["first"]
    assert f"initial_peers=['{join}', '/ip4/127.0.0.1/tcp/40001/p2p/12D3KooWBlocksBlocksBlocks']" in first
    assert "context_tokens=77" in first


def test_a_node_that_only_chats_starts_no_blocks(tmp_path: Path) -> None:
    with rigged_node(tmp_path, span="none") as node:
        state = node.wait_for(lambda s: s["children"]["engine"]["phase"] == "ready")
    assert state["children"]["blocks"]["phase"] == "off"
    assert state["children"]["blocks"]["pid"] is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_node_and_all_its_processes(tmp_path: Path, number: signal.Signals) -> None:
    left = tmp_path / "grandchild"
    with rigged_node(tmp_path, blocks={"grandchild": str(left)}) as node:
        pids = children_of(node)
        grandchild = int(left.read_text())
        assert all(alive(pid) for pid in [*pids, grandchild])
        assert node.stop(number) == 0
    assert not any(living_in_session(pid) for pid in pids)
    assert not alive(grandchild)
    assert not node.paths.api_file.exists()
    assert not node.paths.children_file.exists()


def test_shutdown_over_the_api_ends_the_node(tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        pids = children_of(node)
        with node.client() as client:
            client.shutdown()
        assert node.process.wait(10) == 0
    assert not any(living_in_session(pid) for pid in pids)


def test_children_that_ignore_everything_are_killed_within_ten_seconds(tmp_path: Path) -> None:
    with rigged_node(tmp_path, blocks={"deaf": True}, engine={"deaf": True}) as node:
        pids = children_of(node)
        began = time.monotonic()
        assert node.stop(signal.SIGTERM) == 0
        assert time.monotonic() - began < 10
    assert not any(living_in_session(pid) for pid in pids)


def test_a_second_signal_does_not_wait(tmp_path: Path) -> None:
    with rigged_node(tmp_path, blocks={"deaf": True}, engine={"deaf": True}) as node:
        pids = children_of(node)
        node.process.send_signal(signal.SIGINT)
        until(lambda: "stopping" in node.log)
        began = time.monotonic()
        assert node.stop(signal.SIGINT) == 0
        assert time.monotonic() - began < 3
    assert not any(living_in_session(pid) for pid in pids)


def test_children_end_when_their_node_is_killed(tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        pids = children_of(node)
        node.stop(signal.SIGKILL)
        until(lambda: not any(living_in_session(pid) for pid in pids), 10)


def test_a_killed_node_can_be_started_again_and_ends_what_was_left(tmp_path: Path) -> None:
    left = tmp_path / "grandchild"
    with rigged_node(tmp_path, blocks={"deaf": True}, engine={"grandchild": str(left)}) as node:
        deaf, polite = children_of(node)
        token = node.address.token
        grandchild = int(left.read_text())
        node.stop(signal.SIGKILL)
        until(lambda: not alive(polite), 10)
        assert alive(deaf), "the test needs something that is left behind"
        assert alive(grandchild), "the test needs something that is left behind"
        with pytest.raises(NodeNotRunning, match="not running any more"):
            LocalClient.from_profile(node.paths.root)
        with rigged_node(tmp_path) as again:
            again.wait_ready()
            assert again.address.token != token, "another program may have had its port, and been shown it"
            assert not alive(deaf)
            assert not alive(grandchild)


def test_a_copied_profile_ends_nothing_of_the_other_one(tmp_path: Path) -> None:
    """Scenario C2: who backs up a profile and starts a node in the copy takes nothing from the first one."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as child:
        (tmp_path / "one").mkdir()
        record(tmp_path / "one" / "children.json", {Kind.BLOCKS: child.pid})
        shutil.copytree(tmp_path / "one", tmp_path / "copy")
        assert end_leftovers(tmp_path / "copy" / "children.json") == []
        assert child.poll() is None
        (tmp_path / "one").rename(tmp_path / "moved")
        assert end_leftovers(tmp_path / "moved" / "children.json") == [child.pid]
        assert child.wait(10) == -signal.SIGKILL


def test_one_node_per_profile(tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        node.wait_ready()
        address = apifile.read(node.paths.api_file)
        second = RiggedNode(tmp_path)
        assert second.process.wait(15) == 3
        message = f"A node of this profile is already running (process {node.process.pid})."
        assert message in node.log
        assert apifile.read(node.paths.api_file) == address
        assert node.state()["swarm"]["covered"]


def test_of_two_starts_at_the_same_moment_one_wins(tmp_path: Path) -> None:
    both = [RiggedNode(tmp_path), RiggedNode(tmp_path)]
    try:
        until(lambda: any(node.process.poll() is not None for node in both))
        loser, winner = sorted(both, key=lambda node: node.process.poll() is None)
        assert loser.process.returncode == 3
        assert winner.wait_ready()["node"]["pid"] == winner.process.pid
    finally:
        for node in both:
            node.stop()


def test_profile_and_its_secrets_are_private(tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        pids = [node.process.pid, *children_of(node)]
        assert node.paths.root.stat().st_mode & 0o777 == 0o700
        for file in (node.paths.api_file, node.paths.token_file):
            assert file.stat().st_mode & 0o777 == 0o600
        token = node.address.token
        assert len(token) >= 43
        for pid in pids:
            assert token not in Path(f"/proc/{pid}/cmdline").read_text()
            assert token not in Path(f"/proc/{pid}/environ").read_text("utf-8", "replace")
    assert token not in node.log


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        node = RiggedNode(tmp_path, port=port)
        assert node.process.wait(15) == 3
    assert f"The local API cannot have port {port}" in node.log
    assert "Traceback" not in node.log


def test_the_model_is_named_when_there_is_a_choice(tmp_path: Path) -> None:
    store_model(tmp_path / "models")
    store_model(tmp_path / "models", "other", 4)
    undecided = RiggedNode(tmp_path)
    assert undecided.process.wait(15) == 2
    assert "There are several models: other, tiny. Choose one with --model." in undecided.log
    unknown = RiggedNode(tmp_path, model="third")
    assert unknown.process.wait(15) == 4
    too_long = RiggedNode(tmp_path, model="other", span="0:5")
    assert too_long.process.wait(15) == 2
    assert "--span: the model other has blocks 0:4, not 0:5." in too_long.log
    assert "Traceback" not in undecided.log


def test_proxies_and_odd_paths_do_no_harm(tmp_path: Path) -> None:
    home = tmp_path / "Жанна Müller 田中"
    home.mkdir()
    proxy = "http://127.0.0.1:9"
    environment = {"HTTP_PROXY": proxy, "http_proxy": proxy, "ALL_PROXY": proxy, "LC_ALL": "C"}
    with rigged_node(home, environment=environment) as node:
        node.wait_ready()
        ask = (
            "import sys; from swarm_app.localapi.client import LocalClient; "
            "print(LocalClient.from_profile(sys.argv[1]).models())"
        )
        told = subprocess.run(
            [sys.executable, "-c", ask, str(node.paths.root)],
            env={**environment, "PATH": ""},
            capture_output=True,
            text=True,
            check=True,
        )
        assert told.stdout == f"['tiny', '{DEFAULT_LOCAL_NAME}']\n"


# ---------------------------------------------------------------- the household after a restart


def first_frames(starts: Path) -> list[str]:
    return [json.loads(line)["first"] for line in starts.read_text().splitlines()]


def test_a_node_that_starts_again_needs_no_founder(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    attic = "/ip4/127.0.0.1/tcp/9/p2p/12D3KooWAtticAtticAttic"
    peer = {
        "peer_id": "12D3KooWAtticAtticAttic",
        "name": "attic",
        "span_start": 0,
        "span_end": 8,
        "state": "available",
        "on_route": True,
        "reason": "",
        "compute_s": None,
        "round_trip_s": None,
        "cache_tokens_left": None,
        "addresses": [attic, "/ip4/127.0.0.1/tcp/9/p2p/12D3KooWSomebodyElse"],
    }
    join = "/ip4/127.0.0.1/tcp/9/p2p/12D3KooWGuestGuestGuestGuest"
    with rigged_node(
        tmp_path, blocks={"starts": str(starts)}, engine={"peers": [peer]}, join=[join], span="auto"
    ) as node:
        node.wait_ready()
        until(lambda: any(p["name"] == "attic" for p in node.state()["swarm"]["peers"]))
        token = node.address.token
    (joined,) = first_frames(starts)
    assert f"initial_peers=['{join}']" in joined
    assert node.paths.peers_file.stat().st_mode & 0o777 == 0o600
    # Without --join: through whom it knew, with the span that the household lacks, on the port it had.
    with rigged_node(tmp_path, blocks={"starts": str(starts)}, span="auto") as again:
        again.wait_ready()
        assert again.address.token == token, "other programs go on with the one that they were given"
    _, back = first_frames(starts)
    assert f"initial_peers=['{attic}']" in back
    assert "span_start=0, span_end=0" in back
    assert "listen_port=40001" in back
    # Whoever knows nobody founds a household, and serves all of it.
    alone = tmp_path / "alone"
    alone.mkdir()
    with rigged_node(alone, blocks={"starts": str(alone / "starts")}, span="auto") as founder:
        founder.wait_ready()
    (founded,) = first_frames(alone / "starts")
    assert "span_start=0, span_end=8" in founded


# ---------------------------------------------------------------- children that die


def test_a_child_that_dies_is_restarted_with_its_last_words(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    with rigged_node(tmp_path, blocks={"starts": str(starts), "crash_starts": 2}) as node:
        state = node.wait_ready()
        blocks = state["children"]["blocks"]
    assert blocks["restarts"] == 2
    assert any("told to crash" in line for line in blocks["last_words"])
    assert blocks["reason"] is None
    assert len(starts.read_text().splitlines()) == 3


def test_blocks_that_come_back_join_the_swarm_that_the_engine_is_in(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    with rigged_node(tmp_path, blocks={"starts": str(starts)}) as node:
        first, _ = children_of(node)
        subprocess.run(["kill", "-KILL", str(first)], check=True)
        node.wait_for(
            lambda s: s["children"]["blocks"]["phase"] == "ready" and s["children"]["blocks"]["restarts"] == 1
        )
    founded, joined = (json.loads(line)["first"] for line in starts.read_text().splitlines())
    assert "initial_peers=[]" in founded
    assert "listen_port=0" in founded
    assert "initial_peers=['/ip4/127.0.0.1/tcp/40002/p2p/12D3KooWEngineEngineEngine']" in joined
    assert "listen_port=40001" in joined


def test_a_child_that_always_dies_stays_down_with_a_reason(tmp_path: Path) -> None:
    with rigged_node(tmp_path, engine={"crash_starts": 99}, first_retry_s=0.05) as node:
        state = node.wait_for(lambda s: s["children"]["engine"]["phase"] == "down", 30)
        engine = state["children"]["engine"]
        reason = engine["reason"]
        assert reason is not None
        assert reason["message"].startswith("The engine process ended (exit code 7). It was tried 5 times")
        assert engine["restarts"] == 4
        assert [p["about"] for p in state["problems"]] == ["engine"]
        with node.client() as client, pytest.raises(ChildDown, match="is down"):
            list(client.chat([Turn("user", "hi")]))
        with node.client() as client:
            client.retry("engine")
        node.wait_for(lambda s: s["children"]["engine"]["phase"] in ("starting", "restarting"))


def test_what_a_restart_cannot_mend_is_not_tried_again(tmp_path: Path) -> None:
    complaint = ["model-damaged", "block-00003 does not match its checksum.", "Import the model again."]
    with rigged_node(tmp_path, blocks={"complain": complaint}) as node:
        state = node.wait_for(lambda s: s["children"]["blocks"]["phase"] == "down")
        assert state["children"]["blocks"]["restarts"] == 0
        assert state["children"]["blocks"]["reason"] == dict(
            zip(("code", "message", "remedy"), complaint, strict=True)
        )
        # The engine starts all the same: it is what can say what the swarm lacks.
        node.wait_for(lambda s: s["children"]["engine"]["phase"] == "ready")


def test_a_child_that_breaks_the_protocol_is_ended(tmp_path: Path) -> None:
    with rigged_node(tmp_path, blocks={"garbage": True}) as node:
        state = node.wait_for(lambda s: s["children"]["blocks"]["phase"] == "restarting")
    reason = state["children"]["blocks"]["reason"]
    assert reason is not None
    assert reason["code"] == "protocol"


def test_every_answer_ends_when_the_engine_dies(tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        _, engine = children_of(node)
        with node.client() as client:
            endless = json.dumps({"tokens": ["x"] * 2000, "delay_s": 0.01})
            answers = [client.chat([Turn("user", f"!{endless}")]) for _ in range(3)]
            for answer in answers:
                assert isinstance(next(answer), Begun)
                assert isinstance(next(answer), Text)
            subprocess.run(["kill", "-KILL", str(engine)], check=True)
            began = time.monotonic()
            for answer in answers:
                with pytest.raises(ChildDown, match="cut off"):
                    list(answer)
            assert time.monotonic() - began < 3
            # The next question waits for the engine that is restarted.
            assert Text("Hello ") in list(client.chat([Turn("user", "hi")]))


def test_an_answer_ends_when_the_node_stops(tmp_path: Path) -> None:
    with rigged_node(tmp_path, blocks={"deaf": True}, engine={"deaf": True}) as node:
        node.wait_ready()
        with node.client() as client:
            endless = json.dumps({"tokens": ["x"] * 2000, "delay_s": 0.01})
            answer = client.chat([Turn("user", f"!{endless}")])
            assert isinstance(next(answer), Begun)
            node.process.send_signal(signal.SIGTERM)
            began = time.monotonic()
            with pytest.raises(ChildDown, match="the node is stopping"):
                list(answer)
            assert time.monotonic() - began < 2
