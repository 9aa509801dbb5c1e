"""A Hugging Face folder as a source: configuration, tensors, tokenizer files."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from swarm_app.domain.errors import ModelDamaged, ModelIncomplete, ModelUnsupported
from swarm_app.models.convert import LazyTensor
from swarm_app.models.families import architecture_of, config_from_dict
from swarm_app.models.shards import ShardTensor, read_header
from swarm_app.models.tokenizers import TOKENIZER_FILE, rebuilt_files

if TYPE_CHECKING:
    from transformers import PreTrainedConfig

MAX_JSON_BYTES = 64 * 1024 * 1024
"""A large tokenizer.json has some 30 MB; an index of shards 20 MB."""

INDEX_FILE = "model.safetensors.index.json"
SINGLE_FILE = "model.safetensors"

TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "chat_template.json",
    "vocab.json",
    "merges.txt",
    "tokenizer.model",
)
"""What transformers may read to build a tokenizer."""

_FLOATS = (torch.float32, torch.float16, torch.bfloat16)

_PICKLES = (".bin", ".pt", ".pth", ".ckpt", ".pkl")


@dataclass(frozen=True, slots=True)
class Source:
    """What an import reads, wherever it comes from."""

    label: str
    """For people and the manifest: a repo id, or the bare name of the folder or file."""
    default_name: str
    config_fields: dict[str, Any]
    """The fields of the stored ``config.json``, cleaned of where it came from."""
    config: PreTrainedConfig
    tensors: Mapping[str, LazyTensor]
    dtype: torch.dtype
    transforms: Sequence[Any] | None
    """Of transformers' kind; None for those of the family's Hugging Face checkpoints."""
    generation_fields: dict[str, Any]
    tokenizer_files: Mapping[str, bytes]
    revision: str = ""
    notes: list[str] = field(default_factory=list)


def read_json_object(path: Path, limit: int = MAX_JSON_BYTES) -> dict[str, Any]:
    """A JSON object from a file of an import; raises ModelIncomplete or ModelDamaged naming the file."""
    try:
        with path.open("rb") as file:
            content = file.read(limit + 1)
    except FileNotFoundError:
        raise ModelIncomplete(
            f"{path.name} is missing.", remedy="Download or copy the whole model."
        ) from None
    if len(content) > limit:
        raise ModelDamaged(f"{path.name} is larger than any such file should be.")
    try:
        value = json.loads(content)
    except (ValueError, RecursionError):
        if content.lstrip()[:1] == b"<":
            raise ModelUnsupported(
                f"{path.name} is a web page and not a model file.",
                remedy="Download it again; a login or an error page was saved in its place.",
            ) from None
        raise ModelDamaged(f"{path.name} is not JSON.", remedy="Download or copy it again.") from None
    if not isinstance(value, dict):
        raise ModelDamaged(f"{path.name} is not a JSON object.", remedy="Download or copy it again.")
    return value


def clean_config(fields: Mapping[str, Any], dtype: torch.dtype, tied: bool) -> dict[str, Any]:
    """The fields that say what the model is, and nothing that differs between equal models.

    Paths and versions go, so that equal weights have one model id; ``auto_map`` goes, so that nobody is
    tempted to run a model's own code.
    """
    dropped = {
        "_name_or_path",
        "transformers_version",
        "auto_map",
        "quantization_config",
        "torch_dtype",
        "_attn_implementation_autoset",
    }
    kept = {key: value for key, value in fields.items() if key not in dropped}
    kept["architectures"] = [architecture_of(fields.get("model_type"))]
    kept["dtype"] = str(dtype).removeprefix("torch.")
    kept["tie_word_embeddings"] = tied
    return kept


def check_config(fields: Mapping[str, Any]) -> None:
    """Raise ModelUnsupported, by name, for a family or a quantization that Homeswarm does not carry."""
    architecture_of(fields.get("model_type"))
    quantization = fields.get("quantization_config", fields.get("compression_config"))
    if quantization is None:
        return
    method = str(quantization.get("quant_method", "unknown")) if isinstance(quantization, dict) else "unknown"
    if method == "mxfp4" and fields.get("model_type") == "gpt_oss":
        return
    if isinstance(quantization, dict) and (
        quantization.get("load_in_4bit") or quantization.get("load_in_8bit")
    ):
        method = "bitsandbytes"
    raise ModelUnsupported(
        f"This checkpoint is already quantized by another method, which is unsupported: {method[:40]}.",
        remedy="Import the original checkpoint and let Homeswarm quantize it, or take a GGUF file.",
    )


def _find_tensors(folder: Path) -> dict[str, ShardTensor]:
    if (folder / INDEX_FILE).is_file():
        return _sharded(folder)
    if (folder / SINGLE_FILE).is_file():
        return read_header(folder / SINGLE_FILE)
    names = sorted(path.name for path in folder.iterdir() if path.is_file())
    pieces = [name for name in names if name.endswith(".safetensors")]
    if pieces:
        raise ModelIncomplete(
            f"{INDEX_FILE} is missing, which says how {pieces[0]} and the other files belong together.",
            remedy="Download or copy the whole model.",
        )
    pickles = [name for name in names if name.endswith(_PICKLES)]
    if pickles:
        raise ModelUnsupported(
            f"{pickles[0]} is a pickle file, which can run code when opened: this format is unsupported.",
            remedy="Choose a model with safetensors files, or a GGUF file.",
        )
    raise ModelIncomplete(f"{SINGLE_FILE} is missing.", remedy="Download or copy the whole model.")


def _sharded(folder: Path) -> dict[str, ShardTensor]:
    weight_map = read_json_object(folder / INDEX_FILE).get("weight_map")
    if not isinstance(weight_map, dict) or not all(isinstance(name, str) for name in weight_map.values()):
        raise ModelDamaged(f"{INDEX_FILE} names no files.", remedy="Download or copy it again.")
    names = sorted(set(weight_map.values()))
    for name in names:
        if Path(name).name != name or not name.endswith(".safetensors"):
            raise ModelUnsupported(f"{INDEX_FILE} names a file that is no safetensors file: {name[:80]}.")
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
        raise ModelIncomplete(
            f"{missing[0]}{more} of {len(names)} files of the model is missing.",
            remedy="Download or copy the whole model.",
        )
    tensors: dict[str, ShardTensor] = {}
    for name in names:
        tensors.update(read_header(folder / name))
    for key, name in weight_map.items():
        if key not in tensors or tensors[key].path.name != name:
            raise ModelIncomplete(
                f"{name} lacks the tensor {str(key)[:120]}, which {INDEX_FILE} says it has.",
                remedy="Download or copy the whole model again.",
            )
    return {str(key): tensors[str(key)] for key in weight_map}


def _main_dtype(tensors: Mapping[str, ShardTensor]) -> torch.dtype:
    """The floating-point type that most numbers have."""
    counts: Counter[torch.dtype] = Counter()
    for tensor in tensors.values():
        if tensor.dtype in _FLOATS:
            counts[tensor.dtype] += tensor.nbytes // tensor.dtype.itemsize
    if not counts:
        raise ModelUnsupported("The model holds no floating-point numbers: this variant is unsupported.")
    return counts.most_common(1)[0][0]


def open_folder(folder: Path, *, label: str | None = None, revision: str = "") -> Source:
    """An ordinary Hugging Face folder; reads headers, no tensors.

    Raises ModelIncomplete, ModelUnsupported or ModelDamaged, naming what is wrong.
    """
    fields = read_json_object(folder / "config.json")
    check_config(fields)
    tensors = _find_tensors(folder)
    config = config_from_dict({key: value for key, value in fields.items() if key != "quantization_config"})
    generation: dict[str, Any] = {}
    if (folder / "generation_config.json").is_file():
        generation = read_json_object(folder / "generation_config.json")
    files: dict[str, bytes] = {}
    for name in TOKENIZER_FILES:
        path = folder / name
        if path.is_file():
            if path.stat().st_size > MAX_JSON_BYTES:
                raise ModelDamaged(f"{name} is larger than any such file should be.")
            files[name] = path.read_bytes()
    if TOKENIZER_FILE not in files and ("tokenizer.model" in files or "vocab.json" in files):
        files = rebuilt_files(folder)
    transforms = None
    if "quantization_config" in fields:
        transforms = _mxfp4_transforms(config)
    return Source(
        label=label if label is not None else folder.resolve().name,
        default_name=folder.resolve().name,
        config_fields=fields,
        config=config,
        tensors=tensors,
        dtype=torch.bfloat16 if transforms is not None else _main_dtype(tensors),
        transforms=transforms,
        generation_fields=generation,
        tokenizer_files=files,
        revision=revision,
    )


def _mxfp4_transforms(config: PreTrainedConfig) -> list[Any]:
    """The family's own transforms, and transformers' one that widens gpt-oss' 4-bit experts."""
    from transformers.core_model_loading import WeightConverter
    from transformers.integrations.mxfp4 import Mxfp4Dequantize

    from swarm_app.models.convert import checkpoint_transforms
    from swarm_app.models.layers import skeleton

    widen = [
        WeightConverter(
            source_patterns=[f"{name}_blocks", f"{name}_scales"],
            target_patterns=name,
            operations=[Mxfp4Dequantize(None)],
        )
        for name in ("gate_up_proj", "down_proj")
    ]
    return [*checkpoint_transforms(skeleton(config)), *widen]
