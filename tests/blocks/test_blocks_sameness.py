"""The number of threads is never seen in what a span computes, and other kernels are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
import torch

from swarm_app import childloop
from swarm_app.models import linears
from swarm_app.models.quantize import quantize_int8

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


def of_its_own(program: str, **environment: str) -> str:
    """What a process of its own prints: the libraries read the environment once."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={k: v for k, v in os.environ.items() if k != "MKL_CBWR"} | environment,
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    return done.stdout


def test_attention_is_the_same_on_any_number_of_threads() -> None:
    assert int(of_its_own(ATTEND)) == 0


ROUND = """
from swarm_app import childloop
childloop.prepare()
import torch
from swarm_app.blocks.rounding import fingerprint
found = set()
for threads in (1, 2, 3, 8):
    torch.set_num_threads(threads)
    found.add(" ".join(fingerprint(torch.device("cpu"), dtype) for dtype in (torch.bfloat16, torch.float32)))
print("\\n".join(found))
"""


def test_computers_that_round_alike_have_one_fingerprint_and_others_another() -> None:
    usual = of_its_own(ROUND)
    assert len(usual.split()) == 2, "the number of threads shows"
    # Kernels without any vector instructions stand for another kind of processor.
    plain = of_its_own(ROUND, ATEN_CPU_CAPABILITY="default")
    if torch.backends.cpu.get_cpu_capability() != "DEFAULT":
        assert not set(plain.split()) & set(usual.split())


@pytest.mark.parametrize("rows", [1, 24, 40])
def test_without_bfloat16_products_any_number_of_rows_is_multiplied_alike(
    rows: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(linears, "multiplies_bfloat16", lambda: False)
    generator = torch.Generator().manual_seed(5)
    layer = linears.Int8Linear(*quantize_int8(torch.randn(64, 96, generator=generator)))
    hidden = torch.randn(1, rows, 96, generator=generator).bfloat16()
    one_by_one = torch.cat([layer(row) for row in torch.split(hidden, 1, dim=1)], dim=1)
    assert torch.equal(layer(hidden), one_by_one)


@pytest.mark.parametrize("value", ["AVX2,STRICT", "COMPATIBLE"])
def test_what_the_user_sets_for_mkl_stays(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MKL_CBWR", value)
    monkeypatch.setenv("GOMP_SPINCOUNT", "1")
    childloop.prepare()
    assert os.environ["MKL_CBWR"] == value
