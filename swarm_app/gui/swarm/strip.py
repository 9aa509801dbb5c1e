"""The strip of blocks: one lane for each computer, and what nobody serves."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from swarm_app.gui import look, reasons, words
from swarm_app.gui.frames import plain_tip
from swarm_app.gui.tongue import tr, trn
from swarm_app.localapi.view import HopView, PeerView, StateView

LANE = 30
LABEL = 110
GAP_LANE = 20


def in_lanes(peers: Sequence[PeerView]) -> list[PeerView]:
    """By the first block, those that are there before those that are not."""
    return sorted(peers, key=lambda p: (p["span"][0], p["state"] != "available", p["name"]))


class Strip(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Blocks of the model and who serves them"))
        self._peers: list[PeerView] = []
        self._gaps: list[list[int]] = []
        self._route: list[HopView] = []
        self._live = False
        self._blocks = 1

    def show_state(self, state: StateView) -> None:
        swarm = state["swarm"]
        self._blocks = max(swarm["num_blocks"], 1)
        self._peers = in_lanes(swarm["peers"])
        self._gaps = swarm["gaps"] if swarm["seen"] else []
        self._route = state["route"]
        self._live = words.household_answers(state) > 0
        self.setAccessibleDescription(described(state))
        self.updateGeometry()
        self.setFixedHeight(self.sizeHint().height())
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(480, 26 + LANE * max(len(self._peers), 1) + (GAP_LANE if self._gaps else 0))

    def _x(self, block: float) -> float:
        return LABEL + (self.width() - LABEL - 2) * block / self._blocks

    def colour_of(self, index: int) -> str:
        spans = look.current().spans
        return spans[index % len(spans)]

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = look.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        metrics = self.fontMetrics()
        painter.setPen(QColor(theme.dim))
        step = next((s for s in (1, 2, 5, 10, 20, 40) if self._blocks / s <= 12), 80)
        for block in range(0, self._blocks, step):
            painter.drawText(QPointF(self._x(block) + 2, 14), str(block + 1))
        taken = {hop["peer"]: hop for hop in self._route} if self._live else {}
        for index, peer in enumerate(self._peers):
            top = 22 + index * LANE
            there = peer["state"] in ("available", "joining", "suspect")
            painter.setPen(QColor(theme.text if there else theme.dim))
            name = metrics.elidedText(peer["name"], Qt.TextElideMode.ElideRight, LABEL - 12)
            painter.drawText(
                QRectF(0, top, LABEL - 8, LANE - 6),
                int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft),
                name,
            )
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.side if not theme.dark else theme.raised))
            painter.drawRoundedRect(
                QRectF(self._x(0), top, self._x(self._blocks) - self._x(0), LANE - 8), 5, 5
            )
            colour = QColor(self.colour_of(index))
            if not there:
                colour.setAlphaF(0.28)
            elif not peer["on_route"]:
                colour.setAlphaF(0.5)
            painter.setBrush(colour)
            start, end = peer["span"]
            bar = QRectF(self._x(start), top, self._x(end) - self._x(start), LANE - 8)
            painter.drawRoundedRect(bar, 5, 5)
            hop = taken.get(peer["peer_id"])
            if hop is not None:
                used = QRectF(
                    self._x(hop["start"]), top, self._x(hop["end"]) - self._x(hop["start"]), LANE - 8
                )
                pen = QColor(theme.text)
                painter.setPen(pen)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.drawRoundedRect(used.adjusted(1, 1, -1, -1), 4, 4)
        top = 22 + len(self._peers) * LANE
        for start, end in self._gaps:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.bad))
            painter.drawRoundedRect(QRectF(self._x(start), top, self._x(end) - self._x(start), 6), 3, 3)
        if self._gaps:
            painter.setPen(QColor(theme.bad))
            painter.drawText(QPointF(0, top + 10), tr("missing"))

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            index = (event.pos().y() - 22) // LANE
            if 0 <= index < len(self._peers):
                QToolTip.showText(event.globalPos(), plain_tip(peer_line(self._peers[index])), self)
            return True
        return super().event(event)


def peer_line(peer: PeerView) -> str:
    parts = [peer["name"], words.span_text(peer["span"]), words.peer_state(peer["state"])]
    if why := reasons.of_peer(peer):
        parts.append(why)
    return " · ".join(parts)


def described(state: StateView) -> str:
    """The picture in words."""
    swarm = state["swarm"]
    lines = [peer_line(peer) for peer in in_lanes(swarm["peers"])]
    missing = sum(end - start for start, end in swarm["gaps"]) if swarm["seen"] else 0
    if missing:
        lines.append(trn("%n block(s) missing", missing))
    return "; ".join(lines)
