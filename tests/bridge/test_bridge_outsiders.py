"""Whoever is no member gets nothing: every RPC by every kind of outsider, with Petals' and hivemind's code.

One private server on loopback; each outsider has a p2pd of its own, knows the server's address, the swarm's
id and the model's, and shows what it has in the handshake before it calls.
"""

from __future__ import annotations

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import pytest
import pytest_asyncio
import torch
from hivemind.dht.node import DHTNode
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.routing import DHTID
from hivemind.p2p import P2P, ServicerBase
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import dht_pb2, runtime_pb2
from hivemind.utils.asyncio import as_aiter
from hivemind.utils.multiaddr import Multiaddr
from hivemind.utils.serializer import MSGPackSerializer
from hivemind.utils.tensor_descr import BatchTensorDescriptor
from hivemind.utils.timed_storage import get_dht_time

from swarm_app.blocks.compute import ComputeThread
from swarm_app.blocks.host import Host
from swarm_app.bridge import service, tensors
from swarm_app.bridge.gate import HELLO_RPC, PROOF_RPC
from swarm_app.bridge.limits import MAX_STEP_BYTES
from swarm_app.bridge.records import ROLL_KEY, announce, block_uid
from swarm_app.bridge.refusals import refusal_in
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.bridge.swarm import Swarm
from swarm_app.bridge.tensors import DUMMY, DUMMY_INT64, pack
from swarm_app.domain.clock import Clock, SystemClock
from swarm_app.domain.span import Span
from swarm_app.membership.binding import bind
from swarm_app.membership.certificates import Role, issue
from swarm_app.membership.errors import (
    ClockWrong,
    CopiedCertificate,
    Expired,
    MembershipError,
    NotCertified,
    OtherSwarm,
    Removed,
    Replayed,
)
from swarm_app.membership.handshake import Initiator, Party, Verified, channel_of
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.refusals import read_refusal
from tests.bridge.members import Process, SkewedClock, opened
from tests.bridge.test_bridge_swarm import PREFIX, load, record_of
from tests.families import HIDDEN_SIZE
from tests.membership.swarms import MODEL, Device, TinySwarm

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    # Refused calls end in the middle; hivemind then leaves its control sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.fixture(scope="module", autouse=True)
def _what_hivemind_leaves() -> Iterator[None]:
    """Collect those sockets here, where their warnings are expected, not in other tests."""
    yield
    gc.collect()


SPAN = Span(0, 1)
UID = block_uid(PREFIX, 0)


class Server:
    """The only member that is online."""

    def __init__(self, tiny: TinySwarm, process: Process, swarm: Swarm, host: Host) -> None:
        self.tiny, self.process, self.swarm, self.host = tiny, process, swarm, host
        self.read: list[object] = []
        """Every tensor that was looked at."""


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def server(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Server]:
    tiny = TinySwarm(time.time())
    process = Process(tiny, tiny.desk)
    host = Host(load(SPAN), name="desk", cache_tokens=64, compute=ComputeThread(1), on_change=lambda: None)
    folder = tmp_path_factory.mktemp("private")
    unpack = tensors.unpack
    async with opened(folder, process) as swarm:
        found = Server(tiny, process, swarm, host)
        with pytest.MonkeyPatch.context() as patch:

            def noted(message: Any, **bounds: int) -> torch.Tensor:
                found.read.append(message)
                return unpack(message, **bounds)

            patch.setattr(service, "unpack", noted)
            handler = TransformerConnectionHandler(
                swarm, host, prefix=PREFIX, version="test", step_timeout_s=30.0
            )
            await handler.serve()
            assert await announce(swarm, record_of(swarm, SPAN), version="test", dtype="float32")
            yield found
    host.close()


@dataclass
class Outsider:
    """A p2pd that hivemind started, and what it got when it tried the handshake."""

    p2p: Any
    refusal: MembershipError


async def plain_p2p(server: Server) -> Any:
    """hivemind's own P2P, connected to the server."""
    p2p = await P2P.create(
        host_maddrs=["/ip4/127.0.0.1/tcp/0"], nat_port_map=False, auto_nat=False, use_relay=False
    )
    address = (await server.swarm.addresses())[0].rpartition("/p2p/")[0]
    await p2p._client.connect(server.swarm.p2p.peer_id, [Multiaddr(address)])
    return p2p


async def shake(server: Server, p2p: Any, party: Party, clock: Clock | None = None) -> Verified:
    """The handshake as a caller without a gate does it; raises what either side refuses the other for."""
    desk = server.swarm.p2p.peer_id
    initiator = Initiator(
        party,
        clock or SystemClock(),
        channel=channel_of(p2p.peer_id.to_base58(), desk.to_base58()),
        peer_id=desk.to_base58(),
        same_model=False,
    )
    challenge = await p2p._client.call_unary_handler(desk, HELLO_RPC, initiator.hello())
    answer = await p2p._client.call_unary_handler(desk, PROOF_RPC, initiator.prove(challenge))
    return initiator.finish(answer)


def party_of(tiny: TinySwarm, device: Device, p2p: Any, clock: Clock | None = None) -> Party:
    """An honest process of that device, under that p2pd's id."""
    now_s = (clock or SystemClock()).time()
    binding = bind(device.key, tiny.id, p2p.peer_id.to_base58(), device.process.public, now_s)
    return Party(device.chain, device.process, binding, tiny.members, MODEL)


def petals_stub(p2p: Any, peer: Any) -> Any:
    """What Petals' own client calls a server through."""
    # Only here: petals can be imported once `bridge` has been.
    from petals.server.handler import TransformerConnectionHandler as PetalsHandler

    return PetalsHandler.get_stub(p2p, peer)


async def refused(trying: Awaitable[Verified]) -> MembershipError:
    with pytest.raises(MembershipError) as caught:
        await trying
    return caught.value


async def without_certificate(server: Server, p2p: Any) -> MembershipError:
    # A hello needs only the swarm's id; a proof without certificates is none.
    stranger = Device("stranger", PrivateKey.generate(), (), PrivateKey.generate(), "")
    binding = bind(
        stranger.key, server.tiny.id, p2p.peer_id.to_base58(), stranger.process.public, time.time()
    )
    return await refused(shake(server, p2p, Party((), stranger.process, binding, server.tiny.members, MODEL)))


async def with_an_expired_one(server: Server, p2p: Any) -> MembershipError:
    tiny = server.tiny
    device = tiny.stranger("laptop")
    device.chain = issue(
        tiny.key,
        (),
        swarm=tiny.id,
        device_key=device.key.public,
        name="laptop",
        role=Role.MEMBER,
        now_s=time.time() - 7200,
        lifetime_s=3600,
    )
    return await refused(shake(server, p2p, party_of(tiny, device, p2p)))


async def of_another_swarm(server: Server, p2p: Any) -> MembershipError:
    other = TinySwarm(time.time())
    first = await refused(shake(server, p2p, party_of(other, other.desk, p2p)))
    # And once more with our swarm's id in the hello.
    lying = replace(party_of(other, other.desk, p2p), members=server.tiny.members)
    second = await refused(shake(server, p2p, lying))
    assert type(first) is type(second)
    return second


async def revoked(server: Server, p2p: Any) -> MembershipError:
    tiny, gate = server.tiny, server.process.gate
    device = tiny.add("former")
    gate.renew(server.process.credentials())
    assert (await shake(server, p2p, party_of(tiny, device, p2p))).name == "desk"
    stub = petals_stub(p2p, server.swarm.p2p.peer_id)
    assert (await stub.rpc_info(runtime_pb2.ExpertUID(uid=UID), timeout=5)).serialized_info
    before = tiny.members
    tiny.members = tiny.remove(tiny.members, tiny.desk, device)
    gate.renew(server.process.credentials())
    party = replace(party_of(tiny, device, p2p), members=before)
    error = await refused(shake(server, p2p, party))
    assert isinstance(error, Removed)
    assert error.evidence == tiny.members.current.to_bytes()
    return error


async def with_a_copied_one(server: Server, p2p: Any) -> MembershipError:
    tiny, mine = server.tiny, PrivateKey.generate()
    honest = tiny.add("attic")
    theirs = bind(honest.key, tiny.id, "QmTheAtticsOwnPeerId", honest.process.public, time.time())
    first = await refused(shake(server, p2p, Party(honest.chain, mine, theirs, tiny.members, MODEL)))
    # And with a binding of one's own making.
    own = bind(mine, tiny.id, p2p.peer_id.to_base58(), mine.public, time.time())
    forged = replace(own, device_key=honest.key.public)
    second = await refused(shake(server, p2p, Party(honest.chain, mine, forged, tiny.members, MODEL)))
    assert type(first) is type(second)
    return second


async def with_a_recorded_handshake(server: Server, p2p: Any) -> MembershipError:
    tiny, desk = server.tiny, server.swarm.p2p.peer_id
    honest = tiny.add("cellar")
    # The binding names this p2pd, so that nothing but the replay itself is wrong.
    party, channel = party_of(tiny, honest, p2p), channel_of(p2p.peer_id.to_base58(), desk.to_base58())
    recorded = Initiator(party, SystemClock(), channel=channel, peer_id=desk.to_base58(), same_model=False)
    hello, call = recorded.hello(), p2p._client.call_unary_handler
    proof = recorded.prove(await call(desk, HELLO_RPC, hello))
    # That one was never delivered; a later handshake gets another challenge.
    await call(desk, HELLO_RPC, hello)
    error = read_refusal(await call(desk, PROOF_RPC, proof))
    assert isinstance(read_refusal(await call(desk, PROOF_RPC, proof)), Replayed), "without a hello at all"
    return error


KINDS: dict[str, tuple[Callable[[Server, Any], Awaitable[MembershipError]], type[MembershipError], str]] = {
    "no certificate": (without_certificate, NotCertified, "shows no certificate"),
    "expired": (with_an_expired_one, Expired, "The certificate of laptop has run out."),
    "other swarm": (of_another_swarm, OtherSwarm, "another swarm"),
    "revoked": (revoked, Removed, "former was removed from the swarm."),
    "copied": (with_a_copied_one, CopiedCertificate, "shows the certificate of attic"),
    "replayed": (with_a_recorded_handshake, Replayed, "was not made for this connection"),
}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def outsiders(server: Server) -> AsyncIterator[dict[str, Outsider]]:
    async with contextlib.AsyncExitStack() as stack:
        found = {}
        for kind, (tries, _, _) in KINDS.items():
            p2p = await plain_p2p(server)
            stack.push_async_callback(p2p.shutdown)
            found[kind] = Outsider(p2p, await tries(server, p2p))
        yield found


async def test_each_is_refused_by_name(outsiders: dict[str, Outsider]) -> None:
    for kind, (_, error, said) in KINDS.items():
        refusal = outsiders[kind].refusal
        assert type(refusal) is error, kind
        assert said in refusal.message, kind
        assert refusal.remedy


def request(hidden: torch.Tensor, **metadata: Any) -> Any:
    return runtime_pb2.ExpertRequest(
        uid=UID,
        tensors=[pack(hidden), DUMMY, DUMMY_INT64],
        metadata=MSGPackSerializer.dumps({"max_length": 16, "session_id": "s", **metadata}),
    )


async def inference(p2p: Any, desk: Any) -> object:
    answers = await petals_stub(p2p, desk).rpc_inference(as_aiter(request(torch.zeros(1, 1, HIDDEN_SIZE))))
    return [answer async for answer in answers]


async def forward(p2p: Any, desk: Any) -> object:
    from petals.client.config import ClientConfig
    from petals.client.remote_forward_backward import run_remote_forward

    hidden = BatchTensorDescriptor((HIDDEN_SIZE,), dtype=torch.float32)
    info = {"forward_schema": ((hidden,), {}), "keyword_names": (), "outputs_schema": (hidden,)}
    stub = petals_stub(p2p, desk)
    inputs = torch.zeros(1, 3, HIDDEN_SIZE), torch.empty(0)
    return await run_remote_forward(UID, stub, info, *inputs, config=ClientConfig(request_timeout=5))


def dht_stub(p2p: Any, peer: Any) -> Any:
    """hivemind's stub for another node of the DHT, as its own protocol makes it."""
    return ServicerBase.get_stub.__func__(DHTProtocol, p2p, peer)


def node_info(p2p: Any) -> Any:
    return dht_pb2.NodeInfo(node_id=DHTID.generate(source=str(p2p.peer_id)).to_bytes())


async def dht_store(p2p: Any, desk: Any) -> object:
    serializer = MSGPackSerializer
    stored = dht_pb2.StoreRequest(
        keys=[DHTID.generate(source=ROLL_KEY).to_bytes()],
        subkeys=[serializer.dumps(str(p2p.peer_id.to_base58()))],
        values=[serializer.dumps("mine")],
        expiration_time=[get_dht_time() + 30],
        in_cache=[False],
        peer=node_info(p2p),
    )
    return await dht_stub(p2p, desk).rpc_store(stored, timeout=5)


async def dht_find(p2p: Any, desk: Any) -> object:
    wanted = dht_pb2.FindRequest(keys=[DHTID.generate(source=ROLL_KEY).to_bytes()], peer=node_info(p2p))
    return await dht_stub(p2p, desk).rpc_find(wanted, timeout=5)


RPCS: dict[str, Callable[[Any, Any], Awaitable[object]]] = {
    "rpc_info": lambda p2p, desk: petals_stub(p2p, desk).rpc_info(runtime_pb2.ExpertUID(uid=UID), timeout=5),
    "rpc_inference": inference,
    "rpc_forward": forward,
    "rpc_push": lambda p2p, desk: petals_stub(p2p, desk).rpc_push(
        request(torch.zeros(1, 1, HIDDEN_SIZE)), timeout=5
    ),
    "rpc_reaches": lambda p2p, desk: TransformerConnectionHandler.get_stub(p2p, desk).rpc_reaches(
        runtime_pb2.ExpertUID(uid=str(desk)), timeout=5
    ),
    "DHT ping": lambda p2p, desk: dht_stub(p2p, desk).rpc_ping(
        dht_pb2.PingRequest(peer=node_info(p2p)), timeout=5
    ),
    "DHT store": dht_store,
    "DHT find": dht_find,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rpc", RPCS)
async def test_every_rpc_is_closed_to_every_outsider(
    server: Server, outsiders: dict[str, Outsider], rpc: str, kind: str
) -> None:
    with pytest.raises(P2PHandlerError) as caught:
        await RPCS[rpc](outsiders[kind].p2p, server.swarm.p2p.peer_id)
    told = refusal_in(str(caught.value))
    assert told is not None
    assert told[0] == ("removed" if kind == "revoked" else "not-certified")
    assert server.read == []
    assert server.host.budget.sessions == server.host.steps == 0
    assert not server.swarm.dht.protocol.routing_table.peer_id_to_uid


@pytest.mark.parametrize("kind", KINDS)
async def test_hiveminds_dht_node_learns_nothing(
    server: Server, outsiders: dict[str, Outsider], kind: str
) -> None:
    node = await DHTNode.create(
        p2p=outsiders[kind].p2p,
        initial_peers=await server.swarm.addresses(),
        ensure_bootstrap_success=False,
        strict=False,
        bootstrap_timeout=0.3,
        wait_timeout=2.0,
    )
    try:
        assert await node.get(ROLL_KEY, latest=True) is None
        assert await node.get(UID, latest=True) is None
        assert not node.protocol.routing_table.peer_id_to_uid
    finally:
        await node.shutdown()


async def test_a_strangers_length_is_not_believed(server: Server, outsiders: dict[str, Outsider]) -> None:
    """A stream that announces a terabyte is refused before anything of it is read."""
    p2p, name = outsiders["copied"].p2p, "TransformerConnectionHandler.rpc_inference"
    _, reader, writer = await p2p.call_binary_stream_handler(server.swarm.p2p.peer_id, name)
    writer.write(P2P.MESSAGE_MARKER + (MAX_STEP_BYTES * 2**15).to_bytes(P2P.HEADER_LEN, P2P.BYTEORDER))
    async with asyncio.timeout(5):
        _, error = await P2P.receive_protobuf(runtime_pb2.ExpertResponse, reader)
        assert await reader.read() == b""
    writer.close()
    assert refusal_in(error.message) is not None


@pytest.mark.parametrize("ahead_s", [2.0, -2.0])
async def test_a_small_difference_of_clocks_passes(
    server: Server, outsiders: dict[str, Outsider], ahead_s: float
) -> None:
    p2p, clock = outsiders["replayed"].p2p, SkewedClock(ahead_s)
    member = server.tiny.devices["cellar"]
    verified = await shake(server, p2p, party_of(server.tiny, member, p2p, clock), clock)
    assert verified.offset_s == pytest.approx(-ahead_s, abs=1.0)


@pytest.mark.parametrize(
    ("ahead_s", "said"),
    [(10.0, "10 s behind"), (-10.0, "10 s ahead of"), (3600.0, "60 min behind"), (-3600.0, "60 min ahead")],
)
async def test_a_wrong_clock_is_named_with_its_offset(
    server: Server, outsiders: dict[str, Outsider], ahead_s: float, said: str
) -> None:
    p2p, clock = outsiders["expired"].p2p, SkewedClock(ahead_s)
    member = server.tiny.devices["cellar"]
    error = await refused(shake(server, p2p, party_of(server.tiny, member, p2p, clock), clock))
    assert isinstance(error, ClockWrong)
    assert said in error.message
    assert "automatic time" in error.remedy
