"""One node per profile: a lock that the kernel drops with its holder, however that ends."""

from __future__ import annotations

import contextlib
import fcntl
import os
from pathlib import Path
from types import TracebackType

from swarm_app.domain.errors import NodeAlreadyRunning


class ProfileLock:
    """Held while in its ``with`` block. Raises NodeAlreadyRunning on entering where another process holds it.

    The file stays: removing it would let two processes lock two different files of the same name.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def __enter__(self) -> ProfileLock:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(descriptor, 20, 0).decode("ascii", "replace").strip()
            os.close(descriptor)
            process = f" (process {holder})" if holder.isdigit() else ""
            raise NodeAlreadyRunning(
                f"A node of this profile is already running{process}.",
                remedy="Use that one, or choose another profile with --profile.",
            ) from None
        os.ftruncate(descriptor, 0)
        with contextlib.suppress(OSError):  # a full disk: the lock holds without the number in it
            os.pwrite(descriptor, f"{os.getpid()}\n".encode("ascii"), 0)
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.ftruncate(self._descriptor, 0)
        os.close(self._descriptor)
