"""Tokenizers: loading them without the network, and telling whether one fits its model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swarm_app.domain.errors import ModelUnsupported

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase


def load_tokenizer(folder: Path) -> PreTrainedTokenizerBase:
    """The tokenizer in a folder with ``tokenizer.json``; raises ModelUnsupported if it cannot be built."""
    from transformers import AutoTokenizer

    try:
        tokenizer: Any = AutoTokenizer.from_pretrained(
            os.fspath(folder), local_files_only=True, trust_remote_code=False
        )
    except Exception as error:  # noqa: BLE001
        # Building a tokenizer runs over files of any origin and raises whatever it meets there.
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else "it cannot be built"
        raise ModelUnsupported(f"The tokenizer of this model cannot be used: {reason}.") from None
    found: PreTrainedTokenizerBase = tokenizer
    return found
