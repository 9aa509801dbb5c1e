"""Whether this computer contributes now, for the sake of whoever uses it. Pure.

From what is known of the computer, the owner's rules and the owner's own choice to one of three stances.
What is not known never pauses anybody. What comes and goes has to stay for a moment before it counts, so
that a film that is paused for a second, or a plug that is moved, takes nobody's session away.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from swarm_app.config.choicefile import OwnChoice
from swarm_app.config.schedule import ANY_TIME, Schedule


class Condition(StrEnum):
    """What can stand against contributing, the strongest first."""

    FULL_SCREEN = "full-screen"
    BATTERY = "battery"
    METERED = "metered"
    ACTIVE = "active"


SCHEDULE = "schedule"
OWNER = "owner"
"""The other two codes of reasons."""


class Stance(StrEnum):
    CONTRIBUTING = "contributing"
    GENTLE = "gentle"
    """At lower priority: programs of whoever uses the computer go first."""
    PAUSED = "paused"
    """Nothing is served to other computers."""


PAUSE = "pause"
GENTLE = "gentle"
IGNORE = "ignore"


@dataclass(frozen=True, slots=True)
class Rules:
    """What the options say: ``pause``, ``gentle`` or ``ignore`` for each condition."""

    when_active: str = IGNORE
    when_full_screen: str = IGNORE
    on_battery: str = IGNORE
    on_metered: str = IGNORE
    schedule: Schedule = ANY_TIME

    def about(self, condition: Condition) -> str:
        return {
            Condition.FULL_SCREEN: self.when_full_screen,
            Condition.BATTERY: self.on_battery,
            Condition.METERED: self.on_metered,
            Condition.ACTIVE: self.when_active,
        }[condition]


NO_RULES = Rules()

SETTLE_S: dict[Condition, tuple[float, float]] = {
    Condition.FULL_SCREEN: (2.0, 20.0),
    Condition.BATTERY: (0.0, 5.0),
    Condition.METERED: (0.0, 5.0),
    Condition.ACTIVE: (0.0, 60.0),
}
"""Seconds for which a condition has to be seen before it stands, and to be gone before it does not. A full
screen of two seconds is a splash; out of a game one looks at something else for a moment. Somebody is seen
as active for five minutes after their last touch (`host.presence`), and a minute longer here: whoever
touches the mouse every few minutes is active all the time."""


@dataclass(frozen=True, slots=True)
class Latch:
    """One condition over time."""

    stands: bool = False
    differs_at: float | None = None
    """Since when what is seen says otherwise, in monotonic seconds."""


def settle(latch: Latch, seen: bool | None, now: float, begin_s: float, end_s: float) -> Latch:
    """The latch at monotonic second `now`; what cannot be known (None) stands no longer, and at once."""
    there = seen is True
    if seen is None or there is latch.stands:
        return Latch(there)
    since = now if latch.differs_at is None else min(latch.differs_at, now)
    if now - since >= (begin_s if there else end_s):
        return Latch(there)
    return Latch(latch.stands, since)


@dataclass(frozen=True, slots=True)
class Decision:
    """`reasons` are codes, the strongest first: conditions, ``schedule`` and ``owner``. Of a stance that the
    owner's "contribute" holds up, those after ``owner`` are what it wins over."""

    stance: Stance = Stance.CONTRIBUTING
    reasons: tuple[str, ...] = ()
    until_epoch: float | None = None
    """When it ends by itself, where the clock alone decides that; seconds since the epoch."""
    by_owner: bool = False


FREELY = Decision()
"""Nothing stands against contributing."""


def paused_by_owner(until_epoch: float | None) -> Decision:
    return Decision(Stance.PAUSED, (OWNER,), until_epoch, by_owner=True)


def decide(
    rules: Rules, standing: frozenset[Condition], choice: OwnChoice | None, local: datetime, now_epoch: float
) -> Decision:
    """`local` is the time on the wall (naive), `now_epoch` the same moment in seconds since the epoch."""
    if is_over(choice, rules, standing, local, now_epoch):
        choice = None
    if choice is not None and choice.what == "pause":
        return paused_by_owner(choice.until_epoch)
    against = _against(rules, standing, local)
    if against and choice is not None:
        return Decision(Stance.CONTRIBUTING, (OWNER, *against), by_owner=True)
    clock = rules.schedule.changes_at(local)
    until_epoch = None if clock is None else clock.timestamp()
    if against:
        return Decision(Stance.PAUSED, against, until_epoch if against == (SCHEDULE,) else None)
    gentle = tuple(c.value for c in Condition if c in standing and rules.about(c) == GENTLE)
    return Decision(Stance.GENTLE if gentle else Stance.CONTRIBUTING, gentle, until_epoch)


def is_over(
    choice: OwnChoice | None,
    rules: Rules,
    standing: frozenset[Condition],
    local: datetime,
    now_epoch: float,
) -> bool:
    """Whether a choice holds no longer: its time is up, or it wins over nothing any more."""
    if choice is None:
        return False
    if choice.what == "pause":
        return choice.until_epoch is not None and now_epoch >= choice.until_epoch
    return not _against(rules, standing, local)


def _against(rules: Rules, standing: frozenset[Condition], local: datetime) -> tuple[str, ...]:
    found = [c.value for c in Condition if c in standing and rules.about(c) == PAUSE]
    if not rules.schedule.open(local):
        found.append(SCHEDULE)
    return tuple(found)


# ---------------------------------------------------------------- in words

TEXTS = {
    Condition.FULL_SCREEN.value: "a program fills the screen",
    Condition.BATTERY.value: "this computer runs on battery",
    Condition.METERED.value: "the network is paid by volume",
    Condition.ACTIVE.value: "somebody uses this computer",
    SCHEDULE: "it is outside the times that you set",
    OWNER: "you asked for it",
}


def sentence(decision: Decision, now: datetime) -> str:
    """One plain sentence. `now` is local and naive."""
    until = "" if decision.until_epoch is None else f" until {_clock(decision.until_epoch, now)}"
    others = [TEXTS[code] for code in decision.reasons if code != OWNER]
    why = " and ".join(others)
    match decision.stance:
        case Stance.PAUSED if decision.by_owner:
            return f"Paused{until}, as you asked."
        case Stance.PAUSED:
            return f"Paused{until}: {why}."
        case Stance.GENTLE:
            return f"Contributing gently{until}: {why}."
        case _ if decision.by_owner and why:
            return f"Contributing, as you asked, although {why}."
        case _:
            return f"Contributing{until}."


def _clock(epoch: float, now: datetime) -> str:
    at = datetime.fromtimestamp(epoch)
    days = (at.date() - now.date()).days
    day = (
        "" if days == 0 else "tomorrow " if days == 1 else f"{at:%A} " if 0 < days < 7 else f"{at:%Y-%m-%d} "
    )
    return f"{day}{at:%H:%M}"
