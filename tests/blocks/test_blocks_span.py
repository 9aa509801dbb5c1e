"""Spans of every family: in pieces, quantized, and with the cache written in place."""

from __future__ import annotations

from dataclasses import replace

import pytest
import torch
from torch import nn

from swarm_app.blocks.attention import CacheShape, SpanCache, attend, causal_mask
from swarm_app.blocks.span import SpanModule, layer_kinds
from swarm_app.domain.errors import ModelDamaged, ModelUnsupported
from swarm_app.domain.span import Span
from swarm_app.models.cacheprice import cache_bytes_per_token
from swarm_app.models.convert import stored_tensors
from swarm_app.models.layers import linear_weights
from swarm_app.models.linears import Int4Linear, Int8Linear
from swarm_app.models.manifest import FORMAT, Manifest, Quant
from swarm_app.models.quantize import dequantize_int4, dequantize_int8
from tests.families import FAMILIES, HIDDEN_SIZE, NUM_BLOCKS, SLIDING_WINDOW, make_config, make_model

WHOLE = Span(0, NUM_BLOCKS)
MANIFEST = Manifest(
    *(FORMAT, "tiny", "X", "x", "", "", "float32", Quant.NONE, 0, NUM_BLOCKS, HIDDEN_SIZE, 64, 64, ())
)
PIECES = (16, 1, 1, 7, 1, 14)


def hidden_states(tokens: int = sum(PIECES)) -> torch.Tensor:
    return torch.randn(1, tokens, HIDDEN_SIZE, generator=torch.Generator().manual_seed(4))


def quantized(family: str, quant: Quant) -> list[dict[str, torch.Tensor]]:
    """The blocks of a tiny model as the store would hold them."""
    layers = make_model(family).model.layers
    return [stored_tensors(dict(layer.state_dict()), linear_weights(layer), quant) for layer in layers]


def widened(family: str, blocks: list[dict[str, torch.Tensor]]) -> list[dict[str, torch.Tensor]]:
    """The float32 weights that quantized blocks stand for, with the family's own names and layouts."""
    layers = make_model(family).model.layers
    result = []
    for layer, stored in zip(layers, blocks, strict=True):
        wide = {}
        transposed = linear_weights(layer).transposed_experts
        for name in layer.state_dict():
            if f"{name}.int8" in stored:
                rows = dequantize_int8(stored[f"{name}.int8"], stored[f"{name}.scale"])
            elif f"{name}.int4" in stored:
                parts = (stored[f"{name}.{part}"] for part in ("int4", "scale", "zero"))
                rows = dequantize_int4(*parts)
            else:
                wide[name] = stored[name].float()
                continue
            wide[name] = rows.transpose(-1, -2).contiguous() if name in transposed else rows
        result.append(wide)
    return result


@pytest.mark.parametrize("family", FAMILIES)
def test_the_price_of_a_token_is_known_without_loading_a_block(family: str) -> None:
    """What the node shows before a standby is switched on."""
    model = make_model(family)
    whole = SpanModule(model.config, WHOLE, lambda index: dict(model.model.layers[index].state_dict()))
    manifest = replace(MANIFEST, num_blocks=NUM_BLOCKS, hidden_size=HIDDEN_SIZE, dtype="float32")
    assert cache_bytes_per_token(manifest, model.config.to_dict()) == whole.bytes_per_token
    # Without any word about heads it is at least that.
    assert cache_bytes_per_token(manifest, {}) >= whole.bytes_per_token


def run(module: SpanModule, hidden: torch.Tensor, pieces: tuple[int, ...] = PIECES) -> torch.Tensor:
    cache = module.new_cache(hidden.shape[1])
    return torch.cat([module.step(piece, cache) for piece in torch.split(hidden, list(pieces), dim=1)], dim=1)


@pytest.mark.parametrize("family", FAMILIES)
def test_pieces_and_parts_give_what_the_whole_gives(family: str) -> None:
    """Prefill, steps and longer steps past the window; and a session over part of the span."""
    model = make_model(family)
    module = SpanModule(model.config, WHOLE, lambda index: dict(model.model.layers[index].state_dict()))
    hidden = hidden_states()
    whole = run(module, hidden, (hidden.shape[1],))
    torch.testing.assert_close(run(module, hidden), whole, atol=5e-5, rtol=1e-4)
    halfway = hidden
    for part in (Span(0, 2), Span(2, 6)):
        cache = module.new_cache(hidden.shape[1], part=part)
        halfway = module.step(halfway, cache)
        assert len(cache.keys) == len(part)
    torch.testing.assert_close(halfway, whole, atol=5e-5, rtol=1e-4)


@pytest.mark.parametrize("quant", [Quant.INT8, Quant.INT4])
@pytest.mark.parametrize("family", ["llama", "mixtral", "qwen3_moe", "gpt_oss", "phi3", "gemma3_text"])
def test_packed_weights_compute_what_they_stand_for(family: str, quant: Quant) -> None:
    """Packed kernels with bfloat16 activations against the same weights widened to float32."""
    blocks = quantized(family, quant)
    wide = widened(family, blocks)
    config = make_config(family)
    packed = SpanModule(config, Span(0, 2), blocks.__getitem__)
    plain = SpanModule(config, Span(0, 2), wide.__getitem__)
    assert packed.dtype == torch.bfloat16
    kinds = [type(module) for layer in packed.layers for module in layer.modules()]
    assert kinds.count(Int8Linear if quant is Quant.INT8 else Int4Linear) >= 8
    assert not [kind for kind in kinds if kind is nn.Linear], "everything that is linear is packed"
    hidden = hidden_states()
    got, expected = run(packed, hidden).float(), run(plain, hidden)
    # Expert choices near a tie may fall differently in bfloat16: most positions must agree, and well.
    error = (got - expected).norm(dim=-1) / expected.norm(dim=-1)
    assert error.median() < 0.03
    assert (error < 0.1).float().mean() > 0.8
    assert packed.weight_bytes < plain.weight_bytes / (2.2 if quant is Quant.INT8 else 3)


@pytest.mark.parametrize("quant", [Quant.NONE, Quant.INT8, Quant.INT4])
@pytest.mark.parametrize("family", ["llama", "gemma2", "gemma3_text", "gpt_oss", "qwen3", "mixtral"])
def test_a_history_fed_as_steps_leaves_the_very_same_cache(family: str, quant: Quant) -> None:
    """To the bit: what goes on from it must be what would have gone on without the loss."""
    blocks = quantized(family, quant)
    module = SpanModule(make_config(family), Span(0, 3), blocks.__getitem__)
    hidden = hidden_states(36)
    prompt, rest = hidden[:, :20], hidden[:, 20:]
    stepped, fed = module.new_cache(36), module.new_cache(36)
    for cache in (stepped, fed):
        module.step(prompt, cache)
    one_by_one = torch.cat([module.step(one, stepped) for one in torch.split(rest, 1, dim=1)], dim=1)
    assert torch.equal(module.step(rest, fed, as_steps=True), one_by_one)
    assert stepped.position == fed.position == 36
    for kept, given in zip((*stepped.keys, *stepped.values), (*fed.keys, *fed.values), strict=True):
        assert torch.equal(kept, given)


def test_a_span_holds_its_own_bytes_only() -> None:
    model = make_model("llama")
    asked: list[int] = []

    def tensors_of(index: int) -> dict[str, torch.Tensor]:
        asked.append(index)
        return dict(model.model.layers[index].state_dict())

    module = SpanModule(model.config, Span(2, 4), tensors_of)
    assert asked == [2, 3]
    held = sum(p.nbytes for layer in module.layers for p in layer.parameters())
    assert held == module.weight_bytes
    assert module.bytes_per_token == 2 * 2 * 2 * 16 * 4  # layers, keys and values, heads, width, float32


def test_what_does_not_fit_the_family_is_refused() -> None:
    config = make_config("llama")
    layers = make_model("llama").model.layers
    whole = dict(layers[0].state_dict())
    lacking = {key: value for key, value in whole.items() if key != "self_attn.q_proj.weight"}
    with pytest.raises(ModelDamaged, match=r"Block 0 .*self_attn\.q_proj\.weight"):
        SpanModule(config, Span(0, 1), lambda index: lacking)
    with pytest.raises(ModelDamaged, match=r"Block 0 .*surplus"):
        SpanModule(config, Span(0, 1), lambda index: {**whole, "surplus": torch.zeros(1)})
    wrong = {**whole, "self_attn.q_proj.weight": torch.zeros(3, 3)}
    with pytest.raises(ModelDamaged, match="wrong shape"):
        SpanModule(config, Span(0, 1), lambda index: wrong)


def test_an_attention_kind_that_no_mask_fits_is_refused_by_name() -> None:
    config = make_config("llama")
    config.layer_types = ["full_attention"] * 5 + ["chunked_attention"]
    with pytest.raises(ModelUnsupported, match="chunked_attention"):
        layer_kinds(config)


def test_keys_and_values_are_written_in_place() -> None:
    cache = SpanCache(
        3,
        [CacheShape(2, 4, 4)] * 2,
        [None, 2],
        batch=1,
        max_tokens=8,
        dtype=torch.float32,
        device=torch.device("cpu"),
    )
    before = [tensor.data_ptr() for tensor in (*cache.keys, *cache.values)]
    for position in range(5):
        new = torch.full((1, 2, 1, 4), float(position))
        keys, _ = cache.update(new, new, 3)
        assert keys[0, 0, :, 0].tolist() == [float(p) for p in range(position + 1)]
        windowed, _ = cache.update(new, new, 4)
        assert windowed[0, 0, :, 0].tolist() == [float(p) for p in range(position + 1)][-2:]
        cache.position += 1
    assert before == [tensor.data_ptr() for tensor in (*cache.keys, *cache.values)]
    assert keys.data_ptr() == cache.keys[0].data_ptr(), "what is handed out is the cache itself"


@pytest.mark.parametrize("window", [None, SLIDING_WINDOW, 1])
@pytest.mark.parametrize(("tokens", "position"), [(1, 0), (1, 20), (5, 0), (20, 0), (3, 17)])
def test_the_mask_shows_what_came_before_inside_the_window(
    tokens: int, position: int, window: int | None
) -> None:
    mask = causal_mask(tokens, position, window, torch.device("cpu"))
    if tokens == 1:
        assert mask is None
        return
    for query in range(tokens):
        absolute = position + query
        first = 0 if window is None else max(0, absolute - window + 1)
        expected = [first <= key <= absolute for key in range(position + tokens)]
        seen = mask[query].tolist() if mask is not None else [key <= query for key in range(tokens)]
        assert seen == expected


@pytest.mark.parametrize("tokens", [1, 6])
@pytest.mark.parametrize("softcap", [None, 5.0])
@pytest.mark.parametrize("sinks", [False, True])
def test_attention_is_the_plain_formula(tokens: int, softcap: float | None, sinks: bool) -> None:
    torch.manual_seed(0)
    heads, kv_heads, dim, keys = 4, 2, 8, 6
    query, key = torch.randn(2, heads, tokens, dim), torch.randn(2, kv_heads, keys, dim)
    value = torch.randn(2, kv_heads, keys, dim)
    s_aux = torch.randn(heads) if sinks else None
    out, _ = attend(nn.Module(), query, key, value, None, scaling=0.3, softcap=softcap, s_aux=s_aux)
    scores = query @ key.repeat_interleave(2, dim=1).transpose(-1, -2) * 0.3
    if softcap is not None:
        scores = softcap * torch.tanh(scores / softcap)
    if tokens > 1:
        scores = scores.masked_fill(~torch.ones(tokens, keys, dtype=torch.bool).tril(), float("-inf"))
    weights = scores.exp()
    total = weights.sum(-1, keepdim=True)
    if s_aux is not None:
        total = total + s_aux.exp()[None, :, None, None]
    expected = (weights / total) @ value.repeat_interleave(2, dim=1)
    torch.testing.assert_close(out, expected.transpose(1, 2), atol=1e-5, rtol=1e-4)
