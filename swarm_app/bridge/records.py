"""Who serves what: Petals' module records on the hivemind DHT, as values of our own.

Records have Petals' own form (`petals.data_structures.ServerInfo`, one key a block, one subkey a
peer), so that Petals' `get_remote_module_infos` reads ours. Beyond it we use two of its fields in
their meaning: `inference_rps` is blocks per second for one token (1 / seconds per block and decode
step), `public_name` the computer's name.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hivemind.p2p import PeerID
from hivemind.utils.timed_storage import get_dht_time
from petals.data_structures import UID_DELIMITER, ServerInfo, ServerState

from swarm_app.bridge.swarm import Swarm
from swarm_app.domain.span import Span

ANNOUNCE_S = 4.0
"""How often a server renews its records."""

EXPIRE_S = 3 * ANNOUNCE_S
"""Records outlive two lost renewals; a sleeper is gone from the DHT after this long."""

MAX_NAME_LENGTH = 64


@dataclass(frozen=True, slots=True)
class ServerRecord:
    """One peer's span, as it announces it."""

    peer_id: str
    name: str
    span: Span
    online: bool
    seconds_per_block: float | None
    """Announced compute of one decode step through one block."""
    cache_tokens_left: int | None
    quant: str


def block_uid(prefix: str, block: int) -> str:
    """Petals' name of a block; `prefix` is the manifest's id."""
    return f"{prefix}{UID_DELIMITER}{block}"


async def announce(swarm: Swarm, prefix: str, record: ServerRecord, *, version: str, dtype: str) -> bool:
    """Store the record under each of its blocks; False when some block's key was not stored."""
    rps = 1.0 / record.seconds_per_block if record.seconds_per_block else None
    info = ServerInfo(
        state=ServerState.ONLINE if record.online else ServerState.JOINING,
        throughput=rps or 0.0,
        start_block=record.span.start,
        end_block=record.span.end,
        public_name=record.name[:MAX_NAME_LENGTH],
        version=version,
        inference_rps=rps,
        torch_dtype=dtype,
        quant_type=record.quant,
        using_relay=False,
        cache_tokens_left=record.cache_tokens_left,
    )
    return await _store(swarm, prefix, record.span, info.to_tuple(), get_dht_time() + EXPIRE_S)


async def withdraw(swarm: Swarm, prefix: str, span: Span) -> bool:
    """Replace this peer's records by ones that say it is offline, so that nobody routes to it."""
    info = ServerInfo(state=ServerState.OFFLINE, throughput=0.0)
    return await _store(swarm, prefix, span, info.to_tuple(), get_dht_time() + EXPIRE_S)


async def _store(swarm: Swarm, prefix: str, span: Span, value: Any, expiration: float) -> bool:
    keys = [block_uid(prefix, block) for block in span.blocks]
    stored = await swarm.dht.store_many(
        keys=keys,
        subkeys=[swarm.peer_id] * len(keys),
        values=[value] * len(keys),
        expiration_time=expiration,
    )
    return all(stored.values())


async def read_records(swarm: Swarm, prefix: str, num_blocks: int) -> list[ServerRecord]:
    """All peers that announce blocks of this model now, each with its longest announced span.

    Entries that are malformed, or that claim blocks the model has not, are passed over: they come
    from the network.
    """
    keys = [block_uid(prefix, block) for block in range(num_blocks)]
    found = await swarm.dht.get_many(keys, sufficient_expiration_time=get_dht_time())
    records: dict[str, ServerRecord] = {}
    for block, key in enumerate(keys):
        entry = found.get(key)
        if entry is None or not isinstance(entry.value, dict):
            continue
        for subkey, stored in entry.value.items():
            record = _parse(subkey, getattr(stored, "value", None), block, num_blocks)
            if record is None:
                continue
            known = records.get(record.peer_id)
            if known is None or len(record.span) > len(known.span):
                records[record.peer_id] = record
    return sorted(records.values(), key=lambda record: (record.span, record.name, record.peer_id))


def _parse(subkey: Any, value: Any, block: int, num_blocks: int) -> ServerRecord | None:
    try:
        peer_id = str(PeerID.from_base58(subkey).to_base58())
        info = ServerInfo.from_tuple(value)
        start = block if info.start_block is None else info.start_block
        end = block + 1 if info.end_block is None else info.end_block
        if info.state == ServerState.OFFLINE or not start <= block < end <= num_blocks:
            return None
        return ServerRecord(
            peer_id=peer_id,
            name=_printable(info.public_name) or f"peer {peer_id[-6:]}",
            span=Span(start, end),
            online=info.state == ServerState.ONLINE,
            seconds_per_block=1.0 / info.inference_rps if info.inference_rps else None,
            cache_tokens_left=info.cache_tokens_left,
            quant=_printable(info.quant_type) or "",
        )
    except Exception:  # noqa: BLE001 - pydantic, base58 and indexing each raise their own
        return None


def _printable(text: str | None) -> str:
    return "".join(c for c in (text or "")[:MAX_NAME_LENGTH] if c.isprintable())
