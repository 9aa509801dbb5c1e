"""Hugging Face folders: every family comes through whole; what is broken is refused by name."""

from __future__ import annotations

import json
import math
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file

from swarm_app.domain.errors import (
    BadRequest,
    DiskFull,
    HomeswarmError,
    ModelDamaged,
    ModelIncomplete,
    ModelNotFound,
    ModelUnsupported,
)
from swarm_app.models import writing
from swarm_app.models.importing import import_model
from swarm_app.models.layers import decoder_layer_class, decoder_layers, linear_weights
from swarm_app.models.manifest import Quant
from swarm_app.models.quantize import dequantize
from swarm_app.models.store import ModelStore, StoredModel, no_progress
from tests.families import FAMILIES, make_config, make_model, save_folder
from tests.models.gguf_files import state_of


def imported(folder: Path, root: Path, quant: Quant = Quant.NONE, name: str | None = "model") -> StoredModel:
    return import_model(str(folder), ModelStore(root), quant=quant, name=name, progress=no_progress)


@pytest.mark.parametrize("sharded", [False, True], ids=["single", "sharded"])
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_comes_through_exactly(family: str, sharded: bool, tmp_path: Path) -> None:
    folder = save_folder(family, tmp_path / "source", sharded=sharded)
    stored = imported(folder, tmp_path / "store")
    model = make_model(family)
    wanted = model.state_dict()
    found = state_of(stored)
    tied = {"lm_head.weight"} if model.config.tie_word_embeddings else set()
    assert set(wanted) - set(found) == tied
    for key, value in found.items():
        assert torch.equal(value, wanted[key]), key
    layer = decoder_layers(model)[0]
    assert set(stored.block_tensors(0)) == set(layer.state_dict())
    assert decoder_layer_class(stored.config()) is type(layer)
    about = stored.manifest
    assert (about.architecture, about.model_type) == (type(model).__name__, model.config.model_type)
    assert (about.num_blocks, about.hidden_size, about.vocab_size, about.context_tokens) == (6, 64, 320, 256)
    assert (about.dtype, about.quant, about.group_size) == ("float32", Quant.NONE, 0)
    left_alone = ("transformers_version", "architectures", "dtype", "_name_or_path")
    configured, original = stored.config().to_dict(), model.config.to_dict()
    assert {k: v for k, v in configured.items() if k not in left_alone} == {
        k: v for k, v in original.items() if k not in left_alone
    }


def test_sharding_does_not_change_the_id(tmp_path: Path) -> None:
    ids = set()
    for sharded, where in ((False, "a"), (True, "b/c")):
        folder = save_folder("mixtral", tmp_path / where, sharded=sharded)
        ids.add(imported(folder, tmp_path / "store", name=None if sharded else "other").model_id)
    assert len(ids) == 1


def test_another_seed_has_another_id(tmp_path: Path) -> None:
    ids = {
        imported(
            save_folder("llama", tmp_path / f"m{seed}", seed=seed), tmp_path / "store", name=f"m{seed}"
        ).model_id
        for seed in (0, 1)
    }
    assert len(ids) == 2


@pytest.mark.parametrize("quant", [Quant.BF16, Quant.INT8, Quant.INT4])
@pytest.mark.parametrize("family", ["qwen2", "qwen3_moe", "phi3", "gpt_oss", "gemma2"])
def test_quantized_layout(family: str, quant: Quant, tmp_path: Path) -> None:
    stored = imported(save_folder(family, tmp_path / "source"), tmp_path / "store", quant)
    model = make_model(family)
    layer = decoder_layers(model)[2]
    wanted = layer.state_dict()
    linears = linear_weights(layer)
    tensors = stored.block_tensors(2)
    for name, value in wanted.items():
        rows = value.transpose(1, 2) if name in linears.transposed_experts else value
        if quant is Quant.BF16 or name not in linears.names:
            assert torch.equal(tensors[name], value.to(torch.bfloat16)), name
        elif quant is Quant.INT8:
            assert tensors[f"{name}.int8"].shape == rows.shape
            assert (tensors[f"{name}.scale"].dtype, tensors[f"{name}.scale"].shape) == (
                torch.float32,
                rows.shape[:-1],
            )
        else:
            assert tensors[f"{name}.int4"].shape == (*rows.shape[:-1], rows.shape[-1] // 2)
            assert tensors[f"{name}.scale"].shape == (*rows.shape[:-1], rows.shape[-1] // 32)
            assert tensors[f"{name}.zero"].dtype == tensors[f"{name}.scale"].dtype == torch.bfloat16
    whole = dequantize(tensors, linears.transposed_experts)
    assert set(whole) == set(wanted)
    bound = {Quant.BF16: 0.005, Quant.INT8: 0.005, Quant.INT4: 0.05}[quant]
    for name, value in whole.items():
        assert (value.float() - wanted[name]).abs().max() < bound, name
    assert stored.manifest.dtype == "bfloat16"
    assert stored.manifest.group_size == (32 if quant is Quant.INT4 else 0)
    assert all(value.dtype == torch.bfloat16 for value in stored.client_tensors().values())
    routers = [name for name in wanted if "router" in name or name.endswith("mlp.gate.weight")]
    assert not linears.names & set(routers)


def test_an_input_that_does_not_divide_stays_bfloat16(tmp_path: Path) -> None:
    folder = save_folder("gpt_oss", tmp_path / "source", intermediate_size=80)
    stored = imported(folder, tmp_path / "store", Quant.INT4)
    tensors = stored.block_tensors(0)
    wanted = decoder_layers(make_model("gpt_oss", intermediate_size=80))[0].state_dict()
    # [expert, in, out] here, as the family has it: what is not quantized is not turned either.
    name = "mlp.experts.down_proj"
    assert torch.equal(tensors[name], wanted[name].to(torch.bfloat16))
    assert "mlp.experts.gate_up_proj.int4" in tensors


def test_the_sources_own_type_is_kept(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source", dtype="bfloat16")
    stored = imported(folder, tmp_path / "store")
    assert stored.manifest.dtype == "bfloat16"
    assert {value.dtype for value in state_of(stored).values()} == {torch.bfloat16}


def test_tensors_begin_on_cache_lines(tmp_path: Path) -> None:
    stored = imported(save_folder("llama", tmp_path / "source"), tmp_path / "store", Quant.INT8)
    content = stored.checked_path("block-00000.safetensors").read_bytes()
    assert (8 + int.from_bytes(content[:8], "little")) % 64 == 0


# ------------------------------------------------------------------------ heads, ties, extra tensors


def _edit_weights(folder: Path, change: Callable[[dict[str, torch.Tensor]], None]) -> None:
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def test_a_tied_head_that_is_there_anyway_is_left_out(tmp_path: Path) -> None:
    folder = save_folder("qwen2", tmp_path / "source")
    _edit_weights(folder, lambda t: t.update({"lm_head.weight": t["model.embed_tokens.weight"].clone()}))
    stored = imported(folder, tmp_path / "store")
    assert "lm_head.weight" not in stored.client_tensors()
    assert stored.config_dict()["tie_word_embeddings"] is True


def test_a_tied_head_that_differs_is_kept(tmp_path: Path) -> None:
    folder = save_folder("qwen2", tmp_path / "source")
    _edit_weights(folder, lambda t: t.update({"lm_head.weight": t["model.embed_tokens.weight"] + 1}))
    stored = imported(folder, tmp_path / "store")
    client = stored.client_tensors()
    assert torch.equal(client["lm_head.weight"], client["model.embed_tokens.weight"] + 1)
    assert stored.config_dict()["tie_word_embeddings"] is False


def test_computed_buffers_are_passed_over(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    _edit_weights(folder, lambda t: t.update({"model.layers.0.self_attn.rotary_emb.inv_freq": torch.ones(8)}))
    assert len(imported(folder, tmp_path / "store").block_tensors(0)) == 9


def _drop(name: str) -> Callable[[dict[str, torch.Tensor]], None]:
    def change(tensors: dict[str, torch.Tensor]) -> None:
        del tensors[name]

    return change


@pytest.mark.parametrize(
    ("family", "change", "kind", "words"),
    [
        ("llama", _drop("model.layers.3.mlp.up_proj.weight"), ModelIncomplete, r"layers\.3\.mlp\.up_proj"),
        ("llama", _drop("model.norm.weight"), ModelIncomplete, r"model\.norm\.weight"),
        ("llama", _drop("lm_head.weight"), ModelIncomplete, r"lm_head\.weight"),
        (
            "mixtral",
            _drop("model.layers.2.block_sparse_moe.experts.1.w1.weight"),
            ModelDamaged,
            r"layers\.2\.mlp\.experts\.gate_up_proj",
        ),
        (
            "llama",
            lambda t: t.update({"model.layers.0.self_attn.q_norm.weight": torch.ones(16)}),
            ModelUnsupported,
            r"q_norm",
        ),
        (
            "llama",
            lambda t: t.update({"model.layers.6.input_layernorm.weight": torch.ones(64)}),
            ModelUnsupported,
            r"layers\.6",
        ),
        (
            "llama",
            lambda t: t.update({"model.layers.1.input_layernorm.weight": torch.ones(32)}),
            ModelDamaged,
            r"layers\.1\.input_layernorm\.weight has the shape \[32\]",
        ),
        (
            "llama",
            lambda t: t["model.layers.4.mlp.up_proj.weight"].__setitem__((0, 0), math.nan),
            ModelDamaged,
            r"mlp\.up_proj\.weight holds values that are not numbers",
        ),
    ],
)
def test_tensors_that_do_not_fit_are_named(
    family: str,
    change: Callable[[dict[str, torch.Tensor]], None],
    kind: type[HomeswarmError],
    words: str,
    tmp_path: Path,
) -> None:
    folder = save_folder(family, tmp_path / "source")
    _edit_weights(folder, change)
    with pytest.raises(kind, match=words):
        imported(folder, tmp_path / "store")
    _nothing_is_left(tmp_path / "store")


# ------------------------------------------------------------------------ broken folders


def _nothing_is_left(root: Path) -> None:
    assert not root.exists() or list(root.iterdir()) == []


def _edit_json(path: Path, **changes: Any) -> None:
    fields = json.loads(path.read_text(encoding="utf-8"))
    fields.update(changes)
    path.write_text(json.dumps(fields), encoding="utf-8")


def _cut(path: Path, keep: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * keep) if keep < 1 else len(content) - 1])


@pytest.mark.parametrize("keep", [0.0, 0.0001, 0.6, 1.0])
def test_a_cut_file_is_incomplete_by_name(keep: float, tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source", sharded=True)
    _cut(folder / "model-00004-of-00010.safetensors", keep)
    with pytest.raises(ModelIncomplete, match=r"model-00004-of-00010\.safetensors is incomplete"):
        imported(folder, tmp_path / "store")
    _nothing_is_left(tmp_path / "store")


def test_a_file_that_shrinks_while_it_is_read_is_incomplete(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    seen: list[int] = []

    def cut_after_a_while(what: str, done: int, total: int) -> None:
        seen.append(done)
        if done > total // 2:
            os.truncate(folder / "model.safetensors", 1000)

    with pytest.raises(ModelIncomplete, match=r"model\.safetensors is incomplete"):
        import_model(
            str(folder),
            ModelStore(tmp_path / "store"),
            quant=Quant.NONE,
            name=None,
            progress=cut_after_a_while,
        )
    assert seen
    _nothing_is_left(tmp_path / "store")


def test_missing_files_are_named(tmp_path: Path) -> None:
    source = save_folder("llama", tmp_path / "source", sharded=True)
    for name, told in (
        ("model-00007-of-00010.safetensors", r"model-00007-of-00010\.safetensors of 10 files"),
        ("model.safetensors.index.json", r"model\.safetensors\.index\.json is missing"),
        ("tokenizer.json", r"tokenizer\.json is missing"),
        ("config.json", r"config\.json is missing"),
    ):
        folder = tmp_path / name
        shutil.copytree(source, folder)
        (folder / name).unlink()
        with pytest.raises(ModelIncomplete, match=told):
            imported(folder, tmp_path / "store")
    with pytest.raises(ModelNotFound):
        imported(tmp_path / "nowhere", tmp_path / "store")
    _nothing_is_left(tmp_path / "store")


def test_pickles_are_refused_by_name(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ModelUnsupported, match=r"pytorch_model\.bin is a pickle file"):
        imported(folder, tmp_path / "store")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"model_type": "falcon_h1"}, "unsupported: falcon_h1"),
        ({"model_type": None}, "unsupported: None"),
        ({"model_type": ["llama"]}, "unsupported"),
        ({"quantization_config": {"quant_method": "gptq", "bits": 4}}, "unsupported: gptq"),
        ({"quantization_config": {"quant_method": "bitsandbytes", "load_in_4bit": True}}, "bitsandbytes"),
        ({"quantization_config": {"load_in_8bit": True}}, "bitsandbytes"),
        ({"quantization_config": {"quant_method": "mxfp4"}}, "mxfp4"),
        ({"quantization_config": "odd"}, "unknown"),
    ],
)
def test_unsupported_kinds_are_refused_by_name(changes: dict[str, Any], words: str, tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    _edit_json(folder / "config.json", **changes)
    with pytest.raises(ModelUnsupported, match=words):
        imported(folder, tmp_path / "store")


@pytest.mark.parametrize(
    "changes",
    [
        {"num_attention_heads": "four"},
        {"num_attention_heads": 0},
        {"hidden_size": -64},
        {"num_hidden_layers": 10**9},
        {"rope_parameters": {"rope_type": "zigzag"}},
        {"vocab_size": None},
        {"max_position_embeddings": "long"},
    ],
)
def test_a_configuration_that_makes_no_sense_is_told(changes: dict[str, Any], tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    _edit_json(folder / "config.json", **changes)
    with pytest.raises((ModelDamaged, ModelUnsupported, ModelIncomplete)):
        imported(folder, tmp_path / "store")
    _nothing_is_left(tmp_path / "store")


@pytest.mark.parametrize("content", [b"<html>log in</html>", b"{", b"[]", b"\xff\xfe\x00"])
def test_a_config_that_is_none_is_told(content: bytes, tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    (folder / "config.json").write_bytes(content)
    with pytest.raises((ModelDamaged, ModelUnsupported), match=r"config\.json"):
        imported(folder, tmp_path / "store")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<!DOCTYPE html><html>" + b"x" * 100, "is a web page"),
        (b"version https://git-lfs.github.com/spec/v1\n" + b"x" * 100, "Git LFS pointer"),
        (b"\x80\x04" + b"x" * 100, "is not a safetensors file"),
        ((20).to_bytes(8, "little") + b"{" + b"x" * 100, "is not a safetensors file"),
        ((2).to_bytes(8, "little") + b"[]" + b"x" * 100, "is not a safetensors file"),
    ],
)
def test_weights_that_are_none_are_told(content: bytes, words: str, tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    (folder / "model.safetensors").write_bytes(content)
    with pytest.raises(ModelUnsupported, match=words):
        imported(folder, tmp_path / "store")


def test_an_index_cannot_lead_elsewhere(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source", sharded=True)
    index = json.loads((folder / "model.safetensors.index.json").read_text())
    index["weight_map"]["model.norm.weight"] = "../secret.safetensors"
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    with pytest.raises(ModelUnsupported, match=r"\.\./secret"):
        imported(folder, tmp_path / "store")


def test_code_of_the_models_own_is_never_run(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    trap = "raise SystemExit('ran')"
    (folder / "trap.py").write_text(trap)
    _edit_json(
        folder / "config.json", auto_map={"AutoConfig": "trap.Config", "AutoModelForCausalLM": "trap.M"}
    )
    _edit_json(folder / "tokenizer_config.json", auto_map={"AutoTokenizer": ["trap.T", "trap.T"]})
    stored = imported(folder, tmp_path / "store")
    assert "auto_map" not in stored.config_dict()
    assert len(stored.tokenizer()) == 320
    assert not (stored.dir / "trap.py").exists()


# ------------------------------------------------------------------------ mxfp4


def test_gpt_oss_in_mxfp4_is_widened(tmp_path: Path) -> None:
    """Blocks and scales of known values, in the layout of the released checkpoints."""
    folder = save_folder("gpt_oss", tmp_path / "source", dtype="bfloat16")
    generator = torch.Generator().manual_seed(5)
    levels = torch.tensor([0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6])
    wanted: dict[str, torch.Tensor] = {}

    def pack(tensors: dict[str, torch.Tensor]) -> None:
        for layer in range(6):
            for name, rows, columns in (("gate_up_proj", 192, 64), ("down_proj", 64, 96)):
                key = f"model.layers.{layer}.mlp.experts.{name}"
                codes = torch.randint(0, 16, (4, rows, columns), generator=generator, dtype=torch.uint8)
                scales = torch.randint(
                    120, 126, (4, rows, columns // 32), generator=generator, dtype=torch.uint8
                )
                pairs = codes.reshape(4, rows, columns // 32, 16, 2)
                del tensors[key]
                tensors[f"{key}_blocks"] = pairs[..., 0] | (pairs[..., 1] << 4)
                tensors[f"{key}_scales"] = scales
                factor = 2.0 ** (scales.float() - 127)
                values = levels[codes.long()] * factor.repeat_interleave(32, dim=-1)
                wanted[f"{layer}.{name}"] = values.transpose(1, 2).to(torch.bfloat16)

    _edit_weights(folder, pack)
    _edit_json(folder / "config.json", quantization_config={"quant_method": "mxfp4"})
    stored = imported(folder, tmp_path / "store")
    assert stored.manifest.dtype == "bfloat16"
    assert "quantization_config" not in stored.config_dict()
    for layer in range(6):
        tensors = stored.block_tensors(layer)
        for name in ("gate_up_proj", "down_proj"):
            assert torch.equal(tensors[f"mlp.experts.{name}"], wanted[f"{layer}.{name}"])


# ------------------------------------------------------------------------ names, disks, interruptions


def test_names(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "Tiny Llama (v2)")
    store = tmp_path / "store"
    first = imported(folder, store, name=None)
    assert first.name == "tiny-llama-v2"
    assert imported(folder, store, name=None).dir == first.dir
    second = imported(folder, store, Quant.INT8, name=None)
    assert second.name == "tiny-llama-v2-int8"
    with pytest.raises(BadRequest, match="another model named tiny-llama-v2"):
        imported(folder, store, Quant.INT8, name="tiny-llama-v2")
    for bad in ("../x", "UPPER", "", "a/b", "-x", "x" * 65, ".hidden"):
        with pytest.raises(BadRequest, match="name of a model"):
            imported(folder, store, name=bad)
    assert [model.name for model in ModelStore(store).list()] == ["tiny-llama-v2", "tiny-llama-v2-int8"]


def test_importing_again_repairs(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    stored = imported(folder, tmp_path / "store")
    block = stored.dir / "block-00000.safetensors"
    block.write_bytes(block.read_bytes()[:-10] + b"0123456789")
    (stored.dir / "manifest.json").write_text("{}")
    again = imported(folder, tmp_path / "store")
    assert again.dir == stored.dir
    assert ModelStore(tmp_path / "store").verify("model").ok
    assert [path.name for path in (tmp_path / "store").iterdir()] == ["model"]


def test_progress_is_in_bytes_and_reaches_its_end(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    told: list[tuple[str, int, int]] = []
    store = ModelStore(tmp_path / "store")
    stored = import_model(
        str(folder), store, quant=Quant.INT4, name=None, progress=lambda *args: told.append(args)
    )
    totals = {total for _, _, total in told}
    assert len(totals) == 1
    assert {what for what, _, _ in told} == {"import"}
    done = [count for _, count, _ in told]
    assert done == sorted(done)
    assert (done[0], done[-1]) == (0, totals.pop())
    # The forecast, which also asks for disk space, is the headers of the files short at most.
    assert 0 <= stored.manifest.total_bytes - done[-1] < 40_000


def test_an_interrupted_import_leaves_nothing(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")

    def interrupt(what: str, done: int, total: int) -> None:
        assert not list((tmp_path / "store").glob("[!.]*"))
        if done > total // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_model(
            str(folder), ModelStore(tmp_path / "store"), quant=Quant.NONE, name=None, progress=interrupt
        )
    _nothing_is_left(tmp_path / "store")


_KILLED = """
import os, signal, sys
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore

def kill(what, done, total):
    if done > total // 2:
        os.kill(os.getpid(), signal.SIGKILL)

import_model(sys.argv[1], ModelStore(sys.argv[2]), quant=Quant.NONE, name=None, progress=kill)
"""


def test_a_killed_import_is_invisible_and_cleaned_by_the_next(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source")
    store = ModelStore(tmp_path / "store")
    subprocess.run(
        [sys.executable, "-c", _KILLED, str(folder), str(store.root)], check=False, capture_output=True
    )
    (left,) = store.root.iterdir()
    assert left.name.startswith(".import-")
    assert len(list(left.iterdir())) > 3
    assert store.list() == []
    imported(folder, store.root)
    assert [path.name for path in store.root.iterdir()] == ["model"]


def test_another_import_at_work_is_left_alone(tmp_path: Path) -> None:
    alive = writing.temporary_folder(tmp_path, "import")
    dead = tmp_path / ".import-999999999-1-abcd"
    reused = tmp_path / f".import-{os.getpid()}-12345-abcd"
    other = tmp_path / ".cache"
    for path in (dead, reused, other):
        path.mkdir()
    writing.clean_stale(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([alive.name, ".cache"])


def test_space_is_asked_for_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = save_folder("llama", tmp_path / "source")
    monkeypatch.setattr(writing, "free_bytes", lambda _: 16_500_000)
    with pytest.raises(DiskFull, match=r"Importing model needs 17\.7 MB, and the disk has 16\.5 MB free"):
        imported(folder, tmp_path / "store")
    _nothing_is_left(tmp_path / "store")


def test_a_disk_that_fills_up_midway_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = save_folder("llama", tmp_path / "source")
    real = os.fsync
    calls: list[int] = []

    def full_at_the_fifth_file(handle: int) -> None:
        calls.append(handle)
        if len(calls) == 5:
            raise OSError(28, "No space left on device")
        real(handle)

    monkeypatch.setattr(os, "fsync", full_at_the_fifth_file)
    with pytest.raises(DiskFull, match=r"needs .*B, and the disk has .*B free"):
        imported(folder, tmp_path / "store")
    _nothing_is_left(tmp_path / "store")


def test_sizes_for_people() -> None:
    assert [writing.human_bytes(size) for size in (0, 999, 1500, 2_000_000, 3.25e9, 4e12)] == [
        "0 B",
        "999 B",
        "1.5 kB",
        "2.0 MB",
        "3.2 GB",
        "4.0 TB",
    ]


# ------------------------------------------------------------------------ memory

_MEASURED = """
import sys, threading
import psutil, torch
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore, no_progress

small, large, root, quant = sys.argv[1:]
store = ModelStore(root)
import_model(small, store, quant=Quant(quant), name="small", progress=no_progress)
process = psutil.Process()
before = process.memory_info().rss
peak, done = before, threading.Event()

def watch():
    global peak
    while not done.wait(0.002):
        peak = max(peak, process.memory_info().rss)

thread = threading.Thread(target=watch, daemon=True)
thread.start()
import_model(large, store, quant=Quant(quant), name="large", progress=no_progress)
done.set()
thread.join()
print(peak - before)
"""


def test_memory_is_that_of_a_few_blocks(tmp_path: Path) -> None:
    small = save_folder("llama", tmp_path / "small")
    large = tmp_path / "large"
    shutil.copytree(small, large)
    sizes = {"hidden_size": 512, "intermediate_size": 1024, "num_hidden_layers": 24, "head_dim": 128}
    _edit_json(large / "config.json", **sizes)
    config = make_config("llama", **sizes)
    from swarm_app.models.layers import skeleton

    tensors = {key: torch.rand(value.shape) for key, value in skeleton(config).state_dict().items()}
    save_file(tensors, large / "model.safetensors", metadata={"format": "pt"})
    whole = sum(value.nbytes for value in tensors.values())
    block = sum(value.nbytes for key, value in tensors.items() if ".layers.0." in key)
    del tensors
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, str(small), str(large), str(tmp_path / "store"), "int8"],
        capture_output=True,
        text=True,
        check=False,
        # What is held is looked at, and not what glibc keeps of freed memory (up to twice 32 MB, as it
        # learns from the sizes that it meets).
        env={**os.environ, "MALLOC_TRIM_THRESHOLD_": "1000000", "MALLOC_MMAP_THRESHOLD_": "1000000"},
    )
    assert done.returncode == 0, done.stderr
    growth = int(done.stdout)
    assert growth < 5 * block, (growth, block)
    assert growth < whole / 4
