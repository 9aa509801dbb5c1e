"""A search for secrets where none must be (scenario C4): files, processes, and what was shown.

Secrets may lie in the keyring or in a file that only this user can read, and nowhere else.
"""

from __future__ import annotations

import base64
import json
import stat
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from swarm_app.config.paths import ProfilePaths
from swarm_app.membership.links import parse_link

Seen = tuple[str, bytes]
"""Where, and what stands there."""


def forms(secret: bytes) -> list[bytes]:
    """How a secret may be written down."""
    encoded = base64.b64encode(secret).rstrip(b"=")
    urlsafe = base64.urlsafe_b64encode(secret).rstrip(b"=")
    return [secret, secret.hex().encode(), encoded, urlsafe, base64.b32encode(secret).rstrip(b"=").lower()]


def forms_of_link(link: str) -> list[bytes]:
    """The same of an invite link, whole or in part, in either case."""
    code = link.partition("join/")[2]
    written = [link, code, code[30:], link.upper(), code.upper()]
    return [*forms(parse_link(link).secret), *(text.encode() for text in written)]


def forms_in_file(paths: ProfilePaths) -> dict[str, list[bytes]]:
    """Those in a profile's secrets file, by name; it must be this user's alone."""
    kept = paths.secrets_file
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    return {name: forms(base64.b64decode(text)) for name, text in json.loads(kept.read_text()).items()}


def in_files(*folders: Path, but: Iterable[Path] = ()) -> Iterator[Seen]:
    """Every file below the folders, hidden ones too; `but` are those that hold secrets by consent."""
    left_out = set(but)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and not path.is_symlink() and path not in left_out:
                yield str(path), path.read_bytes()


def in_processes(pids: Iterable[int]) -> Iterator[Seen]:
    """What every other program of this user can read of a process."""
    for pid in pids:
        for what in ("cmdline", "environ", "comm"):
            yield f"the {what} of {pid}", Path(f"/proc/{pid}/{what}").read_bytes()


def found(secrets: Mapping[str, list[bytes]], seen: Iterable[Seen]) -> list[str]:
    """Which secret stands where."""
    return [
        f"{secret} in {where}"
        for where, content in seen
        for secret, written in secrets.items()
        if any(form in content for form in written)
    ]
