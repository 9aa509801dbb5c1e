"""How a refusal crosses hivemind's RPCs: an error's code and sentence in the text of the failure."""

from __future__ import annotations

import re

from swarm_app.domain.errors import HomeswarmError

_REFUSAL = re.compile(r"\[([a-z][a-z0-9_-]{0,40})\] (.{1,400})", re.DOTALL)


def wire_error(error: HomeswarmError) -> RuntimeError:
    """What a caller is told: code and sentence; `refusal_in` reads it back."""
    return RuntimeError(f"[{error.code}] {error.message}")


def refusal_in(text: str) -> tuple[str, str] | None:
    """Code and sentence that `wire_error` has put into the text of a failed call."""
    found = _REFUSAL.search(text)
    return None if found is None else (found[1], found[2])
