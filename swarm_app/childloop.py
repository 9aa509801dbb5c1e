"""How a child that talks to peers runs: its event loop, how its threads wait, and how they round.

Purpose: the settings that both kinds of child share, made before anything heavy is imported. State owned:
none. Callers: the entry points of `engines` and `blocks`.
"""

from __future__ import annotations

import asyncio
import importlib
import os

from swarm_app import lean

SPINS = "3000"
"""About 0.1 ms of waiting for the next parallel region: longer than the gaps within a step, far shorter than
those between steps. libgomp's own default spins for some 8 ms, on a processor that the next peer of the
same computer, or a person, could have used."""

REPRODUCIBLE = "AUTO,STRICT"
"""Intel MKL's mode of conditional numerical reproducibility: the same bits for any number of threads and any
alignment of buffers (oneMKL developer guide, "Obtaining Numerically Reproducible Results"). An answer that
moves to another peer goes on with the same tokens only if the replayed cache is the same."""


def prepare() -> None:
    """Settle this process for the libraries to come. What the user has set in the environment stays."""
    lean.install()
    if "OMP_WAIT_POLICY" not in os.environ:
        os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
    os.environ.setdefault("MKL_CBWR", REPRODUCIBLE)


def new_event_loop() -> asyncio.AbstractEventLoop:
    """uvloop's, which takes half the time per frame of a hop; asyncio's own where there is none (Windows)."""
    try:
        uvloop = importlib.import_module("uvloop")
    except ImportError:
        return asyncio.new_event_loop()
    loop: asyncio.AbstractEventLoop = uvloop.new_event_loop()
    return loop
