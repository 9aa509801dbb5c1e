"""``python -m tests.household report``: the table in docs/faults.md, from the JSON beside it.

State owned: none. Callers: ``make faults``.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.household.faults import FAULTS

PAGE = Path("docs/faults.md")
FOLDER = Path("docs/faults")
BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

_HEAD = (
    "| fault | runs | pause, median (p90), s | found | replayed | back | tokens equal | hung | left over "
    "| others given up | load |",
    "|---|---|---|---|---|---|---|---|---|---|---|",
)


def report() -> None:
    """Put the present table between the page's two marks."""
    before, _, rest = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    table = "\n".join(table_lines(read_all(FOLDER)))
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


def read_all(folder: Path) -> dict[str, dict[str, Any]]:
    """The documents by the name of their file, in the order of the kinds."""
    order = [*FAULTS, "random"]
    found = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in folder.glob("*.json")}
    known = {name: place for place, name in enumerate(order)}
    return dict(sorted(found.items(), key=lambda item: (known.get(item[0], len(order)), item[0])))


def table_lines(documents: dict[str, dict[str, Any]]) -> list[str]:
    """One line for each document of the command ``fault``; others are passed over."""
    lines = list(_HEAD)
    for name, document in documents.items():
        if "skipped" in document:
            lines.append(f"| {name} | skipped: {document['skipped']} |" + " |" * 9)
        elif "summary" in document:
            lines.append(_line(name, document["summary"], len(document.get("false_alarms", []))))
    return lines


def _line(name: str, told: dict[str, Any], false_alarms: int) -> str:
    runs = told["runs"]
    cells = [
        name,
        str(runs),
        _pair(told.get("error_after_s") if "swarm" not in told["finished_by"] else told.get("pause_s")),
        _median(told.get("detect_s")),
        _median(told.get("replay_s")),
        _median(told.get("back_s"), digits=1),
        f"{told['tokens_equal']} of {runs}",
        str(told["hung"]),
        str(told["leftover_processes"]),
        str(told["given_up_besides"] + false_alarms),
        _median(told.get("load"), digits=0),
    ]
    return "| " + " | ".join(cells) + " |"


def _pair(values: dict[str, Any] | None) -> str:
    return "-" if values is None else f"{values['median']:.2f} ({values['p90']:.2f})"


def _median(values: dict[str, Any] | None, digits: int = 2) -> str:
    return "-" if values is None else f"{values['median']:.{digits}f}"
