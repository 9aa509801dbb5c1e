"""Hidden states on the wire: hivemind's tensor message, checked before it is read.

Only uncompressed float32, bfloat16 and float16 are accepted, and the announced shape must fit both the
bytes that came and what the caller can use. That keeps a peer from making us allocate by lying.
"""

from __future__ import annotations

from typing import Any

import hivemind.compression.base as _base
import torch
from hivemind.compression import deserialize_torch_tensor, serialize_torch_tensor
from hivemind.proto import runtime_pb2

from swarm_app.domain.errors import ProtocolViolation

# As Petals sets it: bfloat16 travels in 2 bytes, not widened to 4.
_base.USE_LEGACY_BFLOAT16 = False

_ITEM_BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}

DUMMY = serialize_torch_tensor(torch.empty(0))
"""Petals' placeholder for absent prompts."""

DUMMY_INT64 = serialize_torch_tensor(torch.empty(0, dtype=torch.int64))
"""Petals' placeholder for absent beam indices."""


def pack(hidden: torch.Tensor) -> Any:
    """`hidden` as a hivemind tensor message, exact (no compression)."""
    return serialize_torch_tensor(hidden.cpu())


def unpack(message: Any, *, hidden_size: int, max_rows: int) -> torch.Tensor:
    """The [batch, tokens, hidden_size] tensor in `message`.

    Raises ProtocolViolation when it has another shape or type, more than `max_rows` = batch x tokens
    rows, or a buffer that does not fit its shape.
    """
    size = tuple(message.size)
    item = _ITEM_BYTES.get(message.dtype)
    if item is None or message.compression != runtime_pb2.CompressionType.NONE:
        raise ProtocolViolation("hidden states must be uncompressed float32, bfloat16 or float16")
    if len(size) != 3 or min(size[0], size[1]) < 0 or size[2] != hidden_size:
        raise ProtocolViolation(f"hidden states must have shape [batch, tokens, {hidden_size}]")
    if size[0] * size[1] > max_rows:
        raise ProtocolViolation(f"hidden states of {size[0]} x {size[1]} tokens, where {max_rows} have room")
    if len(message.buffer) != size[0] * size[1] * hidden_size * item:
        raise ProtocolViolation("hidden states do not fit their shape")
    tensor: torch.Tensor = deserialize_torch_tensor(message)
    return tensor.requires_grad_(False)


def is_dummy(message: Any) -> bool:
    """Whether an argument is Petals' empty placeholder."""
    size = tuple(message.size)
    return not message.buffer or 0 in size
