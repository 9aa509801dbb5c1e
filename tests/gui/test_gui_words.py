"""The languages: complete, current, and nothing that people read is a code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

from swarm_app.domain import errors, pause
from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import tongue, words
from swarm_app.gui.settings.page import labels
from swarm_app.gui.tongue import LANGUAGES, tr, trn
from tests.translate import CODE, FOLDER, FORMS, compile_to, read, sources

FIELD = re.compile(r"\{\w+\}|%n")


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    tongue.install(qapp, "de")
    yield
    tongue.install(qapp, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_window_is_translated(language: str) -> None:
    known = read(language)
    of_options = set(labels())
    wanted = {text: plural for text, plural in sources().items() if text not in of_options}
    assert sorted(set(wanted) - set(known)) == [], "python -m tests.translate, then translate what is new"
    for text, plural in wanted.items():
        assert len(known[text]) == (FORMS[language] if plural else 1), text
        for form in known[text]:
            fields = set(FIELD.findall(form))
            assert fields <= set(FIELD.findall(text)), text
            assert text == CODE or plural or fields == set(FIELD.findall(text)), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_shipped_translations_are_those_of_their_sources(language: str, tmp_path: Path) -> None:
    compile_to(language, tmp_path / "now.qm")
    shipped = (FOLDER / f"homeswarm_{language}.qm").read_bytes()
    assert (tmp_path / "now.qm").read_bytes() == shipped, "python -m tests.translate renews it"


def test_german_is_spoken(german: None) -> None:
    assert tr("New chat") == "Neuer Chat"
    assert [trn("%n computer(s)", 1), trn("%n day(s) ago", 3)] == ["1 Computer", "vor 3 Tagen"]
    told = {"cause": pause.ASLEEP, "name": "desk", "moved_to": ["attic"], "total_s": 0.4, "text": "x"}
    assert words.pause_sentence(told) == "desk ging schlafen; in 400 ms zu attic gewechselt"
    assert words.error_sentence(errors.DiskFull("The disk is full.")).startswith("Die Festplatte ist voll.")


def test_polish_has_three_forms(qapp: QApplication) -> None:
    tongue.install(qapp, "pl")
    try:
        assert [trn("%n computer(s)", n) for n in (1, 3, 5)] == ["1 komputer", "3 komputery", "5 komputerów"]
    finally:
        tongue.install(qapp, "en")


def every_error() -> list[type[HomeswarmError]]:
    return [kind for kind in errors._classes(HomeswarmError) if kind.__module__ == errors.__name__]


@pytest.mark.parametrize("kind", every_error(), ids=lambda kind: kind.code)
def test_no_error_is_shown_as_its_code(german: None, kind: type[HomeswarmError]) -> None:
    said = words.error_sentence(kind("English words."))
    assert kind.code not in said
    assert said
