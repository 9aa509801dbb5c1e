"""One program. Each subcommand loads only what it needs; the node starts its children with it too."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

PROGRAM = "homeswarm"


def main(argv: Sequence[str] | None = None) -> int:
    """Run a subcommand and return the exit code. Whatever goes wrong becomes one sentence on stderr.

    `_blocks`, `_engine` and `_local` are the node's children: they take no arguments, the first frame on
    their standard input configures them.
    """
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
    if argv is None and arguments[:1] == ["join"]:
        _take_link_out_of_sight(arguments)
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


def _take_link_out_of_sight(arguments: Sequence[str]) -> None:
    """Where an invite link was typed as an argument, start anew without it in the list of processes.

    Other users of this computer can read that list. The link goes through a pipe instead.
    """
    links = [word for word in arguments if word.lower().startswith("homeswarm://join/")]
    if len(links) != 1 or os.name != "posix":
        return
    read_fd, write_fd = os.pipe()
    os.write(write_fd, links[0].encode("utf-8", "replace")[:4096])  # fits into any pipe
    os.close(write_fd)
    os.set_inheritable(read_fd, True)
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "swarm_app"]
    others = [word for word in arguments if word != links[0]]
    os.execv(program[0], [*program, *others, "--link-fd", str(read_fd)])  # noqa: S606 - this very program


if __name__ == "__main__":
    sys.exit(main())
