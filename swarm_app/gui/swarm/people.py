"""Members and invitations."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtGui import QColor, QImage, QPixmap
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import asking, words
from swarm_app.gui.link import NodeLink
from swarm_app.gui.membership import LINK, membership, standing
from swarm_app.gui.tongue import tr, trn
from swarm_app.localapi.view import StateView

MAY_INVITE = ("owner", "admin")
QR_SCALE = 5
"""Pixels for each square."""


class People(QWidget):
    def __init__(self, link: NodeLink) -> None:
        super().__init__()
        self._link = link
        self._seen: object = None
        self._link_text = ""
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 0)
        box.setSpacing(10)
        self.title = QLabel(tr("Members"))
        self.title.setProperty("role", "title")
        self.about = QLabel()
        self.about.setWordWrap(True)
        self.about.setProperty("role", "dim")
        self.trouble = QLabel()
        self.trouble.setProperty("role", "bad")
        self.trouble.setWordWrap(True)
        self.trouble.hide()
        self.members = QGridLayout()
        self.members.setHorizontalSpacing(22)
        self.members.setColumnStretch(3, 1)
        buttons = QHBoxLayout()
        self.invite = QPushButton(tr("Invite a computer"))
        self.found = QPushButton(tr("Start a household"))
        self.join = QPushButton(tr("Join with a link"))
        self.leave = QPushButton(tr("Leave the household"))
        self.invite.clicked.connect(self._invite)
        self.found.clicked.connect(self._found)
        self.join.clicked.connect(self.ask_link)
        self.leave.clicked.connect(self._leave)
        for button in (self.invite, self.found, self.join, self.leave):
            buttons.addWidget(button)
            button.hide()
        buttons.addStretch()
        row = QHBoxLayout()
        self.made = QLineEdit()
        self.made.setReadOnly(True)
        self.made.setAccessibleName(tr("Invitation link"))
        self.copy = QPushButton(tr("Copy"))
        self.copy.clicked.connect(lambda: QApplication.clipboard().setText(self.made.text()))
        row.addWidget(self.made, 1)
        row.addWidget(self.copy)
        self.code = QLabel()
        self.code.setAccessibleName(tr("QR code of the invitation"))
        for widget in (self.made, self.copy, self.code):
            widget.hide()
        self.requests = QVBoxLayout()
        self.invites = QGridLayout()
        self.invites.setHorizontalSpacing(22)
        self.invites.setColumnStretch(2, 1)
        for widget in (self.title, self.about, self.trouble):
            box.addWidget(widget)
        for layout in (self.requests, self.members, buttons, row):
            box.addLayout(layout)
        box.addWidget(self.code)
        box.addLayout(self.invites)

    def show_state(self, state: StateView) -> None:
        member = standing(state)
        if member is None:
            self.about.setText(tr("The node of this version does not know members and invitations yet."))
            return
        asking_in = list(member.get("requests", ()))
        seen = (member["standing"], member["number"], member["members"], member["role"], asking_in)
        if seen == self._seen:
            return
        self._seen = seen
        inside = member["standing"] == "member"
        self.about.setText(standing_sentence(member))
        self.invite.setVisible(inside and member["role"] in MAY_INVITE)
        self.leave.setVisible(inside)
        self.found.setVisible(member["standing"] == "outside")
        self.join.setVisible(member["standing"] in ("outside", "removed"))
        self._show_requests(asking_in)
        if inside:
            self._read()

    def _show_requests(self, requests: list[Mapping[str, Any]]) -> None:
        """Computers nearby that ask to join: their digits, and yes or no."""
        from swarm_app.gui.swarm.page import _clear

        _clear(self.requests)
        for one in requests:
            row = QHBoxLayout()
            text = tr("{name} wants to join. It must show {digits}.", name=one["name"], digits=one["digits"])
            label = QLabel(text)
            label.setWordWrap(True)
            row.addWidget(label, 1)
            for yes, words_ in ((True, tr("Approve")), (False, tr("Refuse"))):
                button = QPushButton(words_)
                button.setAccessibleDescription(text)
                button.clicked.connect(
                    lambda _=False, o=one["id"], y=yes: self._do(lambda part: part.answer(o, y))
                )
                row.addWidget(button)
            self.requests.addLayout(row)

    # ------------------------------------------------ actions

    def _do(self, work: Any, done: Any = None) -> None:
        self.trouble.hide()
        self._link.call(lambda client: work(membership(client)), done, self._failed)

    def _failed(self, error: HomeswarmError) -> None:
        self.trouble.setText(words.error_sentence(error))
        self.trouble.show()

    def _read(self) -> None:
        self._do(lambda part: (part.members(), part.invites()), self._show)

    def _invite(self) -> None:
        self._do(lambda part: part.invite(), self._made)

    def _made(self, made: Mapping[str, Any]) -> None:
        self.made.setText(made["link"])
        self.made.show()
        self.made.setCursorPosition(0)
        self.copy.show()
        self.code.setPixmap(qr_code(made["link"]))
        self.code.show()
        self._read()

    def _found(self) -> None:
        name = asking.ask_text(self, tr("Start a household"), tr("Name of the household"), tr("Home"))
        if name:
            self._do(lambda part: part.create(name))

    def ask_link(self, link: str = "") -> None:
        """Join by a link that is entered, or was handed over."""
        text = link if isinstance(link, str) else ""
        invitation = asking.ask_text(self, tr("Join with a link"), tr("Link"), text)
        if invitation and not invitation.startswith(LINK):
            self.trouble.setText(tr("An invitation begins with {start}.", start=LINK))
            self.trouble.show()
        elif invitation:
            self._do(lambda part: part.join(invitation))

    def _leave(self) -> None:
        question = tr("This computer can come back only with a new invitation.")
        if asking.confirm(self, tr("Leave the household"), question, tr("Leave")):
            self._do(lambda part: part.leave())

    def _remove(self, who: str, name: str) -> None:
        question = tr("{name} can no longer use the household's model, on any computer.", name=name)
        if asking.confirm(self, tr("Remove a member"), question, tr("Remove")):
            self._do(lambda part: part.remove(who), lambda _: self._read())

    def _cancel(self, invite: str) -> None:
        self._do(lambda part: part.cancel(invite), lambda _: self._read())

    # ------------------------------------------------ lists

    def _show(self, both: tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]) -> None:
        members, invites = both
        from swarm_app.gui.swarm.page import _clear

        _clear(self.members)
        _clear(self.invites)
        may = not self.invite.isHidden()
        for row, one in enumerate(one for one in members if not one["removed"]):
            name = QLabel(one["name"] + (" " + tr("(this computer)") if one["this_device"] else ""))
            name.setProperty("role", "section")
            seen = words.ago(one["seen_at"]) if one["seen_at"] else ""
            for column, widget in enumerate(
                (name, _dim(one["person"]), _dim(role_word(one["role"])), _dim(seen))
            ):
                self.members.addWidget(widget, row, column)
            if may and not one["this_device"]:
                remove = QPushButton(tr("Remove"))
                remove.setAccessibleName(tr("Remove {name}", name=one["name"]))
                remove.setProperty("role", "danger")
                remove.clicked.connect(lambda _=False, o=one: self._remove(o["id"], o["name"]))
                self.members.addWidget(remove, row, 4)
        for row, one in enumerate(one for one in invites if one["state"] == "open"):
            hours = max(0, int((one["expires_at"] - time.time()) / 3600))
            self.invites.addWidget(
                _dim(tr("Open invitation for: {role}", role=role_word(one["role"]))), row, 0
            )
            self.invites.addWidget(_dim(trn("%n hour(s) left", hours)), row, 1)
            if may:
                cancel = QPushButton(tr("Cancel the invitation"))
                cancel.clicked.connect(lambda _=False, o=one: self._cancel(o["id"]))
                self.invites.addWidget(cancel, row, 3)


def qr_code(text: str) -> QPixmap:
    """Dark on light with its quiet zone, whatever the theme: cameras want it so."""
    import segno

    rows = [list(row) for row in segno.make(text, error="m").matrix_iter(scale=1, border=4)]
    image = QImage(len(rows), len(rows), QImage.Format.Format_RGB32)
    for y, row in enumerate(rows):
        for x, dark in enumerate(row):
            image.setPixelColor(x, y, QColor("black" if dark else "white"))
    side = len(rows) * QR_SCALE
    return QPixmap.fromImage(image.scaled(side, side))


def _dim(text: str) -> QLabel:
    label = QLabel(text)
    label.setProperty("role", "dim")
    return label


def role_word(role: str) -> str:
    return {
        "owner": tr("owner"),
        "admin": tr("admin"),
        "member": tr("member"),
        "guest": tr("guest"),
    }.get(role, role)


def standing_sentence(member: Mapping[str, Any]) -> str:
    """What this computer's membership is, in a sentence."""
    name = member.get("swarm_name") or tr("the household")
    reason = member.get("reason")
    said = {
        "open": tr("This is an open swarm on this computer, without members and invitations."),
        "outside": tr("This computer is in no household yet."),
        "checking": tr("The membership is being checked …"),
        "locked": tr("The keyring is locked, so this computer cannot prove who it is. Unlock it."),
        "member": tr("You are in {name} as: {role}.", name=name, role=role_word(str(member["role"]))),
        "removed": tr("This computer was removed from {name}.", name=name),
        "twin": tr("Another computer uses the same identity. Only one of them can take part."),
    }.get(str(member["standing"]), str(member["standing"]))
    return f"{said} {words.error_sentence(reason)}" if reason else said
