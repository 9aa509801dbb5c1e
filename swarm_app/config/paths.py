"""Where a profile and the models lie. Nothing is read from the environment before a function is called."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarm_app.domain.errors import HomeswarmError

APP = "homeswarm"


class ProfileUnusable(HomeswarmError):
    """The profile folder cannot be made, entered or kept private."""

    code = "profile-unusable"
    http_status = 409
    exit_code = 6
    default_remedy = "Choose another folder with --profile."


def default_profile() -> Path:
    """The folder of the profile that is used when none is named."""
    import platformdirs

    return platformdirs.user_data_path(APP, appauthor=False) / "profiles" / "default"


def default_models() -> Path:
    """The model store that all profiles of this user share unless they name another."""
    import platformdirs

    return platformdirs.user_data_path(APP, appauthor=False) / "models"


def default_local_models() -> Path:
    """The folder of the models that run on this computer alone, shared by all profiles of this user."""
    import platformdirs

    return platformdirs.user_data_path(APP, appauthor=False) / "local"


@dataclass(frozen=True, slots=True)
class ProfilePaths:
    """The files of one profile. `root` is absolute."""

    root: Path

    @classmethod
    def of(cls, folder: str | os.PathLike[str] | None = None) -> ProfilePaths:
        """The profile in `folder`, or the default one."""
        chosen = default_profile() if folder is None else Path(folder).expanduser()
        return cls(Path(os.path.abspath(chosen)))

    @property
    def api_file(self) -> Path:
        """Where the running node's local API is and its token (0600)."""
        return self.root / "api.json"

    @property
    def token_file(self) -> Path:
        """The local API's token (0600), which outlives the node."""
        return self.root / "token"

    @property
    def lock_file(self) -> Path:
        return self.root / "node.lock"

    @property
    def settings_file(self) -> Path:
        return self.root / "settings.toml"

    @property
    def children_file(self) -> Path:
        """The process groups of the children, for a next node to end after a crash."""
        return self.root / "children.json"

    @property
    def peers_file(self) -> Path:
        """Where the household was: addresses of peers to join by at the next start."""
        return self.root / "peers.json"

    @property
    def history_file(self) -> Path:
        """The chats of this user."""
        return self.root / "history.sqlite"

    @property
    def swarm_file(self) -> Path:
        """The membership in a swarm: certificates and the list of members. Nothing secret."""
        return self.root / "swarm.json"

    @property
    def secrets_file(self) -> Path:
        """The device's keys (0600), where their owner has chosen a file instead of the keyring."""
        return self.root / "secrets.json"

    @property
    def local_file(self) -> Path:
        """Which local model was chosen."""
        return self.root / "local.json"

    @property
    def choice_file(self) -> Path:
        """What the owner chose about contributing, while that is a choice of theirs."""
        return self.root / "contribution.json"

    @property
    def log_file(self) -> Path:
        """What a node wrote that something else than a terminal has started."""
        return self.root / "node.log"

    def new_log(self) -> int:
        """The descriptor of an empty log, for a node that is being started.

        A file of its own: another node of this profile may run and write to the one before, in which case the
        new one ends at once, and its last words must be its own. Raises OSError.
        """
        with contextlib.suppress(OSError):  # Windows keeps what is open; there its lines follow the others'
            self.log_file.unlink(missing_ok=True)
        return os.open(self.log_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

    def disk_is_full(self) -> bool:
        """Whether a node that ended without a word had no room for one."""
        with contextlib.suppress(OSError):
            return shutil.disk_usage(self.root).free < 4096
        return False

    def identity_file(self, child: str) -> Path:
        """The libp2p key of a child (``blocks`` or ``engine``)."""
        return self.root / "identity" / f"{child}.key"

    def create(self) -> None:
        """Make the profile's folders, readable by this user alone.

        Raises ProfileUnusable where that is impossible, or where other users can write into a folder that
        already holds something else.
        """
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            mode = stat.S_IMODE(self.root.stat().st_mode)
            if mode & 0o077:
                # Only a folder that is ours to change: a fresh one or an older profile.
                if not any(self.root.iterdir()) or self.lock_file.exists():
                    self.root.chmod(0o700)
                elif mode & 0o022:
                    raise ProfileUnusable(f"Other users can write into the folder {self.root}.")
            self.identity_file("blocks").parent.mkdir(exist_ok=True, mode=0o700)
        except OSError as error:
            raise ProfileUnusable(
                f"The profile folder {self.root} is not usable: {error.strerror}."
            ) from None


def read_json(path: Path, most_bytes: int) -> Any:
    """What a file of ours holds; None where there is none, or it is longer, broken, or cannot be read."""
    try:
        with path.open("rb") as file:
            return json.loads(file.read(most_bytes))
    except (OSError, ValueError, RecursionError):
        return None


def write_private(path: Path, content: str) -> None:
    """Replace a file in one step with one that only this user can read (0600). Raises OSError with `path`."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    temporary.unlink(missing_ok=True)
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(content)
        os.replace(temporary, path)
    except BaseException as error:
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):  # a write that a full disk refuses does not say where
            raise OSError(error.errno, error.strerror, str(path)) from None
        raise
