"""``contribution.json`` of a profile: what its owner chose about contributing, over a restart of the node."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from swarm_app.config.paths import read_json, write_private

_MAX_BYTES = 4096
_LATEST_EPOCH = 253_402_300_800.0
"""The year 10000: what is written beyond that was no time."""


@dataclass(frozen=True, slots=True)
class OwnChoice:
    """``pause`` holds until `until_epoch` (seconds since the epoch; None: for good). ``contribute`` holds
    while some rule would pause."""

    what: Literal["pause", "contribute"]
    until_epoch: float | None = None


def write(path: Path, choice: OwnChoice | None) -> None:
    """Note the choice, in one step; None forgets it. Raises OSError."""
    if choice is None:
        path.unlink(missing_ok=True)
    else:
        write_private(path, json.dumps({"choice": choice.what, "until": choice.until_epoch}) + "\n")


def read(path: Path) -> OwnChoice | None:
    """The choice; None where there is none or the file is not one of ours."""
    noted = read_json(path, _MAX_BYTES)
    if not isinstance(noted, dict) or not {"choice", "until"} <= noted.keys():
        return None
    what, until = noted["choice"], noted["until"]
    if what not in ("pause", "contribute") or isinstance(until, bool):
        return None
    if until is None:
        return OwnChoice(what)
    if isinstance(until, int | float) and 0.0 <= until < _LATEST_EPOCH:
        return OwnChoice(what, float(until))
    return None
