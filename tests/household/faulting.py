"""``python -m tests.household fault``: a household, many faults, the whole distribution as JSON.

State owned: none. Callers: ``python -m tests.household``, `tests.household.steady`.
"""

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
from tests.household.campaign import PROMPTS, Campaign, timed
from tests.household.embedded import import_embedded
from tests.household.faults import FAULTS, RANDOM, AllGone, Fault, Goodnight, SilentSleepLinkUp, Unplug
from tests.household.household import Household, even_spans
from tests.household.ledger import Run, summary
from tests.household.namespaces import Lan

RANDOM_KIND = "random"
LONG_KIND = "long-history"
LONG_TOKENS = 1500
IDLE_KINDS: dict[str, type[Fault]] = {
    f"idle-{kind.kind}": kind for kind in (Goodnight, SilentSleepLinkUp, AllGone)
}
"""While nobody asks: the question comes right afterwards. The first two strike one node, to be tried without
spares."""
EVERY = "every"


def fault_arguments(commands: Any) -> None:
    """Add the command's parser to `commands`."""
    about = "; ".join(f"{kind}: {fault.about}" for kind, fault in FAULTS.items())
    parser: argparse.ArgumentParser = commands.add_parser(
        "fault", help="let something happen in the middle of answers, and measure", epilog=about
    )
    parser.add_argument(
        "--kind",
        choices=(*FAULTS, LONG_KIND, *IDLE_KINDS, RANDOM_KIND, EVERY),
        nargs="+",
        required=True,
        help=f"one or several, one after another on the same household; {LONG_KIND}: kill below {LONG_TOKENS}"
        " tokens of text, a third as often; idle-...: before the question; every: all but those, random last",
    )
    parser.add_argument("--at-token", type=int, default=20, help="default: %(default)s; random draws its own")
    parser.add_argument("--runs", type=int, default=1, help="of each kind; default: %(default)s")
    parser.add_argument("--random-runs", type=int, help="of random; default: as many as of the others")
    parser.add_argument("--tokens", type=int, default=64, help="length of each answer; default: %(default)s")
    parser.add_argument("--history", type=int, default=0, help="tokens of text before the question")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-spares", action="store_true", help="each span on one node alone")
    parser.add_argument("--standby", action="store_true", help="a standby keeps up with each answer")
    parser.add_argument(
        "--local",
        choices=("never", "cold", "warm"),
        help="whether the local model may take over, and is loaded before the fault; default: cold for"
        " all-gone alone, else never",
    )
    output_arguments(parser)


def output_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the household and what is found go."""
    parser.add_argument("--quant", choices=("none", "bf16", "int8", "int4"), default="int8")
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument(
        "--into",
        type=Path,
        help="write the JSON document to this file too; where it is a folder, or there are several kinds: to"
        " KIND.json in it",
    )
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
    folder: Path,
    kinds: Sequence[type[Fault]],
    *,
    spares: bool = True,
    quant: str = "int8",
    arguments: Sequence[str] = (),
    local: str = "never",
) -> Iterator[Household]:
    """Three nodes, and with `spares` three more that hold the same spans; ready to be asked.

    In network namespaces and with a logind for each where one of `kinds` needs that. All get `arguments`.
    `local`: as in `local_arguments`.
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
            arguments=[
                *arguments,
                *local_arguments(local),
                *(("--on-battery", "pause") if Unplug in kinds else ()),
            ],
            fallback="never" if local == "never" else "auto",
        )
        stack.enter_context(rig)
        rig.wait_until_covered(300.0)
        rig.wait_until_all_serve(rig.nodes[0], 60.0)
        yield rig


def fault_command(chosen: argparse.Namespace) -> int:
    """Run it; the exit status is 1 when an answer was wrong or hung, a process was left, a kind broke off."""
    names = [*FAULTS, LONG_KIND, RANDOM_KIND] if EVERY in chosen.kind else list(dict.fromkeys(chosen.kind))
    documents = {name: _head(name, chosen) for name in names}
    skipped = {name: reason for name in names if (reason := why_skipped(_kinds(name)))}
    for name, reason in skipped.items():
        documents[name]["skipped"] = reason
        _write(documents[name], name, chosen, alone=len(names) == 1)
        announce(f"{name} is skipped: {reason}")
    possible = [name for name in names if name not in skipped]
    if possible:
        kinds = [kind for name in possible for kind in _kinds(name)]
        with contextlib.ExitStack() as stack:
            folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hs-rig-")))
            with timed(announce, "a household is ready"):
                rig = stack.enter_context(
                    household(
                        folder,
                        kinds,
                        spares=not chosen.no_spares,
                        quant=chosen.quant,
                        arguments=["--standby"] if chosen.standby else [],
                        local=_local(chosen),
                    )
                )
            campaigns = {
                history: Campaign(
                    rig,
                    rig.nodes[0],
                    tokens=chosen.tokens,
                    history_tokens=history,
                    seed=chosen.seed,
                    note=announce,
                    local=_local(chosen),
                )
                for history in {_history(name, chosen) for name in possible}
            }
            for name in possible:
                _measure(campaigns[_history(name, chosen)], name, chosen, documents[name])
                _write(documents[name], name, chosen, alone=len(names) == 1)
                told = {key: documents[name][key] for key in ("summary", "broken") if key in documents[name]}
                if not chosen.json:
                    print(f"{name}: {json.dumps(told, indent=1)}", flush=True)
    if chosen.json:
        print(json.dumps(documents[names[0]] if len(names) == 1 else documents, indent=1), flush=True)
    return 0 if all(_good(documents[name]) for name in possible) else 1


def local_arguments(local: str) -> list[str]:
    """Options of nodes whose local model is always there (``warm``), gone between two answers (``cold``),
    or never needed (``never``)."""
    return {"warm": ["--keep-local", "always"], "cold": ["--local-idle-s", "1"]}.get(local, [])


def _local(chosen: argparse.Namespace) -> str:
    alone = "cold" if set(chosen.kind) <= {AllGone.kind, *IDLE_KINDS} else "never"
    return str(chosen.local or alone)


def _kinds(name: str) -> list[type[Fault]]:
    if name in IDLE_KINDS:
        return [IDLE_KINDS[name]]
    return [FAULTS[kind] for kind in {RANDOM_KIND: RANDOM, LONG_KIND: ("kill",)}.get(name, (name,))]


def _history(name: str, chosen: argparse.Namespace) -> int:
    return LONG_TOKENS if name == LONG_KIND else int(chosen.history)


def _head(name: str, chosen: argparse.Namespace) -> dict[str, Any]:
    return {
        "kind": name,
        "tokens": chosen.tokens,
        "history": _history(name, chosen),
        "seed": chosen.seed,
        "spares": not chosen.no_spares,
        "standby": chosen.standby,
        "local": _local(chosen),
        "quant": chosen.quant,
        "machine": machine(),
    }


def _measure(campaign: Campaign, name: str, chosen: argparse.Namespace, document: dict[str, Any]) -> None:
    """All runs of one kind, into its document. A run that breaks off ends the kind, not those after it."""
    began_s = time.monotonic()
    alarms_before = len(campaign.false_alarms)
    runs: list[Run] = []
    count = chosen.runs
    if name == RANDOM_KIND and chosen.random_runs is not None:
        count = chosen.random_runs
    elif name == LONG_KIND:
        count = max(1, count // 3)
    try:
        for turn in range(count):
            runs.append(_one(campaign, chosen, name, turn))
    except AssertionError as error:
        # Its first line: the rest are whole states, with the paths of whoever runs this.
        document["broken"] = str(error).partition("\n")[0][:200]
        announce(f"{name} broke off: {error}")
        campaign.mend()
    document["took_s"] = round(time.monotonic() - began_s, 1)
    document["false_alarms"] = campaign.false_alarms[alarms_before:]
    document["runs"] = [run.as_json() for run in runs]
    if runs:
        document["summary"] = summary(runs)


def _one(campaign: Campaign, chosen: argparse.Namespace, name: str, turn: int) -> Run:
    if name in IDLE_KINDS:
        return campaign.while_idle(IDLE_KINDS[name], turn)
    if name != RANDOM_KIND:
        (kind,) = _kinds(name)
        turns = (number % len(PROMPTS) for number in range(turn, turn + len(PROMPTS)))
        # Below some texts the model has little to say.
        long_enough = (n for n in turns if campaign.undisturbed(n).completion_tokens > chosen.at_token + 1)
        return campaign.run(kind, chosen.at_token, next(long_enough, turn))
    draw = campaign.random
    number = draw.randrange(len(PROMPTS))
    at_most = min(chosen.tokens, campaign.undisturbed(number).completion_tokens) - 2
    overlap = not chosen.no_spares
    return campaign.run(FAULTS[draw.choice(RANDOM)], draw.randint(2, at_most), number, overlap=overlap)


def _good(document: dict[str, Any]) -> bool:
    runs = document.get("runs", [])
    return "broken" not in document and all(
        run["tokens_equal"]
        and not run["hung"]
        and not run["leftover_processes"]
        and (run["finished_by"] != "local" or run["reason"])
        for run in runs
    )


def _write(document: dict[str, Any], name: str, chosen: argparse.Namespace, *, alone: bool) -> None:
    if chosen.into is not None:
        one_file = alone and not chosen.into.is_dir()
        write(document, chosen.into if one_file else chosen.into / f"{name}.json")


def announce(text: str) -> None:
    """Progress, for whoever watches."""
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def give(document: dict[str, Any], chosen: argparse.Namespace, in_words: str) -> None:
    """Print the document, or `in_words` without --json, and write the file of --into."""
    if chosen.into is not None:
        write(document, chosen.into)
    print(json.dumps(document, indent=1) if chosen.json else in_words, flush=True)


def write(document: dict[str, Any], file: Path) -> None:
    """Write a document whole, or leave what was there."""
    file.parent.mkdir(parents=True, exist_ok=True)
    partial = file.with_suffix(".partial")
    partial.write_text(json.dumps(document, indent=1) + "\n")
    os.replace(partial, file)
