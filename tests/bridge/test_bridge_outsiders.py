"""Whoever is no member gets nothing: every RPC by every kind of outsider, with Petals' and hivemind's code.

One private server on loopback; each outsider has a p2pd of its own, knows the server's address, the swarm's
id and the model's, and shows what it has in the handshake before it calls.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

import pytest
import pytest_asyncio
import torch
from hivemind.p2p import P2P
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import runtime_pb2

from swarm_app.blocks.compute import ComputeThread
from swarm_app.blocks.host import Host
from swarm_app.bridge import service, tensors
from swarm_app.bridge.limits import HELLO_RPC, MAX_CALL_BYTES, MAX_STEP_BYTES, P2PD_BYTES, PROOF_RPC
from swarm_app.bridge.records import announce, block_uid
from swarm_app.bridge.refusals import refusal_in
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.bridge.swarm import Swarm
from swarm_app.domain.span import Span
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
from swarm_app.membership.refusals import read_refusal
from tests.bridge.members import Process, SkewedClock, opened
from tests.bridge.outsiders import (
    KINDS,
    RPCS,
    Target,
    found_by_a_dht_node,
    party_of,
    plain_p2p,
    refused,
    rpcs_there_are,
    shake,
    told,
)
from tests.bridge.test_bridge_swarm import PREFIX, load, record_of
from tests.families import HIDDEN_SIZE
from tests.household.outsidertable import NOT_OFFERED
from tests.membership.swarms import MODEL, Device, TinySwarm

pytestmark = pytest.mark.asyncio(loop_scope="module")

SPAN = Span(0, 1)
UID = block_uid(PREFIX, 0)


class Server:
    """The only member that is online."""

    def __init__(self, tiny: TinySwarm, process: Process, swarm: Swarm, host: Host) -> None:
        self.tiny, self.process, self.swarm, self.host = tiny, process, swarm, host
        self.read: list[object] = []
        """Every tensor that was looked at."""
        self.target: Target
        """As outsiders know it."""

    async def remove(self, device: Device) -> None:
        self.tiny.members = self.tiny.remove(self.tiny.members, self.tiny.desk, device)
        self.process.gate.renew(self.process.credentials())

    async def aim(self) -> Target:
        honest, former = self.tiny.add("attic"), self.tiny.add("former")
        self.process.gate.renew(self.process.credentials())
        return Target(
            addresses=await self.swarm.addresses(),
            swarm_key=self.tiny.key,
            members=self.tiny.members,
            honest=honest,
            former=former,
            remove=self.remove,
            model_id=MODEL,
            uid=UID,
            hidden_size=HIDDEN_SIZE,
        )


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
            found.target = await found.aim()
            yield found
    host.close()


@dataclass
class Outsider:
    """A p2pd that hivemind started, and what it got when it tried the handshake."""

    p2p: Any
    refusal: MembershipError


SAID: dict[str, tuple[type[MembershipError], str]] = {
    "no certificate": (NotCertified, "shows no certificate"),
    "expired": (Expired, "The certificate of laptop has run out."),
    "other swarm": (OtherSwarm, "another swarm"),
    "copied": (CopiedCertificate, "shows the certificate of attic"),
    "replayed": (Replayed, "was not made for this connection"),
    "revoked": (Removed, "former was removed from the swarm."),
}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def outsiders(server: Server) -> AsyncIterator[dict[str, Outsider]]:
    async with contextlib.AsyncExitStack() as stack:
        found = {}
        for kind, tries in KINDS.items():
            p2p = await plain_p2p(server.target)
            stack.push_async_callback(p2p.shutdown)
            found[kind] = Outsider(p2p, await tries(server.target, p2p))
        yield found


async def test_each_is_refused_by_name(outsiders: dict[str, Outsider]) -> None:
    assert set(SAID) == set(KINDS)
    for kind, (error, said) in SAID.items():
        refusal = outsiders[kind].refusal
        assert type(refusal) is error, kind
        assert said in refusal.message, kind
        assert refusal.remedy


async def test_every_rpc_is_in_the_table() -> None:
    assert rpcs_there_are() == set(RPCS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("rpc", RPCS)
async def test_every_rpc_is_closed_to_every_outsider(
    server: Server, outsiders: dict[str, Outsider], rpc: str, kind: str
) -> None:
    before = server.host.steps, len(server.read)
    said = await told(RPCS[rpc], server.target, outsiders[kind].p2p)
    offered = rpc not in ("rpc_forward_stream", "rpc_backward", "rpc_backward_stream")
    assert said == (("removed" if kind == "revoked" else "not-certified") if offered else NOT_OFFERED)
    assert (server.host.steps, len(server.read)) == before
    assert server.host.budget.sessions == 0
    assert not server.swarm.dht.protocol.routing_table.peer_id_to_uid


@pytest.mark.parametrize("kind", KINDS)
async def test_hiveminds_dht_node_learns_nothing(
    server: Server, outsiders: dict[str, Outsider], kind: str
) -> None:
    assert await found_by_a_dht_node(server.target, outsiders[kind].p2p) == []


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


@pytest.mark.parametrize("name", ["TransformerConnectionHandler.rpc_push", HELLO_RPC, PROOF_RPC])
async def test_a_strangers_call_is_not_even_read(
    server: Server, outsiders: dict[str, Outsider], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two megabytes are thrown away before hivemind sees them; p2pd itself passes no more than that on."""
    control, seen = server.swarm.p2p._client.control, []
    handle = control._handle_persistent_request

    async def noted(call_id: object, call: Any) -> None:
        seen.append(call.proto)
        await handle(call_id, call)

    monkeypatch.setattr(control, "_handle_persistent_request", noted)
    call = outsiders["copied"].p2p._client.call_unary_handler
    desk = server.swarm.p2p.peer_id
    with pytest.raises(P2PHandlerError, match=r"\[[a-z-]+\] "):
        await call(desk, name, b"x" * MAX_CALL_BYTES)
    with pytest.raises((P2PHandlerError, TimeoutError)):  # p2pd stops to read, and says nothing
        async with asyncio.timeout(1.0):
            await call(desk, name, b"x" * (P2PD_BYTES + 1))
    assert not seen
    assert read_refusal(await call(desk, HELLO_RPC, b"x")).code == "membership-malformed"
    assert seen == [HELLO_RPC]


@pytest.mark.parametrize("ahead_s", [2.0, -2.0])
async def test_a_small_difference_of_clocks_passes(
    server: Server, outsiders: dict[str, Outsider], ahead_s: float
) -> None:
    target, p2p, clock = server.target, outsiders["replayed"].p2p, SkewedClock(ahead_s)
    verified = await shake(target, p2p, party_of(target, target.honest, p2p, clock), clock)
    assert verified.offset_s == pytest.approx(-ahead_s, abs=1.0)


@pytest.mark.parametrize(
    ("ahead_s", "said"),
    [(10.0, "10 s behind"), (-10.0, "10 s ahead of"), (3600.0, "60 min behind"), (-3600.0, "60 min ahead")],
)
async def test_a_wrong_clock_is_named_with_its_offset(
    server: Server, outsiders: dict[str, Outsider], ahead_s: float, said: str
) -> None:
    target, p2p, clock = server.target, outsiders["expired"].p2p, SkewedClock(ahead_s)
    error = await refused(shake(target, p2p, party_of(target, target.honest, p2p, clock), clock))
    assert isinstance(error, ClockWrong)
    assert said in error.message
    assert "automatic time" in error.remedy
