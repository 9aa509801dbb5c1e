"""Pauses that a person can feel: what they are called and how they are told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from swarm_app.domain.said import Said, reasons_of, say

FELT_S: Final = 0.3
"""A silence longer than this is felt, and is recorded with its cause."""

ASLEEP: Final = "asleep"
"""The peer said goodnight."""
LEFT: Final = "left"
"""The peer said goodbye: it was stopped."""
PAUSED: Final = "paused"
"""The peer serves nobody but its own computer for now: its owner took it back, or needs it."""

PAUSED_REASON: Final = say("paused")
"""What is told of a peer that has left so, beside its state."""

FAREWELLS: Final = frozenset({ASLEEP, LEFT, PAUSED})
"""What a peer says of itself when it takes its blocks back."""
SILENT: Final = "silent"
"""The peer answers nothing, not even a heartbeat."""
BROKEN: Final = "broken"
"""The connection ended: the peer's process or its computer died, or the network cut it."""
REFUSED: Final = "refused"
"""The peer could not do the step."""
SLOW: Final = "slow"
"""The peer lives and was so late that others were quicker."""
LATE: Final = "late"
"""The peer was so late that others were quicker, and the answer ended before it was known why."""
SLOW_COMPUTE: Final = "slow-compute"
"""The peer took unusually long to compute; it was waited for."""
SLOW_LINK: Final = "slow-link"
"""The way to the peer and back took unusually long; it was waited for."""

LOCAL: Final = "local"
"""The household could not go on in time; the model of this computer alone did."""

_WHAT: Final = {
    ASLEEP: "{peer} went to sleep",
    LEFT: "{peer} was stopped",
    PAUSED: "{peer} paused contributing",
    SILENT: "{peer} stopped answering",
    BROKEN: "the connection to {peer} broke",
    REFUSED: "{peer} could not go on",
    SLOW: "{peer} was too slow",
    LATE: "{peer} did not answer in time",
    SLOW_COMPUTE: "{peer} was slow to compute",
    SLOW_LINK: "the connection to {peer} was slow",
}


@dataclass(frozen=True, slots=True)
class Pause:
    """A silence that was felt, or a move from one peer to another whether it was felt or not."""

    cause: str
    """One of the causes here."""
    peer: str
    name: str
    moved_to: tuple[str, ...]
    """Names of the computers that took over, in order; empty where the peer was waited for."""
    detect_s: float
    """From the step's sending until the loss was known; of a takeover, from the last text to the decision."""
    route_s: float
    """Choosing the replacement and being admitted by it; of a takeover, ending the household's part, and
    until the local model was in memory."""
    replay_s: float
    """Feeding it the history; of a takeover, until the local model's first word."""
    total_s: float
    at_token: int
    """Tokens of the answer that were there."""
    text: str
    """The sentence for people."""
    load_s: float = 0.0
    """Of `route_s`: waiting for the local model to be in memory; 0 for all but a takeover."""
    words_may_differ: bool = False
    """It went to computers that round otherwise: without the pause the words might have been others."""

    @property
    def worth_telling(self) -> bool:
        """Whether a person wants to read of it: it was felt, or the answer went to another computer."""
        return self.total_s > FELT_S or bool(self.moved_to)


def sentence(
    cause: str, peer: str, moved_to: Sequence[str], seconds: float, *, words_may_differ: bool = False
) -> str:
    """One plain sentence: "desk went to sleep; moved to attic in 0.4 s". Unknown causes read as silence.

    With `words_may_differ` it says that the others compute with another kind of processor.
    """
    what = _WHAT.get(cause, _WHAT[SILENT]).format(peer=peer)
    if not moved_to:
        return f"{what}; waited {seconds:.1f} s for it"
    moved = f"{what}; moved to {' and '.join(moved_to)} in {seconds:.1f} s"
    return f"{moved}, where another kind of processor may choose other words" if words_may_differ else moved


def taken_over(reason: str, model: str, seconds: float) -> Said:
    """One plain sentence: "attic is asleep; smollm2 on this computer went on in 0.9 s"."""
    return Said(f"{reason}; {model} on this computer went on in {seconds:.1f} s", reasons_of(reason))
