"""Where p2pd and its process meet: two Unix sockets, in a private folder beside the identity.

hivemind puts them into the system's temporary folder, where those of a killed process stay until the next
boot. State owned: that folder. Callers: `bridge.swarm`.
"""

from __future__ import annotations

import contextlib
import os
import socket
from pathlib import Path
from typing import TypeVar

from hivemind.p2p import P2P

AnyP2P = TypeVar("AnyP2P", bound=type[P2P])

LONGEST_NAME = len("/p2pclient-AbCdEfGhIjK.sock")

MAX_PATH_BYTES = 103
"""What the address of a Unix socket takes, without its final zero: 108 bytes on Linux, 104 on macOS."""


def socket_folder(identity_path: Path) -> Path | None:
    """The folder for an identity's sockets, made, and cleared of those that nobody listens at any more.

    None where it cannot be made private, or its path is too long for a socket.
    """
    folder = identity_path.with_name(f"{identity_path.name}.run")
    if len(os.fsencode(folder)) + LONGEST_NAME > MAX_PATH_BYTES:
        return None
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        folder.chmod(0o700)
        for left in folder.glob("*.sock"):
            if not _listens(left):
                left.unlink(missing_ok=True)
    except OSError:
        return None
    return folder


def with_sockets_in(folder: Path | None, kind: AnyP2P) -> AnyP2P:
    """`kind`, whose daemons have their sockets in `folder`; None: where hivemind puts them."""
    if folder is None:
        return kind
    own: AnyP2P = type(kind.__name__, (kind,), {"_UNIX_SOCKET_PREFIX": f"/unix{folder}/"})  # type: ignore[assignment]
    return own


def _listens(path: Path) -> bool:
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as probe:
        probe.settimeout(0.2)
        try:
            probe.connect(os.fspath(path))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except OSError:
            return True
    return True
