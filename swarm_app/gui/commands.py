"""Our own commands, run beside the window where what they need is far too heavy for it.

They tell their progress and result in JSON, one object a line or one for all, and what went wrong in the last
line of standard error.
"""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, QProcess, QProcessEnvironment, Signal
from shiboken6 import isValid

from swarm_app.config.program import own_command
from swarm_app.domain.errors import TELLS_CODES
from swarm_app.gui import troubles
from swarm_app.gui.tongue import tr

MAX_OUTPUT_BYTES = 4_000_000


class Command(QObject):
    """One command at a time. `finished` has the sentence that says what went wrong, or "", and what the last
    whole JSON was."""

    progressed = Signal(str, int, int)
    finished = Signal(str, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._process: QProcess | None = None
        self._heard = b""
        self._result: Any = None

    @property
    def is_running(self) -> bool:
        return self._process is not None

    def run(self, *words: str) -> None:
        """``homeswarm WORDS``; nothing where one runs already."""
        if self._process is not None:
            return
        process = self._process = QProcess(self)
        environment = QProcessEnvironment.systemEnvironment()
        environment.insert(TELLS_CODES, "1")
        process.setProcessEnvironment(environment)
        self._heard, self._result = b"", None
        process.readyReadStandardOutput.connect(self._read)
        process.finished.connect(self._over)
        process.errorOccurred.connect(self._failed)
        self.destroyed.connect(partial(_end, process))
        program, *arguments = own_command(*words)
        process.start(program, arguments)

    def cancel(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.finished.disconnect(self._over)
            process.errorOccurred.disconnect(self._failed)
            process.kill()
            process.waitForFinished(3000)

    def _read(self) -> None:
        if self._process is None or len(self._heard) > MAX_OUTPUT_BYTES:
            return
        *lines, rest = (self._heard + bytes(self._process.readAllStandardOutput().data())).split(b"\n")
        kept = []
        for line in lines:
            value = _json(line)
            if isinstance(value, dict) and "what" in value:
                self.progressed.emit(str(value["what"]), int(value["done"]), int(value["total"]))
            else:
                kept.append(line)
        self._heard = b"\n".join([*kept, rest])
        if (whole := _json(self._heard)) is not None:
            self._result = whole

    def _failed(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:
            self._process = None
            self.finished.emit(tr("Homeswarm's own command could not be started."), None)

    def _over(self, code: int) -> None:
        if self._process is None:
            return
        self._read()
        words = bytes(self._process.readAllStandardError().data()).decode("utf-8", "replace")
        self._process = None
        trouble = "" if code == 0 else troubles.of_output(words) or tr("That did not work")
        self.finished.emit(trouble, self._result)


def _end(process: QProcess, *_: object) -> None:
    """Whoever wanted it is gone."""
    if isValid(process) and process.state() != QProcess.ProcessState.NotRunning:
        process.kill()
        process.waitForFinished(1000)


def _json(line: bytes) -> Any:
    try:
        return json.loads(line)
    except ValueError:
        return None
