"""The command line: one lazy group, and errors as sentences.

`homeswarm --help` imports click and this module, nothing else of ours: the commands are imported when one
of them is called.
"""

from __future__ import annotations

import errno
import importlib
import json
import os
import sys
from collections.abc import Callable, Sequence
from typing import Any

import click

import swarm_app
from swarm_app.domain.errors import TELLS_CODES, DiskFull, HomeswarmError

COMMANDS = {
    "app": ("swarm_app.gui.command:app", "Open the window: chats, the household, settings."),
    "node": ("", "Run this computer's node: join the swarm, serve blocks, answer chats."),
    "chat": ("swarm_app.cli.chat:chat", "Chat with the household's model through the running node."),
    "status": ("swarm_app.cli.status:status", "Show the node, the swarm, the blocks, and what is wrong."),
    "pause": ("swarm_app.cli.sharing:pause", "Take this computer's blocks back from the household."),
    "resume": ("swarm_app.cli.sharing:resume", "Serve this computer's blocks to the household again."),
    "swarm": ("swarm_app.cli.swarm:swarm", "Found, show and leave this household's private swarm."),
    "invite": ("swarm_app.cli.swarm:invite", "Make, list and cancel the links by which others join."),
    "join": ("swarm_app.cli.swarm:join", "Join a swarm by an invite link."),
    "members": ("swarm_app.cli.swarm:members", "Show who belongs to the swarm; remove and rename members."),
    "model": ("swarm_app.cli.model:model", "Import, list, verify and remove models."),
    "local": ("swarm_app.cli.local:local", "The model of this computer alone: list, use, import."),
    "demo": ("swarm_app.cli.demo:demo", "Try it out: a household of three nodes on this computer."),
    "doctor": ("swarm_app.cli.doctor:doctor", "Check this computer and say what to do about what is wrong."),
}
"""Name: where the command is (module:attribute; none for the node, which `swarm_app.__main__` starts)
and its line in the help."""

EXIT_CODES = """\b
Exit codes:
  0  done                         4  a model is missing, damaged or unsupported
  1  an error inside Homeswarm    5  the swarm cannot answer now
  2  a wrong command or option    6  the disk is full or refuses
  3  the node is not reachable  130  stopped with Ctrl-C
"""


class FilesUnusable(HomeswarmError):
    """The operating system refuses a file or folder that a command needs."""

    code = "files-unusable"
    exit_code = 6
    default_remedy = "Look at that place, or name another one."


class Commands(click.Group):
    """A group that imports a command when it is called and turns every error into a sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        where, _ = COMMANDS.get(cmd_name, ("", ""))
        if not where:
            return None
        module, _, attribute = where.partition(":")
        command = getattr(importlib.import_module(module), attribute)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line and leave with its exit code; with `standalone_mode` no error gets out."""

        def run() -> Any:
            return super(Commands, self).main(args, prog_name or "homeswarm", complete_var, False, **extra)

        if not standalone_mode:
            return run()
        speak_any_encoding()
        sys.exit(guarded(run, named_by(sys.argv[1:] if args is None else args)))


def speak_any_encoding() -> None:
    """Where the terminal's encoding lacks a character, show or read a substitute and go on."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def named_by(args: Sequence[str]) -> str:
    """The command that the first words of a command line name, for example ``homeswarm model import``."""
    path = ["homeswarm"]
    command: click.Command | None = cli
    for word in args:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(click.Context(command), word)
        if command is None:
            break
        path.append(word)
    return " ".join(path)


def guarded(run: Callable[[], object], command: str = "homeswarm") -> int:
    """Call `run` and return the exit code; errors become one sentence and its remedy on stderr."""
    try:
        result = run()
        sys.stdout.flush()
    except click.exceptions.Exit as exit_:
        return exit_.exit_code
    except (click.Abort, KeyboardInterrupt):
        return 130
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message(), err=True)
        return error.exit_code
    except click.ClickException as error:
        complain(*usage_sentence(error, command))
        return error.exit_code
    except HomeswarmError as error:
        complain(error.message, error.remedy, error.code)
        return error.exit_code
    except BrokenPipeError:
        # Whoever reads our output has seen enough (`homeswarm status | head`). The interpreter must not
        # trip over the closed pipe again when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        if error.errno is None:
            return unexpected(error)
        # The disk, a permission, a folder that is a file: the computer's matter, and a person can mend it.
        about = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        told = DiskFull if error.errno == errno.ENOSPC else FilesUnusable
        complain(f"{about}{os.strerror(error.errno)}.", told.default_remedy, told.code)
        return told.exit_code
    except Exception as error:  # noqa: BLE001 -- the last net: whatever it is, a person reads a sentence
        return unexpected(error)
    return result if isinstance(result, int) else 0


def unexpected(error: Exception) -> int:
    """Tell of an error that nobody thought of, and keep its details for a report."""
    from swarm_app.cli.details import write_details

    path = write_details(error)
    where = f"The details are in {path}." if path else "The details could not be written down."
    complain("Something inside Homeswarm went wrong.", where, HomeswarmError.code)
    return HomeswarmError.exit_code


def usage_sentence(error: click.ClickException, command: str) -> tuple[str, str]:
    """click's complaint as a sentence, and where to read on."""
    message = error.format_message().replace("\n", " ").strip()
    if message and message[-1] not in ".?!":
        message += "."
    return message, f"See: {command} --help"


def complain(message: str, remedy: str = "", code: str = "") -> None:
    """One sentence and its remedy on stderr, and its code for a program that translates."""
    click.echo(f"homeswarm: {message} {remedy}".strip(), err=True)
    if code and os.environ.get(TELLS_CODES):
        click.echo(json.dumps({"code": code, "message": message, "remedy": remedy}), err=True)


@click.group(
    cls=Commands,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=EXIT_CODES,
)
@click.version_option(swarm_app.__version__, prog_name="homeswarm")
def cli() -> None:
    """The computers of one household run one language model together.

    Each computer runs a node, which serves some of the model's blocks; a chat on any of them runs through
    all. To try it out on this computer alone: homeswarm demo
    """
