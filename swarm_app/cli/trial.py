"""Loading a model once, in a process of its own, before it is believed to work.

llama.cpp can only be asked by loading: what a file claims may be well-formed and still no model, and a
damaged one may crash it. The process is the one that answers later, bounded in time and memory, and it ends
with the trial. State owned: that process. Callers: ``homeswarm local import``.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import IO

from swarm_app.childproto import (
    FROM_CHILD,
    HEADER_BYTES,
    Failed,
    Message,
    Ready,
    StartLocal,
    body_length,
    decode,
    encode,
)
from swarm_app.config.program import own_command
from swarm_app.domain.errors import LocalFailed, ModelDamaged, ProtocolViolation, from_wire

PATIENCE_S = 120.0
SLOWEST_BYTES_PER_S = 20_000_000
"""A trial may take PATIENCE_S, and what a slow disk needs to read the file twice."""

CONTEXT_TOKENS = 256
"""Enough for one word; a conversation's cache is checked when one is wanted."""

ADDRESSES_BYTES = 8 << 30
"""Address space beside three times the file (it is mapped, and copied in another layout)."""


def try_out(path: Path, name: str, size: int, program: Sequence[str] = ()) -> None:
    """Load the model whose first file is `path`, of `size` bytes in all, and compute one token.

    Raises ModelUnsupported, ModelDamaged, ModelIncomplete, MemoryShort in numbers, or LocalFailed where
    it took too long. `program` replaces this very program (for tests).
    """
    from swarm_app.host.allowance import limited

    patience_s = PATIENCE_S + 2 * size / SLOWEST_BYTES_PER_S
    late = threading.Event()
    process = subprocess.Popen(
        [*(program or own_command("_local"))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )

    def give_up() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(patience_s, give_up)
    timer.daemon = True
    timer.start()
    try:
        _bound(process.pid, 3 * size + ADDRESSES_BYTES)
        threads = limited().processors
        start = StartLocal(str(path), name, CONTEXT_TOKENS, threads, slots=1, warm_up=True, check=True)
        last = _talk(process, start)
    finally:
        timer.cancel()
        process.kill()
        code = process.wait()
        for pipe in (process.stdin, process.stdout):
            with contextlib.suppress(OSError):
                assert pipe is not None
                pipe.close()
    match last:
        case Ready():
            return
        case Failed():
            raise from_wire(last.code, last.message, last.remedy)
        case _ if late.is_set():
            raise LocalFailed(
                f"{path.name} was not loaded within {patience_s:.0f} s.",
                remedy="Close other programs, or choose a smaller model.",
            )
        case _:
            raise ModelDamaged(
                f"{path.name} makes llama.cpp crash when it is loaded ({_how(code)}).",
                remedy="Download or copy it again; where that does not help, choose another model.",
            )


def _talk(process: subprocess.Popen[bytes], first: Message) -> Message | None:
    """Send the first frame and read until the child is ready or says what is wrong; None when it ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    with contextlib.suppress(OSError):  # it died already; its end says so
        process.stdin.write(encode(first))
        process.stdin.flush()
    with contextlib.suppress(ProtocolViolation):  # cut off in a frame by its death
        while (message := _read(process.stdout)) is not None:
            if isinstance(message, Ready | Failed):
                return message
    return None


def _read(pipe: IO[bytes]) -> Message | None:
    header = pipe.read(HEADER_BYTES)
    if len(header) < HEADER_BYTES:
        return None
    return decode(pipe.read(body_length(header)), dict(FROM_CHILD))


def _bound(pid: int, address_bytes: int) -> None:
    """Keep a damaged file from taking all of the computer's memory, where the system can."""
    try:
        from resource import RLIMIT_AS, prlimit
    except ImportError:  # only Linux sets another process's limits
        return
    with contextlib.suppress(OSError, ValueError):
        prlimit(pid, RLIMIT_AS, (address_bytes, address_bytes))


def _how(code: int) -> str:
    if code < 0 and os.name == "posix":
        with contextlib.suppress(ValueError):
            return f"signal {signal.Signals(-code).name}"
    return f"exit code {code}"
