"""The process to compare with: the whole model in plain `transformers`, float32, KV cache, greedy.

``python -m tests.benchmarks.whole PATH`` where PATH is a Hugging Face folder or a GGUF file; answers the
questions of `worker.Worker`. As many threads as torch chooses by itself.
"""

from __future__ import annotations

import asyncio
import gc
import itertools
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.benchmarks.machine import peak_bytes
from tests.benchmarks.worker import answer_all, take_pipes

if TYPE_CHECKING:
    from transformers import PreTrainedModel


def load(path: Path) -> PreTrainedModel:
    """The model in float32, for inference."""
    import torch
    from transformers import AutoModelForCausalLM

    where = {"gguf_file": path.name} if path.is_file() else {}
    folder = path.parent if path.is_file() else path
    model = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32, **where)
    result: PreTrainedModel = model.eval().requires_grad_(False)
    return result


def generate(model: PreTrainedModel, ids: list[int], tokens: int) -> tuple[list[int], list[float], float]:
    """`tokens` greedy tokens after the prompt `ids`: them, when each was chosen, and when it began (s)."""
    import torch
    from transformers import DynamicCache

    cache = DynamicCache(config=model.config)
    fed = torch.tensor([ids])
    chosen: list[int] = []
    times_s: list[float] = []
    began_s = time.perf_counter()
    with torch.inference_mode():
        for _ in range(tokens):
            out = model(input_ids=fed, cache=cache, use_cache=True, logits_to_keep=1)
            token = int(out.logits[0, -1].argmax())
            times_s.append(time.perf_counter())
            chosen.append(token)
            fed = torch.tensor([[token]])
    return chosen, times_s, began_s


async def _answer(path: Path) -> None:
    pipes = take_pipes()
    model = load(path)
    gc.collect()

    async def reply(question: dict[str, Any]) -> dict[str, Any]:
        chosen, times_s, began_s = generate(model, question["ids"], question["tokens"])
        gaps_s = [after - before for before, after in itertools.pairwise(times_s)]
        return {
            "chosen": chosen,
            "ttft_s": times_s[0] - began_s,
            "gaps_s": gaps_s,
            "peak_bytes": peak_bytes("self"),
        }

    await answer_all(pipes, reply)


if __name__ == "__main__":
    asyncio.run(_answer(Path(sys.argv[1])))
