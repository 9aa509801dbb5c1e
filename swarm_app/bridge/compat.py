"""Petals 2.2 beside a current hivemind and a current transformers.

Petals 2.2.0 was released against hivemind 1.1.10 and transformers 4.34. What has moved since then is put
back where it looks for it, before its first import: names that hivemind no longer exports at top
level, and one function that transformers dropped. And hivemind's calls to p2pd close their connection when
they fail, which they forgot. Nothing of either library is changed beyond that.
"""

from __future__ import annotations

import asyncio
import functools
import importlib
import os
import sys
import types
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Any

from swarm_app import lean

_HIVEMIND_HOMES = (
    "hivemind.p2p",
    "hivemind.p2p.p2p_daemon",
    "hivemind.p2p.p2p_daemon_bindings.control",
    "hivemind.compression",
    "hivemind.compression.serialization",
    "hivemind.dht",
    "hivemind.dht.node",
    "hivemind.moe.client.remote_expert_worker",
    "hivemind.moe.expert_uid",
    "hivemind.moe.server.runtime",
    "hivemind.moe.server.task_pool",
    "hivemind.utils.asyncio",
    "hivemind.utils.logging",
    "hivemind.utils.mpfuture",
    "hivemind.utils.multiaddr",
    "hivemind.utils.nested",
    "hivemind.utils.networking",
    "hivemind.utils.serializer",
    "hivemind.utils.streaming",
    "hivemind.utils.tensor_descr",
    "hivemind.utils.timed_storage",
    "hivemind.utils",
)
"""Submodules of hivemind 1.1.12 that hold what 1.1.10 exported from the top."""


def _finder(package: types.ModuleType) -> None:
    def find(name: str) -> Any:
        if not name.startswith("__") and f"{package.__name__}.{name}" not in sys.modules:
            for home in _HIVEMIND_HOMES:
                module = importlib.import_module(home)
                if name in vars(module):
                    return vars(module)[name]
        raise AttributeError(f"module {package.__name__!r} has no attribute {name!r}")

    vars(package)["__getattr__"] = find


_opened: ContextVar[list[asyncio.StreamWriter] | None] = ContextVar("connections to p2pd", default=None)


def _closing(call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """A call to p2pd that closes what it has opened when p2pd refuses, or when it is given up.

    A peer that cannot be reached, or does not offer an RPC, would cost a socket each time.
    """

    @functools.wraps(call)
    async def closing(*args: Any, **named: Any) -> Any:
        opened: list[asyncio.StreamWriter] = []
        outer = _opened.set(opened)
        try:
            return await call(*args, **named)
        except BaseException:
            for writer in opened:
                writer.close()
            raise
        finally:
            _opened.reset(outer)

    return closing


def _close_what_fails() -> None:
    from hivemind.p2p.p2p_daemon_bindings.control import ControlClient, DaemonConnector

    if hasattr(DaemonConnector.open_connection, "__wrapped__"):
        return
    connect = DaemonConnector.open_connection

    @functools.wraps(connect)
    async def open_connection(self: Any) -> Any:
        reader, writer = await connect(self)
        if (opened := _opened.get()) is not None:
            opened.append(writer)
        return reader, writer

    DaemonConnector.open_connection = open_connection
    for name in ("identify", "connect", "disconnect", "list_peers", "stream_open", "stream_handler"):
        setattr(ControlClient, name, _closing(getattr(ControlClient, name)))


def install() -> None:
    """Make ``import petals`` work. Safe to call twice; call it before the first import of petals."""
    lean.install()
    os.environ.setdefault("PETALS_IGNORE_DEPENDENCY_VERSION", "1")
    import hivemind
    import hivemind.utils
    import transformers.utils

    for package in (hivemind, hivemind.utils):
        if "__getattr__" not in vars(package):
            _finder(package)
    _close_what_fails()
    if not hasattr(transformers.utils, "get_file_from_repo"):

        def get_file_from_repo(*_: Any, **__: Any) -> None:
            """Petals looks files up on a hub with this; Homeswarm never lets it."""
            raise RuntimeError("Homeswarm loads models from its own store")

        transformers.utils.get_file_from_repo = get_file_from_repo


def installed() -> bool:
    """Whether petals has been imported in this process."""
    return "petals" in sys.modules
