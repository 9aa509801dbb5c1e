"""``python -m tests.household steady``: chat on and on while another process works, and count false alarms.

No healthy peer may be given up for being on a busy computer. State owned: the busy processes. Callers: the
command.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from tests.household.asking import ask
from tests.household.campaign import PROMPTS, question
from tests.household.faulting import announce, give, household, machine, output_arguments
from tests.household.ledger import distribution

_BUSY = "while True: sum(number * number for number in range(1000))"


def steady_arguments(commands: Any) -> None:
    """Add the command's parser to `commands`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "steady", help="chat on and on while other processes work; count the peers that are given up"
    )
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--load", type=int, default=1, help="busy processes beside it; default: %(default)s")
    parser.add_argument("--tokens", type=int, default=64)
    output_arguments(parser)


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that want a processor each."""
    running = [subprocess.Popen([sys.executable, "-c", _BUSY]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in running:
            process.kill()
            process.wait()


def steady_command(chosen: argparse.Namespace) -> int:
    """The exit status is 1 when an answer failed or changed, or a peer was given up."""
    with contextlib.ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hs-rig-")))
        rig = stack.enter_context(household(folder, (), quant=chosen.quant))
        stack.enter_context(busy(chosen.load))
        asker = rig.nodes[0]
        texts: dict[int, str] = {}
        given_up: list[dict[str, Any]] = []
        waited: list[float] = []
        gaps: list[float] = []
        decode: list[float] = []
        loads: list[float] = []
        answers = changed = failed = 0
        until_s = time.monotonic() + 60.0 * chosen.minutes
        while time.monotonic() < until_s:
            asked = question(answers)
            heard = ask(asker, list(asked.turns), chosen.tokens)
            answers += 1
            failed += heard.done is None
            changed += texts.setdefault(asked.number, heard.text) != heard.text
            moved = [asdict(pause) for pause in heard.pauses if pause.moved_to]
            waited += [pause.total_s for pause in heard.pauses if not pause.moved_to]
            gaps += heard.gaps_s()
            decode.append(heard.decode_s)
            loads.append(os.getloadavg()[0])
            for pause in moved:
                announce(f"answer {answers}: {pause['text']}, load {loads[-1]:.1f}")
            given_up += moved
            if answers % len(PROMPTS) == 0:
                announce(f"{answers} answers, {len(given_up)} peers given up, load {loads[-1]:.1f}")
    document = {
        "kind": "steady",
        "minutes": chosen.minutes,
        "busy_processes": chosen.load,
        "machine": machine(),
        "answers": answers,
        "answers_failed": failed,
        "answers_changed": changed,
        "given_up": given_up,
        "gaps_over_300_ms": sum(gap > 0.3 for gap in gaps),
        "longest_gap_s": round(max(gaps), 3),
        "waited_s": distribution(waited),
        "decode_s": distribution(decode),
        "load": distribution(loads),
    }
    give(document, chosen, f"{answers} answers, {len(given_up)} peers given up, {failed} failed")
    return 1 if failed or changed or given_up else 0
