"""Options, the settings file, the folders of a profile, the address file."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.availability.constants import PRESETS
from swarm_app.availability.policy import Policy
from swarm_app.config import apifile, tokenfile
from swarm_app.config.apifile import ApiAddress
from swarm_app.config.options import NODE_OPTIONS, NodeOptions, node_options
from swarm_app.config.paths import ProfilePaths, ProfileUnusable, default_models, write_private
from swarm_app.config.settings import read_node_settings
from swarm_app.domain.errors import BadRequest, HomeswarmError
from swarm_app.domain.span import Span
from swarm_app.node.command import node_command

GUEST = "/ip4/10.77.0.11/tcp/31330/p2p/12D3KooWRBhwfeP2Y9CDkFRBAZ1pmxUadH36TKuk3KtKm5XXP8mA"


def options(given: dict[str, Any] | None = None, settings: dict[str, Any] | None = None) -> NodeOptions:
    return node_options(Path("/p"), given or {}, settings or {})


def test_defaults() -> None:
    made = options()
    assert made.name
    assert made.model is None
    assert made.models == default_models()
    assert made.span == "auto"
    assert made.join == ()
    assert (made.listen, made.swarm_port, made.port) == ("127.0.0.1", 0, 0)
    assert (made.cache_tokens, made.context_tokens, made.threads) == (8192, 2048, 0)
    assert (made.policy, made.preset, made.standby, made.keep_awake) == ("hedge", "home_lan", False, False)


def test_policies_and_presets_are_those_of_the_judgement_and_its_default_is_the_presets() -> None:
    choices = {option.name: set(option.metavar.split("|")) for option in NODE_OPTIONS}
    assert choices["policy"] == set(Policy)
    assert choices["preset"] == set(PRESETS)
    made = options()
    assert PRESETS[made.preset].policy == made.policy


def test_switches_are_flags_on_the_command_line_and_truths_in_the_settings() -> None:
    assert options({"standby": True}).standby
    assert options({"standby": None}, {"standby": True}).standby
    assert not options({}, {"standby": False}).standby
    flag = next(param for param in node_command().params if param.name == "standby")
    assert isinstance(flag, click.Option)
    assert flag.is_flag
    assert node_command().make_context("node", []).params["standby"] is None


def test_the_command_line_wins_over_the_settings_file() -> None:
    made = options(
        {"span": "2:5", "name": None, "join": ()},
        {"span": "none", "name": "Kitchen", "join": [GUEST, GUEST], "port": 8080},
    )
    assert made.span == Span(2, 5)
    assert made.name == "Kitchen"
    assert made.join == (GUEST,)
    assert made.port == 8080


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("span", "5:2"),
        ("span", "all"),
        ("span", 3),
        ("join", ["127.0.0.1:5000"]),
        ("join", ["/ip4/10.0.0.1/tcp/1"]),
        ("listen", "localhost"),
        ("port", 65536),
        ("port", -1),
        ("port", "80x"),
        ("port", True),
        ("cache_tokens", 0),
        ("name", "x" * 65),
        ("name", "a\nb"),
        ("models", "a\0b"),
        ("models", 7),
        ("model", " "),
        ("policy", "hope"),
        ("preset", ""),
        ("standby", "yes"),
    ],
)
def test_a_bad_value_is_refused_by_the_name_of_its_option(name: str, value: object) -> None:
    with pytest.raises(BadRequest) as refused:
        options({name: value})
    assert refused.value.param == name
    assert refused.value.message.startswith("--" + name.replace("_", "-"))


@given(
    st.dictionaries(
        st.sampled_from([option.name for option in NODE_OPTIONS]),
        st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.lists(st.text())),
    )
)
def test_any_value_is_read_or_refused(given: dict[str, Any]) -> None:
    with contextlib.suppress(BadRequest):
        assert options(given).models.is_absolute()


# ---------------------------------------------------------------- settings.toml


def test_settings_are_read(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    assert read_node_settings(file) == {}
    file.write_text('[node]\nname = "Büro"\ncache-tokens = 64\njoin = []\n', "utf-8")
    assert read_node_settings(file) == {"name": "Büro", "cache_tokens": 64, "join": []}
    assert options({}, read_node_settings(file)).cache_tokens == 64


@pytest.mark.parametrize(
    "content",
    [
        b"[node",
        b"[other]\n",
        b"node = 3",
        b"[node]\ncolour = 1\n",
        b"\xff\xfe",
        b"x" * 300_000,
        b"[node]\nname=\n",
    ],
)
def test_bad_settings_are_named(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "settings.toml"
    file.write_bytes(content)
    with pytest.raises(BadRequest, match=r"settings\.toml"):
        read_node_settings(file)


@given(st.binary(max_size=60))
def test_any_settings_file_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    file = tmp_path_factory.mktemp("settings") / "settings.toml"
    file.write_bytes(content)
    with contextlib.suppress(BadRequest):
        assert isinstance(read_node_settings(file), dict)


# ---------------------------------------------------------------- folders and files


def test_a_profile_is_private(tmp_path: Path) -> None:
    paths = ProfilePaths.of(tmp_path / "a" / "Жанна")
    paths.create()
    paths.create()
    assert paths.root.stat().st_mode & 0o777 == 0o700
    assert paths.identity_file("blocks").parent.stat().st_mode & 0o777 == 0o700


def test_an_empty_or_known_folder_is_made_private_and_another_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "empty"
    folder.mkdir(mode=0o755)
    ProfilePaths.of(folder).create()
    assert folder.stat().st_mode & 0o777 == 0o700
    folder.chmod(0o755)
    ProfilePaths.of(folder).lock_file.touch()
    ProfilePaths.of(folder).create()
    assert folder.stat().st_mode & 0o777 == 0o700

    other = tmp_path / "other"
    other.mkdir()
    (other / "photo.jpg").touch()
    other.chmod(0o755)
    ProfilePaths.of(other).create()
    assert other.stat().st_mode & 0o777 == 0o755
    other.chmod(0o777)
    with pytest.raises(ProfileUnusable, match="Other users can write"):
        ProfilePaths.of(other).create()


def test_a_profile_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(ProfileUnusable, match="not usable"):
        ProfilePaths.of(tmp_path / "file").create()


def test_paths_are_absolute_and_homely(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ProfilePaths.of("a/../b").root == tmp_path / "b"
    assert ProfilePaths.of("~/x").root == Path(os.environ["HOME"]) / "x"
    assert ProfilePaths.of().root.name == "default"


def test_the_address_file(tmp_path: Path) -> None:
    file = tmp_path / "api.json"
    file.write_text("old")
    file.chmod(0o644)
    address = ApiAddress("http://127.0.0.1:5", "secret", 7)
    apifile.write(file, address)
    assert file.stat().st_mode & 0o777 == 0o600
    assert apifile.read(file) == address
    assert "secret" not in repr(address)
    assert [path.name for path in tmp_path.iterdir()] == ["api.json"]


@given(st.binary(max_size=60))
def test_any_address_file_is_read_or_none(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    file = tmp_path_factory.mktemp("api") / "api.json"
    file.write_bytes(content)
    assert apifile.read(file) is None


@pytest.mark.parametrize(
    ("content", "kept"),
    [(b"t" * 43 + b"\n", "t" * 43), (b"", ""), (b"short\n", ""), (b"\xff" * 43, ""), (b"t" * 2000, "")],
)
def test_a_token_that_could_be_guessed_is_none(tmp_path: Path, content: bytes, kept: str) -> None:
    file = tmp_path / "token"
    assert tokenfile.read(file) == ""
    file.write_bytes(content)
    assert tokenfile.read(file) == kept
    tokenfile.write(file, "n" * 43)
    assert (tokenfile.read(file), file.stat().st_mode & 0o777) == ("n" * 43, 0o600)


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "x"
    write_private(file, "old")
    with pytest.raises(UnicodeEncodeError):
        write_private(file, "\ud800")
    assert file.read_text() == "old"
    assert [path.name for path in tmp_path.iterdir()] == ["x"]


def test_a_full_disk_is_told_with_the_file_that_it_has_no_room_for(tmp_path: Path) -> None:
    """In a process of its own, whose files may not grow: the kernel says then what it says of a full disk."""
    script = (
        "import resource, signal, sys; from pathlib import Path;"
        "from swarm_app.config.paths import write_private;"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0));"
        "write_private(Path(sys.argv[1]), 'words')"
    )
    file = tmp_path / "x"
    done = subprocess.run([sys.executable, "-c", script, file], capture_output=True, text=True, check=False)
    assert done.stderr.splitlines()[-1] == f"OSError: [Errno 27] File too large: '{file}'"
    assert list(tmp_path.iterdir()) == []


# ---------------------------------------------------------------- the command


def test_help_names_every_option_with_its_default_and_unit() -> None:
    text = CliRunner().invoke(node_command(), ["--help"]).output
    flat = " ".join(text.split())
    for option in NODE_OPTIONS:
        assert option.flag in text
        assert " ".join(option.help.split()) in flat
    assert "[default: 8192 tokens]" in flat
    assert "[default: 127.0.0.1]" in flat


@pytest.mark.parametrize(
    "arguments",
    [
        ["--span", "9"],
        ["--port", "x"],
        ["--join", "here"],
        ["--listen", "home"],
        ["--models", "/nonexistent", "--model", "none"],
    ],
)
def test_bad_arguments_raise_errors_for_people(tmp_path: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(node_command(), ["--profile", str(tmp_path / "p"), *arguments])
    assert isinstance(result.exception, HomeswarmError)
    assert not (tmp_path / "p").exists()


@given(st.lists(st.one_of(st.text(max_size=8), st.sampled_from([o.flag for o in NODE_OPTIONS])), max_size=5))
def test_any_command_line_is_understood_or_refused(arguments: list[str]) -> None:
    # An empty store: no command line gets as far as starting a node.
    empty = ["--profile", "/dev/null/p", "--models", "/dev/null/m"]
    result = CliRunner().invoke(node_command(), [*arguments, *empty])
    assert result.exit_code != 0 or "--help" in arguments or "-h" in arguments
    assert result.exception is None or isinstance(result.exception, HomeswarmError | SystemExit)


def test_two_nodes_that_are_started_in_one_profile_do_not_write_over_each_other(tmp_path: Path) -> None:
    paths = ProfilePaths.of(tmp_path)
    first = paths.new_log()
    os.write(first, b"the first\n")
    second = paths.new_log()
    os.write(second, b"the second: already running\n")
    os.write(first, b"the first goes on\n")
    assert paths.log_file.read_text() == "the second: already running\n"
    assert paths.log_file.stat().st_mode & 0o777 == 0o600
    for log in (first, second):
        os.close(log)
