"""What the faults have cost: one entry per run, and the whole distribution.

State owned: none. Callers: `tests.household.campaign`.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

HUNG_S = 5.0
"""Nothing heard for longer than this, neither text nor a reason, is a hung answer."""


@dataclass
class Run:
    """One fault. Seconds; None where there is nothing to tell."""

    kind: str
    victim: str
    at_token: int
    prompt: int
    """Which of the rig's prompts."""
    pause_s: float | None = None
    """Longest silence between two tokens, of those that ended after the fault."""
    usual_gap_s: float | None = None
    """Median silence between two tokens of the undisturbed answer."""
    usual_longest_s: float | None = None
    """The longest one of that."""
    detect_s: float | None = None
    route_s: float | None = None
    replay_s: float | None = None
    load_s: float | None = None
    """Of `route_s`, where the local model took over: until it was in memory."""
    tokens_equal: bool = False
    """With the undisturbed answer of the same household to the same prompt; for an answer that ended in an
    error, as far as it went."""
    finished_by: str = "none"
    """``swarm``, ``local`` or ``none``."""
    cause: str = ""
    untold_s: float | None = None
    """What `pause_s` is longer than the victim's pause was told to be: at least one step."""
    told: list[str] = field(default_factory=list)
    """What the person was told: sentences in the answer, or the error."""
    leftover_processes: list[str] = field(default_factory=list)
    error_after_s: float | None = None
    """From the fault to the error, where the answer ended in one."""
    local_after_s: float | None = None
    """From the fault to the first word of the local model, where that finished the answer; from the question,
    where the fault came before that."""
    reason: str = ""
    """What the local model's part is labelled with."""
    named_after_s: float | None = None
    """From the fault (or the question, where that came later) until the state named who is missing; measured
    where all others are gone."""
    back_s: float | None = None
    """From the moment at which the victim could work again until the asking node counts on it."""
    silent_s: float = 0.0
    """The longest time without text and without a reason."""
    prompt_tokens: int = 0
    decode_s: float | None = None
    reference_s: float | None = None
    """The same answer by the swarm without the victim; measured for ``slow``."""
    next_s: float | None = None
    """The same question again while the fault lasts; measured for ``slow``."""
    moved_to: list[str] = field(default_factory=list)
    pauses: list[dict[str, Any]] = field(default_factory=list)
    """All pauses of the answer, those of other peers included."""
    given_up_besides: list[str] = field(default_factory=list)
    """Peers that the answer left too, although nothing was wrong with them; the sentences told of them."""
    route: list[str] = field(default_factory=list)
    heard: list[list[Any]] = field(default_factory=list)
    """What was heard around the fault: seconds since it, and ``text`` or the cause of a pause that ended."""
    how: str = ""
    load: float = 0.0
    """The computer's load average over the last minute, at the fault."""

    @property
    def hung(self) -> bool:
        return self.silent_s > HUNG_S

    def as_json(self) -> dict[str, Any]:
        return {key: _rounded(value) for key, value in asdict(self).items()} | {"hung": self.hung}


def p90(values: Sequence[float]) -> float:
    """The nearest rank: of ten values the ninth."""
    return sorted(values)[math.ceil(0.9 * len(values)) - 1]


def distribution(values: Iterable[float | None]) -> dict[str, Any] | None:
    """Median, p90, extremes and every value in the order of the runs; None where there is none."""
    known = [value for value in values if value is not None]
    if not known:
        return None
    return {
        "median": round(statistics.median(known), 3),
        "p90": round(p90(known), 3),
        "least": round(min(known), 3),
        "most": round(max(known), 3),
        "values": [round(value, 3) for value in known],
    }


SUMMED = (
    *(
        "pause_s",
        "detect_s",
        "route_s",
        "replay_s",
        "untold_s",
        "back_s",
        "error_after_s",
        "silent_s",
        "local_after_s",
        "load_s",
        "named_after_s",
    ),
    *("usual_gap_s", "usual_longest_s", "decode_s", "reference_s", "next_s", "load"),
)


def summary(runs: Sequence[Run]) -> dict[str, Any]:
    """Counts and distributions of `runs`."""
    ended = [run.finished_by for run in runs]
    causes = [run.cause or "-" for run in runs]
    told = {
        name: distribution([getattr(run, name) for run in runs])
        for name in SUMMED
        if any(getattr(run, name) is not None for run in runs)
    }
    slow = [
        (run.decode_s or 0.0) / run.reference_s if run.reference_s else None
        for run in runs
        if run.reference_s is not None
    ]
    again = [run.next_s / run.reference_s for run in runs if run.next_s and run.reference_s]
    return {
        "runs": len(runs),
        "tokens_equal": sum(run.tokens_equal for run in runs),
        "finished_by": {who: ended.count(who) for who in sorted(set(ended))},
        "causes": {cause: causes.count(cause) for cause in sorted(set(causes))},
        "labelled": sum(bool(run.reason) for run in runs if run.finished_by == "local"),
        "hung": sum(run.hung for run in runs),
        "given_up_besides": sum(len(run.given_up_besides) for run in runs),
        "leftover_processes": sum(len(run.leftover_processes) for run in runs),
        **told,
        **({"ratio": distribution(slow), "next_ratio": distribution(again)} if slow else {}),
    }


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {key: _rounded(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return value
