"""The chat request of OpenAI's protocol, checked: what we honour, what we refuse by name, what we ignore.

Unknown fields are ignored. A known field whose effect we cannot give is refused, so that nobody believes
to have it. Extensions: ``prefer`` (``swarm`` or ``local``: who is to answer), ``fallback`` (``auto``, ``ask``
or ``never``: whether the local model may take over), ``decides`` (with ``ask``: the stream says when that is
to be decided, and goes on by the answer to it, instead of ending in ``fallback-offered``),
``continue_final_message`` (the local model goes on with the assistant's last message), ``top_k``, ``min_p``,
``repetition_penalty``, and ``trim`` (drop the oldest turns of a conversation that is too long, which the
answer then reports, instead of refusing it).
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from swarm_app.domain.errors import BadRequest
from swarm_app.localapi.answers import Choice, Turn
from swarm_app.localapi.complaints import complaint

DEFAULT_TEMPERATURE = 0.2
"""For requests that name none. OpenAI's own default of 1.0 makes small, quantized models ramble; 0.2 is
what the makers of the default model recommend."""

MAX_STOPS = 16
MAX_STOP_CHARS = 500
MAX_MESSAGES = 4096

_INT64 = 2**63


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)


class _TextPart(_Strict):
    type: Literal["text"]
    text: str


class _RefusalPart(_Strict):
    type: Literal["refusal"]
    refusal: str


class _Function(_Strict):
    name: str = ""
    arguments: str = ""


class _ToolCall(_Strict):
    function: _Function | None = None


class _Message(_Strict):
    role: Literal["system", "developer", "user", "assistant", "tool", "function"]
    content: str | list[Any] | None = None
    name: str | None = None
    tool_calls: list[_ToolCall] | None = None
    function_call: _Function | None = None
    refusal: str | None = None


class _StreamOptions(_Strict):
    include_usage: bool | None = None


class _ResponseFormat(_Strict):
    type: str


class ChatRequest(_Strict):
    """The body of ``POST /v1/chat/completions``."""

    messages: Annotated[list[_Message], Field(min_length=1, max_length=MAX_MESSAGES)]
    model: str | None = None
    stream: bool | None = None
    stream_options: _StreamOptions | None = None
    max_tokens: Annotated[int, Field(ge=1, lt=_INT64)] | None = None
    max_completion_tokens: Annotated[int, Field(ge=1, lt=_INT64)] | None = None
    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    top_p: Annotated[float, Field(ge=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=-1, lt=2**31)] | None = None
    min_p: Annotated[float, Field(ge=0, le=1)] | None = None
    repetition_penalty: Annotated[float, Field(ge=0.01, le=100)] | None = None
    seed: Annotated[int, Field(ge=-_INT64, lt=_INT64)] | None = None
    stop: str | list[str] | None = None
    trim: bool | None = None
    prefer: Literal["swarm", "local"] | None = None
    fallback: Literal["auto", "ask", "never"] | None = None
    decides: bool | None = None
    continue_final_message: bool | None = None

    # Refused unless they ask for nothing.
    n: int | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    frequency_penalty: float | None = None
    presence_penalty: float | None = None
    logit_bias: dict[str, Any] | None = None
    tools: list[Any] | None = None
    tool_choice: Any = None
    functions: list[Any] | None = None
    function_call: Any = None
    response_format: _ResponseFormat | None = None
    modalities: list[str] | None = None
    audio: Any = None

    @property
    def streams(self) -> bool:
        return bool(self.stream)

    @property
    def wants_usage(self) -> bool:
        """A chunk with the usage at the end of a stream."""
        return bool(self.stream_options and self.stream_options.include_usage)

    def turns(self) -> tuple[Turn, ...]:
        """The conversation as plain texts. Raises BadRequest naming what is not text."""
        return tuple(_turn(message, index) for index, message in enumerate(self.messages))

    def choice(self) -> Choice:
        """How tokens are to be chosen. Raises BadRequest for stops that cannot be."""
        limits = [limit for limit in (self.max_completion_tokens, self.max_tokens) if limit is not None]
        return Choice(
            temperature=DEFAULT_TEMPERATURE if self.temperature is None else self.temperature,
            # A nucleus of 0 is the best token alone; the smallest number says so without a special case.
            top_p=1.0 if self.top_p is None else max(self.top_p, 1e-6),
            top_k=max(self.top_k or 0, 0),
            min_p=self.min_p or 0.0,
            repetition_penalty=1.0 if self.repetition_penalty is None else self.repetition_penalty,
            seed=self.seed,
            max_tokens=min(min(limits), 2**31 - 1) if limits else None,
            stop=_stops(self.stop),
            prefer=self.prefer or "",
            fallback=self.fallback or "",
            decides=self._decides(),
            continues=self._continues(),
        )

    def _decides(self) -> bool:
        if self.decides and not self.stream:
            raise _refuse("decides", "only a stream can ask in between.", "Set stream.")
        return bool(self.decides)

    def _continues(self) -> bool:
        if not self.continue_final_message:
            return False
        if self.prefer != "local":
            raise _refuse(
                "continue_final_message", "only the local model goes on with a text.", "Set prefer."
            )
        if self.messages[-1].role != "assistant":
            raise _refuse("continue_final_message", "the last message is not the assistant's.")
        return True


def parse_chat(body: bytes) -> ChatRequest:
    """Read and check a request body; raises BadRequest, naming the field, for anything that we cannot do."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        raise BadRequest("The request body is not valid JSON.") from None
    if not isinstance(value, dict):
        raise BadRequest("The request body is not a JSON object.")
    try:
        request = ChatRequest.model_validate(value)
    except ValidationError as error:
        raise complaint(error) from None
    except RecursionError:
        raise BadRequest("The request body is nested too deeply.") from None
    _refuse_unsupported(request)
    return request


def _refuse(param: str, why: str, remedy: str = "") -> BadRequest:
    return BadRequest(f"{param}: {why}", remedy=remedy, param=param)


def _refuse_unsupported(request: ChatRequest) -> None:
    if request.n not in (None, 1):
        raise _refuse("n", "only one answer per request is supported.")
    if request.logprobs:
        raise _refuse("logprobs", "log probabilities are not supported.")
    if request.top_logprobs:
        raise _refuse("top_logprobs", "log probabilities are not supported.")
    if request.frequency_penalty:
        raise _refuse("frequency_penalty", "this is not supported.", "Use repetition_penalty.")
    if request.presence_penalty:
        raise _refuse("presence_penalty", "this is not supported.", "Use repetition_penalty.")
    if request.logit_bias:
        raise _refuse("logit_bias", "this is not supported.")
    if request.tools:
        raise _refuse("tools", "tools are not supported.", "Send the request without them.")
    if request.functions:
        raise _refuse("functions", "functions are not supported.", "Send the request without them.")
    if request.tool_choice not in (None, "none", "auto"):
        raise _refuse("tool_choice", "tools are not supported.")
    if request.function_call not in (None, "none", "auto"):
        raise _refuse("function_call", "functions are not supported.")
    if request.response_format is not None and request.response_format.type != "text":
        raise _refuse("response_format", "only text is supported.")
    if request.modalities is not None and request.modalities != ["text"]:
        raise _refuse("modalities", "only text is supported.")
    if request.audio is not None:
        raise _refuse("audio", "only text is supported.")


def _stops(stop: str | list[str] | None) -> tuple[str, ...]:
    stops = [stop] if isinstance(stop, str) else stop or []
    if len(stops) > MAX_STOPS:
        raise _refuse("stop", f"at most {MAX_STOPS} stop strings are supported.")
    if any(not text or len(text) > MAX_STOP_CHARS for text in stops):
        raise _refuse("stop", f"a stop string has 1 to {MAX_STOP_CHARS} characters.")
    return tuple(dict.fromkeys(whole_characters(text) for text in stops))


def _turn(message: _Message, index: int) -> Turn:
    where = f"messages[{index}].content"
    text = _content(message.content, where)
    if message.role == "assistant":
        calls = [call.function for call in message.tool_calls or [] if call.function]
        calls += [message.function_call] if message.function_call else []
        lines = [text or message.refusal or ""]
        lines += [f"[called {call.name}({call.arguments})]" for call in calls]
        return Turn("assistant", whole_characters("\n".join(line for line in lines if line)))
    if text is None:
        raise BadRequest(f"{where}: a {message.role} message needs text.", param=where)
    if message.role in ("tool", "function"):
        # Few chat templates know this role; every model understands being told.
        of = f" of {message.name}" if message.name else ""
        return Turn("user", whole_characters(f"[result{of}]\n{text}"))
    return Turn("system" if message.role == "developer" else message.role, whole_characters(text))


def _content(content: str | list[Any] | None, where: str) -> str | None:
    if not isinstance(content, list):
        return content
    texts: list[str] = []
    for index, part in enumerate(content):
        here = f"{where}[{index}]"
        kind = part.get("type") if isinstance(part, dict) else None
        try:
            if kind == "text":
                texts.append(_TextPart.model_validate(part).text)
            elif kind == "refusal":
                texts.append(_RefusalPart.model_validate(part).refusal)
            elif isinstance(kind, str) and kind:
                raise BadRequest(
                    f"{here}: this model reads text and no {kind[:40]!r} part.",
                    remedy="Send the text alone.",
                    param=here,
                )
            else:
                raise BadRequest(f"{here}: a content part is an object with a type.", param=here)
        except ValidationError:
            raise BadRequest(f"{here}: a {kind} part needs {kind!r} with a string.", param=here) from None
    return "\n".join(texts)  # parts are paragraphs: glued together, their words would run on


def whole_characters(text: str) -> str:
    """Replace half surrogate pairs, as a program that cuts UTF-16 in the middle sends them, with U+FFFD."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text
