"""The generated pages are those that the present code makes."""

from __future__ import annotations

import pytest

from tests.generate_docs import DOCS, PAGES


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_committed_page_is_current(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name](), "make docs renews it"
