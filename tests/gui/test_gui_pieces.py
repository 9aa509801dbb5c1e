"""Messages cut into pieces: nothing is lost, nothing is long, and growing gives what cutting anew gives."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.gui.chat.code import spans
from swarm_app.gui.chat.pieces import HARD, MAX_LINES, Piece, code_of, grown, split_markdown, split_plain

LINES = st.lists(
    st.sampled_from(
        [
            "",
            "word",
            "```",
            "```python",
            "~~~",
            "- item",
            "  more",
            "1. one",
            "# head",
            "    code",
            "x" * 90,
            "é漢😀",
        ]
    ),
    max_size=60,
)


def kinds(text: str) -> list[tuple[str, str, str]]:
    return [(piece.kind, piece.language, piece.text) for piece in split_markdown(text)]


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", []),
        ("\n\n", []),
        ("one\n\ntwo", [("prose", "", "one\n\ntwo")]),
        ("a\n```py\nx = 1\n```\nb", [("prose", "", "a"), ("code", "py", "x = 1"), ("prose", "", "b")]),
        ("```\n\nx\n\n```", [("code", "", "\nx\n")]),
        ("```js title\nopen", [("code", "js", "open")]),
        ("````\n```\n````", [("code", "", "```")]),
        ("~~~\n```\n~~~\nz", [("code", "", "```"), ("prose", "", "z")]),
        ("```python\n```", [("code", "python", "")]),
    ],
)
def test_fences(text: str, pieces: list[tuple[str, str, str]]) -> None:
    assert kinds(text) == pieces


@given(LINES)
def test_nothing_is_lost_and_no_piece_is_long(lines: list[str]) -> None:
    text = "\n".join(lines * 20)
    pieces = split_markdown(text)
    assert all(len(piece.text) <= HARD and piece.text.count("\n") <= MAX_LINES for piece in pieces)
    said = "".join(piece.text for piece in pieces)
    for word in ("word", "é漢😀", "x" * 90):
        assert said.count(word) == text.count(word)


@given(LINES, st.lists(st.integers(1, 30), min_size=1, max_size=40))
def test_growing_is_cutting_anew(lines: list[str], steps: list[int]) -> None:
    text = "\n".join(lines)
    pieces: list[Piece] = []
    at = 0
    for step in steps:
        at = min(len(text), at + step)
        pieces = grown(pieces, text[:at])
    assert "".join(p.text for p in pieces) == "".join(p.text for p in split_markdown(text[:at]))


def test_a_list_stays_together_over_gaps() -> None:
    text = "\n\n".join(f"{n}. {'item ' * 40}" for n in range(1, 12))
    assert len(split_markdown(text)) == 1


def test_the_whole_of_a_long_code_block_is_copied() -> None:
    code = "\n".join(f"line {n}" for n in range(500))
    pieces = split_markdown(f"before\n```\n{code}\n```\nafter")
    assert [piece.first for piece in pieces if piece.kind == "code"] == [True, False, False, False, False]
    assert code_of(pieces, pieces[1].start) == code


@pytest.mark.parametrize("text", ["x" * 1_000_000, "line\n" * 200_000, "word " * 200_000])
def test_a_megabyte_is_cut_in_a_moment(text: str) -> None:
    began = time.process_time()
    assert sum(len(piece.text) for piece in split_plain(text)) > 700_000
    assert split_markdown(text)
    assert time.process_time() - began < 2


def test_colours_count_as_qt_does() -> None:
    assert spans('s = "😀"  # é', "python")[0] == [(4, 4, "string"), (10, 3, "comment")]
    assert spans("anything", "no-such-language") == [[]]
