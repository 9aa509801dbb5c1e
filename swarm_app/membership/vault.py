"""Where the two private keys lie: in the system's keyring, or in a file that only this user can read.

A keyring may be missing, locked, silent for minutes, or swallow what it is given. So every call runs in a
thread of its own with a time limit, what was stored is read back, and the reason why a keyring does not do
is a sentence for people. The file is used only by consent (``--secrets file``). Never both: what lies in the
file has not also gone into a keyring.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, Literal, Protocol, TypeVar

from swarm_app.membership.errors import SecretsUnusable

SERVICE: Final = "homeswarm"
CALL_S: Final = 4.0
"""A keyring that has to ask its owner for a password takes longer; then the same is tried again later."""

FORSAKE_S: Final = 60.0
"""A call that has hung for this long may never come back, as when the keyring's process ended under it:
another one is made then."""

MAX_HANGING: Final = 8
"""With so many calls that never came back no more are made."""

MAX_SECRET_BYTES = 256
_MAX_FILE_BYTES = 64 * 1024

Place = Literal["keyring", "file"]
T = TypeVar("T")


class Vault(Protocol):
    """A place for small secrets by name."""

    def get(self, name: str) -> bytes | None:
        """None where it was never put. Raises SecretsUnusable."""
        ...

    def put(self, name: str, secret: bytes) -> None:
        """Keep it; returns when it is safely there. Raises SecretsUnusable."""
        ...

    def delete(self, name: str) -> None:
        """Forget it; nothing where it was never put. Raises SecretsUnusable."""
        ...


def open_vault(place: Place, file: Path) -> Vault:
    """The vault of one profile. `file` is where secrets lie by consent; it also names them in the keyring."""
    return FileVault(file) if place == "file" else KeyringVault(str(file.parent))


class FileVault:
    """A JSON file with mode 0600 in a folder with mode 0700."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def get(self, name: str) -> bytes | None:
        text = self._read().get(name)
        if text is None:
            return None
        try:
            return base64.b64decode(text, validate=True)
        except ValueError:
            raise self._unusable("it is damaged") from None

    def put(self, name: str, secret: bytes) -> None:
        kept = self._read()
        kept[name] = base64.b64encode(secret).decode("ascii")
        self._write(kept)

    def delete(self, name: str) -> None:
        kept = self._read()
        if kept.pop(name, None) is None:
            return
        self._write(kept)

    def _read(self) -> dict[str, str]:
        try:
            descriptor = os.open(self._file, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._unusable(error.strerror or "it cannot be read") from None
        with os.fdopen(descriptor, "rb") as file:
            if os.fstat(descriptor).st_mode & 0o077:
                raise SecretsUnusable(
                    f"Other users of this computer can read {self._file}, which holds this device's keys.",
                    remedy=f"If nobody has: chmod 600 '{self._file}'. Otherwise leave the swarm, join anew.",
                )
            data = file.read(_MAX_FILE_BYTES)
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            raise self._unusable("it is damaged") from None
        if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
            raise self._unusable("it is damaged")
        return value

    def _write(self, kept: dict[str, str]) -> None:
        temporary = self._file.with_name(f".{self._file.name}.{os.getpid()}")
        try:
            temporary.unlink(missing_ok=True)
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="ascii") as file:
                json.dump(kept, file)
                file.flush()
                os.fsync(descriptor)
            os.replace(temporary, self._file)
        except OSError as error:
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)
            raise self._unusable(error.strerror or "the disk refuses") from None

    def _unusable(self, why: str) -> SecretsUnusable:
        return SecretsUnusable(
            f"The file with this device's keys ({self._file}) cannot be used: {why}.",
            remedy="Look at that file. If it is lost, leave the swarm and join anew.",
        )


class Backend(Protocol):
    """What `keyring`'s backends have."""

    def get_password(self, service: str, username: str) -> str | None: ...
    def set_password(self, service: str, username: str, password: str) -> None: ...
    def delete_password(self, service: str, username: str) -> None: ...


class KeyringVault:
    """The system's keyring, each call with a time limit.

    `owner` tells the profiles of one user apart. `find` gives the backend (for tests); by default the one
    that `keyring` chooses. A call that hangs leaves its thread behind, which is a daemon and holds up nobody;
    until it is back, or for FORSAKE_S, no other is made.
    """

    def __init__(
        self,
        owner: str,
        *,
        find: Callable[[], Backend] | None = None,
        call_s: float = CALL_S,
        forsake_s: float = FORSAKE_S,
    ) -> None:
        self._owner = owner
        self._find = find or _find_backend
        self._call_s = call_s
        self._forsake_s = forsake_s
        self._hanging: list[threading.Thread] = []
        self._hangs_since_s = 0.0

    def get(self, name: str) -> bytes | None:
        text = self._call(lambda backend: backend.get_password(SERVICE, self._user(name)))
        if text is None:
            return None
        try:
            return base64.b64decode(text, validate=True)
        except ValueError:
            raise SecretsUnusable("The keyring gave back something else than was put into it.") from None

    def put(self, name: str, secret: bytes) -> None:
        text = base64.b64encode(secret).decode("ascii")

        def put(backend: Backend) -> str | None:
            backend.set_password(SERVICE, self._user(name), text)
            return backend.get_password(SERVICE, self._user(name))

        if self._call(put) != text:
            raise SecretsUnusable("The keyring does not keep what is put into it.")

    def delete(self, name: str) -> None:
        def delete(backend: Backend) -> None:
            if backend.get_password(SERVICE, self._user(name)) is not None:
                backend.delete_password(SERVICE, self._user(name))

        self._call(delete)

    def _user(self, name: str) -> str:
        return f"{name} of {self._owner}"

    def _call(self, work: Callable[[Backend], T]) -> T:
        self._hanging = [thread for thread in self._hanging if thread.is_alive()]
        lately = time.monotonic() - self._hangs_since_s < self._forsake_s
        if self._hanging and (lately or len(self._hanging) >= MAX_HANGING):
            raise SecretsUnusable("The keyring still does not answer.")
        results: list[T] = []
        errors: list[SecretsUnusable] = []

        def run() -> None:
            try:
                results.append(work(self._find()))
            except SecretsUnusable as error:
                errors.append(error)
            except Exception as error:  # noqa: BLE001 - backends raise their own, D-Bus's and the system's
                errors.append(_in_words(error))

        thread = threading.Thread(target=run, name="keyring", daemon=True)
        thread.start()
        thread.join(self._call_s)
        if thread.is_alive():
            self._hanging.append(thread)
            self._hangs_since_s = time.monotonic()
            raise SecretsUnusable(
                f"The keyring did not answer within {self._call_s:.0f} s; "
                "it may be locked and waiting for you."
            )
        if errors:
            raise errors[0]
        return results[0]


def _find_backend() -> Backend:
    # It looks through all installed packages for backends: loaded only where a keyring is really asked.
    import keyring
    import keyring.backends.fail
    import keyring.backends.null

    found = keyring.get_keyring()
    if isinstance(found, keyring.backends.fail.Keyring | keyring.backends.null.Keyring):
        raise SecretsUnusable("This computer has no keyring that programs can use.")
    return found


def _in_words(error: Exception) -> SecretsUnusable:
    kind = type(error).__name__
    match kind:
        case "KeyringLocked" | "NotAvailableException" | "PromptDismissedException":
            return SecretsUnusable("The keyring is locked.")
        case "NoKeyringError" | "InitError":
            return SecretsUnusable("This computer has no keyring that programs can use.")
        case _:
            return SecretsUnusable("The keyring does not work.")
