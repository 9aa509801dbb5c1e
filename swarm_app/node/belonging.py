"""What a node keeps of its membership on disk: the profile's ``swarm.json``. Nothing in it is secret.

State owned: none; the file is the register's. Callers: `swarm_app.node.register`.
"""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swarm_app.config.paths import write_private
from swarm_app.domain.errors import HomeswarmError
from swarm_app.membership.certificates import Chain, chain_from_list, chain_to_list
from swarm_app.membership.errors import MembershipError
from swarm_app.membership.links import Endpoint, endpoint
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.members import Members
from swarm_app.membership.succession import Succession

FORMAT = 1
MAX_NEWS = 4
"""Changes of the swarm's key that are remembered for members that were away."""

MAX_CONTACTS = 64
MAX_ENDPOINTS = 4
"""Of one door: a wire, a radio, and each in IPv4 and IPv6."""

_MAX_BYTES = 4 * 1024 * 1024


class SwarmFileDamaged(HomeswarmError):
    """The profile's ``swarm.json`` cannot be read."""

    code = "swarm-file-damaged"
    exit_code = 6
    default_remedy = "Put it back from a backup, or move it away and join the swarm anew."


@dataclass(frozen=True, slots=True)
class Contact:
    """Where a member's door was when it was heard of last (seconds since the epoch)."""

    device_key: bytes
    endpoints: tuple[Endpoint, ...]
    seen_s: int = 0


@dataclass(frozen=True, slots=True)
class Belonging:
    """A membership in one swarm."""

    chain: Chain
    members: Members
    founder: bool = False
    """This computer holds the swarm's key."""
    news: tuple[Succession, ...] = ()
    """How the swarm came to its present key, the latest last."""
    pending: Succession | None = None
    """A new key that this computer has heard of and has no certificate by yet."""
    contacts: tuple[Contact, ...] = ()
    own: tuple[Endpoint, ...] = ()
    """Where this computer's door was last."""

    @property
    def swarm_id(self) -> str:
        return self.members.swarm_id

    @property
    def device_key(self) -> bytes:
        return self.chain[0].device_key

    @property
    def removed(self) -> bool:
        return self.members.is_removed(self.device_key)


def read(path: Path) -> Belonging | None:
    """The membership in the file, None where there is none. Raises SwarmFileDamaged."""
    try:
        with path.open("rb") as file:
            data = file.read(_MAX_BYTES)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise SwarmFileDamaged(f"The file {path} cannot be read: {error.strerror}.") from None
    try:
        return _read(json.loads(data))
    except (ValueError, RecursionError, KeyError, TypeError, MembershipError):
        raise SwarmFileDamaged(f"The file {path}, which says what swarm this is, is damaged.") from None


def write(path: Path, belonging: Belonging) -> None:
    """Replace the file in one step. Raises OSError where the disk refuses."""
    content = {
        "format": FORMAT,
        "chain": [_text(one) for one in chain_to_list(belonging.chain)],
        "members": _text(belonging.members.current.to_bytes()),
        "aside": _text(belonging.members.aside.to_bytes()) if belonging.members.aside else None,
        "founder": belonging.founder,
        "news": [_text(one.to_bytes()) for one in belonging.news],
        "pending": _text(belonging.pending.to_bytes()) if belonging.pending else None,
        "contacts": [
            {
                "device": _text(contact.device_key),
                "endpoints": [[where.host, where.port] for where in contact.endpoints],
                "seen": contact.seen_s,
            }
            for contact in belonging.contacts[:MAX_CONTACTS]
        ],
        "own": [[where.host, where.port] for where in belonging.own],
    }
    write_private(path, json.dumps(content, indent=1) + "\n")


def _read(value: Any) -> Belonging:
    if value["format"] != FORMAT:
        raise ValueError("another format")
    chain = chain_from_list([_bytes(one) for one in value["chain"]])
    if not chain:
        raise ValueError("no certificate")
    current = MemberList.from_bytes(_bytes(value["members"]))
    aside = value["aside"]
    return Belonging(
        chain,
        Members(current, MemberList.from_bytes(_bytes(aside)) if aside else None),
        bool(value["founder"]),
        tuple(Succession.from_bytes(_bytes(one)) for one in value["news"]),
        Succession.from_bytes(_bytes(value["pending"])) if value["pending"] else None,
        tuple(
            Contact(_bytes(one["device"]), _endpoints(one["endpoints"]), int(one["seen"]))
            for one in value["contacts"][:MAX_CONTACTS]
        ),
        _endpoints(value["own"]),
    )


def _endpoints(values: Any) -> tuple[Endpoint, ...]:
    return tuple(endpoint(host, port) for host, port in values[:MAX_ENDPOINTS])


def _text(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _bytes(text: str) -> bytes:
    return base64.b64decode(text, validate=True)
