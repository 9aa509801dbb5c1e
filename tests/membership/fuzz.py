"""What reads links, certificates, statements, handshakes and joining, for `tests.fuzzing`."""

from __future__ import annotations

from functools import cache

from swarm_app.domain.clock import ManualClock
from swarm_app.membership.admitting import Admitter, swarm_of_ask
from swarm_app.membership.binding import Binding
from swarm_app.membership.certificates import Certificate, Role, verify_chain
from swarm_app.membership.credentials import Credentials
from swarm_app.membership.encoding import kind_of
from swarm_app.membership.errors import MembershipError
from swarm_app.membership.handshake import Initiator, Responder, channel_of, swarm_of_hello
from swarm_app.membership.joining import Joiner
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.links import Endpoint, Link, parse_link
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.nearby import Host, Seeker, read_welcome, welcome
from swarm_app.membership.refusals import read_refusal, refuse
from swarm_app.membership.sealed import open_sealed, seal
from swarm_app.membership.signed import SignedRecord
from swarm_app.membership.statements import Invite, Member
from swarm_app.membership.succession import Succession, rotate
from tests.fuzzing import Reader
from tests.membership.swarms import MODEL, NOW_S, TinySwarm


class Corpus:
    """True messages of every kind, and who reads them."""

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
        record = seal(b"blocks", "roll", laptop.chain, laptop.binding(), laptop.process)
        credentials = Credentials(laptop.chain, laptop.binding(), self.members, MODEL)
        seeker, host = Seeker("phone", channel=b"c"), Host("home", "desk", channel=b"c")
        knock = seeker.knock()
        greeting = host.greet(knock)
        reveal, welcomed = seeker.reveal(greeting), welcome(link)
        current = self.members.current
        no = refuse(MembershipError("No.", remedy="Try again."))
        chain, swarm_id = laptop.chain, swarm.id
        self.readers = [
            _record("certificate", Certificate, chain[0]),
            Reader(
                "chain of certificates",
                lambda data: verify_chain((Certificate.from_bytes(data), *chain[1:]), swarm_id, NOW_S),
                chain[0].to_bytes(),
            ),
            _record("binding", Binding, laptop.binding()),
            _record("statement about a member", Member, current.members[0]),
            _record("statement about an invite", Invite, current.invites[0]),
            Reader(
                "list of members",
                lambda data: self.members.merge(MemberList.from_bytes(data)),
                current.to_bytes(),
            ),
            Reader("hello", lambda data: self.responder().challenge(data), hello),
            Reader("swarm of a hello", swarm_of_hello, hello),
            Reader("challenge", lambda data: self._begun_initiator().prove(data), challenge),
            Reader("proof", lambda data: self._begun_responder().finish(data), proof),
            Reader("answer", lambda data: self._proved_initiator().finish(data), answer),
            Reader("ask", lambda data: self.admitter().challenge(data, self.members), ask),
            Reader("swarm of an ask", swarm_of_ask, ask),
            Reader("answer to an ask", lambda data: self._begun_joiner().prove(data), joinable),
            Reader("request", lambda data: self._begun_admitter().admit(data, self.members), request),
            Reader("admission", lambda data: self.joiner().finish(data), admitted.answer),
            Reader("refusal", read_refusal, no),
            Reader(
                "news of a new key",
                lambda data: Succession.from_bytes(data).check(self.members),
                news.to_bytes(),
            ),
            Reader("sealed record", lambda data: open_sealed(data, "roll", self.members, NOW_S), record),
            Reader(
                "credentials", lambda data: _same(Credentials.from_bytes(data), data), credentials.to_bytes()
            ),
            Reader("knock", lambda data: Host("home", "desk", channel=b"c").greet(data), knock),
            Reader("greeting", lambda data: self._knocked_seeker().reveal(data), greeting),
            Reader("reveal", lambda data: self._greeted_host().meet(data), reveal),
            Reader("welcome", read_welcome, welcomed),
            Reader("link", lambda data: parse_link(data.decode("utf-8", "replace")), link.text().encode()),
            Reader("kind of a message", kind_of, hello),
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


def _record(name: str, kind: type[SignedRecord], true: SignedRecord) -> Reader:
    return Reader(name, lambda data: _same(kind.from_bytes(data), data), true.to_bytes())


def _same(found: SignedRecord | Credentials, data: bytes) -> object:
    assert found.to_bytes() == data, "one message, two encodings"
    return found


@cache
def corpus() -> Corpus:
    return Corpus()


def readers() -> list[Reader]:
    return corpus().readers
