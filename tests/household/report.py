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
    documents = read_all(FOLDER)
    table = "\n".join([*table_lines(documents), *said_below(documents)])
    PAGE.write_text(f"{before}{BEGIN}\n{table}\n{END}{after}", encoding="utf-8")


def read_all(folder: Path) -> dict[str, dict[str, Any]]:
    """The documents by the name of their file, in the order of the kinds."""
    order = [*FAULTS, "long-history", "random"]
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


def said_below(documents: dict[str, dict[str, Any]]) -> list[str]:
    """What does not fit into the table: a slow peer's answers as a whole, long histories, steady chat."""
    said = []
    for name, document in documents.items():
        told = document.get("summary", {})
        if ratio := told.get("ratio"):
            said.append(
                f"`{name}`: the answer took {_pair(ratio)} times as long as the same one by the swarm without"
                f" the victim, the next one {_pair(told.get('next_ratio'))} times."
            )
        if document.get("history") and (replay := told.get("replay_s")):
            said.append(
                f"`{name}`: below {document['history']} tokens of text the replay took {_pair(replay)} s."
            )
        if after := told.get("local_after_s"):
            phases = ", ".join(
                f"{what} {_pair(told.get(key))}"
                for what, key in (("found out", "detect_s"), ("ready", "route_s"), ("read", "replay_s"))
                if told.get(key)
            )
            ended = told["finished_by"].get("local", 0)
            said.append(
                f"`{name}`: the local model's first word after {_pair(after)} s"
                + (f" ({phases})" if phases else "")
                + f"; {ended} of {told['runs']} ended by it, {told.get('labelled', 0)} with the reason."
            )
        if document.get("kind") == "steady":
            said.append(
                f"`{name}`: {document['answers']} answers in {document['minutes']:g} minutes beside"
                f" {document['busy_processes']} busy process(es): {len(document['given_up'])} peers left,"
                f" {document['answers_failed']} failed, {document['answers_changed']} with other tokens; the"
                f" longest silence between two tokens was {document['longest_gap_s']:.2f} s."
            )
        if "broken" in document:
            said.append(f"`{name}` broke off after {told.get('runs', 0)} runs: {document['broken']}")
    return ["", *(f"- {line}" for line in said)] if said else []


def _line(name: str, told: dict[str, Any], false_alarms: int) -> str:
    runs = told["runs"]
    cells = [
        name,
        str(runs),
        _pair(told.get("error_after_s") if set(told["finished_by"]) <= {"none"} else told.get("pause_s")),
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
