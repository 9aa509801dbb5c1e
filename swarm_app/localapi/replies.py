"""JSON replies and errors, as OpenAI's protocol shapes them."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from swarm_app.domain.errors import BadRequest, HomeswarmError, ModelNotFound

_TYPES = {400: "invalid_request_error", 401: "authentication_error", 403: "permission_error"}
_TYPES |= {404: "not_found_error", 413: "invalid_request_error", 415: "invalid_request_error"}
_TYPES |= {405: "invalid_request_error", 429: "rate_limit_error"}

_CODES = {"model-not-found": "model_not_found", "bad-request": "invalid_value"}
"""OpenAI's words where clients know them."""

RETRY_AFTER_S = 2


class BodyTooLarge(BadRequest):
    code = "request-too-large"
    http_status = 413


class WrongContentType(BadRequest):
    code = "unsupported-media-type"
    http_status = 415


class NotFound(BadRequest):
    code = "not-found"
    http_status = 404


class MethodNotAllowed(BadRequest):
    code = "method-not-allowed"
    http_status = 405


class UnknownModel(ModelNotFound):
    """The request names a model that this node does not run."""

    param = "model"
    default_remedy = "See what it runs with: GET /v1/models"


async def json_body(request: Request) -> bytes:
    """The body of a request that says that it is JSON; raises WrongContentType where it does not."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise WrongContentType("This request is JSON.", remedy="Send Content-Type: application/json.")
    return await request.body()


def to_json(value: Any) -> bytes:
    """Compact UTF-8. Half characters that JSON can carry and UTF-8 cannot become question marks."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode(
        "utf-8", "replace"
    )


def json_reply(value: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    return Response(
        to_json(value),
        status,
        {"cache-control": "no-store", **(headers or {})},
        media_type="application/json",
    )


def error_body(error: HomeswarmError) -> dict[str, Any]:
    """``{"error": {message, type, param, code, homeswarm}}``.

    `message` holds the sentence and the remedy, for programs that show nothing else; `homeswarm` holds
    them apart, with our own code.
    """
    return {
        "error": {
            "message": str(error),
            "type": _TYPES.get(error.http_status, "server_error"),
            "param": getattr(error, "param", None),
            "code": _CODES.get(error.code, error.code),
            "homeswarm": {"code": error.code, "message": error.message, "remedy": error.remedy},
        }
    }


def error_reply(error: HomeswarmError) -> Response:
    headers: dict[str, str] = {}
    if error.http_status == 401:
        headers["www-authenticate"] = "Bearer"
    if error.http_status in (429, 503):
        headers["retry-after"] = str(RETRY_AFTER_S)
    return json_reply(error_body(error), error.http_status, headers)
