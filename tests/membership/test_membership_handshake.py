"""The handshake: who passes, and by which name everybody else is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from swarm_app.domain.clock import ManualClock
from swarm_app.membership.certificates import Role, issue
from swarm_app.membership.clocks import HANDSHAKE_S
from swarm_app.membership.errors import (
    ClockWrong,
    CopiedCertificate,
    Expired,
    Forged,
    Malformed,
    ManifestMismatch,
    MembershipError,
    NotCertified,
    OtherSwarm,
    Removed,
    Replayed,
    VersionMismatch,
)
from swarm_app.membership.handshake import Initiator, Party, Responder, Verified, channel_of
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.refusals import read_refusal, refuse
from swarm_app.membership.sealed import open_sealed, seal
from tests.membership.swarms import NOW_S, TinySwarm


class Pair:
    """laptop calls desk; what each of them shows can be changed before."""

    def __init__(self) -> None:
        self.swarm = TinySwarm()
        self.laptop = self.swarm.add("laptop")
        self.callers_clock = ManualClock(NOW_S)
        self.called_clock = ManualClock(NOW_S)
        self.caller = self.laptop.party(self.swarm.members)
        self.called = self.swarm.desk.party(self.swarm.members)
        self.caller_id, self.called_id = self.laptop.peer_id, self.swarm.desk.peer_id
        self.same_model = True

    def sides(self) -> tuple[Initiator, Responder]:
        channel = channel_of(self.caller_id, self.called_id)
        return (
            Initiator(
                self.caller,
                self.callers_clock,
                channel=channel,
                peer_id=self.called_id,
                known_as="desk",
                same_model=self.same_model,
            ),
            Responder(
                self.called,
                self.called_clock,
                channel=channel,
                peer_id=self.caller_id,
                known_as="laptop",
                same_model=self.same_model,
            ),
        )

    def shake(self, travel_s: float = 0.0) -> tuple[Verified, Verified]:
        """What each side knows of the other afterwards."""

        def travel(message: bytes) -> bytes:
            for clock in (self.callers_clock, self.called_clock):
                clock.advance(travel_s)
            return message

        initiator, responder = self.sides()
        challenge = travel(responder.challenge(travel(initiator.hello())))
        by_called, answer = responder.finish(travel(initiator.prove(challenge)))
        return initiator.finish(travel(answer)), by_called


def test_two_members_know_each_other_afterwards() -> None:
    pair = Pair()
    desk, laptop = pair.shake(travel_s=0.2)
    assert (desk.name, desk.role, desk.peer_id) == ("desk", Role.OWNER, pair.called_id)
    assert (laptop.name, laptop.role, laptop.peer_id) == ("laptop", Role.MEMBER, pair.caller_id)
    assert laptop.signing_key == pair.laptop.process.public
    assert desk.members is pair.caller.members
    assert abs(desk.offset_s) < 0.01
    assert abs(laptop.offset_s) < 0.01
    assert laptop.expires_s == pair.laptop.binding().expires_s


def test_a_node_without_libp2p_proves_itself_by_the_device_key() -> None:
    pair = Pair()
    pair.caller_id = pair.called_id = ""
    pair.caller = replace(pair.caller, signer=pair.laptop.key, binding=None)
    pair.called = replace(pair.called, signer=pair.swarm.desk.key, binding=None)
    desk, laptop = pair.shake()
    assert (desk.name, laptop.name) == ("desk", "laptop")


def _no_certificate(pair: Pair) -> None:
    pair.caller = replace(pair.caller, chain=())


def _expired(pair: Pair) -> None:
    chain = issue(
        pair.swarm.key,
        (),
        swarm=pair.swarm.id,
        device_key=pair.laptop.key.public,
        name="laptop",
        role=Role.MEMBER,
        now_s=NOW_S - 100,
        lifetime_s=99,
    )
    pair.caller = replace(pair.caller, chain=chain)


def _other_swarm(pair: Pair) -> None:
    other = TinySwarm()
    pair.caller = other.desk.party(other.members)
    pair.caller_id = other.desk.peer_id


def _pretends(pair: Pair) -> None:
    """An outsider that knows the swarm's id: members of its own making, a certificate of its own swarm."""
    other = TinySwarm()
    lying = replace(other.members, current=replace(other.members.current, swarm_id=pair.swarm.id))
    pair.caller = replace(other.desk.party(other.members), members=lying)


def _signs_itself(pair: Pair) -> None:
    """A member that certifies somebody as an owner."""
    friend = PrivateKey.generate()
    swarm = pair.swarm
    (leaf, *_) = issue(
        swarm.key,
        (),
        swarm=swarm.id,
        device_key=friend.public,
        name="friend",
        role=Role.OWNER,
        now_s=NOW_S,
    )
    leaf = replace(leaf, issuer_key=pair.laptop.key.public)
    leaf = replace(leaf, signature=pair.laptop.key.sign("certificate/1", leaf.body()))
    pair.caller = replace(pair.caller, chain=(leaf, *pair.laptop.chain))


def _removed(pair: Pair) -> None:
    members = pair.swarm.remove(pair.swarm.members, pair.swarm.desk, pair.laptop)
    pair.called = replace(pair.called, members=members)


def _copied_everything_but_keys(pair: Pair) -> None:
    """Certificate and binding of laptop, shown by another process with a peer id of its own."""
    pair.caller_id = "12D3KooThief"
    pair.caller = replace(pair.caller, signer=PrivateKey.generate())


def _copied_and_bound_by_itself(pair: Pair) -> None:
    thief = PrivateKey.generate()
    binding = replace(pair.laptop.binding(), peer_id="12D3KooThief", process_key=thief.public)
    binding = replace(binding, signature=thief.sign("binding/1", binding.body()))
    pair.caller_id = "12D3KooThief"
    pair.caller = replace(pair.caller, signer=thief, binding=binding)


def _copied_and_same_peer_id(pair: Pair) -> None:
    pair.caller = replace(pair.caller, signer=PrivateKey.generate())


def _no_binding(pair: Pair) -> None:
    pair.caller = replace(pair.caller, signer=pair.laptop.key, binding=None)


def _old_binding(pair: Pair) -> None:
    pair.caller = replace(pair.caller, binding=pair.laptop.binding(NOW_S - 3 * 3600))


def _other_model(pair: Pair) -> None:
    pair.caller = replace(pair.caller, manifest_id="b" * 64)


def _later_version(pair: Pair) -> None:
    pair.caller = replace(pair.caller, version=2)


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (_no_certificate, NotCertified),
        (_expired, Expired),
        (_other_swarm, OtherSwarm),
        (_pretends, OtherSwarm),
        (_signs_itself, Forged),
        (_removed, Removed),
        (_copied_everything_but_keys, CopiedCertificate),
        (_copied_and_bound_by_itself, CopiedCertificate),
        (_copied_and_same_peer_id, Replayed),
        (_no_binding, CopiedCertificate),
        (_old_binding, Expired),
        (_other_model, ManifestMismatch),
        (_later_version, VersionMismatch),
    ],
)
@pytest.mark.parametrize("called", [False, True], ids=["caller", "called"])
def test_outsiders_are_refused_by_name(
    change: Callable[[Pair], None], refused: type[MembershipError], called: bool
) -> None:
    pair = Pair()
    change(pair)
    if called:  # the outsider is the one who is called
        pair.caller, pair.called = pair.called, pair.caller
        pair.caller_id, pair.called_id = pair.called_id, pair.caller_id
    with pytest.raises(refused) as error:
        pair.shake()
    assert error.value.remedy
    again = read_refusal(refuse(error.value), "desk")
    assert type(again) is refused
    assert again.message.startswith("Desk refuses: ")


@pytest.mark.parametrize("skew_s", [2.0, -2.0])
def test_small_differences_of_clocks_pass(skew_s: float) -> None:
    pair = Pair()
    pair.called_clock.now += skew_s
    desk, laptop = pair.shake()
    assert desk.offset_s == pytest.approx(skew_s, abs=0.01)
    assert laptop.offset_s == pytest.approx(-skew_s, abs=0.01)


@pytest.mark.parametrize(
    ("skew_s", "said"), [(10, "10 s ahead of"), (-10, "10 s behind"), (3600, "60 min ahead of")]
)
@pytest.mark.parametrize("travel_s", [0.0, 1.0])
def test_wrong_clocks_are_named_with_their_offset(skew_s: float, said: str, travel_s: float) -> None:
    pair = Pair()
    pair.called_clock.now += skew_s
    with pytest.raises(ClockWrong, match=said):
        pair.shake(travel_s)


def test_the_called_one_notices_a_wrong_clock_as_well() -> None:
    pair = Pair()
    initiator, responder = pair.sides()
    challenge = responder.challenge(initiator.hello())
    proof = initiator.prove(challenge)
    late = Responder(
        pair.called,
        ManualClock(NOW_S + 10),
        channel=channel_of(pair.caller_id, pair.called_id),
        peer_id=pair.caller_id,
        known_as="laptop",
    )
    late.challenge(pair.sides()[0].hello())
    with pytest.raises(ClockWrong, match="laptop is 10 s behind"):
        late.finish(proof)


def test_a_recorded_handshake_serves_nobody_twice() -> None:
    pair = Pair()
    initiator, responder = pair.sides()
    hello = initiator.hello()
    proof = initiator.prove(responder.challenge(hello))
    _, answer = responder.finish(proof)
    with pytest.raises(Replayed):
        responder.finish(proof)
    _, other = pair.sides()
    other.challenge(hello)
    with pytest.raises(Replayed):
        other.finish(proof)
    # Nor does an answer to one caller convince another.
    again, called = pair.sides()
    again.prove(called.challenge(again.hello()))
    with pytest.raises(Replayed):
        again.finish(answer)
    # Nor does a proof serve as an answer.
    with pytest.raises(MembershipError):
        again.finish(proof)


def test_a_proof_for_one_connection_is_none_for_another() -> None:
    pair = Pair()
    initiator, _ = pair.sides()
    in_the_middle = Responder(
        pair.called,
        pair.called_clock,
        channel=channel_of("12D3KooMiddle", pair.called_id),
        peer_id=pair.caller_id,
        known_as="",
    )
    proof = initiator.prove(in_the_middle.challenge(initiator.hello()))
    with pytest.raises(Replayed):
        in_the_middle.finish(proof)


def test_a_slow_handshake_is_over() -> None:
    pair = Pair()
    with pytest.raises(Replayed):
        pair.shake(travel_s=HANDSHAKE_S)


@pytest.mark.parametrize("ahead", [0, 1])
def test_what_two_admins_said_apart_meets_in_the_handshake(ahead: int) -> None:
    """Lists of one number, or the removal in the lower one: both sides know all of it afterwards."""
    pair = Pair()
    swarm = pair.swarm
    attic = swarm.add("attic", Role.ADMIN)
    phone = swarm.stranger("phone", by=attic)
    removing = swarm.remove(swarm.members, swarm.desk, pair.laptop)
    adding = swarm.say(swarm.members, attic, swarm.entry(phone, Role.MEMBER))
    for _ in range(ahead):
        adding = swarm.say(adding, attic, swarm.entry(phone, Role.MEMBER, person="Ada"))
    assert adding.number - removing.number == ahead
    pair.laptop = attic
    pair.caller, pair.called = attic.party(adding), swarm.desk.party(removing)
    pair.caller_id = attic.peer_id
    desk, caller = pair.shake()
    for members in (desk.members, caller.members):
        assert members.is_removed(swarm.devices["laptop"].key.public)
        assert members.get(phone.key.public) is not None
    assert desk.members.current == caller.members.current


def test_whoever_was_away_learns_the_newer_list_in_the_handshake() -> None:
    for newer_is_caller in (True, False):
        pair = Pair()
        newer = pair.swarm.say(
            pair.swarm.members,
            pair.swarm.desk,
            pair.swarm.entry(pair.swarm.stranger("phone"), Role.GUEST),
        )
        if newer_is_caller:
            pair.caller = replace(pair.caller, members=newer)
        else:
            pair.called = replace(pair.called, members=newer)
        for verified in pair.shake():
            assert verified.members.current == newer.current


def test_the_removed_one_gets_the_proof_of_it() -> None:
    pair = Pair()
    _removed(pair)
    with pytest.raises(Removed) as error:
        pair.shake()
    told = read_refusal(refuse(error.value))
    assert isinstance(told, Removed)
    after = pair.caller.members.merge(MemberList.from_bytes(told.evidence))
    assert after.is_removed(pair.laptop.key.public)


def test_another_model_passes_where_the_caller_compares_by_itself() -> None:
    pair = Pair()
    _other_model(pair)
    pair.same_model = False
    _, laptop = pair.shake()
    assert laptop.manifest_id == "b" * 64


def test_a_message_out_of_turn_is_refused() -> None:
    pair = Pair()
    initiator, responder = pair.sides()
    with pytest.raises(Replayed):
        responder.finish(b"")
    hello = initiator.hello()
    with pytest.raises(Replayed):
        initiator.finish(b"")
    _, fresh = pair.sides()
    with pytest.raises(Malformed):
        fresh.challenge(hello + b"x")
    with pytest.raises(Malformed):
        read_refusal(hello)


def test_sealed_records_speak_for_their_device_alone() -> None:
    swarm = TinySwarm()
    laptop = swarm.add("laptop")
    now_s = swarm.clock.time()
    record = seal(b"blocks 0:4", "roll", laptop.chain, laptop.binding(), laptop.process)
    opened = open_sealed(record, "roll", swarm.members, now_s)
    assert (opened.body, opened.name, opened.peer_id) == (b"blocks 0:4", "laptop", laptop.peer_id)
    desk = swarm.desk
    for forged, refused in (
        (seal(b"x", "roll", desk.chain, laptop.binding(), laptop.process), CopiedCertificate),
        (seal(b"x", "roll", laptop.chain, laptop.binding(), desk.process), Forged),
        (seal(b"x", "block.1", laptop.chain, laptop.binding(), laptop.process), Forged),
        (record.replace(b"0:4", b"0:8"), Forged),
        (record[:-1], Malformed),
    ):
        with pytest.raises(refused):
            open_sealed(forged, "roll", swarm.members, now_s)
    with pytest.raises(Expired):
        open_sealed(record, "roll", swarm.members, now_s + 3 * 3600)
    with pytest.raises(Removed):
        open_sealed(record, "roll", swarm.remove(swarm.members, desk, laptop), now_s)


def test_party_is_the_same_without_its_secrets() -> None:
    swarm = TinySwarm()
    party: Party = swarm.desk.party(swarm.members)
    assert swarm.desk.process.secret_bytes().hex() not in repr(party)
    assert str(swarm.desk.process.secret_bytes()) not in repr(party)
