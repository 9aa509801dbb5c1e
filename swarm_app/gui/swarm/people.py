"""Members and invitations."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import (
    QApplication,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import asking, troubles, words
from swarm_app.gui.codes import qr_code
from swarm_app.gui.frames import Elided, Words, clear, keep_tab_order, label
from swarm_app.gui.link import NodeLink
from swarm_app.gui.membership import LINK, is_invitation, membership, standing
from swarm_app.gui.nearby import NearbyList, as_error, asking_sentence
from swarm_app.gui.tongue import tr, trn
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import StateView

MAY_INVITE = ("owner", "admin")

NEARBY_MS = 3000


class People(QWidget):
    """`fileAllowed`: the keys may lie in a file; the node has to start anew for that."""

    fileAllowed = Signal()

    def __init__(self, link: NodeLink) -> None:
        super().__init__()
        self._link = link
        self._seen: object = None
        self._inside = False
        self._doing: set[str] = set()
        """What is under way."""
        self._asked_where = ""
        self._made_id = ""
        """Of the invitation whose link is shown."""
        self._refused: Any = None
        """What failed for want of a place for the keys."""
        self._tried: Any = None
        """The same, once they have one: it is tried again when the node is back."""
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 8, 0, 0)
        box.setSpacing(10)
        self.title = label(tr("Members"), "title")
        self.about = label("", "dim", wrap=True)
        self.trouble = label("", "bad", wrap=True)
        self.trouble.hide()
        self.in_a_file = QPushButton(tr("Keep the keys in a file"))
        self.in_a_file.setToolTip(tr("In this profile's folder, readable by you alone."))
        self.in_a_file.clicked.connect(self._allow_file)
        self.in_a_file.hide()
        self.nearby = NearbyList()
        self.nearby.asked.connect(self._ask_nearby)
        self.nearby.hide()
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
        self.code = Words()
        self.code.setAccessibleName(tr("QR code of the invitation"))
        self._made_parts: tuple[QWidget, ...] = (self.made, self.copy, self.code)
        for made_part in self._made_parts:
            made_part.hide()
        self.requests = QVBoxLayout()
        self.invites = QGridLayout()
        self.invites.setHorizontalSpacing(22)
        self.invites.setColumnStretch(2, 1)
        for widget in (self.title, self.about, self.trouble, self.in_a_file):
            box.addWidget(widget)
        for layout in (self.requests, self.members, buttons, row):
            box.addLayout(layout)
        box.addWidget(self.nearby)
        box.addWidget(self.code)
        box.addLayout(self.invites)
        self._look = QTimer(self)
        self._look.setInterval(NEARBY_MS)
        self._look.timeout.connect(self._look_around)
        link.connected.connect(self._connected)

    def show_state(self, state: StateView) -> None:
        member = standing(state)
        if member is None:
            return
        asking_in = list(member.get("requests", ()))
        seen = (member["standing"], member["number"], member["members"], member["role"], asking_in)
        if seen == self._seen:
            return
        self._seen = seen
        inside = self._inside = member["standing"] == "member"
        self.about.setText(standing_sentence(member))
        self.invite.setVisible(inside and member["role"] in MAY_INVITE)
        self.leave.setVisible(inside)
        self.found.setVisible(member["standing"] == "outside")
        self.join.setVisible(member["standing"] in ("outside", "removed"))
        self._show_requests(asking_in)
        outside = member["standing"] == "outside"
        self.nearby.setVisible(outside)
        if outside:
            self._look.start()
        else:
            self._look.stop()
        if inside:
            self._read()
        else:
            self._show(([], []))

    def _show_requests(self, requests: list[Mapping[str, Any]]) -> None:
        """Computers nearby that ask to join: their digits, and yes or no."""
        clear(self.requests)
        for one in requests:
            row = QHBoxLayout()
            text = tr("{name} wants to join. It must show {digits}.", name=one["name"], digits=one["digits"])
            row.addWidget(label(text, wrap=True), 1)
            for yes, words_ in ((True, tr("Approve")), (False, tr("Refuse"))):
                button = QPushButton(words_)
                button.setAccessibleDescription(text)
                button.clicked.connect(
                    lambda _=False, o=one["id"], y=yes: self._do(o, lambda part: part.answer(o, y))
                )
                row.addWidget(button)
            self.requests.addLayout(row)
        keep_tab_order(self)

    # ------------------------------------------------ actions

    def _do(self, what: str, work: Any, done: Any = None) -> None:
        """What somebody has asked for. A second click on the same thing asks for nothing more."""
        if what in self._doing:
            return
        self._doing.add(what)
        self.trouble.hide()
        self.in_a_file.hide()

        def over(told: Any) -> None:
            self._doing.discard(what)
            if done is not None:
                done(told)

        def failed(error: HomeswarmError) -> None:
            self._doing.discard(what)
            self._failed(error, work)

        self._link.call(lambda client: work(membership(client)), over, failed)

    def _failed(self, error: HomeswarmError, work: Any) -> None:
        self.trouble.setText(troubles.sentence(error))
        self.trouble.show()
        if error.code == "secrets-unusable" and self.is_outside:
            self._refused = work
            self.in_a_file.show()

    @property
    def is_outside(self) -> bool:
        """Nothing is lost by keys in another place: this computer has none yet."""
        member = standing(self._link.state) if self._link.state is not None else None
        return member is not None and member["standing"] == "outside"

    def _allow_file(self) -> None:
        self.in_a_file.hide()
        self.trouble.hide()
        self._tried = self._refused
        self.fileAllowed.emit()

    def _connected(self) -> None:
        """The node is back: with a place for the keys, what was tried is tried again."""
        if self._link.state is None or self._link.state["node"]["stopping"]:
            return  # the one before, on its way out
        tried, self._tried = self._tried, None
        if tried is not None:
            self._do("again", tried)

    def _look_around(self) -> None:
        if self.isVisible() and self._link.is_connected:
            self._link.call(lambda client: membership(client).nearby(), self._nearby, lambda _: None)

    def _nearby(self, seen: Mapping[str, Any]) -> None:
        asking = seen["asking"]
        if asking is not None and asking["state"] == "waiting":
            self.nearby.tell(asking_sentence(asking))
            return
        if asking is not None and asking["state"] == "refused" and self._asked_where:
            where, self._asked_where = self._asked_where, ""
            self._failed(as_error(asking), lambda part: part.ask(where))
        self.nearby.show_households(seen["households"])

    def _ask_nearby(self, where: str) -> None:
        self._asked_where = where
        self._do("ask", lambda part: part.ask(where), lambda told: self.nearby.tell(asking_sentence(told)))

    def _read(self) -> None:
        def work(client: LocalClient) -> Any:
            return membership(client).members(), membership(client).invites()

        self._link.call(work, self._show, lambda error: self._failed(error, None))

    def _invite(self) -> None:
        self._do("invite", lambda part: part.invite(), self._made)

    def _made(self, made: Mapping[str, Any]) -> None:
        self._made_id = str(made["id"])
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
            self._do("create", lambda part: part.create(name))

    def ask_link(self, link: str = "") -> None:
        """Join by a link that is entered, or was handed over."""
        text = link if isinstance(link, str) else ""
        invitation = asking.ask_text(self, tr("Join with a link"), tr("Link"), text)
        if invitation and not is_invitation(invitation):
            self.trouble.setText(tr("An invitation begins with {start}.", start=LINK))
            self.trouble.show()
        elif invitation:
            self._do("join", lambda part: part.join(invitation))

    def _leave(self) -> None:
        question = tr("This computer can come back only with a new invitation.")
        if asking.confirm(self, tr("Leave the household"), question, tr("Leave")):
            self._do("leave", lambda part: part.leave())

    def _remove(self, who: str, name: str) -> None:
        question = tr("{name} can no longer use the household's model, on any computer.", name=name)
        if asking.confirm(self, tr("Remove a member"), question, tr("Remove")):
            self._do(who, lambda part: part.remove(who), lambda _: self._read())

    def _cancel(self, invite: str) -> None:
        self._do(invite, lambda part: part.cancel(invite), lambda _: self._read())

    # ------------------------------------------------ lists

    def _show(self, both: tuple[list[Mapping[str, Any]], list[Mapping[str, Any]]]) -> None:
        members, invites = both if self._inside else ([], [])
        # A link that is used up or was cancelled is no use to anybody.
        usable = self._made_id in (one["id"] for one in invites if one["state"] == "open")
        for part in self._made_parts:
            part.setVisible(usable)
        clear(self.members)
        clear(self.invites)
        may = not self.invite.isHidden()
        for row, one in enumerate(one for one in members if not one["removed"]):
            name = Elided(
                one["name"] + (" " + tr("(this computer)") if one["this_device"] else ""), "section"
            )
            seen = words.ago(one["seen_at"]) if one["seen_at"] else ""
            for column, widget in enumerate(
                (name, Elided(one["person"], "dim"), label(role_word(one["role"]), "dim"), label(seen, "dim"))
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
                label(tr("Open invitation for: {role}", role=role_word(one["role"])), "dim"), row, 0
            )
            left = trn("%n hour(s) left", hours) if hours else tr("less than an hour left")
            self.invites.addWidget(label(left, "dim"), row, 1)
            if may:
                cancel = QPushButton(tr("Cancel the invitation"))
                cancel.clicked.connect(lambda _=False, o=one: self._cancel(o["id"]))
                self.invites.addWidget(cancel, row, 3)
        keep_tab_order(self)


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
    if not reason or member["standing"] in ("outside", "locked"):
        return said  # which is what the reason says
    if member["standing"] == "removed":
        return f"{said} {tr('An owner or admin can invite this computer again.')}"
    return f"{said} {troubles.sentence(reason)}"
