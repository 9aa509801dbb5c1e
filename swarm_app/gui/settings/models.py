"""The models of this computer in the settings: for the household and for itself, import and removal."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from swarm_app.gui import asking, troubles
from swarm_app.gui.commands import Command
from swarm_app.gui.frames import Elided, clear, keep_tab_order, label
from swarm_app.gui.link import NodeLink
from swarm_app.gui.tongue import size, tr, trn
from swarm_app.localapi.view import StateView

KINDS = ("model", "local")
"""The commands: for the household's models, and for those of this computer alone."""


class Models(QWidget):
    """Read when it is first looked at, and after each change."""

    def __init__(self, profile: Path, link: NodeLink) -> None:
        super().__init__()
        self._profile = profile
        self._link = link
        self._lists: dict[str, QGridLayout] = {}
        self._found: dict[str, Any] = {}
        self._in_use = ""
        """The household's model, as it is shown."""
        self._readers = {kind: Command(self) for kind in KINDS}
        self._changer = Command(self)
        self._read_once = False
        self._when_done = ""
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        for kind, title in (
            ("model", tr("For the household")),
            ("local", tr("For this computer alone, when the household cannot answer")),
        ):
            box.addWidget(label(title, "section"))
            holder = QWidget()
            grid = self._lists[kind] = QGridLayout(holder)
            grid.setContentsMargins(0, 0, 0, 0)
            grid.setHorizontalSpacing(18)
            grid.setColumnStretch(0, 1)
            box.addWidget(holder)
            self._readers[kind].finished.connect(
                lambda trouble, found, kind=kind: self._show(kind, trouble, found)
            )
        row = QHBoxLayout()
        self.source = QLineEdit()
        self.source.setPlaceholderText(tr("Folder, GGUF file, or owner/name to download"))
        self.source.setAccessibleName(tr("Model to import"))
        choose = QPushButton(tr("File …"))
        choose.clicked.connect(self._choose)
        self.kind = QComboBox()
        self.kind.addItem(tr("for the household"), "model")
        self.kind.addItem(tr("for this computer"), "local")
        self.kind.setAccessibleName(tr("What the model is for"))
        self.take = QPushButton(tr("Import"))
        self.take.clicked.connect(self._import)
        row.addWidget(self.source, 1)
        for widget in (choose, self.kind, self.take):
            row.addWidget(widget)
        box.addLayout(row)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.stop = QPushButton(tr("Cancel"))
        self.stop.clicked.connect(self._cancel)
        self.told = label("", "dim", wrap=True)
        below = QHBoxLayout()
        below.addWidget(self.bar, 1)
        below.addWidget(self.stop)
        box.addLayout(below)
        box.addWidget(self.told)
        self._changer.progressed.connect(self._progressed)
        self._changer.finished.connect(self._changed)
        self._show_work(False)
        self.told.hide()
        link.stateChanged.connect(self._model_changed)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if not self._read_once:
            self._read_once = True
            self.read()

    def read(self) -> None:
        """Ask for both lists anew."""
        for kind, command in self._readers.items():
            command.cancel()  # what it would tell is of before
            command.run(kind, "list", "--json", "--profile", str(self._profile))

    # ------------------------------------------------ lists

    def _show(self, kind: str, trouble: str, found: Any) -> None:
        if trouble or not isinstance(found, dict):
            self._tell(trouble)
            return
        self._found[kind] = found
        self._fill(kind)

    def _model_changed(self, state: StateView) -> None:
        if state["model"]["name"] != self._in_use and "model" in self._found:
            self._fill("model")

    def _fill(self, kind: str) -> None:
        grid, found = self._lists[kind], self._found[kind]
        clear(grid)
        models = found["models"]
        used = found.get("used")
        if kind == "model":
            used = self._in_use = self._link.state["model"]["name"] if self._link.state else ""
        for row, model in enumerate(models):
            self._row(kind, grid, row, model, str(used or ""))
        if not models:
            grid.addWidget(label(tr("None yet."), "dim"), 0, 0)
        for row, problem in enumerate(found.get("problems", ()), len(models) + 1):
            text = f"{problem['folder']}: {troubles.sentence(problem)}"
            grid.addWidget(label(text, "bad", wrap=True), row, 0, 1, 4)
        keep_tab_order(self)

    def _row(self, kind: str, grid: QGridLayout, row: int, model: Mapping[str, Any], used: str) -> None:
        name = str(model["name"])
        grid.addWidget(Elided(name), row, 0)
        grid.addWidget(label(size(model.get("total_bytes") or model.get("bytes") or 0), "dim"), row, 1)
        if memory := model.get("memory_bytes"):
            grid.addWidget(label(tr("about {memory} of memory", memory=size(memory)), "dim"), row, 2)
        elif blocks := model.get("num_blocks"):
            grid.addWidget(label(trn("%n block(s)", int(blocks)), "dim"), row, 2)
        if name == used:
            grid.addWidget(label(tr("in use"), "dim"), row, 3)
        elif kind == "local":
            use = QPushButton(tr("Use"))
            use.setAccessibleName(tr("Use {name}", name=name))
            use.clicked.connect(lambda: self._use(name))
            grid.addWidget(use, row, 3)
        if name != used and not model.get("embedded"):
            remove = QPushButton(tr("Remove"))
            remove.setAccessibleName(tr("Remove {name}", name=name))
            remove.setProperty("role", "danger")
            remove.clicked.connect(lambda: self._remove(kind, name))
            grid.addWidget(remove, row, 4)

    # ------------------------------------------------ changes

    def _use(self, name: str) -> None:
        self._link.call(
            lambda client: client.use_local(name),
            lambda _: self.read(),
            lambda error: self._tell(troubles.sentence(error)),
        )

    def _remove(self, kind: str, name: str) -> None:
        question = tr("Delete the model {name} from this computer?", name=name)
        if asking.confirm(self, tr("Remove a model"), question, tr("Remove")):
            sure = ("--yes",) if kind == "model" else ()
            self._change(tr("{name} is removed.", name=name), kind, "remove", name, *sure)

    def _choose(self) -> None:
        path, _ = QFileDialog.getOpenFileName(self, tr("A model"), "", "GGUF (*.gguf)")
        if path:
            self.source.setText(path)

    def _import(self) -> None:
        source, kind = self.source.text().strip(), str(self.kind.currentData())
        if source:
            quant = ("--quant", "int8") if kind == "model" else ()
            self._change(tr("{name} is there.", name=source), kind, "import", source, *quant, "--json")

    def _change(self, done: str, kind: str, *words: str) -> None:
        if not self._changer.is_running:
            self._when_done = done
            self.told.hide()
            self._show_work(True)
            self._changer.run(kind, words[0], *words[1:], "--profile", str(self._profile))

    def _progressed(self, what: str, done: int, total: int) -> None:
        self.bar.setRange(0, 1000 if total else 0)
        self.bar.setValue(done * 1000 // total if total else 0)

    def _changed(self, trouble: str, _: object) -> None:
        self._show_work(False)
        self._tell(trouble or self._when_done)
        if not trouble:
            self.source.clear()
        self.read()

    def _cancel(self) -> None:
        self._changer.cancel()
        self._show_work(False)

    def _show_work(self, working: bool) -> None:
        self.bar.setRange(0, 0)
        self.bar.setVisible(working)
        self.stop.setVisible(working)
        self.take.setEnabled(not working)
        for grid in self._lists.values():
            holder = grid.parentWidget()
            assert holder is not None
            holder.setEnabled(not working)  # one change at a time

    def _tell(self, sentence: str) -> None:
        self.told.setText(sentence)
        self.told.setVisible(bool(sentence))
