"""The languages: complete, current, and nothing that people read is a code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication, QComboBox, QLineEdit, QPushButton, QSpinBox, QWidget
from pytestqt.qtbot import QtBot

from swarm_app.config.options import NODE_OPTIONS
from swarm_app.domain import errors, pause
from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import tongue, troubles, words
from swarm_app.gui.chat.settings import ChatSettings
from swarm_app.gui.chat.trace import TraceDialog
from swarm_app.gui.settings.page import choice_words, editor_of
from swarm_app.gui.tongue import LANGUAGES, tr, trn
from swarm_app.localapi.chatview import SamplingView
from tests.translate import CODE, FOLDER, FORMS, ROOT, compile_to, read, sources

FIELD = re.compile(r"\{\w+\}|%n")


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    tongue.install(qapp, "de")
    yield
    tongue.install(qapp, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_of_the_window_is_translated(language: str) -> None:
    known, wanted = read(language), sources()
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
    other = words.pause_sentence({**told, "words_may_differ": True})
    assert other.endswith("zu attic gewechselt, wo ein anderer Prozessor andere Worte wählen kann")
    assert troubles.sentence(errors.DiskFull("The disk is full.")).startswith("Die Festplatte ist voll.")


def test_polish_has_three_forms(qapp: QApplication) -> None:
    tongue.install(qapp, "pl")
    try:
        assert [trn("%n computer(s)", n) for n in (1, 3, 5)] == ["1 komputer", "3 komputery", "5 komputerów"]
    finally:
        tongue.install(qapp, "en")


@pytest.mark.parametrize(
    ("language", "expected"), [("pl", "Anuluj"), ("pt", "Cancelar"), ("de", "Abbrechen")]
)
def test_the_buttons_of_dialogs_speak_the_language_too(
    qtbot: QtBot, qapp: QApplication, language: str, expected: str
) -> None:
    tongue.install(qapp, language)
    try:
        # Qt's own words, as in the menus of fields of text, and those of our dialogs.
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == expected
        parent = QWidget()
        qtbot.addWidget(parent)
        sampling = SamplingView(temperature=0.2, top_p=1.0, max_tokens=None, seed=None)
        view: Any = {"answer": None}
        for dialog, said in (
            (ChatSettings(parent, "", sampling), [tr("Save"), tr("Cancel")]),
            (TraceDialog(parent, view), [tr("Close")]),
        ):
            shown = [button.text() for button in dialog.findChildren(QPushButton)]
            assert sorted(shown) == sorted(said)
            assert not {"Save", "Cancel", "Close"} & set(shown)
    finally:
        tongue.install(qapp, "en")


def test_what_a_number_counts_stands_behind_it_as_each_number_wants_it(qapp: QApplication) -> None:
    units = {option.unit for option in NODE_OPTIONS if option.unit}
    assert units == {"tokens", "seconds", "milliseconds"}
    option = next(option for option in NODE_OPTIONS if option.name == "local_idle_s")
    for language, texts in (
        ("en", ["1 second", "2 seconds", "25 seconds"]),
        ("pl", ["1 sekunda", "2 sekundy", "25 sekund"]),
        ("pt", ["1 segundo", "2 segundos", "25 segundos"]),
    ):
        tongue.install(qapp, language)
        try:
            editor = editor_of(option, 25)
            assert isinstance(editor, QSpinBox)
            said = []
            for count in (1, 2, 25):
                editor.setValue(count)
                said.append(editor.text())
            assert said == texts
            assert all(words.unit_word(unit, 3) for unit in units)
            defaults = [editor_of(one, None) for one in NODE_OPTIONS if one.default_text.startswith("<")]
            shown = [one.placeholderText() for one in defaults if isinstance(one, QLineEdit)]
            assert len(shown) == len(defaults) == 5
            assert ("this computer's name" in shown) is (language == "en")
        finally:
            tongue.install(qapp, "en")


CODE_LINE = re.compile(r"^    code(?:: ClassVar\[str\])? = \"([a-z_-]+)\"$", re.MULTILINE)
PROBLEM = re.compile(r"Problem\(\s*\"[a-z]+\",\s*\"([a-z-]+)\"")


@cache
def every_code() -> list[str]:
    """Of all errors that a class of ours has, and of the node's problems."""
    found: set[str] = set()
    for path in sorted((ROOT / "swarm_app").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        found |= set(CODE_LINE.findall(text)) | set(PROBLEM.findall(text))
    return sorted(found)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_a_sentence_and_no_command(qapp: QApplication, language: str) -> None:
    codes = every_code()
    assert {"disk-full", "secrets-unusable", "peer-unusable", "request-too-large"} <= set(codes)
    remedies = {kind.code: kind.default_remedy for kind in errors._classes(HomeswarmError)}
    tongue.install(qapp, language)
    try:
        for code in codes:
            told = {"code": code, "message": "Some words.", "remedy": remedies.get(code, "")}
            said = [troubles.sentence(told)]
            # As it comes over the local API: an error whose class the window has not loaded keeps its code.
            said.append(troubles.sentence(errors.from_wire(code, told["message"], told["remedy"])))
            assert said[0] == said[1]
            assert troubles.of_code(code), f"{code} has no sentence"
            assert not {code} & set(re.split(r"[ .]", said[0])) or code in ("busy", "internal", "forbidden")
            assert "homeswarm " not in said[0]
            assert "Traceback" not in said[0]
            assert (said[0] == "Some words.") <= (language == "en")
    finally:
        tongue.install(qapp, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_kept_that_the_window_does_not_say(language: str) -> None:
    assert sorted(set(read(language)) - set(sources())) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_choice_is_explained_by_the_name_that_it_has_there(qapp: QApplication, language: str) -> None:
    tongue.install(qapp, language)
    try:
        shown = choice_words()
        for option in NODE_OPTIONS:
            if not isinstance(editor_of(option, None), QComboBox) or option.name == "prefer":
                continue
            for choice in option.metavar.split("|"):
                said = tr(option.help)
                if choice not in shown[choice].split():
                    assert not re.search(rf"\b{choice}\b", said), said
    finally:
        tongue.install(qapp, "en")
