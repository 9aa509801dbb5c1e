"""The chat template and the tokenizer of a GGUF file.

The template is rendered as `transformers` does it for the swarm (a sandbox, the same settings and helpers),
so that both engines take the same conversations; the tokenizer is llama.cpp's own.

State owned: none beside the compiled template. Callers: `swarm_app.engines.local.engine`.
"""

from __future__ import annotations

import datetime
import json
from typing import Any, NoReturn, Protocol

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, loopcontrols
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from swarm_app.models.ggufheader import Header

_CONTROL = 3
"""llama.cpp's number for tokens that are no text (its LLAMA_TOKEN_TYPE_CONTROL)."""


class Tokenizer(Protocol):
    def tokenize(self, text: str, *, start: bool, special: bool) -> list[int]: ...


class GgufWording:
    """Implements `swarm_app.engines.prompt.Wording`."""

    def __init__(self, header: Header, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.template = header.text("tokenizer.chat_template") or ""
        tokens = header.metadata.get("tokenizer.ggml.tokens")
        kinds = header.metadata.get("tokenizer.ggml.token_type")
        self._tokens = tokens if isinstance(tokens, list) else []
        self.special = frozenset(
            str(token)
            for token, kind in zip(self._tokens, kinds if isinstance(kinds, list) else [], strict=False)
            if kind == _CONTROL and token
        )
        self._names = {
            f"{key}_token": self._text_of(header.integer(f"tokenizer.ggml.{key}_token_id"))
            for key in ("bos", "eos")
        }
        self._compiled: jinja2.Template | None = None

    def _text_of(self, index: int | None) -> str:
        return str(self._tokens[index]) if index is not None and 0 <= index < len(self._tokens) else ""

    def apply(self, conversation: list[dict[str, str]]) -> str:
        if self._compiled is None:
            self._compiled = environment().from_string(self.template)
        text = self._compiled.render(messages=conversation, add_generation_prompt=True, **self._names)
        # The tokenizer adds the beginning by itself where the model has one.
        beginning = self._names["bos_token"]
        return text.removeprefix(beginning) if beginning and self._adds_beginning() else text

    def _adds_beginning(self) -> bool:
        return bool(self._tokenizer.tokenize("", start=True, special=True))

    def encode(self, text: str, *, start: bool) -> list[int]:
        return self._tokenizer.tokenize(text, start=start, special=True)

    def encode_literally(self, text: str) -> list[int]:
        return self._tokenizer.tokenize(text, start=False, special=False)


class _Generation(Extension):
    """``{% generation %}`` marks, for training, what an assistant said; here it is that alone."""

    tags = {"generation"}  # noqa: RUF012  (so jinja2 has it)

    def parse(self, parser: Parser) -> list[nodes.Node]:
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def environment() -> ImmutableSandboxedEnvironment:
    """What chat templates are written for; they come from strangers and can reach nothing."""
    made = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols, _Generation]
    )
    made.filters["tojson"] = _to_json
    made.globals["raise_exception"] = _refuse
    made.globals["strftime_now"] = lambda form: datetime.datetime.now().strftime(form)
    return made


def _to_json(value: Any, ensure_ascii: bool = False, indent: int | None = None, **more: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent, **more)


def _refuse(message: str) -> NoReturn:
    raise jinja2.TemplateError(message)
