"""The settings: an editor for each option of the node, by its own definition, and the window's few."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from swarm_app.config.kinds import Option
from swarm_app.config.options import NODE_OPTIONS
from swarm_app.config.paths import ProfilePaths
from swarm_app.config.settings import read_node_settings, write_node_settings
from swarm_app.domain.errors import BadRequest, HomeswarmError
from swarm_app.gui import troubles
from swarm_app.gui.frames import Words, counting, label, reading_column
from swarm_app.gui.link import NodeLink
from swarm_app.gui.memory import WindowMemory
from swarm_app.gui.settings.localapi import LocalApi
from swarm_app.gui.settings.models import Models
from swarm_app.gui.tongue import is_english, tr

FIRST = (
    *("name", "span", "cache_tokens", "threads"),
    *("when_active", "when_full_screen", "on_battery", "on_metered", "schedule"),
    *("fallback", "prefer", "context_tokens"),
)
"""What people change; the rest stands below, folded away."""

MAX_SPIN = 2**31 - 1
NO_SIDE = Qt.AlignmentFlag(0)


def editor_of(option: Option, value: object) -> QWidget:
    """The widget for an option, showing `value`, or its default where that is None."""
    if isinstance(option.default, bool):
        box = QCheckBox(tr("on"))
        box.setChecked(bool(option.default if value is None else value))
        return box
    choices = option.metavar.split("|")
    if len(choices) > 1 and all(choice.islower() for choice in choices):
        chosen = QComboBox()
        said = choice_words()
        for choice in choices:
            chosen.addItem(said.get(choice, choice), choice)
        chosen.setCurrentIndex(max(chosen.findData(str(option.default if value is None else value)), 0))
        return chosen
    if option.high:
        number = QSpinBox()
        number.setRange(option.low, min(option.high, MAX_SPIN))
        number.setGroupSeparatorShown(False)
        first = option.default if value is None else value
        number.setValue(int(first) if isinstance(first, int | str) else option.low)
        if option.unit:
            counting(number, option.unit)
        return number
    line = QLineEdit()
    line.setPlaceholderText(worked_out(option) or option.default_text)
    if isinstance(value, list | tuple):
        line.setText(" ".join(map(str, value)))
    elif value is not None:
        line.setText(str(value))
    return line


def worked_out(option: Option) -> str:
    """What is used where nothing is entered, in words; "" where that is a value."""
    said = option.default_text
    return tr(said.strip("<>").replace("`", "")) if said.startswith("<") else ""


def value_of(option: Option, editor: QWidget) -> object:
    """What was entered; None for the default. Raises BadRequest, naming the option."""
    value: object
    if isinstance(editor, QCheckBox):
        value = editor.isChecked()
    elif isinstance(editor, QComboBox):
        value = str(editor.currentData())
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


class _NotPossible(Exception):
    """What was entered, in the user's language."""


class SettingsPage(QWidget):
    """`restartAsked` when the node has to start anew for what was saved, `autostartChanged` with whether this
    app starts with the session."""

    restartAsked = Signal()
    autostartChanged = Signal(bool)

    def __init__(
        self,
        paths: ProfilePaths,
        link: NodeLink,
        memory: WindowMemory,
        autostart: Callable[[], bool] | None,
    ) -> None:
        super().__init__()
        self._paths = paths
        self._memory = memory
        self.editors: dict[str, QWidget] = {}
        self._settings: dict[str, object] = {}
        self._link = link
        self._box, _ = reading_column(self, tr("Settings"), 12, 760)
        self._window(autostart)
        self._box.addWidget(title(tr("Local API")))
        self.api = LocalApi(paths, link)
        self._box.addWidget(self.api)
        self._box.addWidget(title(tr("Models")))
        self.models = Models(paths.root, link)
        self._box.addWidget(self.models)
        self._node()
        self._box.addStretch()
        foot = QHBoxLayout()
        foot.setContentsMargins(28, 8, 28, 12)
        self.told = Words()
        self.told.setWordWrap(True)
        self.save = QPushButton(tr("Save"))
        self.save.setProperty("role", "main")
        self.save.clicked.connect(self.keep)
        foot.addWidget(self.told, 1)
        foot.addWidget(self.save)
        outer = self.layout()
        assert isinstance(outer, QVBoxLayout)
        outer.addLayout(foot)

    def _section(self, text: str) -> QFormLayout:
        self._box.addWidget(title(text))
        form = QFormLayout()
        form.setHorizontalSpacing(20)
        form.setVerticalSpacing(10)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
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
        self.language.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.language.setCurrentIndex(max(self.language.findData(self._memory.language), 0))
        form.addRow(tr("Language (after the next start)"), self.language)
        self.closing = QComboBox()
        for code, name in (
            ("ask", tr("ask")),
            ("tray", tr("keep running in the tray")),
            ("quit", tr("quit")),
        ):
            self.closing.addItem(name, code)
        self.closing.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
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

    def _node(self) -> None:
        try:
            self._settings = read_node_settings(self._paths.settings_file)
        except HomeswarmError as error:
            self._box.addWidget(label(troubles.sentence(error), "bad", wrap=True))
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
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
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
        both = QWidget()
        box = QVBoxLayout(both)
        box.setContentsMargins(0, 0, 0, 6)
        box.setSpacing(4)
        box.addWidget(editor, 0, Qt.AlignmentFlag.AlignLeft if not isinstance(editor, QLineEdit) else NO_SIDE)
        box.addWidget(label(help_text, "dim", wrap=True))
        form.addRow(tr(label_of(option)), both)

    def keep(self) -> None:
        """Save what was entered; says what is wrong instead of saving half of it."""
        values: dict[str, object] = dict(self._settings)
        try:
            for option in NODE_OPTIONS:
                values[option.name] = self._entered(option)
            self._paths.create()
            changed = {k: v for k, v in values.items() if v is not None} != self._settings
            if changed:
                write_node_settings(self._paths.settings_file, values)
        except _NotPossible as error:
            self._tell(str(error), bad=True)
            return
        except HomeswarmError as error:
            self._tell(troubles.sentence(error), bad=True)
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

    def _entered(self, option: Option) -> object:
        """Raises BadRequest, or _NotPossible where the page says it in its own words."""
        try:
            return value_of(option, self.editors[option.name])
        except BadRequest as error:
            if is_english():
                raise
            name, more = tr(label_of(option)), tr(option.help)
            told = tr("{name}: this cannot be entered here. {help}", name=name, help=more)
            raise _NotPossible(told) from error

    def _tell(self, text: str, bad: bool) -> None:
        from swarm_app.gui.look import set_role

        self.told.setText(text)
        set_role(self.told, "bad" if bad else "dim")


def title(text: str) -> QLabel:
    made = label(text, "title")
    made.setContentsMargins(0, 10, 0, 0)
    return made


LABELS = {
    "cache_tokens": "Memory for conversations",
    "context_tokens": "Longest conversation",
    "door_port": "Port of the door",
    "fallback": "When the household cannot answer",
    "join": "Addresses to join by",
    "keep_awake": "Stay awake while answering",
    "keep_local": "Keep the local model in memory",
    "free_after_s": "Give memory back after a pause of",
    "listen": "Address to listen at",
    "local_idle_s": "Give the local model's memory back after",
    "local_models": "Folder of local models",
    "min_speed": "Slowest speed",
    "models": "Folder of models",
    "nearby": "Show up nearby",
    "on_battery": "On battery",
    "on_metered": "On a metered network",
    "open": "Open swarm",
    "policy": "When a computer is late",
    "port": "Port of the local API",
    "prefer": "Who answers",
    "preset": "Patience",
    "secrets": "Where the keys are kept",
    "span": "Blocks to serve",
    "standby": "A second computer keeps up",
    "swarm_port": "Port for other computers",
    "schedule": "Times to contribute",
    "takeover_ms": "Silence until the local model takes over",
    "when_active": "While somebody uses this computer",
    "when_full_screen": "While a program fills the screen",
}
"""What people call an option, where its own name would not do."""


def label_of(option: Option) -> str:
    return LABELS.get(option.name) or option.name.replace("_", " ").capitalize()


def choice_words() -> dict[str, str]:
    """The values that people choose among, in their language."""
    return {
        "always": tr("always"),
        "ask": tr("ask me"),
        "auto": tr("automatic"),
        "file": tr("in a file"),
        "gentle": tr("go gently"),
        "hedge": tr("ask another one beside it"),
        "home_lan": tr("in one home"),
        "ignore": tr("no difference"),
        "keyring": tr("in the keyring"),
        "local": tr("this computer alone"),
        "never": tr("never"),
        "no": tr("no"),
        "over_internet": tr("over the internet"),
        "pause": tr("pause"),
        "reroute": tr("move away from it"),
        "swarm": tr("the household"),
        "test": tr("for tests"),
        "wait": tr("wait for it"),
        "yes": tr("yes"),
    }


def labels() -> list[Any]:
    """All words of the options, for the translation files."""
    defaults = [option.default_text for option in NODE_OPTIONS]
    said = [text.strip("<>").replace("`", "") for text in defaults if text.startswith("<")]
    return [*said, *(text for option in NODE_OPTIONS for text in (label_of(option), option.help) if text)]
