"""The settings: an editor for each option of the node, by its own definition, and the window's few."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from swarm_app.config import apifile
from swarm_app.config.options import NODE_OPTIONS, Option
from swarm_app.config.paths import ProfilePaths
from swarm_app.config.settings import read_node_settings, write_node_settings
from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui import words
from swarm_app.gui.memory import WindowMemory
from swarm_app.gui.tongue import tr

FIRST = (
    *("name", "span", "cache_tokens", "threads"),
    *("when_active", "when_full_screen", "on_battery", "on_metered", "schedule"),
    *("fallback", "prefer", "local_model", "context_tokens"),
)
"""What people change; the rest stands below, folded away."""

MAX_SPIN = 2**31 - 1


def editor_of(option: Option, value: object) -> QWidget:
    """The widget for an option, showing `value`, or its default where that is None."""
    if isinstance(option.default, bool):
        box = QCheckBox(tr("on"))
        box.setChecked(bool(option.default if value is None else value))
        return box
    choices = option.metavar.split("|")
    if len(choices) > 1 and all(choice.islower() for choice in choices):
        chosen = QComboBox()
        chosen.addItems(choices)
        chosen.setCurrentText(str(option.default if value is None else value))
        return chosen
    if option.high:
        number = QSpinBox()
        number.setRange(option.low, min(option.high, MAX_SPIN))
        number.setGroupSeparatorShown(False)
        if option.unit:
            number.setSuffix(f" {tr(option.unit)}")
        first = option.default if value is None else value
        number.setValue(int(first) if isinstance(first, int | str) else option.low)
        return number
    line = QLineEdit()
    line.setPlaceholderText(option.default_text.strip("<>"))
    if isinstance(value, list | tuple):
        line.setText(" ".join(map(str, value)))
    elif value is not None:
        line.setText(str(value))
    return line


def value_of(option: Option, editor: QWidget) -> object:
    """What was entered; None for the default. Raises BadRequest, naming the option."""
    value: object
    if isinstance(editor, QCheckBox):
        value = editor.isChecked()
    elif isinstance(editor, QComboBox):
        value = editor.currentText()
    elif isinstance(editor, QSpinBox):
        value = editor.value()
    else:
        assert isinstance(editor, QLineEdit)
        text = editor.text().strip()
        if not text:
            return None
        if option.many:
            return [str(option.read(option, word)) for word in text.split()]
        value = text
    if value == option.default:
        return None
    option.read(option, value)
    return value


class SettingsPage(QWidget):
    """`restartAsked` when the node has to start anew for what was saved; `languageChanged` with a code."""

    restartAsked = Signal()
    autostartChanged = Signal(bool)

    def __init__(
        self, paths: ProfilePaths, memory: WindowMemory, autostart: Callable[[], bool] | None
    ) -> None:
        super().__init__()
        self._paths = paths
        self._memory = memory
        self.editors: dict[str, QWidget] = {}
        self._settings: dict[str, object] = {}
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        inside = QWidget()
        inside.setMaximumWidth(760)
        self._box = QVBoxLayout(inside)
        self._box.setContentsMargins(28, 20, 28, 28)
        self._box.setSpacing(12)
        head = QLabel(tr("Settings"))
        head.setProperty("role", "heading")
        self._box.addWidget(head)
        self._window(autostart)
        self._api()
        self._node()
        self._box.addStretch()
        area.setWidget(inside)
        outer.addWidget(area)
        foot = QHBoxLayout()
        foot.setContentsMargins(28, 8, 28, 12)
        self.told = QLabel()
        self.told.setWordWrap(True)
        self.save = QPushButton(tr("Save"))
        self.save.setProperty("role", "main")
        self.save.clicked.connect(self.keep)
        foot.addWidget(self.told, 1)
        foot.addWidget(self.save)
        outer.addLayout(foot)

    def _section(self, title: str) -> QFormLayout:
        label = QLabel(title)
        label.setProperty("role", "title")
        label.setContentsMargins(0, 10, 0, 0)
        self._box.addWidget(label)
        form = QFormLayout()
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self._box.addLayout(form)
        return form

    def _window(self, autostart: Callable[[], bool] | None) -> None:
        form = self._section(tr("This app"))
        self.language = QComboBox()
        for code, name in (
            ("", tr("as the system")),
            ("en", "English"),
            ("de", "Deutsch"),
            ("pl", "Polski"),
            ("pt", "Português"),
        ):
            self.language.addItem(name, code)
        self.language.setCurrentIndex(max(self.language.findData(self._memory.language), 0))
        form.addRow(tr("Language (after the next start)"), self.language)
        self.closing = QComboBox()
        for code, name in (
            ("ask", tr("ask")),
            ("tray", tr("keep running in the tray")),
            ("quit", tr("quit")),
        ):
            self.closing.addItem(name, code)
        self.closing.setCurrentIndex(max(self.closing.findData(self._memory.on_close), 0))
        form.addRow(tr("When the window is closed"), self.closing)
        self.outlive = QCheckBox(tr("Go on contributing when the app has quit"))
        self.outlive.setChecked(self._memory.outlive)
        self.notify = QCheckBox(tr("Tell when a computer goes to sleep or is lost"))
        self.notify.setChecked(self._memory.notify)
        self.login = QCheckBox(tr("Start when I log in"))
        self.login.setEnabled(autostart is not None)
        self.login.setChecked(autostart() if autostart else False)
        for box in (self.outlive, self.notify, self.login):
            form.addRow("", box)

    def _api(self) -> None:
        form = self._section(tr("Local API"))
        about = QLabel(
            tr("Other programs on this computer can use the model through it, as through OpenAI's.")
        )
        about.setProperty("role", "dim")
        about.setWordWrap(True)
        form.addRow(about)
        self.address = QLineEdit()
        self.address.setReadOnly(True)
        self.address.setPlaceholderText(tr("The node is not running."))
        self.copy_token = QPushButton(tr("Copy the token"))
        self.copy_token.clicked.connect(self._copy_token)
        form.addRow(tr("Address"), self.address)
        form.addRow(tr("Token"), self.copy_token)
        self._show_api()

    def _show_api(self) -> None:
        address = apifile.read(self._paths.api_file)
        self.address.setText(f"{address.url}/v1" if address else "")
        self.copy_token.setEnabled(address is not None)

    def _copy_token(self) -> None:
        address = apifile.read(self._paths.api_file)
        if address is not None:
            QApplication.clipboard().setText(address.token)

    def _node(self) -> None:
        try:
            self._settings = read_node_settings(self._paths.settings_file)
        except HomeswarmError as error:
            trouble = QLabel(words.error_sentence(error))
            trouble.setProperty("role", "bad")
            trouble.setWordWrap(True)
            self._box.addWidget(trouble)
        by_name = {option.name: option for option in NODE_OPTIONS}
        chosen = [by_name[name] for name in FIRST if name in by_name]
        rest = [option for option in NODE_OPTIONS if option.name not in FIRST]
        form = self._section(tr("This computer in the household"))
        for option in chosen:
            self._row(form, option)
        more = QCheckBox(tr("Show everything"))
        self._box.addWidget(more)
        hidden = QWidget()
        hidden.hide()
        more.toggled.connect(hidden.setVisible)
        form = QFormLayout(hidden)
        form.setContentsMargins(0, 0, 0, 0)
        form.setHorizontalSpacing(20)
        for option in rest:
            self._row(form, option)
        self._box.addWidget(hidden)

    def _row(self, form: QFormLayout, option: Option) -> None:
        editor = editor_of(option, self._settings.get(option.name))
        self.editors[option.name] = editor
        help_text = tr(option.help)
        editor.setToolTip(help_text)
        editor.setAccessibleName(tr(label_of(option)))
        editor.setAccessibleDescription(help_text)
        editor.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        hint = QLabel(help_text)
        hint.setProperty("role", "dim")
        hint.setWordWrap(True)
        hint.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        form.addRow(tr(label_of(option)), editor)
        form.addRow("", hint)

    def keep(self) -> None:
        """Save what was entered; says what is wrong instead of saving half of it."""
        values: dict[str, object] = dict(self._settings)
        try:
            for option in NODE_OPTIONS:
                values[option.name] = value_of(option, self.editors[option.name])
            self._paths.create()
            changed = {k: v for k, v in values.items() if v is not None} != self._settings
            if changed:
                write_node_settings(self._paths.settings_file, values)
        except HomeswarmError as error:
            self._tell(words.error_sentence(error), bad=True)
            return
        self._settings = {name: value for name, value in values.items() if value is not None}
        self._memory.language = str(self.language.currentData())
        self._memory.on_close = str(self.closing.currentData())
        self._memory.outlive = self.outlive.isChecked()
        self._memory.notify = self.notify.isChecked()
        self._memory.sync()
        self.autostartChanged.emit(self.login.isChecked())
        self._tell(tr("Saved.") if not changed else tr("Saved. The node starts anew."), bad=False)
        if changed:
            self.restartAsked.emit()

    def _tell(self, text: str, bad: bool) -> None:
        from swarm_app.gui.look import set_role

        self.told.setText(text)
        set_role(self.told, "bad" if bad else "dim")


def label_of(option: Option) -> str:
    return option.name.replace("_", " ").capitalize()


def labels() -> list[Any]:
    """All words of the options, for the translation files."""
    return [text for option in NODE_OPTIONS for text in (label_of(option), option.help, option.unit) if text]
