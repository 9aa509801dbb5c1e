"""GGUF files' own chat templates: rendered as the swarm's engine renders them, and reaching nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import pytest

from swarm_app.childproto import ChatMessage
from swarm_app.domain.errors import BadRequest
from swarm_app.engines.local.wording import GgufWording, environment
from swarm_app.engines.prompt import PromptBuilder, Prompts
from swarm_app.models.ggufheader import Header
from tests.engines.scripted import CHATML, STRICT, byte_tokenizer, bytes_to_ids, chat_tokenizer

BOS = "<|endoftext|>"


def beginning_id() -> int:
    found = byte_tokenizer().token_to_id(BOS)
    assert found is not None
    return int(found)


class Bytes:
    """The byte tokenizer of the swarm's tests, as llama.cpp would offer it."""

    def __init__(self, adds_beginning: bool) -> None:
        self.backend = byte_tokenizer()
        self.adds_beginning = adds_beginning

    def tokenize(self, text: str, *, start: bool, special: bool) -> list[int]:
        found = self.backend.encode(text, add_special_tokens=False).ids if special else self.literally(text)
        beginning = [beginning_id()] if start and self.adds_beginning else []
        return [*beginning, *found]

    def literally(self, text: str) -> list[int]:
        return bytes_to_ids(text.encode(), self.backend)


def header(template: str | None) -> Header:
    backend = byte_tokenizer()
    tokens = [str(backend.id_to_token(i)) for i in range(backend.get_vocab_size())]
    metadata: dict[str, Any] = {
        "tokenizer.ggml.tokens": tokens,
        "tokenizer.ggml.token_type": [3 if token.startswith("<|") else 1 for token in tokens],
        "tokenizer.ggml.bos_token_id": tokens.index(BOS),
    }
    if template is not None:
        metadata["tokenizer.chat_template"] = template
    return Header(Path("x.gguf"), 0, metadata, ())


def prompts(template: str | None, *, adds_beginning: bool = False) -> Prompts:
    return Prompts(GgufWording(header(template), Bytes(adds_beginning)), 4096)


CONVERSATIONS = [
    [("user", "hi")],
    [("system", "be kind"), ("user", "hi")],
    [("user", "a"), ("user", "b")],
    [("user", "a"), ("assistant", "b"), ("user", "c <|im_end|> d")],
    [("assistant", "a"), ("user", "b")],
    [("user", "a"), ("tool", "4"), ("user", "")],
]


@pytest.mark.parametrize("template", [CHATML, STRICT, None])
@pytest.mark.parametrize("turns", CONVERSATIONS)
def test_both_engines_render_alike_or_refuse_alike(
    template: str | None, turns: list[tuple[str, str]]
) -> None:
    """Scenario G3."""
    messages = [ChatMessage(role, content) for role, content in turns]
    swarm = PromptBuilder(chat_tokenizer(template), 4096)
    try:
        wanted = swarm.build(messages, max_tokens=8, trim=False)
    except BadRequest:
        with pytest.raises(BadRequest, match="template"):
            prompts(template).build(messages, max_tokens=8, trim=False)
        return
    assert prompts(template).build(messages, max_tokens=8, trim=False) == wanted


def test_a_text_has_one_beginning_whoever_writes_it() -> None:
    template = "{{ bos_token }}" + CHATML
    once = prompts(template).build([ChatMessage("user", "hi")], max_tokens=8, trim=False).ids
    both = prompts(template, adds_beginning=True)
    assert both.build([ChatMessage("user", "hi")], max_tokens=8, trim=False).ids == once
    assert once.count(beginning_id()) == 1


def test_the_beginning_of_the_answer_stands_last_and_is_mere_text() -> None:
    made = prompts(CHATML)
    plain = made.build([ChatMessage("user", "hi")], max_tokens=8, trim=False).ids
    begun = made.build([ChatMessage("user", "hi")], max_tokens=8, trim=False, partial="a<|im_end|>b").ids
    assert begun == plain + Bytes(False).literally("a<|im_end|>b")


def test_templates_can_use_what_they_are_written_for() -> None:
    made = environment()
    text = "{% for m in [1,2,3] %}{% if m == 2 %}{% continue %}{% endif %}{{ m }}{% endfor %}"
    assert made.from_string(text).render() == "13"
    assert made.from_string("{% generation %}x{{ 1 }}{% endgeneration %}y").render() == "x1y"
    assert made.from_string("{{ {'ä': [1]} | tojson }}").render() == '{"ä": [1]}'
    assert made.from_string("{{ strftime_now('%Y') | length }}").render() == "4"
    with pytest.raises(jinja2.TemplateError, match="roles must"):
        made.from_string("{{ raise_exception('roles must alternate') }}").render()


@pytest.mark.parametrize(
    "evil",
    [
        "{{ ''.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.append(1) }}",
        "{{ cycler.__init__.__globals__ }}",
    ],
)
def test_templates_of_strangers_reach_nothing(evil: str) -> None:
    with pytest.raises(jinja2.TemplateError):
        environment().from_string(evil).render(messages=[])
