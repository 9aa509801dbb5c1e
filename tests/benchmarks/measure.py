"""One model, one kind of weights: the one process and the households, in turn."""

from __future__ import annotations

import contextlib
import itertools
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import psutil

from swarm_app.engines.prompt import PromptBuilder
from swarm_app.localapi.answers import Choice, Done, Text, Turn
from swarm_app.localapi.client import LocalClient
from swarm_app.models.store import StoredModel
from tests.benchmarks.figures import Spread, differences, percentile, ratios
from tests.benchmarks.machine import Memory, Others, peak_bytes, role, spent_s
from tests.benchmarks.models import Source
from tests.benchmarks.prompts import SYSTEM, ExactPrompt, exact_prompt
from tests.benchmarks.results import PHASES, Configuration, ModelRun, Sample
from tests.benchmarks.worker import Worker
from tests.household import Household

COVER_S = 600.0
IDLE_S = 4.0
QUIET_CORES = 0.1
QUIET_LOOK_S = 5.0
HOP_STEPS = 100
WIDE_HOP_STEPS = 10
WIDE_HOP_TOKENS = 128
CONTEXT_TOKENS = 2048

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What is measured of each configuration."""

    nodes: Sequence[int]
    rounds: int
    prompts: Sequence[int]
    """Prompt lengths; the answer to the first of them is decoded for `decoded` tokens."""
    decoded: int
    quiet_within_s: float = 0.0
    """Wait this long at most for other programs to be quiet before the first round."""


class Asked(Protocol):
    """Something that answers."""

    def answer(self, prompt: ExactPrompt, tokens: int) -> Sample:
        """Ask, greedily, for `tokens` tokens. RuntimeError when it was not what was asked for."""
        ...


class OneProcess:
    """The whole model in one `transformers` process."""

    def __init__(self, worker: Worker) -> None:
        self._worker = worker

    def answer(self, prompt: ExactPrompt, tokens: int) -> Sample:
        told = self._worker.ask(ids=prompt.ids, tokens=tokens)
        gaps_ms = [1000 * gap for gap in told["gaps_s"]] or [0.0]
        return Sample(1000 * told["ttft_s"], statistics.median(gaps_ms), percentile(gaps_ms, 95), tokens)


class FirstNode:
    """The household's first node, through its local API."""

    def __init__(self, client: LocalClient) -> None:
        self._client = client

    def answer(self, prompt: ExactPrompt, tokens: int) -> Sample:
        began = time.perf_counter()
        first = 0.0
        turns = [Turn("system", SYSTEM), Turn("user", prompt.text)]
        for event in self._client.chat(turns, Choice(max_tokens=tokens)):
            match event:
                case Text() if not first:
                    first = time.perf_counter()
                case Done():
                    done = event
        if (done.prompt_tokens, done.completion_tokens) != (len(prompt.ids), tokens) or done.timing is None:
            raise RuntimeError(
                f"asked for {tokens} tokens after {len(prompt.ids)}, "
                f"got {done.completion_tokens} after {done.prompt_tokens} ({done.reason})"
            )
        timing = done.timing
        # A token may be half a character, and show nothing until the next one.
        ttft_s = min(first, time.perf_counter() - timing.decode_s) - began
        return Sample(1000 * ttft_s, 1000 * timing.itl_median_s, 1000 * timing.itl_p95_s, tokens)


def measure(
    source: Source, stored: StoredModel, quant: str, plan: Plan, whole: Worker, folder: Path, say: Say
) -> ModelRun:
    """Start the households, take the rounds, stop everything.

    In each round each configuration is asked in turn, so that whatever disturbs the computer disturbs all
    of them. First answers are not counted. Raises RuntimeError or AssertionError when something does not
    work.
    """
    began_s = time.monotonic()
    builder = PromptBuilder(stored.tokenizer(), CONTEXT_TOKENS)
    prompts = [exact_prompt(builder, tokens) for tokens in plan.prompts]
    with contextlib.ExitStack() as stack:
        rigs: list[Household] = []
        taken = [_Taken(OneProcess(whole), {"whole model": [psutil.Process(whole.pid)]})]
        for nodes in plan.nodes:
            say(f"starting a household of {nodes}")
            home = folder / f"household-{nodes}"
            rig = Household(home, models=stored.dir.parent, model=stored.name, nodes=nodes)
            stack.enter_context(rig)
            rig.wait_until_covered(COVER_S)
            rigs.append(rig)
            client = stack.enter_context(rig.nodes[0].client())
            taken.append(_Taken(FirstNode(client), _by_role(rig.mark.processes())))
        bare = stack.enter_context(Worker("tests.benchmarks.bare", str(stored.dir)))
        joins = [rig.nodes[0].swarm_addresses[0] for rig in rigs]
        say("warming up")
        for configuration, prompt in itertools.product(taken, prompts):
            configuration.one.answer(prompt, 8)
        for join in joins:
            bare.ask(what="decode", join=join, ids=prompts[0].ids, tokens=8)
        idle = _idle_cores(taken[1:])
        asking = psutil.Process(bare.pid)
        ours = itertools.chain(*(processes for t in taken for processes in t.processes.values()))
        others = Others([asking, *asking.children(), *ours])
        _wait_until_quiet(others, plan.quiet_within_s, say)
        disturbed = []
        for number in range(plan.rounds):
            say(f"round {number + 1} of {plan.rounds}")
            for configuration in taken:
                configuration.ask(prompts, plan.decoded)
            for configuration, join in zip(taken[1:], joins, strict=True):
                told = bare.ask(what="decode", join=join, ids=prompts[0].ids, tokens=plan.decoded)
                medians = {phase: statistics.median(told["phases_ms"][phase]) for phase in PHASES}
                configuration.phases_ms.append(medians)
            disturbed.append(others.cores())
        say("single hops")
        single = {
            width: Spread.of(bare.ask(what="hop", join=joins[0], width=width, steps=steps)["beyond_ms"][2:])
            for width, steps in ((1, HOP_STEPS), (WIDE_HOP_TOKENS, WIDE_HOP_STEPS))
        }
        memory = [[Memory("", "whole model", peak_bytes(whole.pid))], *map(_memory, rigs)]
        say("stopping")
    made = [_configuration(n, t, plan) for n, t in zip((0, *plan.nodes), taken, strict=True)]
    for index, kept in enumerate(memory):
        made[index].memory = kept
    _compare(made, taken, plan)
    for index, cores in enumerate(idle, start=1):
        made[index].idle_cores = cores
    return ModelRun(
        model=source.name,
        about=source.about,
        quant=quant,
        rounds=plan.rounds,
        prompts=list(plan.prompts),
        decoded=plan.decoded,
        configurations=made,
        single_hop_ms=single,
        others_cores=Spread.of(disturbed),
        seconds=round(time.monotonic() - began_s, 1),
    )


def _wait_until_quiet(others: Others, within_s: float, say: Say) -> None:
    deadline = time.monotonic() + within_s
    while time.monotonic() < deadline:
        time.sleep(QUIET_LOOK_S)
        cores = others.cores()
        if cores < QUIET_CORES:
            return
        say(f"waiting for other programs, which keep {cores} cores busy")
    others.cores()


def _name(nodes: int) -> str:
    return "one process" if not nodes else f"{nodes} node{'s' if nodes > 1 else ''}"


@dataclass(slots=True)
class _Taken:
    """What one configuration has given, one item a round."""

    one: Asked
    processes: dict[str, list[psutil.Process]]
    """By role."""
    answers: list[list[Sample]] = field(default_factory=list)
    """By prompt."""
    cpu_ms: list[dict[str, float]] = field(default_factory=list)
    phases_ms: list[dict[str, float]] = field(default_factory=list)

    def ask(self, prompts: Sequence[ExactPrompt], decoded: int) -> None:
        """One answer for each prompt; only the first one's tokens are timed, the others' TTFT alone."""
        before = {role: spent_s(processes) for role, processes in self.processes.items()}
        answers = [self.one.answer(prompts[0], decoded)]
        self.cpu_ms.append(
            {
                role: 1000 * (spent_s(processes) - before[role]) / decoded
                for role, processes in self.processes.items()
            }
        )
        self.answers.append(answers + [self.one.answer(prompt, 1) for prompt in prompts[1:]])

    def medians(self) -> list[float]:
        return [answers[0].median_ms for answers in self.answers]


def _by_role(processes: Sequence[psutil.Process]) -> dict[str, list[psutil.Process]]:
    found: dict[str, list[psutil.Process]] = {}
    for process in processes:
        found.setdefault(role(process.cmdline()), []).append(process)
    return found


def _configuration(nodes: int, taken: _Taken, plan: Plan) -> Configuration:
    rounds = taken.answers
    ttft = {
        tokens: [answers[index].ttft_ms for answers in rounds] for index, tokens in enumerate(plan.prompts)
    }
    phases = taken.phases_ms
    longest = max(plan.prompts)
    return Configuration(
        name=_name(nodes),
        nodes=nodes,
        ttft_ms={tokens: Spread.of(taken) for tokens, taken in ttft.items()},
        decode_median_ms=Spread.of([answers[0].median_ms for answers in rounds]),
        decode_p95_ms=Spread.of([answers[0].p95_ms for answers in rounds]),
        prefill_tokens_per_s=Spread.of([1000 * longest / ttft_ms for ttft_ms in ttft[longest]]),
        cpu_ms_per_token={r: Spread.of([cpu[r] for cpu in taken.cpu_ms]) for r in taken.processes},
        phases_ms={p: Spread.of([medians[p] for medians in phases]) for p in PHASES} if phases else {},
        hop_direct_ms=Spread.of([medians["hops"] / nodes for medians in phases]) if phases else None,
    )


def _compare(made: list[Configuration], taken: list[_Taken], plan: Plan) -> None:
    """Fill in what is relative to the one process and to the one node."""
    one_node = next((t.medians() for c, t in zip(made, taken, strict=True) if c.nodes == 1), None)
    for configuration, own in zip(made, taken, strict=True):
        configuration.decode_ratio = ratios(own.medians(), taken[0].medians())
        for index, tokens in enumerate(plan.prompts):
            ours = [answers[index].ttft_ms for answers in own.answers]
            theirs = [answers[index].ttft_ms for answers in taken[0].answers]
            configuration.ttft_ratio[tokens] = ratios(ours, theirs)
        if one_node is not None and configuration.nodes > 1:
            configuration.hop_from_decode_ms = differences(own.medians(), one_node, configuration.nodes - 1)


def _idle_cores(households: Sequence[_Taken]) -> list[float]:
    def spent() -> list[float]:
        return [spent_s(itertools.chain(*taken.processes.values())) for taken in households]

    before, began = spent(), time.monotonic()
    time.sleep(IDLE_S)
    passed = time.monotonic() - began
    return [round((now - then) / passed, 3) for now, then in zip(spent(), before, strict=True)]


def _memory(rig: Household) -> list[Memory]:
    kept = []
    for node in rig.nodes:
        for process in (p := psutil.Process(node.pid), *p.children(recursive=True)):
            with contextlib.suppress(psutil.Error, OSError):
                kept.append(Memory(node.name, role(process.cmdline()), peak_bytes(process.pid)))
    return kept
