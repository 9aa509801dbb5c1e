"""The results for the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console

from tests.benchmarks.figures import Spread, ms, table
from tests.benchmarks.machine import Machine
from tests.benchmarks.results import PHASES, Configuration, Difference, ModelRun


def show_machine(console: Console, machine: Machine) -> None:
    libraries = ", ".join(f"{name} {version}" for name, version in machine.libraries.items())
    gigabytes = machine.memory_bytes / 2**30
    console.print(
        f"{machine.cpu}, {machine.cores} cores, {gigabytes:.0f} GiB; Python {machine.python}, {libraries}"
    )


def show_run(console: Console, run: ModelRun) -> None:
    busy = run.others_cores
    console.print(
        f"\n{run.about}, {run.quant} blocks: medians of {run.rounds} rounds, {run.decoded} tokens decoded in "
        f"each. Other programs kept {busy.median:.2f} cores busy (at most {busy.high:.2f}). "
        f"It took {run.seconds:.0f} s."
    )
    lengths = [f"TTFT {tokens}\n(ms)" for tokens in run.prompts]
    columns = [
        "",
        *lengths,
        "decode\n(ms)",
        "p95\n(ms)",
        "prefill\n(tokens/s)",
        "decode\nratio",
        "idle\n(cores)",
    ]
    console.print(table("Answers", columns, [_answers(c, run.prompts) for c in run.configurations]))
    console.print(
        table(
            "Where a decode step goes (ms, an engine without a node)",
            ["", *PHASES, "sum", "decode through the node", "a hop, direct", "a hop, from decode"],
            [_phases(c) for c in run.configurations if c.nodes],
        )
    )
    roles = list(dict.fromkeys(role for c in run.configurations for role in c.cpu_ms_per_token))
    console.print(
        table(
            "Processor time per token (ms, the prefill of the short prompt included)",
            ["", *roles, "sum"],
            [_cpu(c, roles) for c in run.configurations],
        )
    )
    hops = ", ".join(
        f"{tokens} token{'s' if tokens > 1 else ''}: {_text(spread)} ms"
        for tokens, spread in run.single_hop_ms.items()
    )
    console.print(f"One hop alone, the peer's compute taken off: {hops}")
    console.print(table("Peak memory (MB)", ["", "process", "largest", "sum"], _memory(run.configurations)))


def _text(spread: Spread | None) -> str:
    return "-" if spread is None else ms(spread.median)


def _answers(c: Configuration, prompts: list[int]) -> list[str]:
    return [
        c.name,
        *(_text(c.ttft_ms[tokens]) for tokens in prompts),
        _text(c.decode_median_ms),
        _text(c.decode_p95_ms),
        "-" if c.prefill_tokens_per_s is None else f"{c.prefill_tokens_per_s.median:.0f}",
        "-" if c.decode_ratio is None else f"{c.decode_ratio.median:.2f}",
        f"{c.idle_cores:.3f}" if c.nodes else "-",
    ]


def _phases(c: Configuration) -> list[str]:
    parts = [c.phases_ms[phase] for phase in PHASES]
    return [
        c.name,
        *(f"{part.median:.2f}" for part in parts),
        f"{sum(part.median for part in parts):.1f}",
        _text(c.decode_median_ms),
        "-" if c.hop_direct_ms is None else f"{c.hop_direct_ms.median:.2f}",
        "-" if c.hop_from_decode_ms is None else f"{c.hop_from_decode_ms.median:.2f}",
    ]


def _cpu(c: Configuration, roles: list[str]) -> list[str]:
    found = [c.cpu_ms_per_token.get(role) for role in roles]
    total = sum(spread.median for spread in found if spread is not None)
    return [c.name, *(_text(spread) for spread in found), ms(total)]


def _memory(configurations: Iterable[Configuration]) -> Iterable[list[str]]:
    for c in configurations:
        roles = dict.fromkeys(memory.role for memory in c.memory)
        for role in roles:
            peaks = [memory.peak_bytes / 1e6 for memory in c.memory if memory.role == role]
            yield [c.name, role, f"{max(peaks):,.0f}", f"{sum(peaks):,.0f}"]


def show_quality(console: Console, about: str, exact: str, tokens: int, found: Iterable[Difference]) -> None:
    console.print(
        table(
            f"{about}: difference from {exact} over {tokens} tokens of fixed text",
            ["weights", "KL per token\n(nats)", "p95", "same best token", "same greedy tokens"],
            [
                [
                    d.quant,
                    f"{d.kl_nats:.5f}",
                    f"{d.kl_p95_nats:.5f}",
                    f"{100 * d.same_best:.1f} %",
                    f"{d.same_greedy} of {d.greedy}",
                ]
                for d in found
            ],
        )
    )
