"""Broken messages for everything in membership that reads what comes from outside.

    python -m tests.membership.fuzz --inputs 100000

Each input is a true message or link with some of its bytes changed, cut, doubled, or put in another's place,
or plain noise, given to one of the readers. A reader answers or refuses by MembershipError, within
TOO_SLOW_S, and what it takes for true reads back to the very same bytes.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import sys
import time
from collections.abc import Callable
from functools import cache

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from swarm_app.domain.clock import ManualClock
from swarm_app.membership.admitting import Admitter
from swarm_app.membership.binding import Binding
from swarm_app.membership.certificates import Certificate, Role, verify_chain
from swarm_app.membership.credentials import Credentials
from swarm_app.membership.encoding import kind_of
from swarm_app.membership.errors import MembershipError
from swarm_app.membership.handshake import Initiator, Responder, channel_of
from swarm_app.membership.joining import Joiner
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.links import Endpoint, Link, parse_link
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.nearby import Host, Seeker, read_welcome, welcome
from swarm_app.membership.refusals import read_refusal, refuse
from swarm_app.membership.sealed import open_sealed, seal
from swarm_app.membership.statements import Invite, Member
from swarm_app.membership.succession import Succession, rotate
from swarm_app.node.doorway import Doorway
from swarm_app.node.telling import Telling
from tests.membership.swarms import MODEL, NOW_S, TinySwarm

TOO_SLOW_S = 2.0
"""Far above what any of them takes; a hang is what is looked for."""

Reader = Callable[[bytes], object]


class Corpus:
    """True messages of every kind, and the readers."""

    def __init__(self) -> None:
        swarm = TinySwarm()
        attic = swarm.add("attic", Role.ADMIN)
        laptop = swarm.add("laptop", by=attic)
        self.swarm, self.laptop = swarm, laptop
        self.clock = ManualClock(NOW_S)
        link = Link.make(swarm.id, NOW_S + 3600, [Endpoint("10.77.0.11", 41000), Endpoint("2001:db8::1", 9)])
        invite = Invite(swarm.id, link.signer().public, Role.MEMBER, "", 1, link.expires_s, False, 1, 0)
        self.members = swarm.members.issue(attic.key, attic.chain, now_s=NOW_S, invites=[invite])
        self.link = link
        news, _, _ = rotate(self.members, swarm.desk.chain, swarm.desk.key, PrivateKey.generate(), NOW_S)
        initiator, responder = self.initiator(), self.responder()
        hello = initiator.hello()
        challenge = responder.challenge(hello)
        proof = initiator.prove(challenge)
        _, answer = responder.finish(proof)
        joiner, admitter = self.joiner(), self.admitter()
        ask = joiner.ask()
        joinable = admitter.challenge(ask, self.members)
        request = joiner.prove(joinable)
        admitted = admitter.admit(
            request, self.members, endpoints=[Endpoint("10.0.0.1", 1)], peers=["/ip4/x"]
        )
        doors = (Endpoint("10.0.0.1", 1),)
        telling = Telling(b"i" * 16, doors, ((attic.key.public, doors),), ("/ip4/10.0.0.1/tcp/1/p2p/Qm",))
        record = seal(b"blocks", "roll", laptop.chain, laptop.binding(), laptop.process)
        credentials = Credentials(laptop.chain, laptop.binding(), self.members, MODEL)
        seeker, host = Seeker("phone", channel=b"c"), Host("home", "desk", channel=b"c")
        knock = seeker.knock()
        greeting = host.greet(knock)
        self.messages = [
            *(knock, greeting, seeker.reveal(greeting), welcome(link)),
            laptop.chain[0].to_bytes(),
            laptop.binding().to_bytes(),
            self.members.current.members[0].to_bytes(),
            self.members.current.invites[0].to_bytes(),
            self.members.current.to_bytes(),
            *(hello, challenge, proof, answer, ask, joinable, request, admitted.answer),
            refuse(MembershipError("No.", remedy="Try again.")),
            news.to_bytes(),
            telling.to_bytes(),
            record,
            credentials.to_bytes(),
            link.text().encode("ascii"),
        ]
        self.readers: list[Reader] = [
            lambda data: _same(Certificate.from_bytes(data), data),
            lambda data: verify_chain((Certificate.from_bytes(data), *laptop.chain[1:]), swarm.id, NOW_S),
            lambda data: _same(Binding.from_bytes(data), data),
            lambda data: _same(Member.from_bytes(data), data),
            lambda data: _same(Invite.from_bytes(data), data),
            lambda data: self.members.merge(MemberList.from_bytes(data)),
            lambda data: self.responder().challenge(data),
            lambda data: self._begun_responder().finish(data),
            lambda data: self._begun_initiator().prove(data),
            lambda data: self._proved_initiator().finish(data),
            lambda data: self.admitter().challenge(data, self.members),
            lambda data: self._begun_admitter().admit(data, self.members),
            lambda data: self._begun_joiner().prove(data),
            lambda data: self.joiner().finish(data),
            lambda data: read_refusal(data),
            lambda data: Succession.from_bytes(data).check(self.members),
            lambda data: _same(Telling.from_bytes(data), data),
            lambda data: open_sealed(data, "roll", self.members, NOW_S),
            lambda data: _same(Credentials.from_bytes(data), data),
            lambda data: Host("home", "desk", channel=b"c").greet(data),
            lambda data: self._greeted_host().meet(data),
            lambda data: self._knocked_seeker().reveal(data),
            read_welcome,
            lambda data: parse_link(data.decode("utf-8", "replace")),
            lambda data: kind_of(data),
            framed,
        ]

    def initiator(self) -> Initiator:
        channel = channel_of(self.laptop.peer_id, self.swarm.desk.peer_id)
        return Initiator(
            self.laptop.party(self.members), self.clock, channel=channel, peer_id=self.swarm.desk.peer_id
        )

    def responder(self) -> Responder:
        channel = channel_of(self.laptop.peer_id, self.swarm.desk.peer_id)
        return Responder(
            self.swarm.desk.party(self.members), self.clock, channel=channel, peer_id=self.laptop.peer_id
        )

    def _begun_responder(self) -> Responder:
        responder = self.responder()
        responder.challenge(self.initiator().hello())
        return responder

    def _begun_initiator(self) -> Initiator:
        initiator = self.initiator()
        initiator.hello()
        return initiator

    def _proved_initiator(self) -> Initiator:
        initiator = self.initiator()
        initiator.prove(self.responder().challenge(initiator.hello()))
        return initiator

    def _greeted_host(self) -> Host:
        host = Host("home", "desk", channel=b"c")
        host.greet(Seeker("phone", channel=b"c").knock())
        return host

    def _knocked_seeker(self) -> Seeker:
        seeker = Seeker("phone", channel=b"c")
        seeker.knock()
        return seeker

    def joiner(self) -> Joiner:
        return Joiner(self.swarm.id, _NEWCOMER, "phone", self.clock, channel=b"c", link=self.link)

    def _begun_joiner(self) -> Joiner:
        joiner = self.joiner()
        joiner.ask()
        return joiner

    def admitter(self) -> Admitter:
        desk = self.swarm.desk
        return Admitter(desk.chain, desk.key, self.swarm.key, self.clock, channel=b"c")

    def _begun_admitter(self) -> Admitter:
        admitter = self.admitter()
        admitter.challenge(self.joiner().ask(), self.members)
        return admitter


_NEWCOMER = PrivateKey.generate()


def framed(data: bytes) -> object:
    """The frames of a door, read from a connection that carries these bytes and ends."""

    async def read() -> list[bytes]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        doorway = Doorway(reader, None, b"", Endpoint("10.0.0.1", 1))  # type: ignore[arg-type]
        frames = []
        while True:
            frames.append(await doorway.receive(4096))

    return asyncio.run(read())


def _same(found: object, data: bytes) -> object:
    assert found.to_bytes() == data, "one message, two encodings"  # type: ignore[attr-defined]
    return found


@cache
def corpus() -> Corpus:
    return Corpus()


@st.composite
def inputs(draw: st.DrawFn) -> tuple[int, bytes]:
    """(reader, bytes)."""
    known = corpus()
    reader = draw(st.integers(0, len(known.readers) - 1))
    if draw(st.integers(0, 9)) == 0:
        return reader, draw(st.binary(max_size=300))
    data = bytearray(known.messages[draw(st.integers(0, len(known.messages) - 1))])
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, max(0, len(data) - 1)))
        match draw(st.integers(0, 5)):
            case 0:
                data[at : at + 1] = bytes([draw(st.integers(0, 255))])
            case 1:
                del data[at : at + draw(st.integers(1, 64))]
            case 2:
                data[at:at] = draw(st.binary(min_size=1, max_size=16))
            case 3:  # lengths that promise more than there is
                data[at : at + 5] = draw(st.sampled_from(BOMBS))
            case 4:
                data[at:at] = data[at : at + draw(st.integers(1, 64))]
            case _:
                other = known.messages[draw(st.integers(0, len(known.messages) - 1))]
                data[at:] = other[draw(st.integers(0, len(other))) :]
    return reader, bytes(data)


BOMBS = [
    b"\xdd\xff\xff\xff\xff",
    b"\xdb\xff\xff\xff\xff",
    b"\xc6\xff\xff\xff\xff",
    b"\xdf\xff\xff\xff\xff",
    b"\x91" * 5,
]


def check(given_input: tuple[int, bytes]) -> None:
    """One input."""
    reader, data = given_input
    began_s = time.monotonic()
    with contextlib.suppress(MembershipError):
        corpus().readers[reader](data)
    assert time.monotonic() - began_s < TOO_SLOW_S


def fuzz(count: int) -> None:
    """`count` inputs. Raises what a reader raised, with the smallest input that does it."""
    quiet = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
    settings(max_examples=count, deadline=None, database=None, suppress_health_check=quiet)(
        given(inputs())(check)
    )()


def main() -> int:
    parser = argparse.ArgumentParser(description="Give broken messages to the readers of membership.")
    parser.add_argument("--inputs", type=int, default=100_000)
    count: int = parser.parse_args().inputs
    began_s = time.monotonic()
    fuzz(count)
    took_s = time.monotonic() - began_s
    print(f"{count} inputs to {len(corpus().readers)} readers in {took_s:.0f} s: none broke one")
    return 0


if __name__ == "__main__":
    sys.exit(main())
