"""Tokenizers: one that does not fit is refused at the import, one that is only padded is not."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from swarm_app.domain.errors import ModelIncomplete, ModelUnsupported, TokenizerMismatch
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore, StoredModel, no_progress
from swarm_app.models.tokenizers import fitting_files
from tests.families import make_tokenizer, save_folder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return save_folder("llama", tmp_path / "source")


def imported(folder: Path) -> StoredModel:
    return import_model(
        str(folder), ModelStore(folder.parent / "store"), quant=Quant.NONE, name=None, progress=no_progress
    )


def edit(path: Path, change: Callable[[dict[str, Any]], None]) -> None:
    fields = json.loads(path.read_text(encoding="utf-8"))
    change(fields)
    path.write_text(json.dumps(fields), encoding="utf-8")


def without_last(count: int) -> Callable[[dict[str, Any]], None]:
    def change(fields: dict[str, Any]) -> None:
        vocab = fields["model"]["vocab"]
        kept = sorted(vocab, key=vocab.__getitem__)[:-count]
        fields["model"]["vocab"] = {token: vocab[token] for token in kept}

    return change


def test_the_right_one_passes(folder: Path) -> None:
    tokenizer = imported(folder).tokenizer()
    assert len(tokenizer) == 320
    assert tokenizer.chat_template


def test_one_minus_its_last_ten_entries_is_refused(folder: Path) -> None:
    edit(folder / "tokenizer.json", without_last(10))
    with pytest.raises(TokenizerMismatch, match="no such entry"):
        imported(folder)
    assert not list((folder.parent / "store").glob("*"))


def test_one_minus_entries_and_their_rules_is_refused(folder: Path) -> None:
    """The last entries and their merges are gone, and a special token stood behind them."""

    def change(fields: dict[str, Any]) -> None:
        end = {**fields["added_tokens"][2], "id": 320, "content": "<|end|>"}
        fields["added_tokens"].append(end)
        without_last(10)(fields)
        vocab = fields["model"]["vocab"]
        fields["model"]["merges"] = [pair for pair in fields["model"]["merges"] if "".join(pair) in vocab]

    edit(folder / "tokenizer.json", change)
    with pytest.raises(TokenizerMismatch, match=r"entry 310 of 321 is missing"):
        imported(folder)


@pytest.mark.parametrize(
    ("rows", "fits"), [(320, True), (328, True), (384, True), (323, False), (640, False)]
)
def test_padding_of_the_matrix_is_normal(rows: int, fits: bool, tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source", vocab_size=rows)
    if fits:
        assert imported(folder).manifest.vocab_size == rows
    else:
        with pytest.raises(TokenizerMismatch, match=f"it has 320 entries, and the model {rows}"):
            imported(folder)


def test_ids_beyond_the_matrix_are_refused(tmp_path: Path) -> None:
    folder = save_folder("llama", tmp_path / "source", vocab_size=312)
    with pytest.raises(TokenizerMismatch, match="it has 320 entries, and the model 312"):
        imported(folder)


def test_an_added_token_beyond_the_matrix_is_left_out(folder: Path) -> None:
    """Gemma 3's text models name a token for images that they have no row for."""
    edit(
        folder / "tokenizer.json",
        lambda fields: fields["added_tokens"].append(
            {**fields["added_tokens"][0], "id": 320, "content": "<image_soft_token>"}
        ),
    )
    edit(
        folder / "tokenizer_config.json",
        lambda fields: fields.update(
            image_token="<image_soft_token>",
            added_tokens_decoder={"320": {"content": "<image_soft_token>", "special": True}},
        ),
    )
    stored = imported(folder)
    tokenizer = stored.tokenizer()
    assert len(tokenizer) == 320
    ids = tokenizer("look: <image_soft_token>!")["input_ids"]
    assert max(ids) < 320
    assert tokenizer.decode(ids) == "look: <image_soft_token>!"
    # One that the model's messages need is another matter.
    (folder / "chat_template.jinja").write_text("<image_soft_token>{{ messages[0]['content'] }}")
    with pytest.raises(TokenizerMismatch, match="321 entries, and the model 320"):
        imported(folder)


def test_a_foreign_one_of_equal_size_is_told_by_its_special_tokens(folder: Path) -> None:
    """Its ids are as many, but where the model ends its answers it has an ordinary word."""
    foreign = make_tokenizer(320)
    content = foreign.backend_tokenizer.to_str()
    fields = json.loads(content)
    fields["added_tokens"] = [fields["added_tokens"][0]]
    (folder / "tokenizer.json").write_text(json.dumps(fields), encoding="utf-8")
    edit(folder / "tokenizer_config.json", lambda config: config.update(eos_token="<|endoftext|>"))
    with pytest.raises(TokenizerMismatch, match="eos_token_id 2 is an ordinary word"):
        imported(folder)


@pytest.mark.parametrize(
    ("file", "change", "words"),
    [
        ("tokenizer_config.json", {"eos_token": "<|other|>"}, "eos_token '<|other|>' is no entry"),
        (
            "tokenizer_config.json",
            {"added_tokens_decoder": {"2": {"content": "<|somewhere|>"}}},
            "has '<|somewhere|>' as entry 2",
        ),
        ("config.json", {"eos_token_id": 319, "vocab_size": 320}, "eos_token_id 319 is an ordinary word"),
        ("generation_config.json", {"eos_token_id": [2, 400]}, "eos_token_id is 400"),
    ],
)
def test_files_that_contradict_each_other_are_refused(
    file: str, change: dict[str, Any], words: str, folder: Path
) -> None:
    edit(folder / file, lambda fields: fields.update(change))
    with pytest.raises(TokenizerMismatch) as caught:
        imported(folder)
    assert words in caught.value.message


def test_a_vocabulary_file_of_another_model_is_refused(folder: Path) -> None:
    vocab = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    (folder / "vocab.json").write_text(json.dumps(vocab), encoding="utf-8")
    imported(folder)
    swapped = {token: 319 - index for token, index in vocab.items()}
    (folder / "vocab.json").write_text(json.dumps(swapped), encoding="utf-8")
    with pytest.raises(TokenizerMismatch, match=r"vocab\.json has"):
        imported(folder)


@pytest.mark.parametrize(
    "content",
    [b"", b"{}", b"[]", b"<html></html>", b'{"model": {"vocab": 3}}', b'{"model": {"vocab": {"a": "b"}}}'],
)
def test_a_file_that_is_none_is_told(content: bytes, folder: Path) -> None:
    (folder / "tokenizer.json").write_bytes(content)
    with pytest.raises((ModelUnsupported, TokenizerMismatch), match=r"tokenizer\.json"):
        imported(folder)


def test_one_that_cannot_be_built_is_told(folder: Path) -> None:
    edit(folder / "tokenizer.json", lambda fields: fields.update(pre_tokenizer={"type": "Telepathy"}))
    with pytest.raises(ModelUnsupported, match="tokenizer of this model cannot be used"):
        imported(folder)


def test_none_is_incomplete() -> None:
    with pytest.raises(ModelIncomplete, match=r"tokenizer\.json is missing"):
        fitting_files({}, 320, [])


_OFFLINE = """
import socket, sys
from swarm_app.models.store import open_model

def refuse(*args):
    raise AssertionError("a tokenizer must not need the network")

socket.socket.connect = refuse
socket.getaddrinfo = refuse
model = open_model(sys.argv[1])
print(model.config().model_type, len(model.tokenizer()))
"""


def test_loading_needs_no_network(folder: Path) -> None:
    stored = imported(folder)
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", _OFFLINE, str(stored.dir)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.split() == ["llama", "320"], done.stderr
    assert done.stderr == ""


def test_older_forms_are_converted(folder: Path) -> None:
    """vocab.json and merges.txt, as GPT-2 and the first Qwens have them."""
    model = json.loads((folder / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    (folder / "tokenizer.json").unlink()
    (folder / "vocab.json").write_text(json.dumps(model["vocab"]), encoding="utf-8")
    merges = "\n".join(["#version: 0.2", *(" ".join(pair) for pair in model["merges"])])
    (folder / "merges.txt").write_text(merges, encoding="utf-8")
    edit(folder / "config.json", lambda fields: fields.update(model_type="qwen2", bos_token_id=None))
    edit(folder / "generation_config.json", lambda fields: fields.update(bos_token_id=None))
    edit(
        folder / "tokenizer_config.json",
        lambda fields: fields.update(tokenizer_class="Qwen2Tokenizer", pad_token="<|pad|>", bos_token=None),
    )
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    for index in range(6):
        for name, rows in (("q", 64), ("k", 32), ("v", 32)):
            tensors[f"model.layers.{index}.self_attn.{name}_proj.bias"] = tensors["model.norm.weight"][
                :rows
            ].clone()
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})
    stored = imported(folder)
    assert "vocab.json" not in {entry.name for entry in stored.manifest.files}
    text = "What is the capital of France? é"
    tokenizer = stored.tokenizer()
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text
    assert tokenizer(text)["input_ids"] == make_tokenizer()(text)["input_ids"]


@pytest.mark.parametrize("named", ["LlamaTokenizer", "GPT2TokenizerFast", "SomethingElse"])
def test_the_class_that_a_file_names_does_not_matter(
    named: str, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    edit(folder / "tokenizer_config.json", lambda fields: fields.update(tokenizer_class=named))
    tokenizer = imported(folder).tokenizer()
    assert tokenizer("a quick é")["input_ids"] == make_tokenizer()("a quick é")["input_ids"]
    assert caplog.records == []
