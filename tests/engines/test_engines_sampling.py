"""Sampling: the same choices as transformers' logits processors, without its costs."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from transformers import (
    LogitsProcessorList,
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
)

from swarm_app.childproto import Sampling
from swarm_app.domain.errors import BadRequest, ModelOutputInvalid
from swarm_app.engines.sampling import TOP_P_LOOKS, Sampler


def reference(sampling: Sampling, seen: list[int], logits: torch.Tensor) -> torch.Tensor:
    """transformers' distribution, in its own order, in float64."""
    chain: Any = LogitsProcessorList()
    if sampling.repetition_penalty != 1.0:
        chain.append(RepetitionPenaltyLogitsProcessor(penalty=sampling.repetition_penalty))
    chain.append(TemperatureLogitsWarper(sampling.temperature))
    if sampling.top_k:
        chain.append(TopKLogitsWarper(top_k=sampling.top_k))
    if sampling.top_p < 1.0:
        chain.append(TopPLogitsWarper(top_p=sampling.top_p))
    if sampling.min_p > 0:
        chain.append(MinPLogitsWarper(min_p=sampling.min_p))
    ids = torch.tensor([seen], dtype=torch.int64)
    return torch.softmax(chain(ids, logits.double()[None].clone())[0], dim=-1)


settings_of_a_request = st.builds(
    Sampling,
    temperature=st.floats(0.05, 5.0),
    top_p=st.floats(0.01, 1.0),
    top_k=st.integers(0, 60),
    min_p=st.sampled_from([0.0, 0.01, 0.1, 0.5]),
    repetition_penalty=st.sampled_from([1.0, 1.1, 1.5, 0.8]),
)


@settings(max_examples=250, deadline=None)
@given(settings_of_a_request, st.integers(0, 2**32), st.integers(2, 50), st.lists(st.integers(0, 49)))
def test_the_distribution_is_that_of_transformers(
    sampling: Sampling, seed: int, vocab: int, seen: list[int]
) -> None:
    torch.manual_seed(seed)
    # A coarse grid: equal logits are ties for both, and different ones differ by more than rounding.
    logits = torch.randint(-20, 20, (vocab,)) / 4
    logits[torch.rand(vocab) < 0.1] = -math.inf
    assume(bool(torch.isfinite(logits).any()))
    seen = [token % vocab for token in seen]
    ours = Sampler(sampling, seen).probabilities(logits).double()
    theirs = reference(sampling, seen, logits)
    if sampling.top_p < 1.0 and int((ours > 0).sum()) != int((theirs > 0).sum()):
        # Where the mass meets top_p exactly, or the last ones in are tied, rounding and order of
        # sorting decide.
        assert on_the_edge(sampling, seen, logits)
        return
    assert torch.allclose(ours.sort().values, theirs.sort().values, atol=1e-5)
    tied = sampling.top_p < 1.0 and on_the_edge(sampling, seen, logits)
    assert tied or torch.allclose(ours, theirs, atol=1e-5)


def on_the_edge(sampling: Sampling, seen: list[int], logits: torch.Tensor) -> bool:
    """Whether top-p's border runs between equal tokens or within rounding of the mass."""
    import dataclasses

    probs = reference(dataclasses.replace(sampling, top_p=1.0, min_p=0.0), seen, logits)
    values = probs.sort(descending=True).values
    mass = values.cumsum(0)
    close = bool(((mass - sampling.top_p).abs() < 1e-5).any())
    last = int((mass - values < sampling.top_p).sum()) - 1
    tied = last + 1 < len(values) and bool((values[last] - values[last + 1]).abs() < 1e-9)
    return close or tied


@pytest.mark.parametrize("top_p", [0.5, 0.95, 0.999999])
def test_top_p_over_a_big_vocabulary_looks_as_far_as_it_must(top_p: float) -> None:
    torch.manual_seed(3)
    logits = torch.randn(20_000)
    sampling = Sampling(temperature=1.5, top_p=top_p)
    ours = Sampler(sampling).probabilities(logits).double()
    theirs = reference(sampling, [], logits)
    assert int((ours > 0).sum()) > TOP_P_LOOKS[0]
    assert abs(int((ours > 0).sum()) - int((theirs > 0).sum())) <= 2  # float32 sums at the border
    assert torch.allclose(ours, theirs, atol=1e-6)


def test_greedy_takes_the_best_and_the_lowest_of_equals() -> None:
    logits = torch.tensor([0.0, 3.0, 3.0, -1.0])
    assert [Sampler(Sampling()).choose(logits) for _ in range(5)] == [1] * 5
    assert Sampler(Sampling(temperature=1e-9)).choose(logits) == 1


def test_the_repetition_penalty_counts_prompt_and_answer_once_per_id() -> None:
    logits = torch.tensor([1.0, 1.2, 1.1, -1.0])
    sampler = Sampler(Sampling(repetition_penalty=1.3), [1, 1, 1, 900])
    assert [sampler.choose(logits) for _ in range(4)] == [2, 0, 1, 1]
    assert logits.tolist() == pytest.approx([1.0, 1.2, 1.1, -1.0])  # the model's tensor is not touched


def test_a_seed_repeats_itself_and_another_does_not() -> None:
    logits = torch.randn(1000, generator=torch.Generator().manual_seed(0))

    def draw(seed: int | None) -> list[int]:
        sampler = Sampler(Sampling(temperature=1.0, top_p=0.99, seed=seed))
        return [sampler.choose(logits) for _ in range(50)]

    assert draw(7) == draw(7)
    assert draw(7) != draw(8)
    assert draw(None) != draw(None)
    assert draw(-1) == draw(-1)
    assert draw(10**40) == draw(10**40)


def test_a_draw_at_either_end_stays_among_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    logits = torch.tensor([-math.inf, 1.0, -math.inf, 2.0, -math.inf])
    sampler = Sampler(Sampling(temperature=1.0))
    for point, expected in ((0.0, 1), (1.0 - 2.0**-53, 3), (1.0, 3)):
        drawn = torch.tensor([point], dtype=torch.float64)
        monkeypatch.setattr(torch, "rand", lambda *_, drawn=drawn, **__: drawn)
        assert sampler.choose(logits) == expected


def test_draws_follow_the_distribution() -> None:
    logits = torch.tensor([2.0, 1.0, 0.0, -5.0])
    sampler = Sampler(Sampling(temperature=1.0, top_k=3, seed=1))
    expected = sampler.probabilities(logits)
    counts = torch.zeros(4)
    for _ in range(5000):
        counts[sampler.choose(logits)] += 1
    assert counts[3] == 0
    assert torch.allclose(counts / 5000, expected, atol=0.03)


@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("temperature", [0.0, 0.8])
def test_logits_that_are_no_numbers_are_an_error_with_a_sentence(bad: float, temperature: float) -> None:
    logits = torch.zeros(10)
    logits[4] = bad
    sampler = Sampler(Sampling(temperature=temperature, top_k=3, repetition_penalty=1.2), [4])
    with pytest.raises(ModelOutputInvalid, match="not a number"):
        sampler.choose(logits)
    with pytest.raises(ModelOutputInvalid):
        sampler.choose(torch.full((10,), -math.inf))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("temperature", -0.1),
        ("temperature", math.nan),
        ("temperature", math.inf),
        ("top_p", 1.1),
        ("top_p", -0.1),
        ("top_p", math.nan),
        ("top_k", -1),
        ("min_p", 2.0),
        ("repetition_penalty", 0.0),
        ("repetition_penalty", math.inf),
        ("max_tokens", 0),
    ],
)
def test_senseless_settings_are_refused_by_name(field: str, value: Any) -> None:
    with pytest.raises(BadRequest) as caught:
        Sampler(Sampling(**{field: value}))
    assert caught.value.param == field


@settings(max_examples=100, deadline=None)
@given(settings_of_a_request, st.integers(0, 2**32), st.sampled_from([1e-30, 1e-4, 1e4, 1e30]))
def test_extreme_temperatures_and_logits_always_give_a_token(
    sampling: Sampling, seed: int, scale: float
) -> None:
    import dataclasses

    logits = torch.randn(40, generator=torch.Generator().manual_seed(seed)) * scale
    for temperature in (sampling.temperature, 1e-4, 1e30):
        sampler = Sampler(dataclasses.replace(sampling, temperature=temperature, seed=1), [3])
        assert 0 <= sampler.choose(logits) < 40


def test_greedy_costs_far_less_than_sorting() -> None:
    logits = torch.randn(150_000)
    sampler = Sampler(Sampling(repetition_penalty=1.1), range(2000))

    def best_s(work: Callable[[], object]) -> float:
        """This thread's own time, so that a busy computer does not count."""
        times_s = []
        for _ in range(20):
            started_s = time.thread_time()
            work()
            times_s.append(time.thread_time() - started_s)
        return min(times_s)

    assert best_s(lambda: sampler.choose(logits)) < best_s(lambda: torch.sort(logits)) / 3
