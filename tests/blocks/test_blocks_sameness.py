"""The number of threads is never seen in what a span computes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from swarm_app import childloop

# Float32, because bfloat16's rounding hides most of what an unaligned buffer does to attention.
ATTEND = """
from swarm_app import childloop
childloop.prepare()
import torch
generator = torch.Generator().manual_seed(3)
other = 0
for heads, group in ((3, 3), (2, 1), (8, 4)):
    for length in range(1, 400, 19):
        shapes = [(1, heads, rows, 64) for rows in (group, length, length)]
        query, key, value = (torch.randn(shape, generator=generator) for shape in shapes)
        outs = []
        for threads in (1, 2, 3, 4, 8):
            torch.set_num_threads(threads)
            outs.append(torch.nn.functional.scaled_dot_product_attention(query, key, value))
        other += any(not torch.equal(out, outs[0]) for out in outs)
print(other)
"""


def differing(**environment: str) -> int:
    """Lengths at which attention over one token depends on the number of threads, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", ATTEND],
        env={k: v for k, v in os.environ.items() if k != "MKL_CBWR"} | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return int(done.stdout)


def test_attention_is_the_same_on_any_number_of_threads() -> None:
    assert differing() == 0


@pytest.mark.parametrize("value", ["AVX2,STRICT", "COMPATIBLE"])
def test_what_the_user_sets_for_mkl_stays(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKL_CBWR", value)
    monkeypatch.setenv("GOMP_SPINCOUNT", "1")
    childloop.prepare()
    assert os.environ["MKL_CBWR"] == value
