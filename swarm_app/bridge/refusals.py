"""How a refusal crosses hivemind's RPCs: an error's code and sentence in the text of the failure."""

from __future__ import annotations

import re

from swarm_app.domain.errors import CacheFull, HomeswarmError, PeerRefused

_REFUSAL = re.compile(r"\[([a-z][a-z0-9_-]{0,40})\] (.{1,400})", re.DOTALL)


def wire_error(error: HomeswarmError) -> RuntimeError:
    """What a caller is told: code and sentence; `refusal_in` reads it back."""
    return RuntimeError(f"[{error.code}] {error.message}")


def own_failure(error: Exception) -> HomeswarmError:
    """What a caller is told of an error of this computer's own: its kind, and nothing of its innards."""
    said = str(error).lower()
    # PyTorch's allocators say it with a RuntimeError each in its own words.
    if isinstance(error, MemoryError) or "allocate memory" in said or "out of memory" in said:
        return CacheFull("There is no memory left for this conversation.")
    return PeerRefused("It met an error of its own.")


def refusal_in(text: str) -> tuple[str, str] | None:
    """Code and sentence that `wire_error` has put into the text of a failed call."""
    found = _REFUSAL.search(text)
    return None if found is None else (found[1], found[2])
