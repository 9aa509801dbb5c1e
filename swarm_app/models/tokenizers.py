"""Tokenizers: loading them without the network, and telling whether one fits its model."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm_app.domain.errors import ModelIncomplete, ModelUnsupported, TokenizerMismatch

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

TOKENIZER_FILE = "tokenizer.json"

PADDING_STEP = 8
"""Embedding matrices are padded to a multiple of this, or of a power of two above it."""

PADDING_SHARE = 0.05
"""Most of the rows that padding takes in released models is 0.6 % (gpt-oss: 1069 of 201088)."""

MAX_DROPPED = 16
"""Added tokens beyond the embedding matrix that are left out; Gemma 3 (text) has one, for images."""

_SUPERSEDED = ("vocab.json", "merges.txt", "tokenizer.model", "chat_template.json")
"""Older forms of what ``tokenizer.json`` and its companions hold; compared, and not stored."""

_REMEDY = "Get the tokenizer that belongs to this model, from where the model came from."


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """The tokenizer in a folder with ``tokenizer.json``; raises ModelUnsupported if it cannot be built."""
    from transformers import PreTrainedTokenizerFast

    try:
        # Not AutoTokenizer: for some families it builds a tokenizer anew, with that family's usual
        # splitting of text, and passes over what tokenizer.json says.
        tokenizer: Any = PreTrainedTokenizerFast.from_pretrained(os.fspath(folder), local_files_only=True)
    except Exception as error:  # noqa: BLE001
        # Building a tokenizer runs over files of any origin and raises whatever it meets there.
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else "it cannot be built"
        raise ModelUnsupported(f"The tokenizer of this model cannot be used: {reason}.") from None
    found: PreTrainedTokenizerBase = tokenizer
    return found


def rebuilt_files(folder: Path) -> dict[str, bytes]:
    """Tokenizer files with a ``tokenizer.json`` for a folder that has older forms only.

    Transformers converts them. Raises ModelUnsupported where it cannot.
    """
    from transformers import AutoTokenizer

    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(
            os.fspath(folder), local_files_only=True, trust_remote_code=False, use_fast=True
        )
        with tempfile.TemporaryDirectory() as saved:
            tokenizer.save_pretrained(saved)
            files = {path.name: path.read_bytes() for path in Path(saved).iterdir() if path.is_file()}
    except Exception as error:  # noqa: BLE001
        # The same as above: files of any origin.
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else "it cannot be converted"
        raise ModelUnsupported(f"The tokenizer of this model cannot be used: {reason}.") from None
    return files


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """What a ``tokenizer.json`` says."""

    base: Mapping[str, int]
    added: Mapping[str, int]
    merges: list[tuple[str, str]] | None
    fields: dict[str, Any]

    @property
    def ids(self) -> set[int]:
        return {*self.base.values(), *self.added.values()}


def _mismatch(why: str) -> TokenizerMismatch:
    return TokenizerMismatch(f"The tokenizer does not belong to this model: {why}.", remedy=_REMEDY)


def _merge(item: Any) -> tuple[str, str]:
    parts = item.split(" ") if isinstance(item, str) else item
    if not isinstance(parts, list) or len(parts) != 2 or not all(isinstance(part, str) for part in parts):
        raise _mismatch(f"{TOKENIZER_FILE} has merges that are none")
    return parts[0], parts[1]


def _read(content: bytes) -> _Vocabulary:
    try:
        fields = json.loads(content)
        model = fields["model"]
        vocab = model["vocab"]
        base = (
            dict(vocab) if isinstance(vocab, dict) else {item[0]: index for index, item in enumerate(vocab)}
        )
        added = {item["content"]: item["id"] for item in fields.get("added_tokens") or ()}
        merges = model.get("merges") if model.get("type", "BPE") == "BPE" else None
    except (ValueError, RecursionError, KeyError, TypeError, IndexError, AttributeError):
        raise ModelUnsupported(
            f"{TOKENIZER_FILE} is not one that Homeswarm can read.", remedy="Download or copy it again."
        ) from None
    for ids in (base, added):
        if not all(isinstance(key, str) and type(value) is int and value >= 0 for key, value in ids.items()):
            raise _mismatch(f"{TOKENIZER_FILE} has ids that are not numbers")
    return _Vocabulary(base, added, [_merge(item) for item in merges] if merges is not None else None, fields)


def _check_whole(vocabulary: _Vocabulary) -> None:
    """Raise TokenizerMismatch where entries have been cut out of a tokenizer."""
    ids = vocabulary.ids
    if not ids:
        raise _mismatch(f"{TOKENIZER_FILE} has no entries")
    if max(ids) + 1 != len(ids):
        hole = next(index for index in range(len(ids)) if index not in ids)
        raise _mismatch(f"entry {hole} of {max(ids) + 1} is missing in {TOKENIZER_FILE}")
    if len(set(vocabulary.base.values())) != len(vocabulary.base):
        raise _mismatch(f"{TOKENIZER_FILE} gives one id to two entries")
    for left, right in vocabulary.merges or ():
        for part in (left, right, left + right):
            if part not in vocabulary.base and part not in vocabulary.added:
                raise _mismatch(f"{TOKENIZER_FILE} has a rule for {part[:40]!r} but no such entry")


def _named_tokens(fields: Mapping[str, Any]) -> dict[str, str]:
    """The special tokens that a ``tokenizer_config.json`` or ``special_tokens_map.json`` names, by role."""
    named: dict[str, str] = {}
    for role in ("bos_token", "eos_token", "pad_token", "unk_token"):
        value = fields.get(role)
        content = value.get("content") if isinstance(value, dict) else value
        if isinstance(content, str) and content:
            named[role] = content
    return named


def _json_file(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    try:
        value = json.loads(files.get(name, b"{}"))
    except (ValueError, RecursionError):
        value = None
    if not isinstance(value, dict):
        raise ModelUnsupported(f"{name} is not a JSON object.", remedy="Download or copy it again.")
    return value


def _check_companions(vocabulary: _Vocabulary, files: Mapping[str, bytes]) -> None:
    """Raise TokenizerMismatch where ``tokenizer.json`` and the files beside it contradict each other."""
    config = _json_file(files, "tokenizer_config.json")
    token_of = {**{value: key for key, value in vocabulary.base.items()}}
    token_of.update({value: key for key, value in vocabulary.added.items()})
    declared = config.get("added_tokens_decoder")
    if isinstance(declared, dict):
        for key, value in declared.items():
            content = value.get("content") if isinstance(value, dict) else None
            if not str(key).isdigit() or not isinstance(content, str):
                continue
            if token_of.get(int(key)) != content:
                raise _mismatch(
                    f"tokenizer_config.json has {content[:40]!r} as entry {key}, {TOKENIZER_FILE} not"
                )
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        for role, content in _named_tokens(_json_file(files, name)).items():
            if content not in vocabulary.base and content not in vocabulary.added:
                raise _mismatch(f"its {role} {content[:40]!r} is no entry of {TOKENIZER_FILE}")
    if "vocab.json" in files:
        for token, index in _json_file(files, "vocab.json").items():
            if vocabulary.base.get(token, vocabulary.added.get(token)) != index:
                raise _mismatch(f"vocab.json has {token[:40]!r} as entry {index}, {TOKENIZER_FILE} not")


def _check_special_ids(vocabulary: _Vocabulary, settings: Iterable[Mapping[str, Any]]) -> None:
    """Raise TokenizerMismatch where the model's begin and end tokens are ordinary words, or none, here."""
    special = set(vocabulary.added.values())
    count = len(vocabulary.ids)
    for fields in settings:
        for key in ("bos_token_id", "eos_token_id"):
            value = fields.get(key)
            for index in value if isinstance(value, list) else [value]:
                if type(index) is not int or index < 0:
                    continue
                if index >= count:
                    raise _mismatch(f"the model's {key} is {index}, and it has {count} entries only")
                if special and index not in special:
                    raise _mismatch(f"the model's {key} {index} is an ordinary word in it")


def _without_unreachable(
    vocabulary: _Vocabulary, vocab_size: int, files: Mapping[str, bytes]
) -> dict[str, bytes]:
    """The files without added tokens that the embedding matrix has no row for.

    Gemma 3 (text) names one such token, for images, that the text model cannot take: left in, a message
    with its name in it would be an index error. Raises TokenizerMismatch where a token that is needed,
    or an entry of the vocabulary proper, lies beyond the matrix.
    """
    beyond = {token: index for token, index in vocabulary.added.items() if index >= vocab_size}
    highest = max(vocabulary.ids)
    if any(index >= vocab_size for index in vocabulary.base.values()) or len(beyond) > MAX_DROPPED:
        raise _mismatch(f"it has {highest + 1} entries, and the model {vocab_size}")
    config = _json_file(files, "tokenizer_config.json")
    template = files.get("chat_template.jinja", b"").decode("utf-8", "replace") + json.dumps(
        config.get("chat_template", ""), ensure_ascii=False
    )
    for token in beyond:
        if token in _named_tokens(config).values() or token in template:
            raise _mismatch(f"it has {highest + 1} entries, and the model {vocab_size}")
    fields = dict(vocabulary.fields)
    fields["added_tokens"] = [item for item in fields["added_tokens"] if item["content"] not in beyond]
    kept = {**files, TOKENIZER_FILE: json.dumps(fields, ensure_ascii=False).encode("utf-8")}
    for name in ("tokenizer_config.json", "special_tokens_map.json"):
        if name in kept:
            kept[name] = json.dumps(_forget(_json_file(kept, name), beyond), ensure_ascii=False).encode(
                "utf-8"
            )
    if "added_tokens.json" in kept:
        added = _json_file(kept, "added_tokens.json")
        remaining = {token: index for token, index in added.items() if token not in beyond}
        kept["added_tokens.json"] = json.dumps(remaining, ensure_ascii=False).encode("utf-8")
    return kept


def _forget(value: Any, tokens: Mapping[str, int]) -> Any:
    """A JSON value without any entry that is, or describes, one of `tokens`."""

    def gone(item: Any) -> bool:
        content = item.get("content") if isinstance(item, dict) else item
        return isinstance(content, str) and content in tokens

    if isinstance(value, dict):
        return {key: _forget(item, tokens) for key, item in value.items() if not gone(item)}
    if isinstance(value, list):
        return [_forget(item, tokens) for item in value if not gone(item)]
    return value


def fitting_files(
    files: Mapping[str, bytes], vocab_size: int, settings: Iterable[Mapping[str, Any]]
) -> dict[str, bytes]:
    """The tokenizer files to store for a model with `vocab_size` embedding rows; checks that they fit.

    `settings` are the model's ``config.json`` and ``generation_config.json``. What is refused
    (TokenizerMismatch): ids beyond the matrix; holes in the ids and merge rules without their entries,
    which is what a tokenizer looks like that lost some; fewer entries than padding explains; begin and end
    tokens that are ordinary words; files that contradict each other. A complete tokenizer of another model
    with the same size and the same special tokens cannot be told from the right one here; once imported,
    the manifest's checksums tell every change.
    """
    if TOKENIZER_FILE not in files:
        raise ModelIncomplete(f"{TOKENIZER_FILE} is missing.", remedy="Download or copy the whole model.")
    vocabulary = _read(files[TOKENIZER_FILE])
    _check_whole(vocabulary)
    _check_companions(vocabulary, files)
    if max(vocabulary.ids) >= vocab_size:
        files = _without_unreachable(vocabulary, vocab_size, files)
        vocabulary = _read(files[TOKENIZER_FILE])
    _check_special_ids(vocabulary, settings)
    count = len(vocabulary.ids)
    short = vocab_size - count
    if short and (vocab_size % PADDING_STEP or short > max(64, vocab_size * PADDING_SHARE)):
        raise _mismatch(f"it has {count} entries, and the model {vocab_size}")
    return {name: content for name, content in files.items() if name not in _SUPERSEDED}
