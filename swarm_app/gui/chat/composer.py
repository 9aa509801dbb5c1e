"""Where people write: text, files, the meter of what still fits, send and stop."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QEvent, QMimeData, QObject, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QPlainTextEdit,
    QProgressBar,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from swarm_app.gui import look
from swarm_app.gui.chat.cards import quiet_button
from swarm_app.gui.frames import Words, literal, plain_tip
from swarm_app.gui.tongue import number, size, tr
from swarm_app.localapi.chatview import BudgetView

MAX_LINES = 9
PASTE = 4000
"""Characters from which on pasted text becomes a file: an edit field lays out every line it holds."""

MAX_FILE_BYTES = 2_000_000
MAX_FILES = 20
METER = 1000


class Writing(QPlainTextEdit):
    """Enter sends, Shift+Enter begins a line, long pastes and dropped files become attachments."""

    sent = Signal()
    pasted = Signal(str)
    dropped = Signal(list)

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("role", "bare")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setPlaceholderText(tr("Ask something …"))
        self.setAccessibleName(tr("Your message"))
        self.setTabChangesFocus(True)
        self.document().setDocumentMargin(4)
        self.textChanged.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        lines = max(1, min(MAX_LINES, int(self.document().size().height())))
        height = int(lines * self.fontMetrics().lineSpacing()) + 12
        self.setFixedHeight(height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self.sent.emit()
        else:
            super().keyPressEvent(event)

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        return source.hasUrls() or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        files = [url.toLocalFile() for url in source.urls() if url.isLocalFile()]
        if files:
            self.dropped.emit(files)
        elif len(text := source.text()) > PASTE:
            self.pasted.emit(text)
        else:
            self.insertPlainText(text)


class Composer(QWidget):
    """`sent` when the draft is to go: read it with `draft`, and `clear` it when it has been taken."""

    sent = Signal()
    stopped = Signal()
    complained = Signal(str)
    editEnded = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.attachments: list[tuple[str, str]] = []
        self._budget = BudgetView(context_tokens=0, used_tokens=0, characters_per_token=3.5)
        self._running = False
        self._can_send = True
        self.editing: int | None = None
        self._after_edit: BudgetView | None = None
        """What the meter goes back to when nothing is edited after all."""
        self.setAcceptDrops(True)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(24, 4, 24, 14)
        self.frame = QFrame()
        self.frame.setProperty("role", "composer")
        self.frame.setMaximumWidth(800)
        outer.addWidget(self.frame)
        box = QVBoxLayout(self.frame)
        box.setContentsMargins(12, 8, 8, 8)
        box.setSpacing(4)

        self.edit_bar = QWidget()
        edit_box = QHBoxLayout(self.edit_bar)
        edit_box.setContentsMargins(0, 0, 0, 0)
        editing = Words(tr("You edit an earlier message. The old one and its answer are kept."))
        editing.setProperty("role", "dim")
        editing.setWordWrap(True)
        leave = quiet_button("close", tr("Do not edit"))
        leave.clicked.connect(self.end_edit)
        edit_box.addWidget(editing, 1)
        edit_box.addWidget(leave)
        self.edit_bar.hide()
        box.addWidget(self.edit_bar)

        self.chips = QWidget()
        self._chip_box = QHBoxLayout(self.chips)
        self._chip_box.setContentsMargins(0, 0, 0, 0)
        self._chip_box.setSpacing(6)
        self.chips.hide()
        box.addWidget(self.chips)

        self.text = Writing()
        self.text.installEventFilter(self)
        self.text.sent.connect(self._send)
        self.text.pasted.connect(lambda text: self.attach(tr("Pasted text"), text))
        self.text.dropped.connect(self.attach_files)
        self.text.textChanged.connect(self._changed)
        box.addWidget(self.text)

        row = self._row = QHBoxLayout()
        row.setSpacing(8)
        self.add = quiet_button("plus", tr("Attach text files"))
        self.add.clicked.connect(self._choose)
        self.meter = QProgressBar()
        self.meter.setRange(0, METER)
        self.meter.setTextVisible(False)
        self.meter.setFixedWidth(90)
        self.meter.setAccessibleName(tr("How much of the model's memory the conversation takes"))
        self.meter_text = Words()
        self.meter_text.setProperty("role", "dim")
        self.go = QToolButton()
        self.go.setProperty("role", "send")
        self.go.setIconSize(QSize(18, 18))
        self.go.setFixedSize(30, 30)
        self.go.clicked.connect(self._press)
        row.addWidget(self.add)
        row.addStretch()
        row.addWidget(self.meter_text)
        row.addWidget(self.meter)
        row.addSpacing(4)
        row.addWidget(self.go)
        box.addLayout(row)
        outer.setAlignment(self.frame, Qt.AlignmentFlag(0))
        self._changed()

    # ------------------------------------------------ the draft

    def draft(self) -> tuple[str, list[tuple[str, str]]]:
        return self.text.toPlainText().strip("\n"), list(self.attachments)

    def set_draft(self, text: str, attachments: list[tuple[str, str]]) -> None:
        self.attachments = list(attachments)
        if len(text) > PASTE:
            self.attachments.append((tr("Pasted text"), text))
            text = ""
        self.text.setPlainText(text)
        self.text.moveCursor(self.text.textCursor().MoveOperation.End)
        self._changed()

    def clear(self) -> None:
        self.set_draft("", [])
        self.end_edit()

    def begin_edit(self, message: int, text: str, used_before: int) -> None:
        """`used_before`: tokens of the conversation before this message, which is all that would stay."""
        if self.editing is None:
            self._after_edit = self._budget
        self.editing = None
        self.set_used(used_before)
        self.editing = message
        self.edit_bar.show()
        self.set_draft(text, [])
        self.text.setFocus()

    def end_edit(self) -> None:
        if self.editing is not None:
            self.leave_edit()
            self.editEnded.emit()

    def leave_edit(self) -> None:
        self.editing = None
        self.edit_bar.hide()
        if self._after_edit is not None:
            self.set_budget(self._after_edit)
            self._after_edit = None

    # ------------------------------------------------ attachments

    def attach(self, name: str, text: str) -> None:
        if len(self.attachments) >= MAX_FILES:
            self.complained.emit(tr("A message takes at most {count} files.", count=MAX_FILES))
            return
        taken = {known for known, _ in self.attachments}
        stem, copy = name, 2
        while name in taken:
            name, copy = f"{stem} ({copy})", copy + 1
        self.attachments.append((name, text))
        self._changed()

    def attach_files(self, paths: list[str]) -> None:
        for path in map(Path, paths):
            try:
                if path.stat().st_size > MAX_FILE_BYTES:
                    limit = size(MAX_FILE_BYTES)
                    self.complained.emit(tr("{name} is larger than {size}.", name=path.name, size=limit))
                    continue
                content = path.read_bytes()
            except OSError as error:
                self.complained.emit(
                    tr("{name} cannot be read: {why}.", name=path.name, why=error.strerror or "")
                )
                continue
            if b"\0" in content[:8192]:
                self.complained.emit(tr("{name} is not a text file.", name=path.name))
                continue
            self.attach(path.name, content.decode("utf-8", "replace"))

    def _choose(self) -> None:
        paths, _ = QFileDialog.getOpenFileNames(self, tr("Attach text files"))
        self.attach_files(paths)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.attach_files([url.toLocalFile() for url in event.mimeData().urls() if url.isLocalFile()])

    # ------------------------------------------------ state

    def set_running(self, running: bool) -> None:
        self._running = running
        self._changed()

    def set_can_send(self, can: bool) -> None:
        self._can_send = can
        self._changed()

    def set_budget(self, budget: BudgetView) -> None:
        if self.editing is not None:
            self._after_edit = budget
            return
        self._budget = budget
        self._show_meter()

    def set_empty_budget(self) -> None:
        """Of a chat that does not exist yet."""
        context = self._budget["context_tokens"]
        self.set_budget(BudgetView(context_tokens=context, used_tokens=0, characters_per_token=3.5))

    def set_used(self, tokens: int) -> None:
        """So far, while an answer is given."""
        self.set_budget(BudgetView(**{**self._budget, "used_tokens": tokens}))

    def _draft_characters(self) -> int:
        written = self.text.document().characterCount() - 1
        return written + sum(len(text) for _, text in self.attachments)

    def _changed(self) -> None:
        self._show_chips()
        self._show_meter()
        theme = look.current()
        self.go.setIcon(look.icon("stop" if self._running else "send", theme.on_accent))
        label = tr("Stop the answer") if self._running else tr("Send")
        self.go.setToolTip(label)
        self.go.setAccessibleName(label)
        self.go.setEnabled(self._running or (self._can_send and self._draft_characters() > 0))

    def _show_meter(self) -> None:
        context = self._budget["context_tokens"]
        used = self._budget["used_tokens"] + self._draft_characters() / self._budget["characters_per_token"]
        self.meter_text.setVisible(context > 0)
        if context <= 0:
            self.meter.hide()
            return
        over = used > context
        self.meter.setValue(min(METER, int(used / context * METER)))
        if self.meter.property("over") != over:
            self.meter.setProperty("over", over)
            self.meter.style().polish(self.meter)
        values = {"used": number(round(used, -1) if used > 100 else used), "all": number(context)}
        self.meter_text.setText(
            tr("about {used} of {all} tokens: too long", **values)
            if over
            else tr("about {used} of {all} tokens", **values)
        )
        self.meter_text.setToolTip(
            tr("What the model can keep in mind at once. When it is full, the oldest messages are left out.")
        )
        self._fit_meter()

    def _fit_meter(self) -> None:
        """In a narrow window the words go before the bar."""
        others = self.add.sizeHint().width() + self.go.width() + self.meter.width() + 6 * self._row.spacing()
        room = self.frame.contentsRect().width() - others
        fits = self._budget["context_tokens"] > 0 and self.meter_text.sizeHint().width() < room
        self.meter.setVisible(fits)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_meter()

    def _show_chips(self) -> None:
        if self._chip_box.count() == len(self.attachments) + 1 and not self.chips.isHidden():
            return
        while (taken := self._chip_box.takeAt(0)) is not None:
            if (widget := taken.widget()) is not None:
                widget.deleteLater()
        for index, (name, text) in enumerate(self.attachments):
            chip = QToolButton()
            chip.setProperty("role", "chip")
            short = name if len(name) <= 28 else f"{name[:27]}…"
            chip.setText(literal(f"{short}  ·  {size(len(text))}  ✕"))
            chip.setToolTip(plain_tip(f"{name}\n\n{text[:600]}"))
            chip.setAccessibleName(tr("Remove {name}", name=name))
            chip.clicked.connect(lambda _=False, index=index: self._remove(index))
            self._chip_box.addWidget(chip)
        self._chip_box.addStretch()
        self.chips.setVisible(bool(self.attachments))

    def _remove(self, index: int) -> None:
        if index < len(self.attachments):
            del self.attachments[index]
        self._changed()

    def _press(self) -> None:
        if self._running:
            self.stopped.emit()
        else:
            self._send()

    def _send(self) -> None:
        text, attachments = self.draft()
        if (text.strip() or attachments) and self._can_send and not self._running:
            self.sent.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.frame.setProperty("focused", event.type() == QEvent.Type.FocusIn)
            self.frame.style().polish(self.frame)
        return super().eventFilter(watched, event)
