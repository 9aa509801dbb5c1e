"""The local API in the settings: where it is, its token to copy, and another token."""

from __future__ import annotations

from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from swarm_app.config import apifile
from swarm_app.config.paths import ProfilePaths
from swarm_app.gui import asking, troubles
from swarm_app.gui.frames import label
from swarm_app.gui.link import NodeLink
from swarm_app.gui.tongue import tr


class LocalApi(QWidget):
    def __init__(self, paths: ProfilePaths, link: NodeLink) -> None:
        super().__init__()
        self._paths = paths
        self._link = link
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addWidget(
            label(
                tr("Other programs on this computer can use the model through it, as through OpenAI's."),
                "dim",
                wrap=True,
            )
        )
        self.address = QLineEdit()
        self.address.setReadOnly(True)
        self.address.setAccessibleName(tr("Address"))
        self.address.setPlaceholderText(tr("The node is not running."))
        self.copy_token = QPushButton(tr("Copy the token"))
        self.copy_token.clicked.connect(self._copy)
        self.renew = QPushButton(tr("New token …"))
        self.renew.clicked.connect(self._renew)
        row = QHBoxLayout()
        row.addWidget(self.address, 1)
        row.addWidget(self.copy_token)
        row.addWidget(self.renew)
        box.addLayout(row)
        self.told = label("", "dim", wrap=True)
        self.told.hide()
        box.addWidget(self.told)
        link.connected.connect(self.show_address)
        link.lost.connect(lambda _: self.show_address())
        self.show_address()

    def show_address(self) -> None:
        address = apifile.read(self._paths.api_file)
        shown = f"{address.url}/v1" if address else ""
        if shown != self.address.text():
            self.address.setText(shown)
        for button in (self.copy_token, self.renew):
            button.setEnabled(address is not None)

    def _copy(self) -> None:
        address = apifile.read(self._paths.api_file)
        if address is not None:
            QApplication.clipboard().setText(address.token)
            self._tell(tr("The token is in the clipboard."))

    def _renew(self) -> None:
        question = tr("Programs that use the present token are refused until they have the new one.")
        if asking.confirm(self, tr("New token"), question, tr("Make a new token")):
            self._link.call(
                lambda client: client.renew_token(),
                lambda _: self._tell(tr("The old token is refused from now on.")),
                lambda error: self._tell(troubles.sentence(error)),
            )

    def _tell(self, sentence: str) -> None:
        self.told.setText(sentence)
        self.told.show()
