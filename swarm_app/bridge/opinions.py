"""Second opinions: asking a peer whether it reaches another one."""

from __future__ import annotations

import asyncio

from hivemind.p2p import PeerID
from hivemind.proto import runtime_pb2
from hivemind.utils.serializer import MSGPackSerializer

from swarm_app.bridge.service import REACHES_KEY, TransformerConnectionHandler
from swarm_app.bridge.swarm import Swarm


async def ask_opinion(swarm: Swarm, by: str, peer: str, timeout_s: float) -> bool | None:
    """Whether `by` reaches `peer` at this moment; None when `by` does not say in time."""
    stub = TransformerConnectionHandler.get_stub(swarm.p2p, PeerID.from_base58(by))
    try:
        async with asyncio.timeout(timeout_s):
            reply = await stub.rpc_reaches(runtime_pb2.ExpertUID(uid=peer))
        told = MSGPackSerializer.loads(reply.serialized_info) if len(reply.serialized_info) < 256 else None
    except Exception:  # noqa: BLE001 - the daemon's, the peer's and msgpack's own: it did not say
        return None
    answer = told.get(REACHES_KEY) if isinstance(told, dict) else None
    return answer if isinstance(answer, bool) else None
