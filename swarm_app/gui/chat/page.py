"""The chat page: asks the node for what people do, and shows what it answers.

A chat that is being answered is followed while it is on the screen. Everything is kept by the node, so that
another chat can be looked at in the middle of an answer, and nothing of one ever shows in the other.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFileDialog, QFrame, QHBoxLayout, QLabel, QStackedWidget, QVBoxLayout, QWidget

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import asking, words
from swarm_app.gui.chat.cards import quiet_button
from swarm_app.gui.chat.composer import Composer
from swarm_app.gui.chat.rows import Item
from swarm_app.gui.chat.settings import ChatSettings
from swarm_app.gui.chat.sidebar import Sidebar
from swarm_app.gui.chat.trace import TraceDialog
from swarm_app.gui.chat.transcript import Transcript
from swarm_app.gui.link import Follower, NodeLink
from swarm_app.gui.membership import standing
from swarm_app.gui.tongue import tr
from swarm_app.localapi.chatclient import Followed
from swarm_app.localapi.chatview import AskedView, ChatView, ConversationView, SamplingView
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import StateView

PAGE = 60
"""Messages that are read at once."""


class ChatPage(QWidget):
    titleChanged = Signal(str)

    def __init__(self, link: NodeLink, sidebar: Sidebar) -> None:
        super().__init__()
        self._link = link
        self._sidebar = sidebar
        self.chat: ChatView | None = None
        """The chat on the screen; None for a new one that does not exist yet."""
        self._wanted = ""
        """Its id, from the moment that it was chosen: what arrives for another is too late."""
        self._follower: Follower | None = None
        self._drafts: dict[str, tuple[str, list[tuple[str, str]]]] = {}
        self._new_settings: tuple[str, dict[str, Any]] | None = None
        self._revision = -1
        self._epoch = 0
        """Grows whenever the screen changes by what people do: what was asked for before is out of date."""
        self._standing = ""
        self._busy = False
        self._asking = False
        self._build()
        link.stateChanged.connect(self._state)
        link.connected.connect(self._connected)
        link.lost.connect(self._lost)
        for signal, slot in (
            (sidebar.chosen, self.open),
            (sidebar.newAsked, self.new),
            (sidebar.renamed, self._rename),
            (sidebar.deleteAsked, self._delete),
            (sidebar.exportAsked, self._export),
            (sidebar.searched, lambda _: self.refresh_list()),
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
        self.title = QLabel()
        self.title.setProperty("role", "title")
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.options = quiet_button("sliders", tr("Instruction and sampling of this chat"))
        self.options.clicked.connect(self._settings)
        row.addWidget(self.title, 1)
        row.addWidget(self.options)
        box.addWidget(head)
        self.notice = QFrame()
        self.notice.setProperty("role", "notice")
        notice = QHBoxLayout(self.notice)
        notice.setContentsMargins(24, 8, 14, 8)
        self.notice_text = QLabel()
        self.notice_text.setWordWrap(True)
        self.notice_text.setTextFormat(Qt.TextFormat.PlainText)
        close = quiet_button("close", tr("Hide this notice"))
        close.clicked.connect(self.notice.hide)
        notice.addWidget(self.notice_text, 1)
        notice.addWidget(close)
        self.notice.hide()
        box.addWidget(self.notice)
        self.stack = QStackedWidget()
        self.transcript = Transcript()
        self.transcript.asked.connect(self._asked)
        self.transcript.versionAsked.connect(self._show_version)
        self.transcript.olderAsked.connect(self._read_older)
        self.stack.addWidget(self.transcript)
        welcome = QWidget()
        inside = QVBoxLayout(welcome)
        inside.addStretch(2)
        self.hello = QLabel(tr("What would you like to know?"))
        self.hello.setProperty("role", "heading")
        self.hello.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hello_more = QLabel()
        self.hello_more.setProperty("role", "dim")
        self.hello_more.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.hello_more.setWordWrap(True)
        inside.addWidget(self.hello)
        inside.addWidget(self.hello_more)
        inside.addStretch(3)
        self.stack.addWidget(welcome)
        box.addWidget(self.stack, 1)
        self.composer = Composer()
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
            self.composer.editing = None
            self.composer.edit_bar.hide()
        self._drop_follower()
        self.set_running(False)

    def _restore_draft(self) -> None:
        self.composer.set_draft(*self._drafts.pop(self._wanted, ("", [])))

    def _show_nothing(self) -> None:
        self.stack.setCurrentIndex(1)
        self.title.setText("")
        self.titleChanged.emit("")
        self.set_running(False)
        context = self.composer._budget["context_tokens"]
        self.composer.set_budget({"context_tokens": context, "used_tokens": 0, "characters_per_token": 3.5})

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
        if chat["running"] and self._follower is None:
            self._follow()

    def _show_title(self) -> None:
        title = (self.chat["title"] if self.chat else "") or tr("New chat")
        self.title.setText(title)
        self.titleChanged.emit(title)

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
            chat = wanted
            if not chat:
                system, sampling = settings or ("", None)
                chat = client.chats.create(system=system, sampling=sampling)["id"]
            return chat, client.chats.ask(chat, text, attachments, edit=edit)

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
            self.composer.clear()
            self._begin(asked)

        def failed(error: HomeswarmError) -> None:
            self._asking = False
            self.tell(words.error_sentence(error))

        self._link.call(work, done, failed)

    def _begin(self, asked: AskedView) -> None:
        self._epoch += 1
        self.stack.setCurrentIndex(0)
        if self.chat is None:
            self.transcript.show_conversation([], False)
        question = asked["question"]
        self.transcript.append(*([question] if question else []), asked["answer"])
        self.set_running(True)
        self._follow()
        self._read_soon()

    def _read_soon(self) -> None:
        """The title, the budget, the list: all that a new question changes."""
        chat = self._wanted
        self._call(lambda client: client.chats.read(chat, limit=2), self._note_chat)

    def _note_chat(self, conversation: ConversationView) -> None:
        if conversation["chat"]["id"] == self._wanted:
            self.chat = conversation["chat"]
            self._show_title()
            self.composer.set_budget(conversation["budget"])

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
            self.composer.begin_edit(item.view["id"], item.view["text"])
        elif what == "trace":
            TraceDialog(self, item.view).show()

    # ------------------------------------------------ following

    def _follow(self) -> None:
        self._drop_follower()
        chat = self._wanted
        self._follower = self._link.follow(
            chat, lambda events: self._heard(chat, events), lambda: self._followed(chat)
        )

    def _drop_follower(self) -> None:
        if self._follower is not None:
            self._follower.drop()
            self._follower = None

    def _heard(self, chat: str, events: list[Followed]) -> None:
        if chat != self._wanted:
            return
        text: list[str] = []
        for event in events:
            if event.kind == "text":
                text.append(event.text)
                continue
            if text:
                self.transcript.grow("".join(text))
                text.clear()
            if event.message is not None:
                known = self.transcript.item_of(event.message["id"])
                if known is None:
                    self.transcript.append(event.message)
                elif event.kind == "done" or known.view["text"] != event.message["text"]:
                    self.transcript.set_message(event.message)
                if event.kind == "done":
                    self.set_running(False)
            elif event.pause is not None:
                self.transcript.add_pause(event.pause)
        if text:
            self.transcript.grow("".join(text))

    def _followed(self, chat: str) -> None:
        self._follower = None
        if chat == self._wanted:
            self.set_running(False)
            # What came while nobody followed, and what the whole answer has taken of the model's memory.
            epoch = self._epoch
            self._call(lambda client: client.chats.read(chat, limit=4), lambda read: self._show(read, epoch))

    def set_running(self, running: bool) -> None:
        self._busy = running
        self.composer.set_running(running)

    # ------------------------------------------------ the list

    def refresh_list(self) -> None:
        query = self._sidebar.search.text().strip()

        def show(rows: Any) -> None:
            if query == self._sidebar.search.text().strip():
                self._sidebar.show_chats(rows, self._wanted)

        self._call(lambda client: client.chats.list(query), show)

    def _rename(self, chat: str, title: str) -> None:
        def done(changed: ChatView) -> None:
            if self._wanted == chat:
                self.chat = changed
                self._show_title()

        self._call(lambda client: client.chats.change(chat, title=title), done)

    def _delete(self, chat: str) -> None:
        question = tr("Delete this chat? It cannot be brought back.")
        if asking.confirm(self, tr("Delete a chat"), question, tr("Delete")):
            self._drafts.pop(chat, None)
            if chat == self._wanted:
                self._drop_follower()
                self.new()
            self._call(lambda client: client.chats.delete(chat))

    def _export(self, chat: str, form: Any) -> None:
        suffix = {"markdown": "md", "json": "json"}[form]
        path, _ = QFileDialog.getSaveFileName(self, tr("Export this chat"), f"homeswarm-chat.{suffix}")
        if path:
            self._call(lambda client: client.chats.export(chat, form), lambda text: self._write(path, text))

    def _write(self, path: str, text: str) -> None:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            self.tell(tr("{name} cannot be written: {why}.", name=path, why=error.strerror or ""))
        else:
            self.tell(tr("Exported to {name}.", name=path))

    def _settings(self) -> None:
        default = SamplingView(temperature=0.2, top_p=1.0, max_tokens=None, seed=None)
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
                    self._changed_settings,
                )
        dialog.deleteLater()

    def _changed_settings(self, chat: ChatView) -> None:
        if chat["id"] == self._wanted:
            self.chat = chat

    # ------------------------------------------------ the node

    def _state(self, state: StateView) -> None:
        chats = state.get("chats")
        if chats and chats["revision"] != self._revision:
            self._revision = chats["revision"]
            self.refresh_list()
            if self._wanted in chats["running"] and self._follower is None and not self._asking:
                self._read()  # answered for somebody else, or before this window came
        self.hello_more.setText(self._greeting(state))
        member = standing(state)
        told = str(member["standing"]) if member else ""
        if told != self._standing:
            self._standing = told
            if member and told in ("removed", "locked", "twin"):
                from swarm_app.gui.swarm.people import standing_sentence

                self.tell(standing_sentence(member))

    @staticmethod
    def _greeting(state: StateView) -> str:
        model = state["model"]["name"]
        names = [peer["name"] for peer in state["swarm"]["peers"] if peer["on_route"]]
        if state["swarm"]["covered"] and len(names) > 1:
            return tr(
                "{names} answer together with {model}.", names=", ".join(sorted(set(names))), model=model
            )
        if state["swarm"]["covered"]:
            return tr("{model} answers on this computer.", model=model)
        return tr("{model} is being made ready …", model=model)

    def _connected(self) -> None:
        self._revision = -1
        self.composer.set_can_send(True)
        self.notice.hide()
        self._read()

    def _lost(self, error: HomeswarmError) -> None:
        self._drop_follower()
        self.set_running(False)
        self.composer.set_can_send(False)

    def tell(self, sentence: str) -> None:
        self.notice_text.setText(sentence)
        self.notice_text.setAccessibleName(sentence)
        self.notice.show()

    def _call(self, work: Callable[[LocalClient], Any], done: Callable[[Any], None] | None = None) -> None:
        self._link.call(work, done, lambda error: self.tell(words.error_sentence(error)))

    def _escape(self) -> None:
        if self.composer.editing is not None:
            self.composer.end_edit()
        elif self._busy:
            self.stop()
