"""What the answers of all engines share: checks of what is asked, and the timing of what was given."""

from __future__ import annotations

import math
from collections.abc import Sequence

from swarm_app.childproto import Sampling, Timing
from swarm_app.domain.errors import BadRequest
from swarm_app.domain.timing import between


def check_sampling(sampling: Sampling) -> None:
    """Raises BadRequest, naming the field, for a value that makes no sense."""

    def need(ok: bool, param: str, range_text: str) -> None:
        if not ok:
            raise BadRequest(f"{param} must be {range_text}.", param=param)

    need(0.0 <= sampling.temperature < math.inf, "temperature", "0 or more")
    need(0.0 <= sampling.top_p <= 1.0, "top_p", "between 0 and 1")
    need(sampling.top_k >= 0, "top_k", "0 (off) or more")
    need(0.0 <= sampling.min_p <= 1.0, "min_p", "between 0 and 1")
    need(0.0 < sampling.repetition_penalty < math.inf, "repetition_penalty", "more than 0")
    need(sampling.max_tokens is None or sampling.max_tokens >= 1, "max_tokens", "1 or more")


def timing(started_s: float, times_s: Sequence[float]) -> Timing | None:
    """Timing from the monotonic times at which tokens were chosen; None before the first."""
    if not times_s:
        return None
    median_s, p95_s = between(times_s)
    return Timing(
        ttft_s=times_s[0] - started_s,
        decode_s=times_s[-1] - times_s[0],
        itl_median_s=median_s,
        itl_p95_s=p95_s,
    )
