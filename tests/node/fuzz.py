"""What reads at the door, from other nodes, and from neighbours, for `tests.fuzzing`."""

from __future__ import annotations

import asyncio
import atexit
import base64
import shutil
import tempfile
from collections.abc import Coroutine
from functools import cache
from pathlib import Path
from typing import Any, cast

from swarm_app.membership.errors import NobodyAnswers, NotAllowed
from swarm_app.membership.keys import KEY_BYTES
from swarm_app.membership.links import Endpoint, Link
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.nearby import Host
from swarm_app.membership.succession import Succession
from swarm_app.membership.vault import FileVault
from swarm_app.node.belonging import Belonging
from swarm_app.node.door import FIRST_BYTES, Door
from swarm_app.node.doorway import Doorway
from swarm_app.node.gossip import Gossip
from swarm_app.node.nearby import announced
from swarm_app.node.private import members_from_base64
from swarm_app.node.registrar import Registrar
from swarm_app.node.telling import Telling
from tests.fuzzing import Reader
from tests.membership.fuzz import corpus

HERE = Endpoint("10.0.0.1", 1)


class Wire:
    """A connection that carries these frames and ends; what is sent back is dropped."""

    channel, where = b"c", HERE

    def __init__(self, frames: list[bytes]) -> None:
        self._frames = frames

    async def send(self, message: bytes) -> None:
        return

    async def receive(self, max_bytes: int) -> bytes:
        if not self._frames:
            raise NobodyAnswers("The computer hung up.")
        frame = self._frames.pop(0)
        assert len(frame) <= max_bytes or len(frame) > FIRST_BYTES
        return frame


class Nodes:
    """A founder's node, made anew for each message: what one message changes is not the next one's."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="hs-fuzz-"))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.known = corpus()

    def registrar(self) -> Registrar:
        desk = self.known.swarm.desk
        registrar = Registrar(
            self.folder / "swarm.json", FileVault(self.folder / "secrets.json"), self.known.clock
        )
        registrar.register.belonging = Belonging(desk.chain, self.known.members, founder=True)
        registrar._keys.use(desk.key, self.known.swarm.key)
        return registrar

    def gossip(self) -> Gossip:
        return Gossip(
            self.registrar(),
            self.known.clock,
            own_endpoints=lambda: (HERE,),
            own_peers=lambda: (),
            on_heard=lambda heard: None,
        )

    def hear_a_telling(self, data: bytes) -> None:
        telling = Telling.from_bytes(data)
        assert telling.to_bytes() == data, "one message, two encodings"
        self.gossip().told(self.known.laptop.key.public, HERE, telling, called_us=True)

    def talk_at_the_door(self, data: bytes) -> None:
        """With these bytes as the first message, and as those after it."""

        async def decide(host: Host) -> Link:
            raise NotAllowed("No.")

        async def talk() -> None:
            door = Door(
                self.registrar(),
                self.known.clock,
                told=lambda key, where, telling: telling,
                endpoints=lambda: (HERE,),
                peers=lambda: (),
                on_news=lambda: None,
                decide=decide,
            )
            async with asyncio.timeout(10) as limit:
                await door._talk(cast(Doorway, Wire([data, data, data])), limit)

        _run(talk())


def _frames(data: bytes) -> None:
    """The frames of a door, read from a connection that carries these bytes and ends."""

    async def read() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        doorway = Doorway(reader, cast(asyncio.StreamWriter, None), b"", HERE)
        while True:
            await doorway.receive(4096)

    _run(read())


def _run(work: Coroutine[Any, Any, None]) -> None:
    with asyncio.Runner() as runner:
        runner.run(work)


def _announcement(data: bytes) -> None:
    text = data.decode("utf-8", "replace")
    found = announced([text, text[:15], "10.0.0.1"], int.from_bytes(data[:2], "big"), {b"name": data})
    assert found is None or len(found.name) <= 64


@cache
def readers() -> list[Reader]:
    nodes, known = Nodes(), corpus()
    messages = {reader.name: reader.message for reader in known.readers}
    laptop = known.laptop
    telling = Telling(
        b"i" * 16,
        (HERE,),
        ((known.swarm.devices["attic"].key.public, (HERE,)), (b"k" * KEY_BYTES, (HERE,))),
        ("/ip4/10.0.0.1/tcp/1/p2p/Qm",),
        (known.members.current.members[0], laptop.chain),
    )
    frame = len(messages["hello"]).to_bytes(4, "big") + messages["hello"]
    listed = messages["list of members"]
    door = [
        Reader(f"door: {first}", nodes.talk_at_the_door, messages[first])
        for first in ("hello", "ask", "knock", "news of a new key")
    ]
    return [
        Reader("frames of a door", _frames, frame * 3),
        *door,
        Reader("what a node tells", nodes.hear_a_telling, telling.to_bytes()),
        Reader("registrar: list", lambda data: nodes.registrar().hear(MemberList.from_bytes(data)), listed),
        Reader(
            "registrar: new key",
            lambda data: nodes.registrar().hear_news(Succession.from_bytes(data)),
            messages["news of a new key"],
        ),
        Reader(
            "list from a child",
            lambda data: members_from_base64(data.decode("latin-1")),
            base64.b64encode(listed),
        ),
        Reader("neighbour's announcement", _announcement, b"Ada's household"),
    ]
