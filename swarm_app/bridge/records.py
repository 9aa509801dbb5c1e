"""Who serves what: Petals' module records on the hivemind DHT, as values of our own.

Records have Petals' own form (`petals.data_structures.ServerInfo`, one key a block, one subkey a
peer), so that Petals' `get_remote_module_infos` reads ours. `inference_rps` is blocks per second for
one token (1 / seconds per block and decode step), `public_name` the computer's name. The same value
stands, behind a head of ours (`bridge.roll`), in the roll of the household, which is what our engines read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hivemind.p2p import PeerID
from hivemind.utils.timed_storage import get_dht_time
from petals.data_structures import UID_DELIMITER, ServerInfo, ServerState

from swarm_app.bridge.roll import VERSION, OtherVersion, RollHead
from swarm_app.bridge.swarm import Swarm, parse_address
from swarm_app.domain.pause import FAREWELLS
from swarm_app.domain.span import Span

ANNOUNCE_S = 4.0
"""How often a server renews its entry in the roll."""

EXPIRE_S = 3 * ANNOUNCE_S
"""An entry outlives two lost renewals; a sleeper is gone from the roll after this long."""

BLOCK_RECORDS_EVERY = 3
"""Petals' records are one key a block, and cost as much; they are renewed every third time."""

BLOCK_EXPIRE_S = 3 * BLOCK_RECORDS_EVERY * ANNOUNCE_S

ROLL_KEY = "homeswarm.roll"
"""One key under which every server of the household stands, whatever model it serves. Reading it is one
look-up where Petals' records take one a block, and it shows who serves another model."""

MAX_NAME_LENGTH = 64
MAX_PEERS = 256
MAX_BLOCKS = 1024
MAX_UNREAD = 8
"""Computers with another version of the roll that are named, the newer and the older ones each."""

SLOWEST_BLOCK_S = 600.0
"""A decode step through one block that takes longer is no offer: whoever announces it says nothing that a sum
over a route could be made of."""


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
    model_id: str
    """The manifest that its blocks come from."""
    leaving: str = ""
    """Of domain.pause's farewells, where the peer took its blocks back itself."""
    rounding: str = ""
    """Peers with the same one compute the same bits; "" where unknown (see `blocks.rounding`)."""
    addresses: tuple[str, ...] = ()
    """Multiaddresses under which the peer says it is reached."""
    power: str = ""
    """``mains`` or ``battery``, as the peer says."""
    link: str = ""
    """``wire`` or ``wireless``, as the peer says."""
    expires_s: float = 0.0
    """When the entry runs out, on the clock of the DHT: it grows with each announcement."""


@dataclass(frozen=True, slots=True)
class Roll:
    """What one look at the roll gave."""

    servers: list[ServerRecord]
    newer: tuple[str, ...] = ()
    """Names of computers whose entries are of a later version of the roll, and cannot be read here."""
    older: tuple[str, ...] = ()
    """The same of an earlier version."""


def block_uid(prefix: str, block: int) -> str:
    """Petals' name of a block; `prefix` is the manifest's id."""
    return f"{prefix}{UID_DELIMITER}{block}"


async def announce(
    swarm: Swarm, record: ServerRecord, *, version: str, dtype: str, with_blocks: bool = True
) -> bool:
    """Store the record in the roll and, `with_blocks`, under each of its blocks.

    False when some key was not stored.
    """
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
    head = RollHead(
        record.model_id,
        rounding=record.rounding,
        addresses=record.addresses,
        power=record.power,
        link=record.link,
    )
    return await _store(swarm, head, record.span, info, with_blocks=with_blocks)


async def withdraw(
    swarm: Swarm, model_id: str, span: Span, name: str, leaving: str, *, with_blocks: bool = True
) -> bool:
    """Replace this peer's records by ones that say it is offline, so that nobody routes to it.

    `leaving` says why in the roll: one of domain.pause's farewells.
    """
    info = ServerInfo(
        state=ServerState.OFFLINE,
        throughput=0.0,
        start_block=span.start,
        end_block=span.end,
        public_name=name[:MAX_NAME_LENGTH],
    )
    return await _store(swarm, RollHead(model_id, leaving), span, info, with_blocks=with_blocks)


async def _store(swarm: Swarm, head: RollHead, span: Span, info: Any, *, with_blocks: bool) -> bool:
    now = get_dht_time()
    value = info.to_tuple()
    # The roll first: it is what engines read, and who is about to sleep has little time.
    entry = (head.to_wire(), value)
    stored = {ROLL_KEY: await swarm.dht.store(ROLL_KEY, entry, now + EXPIRE_S, subkey=swarm.peer_id)}
    if with_blocks:
        keys = [block_uid(head.model_id, block) for block in span.blocks]
        stored |= await swarm.dht.store_many(
            keys=keys,
            subkeys=[swarm.peer_id] * len(keys),
            values=[value] * len(keys),
            expiration_time=now + BLOCK_EXPIRE_S,
        )
    return all(stored.values())


async def read_roll(swarm: Swarm) -> Roll | None:
    """Every server of the household that has announced itself, or taken leave, lately; whatever it serves.

    None when nobody who keeps the roll answers, which says nothing about who is there.
    Entries that are malformed are passed over: they come from the network. Of those of another version of the
    roll only the computers' names are told.
    """
    entry = await swarm.dht.get(ROLL_KEY, latest=True)
    if entry is None or not isinstance(entry.value, dict):
        return None
    # In a private swarm everybody is called what the list of members says, whatever they say themselves.
    names = {} if swarm.gate is None else swarm.gate.seals.names
    records: list[ServerRecord] = []
    newer: set[str] = set()
    older: set[str] = set()
    for subkey, stored in list(entry.value.items())[:MAX_PEERS]:
        try:
            record = _parse(
                subkey, getattr(stored, "value", None), float(getattr(stored, "expiration_time", 0.0))
            )
        except OtherVersion as error:
            others = newer if error.version > VERSION else older
            others.add(names.get(subkey) or f"peer {subkey[-6:]}")
            continue
        if record is not None:
            records.append(replace(record, name=names.get(record.peer_id, record.name)))
    records.sort(key=lambda record: (record.span, record.name, record.peer_id))
    return Roll(records, tuple(sorted(newer)[:MAX_UNREAD]), tuple(sorted(older)[:MAX_UNREAD]))


def _parse(subkey: Any, value: Any, expires_s: float) -> ServerRecord | None:
    """The entry of the peer `subkey`; None where it is malformed. Raises OtherVersion."""
    try:
        peer_id = str(PeerID.from_base58(subkey).to_base58())
        written, server = value
        head = RollHead.from_wire(written)
        info = ServerInfo.from_tuple(server)
        offline = info.state == ServerState.OFFLINE
        if info.end_block > MAX_BLOCKS or offline is not (head.leaving in FAREWELLS):
            return None
        seconds_per_block = 1.0 / info.inference_rps if info.inference_rps else None
        if seconds_per_block is not None and seconds_per_block > SLOWEST_BLOCK_S:
            return None
        return ServerRecord(
            peer_id=peer_id,
            name=_printable(info.public_name) or f"peer {peer_id[-6:]}",
            span=Span(info.start_block, info.end_block),
            online=info.state == ServerState.ONLINE,
            seconds_per_block=seconds_per_block,
            cache_tokens_left=info.cache_tokens_left,
            quant=_printable(info.quant_type),
            model_id=head.model_id,
            leaving=head.leaving,
            rounding=head.rounding,
            addresses=tuple(_addresses(head.addresses, peer_id)),
            power=head.power,
            link=head.link,
            expires_s=expires_s,
        )
    except OtherVersion:
        raise
    except Exception:  # noqa: BLE001 - pydantic, base58, unpacking and comparing each raise their own
        return None


def _addresses(texts: Sequence[str], peer_id: str) -> Iterator[str]:
    """Those that are addresses of this very peer. Raises BadRequest for what is none."""
    for text in texts:
        peer, _ = parse_address(text)
        if str(peer.to_base58()) == peer_id:
            yield text


def _printable(text: str | None) -> str:
    return "".join(c for c in (text or "")[:MAX_NAME_LENGTH] if c.isprintable())
