"""The owner's choice about peers that are late."""

from __future__ import annotations

from enum import StrEnum


class Policy(StrEnum):
    """What to do about a peer that is late. A peer that has been given up is left whatever the policy."""

    WAIT = "wait"
    """Wait as long as it lives: nothing is ever computed twice; one slow computer slows everybody."""
    HEDGE = "hedge"
    """Start a second peer beside it and take whichever answers first: costs others some work, and a person
    feels neither a slow peer nor a wrong guess. The default."""
    REROUTE = "reroute"
    """Move away from it: at its first missed heartbeat, or when the wait has cost as much as the move. For
    households whose spare computers are too busy to work twice."""
