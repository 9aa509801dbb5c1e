"""Reasons that the node gives in codes: each is said in every language, and nothing of the English shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication

from swarm_app.domain import pause
from swarm_app.domain.said import SENTENCES, Said, in_words, joined, reason_views, reasons_of, say
from swarm_app.gui import reasons, tongue, words
from swarm_app.gui.chat.trace import trace_lines
from swarm_app.gui.swarm.page import changed_lately, peer_cells
from swarm_app.gui.swarm.strip import peer_line
from swarm_app.gui.tongue import LANGUAGES
from tests.gui.stage import peer
from tests.gui.test_gui_words import every_code
from tests.translate import ROOT


@pytest.fixture
def speak(qapp: QApplication) -> Iterator[Any]:
    yield lambda language: tongue.install(qapp, language)
    tongue.install(qapp, "en")


def told(code: str, *names: str) -> Said:
    """A reason with every value that its words may want."""
    return say(code, *(names or ("attic",)), number=2.5, least=10.0, about="removed", text=": x")


def views(text: str) -> list[Any]:
    return list(reason_views(reasons_of(text)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reason_is_said_in_every_language(speak: Any, language: str) -> None:
    speak(language)
    for code in SENTENCES:
        english = told(code)
        (one,) = views(english)
        said = reasons.sentence(one)
        assert said, f"{code} is not said"
        if code != "error":
            # What changed in the household says the same as the computer itself.
            changed: Any = {"at": 0.0, "name": "attic", "before": "available", "after": "unreachable"}
            ((_, what),) = changed_lately([changed | {"reason": str(english), "why": [one]}])
            assert what.endswith(f"({said})"), what
        assert "{" not in said, said
        assert one["code"] not in said.split() or language == "en", said
        if language != "en":
            assert said != english, said


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_stands_inside_a_sentence_as_a_part_of_it(speak: Any, language: str) -> None:
    speak(language)
    for code in every_code():
        said = reasons.part_of_sentence(code)
        assert said, code
        if language != "de":  # whose nouns are capitals
            assert said[0].islower() or said.startswith("Homeswarm") or said[:2].isupper(), said


def test_the_node_says_only_what_the_table_has_and_all_of_it() -> None:
    said: set[str] = set()
    for path in (ROOT / "swarm_app").rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        if path.parts[-2:] != ("domain", "said.py") and "swarm_app/gui" not in path.as_posix():
            for call in re.findall(r"\bsay\(([^()]*)", text):
                said |= set(re.findall(r'"([a-z-]+)"', call))
            said |= set(re.findall(r'": "(peer-[a-z]+)"', text))
    assert said == set(SENTENCES)


def test_english_words_keep_their_codes_through_what_is_done_with_them() -> None:
    both = joined(" and ", [say("broke-off"), say("silent", number=0.62)])
    assert both == "broke off the connection and did not answer for 0.6 s"
    assert [reason.code for reason in reasons_of(both)] == ["broke-off", "silent"]
    taken = pause.taken_over(both, "smollm2", 1.6)
    assert taken == f"{both}; smollm2 on this computer went on in 1.6 s"
    assert reasons_of(taken) == reasons_of(both)
    assert reasons_of(str(both)) == []
    assert say("peer-asleep", "attic") == "attic is asleep"
    assert say("peer-asleep", "a", "b", "c") == "a, b and c are asleep"
    assert say("peer-unusable", "{x}", text="{y}") == "{x} cannot be used ({y})"
    assert say("was-slow", number=2.54, least=10) == (
        "the household gave 2.5 tokens per second, less than 10"
    )
    assert [in_words(seconds) for seconds in (9.94, 12.4, 300, 7200, 200_000)] == [
        *("9.9 s", "12 s", "5 min", "2 h", "2 days")
    ]


@pytest.mark.parametrize(
    ("reason", "english", "german"),
    [
        (say("asked-for"), "as you asked", "wie du wolltest"),
        (say("peer-asleep", "attic"), "attic: asleep", "attic: schläft"),
        (
            joined(
                ", ", [say("peer-silent", "a", "b"), say("peer-unusable", "den", text="it has another model")]
            ),
            "a, b: no answer, den: cannot be used",
            "a, b: keine Antwort, den: nicht nutzbar",
        ),
        (
            say("household-silent", number=2.5),
            "the household was silent for 2.5 s",
            "der Haushalt war 2,5 s lang still",
        ),
        (
            say("error", about="removed", text="this computer was removed from the swarm home"),
            "this computer was removed from the household",
            "Dieser Computer wurde aus dem Haushalt entfernt",
        ),
        ("of an older node", "of an older node", "der Haushalt konnte nicht weitermachen"),
    ],
)
def test_a_takeover_is_told_in_the_users_language(speak: Any, reason: str, english: str, german: str) -> None:
    segment = {
        "engine": "local",
        "model": "m",
        "reason": reason,
        "why": views(reason),
        "completion_tokens": 3,
    }
    text = pause.taken_over(reason, "m", 1.6)
    took_over = {"cause": pause.LOCAL, "name": "", "moved_to": ["m"], "total_s": 1.6}
    took_over |= {"text": str(text), "why": views(text)}
    for language, said, rest in (
        ("en", english, "this computer went on alone in 1.6 s"),
        ("de", german, "dieser Computer machte nach 1,6 s allein weiter"),
    ):
        speak(language)
        assert words.pause_sentence(took_over) == f"{said}; {rest}"
        assert f"({said})" in words.who_answered({"segments": [segment]})
        view: Any = {"answer": {"segments": [segment], "prompt_tokens": 3}}
        assert said in trace_lines(view)[1][1]


def test_a_problem_names_its_computers_in_the_users_language(speak: Any) -> None:
    problem = {
        "code": "version-mismatch",
        "message": "attic runs a newer version of Homeswarm; what is served there cannot be used here.",
        "remedy": "Update Homeswarm on this computer.",
        "why": views(say("newer-version", "attic")),
    }
    assert reasons.of_problem(problem) == f"{problem['message']} {problem['remedy']}"
    speak("de")
    assert reasons.of_problem(problem) == (
        "attic: eine neuere Version von Homeswarm; diesen Computer aktualisieren."
    )
    del problem["why"]  # as a node without codes tells it
    assert reasons.of_problem(problem).startswith("Die Computer haben")


@pytest.mark.parametrize(
    ("state", "reason", "english", "german"),
    [
        ("available", "", "available", "verfügbar"),
        (
            "available",
            say("late", number=0.42),
            "takes 420 ms for a step",
            "braucht 420 ms für einen Schritt",
        ),
        ("asleep", say("asleep"), "asleep, 5 minutes ago", "schläft, vor 5 Minuten"),
        (
            "unreachable",
            joined(" and ", [say("broke-off"), say("silent", number=400)]),
            "broke off the connection and did not answer for 7 minutes",
            "hat die Verbindung abgebrochen und hat 7 Minuten lang nicht geantwortet",
        ),
        (
            "available",
            say("error", about="removed", text="attic was removed from the swarm"),
            "attic was removed from the swarm",
            "Dieser Computer wurde aus dem Haushalt entfernt",
        ),
    ],
)
def test_why_a_computer_is_not_used_is_told_in_the_users_language(
    speak: Any, state: str, reason: str, english: str, german: str
) -> None:
    one: Any = peer("attic", 10, 20, state, reason=str(reason), why=views(reason), on_route=not reason)
    for language, said in (("en", english), ("de", german)):
        speak(language)
        assert peer_cells(one)[1].endswith(said)
        assert said.partition(", ")[0] in peer_line(one)
