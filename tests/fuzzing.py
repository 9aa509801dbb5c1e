"""Broken messages for everything that reads what comes from outside.

    python -m tests.fuzzing --inputs 100000

The readers are those of `tests.membership.fuzz` (links, certificates, the list of members, handshakes,
joining), `tests.node.fuzz` (the door, what nodes tell each other, neighbours) and `tests.bridge.fuzz` (libp2p
calls and streams, tensors, records of the DHT). Each input is a true message with some of its bytes changed,
cut, doubled, or put in another's place, or noise. A reader answers, or refuses by HomeswarmError, within
TOO_SLOW_S; what it takes for true reads back to the very same bytes (the readers see to that).
"""

from __future__ import annotations

import argparse
import json
import platform
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from swarm_app.domain.errors import HomeswarmError

TOO_SLOW_S = 2.0
"""Far above what any of them takes; a hang is what is looked for."""


@dataclass(frozen=True)
class Reader:
    """Something that reads bytes from outside, and a message that is meant for it."""

    name: str
    read: Callable[[bytes], object]
    message: bytes


BOMBS = [
    b"\xdd\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\x91" * 5,
]
"""Lengths that promise more than there is (msgpack)."""


@st.composite
def inputs(draw: st.DrawFn, readers: Sequence[Reader]) -> tuple[Reader, bytes]:
    """A reader, and what it is given."""

    def some() -> Reader:
        return readers[draw(st.integers(0, len(readers) - 1))]

    reader = some()
    kind = draw(st.integers(0, 9))
    if kind == 0:
        return reader, draw(st.binary(max_size=300))
    data = bytearray((reader if kind < 8 else some()).message)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.integers(0, 5)):
            case 0:
                data[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case 1:
                del data[at : at + draw(st.integers(1, 64))]
            case 2:
                data[at:at] = draw(st.binary(min_size=1, max_size=16))
            case 3:
                data[at : at + 5] = draw(st.sampled_from(BOMBS))
            case 4:
                data[at:at] = data[at : at + draw(st.integers(1, 64))]
            case _:
                other = some().message
                data[at:] = other[draw(st.integers(0, len(other))) :]
    return reader, bytes(data)


def fuzz(readers: Sequence[Reader], count: int) -> dict[str, Counter[str]]:
    """`count` inputs; how many each reader ``read`` and ``refused``.

    Raises what a reader raised, with the smallest input that does it.
    """
    outcomes: dict[str, Counter[str]] = {reader.name: Counter() for reader in readers}

    def check(chosen: tuple[Reader, bytes]) -> None:
        reader, data = chosen
        began_s = time.monotonic()
        try:
            reader.read(data)
        except HomeswarmError:
            outcomes[reader.name]["refused"] += 1
        else:
            outcomes[reader.name]["read"] += 1
        assert time.monotonic() - began_s < TOO_SLOW_S

    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    settings(max_examples=count, deadline=None, database=None, suppress_health_check=quiet)(
        given(inputs(readers))(check)
    )()
    return outcomes


def all_readers() -> list[Reader]:
    from tests.bridge import fuzz as bridge
    from tests.membership import fuzz as membership
    from tests.node import fuzz as node

    return [*membership.readers(), *node.readers(), *bridge.readers()]


def main() -> int:
    parser = argparse.ArgumentParser(description="Give broken messages to all that reads from outside.")
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--into", type=Path, help="write what happened to this file as JSON")
    chosen = parser.parse_args()
    readers = all_readers()
    began_s = time.monotonic()
    outcomes = fuzz(readers, chosen.inputs)
    took_s = time.monotonic() - began_s
    document = {
        "kind": "fuzz",
        "inputs": sum(outcome.total() for outcome in outcomes.values()),
        "took_s": round(took_s),
        "python": platform.python_version(),
        "broken": 0,
        "readers": {name: dict(sorted(outcome.items())) for name, outcome in outcomes.items()},
    }
    if chosen.into is not None:
        chosen.into.parent.mkdir(parents=True, exist_ok=True)
        chosen.into.write_text(json.dumps(document, indent=1) + "\n")
    print(f"{document['inputs']} inputs to {len(readers)} readers in {took_s:.0f} s: none broke one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
