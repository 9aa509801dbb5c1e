"""What is known of this computer beside its processes: its power and sleep, its network, who sits before it.

Times named ``_at`` are monotonic seconds, those that end in ``_epoch`` seconds since the epoch. A part of
`swarm_app.node.state.State`, and changed with it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ComingSleep:
    """The system has said that it will sleep."""

    let_go_at: float
    """The goodnight may take until then."""
    given_up_at: float
    """Who is still awake then will not sleep."""
    let_go: bool = False
    """The system has been told that it need not wait for us any longer."""


@dataclass(frozen=True, slots=True)
class LastSleep:
    slept_s: float
    how: str
    woke_epoch: float


@dataclass(frozen=True, slots=True)
class Power:
    on_battery: bool | None = None
    level: float | None = None
    delays_sleep: bool = False
    """A delay lease is held: the system waits for our goodnight."""
    why_not: str = ""
    """Why there is none although one was asked for."""
    last_sleep: LastSleep | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LinkMove:
    """A change of the network that matters to the household."""

    moved_epoch: float
    reasons: tuple[str, ...]
    rebind_needed: bool
    added: tuple[str, ...] = ()
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Link:
    addresses: tuple[str, ...] = ()
    network: str | None = None
    metered: bool | None = None
    """Paid by volume; None where the system does not say."""
    wireless: bool | None = None
    """Whether the way out is wireless; None while it is not known."""
    last_move: LinkMove | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Seen:
    """What this computer says of the person before it; None is "cannot be known", with the end of a sentence
    that says why."""

    active: bool | None = None
    full_screen: bool | None = None
    why_no_active: str = ""
    why_no_full_screen: str = ""
