"""One program. Each subcommand loads only what it needs; the node starts its children with it too."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import NoReturn

PROGRAM = "homeswarm"

LINK_FD = "--link-fd"
"""Ours alone: the descriptor from which the program that was started anew reads the link."""

MAX_LINK = 4096


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand and return the exit code. Whatever goes wrong becomes one sentence on stderr.

    `_blocks`, `_engine` and `_local` are the node's children: they take no arguments, the first frame on
    their standard input configures them.
    """
    stand_in_for_closed_streams()
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments == ["_blocks"]:
        from swarm_app.blocks.process import main as blocks_main

        return blocks_main()
    if arguments == ["_engine"]:
        from swarm_app.engines.process import main as engine_main

        return engine_main()
    if arguments == ["_local"]:
        from swarm_app.engines.local.process import main as local_main

        return local_main()
    if argv is None and arguments[:1] in (["join"], ["app"]):
        arguments = link_out_of_sight(arguments)
    from swarm_app.cli.main import cli, guarded, speak_any_encoding

    if arguments[:1] == ["node"]:
        # Not through the cli's group: the cli is a client and may not import the node.
        from swarm_app.node.command import node_command

        speak_any_encoding()
        name = f"{PROGRAM} node"
        return guarded(lambda: node_command().main(arguments[1:], name, standalone_mode=False))
    try:
        cli.main(arguments, PROGRAM)
    except SystemExit as end:  # click ends this way also when all went well
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    return 0


def link_out_of_sight(arguments: Sequence[str]) -> list[str]:
    """Where an invite link was typed as an argument, start anew without it in the list of processes.

    Other users of this computer can read that list, and a window is in it for days. The link goes through a
    pipe instead. Returns the arguments with the link, after the new start as before it.
    """
    words = list(arguments)
    if words[-2:-1] == [LINK_FD] and words[-1].isdecimal():
        try:
            with os.fdopen(int(words[-1]), encoding="utf-8", errors="replace") as passed_on:
                return [*words[:-2], passed_on.read(MAX_LINK)]
        except (OSError, OverflowError):  # typed by somebody: click says that there is no such option
            return words
    links = [word for word in words if word.lower().startswith("homeswarm://join/")]
    if len(links) != 1 or os.name != "posix":
        return words
    return _begin_anew([word for word in words if word != links[0]], links[0])


def _begin_anew(others: Sequence[str], link: str) -> NoReturn:
    read_fd, write_fd = os.pipe()
    os.write(write_fd, link.encode("utf-8", "replace")[:MAX_LINK])  # fits into any pipe
    os.close(write_fd)
    os.set_inheritable(read_fd, True)
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "swarm_app"]
    os.execv(program[0], [*program, *others, LINK_FD, str(read_fd)])  # noqa: S606 - this very program


def stand_in_for_closed_streams() -> None:
    """Have the null device where standard input, output or error is closed.

    Otherwise the next file or socket gets that number, is written to by whoever prints, and goes to the
    children as one of their streams; and Python has None in the stream's place.
    """
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest number that is free
            setattr(sys, name, open(number, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - as it was


if __name__ == "__main__":
    sys.exit(main())
