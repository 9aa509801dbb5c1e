"""Status and doctor, against a real household and without one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from swarm_app.cli import checks
from swarm_app.cli.main import cli
from swarm_app.config.options import node_options
from swarm_app.host import allowance
from swarm_app.host.allowance import Limited, Memory
from tests.household import Household


def homeswarm(*argv: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "swarm_app", *argv],
        capture_output=True,
        text=True,
        env={**os.environ, "COLUMNS": "200"},
        timeout=120,
        check=False,
    )


def test_without_a_node_status_says_how_to_start_one(tmp_path: Path) -> None:
    result = CliRunner().invoke(cli, ["status", "--profile", str(tmp_path)])
    assert result.exit_code == 3
    told = f"No node is running with the profile {tmp_path}. Start it with: homeswarm node"
    assert result.stderr == f"homeswarm: {told} --profile {tmp_path}\n"
    usual = CliRunner().invoke(cli, ["status"]).stderr
    assert usual.endswith("/profiles/default. Start it with: homeswarm node\n")


@pytest.mark.timeout(300)
def test_status_draws_the_swarm(household: Household) -> None:
    result = homeswarm("status", "--profile", str(household["attic"].paths.root))
    assert result.returncode == 0, result.stderr
    for part in (
        "attic (here)",
        "desk",
        "laptop",
        "all 30 blocks",
        "serves 10:20",
        "0 sessions",
        "Others join by",
    ):
        assert part in result.stdout
    assert "Problems" not in result.stdout


@pytest.mark.timeout(300)
def test_neither_status_nor_doctor_shows_the_token(household: Household) -> None:
    address = household["attic"].wait_for_address()
    for words in (["status"], ["status", "--json"], ["doctor"], ["doctor", "--json"]):
        result = homeswarm(*words, "--profile", str(household["attic"].paths.root))
        assert result.stdout
        assert address.token not in result.stdout + result.stderr


@pytest.mark.timeout(300)
def test_status_as_json_is_the_state(household: Household) -> None:
    result = homeswarm("status", "--json", "--profile", str(household["attic"].paths.root))
    state = json.loads(result.stdout)
    assert state["node"]["name"] == "attic"
    assert state["swarm"]["covered"] is True


@pytest.mark.timeout(300)
def test_doctor_finds_this_computer_able_and_the_node_running(household: Household) -> None:
    result = homeswarm("doctor", "--json", "--profile", str(household["desk"].paths.root))
    findings = {(found["topic"], found["ok"]): found["text"] for found in json.loads(result.stdout)}
    for topic in ("Python", "packages", "torch", "p2pd", "loopback", "profile", "node", "address"):
        assert (topic, True) in findings, result.stdout
        assert (topic, False) not in findings, result.stdout
    assert "desk runs" in findings["node", True]


def test_doctor_exits_with_1_and_says_what_to_do(tmp_path: Path) -> None:
    profile = tmp_path / "profile"
    profile.mkdir()
    profile.chmod(0o755)
    (profile / "settings.toml").write_text(f'[node]\nmodels = "{tmp_path / "none"}"\n')
    result = homeswarm("doctor", "--profile", str(profile))
    assert result.returncode == 1
    words = " ".join(result.stdout.split())
    assert "!!" in words
    assert f"Make it private: chmod 700 '{profile}'" in words
    # Who has none to share can chat alone: that is no trouble.
    assert "answers here alone; import one to share it with: homeswarm model import" in words


def test_doctor_reads_a_broken_settings_file_as_a_finding(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text("[node]\nspan = 3\n")
    result = homeswarm("doctor", "--profile", str(tmp_path))
    assert result.returncode == 1
    assert "!!  settings  --span" in result.stdout


def test_memory_is_told_as_a_container_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(allowance, "memory", lambda: Memory(4_000_000_000, 1_200_000_000, 64_000_000_000))
    monkeypatch.setattr(allowance, "limited", lambda: Limited(4_000_000_000, 2))
    short, told = checks.memory()
    assert not short.ok
    assert short.text == "Only 1.2 GB of 4.0 GB free (the computer has 64.0 GB)."
    assert "container" in short.remedy
    assert (told.ok, told.text) == (
        True,
        "this container or service may use 4.0 GB of memory and 2 processors",
    )
    monkeypatch.setattr(allowance, "memory", lambda: Memory(64 * 10**9, 32 * 10**9, 64 * 10**9))
    monkeypatch.setattr(allowance, "limited", Limited)
    assert [(found.ok, found.text) for found in checks.memory()] == [(True, "32.0 GB of 64.0 GB free")]


def test_a_profile_that_others_can_read_is_found(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    (finding,) = checks.profile(node_options(tmp_path, {}, {}))
    assert not finding.ok
    assert finding.remedy == f"Make it private: chmod 700 '{tmp_path}'"
    tmp_path.chmod(0o700)
    assert checks.profile(node_options(tmp_path, {}, {}))[0].ok


def test_a_full_disk_below_the_profile_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tmp_path.chmod(0o700)
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=4096))
    (finding,) = checks.profile(node_options(tmp_path, {}, {}))
    assert not finding.ok
    assert finding.text == f"The disk of the profile {tmp_path} has 4 kB free: no chat can be saved."


def test_a_profile_below_a_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (finding,) = checks.profile(node_options(tmp_path / "file", {}, {}))
    assert not finding.ok


def test_missing_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "PACKAGES", ("torch", "no-such-package-here"))
    present, missing = checks.packages()
    assert "torch 2" in present.text
    assert missing.text == "no-such-package-here is not installed."
    assert not missing.ok


def test_a_torch_that_does_not_load_is_one_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "_TRY_TORCH", "import os; os.abort()")
    (finding,) = checks.torch_kernels()
    assert not finding.ok
    assert finding.text == "torch does not load on this computer."
