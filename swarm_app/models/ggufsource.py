"""A GGUF file, or a set of its parts, as a source for an import."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from swarm_app.domain.errors import ModelDamaged, ModelIncomplete, ModelUnsupported
from swarm_app.models.checkpoint import Source
from swarm_app.models.families import config_from_dict
from swarm_app.models.ggufconfig import check_architecture, config_fields
from swarm_app.models.ggufheader import Header
from swarm_app.models.ggufparts import find_parts, stem_of
from swarm_app.models.ggufweights import CONSUMED, GgufTensor, gguf_transforms, main_dtype, open_tensors

_DIGITS_APART = ("smollm", "starcoder", "refact", "command-r", "codeshell")
"""llama.cpp's names of splittings that take each digit alone and then split like GPT-2."""


def open_gguf(path: Path, *, label: str | None = None, revision: str = "") -> Source:
    """A GGUF file as a source; any part of a set stands for the whole. Reads headers, no weights.

    Raises ModelIncomplete ("incomplete"), ModelUnsupported (by name) or ModelDamaged.
    """
    headers = find_parts(path)
    first = headers[0]
    check_architecture(first)
    tensors: dict[str, GgufTensor] = {}
    for header in headers:
        tensors.update(open_tensors(header))
    fields = config_fields(first, tensors)
    config = config_from_dict(fields)
    return Source(
        label=label if label is not None else first.path.name,
        default_name=stem_of(first.path),
        config_fields=fields,
        config=config,
        tensors={name: tensor for name, tensor in tensors.items() if name not in CONSUMED},
        dtype=main_dtype(tensors),
        transforms=gguf_transforms(
            fields["model_type"], fields["num_attention_heads"], fields["num_key_value_heads"]
        ),
        generation_fields=_generation(first),
        tokenizer_files=tokenizer_files(first, fields["vocab_size"]),
        revision=revision,
    )


def _generation(header: Header) -> dict[str, Any]:
    """What ends an answer: GGUF has separate ids for the end of a text, of a turn and of a message."""
    ends = [header.integer(f"tokenizer.ggml.{key}_token_id") for key in ("eos", "eot", "eom")]
    fields: dict[str, Any] = {}
    if found := sorted({index for index in ends if index is not None}):
        fields["eos_token_id"] = found
    if (start := header.integer("tokenizer.ggml.bos_token_id")) is not None:
        fields["bos_token_id"] = start
    return fields


def tokenizer_files(header: Header, vocab_size: int) -> dict[str, bytes]:
    """``tokenizer.json`` and its companions for the tokenizer that a GGUF file describes.

    Transformers builds it. Raises ModelIncomplete where the file describes none, ModelUnsupported naming a
    kind that transformers cannot build, TokenizerMismatch is left to the check that follows.
    """
    from transformers import PreTrainedTokenizerFast
    from transformers.integrations.gguf import GGUF_TOKENIZER_MAPPING, convert_gguf_tokenizer

    described: dict[str, dict[str, Any]] = {
        group: {
            name: header.metadata[f"tokenizer.{key}"]
            for key, name in names.items()
            if f"tokenizer.{key}" in header.metadata
        }
        for group, names in GGUF_TOKENIZER_MAPPING.items()
    }
    parts, settings = described["tokenizer"], described["tokenizer_config"]
    tokens = parts.get("tokens")
    if not isinstance(tokens, list) or not tokens or not isinstance(tokens[0], str):
        raise ModelIncomplete(f"{header.path.name} holds no tokenizer.")
    kind = parts.get("tokenizer_type")
    try:
        backend, _ = convert_gguf_tokenizer(str(header.text("general.architecture")), parts)
    except Exception as error:  # noqa: BLE001
        # Builders run over lists of any origin and raise whatever they meet there.
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else "it cannot be built"
        raise ModelUnsupported(
            f"The tokenizer in {header.path.name} ({str(kind)[:40]}) is unsupported: {reason}."
        ) from None
    if parts.get("pre_tokenizer_type") in _DIGITS_APART:
        _split_digits(backend)
    special = _special_tokens(header, tokens)
    if kind == "llama":
        settings.setdefault("add_bos_token", True)
    fast = PreTrainedTokenizerFast(
        tokenizer_object=backend,
        clean_up_tokenization_spaces=False,
        **special,
        **{key: value for key, value in settings.items() if key.startswith("add_")},
    )
    template = settings.get("chat_template")
    if isinstance(template, str):
        fast.chat_template = template
    with tempfile.TemporaryDirectory() as folder:
        fast.save_pretrained(folder)
        return {path.name: path.read_bytes() for path in Path(folder).iterdir() if path.is_file()}


def _special_tokens(header: Header, tokens: list[str]) -> Mapping[str, str | None]:
    roles = {"bos_token": "bos", "eos_token": "eos", "pad_token": "padding", "unk_token": "unknown"}
    found: dict[str, str | None] = {}
    for role, key in roles.items():
        index = header.integer(f"tokenizer.ggml.{key}_token_id")
        if index is not None and not 0 <= index < len(tokens):
            raise ModelDamaged(
                f"{header.path.name} is damaged: its {role} is entry {index} of {len(tokens)}."
            )
        found[role] = tokens[index] if index is not None else None
    return found


def _split_digits(backend: Any) -> None:
    from tokenizers import pre_tokenizers

    backend.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
