"""What the answers of all engines share: checks of what is asked."""

from __future__ import annotations

import math

from swarm_app.childproto import Sampling
from swarm_app.domain.errors import BadRequest


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
