"""``python -m tests.household fault``: a household, many faults, the whole distribution as JSON."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import psutil

from swarm_app.domain.span import Span
from tests.household import logind, namespaces
from tests.household.campaign import PROMPTS, Campaign
from tests.household.embedded import import_embedded
from tests.household.faults import FAULTS, RANDOM, Fault
from tests.household.household import Household, even_spans
from tests.household.ledger import Run, summary
from tests.household.namespaces import Lan


def fault_arguments(commands: Any) -> None:
    """Add the command's parser to `commands`."""
    about = "; ".join(f"{kind}: {fault.about}" for kind, fault in FAULTS.items())
    parser: argparse.ArgumentParser = commands.add_parser(
        "fault", help="let something happen in the middle of answers, and measure", epilog=about
    )
    parser.add_argument("--kind", choices=(*FAULTS, "random"), required=True)
    parser.add_argument("--at-token", type=int, default=20, help="default: %(default)s; random draws its own")
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=64, help="length of each answer; default: %(default)s")
    parser.add_argument("--history", type=int, default=0, help="tokens of text before the question")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-spares", action="store_true", help="each span on one node alone")
    output_arguments(parser)


def output_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the household and what is found go."""
    parser.add_argument("--quant", choices=("none", "bf16", "int8", "int4"), default="int8")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument("--into", type=Path, help="write the JSON document to this file too")
    parser.add_argument(
        "--keep", type=Path, help="keep profiles and logs in this folder instead of a temporary one"
    )


def why_skipped(kinds: Sequence[type[Fault]]) -> str:
    """Why faults of these kinds cannot be tried on this computer, or ""."""
    if any(kind.needs_lan for kind in kinds) and (reason := namespaces.why_not()):
        return reason
    if any(kind.needs_logind for kind in kinds) and (reason := logind.why_not()):
        return reason
    return ""


def machine() -> dict[str, Any]:
    """What the numbers were measured on."""
    return {
        "cpus": psutil.cpu_count(),
        "cpu": _cpu_name(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "kernel": platform.release(),
        "python": platform.python_version(),
    }


def _cpu_name() -> str:
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor()


@contextlib.contextmanager
def household(
    folder: Path, kinds: Sequence[type[Fault]], *, spares: bool = True, quant: str = "int8"
) -> Iterator[Household]:
    """Three nodes, and with `spares` three more that hold the same spans; ready to be asked.

    In network namespaces and with a logind for each where one of `kinds` needs that.
    """
    # The model, imported once, stays for the next time.
    embedded = import_embedded(Path(tempfile.gettempdir()) / "homeswarm-household" / "models", quant)
    with contextlib.ExitStack() as stack:
        spans: list[Span | None] = [*even_spans(30, 3)] * (2 if spares else 1)
        lan = stack.enter_context(Lan(len(spans))) if any(kind.needs_lan for kind in kinds) else None
        rig = Household(
            folder,
            models=embedded.models,
            model=embedded.name,
            spans=spans,
            lan=lan,
            sleepers=any(kind.needs_logind for kind in kinds),
        )
        stack.enter_context(rig)
        rig.wait_until_covered(300.0)
        rig.wait_until_all_serve(rig.nodes[0], 60.0)
        yield rig


def fault_command(chosen: argparse.Namespace) -> int:
    """Run it; the exit status is 1 when an answer was wrong or hung, or a process was left."""
    kinds = [FAULTS[name] for name in (RANDOM if chosen.kind == "random" else (chosen.kind,))]
    document: dict[str, Any] = {
        "kind": chosen.kind,
        "tokens": chosen.tokens,
        "history": chosen.history,
        "seed": chosen.seed,
        "spares": not chosen.no_spares,
        "quant": chosen.quant,
        "machine": machine(),
    }
    if reason := why_skipped(kinds):
        document["skipped"] = reason
        give(document, chosen, f"skipped: {reason}")
        return 0
    with contextlib.ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hs-rig-")))
        began_s = time.monotonic()
        rig = stack.enter_context(household(folder, kinds, spares=not chosen.no_spares, quant=chosen.quant))
        announce(f"{len(rig.nodes)} nodes ready after {time.monotonic() - began_s:.1f} s")
        campaign = Campaign(
            rig,
            rig.nodes[0],
            tokens=chosen.tokens,
            history_tokens=chosen.history,
            seed=chosen.seed,
            note=announce,
        )
        runs = [_one(campaign, chosen, kinds, turn) for turn in range(chosen.runs)]
    document["false_alarms"] = campaign.false_alarms
    document["runs"] = [run.as_json() for run in runs]
    document["summary"] = summary(runs)
    give(document, chosen, json.dumps(document["summary"], indent=1))
    good = all(run.tokens_equal and not run.hung and not run.leftover_processes for run in runs)
    return 0 if good else 1


def _one(campaign: Campaign, chosen: argparse.Namespace, kinds: Sequence[type[Fault]], turn: int) -> Run:
    if chosen.kind != "random":
        return campaign.run(kinds[0], chosen.at_token, turn % len(PROMPTS))
    draw = campaign.random
    number = draw.randrange(len(PROMPTS))
    at_most = min(chosen.tokens, campaign.undisturbed(number).completion_tokens) - 2
    return campaign.run(draw.choice(kinds), draw.randint(2, at_most), number)


def announce(text: str) -> None:
    """Progress, for whoever watches."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def give(document: dict[str, Any], chosen: argparse.Namespace, in_words: str) -> None:
    """Print the document, or `in_words` without --json, and write the file of --into."""
    text = json.dumps(document, indent=1)
    if chosen.into is not None:
        chosen.into.parent.mkdir(parents=True, exist_ok=True)
        partial = chosen.into.with_suffix(".partial")
        partial.write_text(text + "\n")
        os.replace(partial, chosen.into)
    print(text if chosen.json else in_words, flush=True)
