"""Times of day as people write them: over midnight, with days, and when they begin and end."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from swarm_app.config import choicefile
from swarm_app.config.choicefile import OwnChoice
from swarm_app.config.schedule import DAYS, Schedule, parse

MONDAY = datetime(2026, 11, 30)


def at(day: str, clock: str) -> datetime:
    hours, minutes = map(int, clock.split(":"))
    return MONDAY + timedelta(days=DAYS.index(day), hours=hours, minutes=minutes, seconds=17)


@pytest.mark.parametrize(
    ("text", "day", "clock", "is_open", "changes"),
    [
        ("always", "mon", "12:00", True, None),
        ("00:00-24:00", "mon", "12:00", True, None),
        ("08:00-12:30", "mon", "07:59", False, ("mon", "08:00")),
        ("08:00-12:30", "mon", "08:00", True, ("mon", "12:30")),
        ("08:00-12:30", "mon", "12:30", False, ("tue", "08:00")),
        ("22:00-07:00", "mon", "21:59", False, ("mon", "22:00")),
        ("22:00-07:00", "mon", "23:30", True, ("tue", "07:00")),
        ("22:00-07:00", "tue", "06:59", True, ("tue", "07:00")),
        ("22:00-07:00", "sun", "23:00", True, ("mon", "07:00")),
        ("fri 22:00-07:00", "sat", "03:00", True, ("sat", "07:00")),
        ("fri 22:00-07:00", "sun", "03:00", False, ("fri", "22:00")),
        ("mon-fri 18:00-23:00, sat-sun 00:00-24:00", "sat", "00:00", True, ("mon", "00:00")),
        ("MON-FRI 18:00 - 23:00", "fri", "23:00", False, ("mon", "18:00")),
        ("sat-mon 9:00-10:00", "mon", "09:30", True, ("mon", "10:00")),
    ],
)
def test_when_it_is_open_and_when_that_changes(
    text: str, day: str, clock: str, is_open: bool, changes: tuple[str, str] | None
) -> None:
    schedule, now = parse(text), at(day, clock)
    assert schedule.open(now) is is_open
    then = schedule.changes_at(now)
    if changes is None:
        assert then is None
    else:
        assert then is not None
        assert (DAYS[then.weekday()], f"{then:%H:%M}") == changes
        assert timedelta(0) < then - now <= timedelta(days=7)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "never",
        "8-12",
        "08:00",
        "08:60-09:00",
        "25:00-26:00",
        "24:01-01:00",
        "08:00-08:00",
        "xyz 08:00-09:00",
        "24:00-08:00",
        ",",
        "mon- 08:00-09:00",
        "08:00-09:00," * 17 + "08:00-09:00",
    ],
)
def test_what_is_no_time_of_day_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match=r"\.$"):
        parse(text)


STEP_MIN = 15
_TIMES = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(0, 95), st.integers(1, 95))


@settings(max_examples=50)
@given(st.lists(_TIMES, min_size=1, max_size=4), st.integers(0, 671))
def test_what_is_said_of_the_next_change_is_true(windows: list[tuple[int, ...]], step: int) -> None:
    parts = []
    for first, last, start, length in windows:
        begins, ends = start * STEP_MIN, (start + length) * STEP_MIN % 1440
        clock = f"{begins // 60}:{begins % 60:02}-{ends // 60}:{ends % 60:02}"
        parts.append(f"{DAYS[first]}-{DAYS[last]} {clock}")
    schedule = parse(", ".join(parts))
    now = MONDAY + timedelta(minutes=step * STEP_MIN)
    then = schedule.changes_at(now)
    ahead = (now + timedelta(minutes=later * STEP_MIN) for later in range(1, 673))
    is_open = schedule.open(now)
    assert then == next((moment for moment in ahead if schedule.open(moment) is not is_open), None)


def test_always_is_the_schedule_without_windows() -> None:
    assert parse(" Always ") == Schedule()


@pytest.mark.parametrize(
    "choice", [OwnChoice("pause"), OwnChoice("pause", 1.8e9), OwnChoice("contribute"), None]
)
def test_a_choice_outlives_the_node(tmp_path: Path, choice: OwnChoice | None) -> None:
    path = tmp_path / "contribution.json"
    choicefile.write(path, OwnChoice("pause", 1.0))
    choicefile.write(path, choice)
    assert choicefile.read(path) == choice
    assert path.exists() is (choice is not None)


@pytest.mark.parametrize(
    "content",
    [
        "",
        "[]",
        "[" * 4000,
        '{"choice": "hope", "until": null}',
        '{"choice": "pause", "until": true}',
        '{"choice": "pause", "until": "soon"}',
        '{"choice": "pause", "until": -1}',
        '{"choice": "pause", "until": NaN}',
        '{"choice": "pause", "until": 1e300}',
        '{"choice": "pause"}',
    ],
)
def test_what_is_no_choice_is_none(tmp_path: Path, content: str) -> None:
    path = tmp_path / "contribution.json"
    path.write_text(content)
    assert choicefile.read(path) is None
