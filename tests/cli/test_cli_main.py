"""The command line as such: quick help, errors as sentences, exit codes."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.cli.main import COMMANDS, cli, guarded
from swarm_app.domain.errors import DiskFull, HomeswarmError, ModelNotFound, NodeNotRunning, NoRoute


def run(*argv: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "swarm_app", *argv],
        capture_output=True,
        text=True,
        env={**os.environ, **environment},
        timeout=60,
        check=False,
    )


def test_help_names_every_command_and_the_exit_codes() -> None:
    result = run("--help")
    assert result.returncode == 0
    for name in COMMANDS:
        assert f"\n  {name} " in result.stdout
    assert "Exit codes:" in result.stdout


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys\nfrom swarm_app.__main__ import main\nmain(['--help'])\n"
        "heavy = {'torch', 'transformers', 'petals', 'hivemind', 'rich', 'httpx', 'pydantic', 'numpy'}\n"
        "sys.exit(', '.join(sorted(heavy & sys.modules.keys())) or 0)"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize("name", [name for name in COMMANDS if COMMANDS[name][0]])
def test_every_command_has_help_that_says_more_than_its_line(name: str) -> None:
    result = CliRunner().invoke(cli, [name, "--help"])
    assert result.exit_code == 0
    assert len(result.output) > 200


@pytest.mark.parametrize(
    "argv", [[], ["modle"], ["model"], ["model", "impotr"], ["status", "--jsno"], ["-x"]]
)
def test_a_wrong_command_line_exits_with_2_and_says_where_to_read(argv: list[str]) -> None:
    result = CliRunner().invoke(cli, argv)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert "--help" in result.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [(NodeNotRunning("n."), 3), (ModelNotFound("m."), 4), (NoRoute("r."), 5), (DiskFull("d."), 6)],
)
def test_errors_are_told_with_their_remedy_and_exit_code(
    error: HomeswarmError, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    assert guarded(fail) == code
    assert capsys.readouterr().err == f"homeswarm: {error}\n"


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        (["model", "import", "--quant"], "homeswarm model import"),
        (["model", "verify"], "homeswarm model verify"),
        (["chat", "--nope"], "homeswarm chat"),
        (["model", "nope"], "homeswarm model"),
    ],
)
def test_the_help_that_is_named_is_that_of_the_command(argv: list[str], command: str) -> None:
    result = CliRunner().invoke(cli, argv)
    assert result.stderr.endswith(f" See: {command} --help\n")


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (PermissionError(errno.EACCES, "x", "/some/where"), 6, "/some/where: Permission denied. Look at"),
        (OSError(errno.ENOSPC, "x"), 6, "No space left on device."),
    ],
)
def test_what_the_system_refuses_is_a_sentence(
    error: OSError, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise error

    assert guarded(fail) == code
    assert capsys.readouterr().err.startswith(f"homeswarm: {said}")


def test_ctrl_c_exits_with_130_and_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    def aborted() -> None:
        raise click.Abort

    assert guarded(interrupted) == 130
    assert guarded(aborted) == 130
    assert capsys.readouterr().err == ""


def test_an_unexpected_error_is_one_sentence_and_a_private_file_without_words(
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail() -> None:
        try:
            raise ValueError("Dear diary, the secret word is xylophone")
        except ValueError as inner:
            raise KeyError("xylophone") from inner

    assert guarded(fail) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "Traceback" not in said
    assert "xylophone" not in said
    path = Path(said.partition("The details are in ")[2].strip().rstrip("."))
    written = path.read_text()
    assert "ValueError" in written
    assert "KeyError" in written
    assert "test_cli_main.py" in written
    assert "xylophone" not in written
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_details_that_cannot_be_written_are_no_second_error(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "file"))

    def fail() -> None:
        raise ValueError

    assert guarded(fail) == 1
    assert "could not be written" in capsys.readouterr().err


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_of_any_encoding_gets_the_message(encoding: str) -> None:
    result = run("model", "verify", "Жанна-田中-é", LC_ALL="C", PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert result.returncode == ModelNotFound.exit_code
    assert "There is no model" in result.stderr
    assert "Traceback" not in result.stderr


def test_output_into_a_closed_pipe_is_no_traceback() -> None:
    result = subprocess.run(
        f'"{sys.executable}" -m swarm_app model list --json | true',
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in result.stderr
    assert "BrokenPipe" not in result.stderr


@pytest.mark.parametrize(("closed", "said"), [("<&-", "No node is running"), ("<&- >&- 2>&-", "")])
def test_streams_that_are_closed_are_empty_ones(closed: str, said: str, tmp_path: Path) -> None:
    """As a program that starts others may leave them."""
    result = subprocess.run(
        f'"{sys.executable}" -m swarm_app join --profile "{tmp_path}" {closed}',
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.returncode, said in result.stderr) == (NodeNotRunning.exit_code, True), result.stderr


def test_what_is_opened_next_does_not_become_a_closed_stream() -> None:
    """A file or socket under the number of a stream would be written to by whoever prints."""
    code = (
        "import os, subprocess\nfrom swarm_app.__main__ import stand_in_for_closed_streams\n"
        "stand_in_for_closed_streams()\nprint('nowhere', flush=True)\ninput_ended = not os.read(0, 1)\n"
        "inherited = subprocess.run(['test', '-e', '/dev/fd/0', '-a', '-e', '/dev/fd/1']).returncode == 0\n"
        "os._exit(os.open('/dev/null', os.O_RDONLY) if inherited and input_ended else 99)"
    )
    command = f'"{sys.executable}" -c "$CODE" <&- >&-'
    result = subprocess.run(command, shell=True, check=False, env={**os.environ, "CODE": code})
    assert result.returncode == 3


WORDS = st.sampled_from(
    [
        *COMMANDS,
        "import",
        "list",
        "verify",
        "remove",
        "--json",
        "--yes",
        "--profile",
        "--models",
        "--name",
        "--quant",
        "int4",
        "--prompt",
        "--",
        "-h",
        "",
        ".",
        "/dev/null",
        "0:10",
        "\N{HIRAGANA LETTER A}\N{COMBINING ACUTE ACCENT}",
        "\udcff",
    ]
)
ARGV = st.lists(WORDS | st.text(max_size=12), max_size=6)


@given(argv=ARGV)
def test_no_command_line_gives_a_traceback(argv: list[str]) -> None:
    # What would really start something (a window, nodes, a download, a look at the whole computer) ends at an
    # option that does not exist; its arguments are read all the same.
    if {"app", "demo", "doctor", "import"} & set(argv):
        argv = [*(word for word in argv if word not in ("-h", "--help", "--")), "--no-such-option"]
    result = CliRunner().invoke(cli, argv, input="")
    assert result.exit_code in range(7), (argv, result.output, result.exception)
    assert isinstance(result.exception, SystemExit | None)
    assert "Traceback" not in result.output
    assert "went wrong" not in result.output, argv
