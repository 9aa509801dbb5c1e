"""One program. Each subcommand loads only what it needs; the node starts its children with it too."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import click

PROGRAM = "homeswarm"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand; returns the exit code. Errors of domain.errors become one sentence on stderr."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    from swarm_app.domain.errors import HomeswarmError

    try:
        return _dispatch(arguments)
    except HomeswarmError as error:
        sys.stderr.write(f"{PROGRAM}: {error}\n")
        return error.exit_code


def _dispatch(arguments: list[str]) -> int:
    if arguments == ["_blocks"]:
        from swarm_app.blocks.process import main as blocks_main

        return blocks_main()
    if arguments == ["_engine"]:
        from swarm_app.engines.process import main as engine_main

        return engine_main()
    if arguments[:1] == ["node"]:
        from swarm_app.node.command import node_command

        return _run(node_command(), arguments[1:], f"{PROGRAM} node")
    from swarm_app.cli.main import cli

    return _run(cli, arguments, PROGRAM)


def _run(command: click.Command, arguments: list[str], name: str) -> int:
    try:
        command.main(args=arguments, prog_name=name)
    except SystemExit as end:  # click ends this way also when all went well
        return end.code if isinstance(end.code, int) else int(end.code is not None)


if __name__ == "__main__":
    sys.exit(main())
