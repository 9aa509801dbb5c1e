"""``api.json``: how programs of this user find the running node of a profile, and its token."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from swarm_app.config.paths import read_json, write_private

_MAX_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class ApiAddress:
    """The local API's base URL (``http://127.0.0.1:PORT``), its bearer token, the node's process id."""

    url: str
    token: str = field(repr=False)
    pid: int


def write(path: Path, address: ApiAddress) -> None:
    """Write the file in one step, readable by this user alone."""
    write_private(path, json.dumps({"url": address.url, "token": address.token, "pid": address.pid}) + "\n")


def read(path: Path) -> ApiAddress | None:
    """What the file says; None where there is none or it is not one of ours."""
    value = read_json(path, _MAX_BYTES)
    if not isinstance(value, dict):
        return None
    url, token, pid = value.get("url"), value.get("token"), value.get("pid")
    if not isinstance(url, str) or not isinstance(token, str) or not token or type(pid) is not int:
        return None
    return ApiAddress(url, token, pid)
