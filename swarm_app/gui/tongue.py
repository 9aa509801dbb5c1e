"""Words in the user's language, through Qt's translation files (``resources/translations``).

The texts in the code are English. ``tests/translate.py`` finds the calls of `tr` and `trn` and renews the
files.
"""

from __future__ import annotations

import unicodedata

from PySide6.QtCore import QCoreApplication, QLibraryInfo, QLocale, QTranslator

from swarm_app.gui.files import resource

CONTEXT = "homeswarm"
LANGUAGES = ("en", "de", "pl", "pt")

QT = {"pt": "pt_BR"}
"""What Qt's own words (of menus in fields of text) come in, where it has no such language."""

_installed: list[QTranslator] = []


def tr(text: str, **values: object) -> str:
    """The text in the user's language; `{name}` in it is replaced by the value of that name."""
    said = QCoreApplication.translate(CONTEXT, text)
    return said.format(**values) if values else said


def trn(text: str, count: int, **values: object) -> str:
    """The same for a number: the text has `%n`, and each language has its own forms."""
    said = QCoreApplication.translate(CONTEXT, text, None, count)
    return said.format(**values) if values else said


def install(app: QCoreApplication, language: str = "") -> str:
    """Load the words of `language`, or of the system's; returns the language that is used."""
    for old in _installed:
        app.removeTranslator(old)
    _installed.clear()
    wanted = [language] if language else QLocale.system().uiLanguages()
    codes = [code.replace("_", "-").split("-")[0].lower() for code in wanted]
    chosen = next((code for code in codes if code in LANGUAGES), "en")
    if language:
        QLocale.setDefault(QLocale(language))
    for folder, name in (
        (QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath), f"qtbase_{QT.get(chosen, chosen)}"),
        (str(resource("translations")), f"homeswarm_{chosen}"),
    ):
        translator = QTranslator(app)
        if translator.load(name, folder):
            app.installTranslator(translator)
            _installed.append(translator)
    return chosen


def is_english() -> bool:
    """Whether English is spoken: the only language in which this word is itself."""
    return tr("language-code") in ("language-code", "en")


def is_german() -> bool:
    return tr("language-code") == "de"


def number(value: float, decimals: int = 0) -> str:
    """A number as this language writes it."""
    return QLocale().toString(float(value), "f", decimals)


def size(count: int) -> str:
    """Bytes as people read them."""
    return QLocale().formattedDataSize(count, 1, QLocale.DataSizeFormat.DataSizeSIFormat)


def isolated(name: str) -> str:
    """A name inside a sentence: one that is written from right to left leaves the order around it alone."""
    if any(unicodedata.bidirectional(letter) in ("R", "AL") for letter in name):
        return f"\u2068{name}\u2069"
    return name


def seconds(value: float) -> str:
    return f"{number(value * 1000)} ms" if value < 1 else f"{number(value, 1)} s"
