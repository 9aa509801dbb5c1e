"""The bodies of ``/api/chats`` requests, checked before anything is kept."""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from swarm_app.domain.errors import BadRequest
from swarm_app.localapi.complaints import complaint
from swarm_app.localapi.schema import DEFAULT_TEMPERATURE, whole_characters

MAX_TITLE = 200
MAX_SYSTEM = 100_000
MAX_TEXT = 4_000_000
MAX_ATTACHMENTS = 20
MAX_ATTACHMENT_NAME = 200

Text = Annotated[str, Field(max_length=MAX_TEXT)]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


class SamplingBody(_Strict):
    temperature: Annotated[float, Field(ge=0, le=2)] = DEFAULT_TEMPERATURE
    top_p: Annotated[float, Field(gt=0, le=1)] = 1.0
    max_tokens: Annotated[int, Field(ge=1, lt=2**31)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] | None = None
    prefer: Literal["", "swarm", "local"] = ""
    """Who answers in this chat; "" leaves it to the node's options, as with `fallback`."""
    fallback: Literal["", "auto", "ask", "never"] = ""


class ChatBody(_Strict):
    """``POST /api/chats`` and ``PATCH /api/chats/ID``: what is left out stays as it is."""

    title: Annotated[str, Field(max_length=MAX_TITLE)] | None = None
    system: Annotated[str, Field(max_length=MAX_SYSTEM)] | None = None
    sampling: SamplingBody | None = None


class AttachmentBody(_Strict):
    name: Annotated[str, Field(min_length=1, max_length=MAX_ATTACHMENT_NAME)]
    text: Text


class AskBody(_Strict):
    """``POST /api/chats/ID/answers``: a new question; with `edit` one in the place of that question (its
    attachments stay); with `regenerate` another answer in the place of that one, and no text."""

    text: Text = ""
    attachments: Annotated[list[AttachmentBody], Field(max_length=MAX_ATTACHMENTS)] = []
    edit: int | None = None
    regenerate: int | None = None


class ShowBody(_Strict):
    message: int


class DecisionBody(_Strict):
    """``POST /api/answers/ID/fallback``."""

    decision: Literal["local", "wait"]


Body = TypeVar("Body", bound=_Strict)


def parse(kind: type[Body], body: bytes) -> Body:
    """Read a request body; raises BadRequest naming the first field that is wrong."""
    try:
        value: Any = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise BadRequest("The request body is not valid JSON.") from None
    try:
        parsed = kind.model_validate(value)
    except ValidationError as error:
        raise complaint(error) from None
    if isinstance(parsed, AskBody):
        parsed.text = whole_characters(parsed.text)
        for attachment in parsed.attachments:
            attachment.name = whole_characters(attachment.name)
            attachment.text = whole_characters(attachment.text)
        if parsed.regenerate is None and not parsed.text.strip() and not parsed.attachments:
            raise BadRequest("The message is empty.", remedy="Write something first.", param="text")
        if parsed.regenerate is not None and (parsed.text or parsed.attachments or parsed.edit is not None):
            raise BadRequest("regenerate: another answer takes no new question.", param="regenerate")
    if isinstance(parsed, ChatBody):
        parsed.title = parsed.title and " ".join(whole_characters(parsed.title).split())
        parsed.system = parsed.system and whole_characters(parsed.system)
    return parsed
