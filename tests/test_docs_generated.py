"""The generated pages are those that the present code makes."""

from __future__ import annotations

import json

import pytest

from tests.generate_docs import DOCS, PAGES
from tests.household.outsidertable import let_in, with_tables


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_committed_page_is_current(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "make docs renews it"


def test_the_tables_of_what_was_tried_against_a_household_are_current() -> None:
    page = (DOCS / "privacy.md").read_text(encoding="utf-8")
    assert with_tables(page) == page, "python -m tests.household report renews them"
    documents = [
        json.loads((DOCS / "privacy" / f"{name}.json").read_text()) for name in ("outsiders", "fuzz")
    ]
    assert let_in(documents[0]) == []
    assert documents[1]["inputs"] >= 100_000
