"""The node that this app starts where none runs, and ends again when it quits, unless it shall outlive it."""

from __future__ import annotations

import contextlib
import os
import subprocess

from PySide6.QtCore import QObject, QTimer, Signal

from swarm_app.config.paths import ProfilePaths
from swarm_app.config.program import own_command
from swarm_app.domain.errors import TELLS_CODES, DiskFull
from swarm_app.gui import troubles
from swarm_app.gui.tongue import tr

LAST_WORDS_BYTES = 4096
LOOK_MS = 500
STOP_S = 8.0


class NodeProcess(QObject):
    """`ended` has the node's last sentence when it ends although nobody asked it to."""

    ended = Signal(str)

    def __init__(self, paths: ProfilePaths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._paths = paths
        self._process: subprocess.Popen[bytes] | None = None
        self._again: bool | None = None
        """While it is being restarted: whether the next one shall outlive this process."""
        self._timer = QTimer(self)
        self._timer.setInterval(LOOK_MS)
        self._timer.timeout.connect(self._look)

    @property
    def runs(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Of what was started here last; 0 where nothing is."""
        return self._process.pid if self._process is not None else 0

    def start(self, outlive: bool) -> None:
        """Start a node of this profile by its settings. One that shall not outlive this process ends with it
        however that ends: the kernel closes its standard input."""
        if self.runs:
            return
        self._paths.create()
        log = self._paths.new_log()
        command = own_command("node", "--profile", str(self._paths.root))
        try:
            self._process = subprocess.Popen(
                command if outlive else [*command, "--until-stdin-closes"],
                stdin=subprocess.DEVNULL if outlive else subprocess.PIPE,
                stdout=log,
                stderr=log,
                env={**os.environ, TELLS_CODES: "1"},
                start_new_session=True,
            )
        finally:
            os.close(log)
        self._timer.start()

    def stop(self) -> None:
        """End what was started here, and wait for its end."""
        process, self._process = self._process, None
        self._timer.stop()
        if process is None:
            return
        _close(process)
        if process.poll() is None:
            process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(STOP_S)

    def restart(self, outlive: bool) -> bool:
        """Stop what was started here and start it again once it has ended; False where nothing was."""
        if self._process is None or not self.runs:
            return False
        self._again = outlive
        self._process.terminate()
        return True

    def leave(self) -> None:
        """It goes on without this process."""
        self._timer.stop()
        if self._process is not None:
            # Its end is nobody's business here any more, and no warning's either.
            self._process.returncode = self._process.returncode or 0
            self._process = None

    def _look(self) -> None:
        if self._process is not None and self._process.poll() is not None:
            self._timer.stop()
            _close(self._process)
            self._process = None
            if self._again is not None:
                again, self._again = self._again, None
                self.start(again)
                return
            self.ended.emit(self.last_words() or tr("The node ended without a word."))

    def last_words(self) -> str:
        """The last line of its log, as a sentence."""
        with contextlib.suppress(OSError), self._paths.log_file.open("rb") as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_WORDS_BYTES))
            words = troubles.of_output(file.read().decode("utf-8", "replace"))
            if not words and self._paths.disk_is_full():
                return troubles.sentence(DiskFull(f"The disk of {self._paths.root} is full."))
            return words
        return ""


def _close(process: subprocess.Popen[bytes]) -> None:
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
