"""The shapes of a chat answer in OpenAI's protocol, and the part of it that is ours.

Ours is the object ``homeswarm``: who answered (``segments`` with the route of each, and the reason where it
is the local model), the ``timing`` in seconds, ``trimmed_messages`` and ``pauses``. It stands in the answer,
or in the chunk with the ``finish_reason``; the first chunk of a stream carries ``route``, ``engine``,
``reason``, ``prompt_tokens`` and ``trimmed_messages`` ahead. A pause is told when it is over, by a chunk
whose text is empty and whose ``homeswarm`` is ``{"paused": {...}}``: programs that know nothing of it append
nothing. Where the local model goes on with an answer, such a chunk says ``{"switched": {...}}``, and those
after it name that model. ``{"offered": {...}}`` asks whoever sent ``decides`` whether it shall, and
``{"offer_over": {...}}`` says that this is settled (see `swarm_app.localapi.server`). The answer's id is
``chatcmpl-`` and the request id that the node's state and events have.
"""

from __future__ import annotations

from typing import Any

from swarm_app.domain.pause import Pause
from swarm_app.domain.route import Hop
from swarm_app.domain.said import reason_views, reasons_of
from swarm_app.localapi.answers import Begun, Done, Offered, OfferOver, Switched

_FINISH = {"stop": "stop", "length": "length", "cancelled": "stop"}


def route_view(route: tuple[Hop, ...]) -> list[dict[str, Any]]:
    return [
        {"peer": hop.peer, "name": hop.name, "start": hop.span.start, "end": hop.span.end} for hop in route
    ]


def pause_view(pause: Pause) -> dict[str, Any]:
    return {
        "cause": pause.cause,
        "peer": pause.peer,
        "name": pause.name,
        "moved_to": list(pause.moved_to),
        "detect_s": pause.detect_s,
        "route_s": pause.route_s,
        "replay_s": pause.replay_s,
        "total_s": pause.total_s,
        "at_token": pause.at_token,
        "text": pause.text,
        "why": reason_views(reasons_of(pause.text)),
        "load_s": pause.load_s,
        "words_may_differ": pause.words_may_differ,
    }


def offer_view(offered: Offered) -> dict[str, Any]:
    return {
        "request_id": offered.request_id,
        "reason": offered.reason,
        "why": reason_views(reasons_of(offered.reason)),
        "remedy": offered.remedy,
        "model": offered.model,
        "at_token": offered.at_token,
        "until": offered.until,
    }


def offer_over_view(over: OfferOver) -> dict[str, Any]:
    return {"request_id": over.request_id, "how": over.how}


def begun_view(begun: Begun) -> dict[str, Any]:
    return {
        "route": route_view(begun.route),
        "prompt_tokens": begun.prompt_tokens,
        "trimmed_messages": begun.trimmed_messages,
        "engine": begun.engine,
        "model": begun.model,
        "reason": begun.reason,
        "why": reason_views(reasons_of(begun.reason)),
        "remedy": begun.remedy,
    }


def switched_view(switched: Switched) -> dict[str, Any]:
    return {
        "engine": "local",
        "model": switched.model,
        "reason": switched.reason,
        "why": reason_views(reasons_of(switched.reason)),
        "remedy": switched.remedy,
        "at_token": switched.at_token,
        "trimmed_messages": switched.trimmed_messages,
    }


def metadata(done: Done) -> dict[str, Any]:
    """The ``homeswarm`` object of a finished answer."""
    timing = done.timing
    return {
        "segments": [
            {
                "engine": segment.engine,
                "model": segment.model,
                "route": route_view(segment.route),
                "completion_tokens": segment.completion_tokens,
                "reason": segment.reason,
                "why": reason_views(reasons_of(segment.reason)),
                "remedy": segment.remedy,
            }
            for segment in done.segments
        ],
        "timing": None
        if timing is None
        else {
            "ttft_s": timing.ttft_s,
            "decode_s": timing.decode_s,
            "itl_median_s": timing.itl_median_s,
            "itl_p95_s": timing.itl_p95_s,
        },
        "trimmed_messages": done.trimmed_messages,
        "pauses": [pause_view(pause) for pause in done.pauses],
    }


def usage(done: Done) -> dict[str, int]:
    return {
        "prompt_tokens": done.prompt_tokens,
        "completion_tokens": done.completion_tokens,
        "total_tokens": done.prompt_tokens + done.completion_tokens,
    }


class Completion:
    """One answer's replies: `model` is the one that the node runs, whatever the request called it."""

    def __init__(self, answer_id: str, created: int, model: str, with_usage: bool) -> None:
        self._base = {"id": f"chatcmpl-{answer_id}", "created": created, "model": model}
        self._with_usage = with_usage

    def whole(self, text: str, done: Done) -> dict[str, Any]:
        """The reply to a request that does not stream."""
        message = {"role": "assistant", "content": text, "refusal": None}
        choice = {
            "index": 0,
            "message": message,
            "logprobs": None,
            "finish_reason": _FINISH.get(done.reason, "stop"),
        }
        return {
            **self._base,
            "object": "chat.completion",
            "model": self._answered_by(done),
            "choices": [choice],
            "usage": usage(done),
            "homeswarm": metadata(done),
        }

    def first(self, begun: Begun) -> dict[str, Any]:
        if begun.model:
            self._base["model"] = begun.model
        return self._chunk({"role": "assistant", "content": ""}, None) | {"homeswarm": begun_view(begun)}

    def piece(self, text: str) -> dict[str, Any]:
        return self._chunk({"content": text}, None)

    def switched(self, switched: Switched) -> dict[str, Any]:
        self._base["model"] = switched.model
        return self._aside("switched", switched_view(switched))

    def paused(self, pause: Pause) -> dict[str, Any]:
        return self._aside("paused", pause_view(pause))

    def offered(self, offered: Offered) -> dict[str, Any]:
        return self._aside("offered", offer_view(offered))

    def offer_over(self, over: OfferOver) -> dict[str, Any]:
        return self._aside("offer_over", offer_over_view(over))

    def _aside(self, what: str, about: dict[str, Any]) -> dict[str, Any]:
        """A chunk without text: programs that know nothing of it append nothing."""
        return self._chunk({"content": ""}, None) | {"homeswarm": {what: about}}

    def last(self, done: Done) -> list[dict[str, Any]]:
        """The chunk with the finish reason, then the one with the usage when it was asked for."""
        model = {"model": self._answered_by(done)}
        finish = self._chunk({}, _FINISH.get(done.reason, "stop")) | model | {"homeswarm": metadata(done)}
        if not self._with_usage:
            return [finish]
        bare = {**self._base, **model, "object": "chat.completion.chunk", "choices": []}
        return [finish, bare | {"usage": usage(done)}]

    def _answered_by(self, done: Done) -> str:
        return done.segments[-1].model if done.segments else str(self._base["model"])

    def _chunk(self, delta: dict[str, Any], finish_reason: str | None) -> dict[str, Any]:
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish_reason}
        chunk = {**self._base, "object": "chat.completion.chunk", "choices": [choice]}
        # The protocol: with include_usage every other chunk has a usage of null.
        return chunk | {"usage": None} if self._with_usage else chunk
