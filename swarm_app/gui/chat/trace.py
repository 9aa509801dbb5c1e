"""The trace of one answer: who gave which part, how fast, and what each pause came from."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFrame,
    QGridLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from swarm_app.gui import words
from swarm_app.gui.frames import Words
from swarm_app.gui.reasons import takeover
from swarm_app.gui.tongue import seconds, tr, trn
from swarm_app.localapi.chatview import MessageView


def trace_lines(view: MessageView) -> list[tuple[str, str]]:
    """Headings (with an empty second) and what stands below them, as label and value."""
    answer: dict[str, Any] = view["answer"] or {}
    lines: list[tuple[str, str]] = [(tr("Who answered"), "")]
    for index, segment in enumerate(answer.get("segments", ())):
        if index:
            lines.append((tr("Who went on"), ""))
        tokens = segment["completion_tokens"]
        count = trn("%n token(s)", tokens) if tokens else ""
        if segment["engine"] != "swarm" or not segment["route"]:
            name = tr("This computer, {model}", model=segment["model"])
            why = takeover(segment) if segment["reason"] else ""
            lines.append((name, " · ".join(part for part in (count, why) if part)))
            continue
        for hop in segment["route"]:
            lines.append((hop["name"], words.span_text((hop["start"], hop["end"]))))
        if count:
            lines.append((tr("Together"), count))
    if len(lines) == 1:
        lines.append((tr("Nobody"), tr("The answer did not begin.")))
    if timing := answer.get("timing"):
        lines.append((tr("Times"), ""))
        lines.append((tr("To the first word"), seconds(timing["ttft_s"])))
        if rate := words.speed(answer):
            lines.append((tr("After that"), rate))
        lines.append((tr("Between two tokens, usually"), seconds(timing["itl_median_s"])))
        lines.append((tr("Between two tokens, 19 times of 20 at most"), seconds(timing["itl_p95_s"])))
    if answer:
        lines.append((tr("Length"), ""))
        lines.append((tr("Question and history"), trn("%n token(s)", answer["prompt_tokens"])))
        if answer.get("completion_tokens") is not None:
            lines.append((tr("Answer"), trn("%n token(s)", answer["completion_tokens"])))
    if pauses := answer.get("pauses"):
        lines.append((tr("Pauses"), ""))
        for pause in pauses:
            phases = " + ".join(
                f"{label} {seconds(pause[key])}"
                for key, label in (
                    ("detect_s", tr("noticing")),
                    ("route_s", tr("finding a way")),
                    ("replay_s", tr("catching up")),
                )
                if pause[key] >= 0.001
            )
            where = trn("after %n token(s)", pause["at_token"])
            lines.append((words.pause_sentence(pause), f"{where}; {phases}" if phases else where))
    return lines


class TraceDialog(QDialog):
    def __init__(self, parent: QWidget, view: MessageView) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("How this answer came about"))
        self.resize(520, 460)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        box = QVBoxLayout(self)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        inside = QWidget()
        grid = QGridLayout(inside)
        for column in (0, 1):
            grid.setColumnStretch(column, 1)
        grid.setHorizontalSpacing(20)
        grid.setVerticalSpacing(6)
        for row, (label, value) in enumerate(trace_lines(view)):
            left = Words(label)
            left.setWordWrap(True)
            left.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            if value:
                right = Words(value)
                right.setProperty("role", "dim")
                right.setWordWrap(True)
                right.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
                grid.addWidget(left, row, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(right, row, 1, Qt.AlignmentFlag.AlignTop)
            else:
                left.setProperty("role", "section")
                left.setContentsMargins(0, 10 if row else 0, 0, 0)
                grid.addWidget(left, row, 0, 1, 2)
        grid.setRowStretch(grid.rowCount(), 1)
        area.setWidget(inside)
        box.addWidget(area)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.button(QDialogButtonBox.StandardButton.Close).setText(tr("Close"))
        buttons.rejected.connect(self.close)
        box.addWidget(buttons)
