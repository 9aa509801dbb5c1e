"""The bytes of every signed record and message stay what they are: older computers must read them.

The file beside this one was made by the first version. A difference means another protocol: give the message
another kind, or raise PROTOCOL.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import secrets
from pathlib import Path

import pytest

from swarm_app.domain.clock import ManualClock
from swarm_app.membership.admitting import Admitter
from swarm_app.membership.binding import Binding, bind
from swarm_app.membership.certificates import Certificate, Role, issue
from swarm_app.membership.credentials import Credentials
from swarm_app.membership.errors import MembershipError
from swarm_app.membership.handshake import Initiator, Party, Responder, channel_of
from swarm_app.membership.joining import Joiner
from swarm_app.membership.keys import PrivateKey, swarm_id
from swarm_app.membership.links import Endpoint, Link, parse_link
from swarm_app.membership.memberlist import About, MemberList
from swarm_app.membership.members import Members, leave
from swarm_app.membership.nearby import Host, Seeker, welcome
from swarm_app.membership.refusals import refuse
from swarm_app.membership.sealed import seal
from swarm_app.membership.signed import SignedRecord
from swarm_app.membership.statements import Invite, Member
from swarm_app.membership.succession import Succession, rotate

VECTORS = Path(__file__).parent / "vectors.json"
NOW_S = 1_800_000_000.0
MODEL = "a" * 64
DOOR = Endpoint("10.77.0.11", 41000)


def key(name: str) -> PrivateKey:
    return PrivateKey.from_bytes(hashlib.sha256(name.encode()).digest())


def messages() -> dict[str, bytes]:
    """One of each, all made of fixed keys, names, times and nonces."""
    swarm, desk, laptop, phone = key("swarm"), key("desk"), key("laptop"), key("phone")
    desk_process, laptop_process = key("desk's process"), key("laptop's process")
    ours = swarm_id(swarm.public)
    clock = ManualClock(NOW_S)
    owner = issue(swarm, (), swarm=ours, device_key=desk.public, name="desk", role=Role.OWNER, now_s=NOW_S)
    member = issue(
        desk, owner, swarm=ours, device_key=laptop.public, name="laptop", role=Role.MEMBER, now_s=NOW_S
    )
    founded = Members.founded(owner, desk, about=About("home", MODEL, "tiny"), person="Ada", now_s=NOW_S)
    entry = Member(ours, laptop.public, "laptop", "", Role.MEMBER, Role.MEMBER, False, 1, 0)
    link = Link(ours, b"s" * 16, int(NOW_S) + 3600, (DOOR, Endpoint("2001:db8::1", 9)))
    invite = Invite(ours, link.signer().public, Role.MEMBER, "Bo", 2, link.expires_s, False, 1, 0)
    members = founded.issue(desk, owner, now_s=NOW_S, members=[entry], invites=[invite])
    bound = {
        "Qdesk": bind(desk, ours, "Qdesk", desk_process.public, NOW_S),
        "Qlaptop": bind(laptop, ours, "Qlaptop", laptop_process.public, NOW_S),
    }
    made = {
        "certificate": owner[0].to_bytes(),
        "certificate by a device": member[0].to_bytes(),
        "statement about a member": members.current.members[0].to_bytes(),
        "statement about an invite": members.current.invites[0].to_bytes(),
        "farewell": leave(members, laptop, NOW_S).to_bytes(),
        "binding": bound["Qlaptop"].to_bytes(),
        "list of members": members.current.to_bytes(),
        "credentials": Credentials(member, bound["Qlaptop"], members, MODEL).to_bytes(),
        "sealed record": seal(b"blocks", "roll", member, bound["Qlaptop"], laptop_process),
        "refusal": refuse(MembershipError("No.", remedy="Try again.")),
        "link": link.text().encode(),
    }

    channel = channel_of("Qlaptop", "Qdesk")
    initiator = Initiator(
        Party(member, laptop_process, bound["Qlaptop"], founded, MODEL),
        clock,
        channel=channel,
        peer_id="Qdesk",
    )
    responder = Responder(
        Party(owner, desk_process, bound["Qdesk"], members, MODEL), clock, channel=channel, peer_id="Qlaptop"
    )
    made["hello"] = initiator.hello()
    made["challenge"] = responder.challenge(made["hello"])
    made["proof"] = initiator.prove(made["challenge"])
    _, made["answer"] = responder.finish(made["proof"])
    initiator.finish(made["answer"])

    joiner = Joiner(ours, phone, "phone", clock, channel=b"c", link=link)
    admitter = Admitter(owner, desk, swarm, clock, channel=b"c")
    made["ask"] = joiner.ask()
    made["joinable"] = admitter.challenge(made["ask"], members)
    made["request"] = joiner.prove(made["joinable"])
    admitted = admitter.admit(made["request"], members, endpoints=[DOOR], peers=["/ip4/10.0.0.1/tcp/1"])
    made["admitted"] = admitted.answer
    joiner.finish(admitted.answer)

    seeker, host = Seeker("phone", channel=b"c"), Host("home", "desk", channel=b"c")
    made["knock"] = seeker.knock()
    made["greeting"] = host.greet(made["knock"])
    made["reveal"] = seeker.reveal(made["greeting"])
    made["digits"] = host.meet(made["reveal"]).encode()
    made["welcome"] = welcome(link)

    news, chain, after = rotate(members, owner, desk, key("new swarm"), NOW_S)
    made["succession"] = news.to_bytes()
    made["certificate after it"] = chain[0].to_bytes()
    made["list after it"] = after.current.to_bytes()
    return made


@pytest.fixture
def _numbered_nonces(monkeypatch: pytest.MonkeyPatch) -> None:
    count = itertools.count(1)
    monkeypatch.setattr(secrets, "token_bytes", lambda size=32: bytes([next(count)]) * size)


@pytest.mark.usefixtures("_numbered_nonces")
def test_every_message_has_the_bytes_that_it_always_had() -> None:
    known = {name: bytes.fromhex(text) for name, text in json.loads(VECTORS.read_text()).items()}
    assert messages() == known


def test_every_record_reads_back_to_its_bytes() -> None:
    known = {name: bytes.fromhex(text) for name, text in json.loads(VECTORS.read_text()).items()}
    readers: dict[str, type[SignedRecord] | type[Credentials]] = {
        "certificate": Certificate,
        "certificate by a device": Certificate,
        "statement about a member": Member,
        "statement about an invite": Invite,
        "farewell": Member,
        "binding": Binding,
        "list of members": MemberList,
        "credentials": Credentials,
        "succession": Succession,
    }
    for name, kind in readers.items():
        assert kind.from_bytes(known[name]).to_bytes() == known[name]
    assert parse_link(known["link"].decode()).text().encode() == known["link"]
