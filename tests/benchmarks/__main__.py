"""``python -m tests.benchmarks``: the table and its JSON. ``python -m tests.benchmarks quality``: what
quantization costs."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from swarm_app.models.store import ModelStore
from tests.benchmarks.machine import Machine
from tests.benchmarks.models import MODELS, QUANTS, imported
from tests.benchmarks.results import Results
from tests.benchmarks.worker import Worker

PROMPTS = (32, 256)


def words(allowed: list[str]) -> Callable[[str], list[str]]:
    def read(text: str) -> list[str]:
        chosen = [word.strip() for word in text.split(",") if word.strip()]
        if not chosen or set(chosen) - set(allowed):
            raise argparse.ArgumentTypeError(f"choose among {', '.join(allowed)}, with commas between")
        return chosen

    return read


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("what", nargs="?", choices=("speed", "quality"), default="speed")
    parser.add_argument(
        "--quick", action="store_true", help="two rounds and fewer tokens: does it work at all?"
    )
    parser.add_argument("--models", type=words(list(MODELS)), help=f"of {', '.join(MODELS)}")
    parser.add_argument(
        "--quants", type=words(list(QUANTS)), help=f"weights of the blocks, of {', '.join(QUANTS)}"
    )
    parser.add_argument(
        "--nodes", type=words(["1", "2", "3"]), default=["1", "2", "3"], help="sizes of households"
    )
    parser.add_argument("--rounds", type=int, help="how often everything is measured")
    parser.add_argument("--tokens", type=int, help="tokens decoded in each timed answer")
    parser.add_argument(
        "--quiet-within", type=float, default=0.0, metavar="SECONDS", help="wait so long for a quiet machine"
    )
    parser.add_argument("--json", type=Path, help="write the results to this file as well")
    parser.add_argument("--folder", type=Path, help="keep models and logs here; default: a temporary folder")
    return parser.parse_args()


@contextmanager
def workplace(folder: Path | None) -> Iterator[Path]:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        yield folder.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="homeswarm-bench-") as made:
        yield Path(made)


def speed(chosen: argparse.Namespace, results: Results, folder: Path, console: Console) -> None:
    from tests.benchmarks.measure import Plan, measure
    from tests.benchmarks.report import show_run

    quick = chosen.quick
    plan = Plan(
        nodes=[int(nodes) for nodes in chosen.nodes],
        rounds=chosen.rounds or (2 if quick else 5),
        prompts=PROMPTS,
        decoded=chosen.tokens or (24 if quick else 96),
        quiet_within_s=chosen.quiet_within,
    )
    for source in [MODELS[name] for name in chosen.models or ["smollm2", "llama1b"]]:
        note(console, f"{source.name}: preparing the model")
        path = source.find(folder)
        with Worker("tests.benchmarks.whole", str(path)) as whole:
            for quant in chosen.quants or ["int8"]:
                note(console, f"{source.name}: importing {quant}")
                stored = imported(source, path, ModelStore(folder / "models"), quant)

                def say(text: str, about: str = f"{source.name} {quant}") -> None:
                    note(console, f"{about}: {text}")

                home = folder / f"{source.name}-{quant}"
                run = measure(source, stored, quant, plan, whole, home, say)
                results.runs.append(run)
                show_run(console, run)


def quality(chosen: argparse.Namespace, results: Results, folder: Path, console: Console) -> None:
    from tests.benchmarks.quality import difference, output
    from tests.benchmarks.report import show_quality

    for source in [MODELS[name] for name in chosen.models or ["smollm2"]]:
        path, store = source.find(folder), ModelStore(folder / "models")
        exact_name = "float32" if source.float32 else "bf16"
        exact = output(imported(source, path, store, exact_name))
        found = []
        for quant in chosen.quants or ["bf16", "int8", "int4"]:
            note(console, f"{source.name}: {quant}")
            found.append(difference(quant, exact, output(imported(source, path, store, quant))))
        results.quality[source.name] = found
        show_quality(console, source.about, exact_name, len(exact.log_probabilities), found)


def note(console: Console, text: str) -> None:
    load = os.getloadavg()[0]
    console.print(f"[dim]{text} (load {load:.1f})[/dim]", highlight=False)


def main() -> int:
    chosen = parse()
    # Piped output would be folded to 80 columns.
    console = Console() if sys.stdout.isatty() else Console(width=120)
    results = Results(Machine.here(), sys.argv[1:])
    from tests.benchmarks.report import show_machine

    show_machine(console, results.machine)
    with workplace(chosen.folder) as folder:
        (speed if chosen.what == "speed" else quality)(chosen, results, folder, console)
    if chosen.json is not None:
        text = json.dumps(dataclasses.asdict(results), indent=1) + "\n"
        chosen.json.write_text(text, encoding="utf-8")
        console.print(f"written to {chosen.json}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
