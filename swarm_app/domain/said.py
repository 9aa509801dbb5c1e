"""Why something is as it is: a part of an English sentence that knows its codes and values.

Terminals and the API show the English; the window says the same in the user's language, by the codes. All
reasons are in `SENTENCES`, so that neither can have one that the other does not know.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, TypedDict


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason without its words. What a code does not need is empty."""

    code: str
    names: list[str] = field(default_factory=list)
    """Of computers."""
    number: float | None = None
    """Seconds, or tokens per second."""
    least: float | None = None
    """What `number` should be at least."""
    about: str = ""
    """The code of the error behind it."""


class ReasonParts(TypedDict):
    """A `Reason` as the local API tells it."""

    code: str
    names: list[str]
    number: float | None
    least: float | None
    about: str


SENTENCES: Final[dict[str, str | tuple[str, str]]] = {
    # Of a peer, to stand behind its name.
    "starting": "starting",
    "unannounced": "stopped announcing itself",
    "late": "takes {time} for a step",
    "broke-off": "broke off the connection",
    "asleep": "went to sleep",
    "goodbye": "said goodbye",
    "paused": "paused contributing",
    "stopped": "stopped serving",
    "silent": "did not answer for {time}",
    "unreached": "cannot be reached",
    "vouched-for": "answers other computers, but not this one",
    "only-announced": "announces itself, but does not answer this computer",
    "moved": "moved to another address",
    "other-model": "serves another model",
    "other-blocks": "announces blocks that the model does not have",
    "error": "{text}",
    # Of computers whose blocks cannot be used.
    "newer-version": (
        "{names} runs a newer version of Homeswarm",
        "{names} run a newer version of Homeswarm",
    ),
    "older-version": (
        "{names} runs an older version of Homeswarm",
        "{names} run an older version of Homeswarm",
    ),
    "other-version": (
        "{names} runs another version of Homeswarm",
        "{names} run another version of Homeswarm",
    ),
    # Why this computer trusts its own judgement of others less.
    "just-woke": "this computer just woke up",
    "just-moved": "this computer just changed its network",
    "blind": "no other computer answers this one; its own connection may be down",
    "busy-here": "this computer is very busy",
    # Why the model of this computer alone answers.
    "asked-for": "asked for",
    "node-stopping": "this computer's node is stopping",
    "in-no-household": "this computer is in no household",
    "checking": "this computer is still looking up which household it belongs to",
    "keys-locked": "the keys of this computer's household cannot be read now",
    "was-removed": "this computer was removed from its household",
    "twin": "another computer runs with this one's identity",
    "no-model": "there is no model on this computer that a household could share",
    "chats-down": "the process that runs this computer's chats is down{text}",
    "chats-restarting": "the process that runs this computer's chats is being started again{text}",
    "chats-starting": "the process that runs this computer's chats is still starting{text}",
    "chats-stopped": "the process that runs this computer's chats is not running",
    "chats-missing": "the process that runs this computer's chats is not there",
    "blocks-restarting": "the process that serves this computer's blocks is being started again{text}",
    "blocks-down": "the process that serves this computer's blocks is down{text}",
    "blocks-loading": "this computer is still loading its blocks",
    "blocks-reloading": "this computer's blocks are being loaded again",
    "blocks-paused": "this computer's own blocks are paused",
    "about-to-sleep": "this computer is about to sleep",
    "looking": "this computer is still looking for the others",
    "alone": "no other computer is there",
    "uncovered": "nobody serves blocks {text}",
    "peer-silent": ("{names} does not answer", "{names} do not answer"),
    "peer-asleep": ("{names} is asleep", "{names} are asleep"),
    "peer-stopped": ("{names} has stopped", "{names} have stopped"),
    "peer-paused": ("{names} has paused contributing", "{names} have paused contributing"),
    "peer-loading": ("{names} is still loading its blocks", "{names} are still loading their blocks"),
    "peer-unusable": "{names} cannot be used ({text})",
    "household-silent": "the household was silent for {time}",
    "household-just-back": "the household has been back for {number:.0f} s only",
    "would-be-slow": "the household would give {number:.1f} tokens per second, less than {least:g}",
    "was-slow": "the household gave {number:.1f} tokens per second, less than {least:g}",
}
"""By code; two where one computer and several are told of differently."""


class Said(str):
    """The English words; `reasons` in their order. As a string it is nothing but them."""

    reasons: tuple[Reason, ...]

    def __new__(cls, text: str, reasons: Iterable[Reason] = ()) -> Said:
        said = super().__new__(cls, text)
        said.reasons = tuple(reasons)
        return said


def say(
    code: str,
    *names: str,
    number: float | None = None,
    least: float | None = None,
    about: str = "",
    text: str = "",
) -> Said:
    """The words of a code; `text` is English detail in them, which the codes leave out."""
    words = SENTENCES[code]
    if not isinstance(words, str):
        words = words[len(names) > 1]
    time = "" if number is None else in_words(number)
    told = words.format(names=listed(names), number=number, least=least, time=time, text=text)
    return Said(told, [Reason(code, list(names), number, least, about)])


def joined(separator: str, said: Iterable[str]) -> Said:
    """Several reasons in one sentence."""
    every = list(said)
    return Said(separator.join(every), [reason for one in every for reason in reasons_of(one)])


def reasons_of(text: str) -> list[Reason]:
    """The codes of what was said; none of other text."""
    return list(text.reasons) if isinstance(text, Said) else []


def reason_views(reasons: Iterable[Reason]) -> list[ReasonParts]:
    """For the local API."""
    return [
        ReasonParts(code=one.code, names=list(one.names), number=one.number, least=one.least, about=one.about)
        for one in reasons
    ]


def listed(names: Sequence[str]) -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    return names[0] if len(names) == 1 else " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def in_words(seconds: float) -> str:
    """A duration as people say it: ``0.3 s``, ``12 s``, ``5 min``, ``3 h``, ``2 days``."""
    seconds = max(0.0, seconds)
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    for limit_s, unit_s, unit in ((119.5, 1, "s"), (119.5 * 60, 60, "min"), (47.5 * 3600, 3600, "h")):
        if seconds < limit_s:
            return f"{seconds / unit_s:.0f} {unit}"
    return f"{seconds / 86400:.0f} days"
