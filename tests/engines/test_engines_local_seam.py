"""Where one model ends and another goes on: no seam in the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.engines.local.seam import MAX_REDONE_CHARS, Redone, grammar, split


@pytest.mark.parametrize(
    ("partial", "kept", "redone"),
    [
        ("", "", ""),
        ("Homesw", "", "Homesw"),
        ("The cap", "The", " cap"),
        ("It is Paris.", "It is", " Paris."),
        ("one two ", "one", " two "),
        ("a list:\n\n- ", "a list:", "\n\n- "),
        ("x" * 200, "x" * (200 - MAX_REDONE_CHARS), "x" * MAX_REDONE_CHARS),
        ("   ", "", "   "),
    ],
)
def test_the_last_word_is_written_again_with_the_space_before_it(
    partial: str, kept: str, redone: str
) -> None:
    assert split(partial) == (kept, redone)


@given(st.text(max_size=200))
def test_nothing_is_lost_and_little_is_written_again(partial: str) -> None:
    kept, redone = split(partial)
    assert kept + redone == partial
    assert bool(redone) == bool(partial)
    assert len(redone) <= MAX_REDONE_CHARS


def test_a_cut_in_a_long_word_leaves_marks_with_their_letter() -> None:
    word = "a" * 10 + "e\u0301" * 100
    kept, redone = split(word)
    assert kept + redone == word
    assert not redone.startswith("\u0301")


@given(st.text(min_size=1, max_size=40), st.text(max_size=20), st.randoms())
def test_what_is_written_again_is_not_shown_again(redone: str, new: str, random: object) -> None:
    taken = Redone(redone)
    shown = ""
    text = redone + new
    while text:
        size = random.randint(1, 7)  # type: ignore[attr-defined]
        piece, text = text[:size], text[size:]
        part = taken.feed(piece)
        assert part is not None
        shown += part
    assert shown == new
    assert taken.over


def test_another_text_than_the_one_to_be_written_again_is_noticed() -> None:
    taken = Redone(" Paris")
    assert taken.feed(" Pa") == ""
    assert taken.feed("lermo") is None


def test_the_grammar_spells_every_character() -> None:
    assert grammar('"\n\U0001f600') == 'root ::= "\\U00000022\\U0000000A\\U0001F600" .*'
