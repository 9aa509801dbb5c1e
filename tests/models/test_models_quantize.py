"""Quantization: error bounds, layout, and bytes that do not depend on how it was computed."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

import swarm_app.models.quantize as quantize_module
from swarm_app.models.manifest import Quant
from swarm_app.models.quantize import (
    GROUP_SIZE,
    dequantize,
    dequantize_int4,
    dequantize_int8,
    quantize_int4,
    quantize_int8,
    quantized,
    unpack_int4,
)


@st.composite
def weights(draw: st.DrawFn) -> torch.Tensor:
    """[out, in] or [expert, out, in], of any scale, offset and degree of lopsidedness."""
    experts = draw(st.sampled_from([(), (3,)]))
    shape = (*experts, draw(st.integers(1, 5)), GROUP_SIZE * draw(st.integers(1, 4)))
    generator = torch.Generator().manual_seed(draw(st.integers(0, 2**31)))
    values = torch.randn(shape, generator=generator)
    values = values * 10.0 ** draw(st.integers(-6, 4))
    values = values + draw(st.sampled_from([0.0, 1.0, -3.5, 1e3])) * values.abs().max()
    kind = draw(st.sampled_from(["plain", "outlier", "constant", "zero", "positive"]))
    if kind == "outlier":
        values[..., 0, 3] *= 1000
    elif kind == "constant":
        values = torch.full(shape, float(values.flatten()[0]))
    elif kind == "zero":
        values = torch.zeros(shape)
    elif kind == "positive":
        values = values.abs()
    return values.to(draw(st.sampled_from([torch.float32, torch.bfloat16])))


@given(weights())
def test_int8_is_off_by_half_a_step_at_most(weight: torch.Tensor) -> None:
    q, scale = quantize_int8(weight)
    assert (q.dtype, q.shape) == (torch.int8, weight.shape)
    assert (scale.dtype, scale.shape) == (torch.float32, weight.shape[:-1])
    error = (dequantize_int8(q, scale) - weight.float()).abs()
    # Float32's own rounding of the division and the product comes on top.
    bound = scale[..., None] / 2 + weight.float().abs() * 1e-6
    assert bool((error <= bound).all())


@given(weights())
def test_int4_is_off_by_half_a_step_at_most(weight: torch.Tensor) -> None:
    packed, scale, zero = quantize_int4(weight)
    groups = (*weight.shape[:-1], weight.shape[-1] // GROUP_SIZE)
    assert (packed.dtype, packed.shape) == (torch.uint8, (*weight.shape[:-1], weight.shape[-1] // 2))
    assert (scale.dtype, scale.shape) == (torch.bfloat16, groups)
    assert (zero.dtype, zero.shape) == (torch.bfloat16, groups)
    error = (dequantize_int4(packed, scale, zero) - weight.float()).abs()
    step = scale.float().repeat_interleave(GROUP_SIZE, dim=-1)
    bound = step / 2 + weight.float().abs() * 1e-6
    assert bool((error <= bound).all())


@given(weights())
def test_int4_steps_are_no_longer_than_they_need_be(weight: torch.Tensor) -> None:
    """A step is a fifteenth of the group's range, but for bfloat16's rounding of scale and zero."""
    _, scale, zero = quantize_int4(weight)
    grouped = weight.float().reshape(*scale.shape, GROUP_SIZE)
    span = grouped.amax(-1) - grouped.amin(-1)
    rounding = zero.float().abs() * 2**-8 / 7
    assert bool((scale.float() <= (span / 15 + rounding) * (1 + 2**-6) + 1e-38).all())


def test_the_even_column_is_the_low_nibble() -> None:
    packed = torch.tensor([[0x10, 0x32]], dtype=torch.uint8)
    assert unpack_int4(packed).tolist() == [[0, 1, 2, 3]]
    weight = torch.zeros(1, GROUP_SIZE)
    weight[0, 0], weight[0, 1] = -1.0, 1.0
    packed, _, _ = quantize_int4(weight)
    assert int(packed[0, 0]) & 0x0F == 0
    assert int(packed[0, 0]) >> 4 == 15


def test_chunks_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    weight = torch.randn(7, 5, 96, generator=torch.Generator().manual_seed(1))
    whole = (*quantize_int8(weight), *quantize_int4(weight))
    monkeypatch.setattr(quantize_module, "_CHUNK_ELEMENTS", 200)
    pieces = (*quantize_int8(weight), *quantize_int4(weight))
    assert all(torch.equal(one, other) for one, other in zip(whole, pieces, strict=True))


def test_what_is_no_linear_weight_is_refused() -> None:
    with pytest.raises(ValueError, match="floating point"):
        quantize_int8(torch.zeros(4, dtype=torch.float32))
    with pytest.raises(ValueError, match="groups of 32"):
        quantize_int4(torch.zeros(4, 33))


@pytest.mark.parametrize("quant", [Quant.INT8, Quant.INT4])
def test_a_block_is_put_together_again(quant: Quant) -> None:
    weight = torch.randn(8, 64, generator=torch.Generator().manual_seed(2))
    experts = torch.randn(2, 8, 64, generator=torch.Generator().manual_seed(3))
    stored = {
        **quantized("proj.weight", weight, quant),
        **quantized("experts.down", experts.transpose(1, 2).reshape(2, 8, 64), quant),
        "norm.weight": torch.ones(64),
        "norm.scale": torch.ones(3),
    }
    whole = dequantize(stored, frozenset({"experts.down"}))
    assert set(whole) == {"proj.weight", "experts.down", "norm.weight", "norm.scale"}
    assert whole["experts.down"].shape == (2, 64, 8)
    assert (whole["proj.weight"] - weight).abs().max() < 0.3
