"""The node as a process: profile, lock, local API, children, signals, and the way out."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

import uvicorn

import swarm_app
from swarm_app.config import apifile, choicefile, peersfile, tokenfile
from swarm_app.config.apifile import ApiAddress
from swarm_app.config.options import NodeOptions
from swarm_app.config.paths import ProfilePaths
from swarm_app.domain.clock import SystemClock
from swarm_app.domain.errors import ModelNotFound, PortInUse
from swarm_app.host import allowance
from swarm_app.localapi import server as localapi
from swarm_app.node.chats import Conversations
from swarm_app.node.children import Kind
from swarm_app.node.diary import sentence
from swarm_app.node.events import BelongingChanged, ChatsChanged, ChatsPutAside, Event, SwarmExpected
from swarm_app.node.keeper import ChildCommands, Keeper, own_commands
from swarm_app.node.leftovers import end_leftovers, record
from swarm_app.node.lock import ProfileLock
from swarm_app.node.memory import Memory
from swarm_app.node.politely import Politely
from swarm_app.node.starting import find_local, find_model, plan_of, use_local
from swarm_app.node.state import (
    Belongs,
    LocalModel,
    ModelInfo,
    NodeInfo,
    Standing,
    State,
    first_state,
)
from swarm_app.node.store import Store
from swarm_app.node.wiring import NodeHost

if TYPE_CHECKING:
    from swarm_app.childproto import Message
    from swarm_app.localapi.memberships import Memberships
    from swarm_app.node.private import PrivateSwarm
    from swarm_app.node.watching import MakeWatchers

log = logging.getLogger("homeswarm.node")

LAST_WATCH_S = 2.0
"""For the watchers to give back what they hold of the system; what is left ends with the process."""

LAST_REPLIES_S = 2
"""For replies that are under way when the node ends."""


def run(
    options: NodeOptions,
    *,
    child_commands: ChildCommands | None = None,
    watchers: MakeWatchers | None = None,
    until_stdin_closes: bool = False,
) -> int:
    """Run a node until SIGINT, SIGTERM, SIGHUP or a shutdown over the local API; returns the exit code.

    With `until_stdin_closes` the end of standard input stops it too: the kernel closes that even when the
    process that started this one is killed. `child_commands` replaces the programs that are started as
    children, `watchers` what is known of power and network (for tests). Raises ModelNotFound, BadRequest,
    NodeAlreadyRunning, PortInUse, ProfileUnusable, each before anything is started.
    """
    _log_to_stderr()
    paths = ProfilePaths(options.profile)
    model = find_model(options)
    local = find_local(options, paths)
    if not model.there and local is None:
        raise ModelNotFound(
            f"There is no model in {options.models}, and no local one either.",
            remedy="Import one with: homeswarm model import (to share it), or: homeswarm local import",
        )
    paths.create()
    with ProfileLock(paths.lock_file):
        for pid in end_leftovers(paths.children_file):
            log.info("ended process group %d, which an earlier node had left behind", pid)
        with contextlib.closing(_bind(options.port)) as listener:
            commands = child_commands or own_commands()
            return asyncio.run(
                _serve(options, paths, model, local, listener, commands, watchers, until_stdin_closes)
            )


def _bind(port: int) -> socket.socket:
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
    except OSError as error:
        listener.close()
        raise PortInUse(
            f"The local API cannot have port {port}: {error.strerror}.",
            remedy="Choose another with --port, or 0 for any.",
        ) from None
    return listener


class _Server(uvicorn.Server):
    """uvicorn without its own signal handlers, which says when it listens."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.listening = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()


async def _serve(
    options: NodeOptions,
    paths: ProfilePaths,
    model: ModelInfo,
    local: LocalModel | None,
    listener: socket.socket,
    commands: ChildCommands,
    make_watchers: MakeWatchers | None,
    until_stdin_closes: bool,
) -> int:
    port = listener.getsockname()[1]

    def write_address(token: str) -> None:
        tokenfile.write(paths.token_file, token)
        apifile.write(paths.api_file, ApiAddress(f"http://127.0.0.1:{port}", token, os.getpid()))

    # One that did not end in order has left its address: whoever has that port since may have been shown the
    # token by a client.
    kept = "" if paths.api_file.exists() else tokenfile.read(paths.token_file)
    token = kept or localapi.new_token()
    limited = allowance.limited()
    info = NodeInfo(options.name, swarm_app.__version__, os.getpid(), time.time(), str(paths.root), limited)
    remembered = peersfile.read(paths.peers_file)
    alone = options.open and not options.join and not remembered.peers
    wanted = plan_of(options, model, paths, alone=alone, processors=limited.processors)
    choice = choicefile.read(paths.choice_file)
    store = Store(first_state(info, model, wanted, remembered.peers, remembered.port, local, choice))
    store.watch(_tell)
    private = _private(options, paths, store, lambda kind, message: keeper.send(kind, message))
    politely = Politely(store, paths.choice_file)
    # The keeper needs to know whom to tell, the host whom to send to: the host is made first.
    host = NodeHost(
        store,
        lambda message: keeper.send_to_engine(message),
        lambda message: keeper.send_to_local(message),
        functools.partial(use_local, options, paths),
        politely.look,
    )
    keeper = Keeper(
        store,
        commands,
        paths.root,
        host.engine_said,
        host.engine_lost,
        lambda groups: record(paths.children_file, groups),
        private.child_said if private is not None else lambda kind, message: None,
        on_local_lost=host.local_lost,
    )
    chats = Conversations(
        paths.history_file,
        host,
        lambda: store.state.model.name,
        options.context_tokens,
        lambda running: store.apply(ChatsChanged(running)),
        lambda path: store.apply(ChatsPutAside(str(path))),
    )
    web = _Server(
        uvicorn.Config(
            localapi.build(host, token, port, chats, _memberships(store, private), write_address),
            http="h11",
            ws="none",
            lifespan="off",
            loop="none",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            server_header=False,
            timeout_graceful_shutdown=LAST_REPLIES_S,
        )
    )
    _on_signals(host, keeper)
    if until_stdin_closes:
        _on_end_of_stdin(host)
    serving = asyncio.create_task(web.serve(sockets=[listener]))
    listening = asyncio.create_task(web.listening.wait())
    await asyncio.wait({serving, listening}, return_when=asyncio.FIRST_COMPLETED)
    listening.cancel()
    write_address(token)
    log.info("%s: local API at http://127.0.0.1:%d, profile %s", options.name, port, paths.root)
    keeping = asyncio.create_task(keeper.run())
    aside = [
        asyncio.create_task(_watch(store, make_watchers)),
        asyncio.create_task(politely.run()),
        asyncio.create_task(Memory(store, paths.peers_file, remembered).run()),
    ]
    if private is not None:
        aside.append(asyncio.create_task(private.run()))
    for task in aside:
        task.add_done_callback(_report_end)
    try:
        await asyncio.wait({serving, keeping}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        host.stop("the node ends")
        try:
            await keeping
        finally:
            keeper.kill()
            await chats.close()
            paths.api_file.unlink(missing_ok=True)
            paths.children_file.unlink(missing_ok=True)
            web.should_exit = True
            await serving
            await _end(aside)
    return 0


def _private(
    options: NodeOptions, paths: ProfilePaths, store: Store, send: Callable[[Kind, Message], None]
) -> PrivateSwarm | None:
    """The private swarm of this profile; None where an open one is wanted."""
    if options.open:
        return None
    # Not loaded for an open swarm: keys and TLS cost a start some 50 ms.
    from swarm_app.membership.vault import open_vault
    from swarm_app.node.private import PrivateSwarm

    store.apply(BelongingChanged(Belongs(standing=Standing.CHECKING)))
    store.apply(SwarmExpected(time.monotonic()))
    return PrivateSwarm(
        store,
        open_vault(options.secrets, paths.secrets_file),
        SystemClock(),
        file=paths.swarm_file,
        door_port=options.door_port,
        nearby=options.nearby == "yes",
        send=send,
    )


def _memberships(store: Store, private: PrivateSwarm | None) -> Memberships | None:
    if private is None:
        return None
    from swarm_app.node.membershipapi import MembershipApi

    return MembershipApi(store, private, SystemClock())


async def _watch(store: Store, make_watchers: MakeWatchers | None) -> None:
    # Loading it takes a moment, for which neither the children nor the first request have to wait.
    await asyncio.to_thread(_load_watching)
    from swarm_app.node.watching import Watching, own_watchers

    await Watching(store, (make_watchers or own_watchers)()).run()


def _load_watching() -> None:
    import swarm_app.node.watching  # noqa: F401


async def _end(tasks: Sequence[asyncio.Task[None]]) -> None:
    """They end by themselves when the node stops; the system's services may take their time to answer."""
    await asyncio.wait(tasks, timeout=LAST_WATCH_S)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _report_end(task: asyncio.Task[None]) -> None:
    """What runs aside is a help and not the work: the node goes on without it, and says so."""
    if not task.cancelled() and (error := task.exception()) is not None:
        log.error("a part of the node ended by an error of our own", exc_info=error)


def _on_signals(host: NodeHost, keeper: Keeper) -> None:
    """The first signal stops gently, a second one of them at once."""
    loop = asyncio.get_running_loop()
    asked = 0

    def stop(number: signal.Signals) -> None:
        nonlocal asked
        asked += 1
        if asked > 1:
            keeper.kill()
        host.stop(number.name)

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        loop.add_signal_handler(number, stop, number)


def _on_end_of_stdin(host: NodeHost) -> None:
    """Stop when standard input ends. A thread, because any kind of file can be standard input."""
    loop = asyncio.get_running_loop()

    def wait() -> None:
        with contextlib.suppress(OSError):
            while os.read(0, 4096):
                pass
        with contextlib.suppress(RuntimeError):  # the loop is closed: the node ends already
            loop.call_soon_threadsafe(host.stop, "standard input has ended")

    threading.Thread(target=wait, name="stdin", daemon=True).start()


def _tell(before: State, after: State, event: Event) -> None:
    if line := sentence(before, after, event):
        log.info("%s", line)


def _log_to_stderr() -> None:
    """Plain lines for whoever watches the terminal; libraries only from warnings up."""
    root = logging.getLogger()
    if not root.handlers:
        handler = logging.StreamHandler(sys.stderr)
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s", "%H:%M:%S"))
        root.addHandler(handler)
    logging.getLogger("homeswarm").setLevel(logging.INFO)
