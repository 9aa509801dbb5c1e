"""What is done with whole chats: listing, searching, renaming, deleting, exporting.

State owned: none. The node keeps the chats, the side shows them.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from swarm_app.gui import asking, troubles
from swarm_app.gui.chat.sidebar import Sidebar
from swarm_app.gui.link import NodeLink
from swarm_app.gui.tongue import tr
from swarm_app.localapi.chatview import ChatView
from swarm_app.localapi.client import LocalClient


class ChatList(QObject):
    """`shown` says which chat is on the screen."""

    changed = Signal(object)
    """A ChatView: it has another name."""
    deleted = Signal(str)
    told = Signal(str)

    def __init__(self, link: NodeLink, sidebar: Sidebar, shown: Callable[[], str], parent: QWidget) -> None:
        super().__init__(parent)
        self._link = link
        self._sidebar = sidebar
        self._shown = shown
        self._parent = parent
        sidebar.renamed.connect(self.rename)
        sidebar.deleteAsked.connect(self.delete)
        sidebar.exportAsked.connect(self.export)
        sidebar.searched.connect(lambda _: self.refresh())

    def refresh(self) -> None:
        query = self._sidebar.search.text().strip()

        def show(rows: Any) -> None:
            if query == self._sidebar.search.text().strip():
                self._sidebar.show_chats(rows, self._shown())

        self._call(lambda client: client.chats.list(query), show)

    def rename(self, chat: str, title: str) -> None:
        def done(changed: ChatView) -> None:
            self.changed.emit(changed)

        self._call(lambda client: client.chats.change(chat, title=title), done)

    def delete(self, chat: str) -> None:
        question = tr("Delete this chat? It cannot be brought back.")
        if asking.confirm(self._parent, tr("Delete a chat"), question, tr("Delete")):
            self.deleted.emit(chat)
            self._call(lambda client: client.chats.delete(chat))

    def export(self, chat: str, form: Any) -> None:
        suffix = {"markdown": "md", "json": "json"}[form]
        name = f"homeswarm-chat.{suffix}"
        path, _ = QFileDialog.getSaveFileName(self._parent, tr("Export this chat"), name)
        if path:
            self._call(lambda client: client.chats.export(chat, form), lambda text: self._write(path, text))

    def _write(self, path: str, text: str) -> None:
        try:
            Path(path).write_text(text, encoding="utf-8")
        except OSError as error:
            self.told.emit(tr("{name} cannot be written: {why}.", name=path, why=error.strerror or ""))
        else:
            self.told.emit(tr("Exported to {name}.", name=path))

    def _call(self, work: Callable[[LocalClient], Any], done: Callable[[Any], None] | None = None) -> None:
        self._link.call(work, done, lambda error: self.told.emit(troubles.sentence(error)))
