"""C3: whom a node remembers, and where it writes that down."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.childproto import Listening, SeenPeer, SwarmSeen
from swarm_app.config import peersfile
from swarm_app.config.peersfile import MAX_ADDRESSES, MAX_PEERS, KnownPeer, Remembered, known_peer
from swarm_app.domain.span import Span
from swarm_app.node import memory
from swarm_app.node.acquaintances import join_addresses, remember
from swarm_app.node.children import Kind
from swarm_app.node.events import ChildReported, ChildStarted, StopAsked
from swarm_app.node.memory import Memory
from swarm_app.node.state import AWAY, ModelInfo, NodeInfo, Plan, first_state
from swarm_app.node.store import Store


def identity(number: int) -> str:
    return f"12D3KooWPeer{'ABCDEFGHJK'[number // 10]}{'ABCDEFGHJK'[number % 10]}PeerPeer"


def address(number: int, port: int = 4000) -> str:
    return f"/ip4/10.77.0.{number + 10}/tcp/{port}/p2p/{identity(number)}"


def seen(number: int, state: str = "available", *ports: int) -> SeenPeer:
    addresses = [address(number, port) for port in ports or (4000,)]
    return SeenPeer(
        identity(number), f"N{number}", 0, 8, state, True, "", None, None, None, addresses=addresses
    )


def names(known: tuple[KnownPeer, ...]) -> list[str]:
    return [peer.name for peer in known]


def test_who_is_there_is_remembered_and_who_goes_is_not_forgotten() -> None:
    known = remember((), [seen(1), seen(2), seen(3)], set())
    assert names(known) == ["N1", "N2", "N3"]
    known = remember(known, [seen(1, "asleep"), seen(2), seen(3)], set())
    assert names(known) == ["N2", "N3", "N1"]
    known = remember(known, [seen(3)], set())
    assert names(known) == ["N3", "N2", "N1"]
    assert join_addresses(known) == (address(3), address(2), address(1))
    assert remember(known, [], set()) == known


def test_a_peer_that_moved_is_remembered_where_it_is() -> None:
    known = remember((), [seen(1)], set())
    known = remember(known, [seen(1, "available", 5000)], set())
    assert join_addresses(known) == (address(1, 5000),)
    # A record that is being withdrawn names no address: the last one stays.
    gone = SeenPeer(identity(1), "N1", 0, 8, "left", False, "", None, None, None)
    assert remember(known, [gone], set()) == known


def test_the_node_itself_and_strangers_are_not_remembered() -> None:
    known = remember((), [seen(1), seen(2, "left"), seen(3)], {identity(3)})
    assert names(known) == ["N1"]
    liar = SeenPeer(identity(4), "N4", 0, 8, "available", True, "", None, None, None, addresses=[address(5)])
    assert remember((), [liar], set()) == ()


def test_first_addresses_come_before_second_ones() -> None:
    known = remember((), [seen(1, "available", 1, 2), seen(2, "available", 3)], set())
    assert join_addresses(known) == (address(1, 1), address(2, 3), address(1, 2))


@given(
    st.lists(
        st.lists(
            st.tuples(st.integers(0, 40), st.sampled_from(["available", "joining", *AWAY])),
            max_size=40,
            unique_by=lambda entry: entry[0],
        ),
        max_size=6,
    )
)
def test_whatever_is_seen_the_memory_stays_small_and_has_those_who_are_there(
    looks: list[list[tuple[int, str]]],
) -> None:
    known: tuple[KnownPeer, ...] = ()
    for look in looks:
        peers = [seen(number, state) for number, state in look]
        before, known = known, remember(known, peers, {identity(0)})
        assert remember(known, peers, {identity(0)}) == known, "a second look changes nothing"
        assert len(known) <= MAX_PEERS
        assert len({peer.peer_id for peer in known}) == len(known)
        there = {peer.peer_id for peer in peers if peer.state not in AWAY} - {identity(0)}
        mine = {peer.peer_id for peer in known}
        assert there <= mine or (len(mine) == MAX_PEERS and mine <= there)
        assert mine <= there | {peer.peer_id for peer in before}


# ---------------------------------------------------------------- the file


def test_the_file_is_private_and_comes_back_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "peers.json"
    assert peersfile.read(path) == Remembered()
    peer = known_peer(identity(1), "Жанна", [address(1), address(1), "/ip6/fd00::1/tcp/1/p2p/" + identity(1)])
    assert peer is not None
    assert len(peer.addresses) == 2
    written = Remembered(4000, (peer,))
    peersfile.write(path, written)
    assert path.stat().st_mode & 0o777 == 0o600
    assert peersfile.read(path) == written


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "/ip4/10.0.0.1/tcp/4000",
        "/ip4/10.0.0.1/tcp/4000/p2p/" + identity(2),
        "/ip4/10.0.0.300/tcp/4000/p2p/" + identity(1),
        "/ip4/10.0.0.1/tcp/70000/p2p/" + identity(1),
        "/ip4/10.0.0.1/tcp/0/p2p/" + identity(1),
        "/ip4/0.0.0.0/tcp/1/p2p/" + identity(1),
        "/ip6/10.0.0.1/tcp/1/p2p/" + identity(1),
        "/ip4/::1/tcp/1/p2p/" + identity(1),
        "/dns4/a b/tcp/1/p2p/" + identity(1),
        "/ip4/10.0.0.1/tcp/1/p2p/" + identity(1) + "\n",
        "/unix/tmp/x/p2p/" + identity(1),
    ],
)
def test_an_address_that_would_stop_a_child_from_starting_is_not_kept(wrong: str) -> None:
    assert known_peer(identity(1), "N1", [wrong]) is None


def test_names_and_lists_are_bounded() -> None:
    peer = known_peer(identity(1), "x" * 500, [address(1, port) for port in range(1, 50)])
    assert peer is not None
    assert len(peer.name) == 64
    assert len(peer.addresses) == MAX_ADDRESSES


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just(address(1)),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["port", "peers", "peer_id", "name", "addresses"]), inner, max_size=4
        )
    ),
)


@given(json_values | st.binary(max_size=30))
def test_whatever_is_in_the_file_the_node_starts(
    tmp_path_factory: pytest.TempPathFactory, content: object
) -> None:
    path = tmp_path_factory.mktemp("peers") / "peers.json"
    path.write_bytes(content if isinstance(content, bytes) else json.dumps(content).encode())
    read = peersfile.read(path)
    assert len(read.peers) <= MAX_PEERS
    assert 0 <= read.port < 65536


def test_broken_entries_cost_only_themselves(tmp_path: Path) -> None:
    path = tmp_path / "peers.json"
    good = {"peer_id": identity(1), "name": "N1", "addresses": [address(1), 7, "x"]}
    content = {
        "port": 70000,
        "peers": [None, {"peer_id": 3}, good, good, {**good, "addresses": []}],
    }
    path.write_text(json.dumps(content))
    assert peersfile.read(path) == Remembered(0, (KnownPeer(identity(1), "N1", (address(1),)),))


# ---------------------------------------------------------------- writing it down


def fresh_store() -> Store:
    wanted = Plan(Span(0, 8), True, (), "127.0.0.1", 0, 64, 32, 0, ("b", "e"))
    info = NodeInfo("N1", "0", os.getpid(), 0.0, "/p")
    return Store(first_state(info, ModelInfo("tiny", "ab" * 32, 8, "none", "/m"), wanted))


class Counted:
    """Stands for the file and counts how often it is written."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, fails: bool = False) -> None:
        self.contents: list[Remembered] = []
        self.written = asyncio.Event()
        self.fails = fails
        monkeypatch.setattr(peersfile, "write", self.write)

    def write(self, path: Path, content: Remembered) -> None:
        self.contents.append(content)
        self.written.set()
        if self.fails:
            raise OSError(28, "No space left on device")


def looks(store: Store, *peers: SeenPeer) -> None:
    store.apply(ChildReported(Kind.ENGINE, SwarmSeen(8, list(peers)), 0.0))


async def test_a_household_that_gathers_is_written_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "SETTLE_S", 0.05)
    file, store = Counted(monkeypatch), fresh_store()
    running = asyncio.create_task(Memory(store, Path("peers.json"), Remembered()).run())
    store.apply(ChildStarted(Kind.BLOCKS, 7))
    store.apply(ChildReported(Kind.BLOCKS, Listening(identity(0), [address(0)]), 0.0))
    for number in range(1, 6):
        looks(store, *(seen(other) for other in range(1, number + 1)))
    async with asyncio.timeout(5):
        await file.written.wait()
    # What changes soon after waits for the end of the node or for half a minute.
    looks(store, seen(7))
    assert len(file.contents) == 1
    store.apply(StopAsked("test"))
    async with asyncio.timeout(5):
        await running
    gathered, last = file.contents
    assert gathered.port == last.port == 4000
    assert names(gathered.peers) == ["N1", "N2", "N3", "N4", "N5"]
    assert names(last.peers)[0] == "N7"


async def test_nothing_new_is_not_written_and_a_full_disk_costs_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    known = remember((), [seen(1)], set())
    file, store = Counted(monkeypatch, fails=True), fresh_store()
    store.state = first_state(store.state.node, store.state.model, store.state.plan, known, 4000)
    running = asyncio.create_task(Memory(store, Path("peers.json"), Remembered(4000, known)).run())
    looks(store, seen(1))
    await asyncio.sleep(0)
    assert file.contents == []
    looks(store, seen(2))
    store.apply(StopAsked("test"))
    async with asyncio.timeout(5):
        await running
    assert [names(content.peers) for content in file.contents] == [["N2", "N1"]]
    assert file.contents[0].port == 4000


async def test_what_the_disk_refused_is_written_when_the_node_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "SETTLE_S", 0.01)
    file, store = Counted(monkeypatch, fails=True), fresh_store()
    running = asyncio.create_task(Memory(store, Path("peers.json"), Remembered()).run())
    looks(store, seen(1))
    async with asyncio.timeout(5):
        await file.written.wait()
    file.fails = False
    store.apply(StopAsked("test"))
    async with asyncio.timeout(5):
        await running
    assert [names(content.peers) for content in file.contents] == [["N1"], ["N1"]]
