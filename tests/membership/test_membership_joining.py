"""Links, redeeming them, being certified anew, and a new key for the swarm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.domain.clock import ManualClock
from swarm_app.membership.admitting import Admitter, invite_state
from swarm_app.membership.certificates import Role, verify_chain
from swarm_app.membership.credentials import Credentials, Identity
from swarm_app.membership.errors import (
    ClockWrong,
    CopiedCertificate,
    Forged,
    LinkBroken,
    LinkCancelled,
    LinkExpired,
    LinkUnknown,
    LinkUsed,
    Malformed,
    MembershipError,
    NotAllowed,
    NotCertified,
    OtherSwarm,
    Removed,
    Replayed,
    VersionMismatch,
)
from swarm_app.membership.handshake import channel_of
from swarm_app.membership.joining import Admission, Joiner
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.links import MAX_ENDPOINTS, Endpoint, Link, endpoint, parse_link
from swarm_app.membership.members import Members
from swarm_app.membership.refusals import read_refusal, refuse
from swarm_app.membership.statements import Invite
from swarm_app.membership.succession import Succession, rotate
from tests.membership.swarms import MODEL, NOW_S, Device, TinySwarm

CHANNEL = b"one TLS connection"
DOORS = (Endpoint("10.77.0.11", 41000), Endpoint("10.77.0.12", 41001), Endpoint("2001:db8::1", 41002))


def invited(
    swarm: TinySwarm, by: Device, role: Role = Role.MEMBER, uses: int = 1, lasts_s: float = 3600
) -> tuple[Link, Members]:
    link = Link.make(swarm.id, swarm.clock.time() + lasts_s, DOORS)
    invite = Invite(swarm.id, link.signer().public, role, "Ada", uses, link.expires_s, False, 1, 0)
    members = swarm.members.issue(by.key, by.chain, now_s=swarm.clock.time(), invites=[invite])
    return link, members


class Meeting:
    """A joiner and an admitter."""

    def __init__(self, by: str = "desk", uses: int = 1) -> None:
        self.swarm = TinySwarm()
        self.swarm.add("attic", Role.ADMIN)
        self.swarm.add("laptop")
        self.link, self.members = invited(self.swarm, self.swarm.desk, uses=uses)
        self.admitter = self.swarm.devices[by]
        self.key = PrivateKey.generate()
        self.name = "phone"
        self.joiners_clock = ManualClock(NOW_S)
        self.channels = (CHANNEL, CHANNEL)
        self.version = 1
        self.newcomer = True

    def join(self) -> tuple[Admission, Members]:
        holds_swarm_key = self.admitter is self.swarm.desk
        joiner = Joiner(
            self.link.swarm_id,
            self.key,
            self.name,
            self.joiners_clock,
            channel=self.channels[0],
            link=self.link if self.newcomer else None,
            version=self.version,
        )
        admitter = Admitter(
            self.admitter.chain,
            self.admitter.key,
            self.swarm.key if holds_swarm_key else None,
            self.swarm.clock,
            channel=self.channels[1],
        )
        ask = joiner.ask()
        try:
            challenge = admitter.challenge(ask, self.members)
        except MembershipError as error:
            challenge = refuse(error)
        request = joiner.prove(challenge)
        try:
            admitted = admitter.admit(request, self.members, endpoints=DOORS, peers=["/ip4/1.2.3.4/tcp/1"])
        except MembershipError as error:
            return joiner.finish(refuse(error)), self.members
        return joiner.finish(admitted.answer), admitted.members


# ---------------------------------------------------------------- links


def test_a_link_is_short_and_survives_how_people_copy_it() -> None:
    link = Link.make(TinySwarm().id, NOW_S, DOORS)
    text = link.text()
    assert len(text) < 160
    assert link.secret.hex() not in repr(link)
    wrapped = f"  <{text[:40]}\n  {text[40:]}>.\n"
    for copied in (text, text.upper(), wrapped, text.removeprefix("homeswarm://join/")):
        assert parse_link(copied) == link
    # Nothing between the head and the end of it can be read as the swarm's key.
    assert link.signer().public == parse_link(text).signer().public


def test_every_mistyped_character_is_noticed() -> None:
    text = Link.make(TinySwarm().id, NOW_S, DOORS[:1]).text()
    start = len("homeswarm://join/")
    for position in range(start, len(text)):
        other = "a" if text[position] != "a" else "c"
        with pytest.raises(LinkBroken):
            parse_link(text[:position] + other + text[position + 1 :])
        with pytest.raises(LinkBroken):
            parse_link(text[:position])


@given(
    st.text(max_size=600)
    | st.text("abcdefghijklmnopqrstuvwxyz234567", max_size=200).map("homeswarm://join/{}".format)
)
def test_no_text_breaks_the_parser(text: str) -> None:
    with pytest.raises((LinkBroken, VersionMismatch)):
        parse_link(text)


@given(
    st.binary(min_size=16, max_size=16),
    st.integers(0, 2**32 - 1),
    st.lists(st.builds(Endpoint, st.ip_addresses().map(str), st.integers(1, 65535)), max_size=MAX_ENDPOINTS),
)
def test_links_say_what_they_were_made_of(secret: bytes, minutes: int, endpoints: list[Endpoint]) -> None:
    good = []
    for where in endpoints:
        try:
            good.append(endpoint(where.host, where.port))
        except Malformed:
            continue
    link = Link(SHARED_ID, secret, minutes * 60, tuple(good))
    assert parse_link(link.text()) == link


SHARED_ID = TinySwarm().id


# ---------------------------------------------------------------- joining


@pytest.mark.parametrize("by", ["desk", "attic"])
def test_any_owner_or_admin_redeems_a_link(by: str) -> None:
    meeting = Meeting(by)
    admission, members = meeting.join()
    leaf = verify_chain(admission.chain, meeting.swarm.id, NOW_S)
    assert (leaf.device_key, leaf.name, leaf.role) == (meeting.key.public, "phone", Role.MEMBER)
    assert admission.endpoints == DOORS
    assert admission.members == members.current
    entry = members.get(meeting.key.public)
    assert entry is not None
    assert entry.person == "Ada"
    assert invite_state(members.invites()[0], members, NOW_S) == "used"
    members.standing(admission.chain, NOW_S)


def test_names_stay_apart() -> None:
    meeting = Meeting()
    meeting.name = "Laptop"
    assert meeting.join()[0].chain[0].name == "Laptop 2"


def _foreign(m: Meeting) -> None:
    m.link = Link.make(TinySwarm().id, NOW_S + 60, DOORS)


def _unknown(m: Meeting) -> None:
    m.link = Link.make(m.swarm.id, NOW_S + 60, DOORS)


def _used(m: Meeting) -> None:
    _, m.members = m.join()
    m.key = PrivateKey.generate()


def _expired(m: Meeting) -> None:
    m.link, m.members = invited(m.swarm, m.swarm.desk, lasts_s=-60)


def _cancelled(m: Meeting) -> None:
    (invite,) = m.members.invites()
    attic = m.swarm.devices["attic"]
    m.members = m.members.issue(
        attic.key, attic.chain, now_s=NOW_S, invites=[replace(invite, cancelled=True)]
    )


def _by_a_member(m: Meeting) -> None:
    m.admitter = m.swarm.devices["laptop"]


def _owner_by_an_admin(m: Meeting) -> None:
    m.link, m.members = invited(m.swarm, m.swarm.desk, Role.OWNER)
    m.admitter = m.swarm.devices["attic"]


def _in_the_middle(m: Meeting) -> None:
    m.channels = (b"to the middle", b"from the middle")


def _wrong_clock(m: Meeting) -> None:
    m.joiners_clock.now -= 3600


def _later_version(m: Meeting) -> None:
    m.version = 2


def _removed(m: Meeting) -> None:
    m.key = m.swarm.devices["laptop"].key
    m.members = m.swarm.remove(m.members, m.swarm.desk, m.swarm.devices["laptop"])


def _stranger_without_link(m: Meeting) -> None:
    m.newcomer = False


@pytest.mark.parametrize(
    ("change", "refused", "said"),
    [
        (_foreign, OtherSwarm, "another swarm"),
        (_unknown, LinkUnknown, "Nobody here knows this link"),
        (_used, LinkUsed, "has been used"),
        (_expired, LinkExpired, "has run out"),
        (_cancelled, LinkCancelled, "was cancelled"),
        (_by_a_member, NotAllowed, "cannot let anybody in"),
        (_owner_by_an_admin, NotAllowed, "cannot certify an owner"),
        (_in_the_middle, Forged, "claims to be desk"),
        (_wrong_clock, ClockWrong, "60 min ahead"),
        (_later_version, VersionMismatch, "version"),
        (_removed, Removed, "removed"),
        (_stranger_without_link, NotCertified, "not in the list"),
    ],
)
def test_a_link_that_does_not_do_says_why(
    change: Callable[[Meeting], None], refused: type[MembershipError], said: str
) -> None:
    meeting = Meeting()
    change(meeting)
    with pytest.raises(refused, match=said) as error:
        meeting.join()
    assert error.value.remedy


def test_a_link_for_three_lets_three_in() -> None:
    meeting = Meeting(uses=3)
    for _ in range(3):
        meeting.key = PrivateKey.generate()
        _, meeting.members = meeting.join()
    with pytest.raises(LinkUsed):
        meeting.join()
    # One of them whose answer was lost is in the list, and needs no link any more.
    meeting.newcomer = False
    assert meeting.join()[0].chain[0].name == "phone 3"


def test_asking_twice_uses_a_link_once() -> None:
    meeting = Meeting(uses=2)
    for _ in range(2):
        _, meeting.members = meeting.join()
    assert meeting.members.uses_of(meeting.members.invites()[0]) == 1


def test_a_request_serves_once() -> None:
    meeting = Meeting(uses=2)
    joiner = Joiner(
        meeting.swarm.id, meeting.key, "phone", meeting.joiners_clock, channel=CHANNEL, link=meeting.link
    )
    desk = meeting.swarm.desk
    admitter, other = (
        Admitter(desk.chain, desk.key, meeting.swarm.key, meeting.swarm.clock, channel=CHANNEL)
        for _ in range(2)
    )
    ask = joiner.ask()
    request = joiner.prove(admitter.challenge(ask, meeting.members))
    other.challenge(ask, meeting.members)
    with pytest.raises(Replayed):
        other.admit(request, meeting.members)
    admitter.admit(request, meeting.members)
    with pytest.raises(Replayed):
        admitter.admit(request, meeting.members)


def test_a_certificate_is_renewed_by_whoever_may_sign_it() -> None:
    meeting = Meeting("attic")
    meeting.newcomer = False
    laptop = meeting.swarm.devices["laptop"]
    meeting.key = laptop.key
    admission, members = meeting.join()
    assert members is meeting.members
    assert len(admission.chain) == 2
    assert admission.chain[0].device_key == laptop.key.public
    meeting.key = meeting.swarm.devices["attic"].key
    with pytest.raises(NotAllowed):
        meeting.join()


# ---------------------------------------------------------------- a new key


def test_a_new_key_takes_everybody_present_along() -> None:
    swarm = TinySwarm()
    safe = swarm.add("safe", Role.OWNER)
    laptop = swarm.add("laptop")
    phone = swarm.add("phone", Role.GUEST)
    swarm.members = swarm.remove(swarm.members, swarm.desk, phone)
    new_key = PrivateKey.generate()
    news, chain, members = rotate(swarm.members, safe.chain, safe.key, new_key, NOW_S)
    Succession.from_bytes(news.to_bytes()).check(swarm.members)
    assert members.swarm_id == news.new_swarm_id != swarm.id
    assert {m.name for m in members.present()} == {"desk", "safe", "laptop"}
    assert members.get(phone.key.public) is None
    members.current.check(news.new_swarm_id)
    admitter = Admitter(chain, safe.key, new_key, swarm.clock, channel=CHANNEL)
    joiner = Joiner(news.new_swarm_id, laptop.key, "laptop", swarm.clock, channel=CHANNEL)
    admitted = admitter.admit(joiner.prove(admitter.challenge(joiner.ask(), members)), members)
    assert joiner.finish(admitted.answer).chain[0].role is Role.MEMBER
    gone = Joiner(news.new_swarm_id, phone.key, "phone", swarm.clock, channel=CHANNEL)
    with pytest.raises(NotCertified):
        admitter.challenge(gone.ask(), members)
    with pytest.raises(NotAllowed):
        rotate(swarm.members, laptop.chain, laptop.key, new_key, NOW_S)


def test_whoever_holds_the_leaked_key_cannot_move_the_swarm() -> None:
    swarm = TinySwarm()
    swarm.add("laptop")
    before = swarm.members
    thief = swarm.stranger("thief", Role.OWNER)  # certified with the leaked key, in no list
    own = Members.founded(thief.chain, thief.key, about=before.current.about, person="", now_s=NOW_S)
    news, _, _ = rotate(own, thief.chain, thief.key, PrivateKey.generate(), NOW_S)
    with pytest.raises(NotAllowed):
        news.check(before)


# ---------------------------------------------------------------- children


def test_children_prove_themselves_with_what_crosses_the_pipe() -> None:
    swarm = TinySwarm()
    laptop = swarm.add("laptop")
    sides = []
    for device in (swarm.desk, laptop):
        identity = Identity(device.process, swarm.clock)
        told = Credentials(device.chain, device.binding(), swarm.members, MODEL)
        assert device.key.secret_bytes() not in told.to_bytes()
        assert swarm.key.secret_bytes() not in told.to_bytes()
        identity.credentials = Credentials.from_bytes(told.to_bytes())
        sides.append(identity)
    desk, other = sides
    initiator, responder = desk.initiator(laptop.peer_id), other.responder(swarm.desk.peer_id)
    verified, answer = responder.finish(initiator.prove(responder.challenge(initiator.hello())))
    assert initiator.finish(answer).name == "laptop"
    assert verified.name == "desk"
    assert other.open(desk.seal(b"here", "roll"), "roll").name == "desk"
    with pytest.raises(CopiedCertificate):
        other.credentials = desk.credentials
    after = swarm.remove(swarm.members, swarm.desk, laptop)
    desk.heard(after)
    with pytest.raises(Removed):
        desk.open(other.seal(b"here", "roll"), "roll")
    assert read_refusal(refuse(Removed("x"))).code == "removed"
    assert channel_of("a", "b") != channel_of("b", "a")
