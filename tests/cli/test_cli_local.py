"""`homeswarm local`: what is listed, imported and chosen, with and without a node."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from swarm_app.cli.main import cli
from swarm_app.config import localfile
from swarm_app.config.paths import ProfilePaths
from swarm_app.domain.errors import BadRequest, DiskFull, ModelIncomplete, ModelNotFound
from swarm_app.models.default import DEFAULT_LOCAL_NAME, embedded_default
from tests.node.rig import rigged_node


@pytest.fixture
def profile(tmp_path: Path) -> Path:
    folder = tmp_path / "profile"
    folder.mkdir(mode=0o700)
    (folder / "settings.toml").write_text(f'[node]\nlocal_models = "{tmp_path / "local"}"\n')
    return folder


def run(*words: object, catch_exceptions: bool = True) -> Result:
    return CliRunner().invoke(
        cli, ["local", *map(str, words)], standalone_mode=False, catch_exceptions=catch_exceptions
    )


def listed(profile: Path) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(run("list", "--json", "--profile", profile).stdout)
    return told


def test_the_embedded_model_is_used_until_another_is_chosen(profile: Path, tmp_path: Path) -> None:
    told = listed(profile)
    assert (told["used"], [m["name"] for m in told["models"]]) == (DEFAULT_LOCAL_NAME, [DEFAULT_LOCAL_NAME])
    assert told["recommended"]["name"] == DEFAULT_LOCAL_NAME
    assert "that are free" in told["recommended"]["reason"]
    assert len(told["catalogue"]) > 3
    imported = run("import", embedded_default(), "--name", "Mine", "--profile", profile)
    assert imported.exception is None
    assert "Use it with: homeswarm local use mine" in imported.stdout
    # Importing changes nothing of what is used.
    assert listed(profile)["used"] == DEFAULT_LOCAL_NAME
    assert "mine answers" in run("use", "mine", "--profile", profile).stdout
    told = listed(profile)
    assert (told["used"], len(told["models"])) == ("mine", 2)
    shown = run("list", "--profile", profile).stdout
    assert "Suits this computer" in shown
    assert "homeswarm local import Qwen/" in shown
    with pytest.raises(BadRequest, match="mine is the local model in use"):
        run("remove", "mine", "--profile", profile, catch_exceptions=False)
    run("import", embedded_default(), "--name", "spare", "--untried", "--profile", profile)
    assert "spare is deleted" in run("remove", "spare", "--profile", profile).stdout
    assert embedded_default().exists()
    gone = tmp_path / "local" / "mine"
    (gone / "mine.gguf").unlink()
    result = run("list", "--profile", profile)
    assert "mine, is not there" in result.stderr


def test_what_cannot_be_is_refused_by_name(profile: Path, tmp_path: Path) -> None:
    assert isinstance(run("use", "nothing", "--profile", profile).exception, ModelNotFound)
    cut = tmp_path / "cut.gguf"
    cut.write_bytes(b"GGUF\x03")
    assert isinstance(run("import", cut, "--profile", profile).exception, ModelIncomplete)
    assert isinstance(run("import", tmp_path / "none.gguf", "--profile", profile).exception, ModelNotFound)


def test_a_choice_that_the_settings_overrule_says_so(profile: Path) -> None:
    """Else another model would answer than the one that was said to."""
    with (profile / "settings.toml").open("a") as settings:
        settings.write('local_model = "mine"\n')
    run("import", embedded_default(), "--name", "mine", "--untried", "--profile", profile)
    chosen = run("use", DEFAULT_LOCAL_NAME, "--profile", profile)
    assert "answers when" not in chosen.stdout
    assert "settings.toml says local_model = mine" in chosen.stderr
    assert listed(profile)["used"] == "mine"
    assert "mine answers when" in run("use", "mine", "--profile", profile).stdout


def test_a_running_node_uses_what_was_chosen_and_remembers_it(tmp_path: Path) -> None:
    models = tmp_path / "local"
    (models / "mine").mkdir(parents=True)
    (models / "mine" / "mine.gguf").symlink_to(embedded_default())
    with rigged_node(tmp_path, local={}, fallback="auto", local_models=str(models)) as node:
        node.wait_ready()
        settings = node.paths.settings_file
        settings.write_text(f'[node]\nlocal_models = "{models}"\n')
        assert listed(node.paths.root)["used"] == DEFAULT_LOCAL_NAME
        result = run("use", "mine", "--profile", node.paths.root)
        assert result.exception is None
        assert listed(node.paths.root)["used"] == "mine"
        assert node.state()["local"]["model"] == "mine"
        # What would be forgotten at the next start is not used until then either.
        local_file = ProfilePaths.of(node.paths.root).local_file
        local_file.unlink()
        (local_file / "in the way").mkdir(parents=True)
        refused = run("use", DEFAULT_LOCAL_NAME, "--profile", node.paths.root).exception
        assert isinstance(refused, DiskFull)
        assert str(local_file) in refused.message
        assert node.state()["local"]["model"] == "mine"
        (local_file / "in the way").rmdir()
        local_file.rmdir()
        run("use", "mine", "--profile", node.paths.root)
    assert localfile.read(ProfilePaths.of(node.paths.root).local_file) == "mine"
