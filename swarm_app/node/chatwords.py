"""What a conversation is in words: its title, the turns that the model reads, and its exported text."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any

from swarm_app.localapi.answers import Turn
from swarm_app.node.history import Attachment, ChatRecord, History, MessageRecord

MAX_TITLE = 60

CHARACTERS_PER_TOKEN = 3.5
"""Of English prose with common tokenizers about 4, of code and other languages fewer."""

MOST_CHARACTERS_PER_TOKEN = 16
"""More than that no text has on average: what is beyond it cannot fit, and is not even sent to the engine."""

_FENCE = re.compile(r"`{3,}")


def title_of(text: str, attachments: Sequence[str]) -> str:
    """A chat's first name: the beginning of its first question."""
    line = next((line for line in text.splitlines() if line.strip(" #*`>-")), "")
    words = " ".join(line.split()) or " ".join((attachments[0] if attachments else "").split())
    if len(words) <= MAX_TITLE:
        return words
    cut = words[: MAX_TITLE - 1]
    return (cut.rpartition(" ")[0] if " " in cut[MAX_TITLE // 2 :] else cut) + "…"


def with_attachments(text: str, attachments: Sequence[Attachment]) -> str:
    """A question as the model reads it: each file in a fence that its text does not have, then the words."""
    parts = []
    for one in attachments:
        longest = max((len(fence) for fence in _FENCE.findall(one.text)), default=2)
        fence = "`" * max(3, longest + 1)
        parts.append(f"File {one.name}:\n{fence}\n{one.text}\n{fence}")
    return "\n\n".join([*parts, text] if text.strip() else parts)


def prompt_turns(history: History, chat: ChatRecord, context_tokens: int) -> tuple[list[Turn], int]:
    """The shown branch as turns, without the answer that is to come; and how many of the oldest messages were
    left out because they cannot fit whatever they are. Answers without any text are no turns."""
    messages, _ = history.branch(chat)
    turns: list[Turn] = []
    room = context_tokens * MOST_CHARACTERS_PER_TOKEN
    asked = [one for one in messages[:-1] if one.role == "user" or one.text.strip()]
    for message in reversed(asked):
        attachments = history.attachments(message.id) if message.attachments else []
        content = with_attachments(message.text, attachments)
        if turns and len(content) > room:
            break
        room -= len(content)
        turns.append(Turn(message.role, content))
    left_out = len(asked) - len(turns)
    if chat.system.strip():
        turns.append(Turn("system", chat.system))
    return turns[::-1], left_out


def characters_per_token(messages: Sequence[MessageRecord]) -> float:
    """Of this chat's text, by the latest answer that tells; between 0.5 and 8.

    Of a long prompt the share is known well; a short one is mostly the template's own tokens. One that was
    trimmed tells nothing: how many characters the model read is not known.
    """
    for message in reversed(messages):
        answer = message.about.get("answer")
        characters = message.about.get("prompt_characters", 0)
        if answer and answer["prompt_tokens"] >= 100 and characters and not answer["trimmed_messages"]:
            share: float = characters / answer["prompt_tokens"]
            return round(min(max(share, 0.5), 8.0), 2)
    return CHARACTERS_PER_TOKEN


def exported(
    chat: ChatRecord,
    messages: Sequence[MessageRecord],
    shown: Sequence[int],
    attachments: Mapping[int, Sequence[Attachment]],
    form: str,
) -> str:
    """A chat as Markdown (what is shown), or as JSON (everything)."""
    if form == "json":
        return json.dumps(
            {
                "format": "homeswarm-chat",
                "version": 1,
                "title": chat.title,
                "created_at": chat.created_at,
                "changed_at": chat.changed_at,
                "system": chat.system,
                "sampling": chat.sampling,
                "shown": list(shown),
                "messages": [_in_json(one, attachments.get(one.id, ())) for one in messages],
            },
            ensure_ascii=False,
            indent=2,
        )
    parts = [f"# {chat.title}", time.strftime("%Y-%m-%d %H:%M", time.localtime(chat.created_at))]
    if chat.system.strip():
        parts.append("\n".join(f"> {line}" for line in chat.system.splitlines()))
    for one in messages:
        parts.append("## You" if one.role == "user" else f"## {answered_by(one.about)}")
        parts.append(with_attachments(one.text, attachments.get(one.id, ())))
        if one.state != "complete":
            parts.append(f"*({one.state})*")
    return "\n\n".join(parts) + "\n"


def answered_by(about: Mapping[str, Any]) -> str:
    """``Homeswarm (desk → attic)``, as far as it is known."""
    ways = []
    for segment in (about.get("answer") or {}).get("segments", ()):
        names = " → ".join(hop["name"] for hop in segment["route"])
        ways.append(names or f"this computer, {segment['model']}")
    return f"Homeswarm ({'; '.join(ways)})" if ways else "Homeswarm"


def _in_json(message: MessageRecord, attachments: Sequence[Attachment]) -> dict[str, Any]:
    return {
        "id": message.id,
        "parent": message.parent,
        "role": message.role,
        "text": message.text,
        "state": message.state,
        "created_at": message.created_at,
        "attachments": [{"name": one.name, "text": one.text} for one in attachments],
        "answer": message.about.get("answer"),
        "error": message.about.get("error"),
    }
