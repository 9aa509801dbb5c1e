"""What a run finds out, as it is written to JSON. Times are monotonic; units are in the names."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.benchmarks.figures import Spread
from tests.benchmarks.machine import Machine, Memory

PHASES = ("embed", "compute", "hops", "head", "choice")
"""Parts of a decode step: embeddings; what the peers say they computed; the rest of the way through the
route; final norm and head; choosing the token."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One answer."""

    ttft_ms: float
    """From asking to the first token, as the asker sees it."""
    median_ms: float
    p95_ms: float
    """Between tokens, as the engine saw them; 0 where there was one token."""
    tokens: int


@dataclass(slots=True)
class Configuration:
    """One way to run the model."""

    name: str
    nodes: int
    """0 for the process without a household."""
    ttft_ms: dict[int, Spread] = field(default_factory=dict)
    """By the length of the prompt in tokens."""
    decode_median_ms: Spread | None = None
    decode_p95_ms: Spread | None = None
    prefill_tokens_per_s: Spread | None = None
    """Of the longest prompt: its tokens by its TTFT."""
    decode_ratio: Spread | None = None
    ttft_ratio: dict[int, Spread] = field(default_factory=dict)
    """By those of the one process in the same round; above 1 is slower."""
    hop_from_decode_ms: Spread | None = None
    """What each further node adds to a decode step: (this - one node) / (nodes - 1), in the same round."""
    phases_ms: dict[str, Spread] = field(default_factory=dict)
    """Parts of a decode step, by an engine without a node (see PHASES); medians of each round."""
    hop_direct_ms: Spread | None = None
    """The route's time beyond the peers' compute, by hop."""
    cpu_ms_per_token: dict[str, Spread] = field(default_factory=dict)
    """Processor time by kind of process for each token of the first answer, its prefill included. Unlike the
    times above it hardly depends on what else the computer does; waiting in a loop counts."""
    idle_cores: float = 0.0
    """Cores that the household keeps busy when nobody asks."""
    memory: list[Memory] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class ModelRun:
    """One model with one kind of weights in the households; the one process is float32 always."""

    model: str
    about: str
    quant: str
    rounds: int
    prompts: list[int]
    decoded: int
    """Tokens of each answer whose decoding was timed."""
    configurations: list[Configuration]
    single_hop_ms: dict[int, Spread]
    """A step of so many tokens over one hop of the first household, the peer's compute taken off."""
    others_cores: Spread
    """Cores that other programs kept busy meanwhile; well under 0.1 is a quiet machine."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Difference:
    """How far weights are from the float32 ones."""

    quant: str
    kl_nats: float
    """Kullback-Leibler divergence of the next token's distribution from that of float32, mean per token of
    the text."""
    kl_p95_nats: float
    same_best: float
    """Share of the text's tokens at which the most likely next token is the same."""
    same_greedy: int
    """How many of the first greedy tokens of the fixed prompt agree, up to the first that does not."""
    greedy: int


@dataclass(slots=True)
class Results:
    machine: Machine
    arguments: list[str]
    runs: list[ModelRun] = field(default_factory=list)
    quality: dict[str, list[Difference]] = field(default_factory=dict)
    """By model."""
