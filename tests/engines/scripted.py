"""A tokenizer of single bytes and a model that says what it is told to, for tests of the text side."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

from swarm_app.childproto import SeenPeer, SwarmSeen
from swarm_app.domain.errors import CacheFull
from swarm_app.domain.pause import Pause
from swarm_app.domain.route import Hop, Route
from swarm_app.domain.span import Span
from swarm_app.engines.detokenize import Vocabulary
from swarm_app.engines.generate import TextSide
from swarm_app.engines.prompt import PromptBuilder

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)

# Refuses a system message and anything but user, assistant, user, ...
STRICT = (
    "{% for message in messages %}"
    "{% if message['role'] == 'system' %}{{ raise_exception('System role not supported') }}{% endif %}"
    "{% if (message['role'] == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}{% endif %}"
    "[{{ message['role'] }}]{{ message['content'] | trim }}[/]"
    "{% endfor %}[assistant]"
)

SPECIAL = ("<|im_start|>", "<|im_end|>", "<|endoftext|>")


def byte_tokenizer() -> Tokenizer:
    """Ids 0 to 255 are the bytes (in the order of the byte-level alphabet), then the special tokens."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE({char: i for i, char in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in SPECIAL])
    return tokenizer


def chat_tokenizer(chat_template: str | None = CHATML) -> Any:
    return PreTrainedTokenizerFast(
        tokenizer_object=byte_tokenizer(), chat_template=chat_template, eos_token="<|im_end|>"
    )


def bytes_to_ids(data: bytes, tokenizer: Tokenizer) -> list[int]:
    """One id per byte."""
    by_byte = {Vocabulary(tokenizer).bytes_of(i): i for i in range(256)}
    return [by_byte[bytes([byte])] for byte in data]


def text_side(context_tokens: int = 4096, chat_template: str | None = CHATML) -> TextSide:
    tokenizer = chat_tokenizer(chat_template)
    prompts = PromptBuilder(tokenizer, context_tokens)
    return TextSide(prompts, Vocabulary(prompts.backend), frozenset([tokenizer.eos_token_id]))


Script = Callable[[list[int]], Sequence[int]]
"""From a prompt's ids to the ids to be said; after the last one the first comes again."""


@dataclass
class ScriptedModel:
    """Says `script(prompt)`, round and round. Counts what is open."""

    script: Script
    vocab_size: int
    name: str = "scripted"
    prefill: Callable[[], Any] | None = None
    """Awaited in the first step."""
    pace: Callable[[int], Any] | None = None
    """Awaited in every later step with the number of tokens said."""
    opened: int = 0
    steps: int = 0
    live: set[int] = field(default_factory=set)
    room: list[int] = field(default_factory=list)
    most: int | None = None
    """Longer sessions are refused."""
    close_wait_s: float = 0.0
    peer_name: str = "desk"
    resumed: list[bool] = field(default_factory=list)

    async def open(self, max_tokens: int) -> ScriptedDecoder:
        if self.most is not None and max_tokens > self.most:
            raise CacheFull(f"There is room for {self.most} tokens.")
        self.opened += 1
        self.live.add(self.opened)
        self.room.append(max_tokens)
        return ScriptedDecoder(self, self.opened)

    def seen(self) -> SwarmSeen:
        return SwarmSeen(
            8, [SeenPeer("Qm1", self.peer_name, 0, 8, "online", True, "", 0.01, 0.001, 1000 - len(self.live))]
        )

    async def resume(self, *, moved: bool) -> None:
        self.resumed.append(moved)
        if self.peer_name == "gone":
            raise OSError("secret words")

    async def close(self) -> None:
        await asyncio.sleep(self.close_wait_s)


class ScriptedDecoder:
    def __init__(self, model: ScriptedModel, number: int) -> None:
        self._model = model
        self._number = number
        self._said: Sequence[int] | None = None
        self._position = 0
        self.fed: list[int] = []
        self.pauses: list[Pause] = []
        self.route: Route | None = Route((Hop("Qm1", "desk", Span(0, 8)),))

    async def step(self, token_ids: Sequence[int]) -> torch.Tensor:
        assert token_ids
        model = self._model
        model.steps += 1
        self.fed += token_ids
        if self._said is None:
            if model.prefill is not None:
                await model.prefill()
            self._said = model.script(list(token_ids))
        elif model.pace is not None:
            await model.pace(self._position)
        logits = torch.zeros(model.vocab_size)
        logits[self._said[self._position % len(self._said)]] = 10.0
        self._position += 1
        return logits

    def take_pauses(self, *, ended: bool = False) -> list[Pause]:
        taken, self.pauses = self.pauses, []
        return taken

    async def close(self) -> None:
        self._model.live.discard(self._number)
