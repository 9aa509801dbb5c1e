"""Outsiders, and what they call: Petals' and hivemind's own client code on a p2pd that hivemind started.

An outsider knows where a server is, the ids of swarm, model and blocks, and the list of members; it shows
what it has in the handshake, and calls all the same. Used against one server in this process
(`test_bridge_outsiders`) and against a real household (`tests.household.outsiders`).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, replace
from typing import Any

import torch
from hivemind.dht.node import DHTNode
from hivemind.dht.protocol import DHTProtocol
from hivemind.dht.routing import DHTID
from hivemind.p2p import P2P, PeerID, ServicerBase
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import dht_pb2, runtime_pb2
from hivemind.utils.serializer import MSGPackSerializer
from hivemind.utils.tensor_descr import BatchTensorDescriptor
from hivemind.utils.timed_storage import get_dht_time

from swarm_app.bridge.limits import HELLO_RPC, PROOF_RPC
from swarm_app.bridge.records import ROLL_KEY
from swarm_app.bridge.refusals import refusal_in
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.bridge.swarm import parse_address
from swarm_app.bridge.tensors import DUMMY, DUMMY_INT64, pack
from swarm_app.domain.clock import Clock, SystemClock
from swarm_app.membership.binding import bind
from swarm_app.membership.certificates import Chain, Role, issue
from swarm_app.membership.errors import MembershipError, Removed
from swarm_app.membership.handshake import Initiator, Party, Verified, channel_of
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.members import Members
from swarm_app.membership.refusals import read_refusal
from tests.household.outsidertable import ANSWERED, NOT_OFFERED
from tests.membership.swarms import Device, TinySwarm

REMOVAL_S = 2.0
"""A removal must have ended everything by then."""
CALL_S = 5.0


@dataclass
class Target:
    """A server, and all that outsiders are given of it: more than they could have."""

    addresses: list[str]
    """Multiaddresses of its process that serves blocks."""
    swarm_key: PrivateKey
    """Makes the certificate that has run out."""
    members: Members
    honest: Device
    """A member: its certificate is copied, and its handshake recorded."""
    former: Device
    """A member, until `remove` is called."""
    remove: Callable[[Device], Awaitable[None]]
    model_id: str
    uid: str
    """Of a block that it serves."""
    hidden_size: int

    @property
    def peer(self) -> PeerID:
        return PeerID.from_base58(parse_address(self.addresses[0])[0].to_base58())

    @property
    def swarm_id(self) -> str:
        return self.members.swarm_id


async def plain_p2p(target: Target) -> Any:
    """hivemind's own P2P, connected to the server."""
    p2p = await P2P.create(
        host_maddrs=["/ip4/127.0.0.1/tcp/0"], nat_port_map=False, auto_nat=False, use_relay=False
    )
    peer, where = parse_address(target.addresses[0])
    await p2p._client.connect(peer, [where])
    return p2p


# ------------------------------------------------ handshakes


async def shake(target: Target, p2p: Any, party: Party, clock: Clock | None = None) -> Verified:
    """The handshake as a caller without a gate does it; raises what either side refuses the other for."""
    initiator = _initiator(target, p2p, party, clock)
    challenge = await p2p._client.call_unary_handler(target.peer, HELLO_RPC, initiator.hello())
    answer = await p2p._client.call_unary_handler(target.peer, PROOF_RPC, initiator.prove(challenge))
    return initiator.finish(answer)


def _initiator(target: Target, p2p: Any, party: Party, clock: Clock | None = None) -> Initiator:
    server = target.peer.to_base58()
    channel = channel_of(p2p.peer_id.to_base58(), server)
    return Initiator(party, clock or SystemClock(), channel=channel, peer_id=server, same_model=False)


def party_of(target: Target, device: Device, p2p: Any, clock: Clock | None = None) -> Party:
    """An honest process of that device, under that p2pd's id."""
    now_s = (clock or SystemClock()).time()
    binding = bind(device.key, target.swarm_id, p2p.peer_id.to_base58(), device.process.public, now_s)
    return Party(device.chain, device.process, binding, target.members, target.model_id)


def expired_chain(target: Target, device_key: bytes) -> Chain:
    """A true certificate of the swarm, which ran out an hour ago."""
    return issue(
        target.swarm_key,
        (),
        swarm=target.swarm_id,
        device_key=device_key,
        name="laptop",
        role=Role.MEMBER,
        now_s=time.time() - 7200,
        lifetime_s=3600,
    )


def stranger() -> Device:
    """A device of no swarm."""
    return Device("stranger", PrivateKey.generate(), (), PrivateKey.generate(), "")


async def refused(trying: Awaitable[object]) -> MembershipError:
    """What was said against it. AssertionError where nothing was."""
    try:
        await trying
    except MembershipError as error:
        return error
    raise AssertionError("an outsider was let in")


async def without_certificate(target: Target, p2p: Any) -> MembershipError:
    # A hello needs only the swarm's id; a proof without certificates is none.
    return await refused(shake(target, p2p, party_of(target, stranger(), p2p)))


async def with_an_expired_one(target: Target, p2p: Any) -> MembershipError:
    device = stranger()
    device.chain = expired_chain(target, device.key.public)
    return await refused(shake(target, p2p, party_of(target, device, p2p)))


async def of_another_swarm(target: Target, p2p: Any) -> MembershipError:
    other = TinySwarm(time.time())
    theirs = replace(target, members=other.members)
    first = await refused(shake(target, p2p, party_of(theirs, other.desk, p2p)))
    # And once more with our swarm's id in the hello.
    lying = replace(party_of(theirs, other.desk, p2p), members=target.members)
    second = await refused(shake(target, p2p, lying))
    assert type(first) is type(second)
    return second


async def revoked(target: Target, p2p: Any) -> MembershipError:
    """It is let in, and answered, and put out."""
    party = party_of(target, target.former, p2p)
    await shake(target, p2p, party)
    assert await told(RPCS["rpc_info"], target, p2p) == ANSWERED
    await target.remove(target.former)
    deadline_s = time.monotonic() + REMOVAL_S
    while await told(RPCS["rpc_info"], target, p2p) == ANSWERED:
        assert time.monotonic() < deadline_s, "who was removed is still answered"
        await asyncio.sleep(0.02)
    error = await refused(shake(target, p2p, party))
    assert isinstance(error, Removed)
    assert error.evidence, "it is shown the list that says so"
    return error


async def with_a_copied_one(target: Target, p2p: Any) -> MembershipError:
    mine, honest = PrivateKey.generate(), target.honest
    theirs = bind(honest.key, target.swarm_id, "QmItsOwnPeerId", honest.process.public, time.time())
    parts = target.members, target.model_id
    first = await refused(shake(target, p2p, Party(honest.chain, mine, theirs, *parts)))
    # And with a binding of one's own making.
    own = bind(mine, target.swarm_id, p2p.peer_id.to_base58(), mine.public, time.time())
    forged = replace(own, device_key=honest.key.public)
    second = await refused(shake(target, p2p, Party(honest.chain, mine, forged, *parts)))
    assert type(first) is type(second)
    return second


async def with_a_recorded_handshake(target: Target, p2p: Any) -> MembershipError:
    # The binding names this p2pd, so that nothing but the replay itself is wrong.
    recorded = _initiator(target, p2p, party_of(target, target.honest, p2p))
    hello, call = recorded.hello(), p2p._client.call_unary_handler
    proof = recorded.prove(await call(target.peer, HELLO_RPC, hello))
    # That one was never delivered; a later handshake gets another challenge.
    await call(target.peer, HELLO_RPC, hello)
    error = read_refusal(await call(target.peer, PROOF_RPC, proof))
    try:
        await call(target.peer, PROOF_RPC, proof)
    except P2PHandlerError as without_a_hello:
        if f"[{error.code}]" in str(without_a_hello):
            return error
    raise AssertionError("a proof was taken without a hello")


KINDS: dict[str, Callable[[Target, Any], Awaitable[MembershipError]]] = {
    "no certificate": without_certificate,
    "expired": with_an_expired_one,
    "other swarm": of_another_swarm,
    "copied": with_a_copied_one,
    "replayed": with_a_recorded_handshake,
    "revoked": revoked,
}


# ------------------------------------------------ calls


def petals_stub(p2p: Any, peer: Any) -> Any:
    """What Petals' own client calls a server through."""
    # Only here: petals can be imported once `bridge` has been.
    from petals.server.handler import TransformerConnectionHandler as PetalsHandler

    return PetalsHandler.get_stub(p2p, peer)


def dht_stub(p2p: Any, peer: Any) -> Any:
    """hivemind's stub for another node of the DHT, as its own protocol makes it."""
    return ServicerBase.get_stub.__func__(DHTProtocol, p2p, peer)


def _request(target: Target) -> Any:
    return runtime_pb2.ExpertRequest(
        uid=target.uid,
        tensors=[pack(torch.zeros(1, 1, target.hidden_size)), DUMMY, DUMMY_INT64],
        metadata=MSGPackSerializer.dumps({"max_length": 16, "session_id": "s"}),
    )


async def _first(answers: Any) -> object:
    """The first answer: after it the other side may end the connection at any moment."""
    async for answer in await answers:
        return answer
    return None


async def _kept_open(request: runtime_pb2.ExpertRequest) -> AsyncIterator[runtime_pb2.ExpertRequest]:
    """Whoever is answered before the requests have ended would hear of a broken pipe instead."""
    yield request
    await asyncio.sleep(CALL_S)


async def _forward(target: Target, p2p: Any) -> object:
    from petals.client.config import ClientConfig
    from petals.client.remote_forward_backward import run_remote_forward

    hidden = BatchTensorDescriptor((target.hidden_size,), dtype=torch.float32)
    info = {"forward_schema": ((hidden,), {}), "keyword_names": (), "outputs_schema": (hidden,)}
    inputs = torch.zeros(1, 3, target.hidden_size), torch.empty(0)
    stub, config = petals_stub(p2p, target.peer), ClientConfig(request_timeout=CALL_S)
    return await run_remote_forward(target.uid, stub, info, *inputs, config=config)


def _node_info(p2p: Any) -> Any:
    return dht_pb2.NodeInfo(node_id=DHTID.generate(source=str(p2p.peer_id)).to_bytes())


def _store(target: Target, p2p: Any) -> Any:
    stored = dht_pb2.StoreRequest(
        keys=[DHTID.generate(source=ROLL_KEY).to_bytes()],
        subkeys=[MSGPackSerializer.dumps(str(p2p.peer_id.to_base58()))],
        values=[MSGPackSerializer.dumps("mine")],
        expiration_time=[get_dht_time() + 30],
        in_cache=[False],
        peer=_node_info(p2p),
    )
    return dht_stub(p2p, target.peer).rpc_store(stored, timeout=CALL_S)


def _find(target: Target, p2p: Any) -> Any:
    wanted = dht_pb2.FindRequest(keys=[DHTID.generate(source=ROLL_KEY).to_bytes()], peer=_node_info(p2p))
    return dht_stub(p2p, target.peer).rpc_find(wanted, timeout=CALL_S)


RPCS: dict[str, Callable[[Target, Any], Awaitable[object]]] = {
    "rpc_info": lambda target, p2p: petals_stub(p2p, target.peer).rpc_info(
        runtime_pb2.ExpertUID(uid=target.uid), timeout=CALL_S
    ),
    "rpc_inference": lambda target, p2p: _first(
        petals_stub(p2p, target.peer).rpc_inference(_kept_open(_request(target)))
    ),
    "rpc_forward": _forward,
    "rpc_forward_stream": lambda target, p2p: _first(
        petals_stub(p2p, target.peer).rpc_forward_stream(_kept_open(_request(target)))
    ),
    "rpc_backward": lambda target, p2p: petals_stub(p2p, target.peer).rpc_backward(
        _request(target), timeout=CALL_S
    ),
    "rpc_backward_stream": lambda target, p2p: _first(
        petals_stub(p2p, target.peer).rpc_backward_stream(_kept_open(_request(target)))
    ),
    "rpc_push": lambda target, p2p: petals_stub(p2p, target.peer).rpc_push(_request(target), timeout=CALL_S),
    "rpc_reaches": lambda target, p2p: TransformerConnectionHandler.get_stub(p2p, target.peer).rpc_reaches(
        runtime_pb2.ExpertUID(uid=str(target.peer)), timeout=CALL_S
    ),
    "DHT rpc_ping": lambda target, p2p: dht_stub(p2p, target.peer).rpc_ping(
        dht_pb2.PingRequest(peer=_node_info(p2p)), timeout=CALL_S
    ),
    "DHT rpc_store": _store,
    "DHT rpc_find": _find,
}
"""Everything that a server offers, and what Petals' servers offer and ours do not."""


def rpcs_there_are() -> set[str]:
    """Names of all RPCs in the code of the three servicers that a server is made of, as in RPCS."""
    from petals.server.handler import TransformerConnectionHandler as PetalsHandler

    found = set()
    servicers: list[tuple[Any, str]] = [
        (PetalsHandler, ""),
        (TransformerConnectionHandler, ""),
        (DHTProtocol, "DHT "),
    ]
    for servicer, before in servicers:
        servicer._collect_rpc_handlers()
        found |= {before + handler.method_name for handler in servicer._rpc_handlers}
    return found


async def told(rpc: Callable[[Target, Any], Awaitable[object]], target: Target, p2p: Any) -> str:
    """The code by which a call was refused, ANSWERED or NOT_OFFERED; anything else in its own words."""
    try:
        await rpc(target, p2p)
    except Exception as error:  # noqa: BLE001 - p2pd's, hivemind's and Petals' own: told as it is
        refusal = refusal_in(str(error))
        if refusal is not None:
            return refusal[0]
        return NOT_OFFERED if "protocols not supported" in str(error) else f"{type(error).__name__}: {error}"
    return ANSWERED


async def found_by_a_dht_node(target: Target, p2p: Any) -> list[str]:
    """What hivemind's DHT node finds that joins by the server's addresses and asks for what it has."""
    node = await DHTNode.create(
        p2p=p2p,
        initial_peers=target.addresses,
        ensure_bootstrap_success=False,
        strict=False,
        bootstrap_timeout=0.3,
        wait_timeout=2.0,
    )
    try:
        found = [key for key in (ROLL_KEY, target.uid) if await node.get(key, latest=True) is not None]
        return found + [str(peer) for peer in node.protocol.routing_table.peer_id_to_uid]
    finally:
        await node.shutdown()
