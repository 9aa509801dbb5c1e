"""``homeswarm swarm``, ``invite``, ``join`` and ``members`` against real nodes with scripted children."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from swarm_app.__main__ import link_out_of_sight
from swarm_app.cli.main import cli
from swarm_app.cli.swarm import seconds_of
from swarm_app.domain.errors import BadRequest
from tests.node.rig import RiggedNode, rigged_node, store_model

PRIVATE = {"open": False, "secrets": "file", "nearby": "no"}


def homeswarm(node: RiggedNode, *words: str, given: str = "") -> Result:
    return CliRunner().invoke(cli, [*words, "--profile", str(node.paths.root)], input=given)


def done(node: RiggedNode, *words: str, given: str = "") -> str:
    result = homeswarm(node, *words, given=given)
    assert result.exit_code == 0, result.output
    return result.stdout


def test_a_household_is_founded_joined_managed_and_left(tmp_path: Path) -> None:
    store_model(tmp_path / "models")
    with (
        rigged_node(tmp_path / "desk", name="desk", models=str(tmp_path / "models"), **PRIVATE) as desk,
        rigged_node(tmp_path / "attic", name="attic", models=str(tmp_path / "models"), **PRIVATE) as attic,
    ):
        assert desk.address.url != attic.address.url  # both are there
        refused = homeswarm(desk, "invite", "create")
        assert refused.exit_code == 3
        assert "This computer is in no swarm" in refused.stderr
        other = homeswarm(desk, "swarm", "create", "home", "--model", "other")
        assert (other.exit_code, "runs the model tiny, not other" in other.stderr) == (2, True)
        assert "founded the swarm home" in done(desk, "swarm", "create", "home", "--model", "Tiny")
        assert "already" in homeswarm(desk, "swarm", "create", "other").stderr
        desk.wait_ready()

        made = homeswarm(desk, "invite", "create", "--for", "Ada")
        link = made.stdout.strip()
        assert link.startswith("homeswarm://join/")
        assert "on this computer alone" in made.stderr
        assert "open" in done(desk, "invite", "list")
        mistyped = homeswarm(attic, "join", link[:-3] + "aaa")
        assert (mistyped.exit_code, "mistyped" in mistyped.stderr) == (2, True)
        assert "in the swarm home as member" in done(attic, "join", given=link)
        attic.wait_ready()
        assert "used" in done(desk, "invite", "list")

        shown = done(desk, "members")
        assert "attic" in shown
        assert "Ada" in shown
        assert "attic in the loft" in done(desk, "members", "rename", "attic", "attic in the loft")
        attic.wait_for(lambda s: s["membership"]["number"] == desk.state()["membership"]["number"])
        assert "in the loft" in done(attic, "members")
        assert "only owners and admins" in homeswarm(attic, "members", "remove", "desk", "--yes").stderr
        assert "last owner" in homeswarm(desk, "members", "remove", "desk", "--yes").stderr

        assert "Removed: attic in the loft" in done(desk, "members", "remove", "Ada", "--yes")
        attic.wait_for(lambda s: s["membership"]["standing"] == "removed")
        assert "was removed from the swarm home" in done(attic, "swarm", "list")
        # It may come back, as another device, by another link.
        link = done(desk, "invite", "create").strip()
        assert "as member" in done(attic, "join", "-", given=link)
        assert "has left" in done(attic, "swarm", "leave", "--yes")
        desk.wait_for(lambda s: s["membership"]["members"] == 1)
        link = done(desk, "invite", "create").strip()
        cancelled = done(desk, "invite", "list").splitlines()[0].split()[0]
        assert "nobody in" in done(desk, "invite", "cancel", cancelled)
        assert "was cancelled" in homeswarm(attic, "join", "-", given=link).stderr
        assert "new key" in done(desk, "swarm", "rotate", "--yes")


@pytest.mark.parametrize("command", ["join", "app"])
def test_a_link_on_the_command_line_is_out_of_sight_at_once(
    command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Scenario C4: what other users see of a command, and of a window for as long as it is open."""
    begun: list[list[str]] = []

    def begin_anew(program: str, words: list[str]) -> None:
        begun.append(words)
        raise SystemExit

    monkeypatch.setattr(os, "execv", begin_anew)
    link = "homeswarm://join/abc"
    with pytest.raises(SystemExit):
        link_out_of_sight([command, link, "--profile", "p"])
    ((*_, called, flag, profile, given_by, descriptor),) = begun
    assert (called, flag, profile) == (command, "--profile", "p")
    assert "abc" not in str(begun)
    # The program that was started anew has it again.
    words = [command, flag, profile, given_by, descriptor]
    assert link_out_of_sight(words) == [command, flag, profile, link]
    assert link_out_of_sight(words) == words, "the pipe is read: this is somebody's own option"


@pytest.mark.parametrize(("text", "seconds"), [("30m", 1800), ("24h", 86400), (" 7D ", 604800)])
def test_times_are_read(text: str, seconds: int) -> None:
    assert seconds_of(text) == seconds


@pytest.mark.parametrize("text", ["", "h", "1", "-1h", "1.5h", "1w", "99999d"])
def test_what_is_no_time_is_named(text: str) -> None:
    with pytest.raises(BadRequest, match="no time"):
        seconds_of(text)
