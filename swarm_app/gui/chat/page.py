"""The chat page: asks the node for what people do, and shows what it answers.

A chat that is being answered is followed while it is on the screen. Everything is kept by the node, so that
another chat can be looked at in the middle of an answer, and nothing of one ever shows in the other.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QStackedWidget, QVBoxLayout, QWidget

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import troubles, words
from swarm_app.gui.chat.cards import quiet_button
from swarm_app.gui.chat.chatlist import ChatList
from swarm_app.gui.chat.composer import Composer
from swarm_app.gui.chat.hearing import Hearing
from swarm_app.gui.chat.notice import Notice, Offer
from swarm_app.gui.chat.rows import Item, tokens_before
from swarm_app.gui.chat.settings import ChatSettings
from swarm_app.gui.chat.sidebar import Sidebar
from swarm_app.gui.chat.trace import TraceDialog
from swarm_app.gui.chat.transcript import Transcript
from swarm_app.gui.frames import Words
from swarm_app.gui.link import NodeLink
from swarm_app.gui.membership import standing
from swarm_app.gui.tongue import tr
from swarm_app.localapi.chatview import AskedView, ChatView, ConversationView, SamplingView
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import StateView

PAGE = 60
"""Messages that are read at once."""


class ChatPage(QWidget):
    def __init__(self, link: NodeLink, sidebar: Sidebar) -> None:
        super().__init__()
        self._link = link
        self._sidebar = sidebar
        self.chat: ChatView | None = None
        """The chat on the screen; None for a new one that does not exist yet."""
        self._wanted = ""
        """Its id, from the moment that it was chosen: what arrives for another is too late."""
        self._drafts: dict[str, tuple[str, list[tuple[str, str]]]] = {}
        self._new_settings: tuple[str, dict[str, Any]] | None = None
        self._revision = -1
        self._epoch = 0
        """Grows whenever the screen changes by what people do: what was asked for before is out of date."""
        self._standing = ""
        self._busy = False
        self._asking = False
        self.list = ChatList(link, sidebar, lambda: self._wanted, self)
        self._build()
        link.stateChanged.connect(self._state)
        link.connected.connect(self._connected)
        link.lost.connect(self._lost)
        for signal, slot in (
            (sidebar.chosen, self.open),
            (sidebar.newAsked, self.new),
            (self.list.changed, self._changed_chat),
            (self.list.deleted, self._deleted),
            (self.list.told, self.tell),
        ):
            signal.connect(slot)
        self._show_nothing()

    def _build(self) -> None:
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        head = QWidget()
        row = QHBoxLayout(head)
        row.setContentsMargins(24, 10, 14, 6)
        self.title = Words()
        self.title.setProperty("role", "title")
        self.options = quiet_button("sliders", tr("Instruction and sampling of this chat"))
        self.options.clicked.connect(self._settings)
        row.addWidget(self.title, 1)
        row.addWidget(self.options)
        box.addWidget(head)
        self.notice = Notice()
        self.offer = Offer()
        box.addWidget(self.notice)
        box.addWidget(self.offer)
        self.stack = QStackedWidget()
        self.transcript = Transcript()
        self.transcript.asked.connect(self._asked)
        self.transcript.versionAsked.connect(self._show_version)
        self.transcript.olderAsked.connect(self._read_older)
        self.hearing = Hearing(self._link, self.transcript, self.offer, self)
        self.hearing.done.connect(lambda: self.set_running(False))
        self.hearing.over.connect(self._followed)
        self.stack.addWidget(self.transcript)
        welcome = QWidget()
        inside = QVBoxLayout(welcome)
        inside.addStretch(2)
        self.hello = Words(tr("What would you like to know?"))
        self.hello.setProperty("role", "heading")
        self.hello.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hello_more = Words()
        self.hello_more.setProperty("role", "dim")
        self.hello_more.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hello_more.setWordWrap(True)
        inside.addWidget(self.hello)
        inside.addWidget(self.hello_more)
        inside.addStretch(3)
        self.stack.addWidget(welcome)
        box.addWidget(self.stack, 1)
        self.composer = Composer()
        self.hearing.grown.connect(self.composer.set_used)
        self.composer.sent.connect(self.send)
        self.composer.stopped.connect(self.stop)
        self.composer.complained.connect(self.tell)
        self.composer.editEnded.connect(lambda: self.composer.set_draft("", []))
        box.addWidget(self.composer)
        escape = QShortcut(QKeySequence("Esc"), self)
        escape.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        escape.activated.connect(self._escape)

    # ------------------------------------------------ which chat

    def new(self) -> None:
        self._leave()
        self.chat, self._wanted = None, ""
        self._new_settings = None
        self._show_nothing()
        self._sidebar.select("")
        self._restore_draft()
        self.composer.text.setFocus()

    def open(self, chat: str) -> None:
        if chat == self._wanted:
            return
        self._leave()
        self._wanted = chat
        self.chat = None
        self.stack.setCurrentIndex(0)
        self.transcript.show_conversation([], False)  # nothing of another chat stays for a moment
        self._restore_draft()
        self._sidebar.select(chat)
        self._read()

    def _leave(self) -> None:
        """Keep the draft, follow no longer."""
        self._epoch += 1
        if self.composer.editing is None:
            self._drafts[self._wanted] = self.composer.draft()
        else:
            self.composer.leave_edit()
        self.hearing.drop()
        self.set_running(False)

    def _restore_draft(self) -> None:
        self.composer.set_draft(*self._drafts.pop(self._wanted, ("", [])))

    def _show_nothing(self) -> None:
        self.stack.setCurrentIndex(1)
        self.title.setText("")
        self.set_running(False)
        self.composer.set_empty_budget()

    def _read(self) -> None:
        chat, epoch = self._wanted, self._epoch
        if chat:
            self._call(
                lambda client: client.chats.read(chat, limit=PAGE), lambda read: self._show(read, epoch)
            )

    def _show(self, conversation: ConversationView, epoch: int) -> None:
        chat = conversation["chat"]
        if chat["id"] != self._wanted or epoch != self._epoch:
            return
        shown_before = self.chat is not None and self.chat["id"] == chat["id"]
        self.chat = chat
        self.stack.setCurrentIndex(0)
        self._show_title()
        if shown_before and self.transcript.items:
            self.transcript.replace_tail(conversation["messages"])
        else:
            self.transcript.show_conversation(conversation["messages"], conversation["older"])
        self.composer.set_budget(conversation["budget"])
        self.set_running(chat["running"])
        if chat["running"] and not self.hearing.is_on:
            self.hearing.follow(self._wanted)

    def _show_title(self) -> None:
        self.title.setText((self.chat["title"] if self.chat else "") or tr("New chat"))

    def _read_older(self) -> None:
        chat, items = self._wanted, self.transcript.items
        if items:
            before = items[0].view["id"]
            self._call(lambda client: client.chats.read(chat, before=before, limit=PAGE), self._show_older)

    def _show_older(self, conversation: ConversationView) -> None:
        if conversation["chat"]["id"] == self._wanted:
            self.transcript.add_older(conversation["messages"], conversation["older"])

    # ------------------------------------------------ asking

    def send(self) -> None:
        text, attachments = self.composer.draft()
        if self._busy or self._asking:
            return
        self._asking = True
        edit, wanted, settings = self.composer.editing, self._wanted, self._new_settings

        def work(client: LocalClient) -> tuple[str, AskedView]:
            if wanted:
                return wanted, client.chats.ask(wanted, text, attachments, edit=edit)
            system, sampling = settings or ("", None)
            chat = client.chats.create(system=system, sampling=sampling)["id"]
            try:
                return chat, client.chats.ask(chat, text, attachments)
            except HomeswarmError:
                with contextlib.suppress(HomeswarmError):
                    client.chats.delete(chat)  # the question is still in the composer
                raise

        def done(result: tuple[str, AskedView]) -> None:
            self._asking = False
            chat, asked = result
            if self._wanted != wanted:
                self._drafts.pop(wanted, None)
                return
            self.notice.hide()
            if edit is not None:
                self.transcript.cut_after(edit)
            self._wanted = chat
            self._sidebar.select(chat)  # the list may have had it before this answer came
            self.composer.clear()
            self._begin(asked)

        def failed(error: HomeswarmError) -> None:
            self._asking = False
            self.tell(troubles.sentence(error))

        self._link.call(work, done, failed)

    def _begin(self, asked: AskedView) -> None:
        self._epoch += 1
        self.stack.setCurrentIndex(0)
        if self.chat is None:
            self.transcript.show_conversation([], False)
        question = asked["question"]
        self.transcript.append(*([question] if question else []), asked["answer"])
        self.composer.set_budget(asked["budget"])
        self.set_running(True)
        self.hearing.follow(self._wanted)
        self._read_soon()

    def _read_soon(self) -> None:
        """The title, which a first question gives."""
        chat = self._wanted
        self._call(lambda client: client.chats.read(chat, limit=2), self._note_chat)

    def _note_chat(self, conversation: ConversationView) -> None:
        if conversation["chat"]["id"] == self._wanted:
            self.chat = conversation["chat"]
            self._show_title()

    def stop(self) -> None:
        chat = self._wanted
        if chat:
            self._call(lambda client: client.chats.stop(chat))

    def regenerate(self, item: Item) -> None:
        chat, answer = self._wanted, item.view["id"]
        if self._busy or not chat:
            return

        def done(asked: AskedView) -> None:
            if self._wanted == chat:
                self.transcript.cut_after(answer)
                self._begin(asked)
                self.composer.text.setFocus()  # the button that was pressed is gone

        self._call(lambda client: client.chats.regenerate(chat, answer), done)

    def _show_version(self, message: int) -> None:
        chat = self._wanted
        self._call(lambda client: client.chats.show(chat, message), lambda _: self._show_branch(chat))

    def _show_branch(self, chat: str) -> None:
        if chat == self._wanted:
            self._epoch += 1
            self.chat = None  # read as if it were another one
            self._read()

    def _asked(self, what: str, item: Item) -> None:
        if what == "regenerate":
            self.regenerate(item)
        elif what == "edit" and not self._busy:
            before = tokens_before(self.transcript.items, item)
            self.composer.begin_edit(item.view["id"], item.view["text"], before)
        elif what == "trace":
            TraceDialog(self, item.view).show()

    def _followed(self, chat: str) -> None:
        if chat == self._wanted:
            self.set_running(False)
            # What came while nobody followed, and what the whole answer has taken of the model's memory.
            epoch = self._epoch
            self._call(lambda client: client.chats.read(chat, limit=4), lambda read: self._show(read, epoch))

    def set_running(self, running: bool) -> None:
        self._busy = running
        self.composer.set_running(running)

    # ------------------------------------------------ the chat itself

    def _changed_chat(self, chat: ChatView) -> None:
        if chat["id"] == self._wanted:
            self.chat = chat
            self._show_title()

    def _deleted(self, chat: str) -> None:
        self._drafts.pop(chat, None)
        if chat == self._wanted:
            self.hearing.drop()
            self.new()

    def _settings(self) -> None:
        default = SamplingView(temperature=0.2, top_p=1.0, max_tokens=None, seed=None, prefer="", fallback="")
        system, sampling = (self.chat["system"], self.chat["sampling"]) if self.chat else ("", default)
        if self.chat is None and self._new_settings:
            system, sampling = self._new_settings[0], {**default, **self._new_settings[1]}  # type: ignore[typeddict-item]
        dialog = ChatSettings(self, system, sampling)
        if dialog.exec():
            chosen = dialog.values()
            if self.chat is None:
                self._new_settings = chosen
            else:
                chat = self.chat["id"]
                self._call(
                    lambda client: client.chats.change(chat, system=chosen[0], sampling=chosen[1]),
                    self._changed_chat,
                )
        dialog.deleteLater()

    # ------------------------------------------------ the node

    def _state(self, state: StateView) -> None:
        chats = state.get("chats")
        if chats and chats["revision"] != self._revision:
            self._revision = chats["revision"]
            self.list.refresh()
            if self._wanted in chats["running"] and not self.hearing.is_on and not self._asking:
                self._read()  # answered for somebody else, or before this window came
        self.hello_more.setText(words.greeting(state))
        member = standing(state)
        told = str(member["standing"]) if member else ""
        if told != self._standing:
            self._standing = told
            if member and told in ("removed", "locked", "twin"):
                from swarm_app.gui.swarm.people import standing_sentence

                self.tell(standing_sentence(member))

    def _connected(self) -> None:
        self._revision = -1
        self.composer.set_can_send(True)
        self.notice.hide()
        self._read()

    def _lost(self, error: HomeswarmError) -> None:
        self.hearing.drop()
        self.set_running(False)
        self.composer.set_can_send(False)

    def tell(self, sentence: str) -> None:
        self.notice.say(sentence)

    def _call(self, work: Callable[[LocalClient], Any], done: Callable[[Any], None] | None = None) -> None:
        self._link.call(work, done, lambda error: self.tell(troubles.sentence(error)))

    def _escape(self) -> None:
        if self.composer.editing is not None:
            self.composer.end_edit()
        elif self._busy:
            self.stop()
