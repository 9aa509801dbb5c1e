"""The door into a household: by a link, by a picture of its QR code, or by asking one that is nearby."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
)

from swarm_app.gui.codes import read_qr
from swarm_app.gui.firstrun.parts import Page, own_name, trouble_label
from swarm_app.gui.frames import Words, label
from swarm_app.gui.membership import LINK, is_invitation
from swarm_app.gui.nearby import NearbyList
from swarm_app.gui.tongue import tr

MAX_LINK = 4000


class JoinPage(Page):
    """`linkGiven` has an invitation, `asked` where a household nearby is."""

    linkGiven = Signal(str)
    asked = Signal(str)

    def __init__(self, leave: Callable[[], None]) -> None:
        super().__init__(
            tr("Join a household"),
            tr("Paste the link that you were sent, or open or paste a picture of its QR code."),
        )
        form = QFormLayout()
        row = QHBoxLayout()
        self.invitation = QLineEdit()
        self.invitation.setPlaceholderText(f"{LINK}…")
        self.picture = QPushButton(tr("Picture …"))
        self.picture.setAccessibleDescription(tr("Read the QR code of an invitation from a picture"))
        self.picture.clicked.connect(self._choose)
        row.addWidget(self.invitation, 1)
        row.addWidget(self.picture)
        self.computer = QLineEdit(own_name())
        link = Words(tr("&Link"))
        link.setBuddy(self.invitation)
        form.addRow(link, row)
        form.addRow(tr("Name of this &computer"), self.computer)
        self.box.addLayout(form)
        self.trouble = trouble_label()
        self.box.addWidget(self.trouble)
        self.nearby = NearbyList()
        self.nearby.asked.connect(self.asked)
        self.box.addWidget(label(tr("Nearby"), "section"))
        self.box.addWidget(self.nearby)
        self.join = self.buttons(tr("Join"), self._join, leave)
        self.invitation.returnPressed.connect(self._join)

    def opened(self) -> None:
        """Take up what the clipboard has, where that is an invitation."""
        self.trouble.hide()
        self.invitation.setFocus()
        if self.invitation.text():
            return
        clipboard = QApplication.clipboard()
        copied = clipboard.text().strip()
        if not is_invitation(copied):
            copied = read_qr(clipboard.image()).strip()
        if is_invitation(copied):
            self.invitation.setText(copied[:MAX_LINK])

    def tell(self, sentence: str) -> None:
        self.trouble.setText(sentence)
        self.trouble.show()

    def read_picture(self, path: str) -> None:
        """The link of the QR code in a picture's file."""
        text = read_qr(QImage(path)).strip()
        if is_invitation(text):
            self.trouble.hide()
            self.invitation.setText(text[:MAX_LINK])
        else:
            self.tell(tr("There is no invitation's QR code in this picture."))

    def _choose(self) -> None:
        kinds = tr("Pictures") + " (*.png *.jpg *.jpeg *.webp *.bmp *.gif)"
        path, _ = QFileDialog.getOpenFileName(self, tr("A picture of the QR code"), "", kinds)
        if path:
            self.read_picture(path)

    def _join(self) -> None:
        invitation = self.invitation.text().strip()
        if not is_invitation(invitation):
            self.tell(tr("An invitation begins with {start}.", start=LINK))
            return
        self.trouble.hide()
        self.linkGiven.emit(invitation)
