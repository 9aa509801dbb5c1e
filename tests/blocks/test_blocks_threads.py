"""The number of threads follows what steps take, and comes back when the computer is free again."""

from __future__ import annotations

import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.blocks.threads import TRY_AFTER, TRY_AFTER_AT_MOST, TRY_STEPS, ThreadChoice

IDLE = {4: 0.010, 2: 0.014, 1: 0.022}
BUSY = {4: 0.120, 2: 0.060, 1: 0.023}


def run(choice: ThreadChoice, steps: int, step_s: Callable[[int], float]) -> list[int]:
    taken = []
    for _ in range(steps):
        number = choice.next()
        taken.append(number)
        choice.took(number, step_s(number))
    return taken


@pytest.mark.parametrize(("most", "numbers"), [(1, [1]), (2, [2, 1]), (6, [6, 3, 1]), (16, [16, 8, 4, 2, 1])])
def test_candidates_are_all_half_and_so_on(most: int, numbers: list[int]) -> None:
    assert ThreadChoice(most).numbers == numbers


def test_no_thread_at_all_is_refused() -> None:
    with pytest.raises(ValueError, match="at least one"):
        ThreadChoice(0)


def test_each_number_is_tried_once_and_the_best_is_kept() -> None:
    choice = ThreadChoice(4)
    tries = [4] * (1 + TRY_STEPS) + [2] * (1 + TRY_STEPS) + [1] * 2
    assert run(choice, len(tries), IDLE.__getitem__) == tries
    assert run(choice, TRY_AFTER, IDLE.__getitem__) == [4] * TRY_AFTER


@pytest.mark.parametrize(("probed", "best"), [(IDLE, 4), (BUSY, 1), ({4: 0.012, 2: 0.011, 1: 0.020}, 4)])
def test_a_probe_is_where_it_begins(probed: dict[int, float], best: int) -> None:
    """What is about as quick is not worth a change."""
    choice = ThreadChoice(4)
    for number, step_s in probed.items():
        choice.probed(number, step_s)
    assert choice.next() == best


def test_a_busy_computer_is_noticed_within_a_few_steps() -> None:
    choice = ThreadChoice(4)
    run(choice, 20, IDLE.__getitem__)
    taken = run(choice, 16, BUSY.__getitem__)
    assert taken[-1] == 1
    assert taken.count(4) <= 8


def test_a_computer_that_does_nothing_else_pays_for_no_tries() -> None:
    choice = ThreadChoice(2)
    run(choice, 20, IDLE.__getitem__)
    steps = itertools.count()

    def noisy(number: int) -> float:
        return IDLE[number] * (1.0 + 0.3 * (next(steps) % 3))

    assert run(choice, 500, noisy) == [2] * 500


@pytest.mark.parametrize("slow", [1, 3, 7])
def test_a_few_slow_steps_change_nothing(slow: int) -> None:
    choice = ThreadChoice(2)
    run(choice, 20, IDLE.__getitem__)
    run(choice, slow, lambda _: 0.5)
    taken = run(choice, 10, IDLE.__getitem__)
    assert taken == [2] * 10


def test_all_processors_are_taken_again_when_they_are_free() -> None:
    choice = ThreadChoice(4)
    run(choice, 20, IDLE.__getitem__)
    run(choice, 400, BUSY.__getitem__)
    taken = run(choice, TRY_AFTER_AT_MOST + 5, IDLE.__getitem__)
    assert taken[-1] == 4


def test_losers_are_tried_rarely() -> None:
    choice = ThreadChoice(4)
    taken = run(choice, 1000, BUSY.__getitem__)
    assert sum(number != 1 for number in taken) < 40


def test_the_first_step_after_a_change_is_not_held_against_it() -> None:
    """Workers that slept are woken in it."""
    choice = ThreadChoice(2)
    before = [0]

    def step_s(number: int) -> float:
        woken = 0.5 if number == 2 and before[0] != 2 else 0.0
        before[0] = number
        return IDLE[number] + woken

    assert run(choice, 100, step_s)[-1] == 2


def test_a_hopeless_try_ends_early() -> None:
    choice = ThreadChoice(2)
    run(choice, 20, BUSY.__getitem__)
    taken = run(choice, 2 * TRY_AFTER, BUSY.__getitem__)
    assert taken.count(2) == 2


def test_numbers_that_are_about_equal_do_not_take_turns() -> None:
    wobble = itertools.cycle([0.95, 1.05, 1.0])
    choice = ThreadChoice(2)
    taken = run(choice, 500, lambda number: 0.02 * next(wobble))
    assert sum(a != b for a, b in itertools.pairwise(taken)) < 25


@given(st.integers(1, 64), st.lists(st.floats(1e-4, 10.0), max_size=80))
def test_only_candidates_are_chosen_whatever_the_times(most: int, times: list[float]) -> None:
    choice = ThreadChoice(most)
    for step_s in times:
        number = choice.next()
        assert number in choice.numbers
        choice.took(number, step_s)
    assert choice.best in choice.numbers
