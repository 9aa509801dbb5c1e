"""Renews ``resources/translations``: python -m tests.translate

Finds the texts of `tr` and `trn` in ``swarm_app/gui``, puts new ones into each language's .ts file, drops
those that are gone, and compiles the .qm files that are shipped with Qt's own lrelease.
"""

from __future__ import annotations

import ast
import subprocess
import sys
import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path

from PySide6.QtCore import QLibraryInfo

from swarm_app.gui.settings.page import labels
from swarm_app.gui.tongue import CONTEXT, LANGUAGES

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "translations"
FORMS = {"en": 2, "de": 2, "pl": 3, "pt": 2}
"""Of a number, as Qt counts them."""

CODE = "language-code"
"""A word that each language translates by its own code."""


@cache
def sources() -> dict[str, bool]:
    """Every text, and whether it has a number."""
    found: dict[str, bool] = {}
    for path in sorted((ROOT / "swarm_app" / "gui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Name)
                and node.func.id in ("tr", "trn")
            ):
                first = node.args[0]
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    found[first.value] = node.func.id == "trn"
    for text in labels():
        found.setdefault(text, False)
    return found


def read(language: str) -> dict[str, list[str]]:
    """What is translated: source to its forms."""
    path = FOLDER / f"homeswarm_{language}.ts"
    known: dict[str, list[str]] = {}
    if path.exists():
        for message in ET.parse(path).getroot().iter("message"):
            said = message.find("translation")
            if said is None or said.get("type") == "unfinished":
                continue
            forms = [form.text or "" for form in said.iter("numerusform")] or [said.text or ""]
            if all(forms):
                known[message.findtext("source") or ""] = forms
    return known


def write(language: str, known: dict[str, list[str]]) -> list[str]:
    """Write the file; returns what has no translation yet."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    missing = []
    for text, plural in sorted(sources().items()):
        message = ET.SubElement(context, "message", {"numerus": "yes"} if plural else {})
        ET.SubElement(message, "source").text = text
        said = ET.SubElement(message, "translation")
        forms = [language] if text == CODE else known.get(text)
        if forms is None and language == "en" and not plural:
            forms = [text]
        if forms is None:
            missing.append(text)
            said.set("type", "unfinished")
        if plural:
            for index in range(FORMS[language]):
                ET.SubElement(said, "numerusform").text = forms[index] if forms else ""
        elif forms:
            said.text = forms[0]
    ET.indent(root)
    content = ET.tostring(root, encoding="unicode")
    path = FOLDER / f"homeswarm_{language}.ts"
    path.write_text(f'<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n{content}\n', encoding="utf-8")
    return missing


def compile_to(language: str, target: Path) -> None:
    tool = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.LibraryExecutablesPath)) / "lrelease"
    if not tool.exists():
        tool = Path(sys.executable).with_name("pyside6-lrelease")
    source = FOLDER / f"homeswarm_{language}.ts"
    subprocess.run([str(tool), "-silent", str(source), "-qm", str(target)], check=True)


def main() -> int:
    for language in LANGUAGES:
        missing = write(language, read(language))
        compile_to(language, FOLDER / f"homeswarm_{language}.qm")
        print(f"{language}: {len(missing)} texts have no translation yet")
    return 0


if __name__ == "__main__":
    sys.exit(main())
