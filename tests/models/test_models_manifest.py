"""The manifest: strict reading, and an identity that follows the content alone."""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.domain.errors import HomeswarmError, ModelDamaged, ModelNotFound, ModelUnsupported
from swarm_app.domain.span import Span
from swarm_app.models.manifest import (
    CLIENT_FILE,
    FORMAT,
    MAX_MANIFEST_BYTES,
    FileEntry,
    Manifest,
    Quant,
    block_file,
    parse,
    read,
)


def manifest(**changes: Any) -> Manifest:
    names = sorted([block_file(0), block_file(1), CLIENT_FILE, "config.json", "tokenizer.json"])
    plain: dict[str, Any] = {
        "format": FORMAT,
        "name": "tiny",
        "architecture": "LlamaForCausalLM",
        "model_type": "llama",
        "source": "someone/tiny",
        "revision": "",
        "dtype": "bfloat16",
        "quant": Quant.INT8,
        "group_size": 0,
        "num_blocks": 2,
        "hidden_size": 64,
        "vocab_size": 320,
        "context_tokens": 256,
        "files": tuple(FileEntry(name, 10, f"{index:064x}") for index, name in enumerate(names)),
    }
    return Manifest(**{**plain, **changes})


def fields(**changes: Any) -> dict[str, Any]:
    return {**json.loads(manifest().to_bytes()), **changes}


def test_what_is_written_is_read() -> None:
    assert parse(manifest().to_bytes()) == manifest()
    assert manifest().total_bytes == 50
    assert [entry.name for entry in manifest().span_files(Span(1, 2))] == [block_file(1)]
    with pytest.raises(ModelNotFound):
        manifest().entry("weights.bin")


def test_the_id_is_that_of_the_content() -> None:
    same = manifest(name="other", source="elsewhere", revision="f" * 40)
    assert same.model_id == manifest().model_id
    files = manifest().files
    for changed in (
        manifest(quant=Quant.NONE),
        manifest(context_tokens=128),
        manifest(files=(dataclasses.replace(files[0], sha256="e" * 64), *files[1:])),
    ):
        assert changed.model_id != manifest().model_id


def test_the_id_stays_the_same_over_releases() -> None:
    # Computed once. A change here means that computers with different releases do not find each other.
    assert manifest().model_id == "7a847538a6001cf721aa5daf54c0a7f96c1ee0a7ad81a84ccfd52929c5441b3b"


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "1"},
        {"format": 0},
        {"name": "x" * 300},
        {"name": "a\nb"},
        {"architecture": "../x"},
        {"dtype": "float64"},
        {"quant": "int3"},
        {"num_blocks": True},
        {"num_blocks": 0},
        {"num_blocks": 1},
        {"num_blocks": 3},
        {"num_blocks": 10**9},
        {"vocab_size": -1},
        {"hidden_size": 1.5},
        {"extra": 1},
        {"files": {}},
        {"files": []},
        {"files": [{"name": "a", "size": 1}]},
    ],
)
def test_anything_else_is_damaged(changes: dict[str, Any]) -> None:
    with pytest.raises(ModelDamaged):
        parse(json.dumps(fields(**changes)).encode())


@pytest.mark.parametrize(
    "name", ["../evil", "a/b", "a\\b", ".hidden", "", "manifest.json", "x" * 200, "é", "a b", "con:"]
)
def test_names_of_files_cannot_lead_elsewhere(name: str) -> None:
    entries = [*fields()["files"], {"name": name, "size": 1, "sha256": "0" * 64}]
    entries.sort(key=lambda entry: str(entry["name"]))
    with pytest.raises(ModelDamaged):
        parse(json.dumps(fields(files=entries)).encode())


def test_missing_and_doubled_files_are_damaged() -> None:
    entries = fields()["files"]
    for wrong in (entries[1:], [entries[0], *entries], entries[::-1]):
        with pytest.raises(ModelDamaged):
            parse(json.dumps(fields(files=wrong)).encode())
    missing = fields()
    del missing["dtype"]
    with pytest.raises(ModelDamaged, match="dtype"):
        parse(json.dumps(missing).encode())


def test_a_newer_format_says_so() -> None:
    with pytest.raises(ModelUnsupported, match="format 2"):
        parse(json.dumps({"format": FORMAT + 1, "anything": []}).encode())


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"nonsense", b"[" * 100_000, b'{"format": NaN}', b"\xff\xfe"]
)
def test_what_is_no_manifest_is_damaged(content: bytes) -> None:
    with pytest.raises(ModelDamaged):
        parse(content)


def test_size_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(b" " * (MAX_MANIFEST_BYTES + 1))
    with pytest.raises(ModelDamaged, match="bytes"):
        read(tmp_path)
    with pytest.raises(ModelNotFound):
        read(tmp_path / "nowhere")


@given(
    st.dictionaries(
        st.sampled_from(sorted(fields())),
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
            max_leaves=5,
        ),
    )
)
def test_no_content_raises_anything_else(changes: dict[str, Any]) -> None:
    content = json.dumps(fields(**changes)).encode()
    told: HomeswarmError | None = None
    try:
        result = parse(content)
    except HomeswarmError as error:
        told = error
    else:
        assert parse(result.to_bytes()) == result
    assert told is None or told.message.endswith(".")
