"""Kept chats and their messages as the local API shows them. Pure.

Callers: `swarm_app.node.chats`, `swarm_app.node.running`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from swarm_app.domain.errors import HomeswarmError
from swarm_app.localapi.chatview import BudgetView, ChatView, MessageView, SamplingView
from swarm_app.localapi.view import ComplaintView
from swarm_app.node.chatwords import CHARACTERS_PER_TOKEN, characters_per_token
from swarm_app.node.history import ChatRecord, MessageRecord

DEFAULT_SAMPLING = SamplingView(temperature=0.2, top_p=1.0, max_tokens=None, seed=None)


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


def budget_view(messages: Sequence[MessageRecord], context_tokens: int) -> BudgetView:
    """How full the context is, by the latest of `messages` that is an answer."""
    for message in reversed(messages):
        answer = message.about.get("answer")
        if answer and answer["prompt_tokens"]:
            used = answer["prompt_tokens"] + (answer["completion_tokens"] or len(message.text) // 4)
            return BudgetView(
                context_tokens=context_tokens,
                used_tokens=min(used, context_tokens),
                characters_per_token=characters_per_token(messages),
            )
    return BudgetView(context_tokens=context_tokens, used_tokens=0, characters_per_token=CHARACTERS_PER_TOKEN)


def complaint_view(error: HomeswarmError) -> ComplaintView:
    return ComplaintView(code=error.code, message=error.message, remedy=error.remedy)
