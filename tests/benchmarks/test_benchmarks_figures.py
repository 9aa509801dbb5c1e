"""The benchmark's own arithmetic, prompts and made-up model; nothing here is timed."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest
import torch
from rich.console import Console

from swarm_app.engines.prompt import PromptBuilder
from tests.benchmarks import llama1b
from tests.benchmarks.figures import Spread, differences, percentile, ratios
from tests.benchmarks.machine import Machine, Memory, Others, peak_bytes, role, spent_s
from tests.benchmarks.prompts import QUESTION, exact_prompt
from tests.benchmarks.quality import Output, difference
from tests.benchmarks.report import show_run
from tests.benchmarks.results import PHASES, Configuration, ModelRun
from tests.benchmarks.whole import generate, load

TINY = {
    **llama1b.CONFIG,
    "vocab_size": 1024,
    "hidden_size": 64,
    "intermediate_size": 96,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "head_dim": 16,
}


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([7.0], 95, 7.0),
        ([1, 2, 3, 4], 50, 2),
        (range(1, 101), 95, 95),
        (range(1, 21), 95, 19),
        ([3, 1, 2], 100, 3),
    ],
)
def test_a_percentile_is_the_nearest_rank(values: list[float], percent: int, expected: float) -> None:
    assert percentile(values, percent) == expected


def test_rounds_are_compared_pairwise() -> None:
    assert ratios([20.0, 60.0, 30.0], [10.0, 20.0, 10.0]) == Spread(3.0, 2.0, 3.0, [2.0, 3.0, 3.0])
    assert differences([15.0, 26.0], [11.0, 20.0], 2) == Spread(2.5, 2.0, 3.0, [2.0, 3.0])


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        (["python", "-m", "swarm_app", "node", "--name", "desk"], "node"),
        (["python", "-m", "swarm_app", "_blocks"], "blocks"),
        (["python", "-m", "swarm_app", "_engine"], "engine"),
        (["/somewhere/p2pd", "-id=/profile/identity/blocks.key"], "p2pd of blocks"),
        (["sleep", "1"], "other"),
    ],
)
def test_processes_are_told_apart(command: list[str], expected: str) -> None:
    assert role(command) == expected


def test_this_process_has_used_memory_and_time() -> None:
    # The kernel counts pages in batches for each processor: the two figures may differ by some of them.
    assert peak_bytes("self") > 0.95 * psutil.Process().memory_info().rss > 0
    assert spent_s([psutil.Process()]) > 0
    assert 0 <= Others([]).cores() <= (psutil.cpu_count() or 1) + 0.5
    assert Machine.here().cores == psutil.cpu_count()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return llama1b.make(tmp_path_factory.mktemp("source") / "tiny", TINY)


def test_the_model_that_is_made_is_whole(folder: Path) -> None:
    model = load(folder)
    assert model.config.num_hidden_layers == 2
    assert model.dtype == torch.float32
    embeddings = model.get_input_embeddings().weight
    assert abs(float(embeddings.std()) - llama1b.DEVIATION) < 0.002
    assert llama1b.make(folder, TINY) == folder, "it is made once"


def test_prompts_have_exactly_the_tokens_that_were_asked_for(folder: Path) -> None:
    from transformers import PreTrainedTokenizerFast

    tokenizer = PreTrainedTokenizerFast.from_pretrained(folder)
    assert len(tokenizer) == TINY["vocab_size"]
    builder = PromptBuilder(tokenizer, 2048)
    for tokens in (*range(40, 50), 256):
        prompt = exact_prompt(builder, tokens)
        assert len(prompt.ids) == tokens
        assert prompt.text.endswith(QUESTION)
    with pytest.raises(ValueError, match="the shortest prompt"):
        exact_prompt(builder, 5)


def test_one_process_decodes_as_transformers_does(folder: Path) -> None:
    model = load(folder)
    ids = [5, 300, 77, 901, 12]
    chosen, times_s, began_s = generate(model, ids, 12)
    expected = model.generate(torch.tensor([ids]), max_new_tokens=12, do_sample=False, pad_token_id=0)
    assert chosen == expected[0, len(ids) :].tolist()
    assert began_s < times_s[0] < times_s[-1]


def test_the_difference_of_a_model_from_itself_is_nothing() -> None:
    rows = torch.randn(5, 30, generator=torch.Generator().manual_seed(3)).log_softmax(dim=-1)
    same = difference("bf16", Output(rows, [1, 2, 3]), Output(rows, [1, 2, 3]))
    assert (same.kl_nats, same.same_best, same.same_greedy) == (0.0, 1.0, 3)
    # Two outcomes, 1/2 and 1/2 against 1/4 and 3/4: KL = ln 2 - ln 3 / 2.
    p, q = torch.tensor([[0.5, 0.5]]).log(), torch.tensor([[0.25, 0.75]]).log()
    other = difference("int8", Output(p, [1, 2, 3]), Output(q, [1, 9, 3]))
    assert other.kl_nats == pytest.approx(0.143841, abs=1e-5)
    assert other.same_greedy == 1


def test_a_run_is_shown() -> None:
    two = Spread.of([2.0, 4.0])
    whole = Configuration("one process", 0, {32: two}, two, two, two, two, {32: two})
    whole.memory = [Memory("", "whole model", 1_000_000)]
    node = Configuration("2 nodes", 2, {32: two}, two, two, two, two, {32: two}, two)
    node.phases_ms = dict.fromkeys(PHASES, two)
    node.hop_direct_ms = two
    node.cpu_ms_per_token = {"blocks": two}
    node.memory = [Memory("desk", "blocks", 5_000_000), Memory("attic", "blocks", 7_000_000)]
    run = ModelRun("m", "a model", "int8", 2, [32], 64, [whole, node], {1: two}, two, 3.0)
    console = Console(width=140, record=True, file=None, quiet=False)
    with console.capture() as shown:
        show_run(console, run)
    text = shown.get()
    assert "a model, int8 blocks" in text
    assert "12" in text, "the sum of both peaks in MB"
