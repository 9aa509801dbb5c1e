"""What is read of a person's presence, and what each system's file has to offer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from swarm_app.domain.errors import HomeswarmError


class CannotKnow(HomeswarmError):
    """The system does not say; the message is the rest of a sentence that says why."""

    code = "presence-unknown"


@dataclass(frozen=True, slots=True)
class Reading:
    """How it is at one moment."""

    idle_s: float | None = None
    """Seconds since somebody last touched keyboard, mouse or screen; infinite where nobody sits here. None
    where that cannot be known, for the reason in `why_no_idle`."""
    full_screen: bool | None = None
    """Whether the program in front fills the screen; None as above."""
    why_no_idle: str = ""
    """The end of a sentence, without its full stop; "" where it is known."""
    why_no_full_screen: str = ""


class PresenceSource(Protocol):
    """One system's file: dumb, reads when asked."""

    async def read(self) -> Reading:
        """Never raises for want of a service; takes a few seconds at most."""
        ...

    async def close(self) -> None:
        """Give everything back. Safe to call twice; a later `read` may open it anew."""
        ...


class Nowhere:
    """Implements `PresenceSource` where nothing can be known."""

    def __init__(self, why: str) -> None:
        self._reading = Reading(why_no_idle=why, why_no_full_screen=why)

    async def read(self) -> Reading:
        return self._reading

    async def close(self) -> None:
        return
