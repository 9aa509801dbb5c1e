"""The household page."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from swarm_app.gui import words
from swarm_app.gui.link import NodeLink
from swarm_app.gui.look import set_role
from swarm_app.gui.membership import standing
from swarm_app.gui.swarm.people import People
from swarm_app.gui.swarm.strip import Strip, in_lanes
from swarm_app.gui.tongue import number, seconds, size, tr, trn
from swarm_app.localapi.view import PeerView, StateView


class SwarmPage(QWidget):
    def __init__(self, link: NodeLink) -> None:
        super().__init__()
        self._link = link
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        box = QVBoxLayout(inside)
        box.setContentsMargins(28, 20, 28, 28)
        box.setSpacing(14)
        self.title = QLabel(tr("Household"))
        self.title.setProperty("role", "heading")
        self.summary = QLabel()
        self.summary.setProperty("role", "dim")
        self.summary.setWordWrap(True)
        box.addWidget(self.title)
        box.addWidget(self.summary)
        self.problems = QVBoxLayout()
        box.addLayout(self.problems)
        self.strip = Strip()
        box.addWidget(_card(self.strip))
        self.route = QLabel()
        self.route.setProperty("role", "dim")
        self.route.setWordWrap(True)
        box.addWidget(self.route)
        computers = QLabel(tr("Computers"))
        computers.setProperty("role", "title")
        box.addWidget(computers)
        self.table = QWidget()
        self.grid = QGridLayout(self.table)
        self.grid.setHorizontalSpacing(22)
        self.grid.setVerticalSpacing(7)
        self.grid.setColumnStretch(1, 1)
        box.addWidget(_card(self.table))
        self.here = QLabel()
        self.here.setProperty("role", "dim")
        self.here.setWordWrap(True)
        box.addWidget(self.here)
        self.people = People(link)
        box.addWidget(self.people)
        box.addStretch()
        area.setWidget(inside)
        outer.addWidget(area)
        link.stateChanged.connect(self.show_state)
        if link.state is not None:
            self.show_state(link.state)

    def show_state(self, state: StateView) -> None:
        member = standing(state)
        if member and member.get("swarm_name"):
            self.title.setText(str(member["swarm_name"]))
        self.summary.setText(summary(state))
        self.strip.show_state(state)
        names = " → ".join(dict.fromkeys(hop["name"] for hop in state["route"]))
        if not names:
            self.route.setText(tr("No answer has been given yet."))
        elif state["node"]["answers"]:
            self.route.setText(tr("The answer being given goes through {names}.", names=names))
        else:
            self.route.setText(tr("The latest answer went through {names}.", names=names))
        self._show_problems(state)
        self._show_peers(in_lanes(state["swarm"]["peers"]))
        self.here.setText(this_computer(state))
        self.people.show_state(state)

    def _show_problems(self, state: StateView) -> None:
        _clear(self.problems)
        for problem in state["problems"]:
            label = QLabel(words.error_sentence(problem))
            label.setProperty("role", "warn")
            label.setWordWrap(True)
            row = QHBoxLayout()
            row.addWidget(label, 1)
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
        _clear(self.grid)
        heads = (tr("Name"), tr("State"), tr("Blocks"), tr("Compute"), tr("Round trip"))
        for column, text in enumerate(heads):
            head = QLabel(text)
            head.setProperty("role", "dim")
            self.grid.addWidget(head, 0, column)
        if not peers:
            nobody = QLabel(tr("Nobody serves blocks yet."))
            nobody.setProperty("role", "dim")
            self.grid.addWidget(nobody, 1, 0, 1, 5)
        for row, peer in enumerate(peers, 1):
            for column, text in enumerate(peer_cells(peer)):
                label = QLabel(text)
                if column == 0:
                    label.setProperty("role", "section")
                elif column == 1:
                    label.setWordWrap(True)
                    role = {"available": "", "suspect": "warn", "unreachable": "bad"}.get(
                        peer["state"], "dim"
                    )
                    if role:
                        set_role(label, role)
                self.grid.addWidget(label, row, column, Qt.AlignmentFlag.AlignTop)


def peer_cells(peer: PeerView) -> list[str]:
    """Name; state, since when, and why it is not used; blocks; time per block and token; round trip."""
    state = words.peer_state(peer["state"])
    if peer["since"] is not None and peer["state"] != "available":
        state = f"{state}, {words.ago(peer['since'])}"
    if not peer["on_route"] and peer["reason"]:
        state = f"{state}: {peer['reason']}"
    name = peer["name"] + (" " + tr("(this computer)") if peer["this_node"] else "")
    return [
        name,
        state,
        f"{peer['span'][0] + 1}–{peer['span'][1]}",
        seconds(peer["compute_s"]) if peer["compute_s"] is not None else "–",
        seconds(peer["round_trip_s"]) if peer["round_trip_s"] is not None else "–",
    ]


def summary(state: StateView) -> str:
    model, swarm = state["model"], state["swarm"]
    parts = [tr("{model}, {count} blocks", model=model["name"], count=number(model["num_blocks"]))]
    if not swarm["seen"]:
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
        parts.append(trn("%n conversation(s) of others and own now", blocks["sessions"]))
    if power["on_battery"] is not None:
        level = f" ({number(power['level'] * 100)} %)" if power["level"] is not None else ""
        parts.append((tr("on battery") if power["on_battery"] else tr("on mains power")) + level)
    if link["network"]:
        parts.append(tr("network {name}", name=link["network"]))
    if link["addresses"]:
        parts.append(", ".join(link["addresses"][:2]))
    return tr("This computer: {facts}", facts=" · ".join(parts)) if parts else ""


def _card(inside: QWidget) -> QFrame:
    card = QFrame()
    card.setProperty("role", "card")
    box = QVBoxLayout(card)
    box.setContentsMargins(16, 14, 16, 14)
    box.addWidget(inside)
    return card


def _clear(layout: Any) -> None:
    while (item := layout.takeAt(0)) is not None:
        if item.widget() is not None:
            item.widget().hide()
            item.widget().deleteLater()
        elif item.layout() is not None:
            _clear(item.layout())
