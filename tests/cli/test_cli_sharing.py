"""``homeswarm pause`` and ``homeswarm resume`` against a node with scripted children."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from swarm_app.cli import sharing
from swarm_app.cli.main import cli
from tests.node.rig import RiggedNode, rigged_node


def homeswarm(command: str, node: RiggedNode) -> Result:
    return CliRunner().invoke(cli, [command, "--profile", str(node.paths.root)])


def test_blocks_are_taken_back_and_given_again_and_the_status_says_so(tmp_path: Path) -> None:
    log = tmp_path / "blocks.log"
    with rigged_node(tmp_path, blocks={"log": str(log)}) as node:
        node.wait_ready()
        result = homeswarm("pause", node)
        assert result.exit_code == 0, result.output
        assert result.output == "Paused: this computer serves nothing until `homeswarm resume`.\n"
        assert log.read_text().splitlines() == [
            "Goodnight(cause='paused', own=['12D3KooWEngineEngineEngine'])"
        ]
        assert "paused; serve again with: homeswarm resume" in homeswarm("status", node).output
        assert homeswarm("pause", node).exit_code == 0, "once more does no harm"
        result = homeswarm("resume", node)
        assert result.exit_code == 0, result.output
        assert result.output == "This computer serves blocks 0:8 again.\n"
        assert log.read_text().splitlines()[1:] == ["Resume(moved=False)"]
        assert "paused" not in homeswarm("status", node).output


def test_sessions_that_nobody_else_can_take_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sharing, "SETTLE_S", 0.3)
    with rigged_node(tmp_path, blocks={"sessions": 2}) as node:
        node.wait_ready()
        result = homeswarm("pause", node)
    assert "no new sessions; 2 sessions stay here" in result.output.replace("\n", " ")


def test_blocks_that_still_load_are_not_waited_for(tmp_path: Path) -> None:
    with rigged_node(tmp_path, blocks={"slow_ready_s": 30}) as node:
        node.wait_for(lambda s: s["children"]["blocks"]["phase"] == "listening")
        node.paths.choice_file.mkdir()  # it cannot be written
        result = homeswarm("pause", node)
        assert "will serve nothing" in result.stdout
        assert "Your choice about contributing holds only until this node stops: " in " ".join(
            result.stderr.split()
        )
        node.paths.choice_file.rmdir()
        result = homeswarm("resume", node)
        assert "again as soon as they are loaded" in result.stdout
        assert result.stderr == ""


def test_a_pause_for_a_while_says_until_when_and_outlives_the_node(tmp_path: Path) -> None:
    with rigged_node(tmp_path) as node:
        node.wait_ready()
        result = CliRunner().invoke(cli, ["pause", "--for", "2h", "--profile", str(node.paths.root)])
        told = re.fullmatch(
            r"Paused: this computer serves nothing until (\d\d:\d\d), or `homeswarm resume`\.\n",
            result.output,
        )
        assert told, result.output
        status = homeswarm("status", node).output
        assert re.search(r"Paused until (tomorrow )?" + told[1] + ", as you asked", status), status
        wrong = CliRunner().invoke(cli, ["pause", "--for", "soon", "--profile", str(node.paths.root)])
        assert wrong.exit_code == 2
        assert "Write 90m, 2h or 1d." in wrong.stderr
    with rigged_node(tmp_path) as node:
        node.wait_for(lambda s: s["children"]["blocks"]["quiet"])
        assert re.search(r"Paused until (tomorrow )?" + told[1], homeswarm("status", node).output)
        assert homeswarm("resume", node).output == "This computer serves blocks 0:8 again.\n"
        assert not node.paths.choice_file.exists()


def test_a_node_that_serves_nothing_says_so(tmp_path: Path) -> None:
    with rigged_node(tmp_path, span="none") as node:
        node.wait_for(lambda s: s["children"]["engine"]["phase"] == "ready")
        result = homeswarm("pause", node)
    assert result.exit_code == 2
    assert result.stderr == (
        "homeswarm: This node serves no blocks: it only chats. Start it without --span none.\n"
    )
