"""The rig by hand: ``python -m tests.household`` and one of its commands."""

from __future__ import annotations

import argparse
import contextlib
import json
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from swarm_app.domain.errors import NodeNotRunning
from swarm_app.localapi.answers import Begun, Choice, Done, Text, Turn
from swarm_app.localapi.client import LocalClient
from tests.household import outsidertable
from tests.household.embedded import import_embedded
from tests.household.faulting import fault_arguments, fault_command
from tests.household.household import NAMES, Household
from tests.household.joining import join_arguments, join_command
from tests.household.outsiders import outsiders_arguments, outsiders_command
from tests.household.report import report
from tests.household.steady import steady_arguments, steady_command


def say(**what: object) -> None:
    print(json.dumps(what), flush=True)


@contextlib.contextmanager
def household(folder: Path, nodes: int, quant: str) -> Iterator[Household]:
    """A household in `folder`, covered; the model is kept there for the next time."""
    began_s = time.monotonic()
    embedded = import_embedded(folder / "models", quant)
    say(event="imported", model=embedded.name, after_s=round(time.monotonic() - began_s, 2))
    began_s = time.monotonic()
    with Household(folder, models=embedded.models, model=embedded.name, nodes=nodes) as rig:
        rig.wait_until_covered(300.0)
        say(event="covered", nodes=nodes, after_s=round(time.monotonic() - began_s, 2))
        yield rig


def up(folder: Path, nodes: int, quant: str) -> None:
    """Start a household and keep it until Ctrl-C."""
    with household(folder, nodes, quant) as rig:
        for node in rig.nodes:
            state = node.state()
            say(
                event="node",
                name=node.name,
                profile=str(node.paths.root),
                log=str(node.log_file),
                pid=node.pid,
                span=state["children"]["blocks"]["span"],
                addresses=state["children"]["blocks"]["addresses"],
            )
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with contextlib.suppress(KeyboardInterrupt):
            signal.pause()
    say(event="stopped")


def answer(client: LocalClient, prompt: str, max_tokens: int) -> None:
    """Ask and print what came: the text, the route, the times."""
    text = ""
    for event in client.chat([Turn("user", prompt)], Choice(max_tokens=max_tokens)):
        match event:
            case Begun():
                continue
            case Text(piece):
                text += piece
            case Done():
                say(
                    event="answered",
                    text=text,
                    reason=event.reason,
                    completion_tokens=event.completion_tokens,
                    segments=[
                        {
                            "engine": segment.engine,
                            "route": [f"{hop.name} {hop.span}" for hop in segment.route],
                        }
                        for segment in event.segments
                    ],
                    timing=None
                    if event.timing is None
                    else {
                        "ttft_s": event.timing.ttft_s,
                        "decode_s": event.timing.decode_s,
                        "itl_median_s": event.timing.itl_median_s,
                        "itl_p95_s": event.timing.itl_p95_s,
                    },
                )


def ask(folder: Path, nodes: int, quant: str, prompt: str, max_tokens: int) -> None:
    """Ask the household that is up in `folder`, or one that is started for this question."""
    try:
        client = LocalClient.from_profile(folder / NAMES[0] / "profile")
    except NodeNotRunning:
        with household(folder, nodes, quant) as rig, rig.nodes[0].client() as client:
            answer(client, prompt, max_tokens)
    else:
        with client:
            answer(client, prompt, max_tokens)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.household", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in (("up", "start a household, keep it until Ctrl-C"), ("ask", "ask one question")):
        command = commands.add_parser(name, help=about)
        command.add_argument("--nodes", type=int, default=3)
        command.add_argument("--quant", choices=("none", "bf16", "int8", "int4"), default="int8")
        command.add_argument(
            "--folder",
            type=Path,
            default=Path(tempfile.gettempdir()) / "homeswarm-household",
            help="profiles, logs and the model; default: %(default)s",
        )
        if name == "ask":
            command.add_argument("--prompt", required=True)
            command.add_argument("--max-tokens", type=int, default=64)
    fault_arguments(commands)
    steady_arguments(commands)
    join_arguments(commands)
    outsiders_arguments(commands)
    commands.add_parser("report", help="put the tables of what was tried into docs/faults.md and privacy.md")
    chosen = parser.parse_args()
    # Whoever ends the rig must not leave stopped processes and namespaces behind.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    if chosen.command == "fault":
        return fault_command(chosen)
    if chosen.command == "report":
        report()
        outsidertable.renew()
        return 0
    if chosen.command == "outsiders":
        return outsiders_command(chosen)
    if chosen.command == "steady":
        return steady_command(chosen)
    if chosen.command == "join":
        return join_command(chosen)
    if chosen.command == "up":
        up(chosen.folder, chosen.nodes, chosen.quant)
    else:
        ask(chosen.folder, chosen.nodes, chosen.quant, chosen.prompt, chosen.max_tokens)
    return 0


if __name__ == "__main__":
    sys.exit(main())
