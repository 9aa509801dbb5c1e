"""The tables in docs/privacy.md, of what outsiders were told and what was fuzzed, from docs/privacy/*.json.

State owned: none. Callers: ``python -m tests.household report``; a test that the page is current.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PAGE = Path("docs/privacy.md")
OUTSIDERS = Path("docs/privacy/outsiders.json")
FUZZ = Path("docs/privacy/fuzz.json")
BEGIN, END = "<!-- tried: begin -->", "<!-- tried: end -->"

MEMBER = "a member"
ANSWERED, NOT_OFFERED = "answered", "not offered"
PARTS = ("rpcs", "dht_node", "door", "links")
REFUSALS = {
    "not-certified",
    "removed",
    "certificate-expired",
    "other-swarm",
    "certificate-copied",
    "handshake-replayed",
    "link-used",
    "link-expired",
    "link-cancelled",
    "link-unknown",
    NOT_OFFERED,
}
"""What an outsider may be told."""

_BEFORE = {
    "rpcs": "",
    "dht_node": "hivemind's DHT node: ",
    "door": "the door: ",
}


def renew() -> None:
    """Put the present tables between the page's two marks."""
    text = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(with_tables(text), encoding="utf-8")


def with_tables(page: str) -> str:
    """The page with the tables that the JSON documents make."""
    before, _, rest = page.partition(BEGIN)
    _, _, after = rest.partition(END)
    outsiders, fuzz = json.loads(OUTSIDERS.read_text()), json.loads(FUZZ.read_text())
    tables = [*outsider_lines(outsiders), "", *fuzz_lines(fuzz)]
    return "\n".join([f"{before}{BEGIN}", *tables, f"{END}{after}"])


def let_in(document: dict[str, Any]) -> list[str]:
    """What is wrong with a document: outsiders that got something, and a member that did not."""
    wrong = []
    for part in PARTS:
        for what, row in document[part].items():
            for kind, said in row.items():
                good = said in (ANSWERED, NOT_OFFERED) if kind == MEMBER else said in REFUSALS or not said
                if not good:
                    wrong.append(f"{what}, {kind}: {said}")
    return wrong


def outsider_lines(document: dict[str, Any]) -> list[str]:
    """One line for each thing that was called, one column for each who called; then the links."""
    kinds = list(document["rpcs"]["rpc_info"])
    lines = ["| called | " + " | ".join(kinds) + " |", "|---" * (len(kinds) + 1) + "|"]
    for part, before in _BEFORE.items():
        for what, row in document[part].items():
            cells = [_cell(row[kind]) if kind in row else "" for kind in kinds]
            lines.append(f"| {before}{what} | " + " | ".join(cells) + " |")
    links = document["links"]["join by a link"]
    lines += ["", "| a link that is | " + " | ".join(links) + " |", "|---" * (len(links) + 1) + "|"]
    return [*lines, "| at the door | " + " | ".join(map(_cell, links.values())) + " |"]


def fuzz_lines(document: dict[str, Any]) -> list[str]:
    """One sentence: how many inputs, to whom, and what came of it."""
    readers = document["readers"]
    refused = sum(outcome.get("refused", 0) for outcome in readers.values())
    return [
        f"{document['inputs']} broken messages went to {len(readers)} readers in {document['took_s']} s:"
        f" {refused} were refused by name, the others were still whole or passed over; none broke a reader."
    ]


def _cell(said: str) -> str:
    return said or "nothing"
