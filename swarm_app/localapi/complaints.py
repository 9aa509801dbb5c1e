"""What pydantic found wrong with a request body, in words for whoever sent it.

State owned: none. Callers: the schemas of the local API.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from swarm_app.domain.errors import BadRequest

_SAID = {
    "missing": "this is missing",
    "extra_forbidden": "this is not known here",
    "string_type": "this must be a text",
    "int_type": "this must be a whole number",
    "int_from_float": "this must be a whole number",
    "float_type": "this must be a number",
    "finite_number": "this must be a finite number",
    "bool_type": "this must be true or false",
    "list_type": "this must be a list",
    "dict_type": "this must be an object",
    "model_type": "this must be an object",
    "literal_error": "this must be {expected}",
    "greater_than": "this must be more than {gt}",
    "greater_than_equal": "this must be at least {ge}",
    "less_than": "this must be less than {lt}",
    "less_than_equal": "this must be at most {le}",
    "too_short": "this must not be empty",
    "too_long": "too many of these, at most {max_length} taken",
    "string_too_short": "this must not be empty",
    "string_too_long": "this must have at most {max_length} characters",
}
"""pydantic's kinds of errors. It says them itself, but in its own terms: it names our classes."""


def complaint(error: ValidationError) -> BadRequest:
    """The first complaint as an error that names the field, such as ``messages[0].role``."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ""
    for part in first["loc"]:
        if isinstance(part, int):
            where += f"[{part}]"
        elif part.isidentifier():  # pydantic also names the member of a union, for example "list[any]"
            where += f".{part}" if where else part
    where = where.removesuffix(".str").removesuffix(".int")[:200]
    context: dict[str, Any] = first.get("ctx") or {}
    limits = {name: f"{value:g}" if isinstance(value, float) else value for name, value in context.items()}
    said = _SAID.get(first["type"], "this makes no sense").format(**limits)
    return BadRequest(f"{where or 'body'}: {said}.", param=where or None)
