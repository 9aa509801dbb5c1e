"""One window for each profile: a second start hands its link to the first one and ends.

A lock file with the process's id decides who is first, also between two starts in the same instant, and Qt
takes over the lock of a process that has crashed.
"""

from __future__ import annotations

import hashlib
import tempfile
import time
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from swarm_app.config.paths import ProfileUnusable
from swarm_app.domain.errors import HomeswarmError

MAX_LINK = 8192
HAND_OVER_MS = 3000
MAX_SOCKET_PATH = 100
"""Unix sockets have 108 bytes for their path."""


class WindowStuck(HomeswarmError):
    """Another start has this profile's window and does not listen."""

    code = "window-stuck"
    default_remedy = "End that process, then start this one again."


class SingleInstance(QObject):
    """`handed` has what a later start was given: a link, or "" to come to the front."""

    handed = Signal(str)

    def __init__(self, profile: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._profile = profile
        self._lock = QLockFile(str(profile / "window.lock"))
        self._lock.setStaleLockTime(0)
        self._address = socket_path(profile)
        self._server: QLocalServer | None = None

    def is_first(self) -> bool:
        """Whether this process is the one; it listens from then on. Raises ProfileUnusable."""
        if not self._lock.tryLock(0):
            if self._lock.error() != QLockFile.LockError.LockFailedError:
                raise ProfileUnusable(f"Nothing can be written in the profile folder {self._profile}.")
            return False
        QLocalServer.removeServer(self._address)  # what a crash has left
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._connected)
        self._server.listen(self._address)
        return True

    def hand_over(self, link: str) -> None:
        """Give the link to the first one. Raises WindowStuck where that does not take it."""
        until = time.monotonic() + HAND_OVER_MS / 1000
        while time.monotonic() < until:
            socket = QLocalSocket()
            socket.connectToServer(self._address)
            if socket.waitForConnected(200):
                socket.write(link.encode("utf-8")[:MAX_LINK] + b"\n")
                socket.waitForBytesWritten(HAND_OVER_MS)
                answered = socket.waitForReadyRead(HAND_OVER_MS)
                socket.disconnectFromServer()
                if answered:
                    return
                break
            time.sleep(0.05)  # it has just begun
        raise WindowStuck(f"The window of this profile (process {self.holder()}) does not answer.")

    def holder(self) -> int:
        """The process that has the lock; 0 where that cannot be read."""
        return int(self._lock.getLockInfo()[0] or 0)

    def close(self) -> None:
        if self._server is not None:
            self._server.close()
        self._lock.unlock()

    def _connected(self) -> None:
        assert self._server is not None
        while (socket := self._server.nextPendingConnection()) is not None:
            socket.readyRead.connect(lambda s=socket: self._read(s))
            socket.disconnected.connect(socket.deleteLater)
            if socket.bytesAvailable():
                self._read(socket)

    def _read(self, socket: QLocalSocket) -> None:
        if socket.bytesAvailable() > MAX_LINK + 1:
            socket.abort()
        elif socket.canReadLine():
            link = bytes(socket.readLine(MAX_LINK + 2).data()).decode("utf-8", "replace").strip()
            socket.write(b"ok\n")
            socket.flush()
            self.handed.emit(link)


def socket_path(profile: Path) -> str:
    """In the profile, which is private; where that is too long for a socket, in the temporary folder."""
    inside = str(profile / "window.socket")
    if len(inside.encode("utf-8")) <= MAX_SOCKET_PATH:
        return inside
    name = hashlib.sha256(str(profile).encode("utf-8")).hexdigest()[:24]
    return str(Path(tempfile.gettempdir()) / f"homeswarm-{name}.socket")
