"""The JSON shapes of ``/api/chats``, typed for both ends. Times are seconds since the epoch."""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

from swarm_app.localapi.view import ComplaintView

MessageState = Literal["complete", "running", "stopped", "failed", "interrupted"]
"""interrupted: the node ended in the middle of it."""


class SamplingView(TypedDict):
    """How a chat's answers are chosen; `max_tokens` None goes to the end of the context."""

    temperature: float
    top_p: float
    max_tokens: int | None
    seed: int | None
    prefer: NotRequired[str]
    """swarm or local; "" leaves it to the node."""
    fallback: NotRequired[str]
    """auto, ask or never; "" leaves it to the node."""


class ChatRowView(TypedDict):
    """A chat in the list."""

    id: str
    title: str
    created_at: float
    changed_at: float
    running: bool
    """It is being answered now."""
    snippet: str
    """Where a search found its words; "" without a search or where the title has them."""


class ChatView(TypedDict):
    id: str
    title: str
    created_at: float
    changed_at: float
    running: bool
    system: str
    sampling: SamplingView


class AttachmentView(TypedDict):
    name: str
    characters: int


class MessageView(TypedDict):
    id: int
    role: Literal["user", "assistant"]
    text: str
    state: MessageState
    created_at: float
    attachments: list[AttachmentView]
    answer: dict[str, Any] | None
    """Of an answer: who gave it, as in a completion's ``homeswarm`` object, and its token counts."""
    error: ComplaintView | None
    versions: list[int]
    """Ids of the messages that stand in this one's place, this one among them, the oldest first."""


class BudgetView(TypedDict):
    """What a draft has to fit into. Only the engine counts tokens exactly; this is for a meter."""

    context_tokens: int
    used_tokens: int
    """By the conversation so far."""
    characters_per_token: float


class ConversationView(TypedDict):
    """A stretch of one chat, the oldest message first."""

    chat: ChatView
    messages: list[MessageView]
    older: bool
    """There are messages before these."""
    budget: BudgetView


class ChatListView(TypedDict):
    chats: list[ChatRowView]


class AskedView(TypedDict):
    """What was added to a chat: the question (None when an answer is given anew) and the answer to come."""

    question: MessageView | None
    answer: MessageView
    budget: BudgetView
    """With the question, before the answer."""
