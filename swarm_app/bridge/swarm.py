"""This computer's place in the swarm: one p2pd, one DHT node, in the calling process's own loop.

hivemind runs its DHT in a forked process; here its `DHTNode` lives in the event loop of the process
that uses it. That saves a process, a fork of a process with threads, and a queue on every call.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import os
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hivemind.dht.node import DHTNode
from hivemind.p2p import P2P, PeerID
from hivemind.utils.multiaddr import Multiaddr

from swarm_app.bridge.gate import Gate
from swarm_app.bridge.guarded import GuardedP2P
from swarm_app.bridge.limits import P2PD_BYTES
from swarm_app.bridge.listening import multiaddresses, why_not
from swarm_app.bridge.seals import drop_records, keep_sealed
from swarm_app.bridge.sockets import socket_folder, with_sockets_in
from swarm_app.domain.errors import BadRequest

logger = logging.getLogger(__name__)

CONNECT_TIMEOUT_S = 5.0
"""One dial. p2pd itself gives up after 5 s."""

REJOIN_INTERVAL_S = 2.0
"""How often a node that knows nobody tries its bootstrap addresses again."""

MAX_INITIAL = 64
"""Multiaddresses that are kept to join by."""

PROOF_S = 0.5
"""After a wake or a move a peer that takes longer to answer is dialled anew."""

CLOSE_TIMEOUT_S = 1.0

DHT_WAIT_S = 2.0
"""A DHT call without an answer for this long is lost (hivemind's `wait_timeout`)."""


def quiet_libraries() -> None:
    """Keep hivemind's and petals' own log lines to errors: what matters is told in our words."""
    for name in ("hivemind", "petals"):
        library = logging.getLogger(name)
        library.setLevel(logging.ERROR)
        for handler in library.handlers:
            handler.setLevel(logging.ERROR)
    # As Petals has it: hivemind leaves calls that nobody waits for, and each that fails would be reported.
    logging.getLogger("asyncio").setLevel(logging.CRITICAL)


def parse_address(text: str) -> tuple[Any, Any]:
    """(PeerID, Multiaddr without the peer) of ``/ip4/…/tcp/…/p2p/…``; raises BadRequest."""
    try:
        address = Multiaddr(text)
        peer = PeerID.from_base58(address["p2p"])
        head, _, _ = text.rpartition("/p2p/")
        return peer, Multiaddr(head)
    except Exception as error:  # multiaddr and base58 raise a dozen kinds
        raise BadRequest(
            f"{text[:200]!r} is not the address of a peer.",
            remedy="An address looks like /ip4/192.168.1.20/tcp/41000/p2p/Qm…",
        ) from error


@dataclass(frozen=True, slots=True)
class Pong:
    """What a ping was answered with."""

    trip_s: float
    run: str
    """The peer's id in the DHT, which hivemind draws anew whenever its process starts."""


class Swarm:
    """A running p2pd with the DHT on it. Make one with `open`, end it with `close`."""

    def __init__(self, p2p: Any, dht: Any, initial_peers: list[str], gate: Gate | None = None) -> None:
        self.p2p = p2p
        self.dht = dht
        self.gate = gate
        """Of a private swarm; None in an open one, which asks nobody who they are."""
        self._initial_peers = initial_peers
        self._rejoining: asyncio.Task[None] | None = None
        self._dials: set[asyncio.Future[bool]] = set()

    @classmethod
    async def open(
        cls,
        *,
        identity_path: Path,
        initial_peers: Sequence[str] = (),
        listen_host: str = "127.0.0.1",
        listen_port: int = 0,
        serves: bool = True,
        gate: Gate | None = None,
    ) -> Swarm:
        """Start p2pd on `listen_host` and join by `initial_peers` (multiaddresses).

        Peers that do not answer are tried again in the background, so a swarm whose founder is away is
        joined when it is back. `serves=False` makes a client that stores nothing for others. With a `gate`
        nobody is dialled or answered before that is open. Raises PortInUse, SwarmUnavailable when p2pd does
        not start, BadRequest for a malformed address, and what opening the gate raises.
        """
        for text in initial_peers:
            parse_address(text)
        quiet_libraries()
        identity_path.parent.mkdir(parents=True, exist_ok=True)
        try:
            kind = with_sockets_in(socket_folder(identity_path), P2P if gate is None else GuardedP2P)
            p2p = await kind.create(
                identity_path=os.fspath(identity_path),
                host_maddrs=multiaddresses(listen_host, listen_port),
                dht_mode="server" if serves else "client",
                nat_port_map=False,
                auto_nat=False,
                use_relay=False,
                check_if_identity_free=False,
                persistent_conn_max_msg_size=P2PD_BYTES,
            )
        except Exception as error:  # P2PDaemonError, OSError and what the daemon's pipes raise
            raise why_not(error, listen_host, listen_port) from error
        swarm = cls(p2p, None, list(initial_peers), gate)
        try:
            if gate is not None:
                await p2p.guard(gate)
                await gate.open(p2p)
            await swarm._connect_initial()
            swarm.dht = await DHTNode.create(
                p2p=p2p,
                initial_peers=initial_peers or None,
                ensure_bootstrap_success=False,
                strict=False,
                wait_timeout=DHT_WAIT_S,
                bootstrap_timeout=0.3,
                client_mode=not serves,
                record_validator=None if gate is None else gate.seals,
                # A cached record is a peer that looks alive for longer than it is.
                cache_locally=False,
                cache_nearest=0,
                cache_on_store=False,
                # A sleeper is asked again soon: the default backoff doubles for minutes.
                blacklist_time=2.0,
                backoff_rate=1.0,
            )
            if gate is not None:
                keep_sealed(swarm.dht, gate.seals)
                gate.changed = functools.partial(drop_records, swarm.dht, gate.seals)
        except BaseException:
            await swarm.close()
            raise
        swarm._rejoining = asyncio.create_task(swarm._rejoin())
        if gate is not None:
            gate.met = swarm.meet
            swarm.meet(gate.told)
        return swarm

    @property
    def peer_id(self) -> str:
        """This process's libp2p id, base58."""
        return str(self.p2p.peer_id.to_base58())

    async def addresses(self) -> list[str]:
        """Multiaddresses, with the peer id, under which others reach this process."""
        return [str(address) for address in await self.p2p.get_visible_maddrs(latest=True)]

    async def addresses_at(self, hosts: Sequence[str] | None) -> list[str]:
        """The same with these IP addresses in place of those that p2pd found; None takes p2pd's.

        p2pd knows every interface of this computer, those of containers and VPNs too, and notices late that
        one has changed.
        """
        found = await self.addresses()
        if hosts is None:
            return found
        ports = dict.fromkeys(m[1] for text in found if (m := re.search(r"/tcp/([0-9]+)/", text)))
        return [
            f"/{'ip6' if ':' in host else 'ip4'}/{host}/tcp/{port}/p2p/{self.peer_id}"
            for port in ports
            for host in hosts
        ]

    async def connect(self, address: str) -> bool:
        """Dial one multiaddress; False when it does not answer in CONNECT_TIMEOUT_S."""
        peer, where = parse_address(address)
        if peer == self.p2p.peer_id:
            return False
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await self.p2p._client.connect(peer, [where])
        except Exception as error:  # noqa: BLE001 - ControlFailure, timeouts, a daemon going down
            logger.debug("dialling %s failed: %s", address, error)
            return False
        return True

    def meet(self, addresses: Sequence[str]) -> None:
        """Get to know the processes at these multiaddresses, beside whatever else goes on; malformed ones
        are left out.

        A swarm is found through its first peers. Computers that started without any, at the same moment,
        are a swarm each until they are told of each other.
        """
        fresh = []
        for address in addresses:
            with contextlib.suppress(BadRequest):
                peer, _ = parse_address(address)
                if peer != self.p2p.peer_id and address not in self._initial_peers:
                    fresh.append(address)
        self._initial_peers = [*fresh, *self._initial_peers][:MAX_INITIAL]
        for address in fresh:
            dial = asyncio.ensure_future(self._introduce(address))
            self._dials.add(dial)
            dial.add_done_callback(self._dials.discard)

    async def _introduce(self, address: str) -> bool:
        """Dial, and ask once, so that the DHT of each side knows the other."""
        found = await self.connect(address)
        if found:
            await self.ping(str(parse_address(address)[0].to_base58()))
        else:
            # To be dialled again when it is told of again.
            self._initial_peers = [one for one in self._initial_peers if one != address]
        return found

    async def reconnect(self, peer_id: str, addresses: Sequence[str]) -> bool:
        """Drop what connection there is to a peer and dial it anew at its present addresses, all at once.

        After a peer has moved, the old connection looks alive to p2pd for half a minute. The addresses are
        tried together: a dead one (an IPv6 that leads nowhere) delays nobody. True when one answers.
        """
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await self.p2p._client.disconnect(PeerID.from_base58(peer_id))
        return any(await asyncio.gather(*(self.connect(address) for address in addresses)))

    async def rejoin(self) -> None:
        """After a wake or a move: dial anew whoever does not answer, and the bootstrap addresses.

        Whatever was thought of them before. Sessions over connections that still work go on.
        """
        self.dht.blacklist.clear()
        with contextlib.suppress(Exception):  # a daemon going down
            peers = {str(peer.peer_id.to_base58()) for peer in await self.p2p.list_peers()}
            await asyncio.gather(*(self._prove(peer) for peer in peers))
        if self._initial_peers:
            await self._connect_initial()

    async def _prove(self, peer_id: str) -> None:
        asked_s = time.monotonic()
        answered = await self.ping(peer_id, PROOF_S)
        # A refusal proves the connection as well as an answer does, and comes at once.
        if answered is None and time.monotonic() - asked_s >= PROOF_S / 2:
            await self._dial_anew(peer_id)

    async def unstick(self, peer_id: str) -> bool:
        """Where a peer that does not answer has dialled us anew, drop the connection that it has left behind.

        p2pd keeps using that one for half a minute. True when there was one and the peer has been reached.
        """
        with contextlib.suppress(Exception):  # a daemon going down
            peers = [str(peer.peer_id.to_base58()) for peer in await self.p2p.list_peers()]
            return peers.count(peer_id) > 1 and await self._dial_anew(peer_id)
        return False

    async def _dial_anew(self, peer_id: str) -> bool:
        """Drop every connection to a peer and dial the addresses that p2pd knows of it."""
        peer = PeerID.from_base58(peer_id)
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT_S):
                await self.p2p._client.disconnect(peer)
                await self.p2p._client.connect(peer, [])
        except Exception as error:  # noqa: BLE001 - ControlFailure, timeouts, a daemon going down
            logger.debug("dialling %s anew failed: %s", peer_id, error)
            return False
        return True

    async def ping(self, peer_id: str, timeout_s: float = 2.0) -> Pong | None:
        """One small DHT call; None when there is no answer in time."""
        started = time.monotonic()
        try:
            async with asyncio.timeout(timeout_s):
                peer = PeerID.from_base58(peer_id)
                answered = await self.dht.protocol.call_ping(peer, strict=False)
        except Exception:  # noqa: BLE001 - whatever the daemon says, the peer did not answer
            return None
        return None if answered is None else Pong(time.monotonic() - started, answered.to_bytes().hex())

    @property
    def alive(self) -> bool:
        """False once p2pd is gone: nothing that goes through this swarm works any more."""
        return self.p2p._child.returncode is None

    async def ended(self) -> None:
        """Wait until p2pd is gone, for whatever reason."""
        await self.p2p._child.wait()

    async def close(self) -> None:
        """Leave: stop the DHT node and p2pd. Left to interpreter exit they print errors.

        Bounded: with a p2pd that is gone or stuck, hivemind would wait for its answer for ever.
        """
        pending: list[asyncio.Future[Any]] = list(self._dials)
        if self._rejoining is not None:
            pending.append(self._rejoining)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        if self.gate is not None:
            await self.gate.close()
        with contextlib.suppress(Exception):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                if self.dht is not None and self.alive:
                    await self.dht.shutdown()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT_S):
                await self.p2p.shutdown()
        if self.alive:
            self.p2p._child.kill()
            await self.ended()

    async def _connect_initial(self) -> None:
        """Dial all bootstrap addresses at once; go on with the first that answers, or when none does.

        One remembered peer that is off must not cost a start the 5 s of its dial.
        """
        dials = [asyncio.ensure_future(self.connect(address)) for address in self._initial_peers]
        self._dials.update(dials)
        for dial in dials:
            dial.add_done_callback(self._dials.discard)
        for first in asyncio.as_completed(dials):
            if await first:
                return

    async def _rejoin(self) -> None:
        while True:
            await asyncio.sleep(REJOIN_INTERVAL_S)
            if self._initial_peers and not self.dht.protocol.routing_table.peer_id_to_uid:
                await self._connect_initial()
                for address in self._initial_peers:
                    await self.ping(str(parse_address(address)[0].to_base58()))
