"""The system prompt, the sampling, and who answers in one chat."""

from __future__ import annotations

from typing import Any

from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from swarm_app.gui.frames import Words, counting
from swarm_app.gui.tongue import tr
from swarm_app.localapi.chatview import SamplingView

MAX_SYSTEM = 100_000


class ChatSettings(QDialog):
    """`values` has what was chosen once it was accepted."""

    def __init__(self, parent: QWidget, system: str, sampling: SamplingView) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Settings of this chat"))
        self.resize(500, 470)
        box = QVBoxLayout(self)
        label = Words(tr("&Instruction for the model"))
        self.system = QPlainTextEdit(system)
        self.system.setProperty("role", "field")
        self.system.setTabChangesFocus(True)
        self.system.setPlaceholderText(tr("For example: You are a patient teacher. Answer briefly."))
        label.setBuddy(self.system)
        box.addWidget(label)
        box.addWidget(self.system, 1)
        form = QFormLayout()
        self.prefer = _choice(
            sampling.get("prefer", ""),
            ("", tr("as in the settings")),
            ("swarm", tr("the household")),
            ("local", tr("this computer alone")),
        )
        form.addRow(tr("&Who answers"), self.prefer)
        self.fallback = _choice(
            sampling.get("fallback", ""),
            ("", tr("as in the settings")),
            ("auto", tr("let this computer answer")),
            ("ask", tr("ask me")),
            ("never", tr("wait for the household")),
        )
        form.addRow(tr("When the household &cannot"), self.fallback)
        self.temperature = QDoubleSpinBox()
        self.temperature.setRange(0, 2)
        self.temperature.setSingleStep(0.1)
        self.temperature.setValue(sampling["temperature"])
        self.temperature.setToolTip(tr("0 always takes the likeliest word; higher is more varied."))
        form.addRow(tr("&Temperature"), self.temperature)
        self.top_p = QDoubleSpinBox()
        self.top_p.setRange(0.01, 1)
        self.top_p.setSingleStep(0.05)
        self.top_p.setValue(sampling["top_p"])
        self.top_p.setToolTip(tr("Chooses among the likeliest words that together have this probability."))
        form.addRow(tr("Top &p"), self.top_p)
        self.limit = QSpinBox()
        self.limit.setRange(0, 1_000_000)
        self.limit.setSpecialValueText(tr("as long as it needs"))
        self.limit.setValue(sampling["max_tokens"] or 0)
        counting(self.limit, "tokens")
        form.addRow(tr("&Longest answer"), self.limit)
        self.fixed = QCheckBox(tr("&Repeatable, with this seed"))
        self.seed = QSpinBox()
        self.seed.setRange(0, 2**31 - 1)
        self.seed.setValue(min(sampling["seed"] or 0, 2**31 - 1))
        self.fixed.setChecked(sampling["seed"] is not None)
        self.seed.setEnabled(self.fixed.isChecked())
        self.fixed.toggled.connect(self.seed.setEnabled)
        form.addRow(self.fixed, self.seed)
        box.addLayout(form)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.button(QDialogButtonBox.StandardButton.Save).setText(tr("Save"))
        buttons.button(QDialogButtonBox.StandardButton.Cancel).setText(tr("Cancel"))
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        box.addWidget(buttons)

    def values(self) -> tuple[str, dict[str, Any]]:
        return self.system.toPlainText()[:MAX_SYSTEM], {
            "temperature": round(self.temperature.value(), 2),
            "top_p": round(self.top_p.value(), 2),
            "max_tokens": self.limit.value() or None,
            "seed": self.seed.value() if self.fixed.isChecked() else None,
            "prefer": str(self.prefer.currentData()),
            "fallback": str(self.fallback.currentData()),
        }


def _choice(chosen: str, *choices: tuple[str, str]) -> QComboBox:
    box = QComboBox()
    for value, text in choices:
        box.addItem(text, value)
    box.setCurrentIndex(max(box.findData(chosen), 0))
    return box
