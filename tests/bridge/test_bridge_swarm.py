"""A tiny real swarm: p2pd, DHT and Petals' protocol on loopback, in this process."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import signal
import socket
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from hivemind.p2p import PeerID
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError
from hivemind.proto import runtime_pb2
from hivemind.utils.serializer import MSGPackSerializer

from swarm_app.blocks.compute import ComputeThread
from swarm_app.blocks.host import Host
from swarm_app.blocks.span import SpanModule
from swarm_app.bridge.opinions import ask_opinion
from swarm_app.bridge.records import (
    ROLL_KEY,
    ServerRecord,
    _parse,
    announce,
    block_uid,
    read_roll,
    withdraw,
)
from swarm_app.bridge.roll import OtherVersion
from swarm_app.bridge.service import TransformerConnectionHandler
from swarm_app.bridge.stream import SpanStream
from swarm_app.bridge.swarm import Swarm, parse_address
from swarm_app.bridge.tensors import DUMMY, DUMMY_INT64, pack
from swarm_app.domain.errors import (
    BadRequest,
    CacheFull,
    HomeswarmError,
    PeerLost,
    PeerRefused,
    PortInUse,
    SwarmUnavailable,
)
from swarm_app.domain.pause import FAREWELLS
from swarm_app.domain.span import Span
from tests.families import HIDDEN_SIZE, NUM_BLOCKS, make_model

PREFIX = "m0del"
PEER = "QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"
CACHE_TOKENS = 256
WHOLE = Span(0, NUM_BLOCKS)
REPOSITORY = Path(__file__).parents[2]


def load(span: Span) -> SpanModule:
    model = make_model("llama")
    return SpanModule(model.config, span, lambda index: dict(model.model.layers[index].state_dict()))


@pytest.fixture(scope="module")
def module() -> SpanModule:
    return load(WHOLE)


def record_of(swarm: Swarm, span: Span, **changes: Any) -> ServerRecord:
    fields: dict[str, Any] = {
        "peer_id": swarm.peer_id,
        "name": "desk",
        "span": span,
        "online": True,
        "seconds_per_block": 0.25,
        "cache_tokens_left": CACHE_TOKENS,
        "quant": "none",
        "model_id": PREFIX,
        "rounding": "5142e68e0ab2",
    }
    return ServerRecord(**{**fields, **changes})


@contextlib.asynccontextmanager
async def serving(
    folder: Path, module: SpanModule, *, idle_s: float = 30.0, peers: tuple[str, ...] = ()
) -> AsyncIterator[tuple[Swarm, Host]]:
    name = f"server-{module.span.start}"
    swarm = await Swarm.open(identity_path=folder / f"{name}.id", initial_peers=peers)
    host = Host(
        module, name="desk", cache_tokens=CACHE_TOKENS, compute=ComputeThread(1), on_change=lambda: None
    )
    handler = TransformerConnectionHandler(swarm, host, prefix=PREFIX, version="test", step_timeout_s=idle_s)
    await handler.serve()
    try:
        yield swarm, host
    finally:
        await swarm.close()
        host.close()


@contextlib.asynccontextmanager
async def calling(folder: Path, server: Swarm) -> AsyncIterator[Swarm]:
    swarm = await Swarm.open(
        identity_path=folder / "client.id", initial_peers=await server.addresses(), serves=False
    )
    try:
        yield swarm
    finally:
        await swarm.close()


def stream_to(client: Swarm, server: Swarm, *, max_tokens: int = 64) -> SpanStream:
    return SpanStream(
        client, server.peer_id, "desk", PREFIX, WHOLE, hidden_size=HIDDEN_SIZE, max_tokens=max_tokens
    )


async def until(condition: Callable[[], bool], seconds: float = 5.0) -> None:
    """Look until it is so: what is waited for happens in p2pd, which sets no event of ours."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        await asyncio.sleep(0.01)


async def test_a_session_gives_what_the_layers_give(tmp_path: Path, module: SpanModule) -> None:
    torch.manual_seed(1)
    hidden = torch.randn(1, 20, HIDDEN_SIZE)
    expected = module.step(hidden, module.new_cache(64))
    async with serving(tmp_path, module) as (server, host), calling(tmp_path, server) as client:
        stream = stream_to(client, server)
        await stream.open(5.0)
        assert host.budget.sessions == 1
        outputs = []
        for number, chunk in enumerate(torch.split(hidden, [16, 1, 1, 2], dim=1)):
            stream.send(chunk, f"step {number}")
            # The same step again, as after a push that came late: done once.
            stream.send(chunk, f"step {number}")
            output = await stream.receive(5.0)
            assert output.compute_s is not None
            assert output.compute_s > 0
            outputs.append(output.hidden)
        torch.testing.assert_close(torch.cat(outputs, dim=1), expected, atol=1e-5, rtol=1e-5)
        with pytest.raises(TimeoutError):
            await stream.receive(0.05)
        await stream.close()
        await until(lambda: host.budget.sessions == 0)
        assert host.budget.used == 0


async def test_petals_own_client_runs_through_our_servers(tmp_path: Path) -> None:
    """`RemoteSequential`, as released: a prefill and 20 steps, and its view of our records."""
    torch.manual_seed(2)
    prefill, steps = 12, 20
    hidden = torch.randn(1, prefill + steps, HIDDEN_SIZE)
    first, second = load(Span(0, 4)), load(Span(4, 6))
    cache = first.new_cache(64), second.new_cache(64)
    expected = second.step(first.step(hidden, cache[0]), cache[1])
    async with serving(tmp_path, first) as (one, _):
        addresses = await one.addresses()
        async with serving(tmp_path, second, peers=tuple(addresses)) as (two, _):
            await announce(one, record_of(one, first.span), version="test", dtype="float32")
            await announce(two, record_of(two, second.span, name="attic"), version="test", dtype="float32")
            request = {
                "initial_peers": addresses,
                "prefix": PREFIX,
                "num_blocks": NUM_BLOCKS,
                "inputs": hidden,
                "prefill": prefill,
            }
            torch.save(request, tmp_path / "request.pt")
            said = tmp_path / "said.txt"
            with said.open("wb") as stderr:
                caller = await asyncio.create_subprocess_exec(
                    *(sys.executable, "-m", "tests.bridge.petals_client", str(tmp_path)),
                    cwd=REPOSITORY,
                    stderr=stderr,
                    # hivemind forks its DHT: whatever is left of the group ends with the test.
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
    assert answer["spans"] == [(0, 4), (4, 6)]
    assert answer["names"] == ["attic", "desk"]
    torch.testing.assert_close(answer["outputs"], expected, atol=1e-5, rtol=1e-5)
    torch.testing.assert_close(answer["forward"], expected, atol=1e-5, rtol=1e-5)


async def test_what_cannot_fit_is_refused_with_what_would(tmp_path: Path, module: SpanModule) -> None:
    """Scenario E2: a cache of 256 tokens, an idle session of 200; then 200 and 1000 are asked for."""
    async with serving(tmp_path, module, idle_s=1.0) as (server, host), calling(tmp_path, server) as client:
        idle = stream_to(client, server, max_tokens=200)
        await idle.open(5.0)
        for tokens, told in (
            (200, r"room for a session of 56 tokens now, not for 200"),
            (1000, r"1000 tokens can never fit here: the limit is 256"),
        ):
            refused = stream_to(client, server, max_tokens=tokens)
            with pytest.raises(CacheFull, match=told):
                await refused.open(5.0)
            await refused.close()
        # Nobody ends the idle session: the server does, after idle_s.
        await until(lambda: host.budget.sessions == 0)
        with pytest.raises(PeerLost):
            await idle.receive(5.0)
        await idle.close()
        waited = stream_to(client, server, max_tokens=200)
        await waited.open(5.0)
        await waited.close()


@pytest.mark.parametrize(
    ("met", "kind", "told"),
    [
        (
            RuntimeError("[enforce fail at alloc_cpu.cpp:127] DefaultCPUAllocator: can't allocate memory"),
            CacheFull,
            "desk: There is no memory left for this conversation.",
        ),
        (MemoryError(), CacheFull, "desk: There is no memory left for this conversation."),
        (
            ValueError("/home/ann/secret: shapes"),
            PeerRefused,
            "desk could not do a step: It met an error of its own.",
        ),
    ],
)
async def test_an_error_in_a_step_is_a_sentence_and_gives_the_memory_back(
    tmp_path: Path, module: SpanModule, met: Exception, kind: type[HomeswarmError], told: str
) -> None:
    """Scenario E3 where the process lives on."""

    def fails(*_: object) -> None:
        raise met

    async with serving(tmp_path, module) as (server, host), calling(tmp_path, server) as client:
        stream = stream_to(client, server)
        await stream.open(5.0)
        host._step = fails  # type: ignore[assignment]
        stream.send(torch.zeros(1, 1, HIDDEN_SIZE), "step")
        with pytest.raises(kind) as caught:
            await stream.receive(5.0)
        assert caught.value.message == told
        assert caught.value.remedy == kind.default_remedy
        await stream.close()
        await until(lambda: host.budget.used == 0)


# Its p2pd is killed: hivemind then leaves the connections to it to the garbage collector.
@pytest.mark.filterwarnings("ignore:loop is closed:ResourceWarning")
@pytest.mark.filterwarnings("ignore:unclosed transport <_SelectorSocketTransport:ResourceWarning")
@pytest.mark.filterwarnings("ignore:unclosed <socket.socket .*p2pd-:ResourceWarning")
async def test_a_caller_that_dies_gives_its_memory_back(tmp_path: Path, module: SpanModule) -> None:
    async with serving(tmp_path, module) as (server, host), calling(tmp_path, server) as client:
        stream = stream_to(client, server)
        await stream.open(5.0)
        os.kill(client.p2p._child.pid, signal.SIGKILL)
        await until(lambda: host.budget.sessions == 0)
        with pytest.raises(PeerLost):
            await stream.receive(5.0)
        await stream.close()


async def test_a_server_that_dies_is_lost(tmp_path: Path, module: SpanModule) -> None:
    async with serving(tmp_path, module) as (server, _), calling(tmp_path, server) as client:
        stream = stream_to(client, server)
        await stream.open(5.0)
        os.kill(server.p2p._child.pid, signal.SIGKILL)
        stream.send(torch.zeros(1, 1, HIDDEN_SIZE), "step")
        with pytest.raises(PeerLost):
            await stream.receive(5.0)
        with pytest.raises(PeerLost):
            await stream.receive(0.1)
        await stream.close()
        with pytest.raises(PeerLost):
            await stream_to(client, server).open(7.0)
        assert await client.ping(server.peer_id, 0.5) is None


async def the_roll(swarm: Swarm) -> list[ServerRecord]:
    """The roll without the times at which its entries run out."""
    roll = await read_roll(swarm)
    return [] if roll is None else [replace(record, expires_s=0.0) for record in roll.servers]


async def test_records_come_and_go(tmp_path: Path, module: SpanModule) -> None:
    async with serving(tmp_path, module) as (server, _), calling(tmp_path, server) as client:
        assert await read_roll(client) is None
        # Where the node says that it is reached, at p2pd's own port; never what p2pd found by itself then.
        (found,) = await server.addresses_at(None)
        port = found.split("/")[4]
        reached = await server.addresses_at(["10.77.0.12", "fd00::12"])
        here = f"/tcp/{port}/p2p/{server.peer_id}"
        assert reached == [f"/ip4/10.77.0.12{here}", f"/ip6/fd00::12{here}"]
        assert await server.addresses_at([]) == []
        record = record_of(server, Span(1, 3), addresses=tuple(reached), power="battery", link="wireless")
        assert await announce(server, record, version="test", dtype="float32")
        assert await the_roll(client) == [record]
        odd = replace(record, power="<b>sun</b>", link="wire")
        assert await announce(server, odd, version="test", dtype="float32")
        assert await the_roll(client) == [replace(record, power="", link="wire")], "only words that are known"
        for leaving in sorted(FAREWELLS):
            assert await withdraw(server, PREFIX, Span(1, 3), "desk", leaving)
            (gone,) = await the_roll(client)
            assert (gone.name, gone.online, gone.leaving) == ("desk", False, leaving)
        assert await announce(server, record, version="test", dtype="float32")
        assert await the_roll(client) == [record]


HEAD = {
    "version": 1,
    "model": PREFIX,
    "leaving": "",
    "rounding": "r",
    "addresses": [],
    "power": "mains",
    "link": "wire",
}
SERVER = {"start_block": 0, "end_block": 2, "public_name": "attic", "inference_rps": 10.0}


def entry(*, state: object = 2, throughput: object = 1.0, head: object = None, **fields: object) -> object:
    """An entry of the roll; `fields` go into the head, or where Petals has such a field into its record."""
    server = SERVER | {name: value for name, value in fields.items() if name in SERVER}
    written = HEAD | {name: value for name, value in fields.items() if name not in SERVER}
    return [written if head is None else head, [state, throughput, server]]


MALFORMED: list[object] = [
    None,
    7,
    [],
    [HEAD],
    [PREFIX, "", "r", [], 2, 1.0, SERVER, "mains", "wire"],
    entry(head=7),
    entry(head={"version": 1}),
    entry(head={name: value for name, value in HEAD.items() if name != "version"}),
    entry(version="1"),
    entry(version=True),
    entry(model=17),
    entry(model="m" * 65),
    entry(rounding=["r"]),
    entry(power=None),
    entry(addresses="/ip4"),
    entry(addresses=["/ip4/127.0.0.1/tcp/1/p2p/nobody"]),
    entry(addresses=["/ip4/127.0.0.1/tcp/1" + "/tcp/1" * 100]),
    entry(**{f"field {number}": number for number in range(40)}),
    entry(start_block=3, end_block=3),
    entry(end_block=10**9),
    entry(throughput=float("nan")),
    entry(inference_rps=5e-324),
    entry(inference_rps=float("nan")),
    entry(state=9),
    entry(leaving="awake", state=0),
    entry(leaving="asleep"),
    entry(state=0),
]


@pytest.mark.parametrize("value", MALFORMED)
def test_a_malformed_entry_is_none(value: object) -> None:
    assert _parse(PEER, value, 1.0) is None


@pytest.mark.parametrize("version", [0, 2, 10**18])
def test_an_entry_of_another_version_is_not_read(version: int) -> None:
    with pytest.raises(OtherVersion) as caught:
        _parse(PEER, entry(version=version, model=None), 1.0)
    assert caught.value.version == version


def test_what_a_later_version_of_the_program_adds_to_an_entry_is_passed_over() -> None:
    plain, more = _parse(PEER, entry(), 1.0), _parse(PEER, entry(accelerator="a", memory=[1, 2]), 1.0)
    assert plain is not None
    assert (plain.name, plain.power, plain.rounding, plain.seconds_per_block) == ("attic", "mains", "r", 0.1)
    assert more == plain
    bare = _parse(PEER, entry(head={"version": 1, "model": PREFIX}), 1.0)
    assert bare == replace(plain, rounding="", power="", link="")


async def test_an_entry_that_cannot_be_read_hides_nobody_and_its_computer_is_named(
    tmp_path: Path, module: SpanModule
) -> None:
    from hivemind.utils.timed_storage import get_dht_time

    async with serving(tmp_path, module) as (server, _), calling(tmp_path, server) as client:
        record = record_of(server, Span(0, 2))
        await announce(server, record, version="test", dtype="float32", with_blocks=False)
        named = (f"peer {client.peer_id[-6:]}",)
        for value, newer, older in (
            (7, (), ()),
            (entry(version=2), named, ()),
            (entry(version=0), (), named),
        ):
            await client.dht.store(ROLL_KEY, value, get_dht_time() + 30, subkey=client.peer_id)
            assert await the_roll(client) == [record]
            roll = await read_roll(client)
            assert roll is not None
            assert (roll.newer, roll.older) == (newer, older)


def request_of(hidden: Any = None, uid: str | None = None, metadata: Any = None, **more: Any) -> Any:
    if uid is None:
        uid = " ".join(block_uid(PREFIX, block) for block in WHOLE.blocks)
    tensors = [pack(torch.zeros(1, 1, HIDDEN_SIZE)) if hidden is None else hidden, DUMMY, DUMMY_INT64]
    if not isinstance(metadata, bytes):
        metadata = MSGPackSerializer.dumps(metadata or {"max_length": 8})
    return runtime_pb2.ExpertRequest(uid=uid, tensors=more.get("tensors", tensors), metadata=metadata)


def lying(**fields: Any) -> Any:
    message = pack(torch.zeros(1, 1, HIDDEN_SIZE))
    for name, value in fields.items():
        if name == "size":
            del message.size[:]
            message.size.extend(value)
        else:
            setattr(message, name, value)
    return message


BAD_REQUESTS = {
    "no metadata": request_of(metadata=b"\xc1"),
    "metadata that is a list": request_of(metadata=MSGPackSerializer.dumps([1])),
    "no length": request_of(metadata={"session_id": "x"}),
    "a negative length": request_of(metadata={"max_length": -1}),
    "an enormous length": request_of(metadata={"max_length": 10**12}),
    "blocks of another model": request_of(uid="other.0"),
    "blocks out of order": request_of(uid=f"{PREFIX}.1 {PREFIX}.0"),
    "no blocks": request_of(uid=""),
    "another width": request_of(hidden=pack(torch.zeros(1, 1, HIDDEN_SIZE + 1))),
    "a shape that is not in the buffer": request_of(hidden=lying(size=[1, 8, HIDDEN_SIZE])),
    "more tokens than room": request_of(hidden=pack(torch.zeros(1, 9, HIDDEN_SIZE))),
    "a huge batch": request_of(hidden=lying(size=[10**6, 1, HIDDEN_SIZE])),
    "an unknown type": request_of(hidden=lying(dtype="complex64")),
    "another compression": request_of(hidden=lying(compression=4)),
    "deep prompts": request_of(tensors=[pack(torch.zeros(1, 1, HIDDEN_SIZE)), pack(torch.zeros(1, 1, 4))]),
    "beam indices outside the batch": request_of(
        tensors=[
            pack(torch.zeros(1, 1, HIDDEN_SIZE)),
            DUMMY,
            runtime_pb2.Tensor(buffer=(5).to_bytes(8, "little"), size=[1], dtype="int64"),
        ]
    ),
    "a session id that is no string": request_of(metadata={"max_length": 8, "session_id": 5}),
}


async def test_two_swarms_that_are_told_of_each_other_become_one(tmp_path: Path) -> None:
    one = await Swarm.open(identity_path=tmp_path / "one.id")
    try:
        other = await Swarm.open(identity_path=tmp_path / "other.id")
        try:
            assert await one.ping(other.peer_id, 1.0) is None
            one.meet(["nonsense", *await one.addresses(), *await other.addresses()])
            await until(lambda: known(one, other) and known(other, one))
        finally:
            await other.close()
    finally:
        await one.close()


def known(by: Swarm, whom: Swarm) -> bool:
    return whom.p2p.peer_id in by.dht.protocol.routing_table.peer_id_to_uid


async def test_malformed_requests_are_refused_and_leave_nothing(tmp_path: Path, module: SpanModule) -> None:
    async with serving(tmp_path, module) as (server, host), calling(tmp_path, server) as client:
        stub = TransformerConnectionHandler.get_stub(client.p2p, PeerID.from_base58(server.peer_id))

        async def one(request: Any) -> AsyncIterator[Any]:
            # Left open, as a session's stream is: hivemind closes its end right after it sent an error, and
            # an end-of-stream that p2pd has not handed over by then resets the socket, and the error is lost.
            yield request
            await asyncio.Event().wait()

        for what, request in BAD_REQUESTS.items():
            replies = await stub.rpc_inference(one(request))
            with pytest.raises(P2PHandlerError, match=r"\[(bad-request|protocol)\] "):
                async with asyncio.timeout(5.0):
                    [reply async for reply in replies]
            assert host.budget.used == 0, what
        # And it still works.
        stream = stream_to(client, server)
        await stream.open(5.0)
        await stream.close()


async def test_a_second_opinion_is_what_the_other_peer_finds(tmp_path: Path, module: SpanModule) -> None:
    async with serving(tmp_path, module) as (server, _), calling(tmp_path, server) as client:
        third = await Swarm.open(identity_path=tmp_path / "third.id", initial_peers=await server.addresses())
        try:
            assert await ask_opinion(client, server.peer_id, third.peer_id, 5.0) is True
            os.kill(third.p2p._child.pid, signal.SIGKILL)
            await third.ended()
            assert await ask_opinion(client, server.peer_id, third.peer_id, 5.0) is False
            assert await ask_opinion(client, server.peer_id, "nobody", 5.0) is False
            assert await ask_opinion(client, third.peer_id, server.peer_id, 1.0) is None
        finally:
            await third.close()


async def test_rpcs_that_train_are_not_there(tmp_path: Path, module: SpanModule) -> None:
    from petals.server.handler import TransformerConnectionHandler as PetalsHandler

    async with serving(tmp_path, module) as (server, _), calling(tmp_path, server) as client:
        stub = PetalsHandler.get_stub(client.p2p, PeerID.from_base58(server.peer_id))
        with pytest.raises(Exception, match="protocol"):
            await stub.rpc_backward(runtime_pb2.ExpertRequest(uid=block_uid(PREFIX, 0)), timeout=5.0)


@pytest.mark.filterwarnings("ignore:Exception ignored in. .*BaseSubprocessTransport")
@pytest.mark.filterwarnings("ignore:unclosed transport:ResourceWarning")
async def test_what_keeps_a_computer_from_listening_is_named(tmp_path: Path) -> None:
    """hivemind leaves what is left of a daemon that ended by itself to the garbage collector."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(PortInUse, match=f"uses the port {port}") as error:
            await Swarm.open(identity_path=tmp_path / "key", listen_port=port)
    assert "--swarm-port" in error.value.remedy
    with pytest.raises(SwarmUnavailable, match=r"does not have the address 198\.51\.100\.7") as elsewhere:
        await Swarm.open(identity_path=tmp_path / "key", listen_host="198.51.100.7")
    assert "--listen" in elsewhere.value.remedy
    del error, elsewhere
    gc.collect()


@pytest.mark.skipif(not Path("/proc/net/if_inet6").exists(), reason="this computer has no IPv6")
async def test_listening_on_every_address_is_that_of_both_families(tmp_path: Path) -> None:
    swarm = await Swarm.open(identity_path=tmp_path / "both.key", listen_host="::")
    try:
        asker = await Swarm.open(identity_path=tmp_path / "asker.key", serves=False)
        try:
            for address in await swarm.addresses_at(["::1", "127.0.0.1"]):
                assert await asker.connect(address), address
        finally:
            await asker.close()
    finally:
        await swarm.close()


@pytest.mark.parametrize(
    "text",
    ["", "/ip4/127.0.0.1/tcp/1", "/ip4/127.0.0.1/tcp/1/p2p/", "/ip4/127.0.0.1/tcp/1/p2p/abc", "x" * 9999],
)
def test_a_malformed_address_is_named(text: str) -> None:
    with pytest.raises(BadRequest, match="is not the address of a peer"):
        parse_address(text)
