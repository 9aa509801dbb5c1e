"""The list of chats: search, choose, rename, export, delete."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetrics, QKeySequence, QPainter, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from swarm_app.gui import look, words
from swarm_app.gui.chat.cards import quiet_button
from swarm_app.gui.frames import Words
from swarm_app.gui.tongue import tr
from swarm_app.localapi.chatview import ChatRowView

SEARCH_MS = 200
"""After the last key, so that a word is looked for once."""

Index = QModelIndex | QPersistentModelIndex
ROW = Qt.ItemDataRole.UserRole + 1


class ChatsModel(QAbstractListModel):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[ChatRowView] = []

    def set_rows(self, rows: Sequence[ChatRowView]) -> None:
        """The same chats in the same order keep their selection and scroll position."""
        fresh = list(rows)
        if [row["id"] for row in fresh] == [row["id"] for row in self.rows]:
            self.rows = fresh
            if fresh:
                self.dataChanged.emit(self.index(0), self.index(len(fresh) - 1))
        else:
            self.beginResetModel()
            self.rows = fresh
            self.endResetModel()

    def rowCount(self, parent: Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self.rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        if not index.isValid() or index.row() >= len(self.rows):
            return None
        row = self.rows[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return row["title"] or tr("New chat")
        if role == Qt.ItemDataRole.AccessibleTextRole:
            state = tr("is being answered") if row["running"] else words.ago(row["changed_at"])
            return f"{row['title'] or tr('New chat')}, {state}"
        return row if role == ROW else None

    def row_of(self, chat: str) -> int:
        return next((number for number, row in enumerate(self.rows) if row["id"] == chat), -1)


class ChatDelegate(QStyledItemDelegate):
    """Title above; below it when, or where a search found its words."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(100, int(option.fontMetrics.lineSpacing() * 2.15) + 10)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW)
        if row is None:
            return
        theme = look.current()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = option.rect.adjusted(6, 1, -6, -1)
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.tint))
            painter.drawRoundedRect(area, 8, 8)
        if option.state & QStyle.StateFlag.State_HasFocus and selected:
            painter.setPen(QColor(theme.accent))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(area, 8, 8)
        inner = area.adjusted(10, 4, -10, -4)
        half = inner.height() // 2
        metrics = QFontMetrics(option.font)
        mode = Qt.TextElideMode.ElideRight
        title = metrics.elidedText(row["title"] or tr("New chat"), mode, inner.width() - 14)
        painter.setFont(option.font)
        painter.setPen(QColor(theme.text))
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeading)
        painter.drawText(QRect(inner.left(), inner.top(), inner.width() - 14, half), flags, title)
        if row["running"]:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(theme.accent))
            painter.drawEllipse(QPoint(inner.right() - 4, inner.top() + half // 2), 4, 4)
        small = option.font
        small.setPointSizeF(small.pointSizeF() * 0.88)
        painter.setFont(small)
        painter.setPen(QColor(theme.dim))
        below = row["snippet"] or words.ago(row["changed_at"])
        below = QFontMetrics(small).elidedText(below, mode, inner.width())
        painter.drawText(QRect(inner.left(), inner.top() + half, inner.width(), half), flags, below)
        painter.restore()


class Sidebar(QWidget):
    chosen = Signal(str)
    newAsked = Signal()
    renamed = Signal(str, str)
    deleteAsked = Signal(str)
    exportAsked = Signal(str, str)
    searched = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(6)
        top = QHBoxLayout()
        top.setContentsMargins(10, 10, 8, 2)
        self.search = QLineEdit()
        self.search.setPlaceholderText(tr("Search"))
        self.search.setAccessibleName(tr("Search all chats"))
        self.search.setClearButtonEnabled(True)
        self.search.addAction(look.icon("search"), QLineEdit.ActionPosition.LeadingPosition)
        self.new = quiet_button("new", tr("New chat (Ctrl+N)"))
        self.new.clicked.connect(self.newAsked)
        top.addWidget(self.search, 1)
        top.addWidget(self.new)
        box.addLayout(top)
        self.model = ChatsModel()
        self.list = QListView()
        self.list.setObjectName("chats")
        self.list.setModel(self.model)
        self.list.setItemDelegate(ChatDelegate(self.list))
        self.list.setMouseTracking(True)
        self.list.setUniformItemSizes(True)
        self.list.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.list.setAccessibleName(tr("Chats"))
        self.list.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.list.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.list.customContextMenuRequested.connect(self._menu)
        self.list.selectionModel().currentChanged.connect(self._current)
        self.list.clicked.connect(self._current)  # also of the chosen one, which leads back from another page
        self.list.activated.connect(self._current)
        self.empty = Words()
        self.empty.setProperty("role", "dim")
        self.empty.setWordWrap(True)
        self.empty.setAlignment(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignHCenter)
        self.empty.setContentsMargins(16, 24, 16, 0)
        box.addWidget(self.list, 1)
        box.addWidget(self.empty, 1)
        self._quiet = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SEARCH_MS)
        self._timer.timeout.connect(lambda: self.searched.emit(self.search.text().strip()))
        self.search.textChanged.connect(lambda: self._timer.start())
        for keys, call in (("F2", self._rename_current), ("Delete", self._delete_current)):
            shortcut = QShortcut(QKeySequence(keys), self.list)
            shortcut.setContext(Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(call)
        self.show_chats([], "")

    def show_chats(self, rows: Sequence[ChatRowView], current: str) -> None:
        self._quiet = True
        self.model.set_rows(rows)
        self.select(current)
        self._quiet = False
        self.empty.setText(
            tr("Nothing found.") if self.search.text().strip() else tr("Your chats will be listed here.")
        )
        self.empty.setVisible(not rows)
        self.list.setVisible(bool(rows))

    def select(self, chat: str) -> None:
        number = self.model.row_of(chat)
        quiet, self._quiet = self._quiet, True
        if number < 0:
            self.list.selectionModel().clear()
        elif self.list.currentIndex().row() != number:
            self.list.setCurrentIndex(self.model.index(number))
        self._quiet = quiet

    def _current(self, index: Index) -> None:
        row = index.data(ROW)
        if row is not None and not self._quiet:
            self.chosen.emit(row["id"])

    def _menu(self, at: QPoint) -> None:
        row = self.list.indexAt(at).data(ROW)
        if row is None:
            return
        menu = self.menu_of(row)
        menu.exec(self.list.viewport().mapToGlobal(at))
        menu.deleteLater()

    def menu_of(self, row: ChatRowView) -> QMenu:
        menu = QMenu(self)
        chat = row["id"]
        menu.addAction(tr("Rename …"), self._rename_current)
        menu.addAction(tr("Export as Markdown …"), lambda: self.exportAsked.emit(chat, "markdown"))
        menu.addAction(tr("Export as JSON …"), lambda: self.exportAsked.emit(chat, "json"))
        menu.addSeparator()
        menu.addAction(tr("Delete …"), lambda: self.deleteAsked.emit(chat))
        return menu

    def _rename_current(self) -> None:
        row = self.list.currentIndex().data(ROW)
        if row is None:
            return
        from swarm_app.gui.asking import ask_text

        title = ask_text(self, tr("Rename this chat"), tr("Name"), row["title"])
        if title:
            self.renamed.emit(row["id"], title)

    def _delete_current(self) -> None:
        row = self.list.currentIndex().data(ROW)
        if row is not None:
            self.deleteAsked.emit(row["id"])
