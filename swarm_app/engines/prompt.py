"""From a conversation to the ids that the model is fed.

The model's own chat template renders it. Templates differ in what they take: some refuse a system
message, or two user turns in a row, or drop what they do not expect. So the conversation is first
given as it is; where the template refuses it or loses a system or user text, it is given again in a
form that every template takes (`_merged`); where that is refused too, the caller is told in plain words.

What a user typed is text: where it contains the text of a special token ("<|im_end|>"), that text is
tokenized as ordinary characters, so nobody ends a turn or opens another role from within a message.
This covers exact texts; it cannot cover a model without a template, whose roles are plain words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import jinja2
from tokenizers import Tokenizer

from swarm_app.childproto import ChatMessage
from swarm_app.domain.errors import BadRequest, ContextLengthExceeded, ModelUnsupported

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

DEFAULT_SYSTEM = "You are a helpful assistant. Answer clearly and correctly."
"""Used where a conversation has no system message. A template's own default can mislead: SmolLM2's makes its
4-bit model answer in another language, and so does the first sentence alone every now and then (its English
first word leads by 0.2 in log-probability; with the second sentence by 2.0)."""

ANSWER_ROOM_TOKENS = 256
"""A prompt must leave this much room for the answer, or a quarter of a small context."""

_ROLES = {
    "system": "system",
    "developer": "system",
    "user": "user",
    "assistant": "assistant",
    "tool": "tool",
    "function": "tool",
}

_BLANK_LINE = "\n\n"

# What rendering a template of unknown origin may raise besides jinja's own errors.
_TEMPLATE_ERRORS = (
    jinja2.TemplateError,
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)


@dataclass(frozen=True, slots=True)
class Prompt:
    """What the model is fed, and what the answer may be."""

    ids: list[int]
    max_new_tokens: int
    """Longest answer: what was asked for, or up to the context's end. At least 1."""
    trimmed_messages: int
    """How many of the oldest messages were left out to make it fit."""
    stops: tuple[str, ...] = ()
    """Further stop strings, for a model that has no template and so no end of turn."""


class Wording(Protocol):
    """A model's chat template and tokenizer. Safe to use from several threads."""

    @property
    def template(self) -> str:
        """The chat template's text; "" where the model has none."""
        ...

    @property
    def special(self) -> frozenset[str]:
        """Texts that stand for special tokens in what the template renders."""
        ...

    def apply(self, conversation: list[dict[str, str]]) -> str:
        """Render the template over roles and contents, up to where the answer begins; raises what it does."""
        ...

    def encode(self, text: str, *, start: bool) -> list[int]:
        """Token ids, special texts as their tokens; with `start` as the first text that the model reads."""
        ...

    def encode_literally(self, text: str) -> list[int]:
        """Token ids of mere characters, whatever they spell."""
        ...


class Prompts:
    """Builds prompts for one model. Safe to use from several threads.

    `context_tokens` is the longest conversation, prompt and answer together.
    """

    def __init__(self, wording: Wording, context_tokens: int) -> None:
        self._wording = wording
        self.context_tokens = context_tokens
        self.has_template = bool(wording.template)
        special = sorted(wording.special, key=lambda text: (-len(text), text))
        self._special = re.compile("|".join(map(re.escape, special))) if special else None
        self._takes_system = self._probe_system()

    def build(
        self, messages: Sequence[ChatMessage], *, max_tokens: int | None, trim: bool, partial: str = ""
    ) -> Prompt:
        """The prompt of a conversation, and of the beginning of its answer.

        Raises BadRequest for a conversation that the model cannot take, ContextLengthExceeded when it
        does not fit; with `trim` the oldest turns are left out first, never a system message nor the
        last user turn and what follows it.
        """
        turns = [_checked(message) for message in messages]
        if not turns:
            raise BadRequest("The conversation is empty.", param="messages")
        room = min(ANSWER_ROOM_TOKENS, max(1, self.context_tokens // 4))
        if max_tokens is not None:
            room = min(room, max_tokens)
        ids = self._encode(turns, partial)
        dropped = 0
        if len(ids) + room > self.context_tokens and trim:
            ids, dropped = self._trimmed(turns, partial, ids, room)
        if len(ids) + room > self.context_tokens:
            raise ContextLengthExceeded(
                f"The conversation is {len(ids)} tokens long and its answer needs room for {room},"
                f" but the context holds {self.context_tokens}.",
                param="messages",
            )
        if not ids:
            raise BadRequest("The conversation has no text.", param="messages")
        left = self.context_tokens - len(ids)
        return Prompt(
            ids=ids,
            max_new_tokens=left if max_tokens is None else min(left, max_tokens),
            trimmed_messages=dropped,
            stops=() if self.has_template else ("\nUser:", "\nSystem:"),
        )

    def _trimmed(
        self, turns: list[ChatMessage], partial: str, ids: list[int], room: int
    ) -> tuple[list[int], int]:
        """The longest end of the conversation that fits; the shortest allowed one if none does."""
        users = [i for i, turn in enumerate(turns) if turn.role == "user"]
        cuts = [i for i in users if any(turn.role != "system" for turn in turns[:i])]
        fitting: tuple[list[int], int] | None = None
        shortest = (ids, 0)
        low, high = 0, len(cuts)
        while low < high:
            middle = (low + high) // 2
            cut = cuts[middle]
            kept = [turn for i, turn in enumerate(turns) if i >= cut or turn.role == "system"]
            attempt = (self._encode(kept, partial), len(turns) - len(kept))
            if len(attempt[0]) + room <= self.context_tokens:
                fitting = attempt
                high = middle
            else:
                shortest = attempt
                low = middle + 1
        return fitting or shortest

    def _encode(self, turns: list[ChatMessage], partial: str) -> list[int]:
        mark = _unused_character([*(turn.content for turn in turns), partial], self._wording.template)
        guarded = [replace(turn, content=self._guard(turn.content, mark)) for turn in turns]
        rendered = self._render(guarded) if self.has_template else _plain_format(guarded)
        rendered += self._guard(partial, mark)
        ids: list[int] = []
        # Odd pieces stood between two marks: text that only looks like a special token.
        for position, piece in enumerate(rendered.split(mark)):
            if not piece:
                continue
            if position % 2:
                ids += self._wording.encode_literally(piece)
            else:
                ids += self._wording.encode(piece, start=position == 0)
        return ids

    def _guard(self, content: str, mark: str) -> str:
        if self._special is None:
            return content
        return self._special.sub(lambda found: f"{mark}{found[0]}{mark}", content)

    def _apply(self, turns: Sequence[ChatMessage]) -> str:
        return self._wording.apply([{"role": turn.role, "content": turn.content} for turn in turns])

    def _probe_system(self) -> bool:
        if not self.has_template:
            return True
        probe = "system probe 7351"
        try:
            return probe in self._apply([ChatMessage("system", probe), ChatMessage("user", "x")])
        except _TEMPLATE_ERRORS:
            return False

    def _render(self, turns: list[ChatMessage]) -> str:
        has_system = any(turn.role == "system" for turn in turns)
        if not has_system and self._takes_system:
            turns = [ChatMessage("system", DEFAULT_SYSTEM), *turns]
        incomplete: str | None = None
        refusal = ""
        for form in (_as_it_is, _merged):
            try:
                rendered = self._apply(form(turns, self._takes_system))
            except _TEMPLATE_ERRORS as error:
                refusal = (str(error).strip().splitlines() or [""])[0][:200]
                continue
            if all(turn.content.strip() in rendered for turn in turns if turn.role in ("system", "user")):
                return rendered
            incomplete = incomplete or rendered
        if incomplete is not None:
            return incomplete
        said = f": {refusal.rstrip('.')}" if refusal else ""
        raise BadRequest(
            f"The chat template of this model does not take this conversation{said}.",
            remedy="Start with a user message, and let user and assistant take turns.",
            param="messages",
        )


class TokenizerWording:
    """That of a `transformers` tokenizer with a fast backend; raises ModelUnsupported for any other."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase) -> None:
        backend = getattr(tokenizer, "backend_tokenizer", None)
        if not isinstance(backend, Tokenizer):
            raise ModelUnsupported("The tokenizer of this model cannot be used: it has no fast form.")
        self._tokenizer = tokenizer
        self.backend = backend
        # A tokenizer file may ask for truncation, which would silently lose the conversation's end.
        backend.no_truncation()
        backend.no_padding()
        self._literal: Tokenizer | None = None

    @property
    def template(self) -> str:
        return str(getattr(self._tokenizer, "chat_template", None) or "")

    @property
    def special(self) -> frozenset[str]:
        added = self.backend.get_added_tokens_decoder().values()
        return frozenset(token.content for token in added if token.special)

    def apply(self, conversation: list[dict[str, str]]) -> str:
        tokenizer: Any = self._tokenizer
        return str(tokenizer.apply_chat_template(conversation, tokenize=False, add_generation_prompt=True))

    def encode(self, text: str, *, start: bool) -> list[int]:
        start = start and not self.template  # a template writes the model's own beginning itself
        found = self.backend.encode(text, add_special_tokens=start).ids
        if start and found and found[-1] == getattr(self._tokenizer, "eos_token_id", None):
            found = found[:-1]  # a beginning is wanted here, not an end
        return list(found)

    def encode_literally(self, text: str) -> list[int]:
        # Made when first needed: a big vocabulary takes some hundred milliseconds and megabytes.
        if self._literal is None:
            literal = Tokenizer.from_str(self.backend.to_str())
            literal.encode_special_tokens = True
            self._literal = literal
        return list(self._literal.encode(text, add_special_tokens=False).ids)


class PromptBuilder(Prompts):
    """Prompts for a `transformers` tokenizer; raises ModelUnsupported where it has no fast form."""

    def __init__(self, tokenizer: PreTrainedTokenizerBase, context_tokens: int) -> None:
        wording = TokenizerWording(tokenizer)
        super().__init__(wording, context_tokens)
        self.backend = wording.backend


def _checked(message: ChatMessage) -> ChatMessage:
    role = _ROLES.get(message.role)
    if role is None:
        known = ", ".join(_ROLES)
        raise BadRequest(f"A message has a role that is none of {known}.", param="messages")
    # Half a surrogate pair can come out of JSON and go into no tokenizer.
    content = message.content.encode("utf-8", "replace").decode("utf-8")
    return ChatMessage(role, content)


def _as_it_is(turns: Sequence[ChatMessage], takes_system: bool) -> list[ChatMessage]:
    return list(turns)


def _merged(turns: Sequence[ChatMessage], takes_system: bool) -> list[ChatMessage]:
    """One system text at the start (or before the first user's), tool results as user turns, roles
    alternating.

    Parts are joined by a blank line; empty ones vanish.
    """
    system = _BLANK_LINE.join(turn.content for turn in turns if turn.role == "system" and turn.content)
    merged: list[ChatMessage] = []
    for turn in turns:
        if turn.role == "system":
            continue
        role = "user" if turn.role == "tool" else turn.role
        if merged and merged[-1].role == role:
            parts = [part for part in (merged[-1].content, turn.content) if part]
            merged[-1] = ChatMessage(role, _BLANK_LINE.join(parts))
        else:
            merged.append(ChatMessage(role, turn.content))
    if not system:
        return merged
    if takes_system:
        return [ChatMessage("system", system), *merged]
    for i, turn in enumerate(merged):
        if turn.role == "user":
            parts = [part for part in (system, turn.content) if part]
            merged[i] = ChatMessage("user", _BLANK_LINE.join(parts))
            return merged
    return [ChatMessage("user", system), *merged]


def _plain_format(turns: Sequence[ChatMessage]) -> str:
    """For a model without a template: each message behind its role's name, a blank line between.

    "System: …", "User: …", "Assistant: …", "Tool: …", and "Assistant:" at the end. No default system
    message: such models mostly continue text.
    """
    lines = [f"{turn.role.capitalize()}: {turn.content.strip()}" for turn in turns]
    return _BLANK_LINE.join([*lines, "Assistant:"])


def _unused_character(texts: Sequence[str], template: str) -> str:
    """A private-use character that occurs nowhere in what is about to be rendered."""
    for code in range(0xE000, 0xF900):
        char = chr(code)
        if char not in template and all(char not in text for text in texts):
            return char
    raise BadRequest("A message uses every private character there is.", param="messages")
