"""The household page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from swarm_app.gui import reasons, words
from swarm_app.gui.frames import Elided, card, clear, label, reading_column
from swarm_app.gui.link import NodeLink
from swarm_app.gui.look import set_role
from swarm_app.gui.membership import standing
from swarm_app.gui.swarm.people import People
from swarm_app.gui.swarm.strip import Strip, in_lanes
from swarm_app.gui.tongue import isolated, number, seconds, size, tr, trn
from swarm_app.localapi.view import PeerChangeView, PeerView, StateView

MOST_CHANGES = 5

ALONE = ("outside", "removed")
"""Standings of a computer that is in no household."""


class SwarmPage(QWidget):
    def __init__(self, link: NodeLink) -> None:
        super().__init__()
        self._link = link
        box, self.title = reading_column(self, tr("Household"), 14)
        self.summary = label("", "dim", wrap=True)
        box.addWidget(self.summary)
        self.problems = QVBoxLayout()
        box.addLayout(self.problems)
        self.picture = QWidget()
        picture = QVBoxLayout(self.picture)
        picture.setContentsMargins(0, 0, 0, 0)
        picture.setSpacing(14)
        self.strip = Strip()
        picture.addWidget(card(self.strip))
        self.route = label("", "dim", wrap=True)
        picture.addWidget(self.route)
        picture.addWidget(label(tr("Computers"), "title"))
        self.table = QWidget()
        self.grid = QGridLayout(self.table)
        self.grid.setContentsMargins(0, 0, 0, 0)
        self.grid.setHorizontalSpacing(22)
        self.grid.setVerticalSpacing(7)
        self.grid.setColumnStretch(1, 1)
        picture.addWidget(card(self.table))
        self.lately_title = label(tr("What changed lately"), "title")
        picture.addWidget(self.lately_title)
        self.lately = QGridLayout()
        self.lately.setHorizontalSpacing(22)
        self.lately.setVerticalSpacing(4)
        self.lately.setColumnStretch(1, 1)
        picture.addLayout(self.lately)
        box.addWidget(self.picture)
        self.here = label("", "dim", wrap=True)
        box.addWidget(self.here)
        self.people = People(link)
        box.addWidget(self.people)
        box.addStretch()
        link.stateChanged.connect(self.show_state)
        if link.state is not None:
            self.show_state(link.state)

    def show_state(self, state: StateView) -> None:
        member = standing(state)
        name = str(member["swarm_name"]) if member else ""
        self.title.setText(name or tr("Household"))
        alone = member is not None and member["standing"] in ALONE and not state["swarm"]["peers"]
        self.picture.setVisible(not alone)
        self.summary.setText(summary(state))
        self.strip.show_state(state)
        names = words.way(state["route"])
        if state["node"]["answers"] and not words.household_answers(state):
            self.route.setText(tr("The answer being given comes from this computer alone."))
        elif not names:
            self.route.setText(tr("No answer has been given yet."))
        elif words.household_answers(state):
            self.route.setText(tr("The answer being given goes through {names}.", names=names))
        else:
            self.route.setText(tr("The latest answer went through {names}.", names=names))
        self._show_problems(state)
        self._show_peers(in_lanes(state["swarm"]["peers"]))
        self._show_changes(changed_lately(state["swarm"]["changes"]))
        self.here.setText(this_computer(state))
        self.people.show_state(state)

    def _show_problems(self, state: StateView) -> None:
        clear(self.problems)
        for problem in state["problems"]:
            if problem["about"] == "membership":
                continue  # it stands beside the members
            row = QHBoxLayout()
            text = missing(state) if problem["code"] == "no-route" else reasons.of_problem(problem)
            row.addWidget(label(text, "warn", wrap=True), 1)
            children: Any = state["children"]
            about = problem["about"]
            if about in children and children[about]["phase"] == "down":
                retry = QPushButton(tr("Try again"))
                retry.clicked.connect(lambda _=False, about=about: self._retry(about))
                row.addWidget(retry)
            self.problems.addLayout(row)

    def _retry(self, child: str) -> None:
        self._link.call(lambda client: client.retry(child))

    def _show_peers(self, peers: list[PeerView]) -> None:
        clear(self.grid)
        heads = (
            tr("Name"),
            tr("State"),
            tr("Blocks"),
            tr("Power"),
            tr("Connection"),
            tr("Compute"),
            tr("Round trip"),
        )
        for column, text in enumerate(heads):
            self.grid.addWidget(label(text, "dim"), 0, column)
        if not peers:
            self.grid.addWidget(label(tr("Nobody serves blocks yet."), "dim"), 1, 0, 1, len(heads))
        for row, peer in enumerate(peers, 1):
            for column, text in enumerate(peer_cells(peer)):
                cell = label(text, wrap=column == 1) if column else Elided(text)
                if column == 0:
                    set_role(cell, "section")
                elif column == 1:
                    role = {"available": "", "suspect": "warn", "unreachable": "bad"}.get(
                        peer["state"], "dim"
                    )
                    if role:
                        set_role(cell, role)
                self.grid.addWidget(cell, row, column, Qt.AlignmentFlag.AlignTop)

    def _show_changes(self, lines: list[tuple[str, str]]) -> None:
        clear(self.lately)
        self.lately_title.setVisible(bool(lines))
        for row, (when, what) in enumerate(lines):
            self.lately.addWidget(label(when, "dim"), row, 0, Qt.AlignmentFlag.AlignTop)
            self.lately.addWidget(label(what, wrap=True), row, 1)


def changed_lately(changes: Sequence[PeerChangeView]) -> list[tuple[str, str]]:
    """When, and what became of whom and why; the newest first. Neither a moment's doubt nor that somebody is
    about to be there is told."""
    told: list[tuple[str, str]] = []
    for change in reversed(changes):
        if "suspect" in (change["before"], change["after"]) and change["after"] in ("suspect", "available"):
            continue
        if change["after"] not in ("", "joining") and len(told) < MOST_CHANGES:
            why = reasons.of_peer({**change, "state": change["after"]})
            what = f"{isolated(change['name'])}: {words.peer_state(change['after'])}"
            told.append((words.ago(change["at"]), f"{what} ({why})" if why else what))
    return told


def peer_cells(peer: PeerView) -> list[str]:
    """Name; state, since when, and why; blocks; power; link; time per token; round trip."""
    state = words.peer_state(peer["state"])
    if peer["since"] is not None and peer["state"] != "available":
        state = f"{state}, {words.ago(peer['since'])}"
    if why := reasons.of_peer(peer):
        state = f"{state}: {why}"
    name = peer["name"] + (" " + tr("(this computer)") if peer["this_node"] else "")
    return [
        name,
        state,
        f"{peer['span'][0] + 1}–{peer['span'][1]}",
        {"mains": tr("mains"), "battery": tr("battery")}.get(peer.get("power", ""), "–"),
        {"wire": tr("wire"), "wireless": tr("wireless")}.get(peer.get("link", ""), "–"),
        seconds(peer["compute_s"]) if peer["compute_s"] is not None else "–",
        seconds(peer["round_trip_s"]) if peer["round_trip_s"] is not None else "–",
    ]


def summary(state: StateView) -> str:
    model, swarm = state["model"], state["swarm"]
    parts = [f"{model['name']}, {trn('%n block(s)', model['num_blocks'])}"]
    member = standing(state)
    if member is not None and member["standing"] in ALONE and not swarm["peers"]:
        parts.append(tr("not shared with anybody"))
    elif not swarm["seen"]:
        parts.append(tr("looking for the others …"))
    elif swarm["covered"]:
        spare = min((_holders(state, block) for block in range(swarm["num_blocks"])), default=0) - 1
        parts.append(
            tr("every block has a spare")
            if spare > 0
            else tr("every block is served, some by one computer only")
        )
    else:
        gaps = ", ".join(words.span_text(gap) for gap in swarm["gaps"])
        parts.append(tr("nobody serves {blocks}", blocks=gaps))
    return " · ".join(parts)


def missing(state: StateView) -> str:
    """Which blocks nobody serves, and whose they were."""
    gaps = state["swarm"]["gaps"]
    told = tr("Nobody serves {blocks} now.", blocks=", ".join(words.span_text(gap) for gap in gaps))
    gone = [
        peer["name"]
        for peer in state["swarm"]["peers"]
        if peer["state"] in ("unreachable", "asleep", "left")
        and not peer["this_node"]
        and any(peer["span"][0] < end and start < peer["span"][1] for start, end in gaps)
    ]
    if state["children"]["blocks"]["withdrawn"]:
        return f"{told} {tr('Contributing is paused on this computer.')}"
    if gone:
        return f"{told} {tr('Wake or start {names}.', names=', '.join(dict.fromkeys(gone)))}"
    return told


def _holders(state: StateView, block: int) -> int:
    return sum(
        1
        for peer in state["swarm"]["peers"]
        if peer["state"] == "available" and peer["on_route"] and peer["span"][0] <= block < peer["span"][1]
    )


def this_computer(state: StateView) -> str:
    """Power, network, memory and what is served here."""
    blocks, power, link = state["children"]["blocks"], state["power"], state["link"]
    parts = []
    if blocks["withdrawn"]:
        parts.append(tr("contributing is paused"))
    elif blocks["span"] is not None and blocks["phase"] == "ready":
        memory = size(blocks["memory_bytes"])
        parts.append(tr("serves {span} with {memory}", span=words.span_text(blocks["span"]), memory=memory))
        if blocks["sessions"]:
            parts.append(trn("%n conversation(s) now", blocks["sessions"]))
    if power["on_battery"] is not None:
        level = f" ({number(power['level'] * 100)} %)" if power["level"] is not None else ""
        parts.append((tr("on battery") if power["on_battery"] else tr("on mains power")) + level)
    if link["network"]:
        parts.append(tr("network {name}", name=link["network"]))
    if link["addresses"]:
        parts.append(", ".join(link["addresses"][:2]))
    if why := reasons.doubt(state["swarm"]):
        parts.append(tr("gives the others more time ({why})", why=why))
    return tr("This computer: {facts}", facts=" · ".join(parts)) if parts else ""
