"""Stop strings (G2): exact text, however the stream is cut."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.engines.stops import StopFilter


def stream(pieces: list[str], stops: list[str]) -> tuple[list[str], bool]:
    stop_filter = StopFilter(stops)
    shown = [stop_filter.feed(piece) for piece in pieces]
    return [*shown, stop_filter.finish()], stop_filter.stopped


@pytest.mark.parametrize(
    ("stops", "expected", "stopped"),
    [
        (["DEFGHIJ"], "ABC", True),
        (["DEX"], string.ascii_uppercase, False),
        (["XYZA", "DEX", "MNO"], "ABCDEFGHIJKL", True),
        (["Z"], string.ascii_uppercase[:-1], True),
        (["A"], "", True),
        ([""], string.ascii_uppercase, False),
        ([], string.ascii_uppercase, False),
    ],
)
def test_the_alphabet_letter_by_letter(stops: list[str], expected: str, stopped: bool) -> None:
    shown, was_stopped = stream(list(string.ascii_uppercase), stops)
    assert "".join(shown) == expected
    assert was_stopped is stopped
    whole, _ = stream([string.ascii_uppercase], stops)
    assert "".join(whole) == expected


def test_only_what_may_still_be_a_stop_is_held_back() -> None:
    shown, _ = stream(list("ABCDEFG"), ["DEX"])
    assert shown == ["A", "B", "C", "", "", "DEF", "G", ""]


def test_a_stop_within_its_own_beginning_is_found() -> None:
    assert stream(list("aaab"), ["aab"]) == (["", "", "a", "", ""], True)
    assert stream(list("abababc"), ["ababc"])[0] == ["", "", "", "", "ab", "", "", ""]


def test_the_first_complete_one_wins_and_of_two_the_longer() -> None:
    assert "".join(stream(["xABCy"], ["ABC", "B"])[0]) == "xA"
    assert "".join(stream(["xABCy"], ["BC", "ABC", "C"])[0]) == "x"


def test_nothing_comes_after_a_stop() -> None:
    stop_filter = StopFilter(["##"])
    assert stop_filter.feed("a##b") == "a"
    assert stop_filter.feed("c") == ""
    assert stop_filter.finish() == ""


def test_unicode_stops() -> None:
    assert "".join(stream(["né 漢", "字 😀", " x"], ["字 😀"])[0]) == "né 漢"
    assert "".join(stream(["👩‍", "👩‍👧"], ["‍👧"])[0]) == "👩‍👩"


def naive(text: str, stops: list[str]) -> str:
    for end in range(1, len(text) + 1):
        found = [stop for stop in stops if stop and text[:end].endswith(stop)]
        if found:
            return text[: end - max(map(len, found))]
    return text


texts = st.text(alphabet="ab é", max_size=40)


@given(st.lists(texts), st.lists(st.text(alphabet="ab é", max_size=6), max_size=4))
def test_any_cutting_gives_what_the_whole_gives(pieces: list[str], stops: list[str]) -> None:
    shown, _ = stream(pieces, stops)
    assert "".join(shown) == naive("".join(pieces), stops)


@given(st.lists(texts), st.lists(st.text(alphabet="ab é", min_size=1, max_size=6), min_size=1, max_size=4))
def test_what_is_held_back_is_the_beginning_of_a_stop(pieces: list[str], stops: list[str]) -> None:
    stop_filter = StopFilter(stops)
    fed = shown = ""
    for piece in pieces:
        fed += piece
        shown += stop_filter.feed(piece)
        if stop_filter.stopped:
            return
        held = fed[len(shown) :]
        assert not held or any(stop.startswith(held) and stop != held for stop in stops)
