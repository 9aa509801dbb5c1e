"""Kept chats and their messages as the local API shows them, and as an engine is asked. Pure.

Callers: `swarm_app.node.chats`, `swarm_app.node.running`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from swarm_app.domain.errors import HomeswarmError
from swarm_app.localapi.answers import Choice, Done
from swarm_app.localapi.chatview import BudgetView, ChatView, MessageView, SamplingView
from swarm_app.localapi.completions import metadata
from swarm_app.localapi.view import ComplaintView
from swarm_app.node.chatwords import characters_per_token
from swarm_app.node.history import ChatRecord, MessageRecord

DEFAULT_SAMPLING = SamplingView(temperature=0.2, top_p=1.0, max_tokens=None, seed=None)


def choice_of(sampling: Mapping[str, Any]) -> Choice:
    """How the answers of a chat with this sampling are chosen."""
    every = {**DEFAULT_SAMPLING, **sampling}
    return Choice(
        temperature=every["temperature"],
        top_p=every["top_p"],
        max_tokens=every["max_tokens"],
        seed=every["seed"],
        prefer=every.get("prefer", ""),
        fallback=every.get("fallback", ""),
        decides=True,
    )


def chat_view(record: ChatRecord, *, running: bool) -> ChatView:
    sampling: Any = {**DEFAULT_SAMPLING, **record.sampling}
    return ChatView(
        id=record.id,
        title=record.title,
        created_at=record.created_at,
        changed_at=record.changed_at,
        running=running,
        system=record.system,
        sampling=sampling,
    )


def message_view(message: MessageRecord, unsaved: HomeswarmError | None = None) -> MessageView:
    """`unsaved`: why it could not be written down, which is told where nothing else went wrong."""
    state: Any = message.state
    error = message.about.get("error")
    if error is None and unsaved is not None:
        error = complaint_view(unsaved)
    return MessageView(
        id=message.id,
        role=message.role,
        text=message.text,
        state=state,
        created_at=message.created_at,
        attachments=[{"name": name, "characters": count} for name, count in message.attachments],
        answer=message.about.get("answer"),
        error=error,
        versions=list(message.versions),
    )


def answer_view(done: Done, left_out: int = 0) -> dict[str, Any]:
    """What is kept of an answer beside its text; `left_out` messages had not even been sent to an engine."""
    return {
        **metadata(done),
        "reason": done.reason,
        "prompt_tokens": done.prompt_tokens,
        "completion_tokens": done.completion_tokens,
        "trimmed_messages": done.trimmed_messages + left_out,
    }


def budget_view(chat: ChatRecord, messages: Sequence[MessageRecord], context_tokens: int) -> BudgetView:
    """How full the context is, by the latest of `messages` that is an answer with counts; what came after
    it, or without one everything, goes by its length."""
    each = characters_per_token(messages)
    characters = 0
    used = 0
    for message in reversed(messages):
        answer = message.about.get("answer")
        if answer and answer["prompt_tokens"]:
            used = answer["prompt_tokens"] + (answer["completion_tokens"] or len(message.text) // 4)
            break
        characters += len(message.text) + sum(count for _, count in message.attachments)
    else:
        characters += len(chat.system)
    return BudgetView(
        context_tokens=context_tokens,
        used_tokens=min(used + round(characters / each), context_tokens),
        characters_per_token=each,
    )


def complaint_view(error: HomeswarmError) -> ComplaintView:
    return ComplaintView(code=error.code, message=error.message, remedy=error.remedy)
