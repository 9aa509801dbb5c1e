"""The widgets of the transcript. They are few and used again and again: each can show any row of its kind."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QDesktopServices,
    QFont,
    QPainter,
    QPaintEvent,
    QTextBlockFormat,
    QTextCursor,
    QTextDocument,
    QTextOption,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QTextBrowser,
    QToolButton,
    QWidget,
)

from swarm_app.gui import look
from swarm_app.gui.chat.code import CodeColours
from swarm_app.gui.chat.rows import Row
from swarm_app.gui.frames import Words
from swarm_app.gui.tongue import size, tr

LINE_HEIGHT = 138
"""Per cent: prose on a screen reads best with some air."""


def quiet_button(name: str, label: str, text: str = "") -> QToolButton:
    """A small button with an icon, or with words, that is known to screen readers by its label."""
    button = QToolButton()
    if name:
        button.setIcon(look.icon(name))
        button.setIconSize(QSize(16, 16))
        button.setProperty("icon_name", name)
    if text:
        button.setText(text)
        if name:
            button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
    button.setProperty("role", "quiet")
    button.setToolTip(label)
    button.setAccessibleName(label)
    button.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return button


class Reading(QTextBrowser):
    """Text that is read, selected and copied; scrolls with the page and loads nothing from anywhere."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "bare")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setTabChangesFocus(True)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.setLineWrapMode(QTextBrowser.LineWrapMode.FixedPixelWidth)
        self.anchorClicked.connect(open_link)
        self.viewport().setAutoFillBackground(False)
        option = QTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.document().setDefaultTextOption(option)
        self.document().setDocumentMargin(2)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        return None  # an answer's image would tell somebody that it was read, or show a file of this computer

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()

    def height_for(self, width: int) -> int:
        # The document's own text width is put back to that of the viewport, which a hidden widget has not
        # got yet.
        self.setLineWrapColumnOrWidth(width)
        return int(self.document().size().height() + 0.999)


def open_link(url: QUrl) -> None:
    """In the browser; only what is a page."""
    if url.scheme() in ("http", "https"):
        QDesktopServices.openUrl(url)


def show_markdown(reading: Reading, text: str) -> None:
    document = reading.document()
    document.setMarkdown(
        text,
        QTextDocument.MarkdownFeature.MarkdownDialectGitHub | QTextDocument.MarkdownFeature.MarkdownNoHTML,
    )
    theme, base = look.current(), document.defaultFont().pointSizeF()
    cursor = QTextCursor(document)
    cursor.beginEditBlock()
    block = document.begin()
    while block.isValid():
        shape = block.blockFormat()
        level = shape.headingLevel()
        shape.setLineHeight(LINE_HEIGHT, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        shape.setTopMargin(12 if level else 3)
        shape.setBottomMargin(6 if level else 5)
        cursor.setPosition(block.position())
        cursor.setBlockFormat(shape)
        spans = block.begin()
        marked = []
        while not spans.atEnd():
            fragment = spans.fragment()
            style = fragment.charFormat()
            if level:
                style.setFontPointSize(base * (1.45, 1.28, 1.14)[min(level, 3) - 1])
                style.setFontWeight(QFont.Weight.DemiBold)
                marked.append((fragment.position(), fragment.length(), style))
            elif style.fontFixedPitch():
                style.setBackground(QColor(theme.code))
                style.setFontFamilies(look.mono().families())
                style.setFontPointSize(base * 0.93)
                marked.append((fragment.position(), fragment.length(), style))
            spans += 1
        for position, length, style in marked:
            cursor.setPosition(position)
            cursor.setPosition(position + length, QTextCursor.MoveMode.KeepAnchor)
            cursor.setCharFormat(style)
        block = block.next()
    cursor.endEditBlock()


class Card(QWidget):
    """Base: shows a row, says how high it is at a width, and asks for what its buttons do."""

    asked = Signal(str, object)
    """What, and the row's Item."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.row: Row | None = None

    def show_row(self, row: Row) -> None:
        self.row = row

    def height_for(self, width: int) -> int:
        raise NotImplementedError

    def ask(self, what: str) -> Callable[[], None]:
        def go() -> None:
            if self.row is not None:
                self.asked.emit(what, self.row.item)

        return go


class ProseCard(Card):
    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.reading = Reading(self)
        self.reading.setAccessibleName(tr("Answer"))

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        assert row.piece is not None
        show_markdown(self.reading, row.piece.text)

    def height_for(self, width: int) -> int:
        height = self.reading.height_for(width)
        self.reading.setGeometry(0, 0, width, height)
        return height + 2


class _CodeText(QPlainTextEdit):
    def wheelEvent(self, event: QWheelEvent) -> None:
        if abs(event.angleDelta().x()) > abs(event.angleDelta().y()):
            super().wheelEvent(event)
        else:
            event.ignore()


class CodeCard(Card):
    """A piece of code: its language and a button that copies all of the block above the first piece."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.frame = QFrame(self)
        self.frame.setProperty("role", "code")
        self.head = QWidget(self.frame)
        head = QHBoxLayout(self.head)
        head.setContentsMargins(12, 4, 6, 0)
        self.language = Words()
        self.language.setProperty("role", "dim")
        copy = quiet_button("copy", tr("Copy this code"), tr("Copy"))
        copy.clicked.connect(self.ask("copy-code"))
        head.addWidget(self.language)
        head.addStretch()
        head.addWidget(copy)
        self.text = _CodeText(self.frame)
        self.text.setProperty("role", "code")
        self.text.setFrameShape(QFrame.Shape.NoFrame)
        self.text.setReadOnly(True)
        self.text.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.text.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.text.setTabChangesFocus(True)
        self.text.setUndoRedoEnabled(False)
        self.text.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.text.setFont(look.mono())
        self.text.setLayoutDirection(Qt.LayoutDirection.LeftToRight)
        self.text.viewport().setAutoFillBackground(False)
        self.text.document().setDocumentMargin(8)
        self.colours = CodeColours(self.text.document())

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        assert row.piece is not None
        self.language.setText(row.piece.language or tr("code"))
        self.text.setAccessibleName(tr("Code, {language}", language=row.piece.language or tr("text")))
        self.head.setVisible(row.piece.first)
        self.colours.show(row.piece.text, row.piece.language)
        self.text.setPlainText(row.piece.text)

    def height_for(self, width: int) -> int:
        assert self.row is not None
        assert self.row.piece is not None
        piece = self.row.piece
        top = self.head.sizeHint().height() if piece.first else 0
        metrics = self.text.fontMetrics()
        lines = piece.text.count("\n") + 1
        longest = max(piece.text.split("\n"), key=len)
        wide = metrics.horizontalAdvance(longest[:2000]) > width - 24
        bar = self.text.horizontalScrollBar().sizeHint().height() if wide else 0
        height = int(lines * metrics.lineSpacing() + 18 + bar)
        self.head.setGeometry(0, 0, width, top)
        self.text.setGeometry(2, top, width - 4, height)
        self.frame.setGeometry(0, 3, width, top + height)
        return top + height + 9


class UserCard(Card):
    """The user's own words, on a tinted ground at the side where their lines end."""

    MARGIN = 12

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.reading = Reading(self)
        self.reading.setAccessibleName(tr("Your message"))
        self.chips = QWidget(self)
        self.chip_box = QHBoxLayout(self.chips)
        self.chip_box.setContentsMargins(0, 0, 0, 4)
        self.chip_box.setSpacing(6)
        self.more = quiet_button("", tr("Show all of this message"), tr("Show all"))
        self.more.setParent(self)
        self.more.clicked.connect(self.ask("unfold"))
        self.tools = QWidget(self)
        tools = QHBoxLayout(self.tools)
        tools.setContentsMargins(0, 2, 0, 0)
        tools.setSpacing(0)
        tools.addStretch()
        self.versions = Versions(self)
        copy = quiet_button("copy", tr("Copy this message"))
        copy.clicked.connect(self.ask("copy"))
        edit = quiet_button("edit", tr("Edit this message and send it again"))
        edit.clicked.connect(self.ask("edit"))
        for widget in (self.versions, copy, edit):
            tools.addWidget(widget)
        self._bubble = QRectF()

    def show_row(self, row: Row) -> None:
        super().show_row(row)
        item = row.item
        self.reading.setPlainText(row.piece.text if row.piece else "")
        self.reading.setVisible(row.piece is not None)
        while self.chip_box.count():
            taken = self.chip_box.takeAt(0)
            if taken is not None and (widget := taken.widget()) is not None:
                widget.deleteLater()
        first = row.piece is None or row.piece is item.pieces[0]
        attachments = item.view["attachments"] if first else []
        self.chip_box.addStretch()
        for one in attachments:
            chip = Words(f"{one['name']}  ·  {size(one['characters'])}")
            chip.setProperty("role", "dim")
            self.chip_box.addWidget(chip)
        self.chips.setVisible(bool(attachments))
        self.more.setVisible(row.last and item.folded)
        self.tools.setVisible(row.last)
        self.versions.show_versions(item.view["id"], item.view["versions"])

    def height_for(self, width: int) -> int:
        assert self.row is not None
        y = 6
        if not self.chips.isHidden():
            self.chips.setGeometry(0, y, width, 22)
            y += 24
        if not self.reading.isHidden():
            most = int(width * 0.86) - 2 * self.MARGIN
            metrics, text = self.reading.fontMetrics(), self.row.piece.text if self.row.piece else ""
            ideal = max(metrics.horizontalAdvance(line) for line in text.split("\n")) + 8
            text_width = min(most, max(ideal, 24))
            height = self.reading.height_for(text_width)
            outer = text_width + 2 * self.MARGIN
            more = 24 if not self.more.isHidden() else 0
            left_to_right = self.layoutDirection() == Qt.LayoutDirection.LeftToRight
            x = width - outer if left_to_right else 0
            self._bubble = QRectF(x, y, outer, height + 12 + more)
            self.reading.setGeometry(x + self.MARGIN, y + 6, text_width, height)
            if more:
                self.more.setGeometry(x + self.MARGIN, y + 6 + height, min(160, text_width), 22)
            y += height + 12 + more
        else:
            self._bubble = QRectF()
        if not self.tools.isHidden():
            self.tools.setGeometry(0, y, width, 26)
            y += 32
        return y

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._bubble.isEmpty():
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(QColor(look.current().tint))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.drawRoundedRect(self._bubble, 12, 12)


class Versions(QWidget):
    """ "2 / 3" with a way to each side, where a message has been edited or answered anew."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        box = QHBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        self._back = quiet_button("left", tr("Earlier version"))
        self._on = quiet_button("right", tr("Later version"))
        self._label = Words()
        self._label.setProperty("role", "dim")
        for widget in (self._back, self._label, self._on):
            box.addWidget(widget)
        self._ids: list[int] = []
        self._at = 0
        self._back.clicked.connect(lambda: self.chosen.emit(self._ids[self._at - 1]))
        self._on.clicked.connect(lambda: self.chosen.emit(self._ids[self._at + 1]))

    def show_versions(self, message: int, versions: list[int]) -> None:
        self._ids = versions
        self._at = versions.index(message) if message in versions else 0
        self.setVisible(len(versions) > 1)
        self._label.setText(f"{self._at + 1} / {len(versions)}")
        self._back.setEnabled(self._at > 0)
        self._on.setEnabled(self._at + 1 < len(versions))


def copy_text(text: str) -> None:
    QApplication.clipboard().setText(text)
