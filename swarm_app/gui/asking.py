"""Small questions in dialogs of one look."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QInputDialog, QMessageBox, QWidget

from swarm_app.gui.tongue import tr

WIDE = 460
"""Pixels: of a link some is seen at least."""


def ask_text(parent: QWidget, title: str, label: str, text: str) -> str:
    """The text that was entered, or "" when nobody wants to."""
    dialog = QInputDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setTextValue(text)
    dialog.setCancelButtonText(tr("Cancel"))
    dialog.resize(WIDE, dialog.sizeHint().height())
    agreed = dialog.exec()
    value = dialog.textValue().strip()
    dialog.deleteLater()
    return value if agreed else ""


def confirm(parent: QWidget, title: str, text: str, action: str) -> bool:
    """Whether they want what cannot be undone; the safe answer is the default."""
    box = QMessageBox(QMessageBox.Icon.Question, title, "", QMessageBox.StandardButton.NoButton, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    go = box.addButton(action, QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(stay)
    box.setEscapeButton(stay)
    box.exec()
    chosen = box.clickedButton() is go
    box.deleteLater()
    return chosen


def tell(parent: QWidget | None, title: str, text: str) -> None:
    box = QMessageBox(QMessageBox.Icon.Information, title, "", QMessageBox.StandardButton.Ok, parent)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.exec()
    box.deleteLater()


def ask_how_to_close(parent: QWidget, contributes: bool) -> tuple[str, bool]:
    """ "tray", "quit" or "" (stay), and whether that is meant for every time."""
    text = (
        tr("This computer serves a part of the model to your household while Homeswarm runs.")
        if contributes
        else tr("Homeswarm can stay ready in the tray.")
    )
    box = QMessageBox(
        QMessageBox.Icon.Question, tr("Close the window"), text, QMessageBox.StandardButton.NoButton, parent
    )
    always = QCheckBox(tr("Remember this"))
    always.setChecked(True)
    box.setCheckBox(always)
    tray = box.addButton(tr("Keep running"), QMessageBox.ButtonRole.AcceptRole)
    leave = box.addButton(tr("Quit Homeswarm"), QMessageBox.ButtonRole.DestructiveRole)
    stay = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
    box.setDefaultButton(tray)
    box.setEscapeButton(stay)
    box.exec()
    clicked, remember = box.clickedButton(), always.isChecked()
    box.deleteLater()
    return ("tray" if clicked is tray else "quit" if clicked is leave else ""), remember
