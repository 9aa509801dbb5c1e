"""From logits to the next token id.

The order is that of `transformers`' generation: repetition penalty, temperature, top-k, top-p, min-p,
then one draw from what is left. Greedy (temperature 0) is an exact argmax without sorting; the lowest
id wins ties.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch

from swarm_app.childproto import Sampling
from swarm_app.domain.errors import ModelOutputInvalid
from swarm_app.engines.answering import check_sampling

GREEDY_BELOW = 1e-5
"""A lower temperature is greedy: float32 differences divided by it leave one token with all the mass."""

TOP_P_LOOKS = (512, 8192)
"""top-p looks at so many most likely tokens; only when they hold too little mass is everything sorted, which
takes milliseconds."""


class Sampler:
    """Chooses one answer's tokens. `prompt_ids` count as seen for the repetition penalty.

    The penalty is that of CTRL (Keskar et al. 2019, section 4.1) as `transformers` applies it: the
    logits of ids seen in prompt or answer are divided by it where positive and multiplied where
    negative, once per id. The same seed, prompt and logits give the same tokens. Raises BadRequest for
    senseless settings.
    """

    def __init__(self, sampling: Sampling, prompt_ids: Sequence[int] = ()) -> None:
        check_sampling(sampling)
        self._temperature = sampling.temperature
        self._top_k = sampling.top_k
        self._top_p = sampling.top_p
        self._min_p = sampling.min_p
        self._penalty = sampling.repetition_penalty
        self._seen: set[int] = set()
        self._seen_ids = torch.empty(0, dtype=torch.int64)
        if self._penalty != 1.0:
            self._seen = set(prompt_ids)
            self._seen_ids = torch.tensor(sorted(self._seen), dtype=torch.int64)
        self._generator = torch.Generator()
        if sampling.seed is None:
            self._generator.seed()
        else:
            self._generator.manual_seed(sampling.seed % 2**63)

    @property
    def greedy(self) -> bool:
        return self._temperature < GREEDY_BELOW

    def choose(self, logits: torch.Tensor) -> int:
        """The next id from logits of shape [vocab]; it counts as seen from here on.

        Raises ModelOutputInvalid when no token has a finite best logit.
        """
        scores = self._penalized(logits.detach().to("cpu", torch.float32))
        if self.greedy:
            chosen = int(torch.argmax(scores))
            _check_best(float(scores[chosen]))
        else:
            ids, weights = self._candidates(scores)
            drawn = self._draw(weights)
            chosen = drawn if ids is None else int(ids[drawn])
        if self._penalty != 1.0 and chosen not in self._seen:
            self._seen.add(chosen)
            self._seen_ids = torch.cat([self._seen_ids, torch.tensor([chosen])])
        return chosen

    def probabilities(self, logits: torch.Tensor) -> torch.Tensor:
        """The distribution that `choose` draws from, shape [vocab]; draws nothing."""
        scores = self._penalized(logits.detach().to("cpu", torch.float32))
        result = torch.zeros_like(scores)
        if self.greedy:
            best = torch.argmax(scores)
            _check_best(float(scores[best]))
            result[best] = 1.0
            return result
        ids, weights = self._candidates(scores)
        result[slice(None) if ids is None else ids] = weights / weights.sum()
        return result

    def _draw(self, weights: torch.Tensor) -> int:
        """An index, as likely as its weight says: where a uniform draw falls among the cumulated weights.

        torch.multinomial draws one number per weight, which takes twenty times as long.
        """
        mass = torch.cumsum(weights, dim=0, dtype=torch.float64)
        point = torch.rand(1, dtype=torch.float64, generator=self._generator) * mass[-1]
        # To the right of equals, so that no weight of 0 is drawn; rounding must not leave the end.
        found = torch.searchsorted(mass, point, right=True)
        return int(torch.minimum(found, torch.searchsorted(mass, mass[-1:])))

    def _penalized(self, logits: torch.Tensor) -> torch.Tensor:
        if not len(self._seen_ids):
            return logits
        # Embeddings may have more rows than the head: such an id cannot come again.
        seen = self._seen_ids[self._seen_ids < len(logits)]
        values = logits[seen]
        logits = logits.clone()
        logits[seen] = torch.where(values < 0, values * self._penalty, values / self._penalty)
        return logits

    def _candidates(self, scores: torch.Tensor) -> tuple[torch.Tensor | None, torch.Tensor]:
        """Ids left after the filters (None: all, in order) and their weights, not summing up to 1."""
        best = scores.max()
        _check_best(float(best))
        # Relative to the best, so that no temperature can overflow: the best is 0, all others below.
        scaled = (scores - best).div_(self._temperature)
        ids: torch.Tensor | None = None
        if 0 < self._top_k < len(scaled):
            threshold = torch.topk(scaled, self._top_k).values[-1]
            # Everything as likely as the last one stays, as in transformers.
            ids = torch.nonzero(scaled >= threshold).squeeze(1)
            scaled = scaled[ids]
        weights = torch.softmax(scaled, dim=0)
        if self._top_p < 1.0:
            kept, weights = _nucleus(weights, self._top_p)
            ids = kept if ids is None else ids[kept]
        if self._min_p > 0.0:
            kept = torch.nonzero(weights >= self._min_p * weights.max()).squeeze(1)
            weights = weights[kept]
            ids = kept if ids is None else ids[kept]
        return ids, weights


def _nucleus(probs: torch.Tensor, top_p: float) -> tuple[torch.Tensor, torch.Tensor]:
    """Indices and values of the fewest most likely tokens whose mass reaches `top_p`, at least one.

    A token stays when the mass of the more likely ones is below `top_p` (Holtzman et al. 2020).
    """
    for look in (*TOP_P_LOOKS, len(probs)):
        count = min(look, len(probs))
        values, indices = torch.topk(probs, count)
        before = torch.cumsum(values, dim=0) - values
        keep = max(1, int((before < top_p).sum()))
        if keep < count:
            break
    return indices[:keep], values[:keep]


def _check_best(best: float) -> None:
    # A NaN anywhere is the maximum for torch, so looking at the best one finds it.
    if not math.isfinite(best):
        raise ModelOutputInvalid("The model's output is not a number, so no word can be chosen.")
