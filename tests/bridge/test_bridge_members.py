"""Members of a private swarm: sessions, records, limits, and what a removal ends. Real p2pds on loopback."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import os
import signal
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import torch
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.routing import DHTID
from hivemind.dht.storage import DictionaryDHTValue
from hivemind.p2p import P2P, PeerID, ServicerBase
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import dht_pb2, runtime_pb2
from hivemind.utils.serializer import MSGPackSerializer
from hivemind.utils.timed_storage import get_dht_time

from swarm_app.blocks.compute import ComputeThread
from swarm_app.blocks.host import Host
from swarm_app.bridge import gate, limits
from swarm_app.bridge.limits import Bucket, PeerLimit
from swarm_app.bridge.records import ROLL_KEY, announce, read_roll
from swarm_app.bridge.refusals import refusal_in
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.bridge.stream import SpanStream
from swarm_app.bridge.swarm import Swarm
from swarm_app.domain.span import Span
from swarm_app.membership.certificates import Role
from swarm_app.membership.errors import ClockWrong, Expired, Removed
from tests.bridge.members import Process, SkewedClock, opened
from tests.bridge.test_bridge_swarm import (
    PREFIX,
    REPOSITORY,
    WHOLE,
    load,
    record_of,
    until,
)
from tests.families import HIDDEN_SIZE, NUM_BLOCKS
from tests.membership.swarms import TinySwarm

ONE = Span(0, 1)


class Home:
    """A private swarm on loopback; ends with its stack."""

    def __init__(self, folder: Path, stack: contextlib.AsyncExitStack) -> None:
        self.tiny = TinySwarm(time.time())
        self.processes: dict[str, Process] = {}
        self.swarms: dict[str, Swarm] = {}
        self.hosts: dict[str, Host] = {}
        self._folder = folder
        self._stack = stack

    async def join(self, name: str, role: Role = Role.MEMBER, *, serves: bool = True) -> Swarm:
        """A process of the device of that name, made a member where it is none yet."""
        device = self.tiny.devices.get(name) or self.tiny.add(name, role)
        process = self.processes[name] = Process(self.tiny, device)
        peers = [address for swarm in self.swarms.values() for address in await swarm.addresses()]
        swarm = await self._stack.enter_async_context(opened(self._folder, process, peers, serves=serves))
        self.swarms[name] = swarm
        return swarm

    async def serve(self, name: str, span: Span = ONE) -> Swarm:
        """As `join`, with blocks."""
        swarm = await self.join(name)
        host = self.hosts[name] = Host(
            load(span), name=name, cache_tokens=256, compute=ComputeThread(1), on_change=lambda: None
        )
        self._stack.callback(host.close)
        handler = TransformerConnectionHandler(
            swarm, host, prefix=PREFIX, version="test", step_timeout_s=30.0
        )
        await handler.serve()
        assert await announce(swarm, record_of(swarm, span, name="?"), version="test", dtype="float32")
        return swarm

    def remove(self, victim: str, told: str) -> None:
        """`told` hears from its node that `victim` is out."""
        tiny = self.tiny
        tiny.members = tiny.remove(tiny.members, tiny.desk, tiny.devices[victim])
        self.processes[told].gate.renew(self.processes[told].credentials())

    def stream(self, caller: str, server: str, span: Span = ONE) -> SpanStream:
        return SpanStream(
            self.swarms[caller],
            self.swarms[server].peer_id,
            server,
            PREFIX,
            span,
            hidden_size=HIDDEN_SIZE,
            max_tokens=32,
        )


@pytest.fixture
async def home(tmp_path: Path) -> AsyncIterator[Home]:
    async with contextlib.AsyncExitStack() as stack:
        yield Home(tmp_path, stack)


async def step(stream: SpanStream, number: int = 0) -> None:
    stream.send(torch.zeros(1, 1, HIDDEN_SIZE), f"step {number}")
    assert (await stream.receive(5.0)).hidden.shape == (1, 1, HIDDEN_SIZE)


async def test_a_removal_ends_sessions_everywhere_at_once(home: Home) -> None:
    """Of four, one is removed in the middle of its sessions with the others; only one of them is told."""
    servers = ["desk", "attic", "cellar"]
    for name in servers:
        await home.serve(name)
    await home.join("laptop", serves=False)
    streams = {name: home.stream("laptop", name) for name in servers}
    for stream in streams.values():
        await stream.open(5.0)
        await step(stream)
    # attic and cellar know each other and desk: they have been on one DHT.
    began_s = time.monotonic()
    home.remove("laptop", told="desk")
    for name, stream in streams.items():
        with pytest.raises(Removed, match=f"{name}: laptop was removed from the swarm"):
            await stream.receive(2.0)
        assert home.hosts[name].budget.sessions == 0
    assert time.monotonic() - began_s < 2.0
    laptop = home.processes["laptop"]
    await until(lambda: bool(laptop.heard), 2.0)
    assert laptop.heard[0] == home.tiny.members.current, "its own node hears it, with the proof"
    for name in servers:
        again = home.stream("laptop", name)
        with pytest.raises(Removed, match="laptop was removed"):
            await again.open(5.0)
        await again.close()
        await streams[name].close()
        assert home.hosts[name].budget.used == 0
    for name in ("attic", "cellar"):
        assert home.processes[name].heard[-1] == home.tiny.members.current


async def test_a_removed_server_is_left_and_forgotten(home: Home) -> None:
    await home.serve("desk")
    await home.serve("attic")
    laptop = await home.join("laptop", serves=False)
    attic, gates = home.swarms["attic"].peer_id, home.processes["laptop"].gate
    roll = await read_roll(laptop)
    assert roll is not None
    assert [record.name for record in roll.servers] == ["attic", "desk"], "as the list of members calls them"
    stream = home.stream("laptop", "attic")
    await stream.open(5.0)
    home.remove("attic", told="laptop")
    with pytest.raises(Removed, match=r"^attic was removed from the swarm\. "):
        await stream.receive(2.0)
    await stream.close()
    assert gates.barred(attic) == "attic was removed from the swarm"
    assert gates.barred(home.swarms["desk"].peer_id) == ""
    # desk hears it from laptop, and keeps no record of attic any more.
    await until(lambda: bool(home.processes["desk"].gate.barred(attic)), 2.0)
    roll = await read_roll(laptop)
    assert roll is not None
    assert [record.name for record in roll.servers] == ["desk"]
    assert await home.swarms["desk"].ping(attic) is None


async def test_who_was_away_hears_of_a_removal_at_its_first_contact(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "MEET_S", 0.2)
    desk, attic = await home.serve("desk"), await home.join("attic")
    home.tiny.add("laptop")
    os.kill(attic.p2p._child.pid, signal.SIGSTOP)
    home.remove("laptop", told="desk")
    await until(lambda: not home.processes["desk"].gate._meetings)
    assert home.processes["attic"].heard == []
    os.kill(attic.p2p._child.pid, signal.SIGCONT)
    assert await attic.ping(desk.peer_id) is not None
    await until(lambda: bool(home.processes["attic"].heard), 2.0)
    assert home.processes["attic"].heard[-1] == home.tiny.members.current


def dht_stub(swarm: Swarm, peer: str) -> Any:
    """hivemind's stub for another node of the DHT."""
    return ServicerBase.get_stub.__func__(DHTProtocol, swarm.p2p, PeerID.from_base58(peer))


async def store_at(caller: Swarm, keeper: Swarm, subkey: object, value: bytes, expires_s: float) -> bool:
    """Ask `keeper` to keep a record in the roll, as hivemind's own protocol asks."""
    stored = await dht_stub(caller, keeper.peer_id).rpc_store(
        dht_pb2.StoreRequest(
            keys=[DHTID.generate(source=ROLL_KEY).to_bytes()],
            subkeys=[MSGPackSerializer.dumps(subkey)],
            values=[value],
            expiration_time=[expires_s],
            in_cache=[False],
        ),
        timeout=5,
    )
    (answer,) = stored.store_ok
    return bool(answer)


async def test_a_member_speaks_for_itself_alone(home: Home) -> None:
    desk = await home.serve("desk")
    attic = await home.join("attic")
    guest = await home.join("visitor", Role.GUEST, serves=False)
    key = DHTID.generate(source=ROLL_KEY)
    kept = desk.dht.protocol.storage.get(key).value.get(desk.peer_id)
    expires_s = get_dht_time() + 20

    def sealed(process: str, subkey: str, key_name: str = ROLL_KEY, until_s: float = expires_s) -> bytes:
        purpose = f"{DHTID.generate(source=key_name).to_bytes().hex()} {subkey} {until_s.hex()}"
        return home.processes[process].identity.seal(MSGPackSerializer.dumps("x"), purpose)

    mine, theirs = attic.peer_id, desk.peer_id
    assert await store_at(attic, desk, mine, sealed("attic", mine), expires_s)
    refused = {
        "another's subkey": (attic, theirs, sealed("attic", theirs), expires_s),
        "another's record again, for longer": (attic, theirs, kept.value, kept.expiration_time + 5),
        "another's record as one's own": (attic, mine, kept.value, kept.expiration_time),
        "a record for another key": (attic, mine, sealed("attic", mine, "elsewhere"), expires_s),
        "for another time": (attic, mine, sealed("attic", mine), expires_s + 5),
        "for ever": (attic, mine, sealed("attic", mine, until_s=expires_s + 1e6), expires_s + 1e6),
        "without a seal": (attic, mine, MSGPackSerializer.dumps("x"), expires_s + 1),
        "without a subkey": (attic, None, sealed("attic", mine), expires_s),
        "a subkey that is no text": (attic, [mine], sealed("attic", mine), expires_s),
        "a guest's": (guest, guest.peer_id, sealed("visitor", guest.peer_id), expires_s),
    }
    for what, (caller, subkey, value, until_s) in refused.items():
        assert not await store_at(caller, desk, subkey, value, until_s), what
    (held,) = [desk.dht.protocol.storage.get(key).value]
    assert {subkey for subkey, _ in held.items()} == {mine, theirs}
    assert held.get(theirs) == kept
    # A keeper that lies: its reader takes what is true, and nothing else.
    lying = DictionaryDHTValue()
    lying.store(theirs, kept.value, kept.expiration_time)
    lying.store(guest.peer_id, kept.value, kept.expiration_time)
    assert attic.dht.protocol._validate_dictionary(key.to_bytes(), lying)
    assert [subkey for subkey, _ in lying.items()] == [theirs]
    # A record of ours under another's name is not even made.
    with pytest.raises(ValueError, match="of our own"):
        await attic.dht.store(ROLL_KEY, "x", expires_s, subkey=theirs)


async def test_one_peers_share_is_bounded(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = await home.serve("desk")
    laptop = await home.join("laptop", serves=False)
    monkeypatch.setattr(limits, "MAX_SESSIONS", 2)
    streams = [home.stream("laptop", "desk") for _ in range(3)]
    await streams[0].open(5.0)
    await streams[1].open(5.0)
    with pytest.raises(PeerLimit, match="desk: 2 sessions are the most"):
        await streams[2].open(5.0)
    await step(streams[0])
    for stream in streams:
        await stream.close()
    await until(lambda: home.hosts["desk"].budget.sessions == 0)

    stub = TransformerConnectionHandler.get_stub(laptop.p2p, desk.p2p.peer_id)
    with pytest.raises(P2PHandlerError, match=r"\[peer-limit\] A request of \d+ bytes is too long"):
        await stub.rpc_info(runtime_pb2.ExpertUID(uid="x" * 2000))
    # A step of a length that is not allowed is not waited for.
    name = "TransformerConnectionHandler.rpc_inference"
    _, reader, writer = await laptop.p2p.call_binary_stream_handler(desk.p2p.peer_id, name)
    writer.write(P2P.MESSAGE_MARKER + (limits.MAX_STEP_BYTES + 1).to_bytes(P2P.HEADER_LEN, P2P.BYTEORDER))
    async with asyncio.timeout(5):
        _, error = await P2P.receive_protobuf(runtime_pb2.ExpertResponse, reader)
    writer.close()
    assert (refusal_in(error.message) or ("", ""))[0] == "peer-limit"

    known = home.processes["desk"].gate._peers[laptop.p2p.peer_id.to_bytes()]
    known.calls = Bucket(rate_s=0.001, burst=3)
    for _ in range(3):
        await stub.rpc_info(runtime_pb2.ExpertUID())
    with pytest.raises(P2PHandlerError, match=r"\[peer-limit\] More than \d+ calls a second"):
        await stub.rpc_info(runtime_pb2.ExpertUID())


def test_a_bucket_fills_again() -> None:
    bucket = Bucket(rate_s=10.0, burst=5)
    assert [bucket.take(100.0) for _ in range(6)] == [True] * 5 + [False]
    assert [bucket.take(100.25) for _ in range(3)] == [True, True, False]
    assert [bucket.take(1000.0) for _ in range(6)] == [True] * 5 + [False], "no more than the burst"


async def test_a_peer_that_forgot_us_is_met_again(home: Home) -> None:
    """As after its restart under the same identity: neither a call nor a session notices."""
    await home.serve("desk")
    laptop = await home.join("laptop", serves=False)
    desk, peers = home.swarms["desk"], home.processes["desk"].gate._peers
    for _ in range(2):
        peers.clear()
        assert await laptop.ping(desk.peer_id) is not None
        peers.clear()
        stream = home.stream("laptop", "desk")
        await stream.open(5.0)
        await step(stream)
        await stream.close()


async def test_a_proof_that_runs_out_ends_what_it_allowed(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gate, "SWEEP_S", 0.05)
    await home.serve("desk")
    await home.join("laptop", serves=False)
    stream = home.stream("laptop", "desk")
    await stream.open(5.0)
    (key,) = home.processes["desk"].gate._peers
    peer = home.processes["desk"].gate._peers[key]
    peer.verified = dataclasses.replace(peer.verified, expires_s=int(time.time()) - 1)
    with pytest.raises(Expired, match="laptop has not renewed its certificate"):
        await stream.receive(5.0)
    await stream.close()


async def test_a_caller_that_breaks_off_leaves_nothing(home: Home) -> None:
    """As a killed one does: no word of an end, in the middle of a session."""
    await home.serve("desk")
    await home.join("laptop", serves=False)
    # What the first session begins for good is there before the count.
    first = home.stream("laptop", "desk")
    await first.open(5.0)
    await first.close()
    await until(lambda: home.hosts["desk"].budget.sessions == 0)
    await asyncio.sleep(0.1)
    before = asyncio.all_tasks()
    stream = home.stream("laptop", "desk")
    await stream.open(5.0)
    await step(stream)
    assert stream._writer is not None
    stream._writer.close()
    await until(lambda: home.hosts["desk"].budget.sessions == 0, 2.0)
    await stream.close()
    await until(lambda: asyncio.all_tasks() <= before, 2.0)


async def test_a_role_that_is_taken_back_counts_at_once(home: Home) -> None:
    await home.serve("desk")
    attic = await home.serve("attic")
    tiny, desk = home.tiny, home.processes["desk"]
    tiny.members = tiny.say(tiny.members, tiny.desk, tiny.entry(tiny.devices["attic"], Role.GUEST))
    desk.gate.renew(desk.credentials())
    assert desk.gate.barred(attic.peer_id) == "attic is a guest"
    roll = await read_roll(home.swarms["desk"])
    assert roll is not None
    assert [record.name for record in roll.servers] == ["desk"]
    await until(lambda: home.processes["attic"].identity.credentials.role is Role.GUEST, 2.0)


async def test_a_computer_with_a_wrong_clock_knows_why_nobody_is_there(home: Home, tmp_path: Path) -> None:
    desk = await home.serve("desk")
    process = Process(home.tiny, home.tiny.add("laptop"), SkewedClock(3600.0))
    async with opened(tmp_path / "skewed", process, await desk.addresses(), serves=False) as swarm:
        assert await read_roll(swarm) is None
        refusal = process.gate.last_refusal()
        assert isinstance(refusal, ClockWrong)
        assert "60 min behind this computer's" in refusal.message
        assert process.gate.barred(desk.peer_id).startswith("The clock of ")


async def test_petals_own_client_serves_a_member(home: Home, tmp_path: Path) -> None:
    """`RemoteSequential`, as released, in a process that has passed the handshake."""
    desk = await home.serve("desk", WHOLE)
    tiny, device = home.tiny, home.tiny.add("laptop")
    torch.manual_seed(4)
    hidden = torch.randn(1, 8, HIDDEN_SIZE)
    module = load(WHOLE)
    request = {
        "initial_peers": await desk.addresses(),
        "prefix": PREFIX,
        "num_blocks": NUM_BLOCKS,
        "inputs": hidden,
        "prefill": 5,
        "member": {
            "chain": [certificate.to_bytes() for certificate in device.chain],
            "device": device.key.secret_bytes(),
            "members": tiny.members.current.to_bytes(),
        },
    }
    torch.save(request, tmp_path / "request.pt")
    said = tmp_path / "said.txt"
    with said.open("wb") as stderr:
        caller = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "tests.bridge.petals_client", str(tmp_path)),
            cwd=REPOSITORY,
            stderr=stderr,
            start_new_session=True,
        )
    try:
        async with asyncio.timeout(100):
            await caller.wait()
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(caller.pid, signal.SIGKILL)
        await caller.wait()
    assert caller.returncode == 0, said.read_text()
    answer = torch.load(tmp_path / "answer.pt", weights_only=True)
    assert answer["spans"] == [(0, NUM_BLOCKS)]
    expected = module.step(hidden, module.new_cache(64))
    torch.testing.assert_close(answer["outputs"], expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(answer["forward"], expected, atol=1e-5, rtol=1e-5)
