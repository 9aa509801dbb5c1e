"""The repository itself: documented packages, paths that exist, nothing of one computer in it."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
LARGEST_FILE_BYTES = 1_000_000


@cache
def committed() -> tuple[str, ...]:
    """Paths of all files that git keeps, or would keep if asked now."""
    git = [
        "git",
        "-c",
        f"safe.directory={ROOT}",
        "ls-files",
        "-z",
        "--cached",
        "--others",
        "--exclude-standard",
    ]
    listed = subprocess.run(git, cwd=ROOT, capture_output=True, check=True).stdout.decode()
    return tuple(sorted({path for path in listed.split("\0") if path and (ROOT / path).is_file()}))


def text_of(path: str) -> str | None:
    try:
        return (ROOT / path).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def test_the_listing_sees_the_repository() -> None:
    assert {"pyproject.toml", "README.md", "swarm_app/__init__.py"} <= set(committed())


PACKAGES = sorted(
    str(path.parent.relative_to(ROOT)) for path in ROOT.glob("swarm_app/**/__init__.py") if path.parent.name
)


@pytest.mark.parametrize("package", [name for name in PACKAGES if name != "swarm_app"])
def test_each_package_says_its_purpose_its_state_and_its_callers(package: str) -> None:
    said = ast.get_docstring(ast.parse((ROOT / package / "__init__.py").read_text(encoding="utf-8"))) or ""
    for word in ("Purpose:", "State owned:", "Callers:"):
        assert word in said, f"{package}/__init__.py does not say its {word}"


@pytest.mark.parametrize("path", [path for path in committed() if path.startswith("swarm_app/")])
def test_each_module_has_a_docstring(path: str) -> None:
    if path.endswith(".py"):
        text = text_of(path)
        assert text is not None
        assert ast.get_docstring(ast.parse(text)), f"{path} has no docstring"


_IN_BACKTICKS = re.compile(r"`([A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]*)+|[A-Za-z0-9_-]+\.(?:py|md|toml|txt|sh))`")
_LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
_TOP = tuple(f"{name}/" for name in ("swarm_app", "tests", "docs", "installers", "resources", ".ci"))


def named_paths(document: str) -> list[tuple[str, Path]]:
    """Paths that a document names: links, from the document's folder; paths in backticks, from the top."""
    text = text_of(document) or ""
    found = [
        (target, (ROOT / document).parent / target)
        for target in _LINK.findall(text)
        if "://" not in target and not target.startswith("mailto:")
    ]
    for path in _IN_BACKTICKS.findall(text):
        if path.startswith(_TOP) or (path.count("/") == 0 and "." in path):
            found.append((path, ROOT / path))
    return found


@pytest.mark.parametrize("document", [path for path in committed() if path.endswith(".md")])
def test_paths_named_in_the_docs_exist(document: str) -> None:
    missing = [name for name, path in named_paths(document) if not path.exists()]
    assert not missing, f"{document} names what is not there: {', '.join(missing)}"


# Written in pieces, so that this file does not find itself.
_OF_ONE_COMPUTER = [
    "/" + "work" + "/",
    "/" + "root" + "/",
    "/" + "opt" + "/",
    "py" + "pi" + ".org",
    "python" + "hosted",
    "hugging" + "face.co",
    "download." + "pytorch",
    "://registry" + ".",
    "simple" + "/torch",
]


@pytest.mark.parametrize("sign", _OF_ONE_COMPUTER)
def test_nothing_of_one_computer_and_no_index_host_is_in_the_repository(sign: str) -> None:
    found = []
    for path in committed():
        text = text_of(path)
        if text is not None and sign in text:
            found.append(path)
    assert not found, f"{sign!r} is written in {', '.join(found)}"


def test_no_file_is_large() -> None:
    large = [path for path in committed() if (ROOT / path).stat().st_size > LARGEST_FILE_BYTES]
    assert not large, f"over 1 MB: {', '.join(large)}"


def test_constraints_hold_names_and_exact_versions_only() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert len(pins) > 50
    for line in pins:
        assert re.fullmatch(r"[a-z0-9._-]+==[0-9][A-Za-z0-9.]*", line), line
