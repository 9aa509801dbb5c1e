"""The list of members: rights, numbers, merging."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.membership.certificates import Role
from swarm_app.membership.errors import (
    Expired,
    Forged,
    LastOwner,
    MembershipError,
    NotAllowed,
    OtherSwarm,
    Removed,
    SignerRemoved,
)
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.members import Members, leave
from swarm_app.membership.statements import Member
from tests.membership.swarms import Device, TinySwarm


def household() -> TinySwarm:
    """desk and safe own it, attic is an admin, laptop a member that attic let in, phone a guest."""
    swarm = TinySwarm()
    swarm.add("safe", Role.OWNER)
    attic = swarm.add("attic", Role.ADMIN)
    swarm.add("laptop", by=attic, person="Ada")
    swarm.add("phone", Role.GUEST, by=attic, person="Ben")
    return swarm


def test_a_list_survives_the_journey_and_holds_by_itself() -> None:
    swarm = household()
    found = MemberList.from_bytes(swarm.members.current.to_bytes())
    assert found == swarm.members.current
    found.check(swarm.id)
    assert found.about.swarm_name == "home"
    with pytest.raises(OtherSwarm):
        found.check(TinySwarm().id)


def test_one_statement_or_number_changed_breaks_it() -> None:
    swarm = household()
    good = swarm.members.current
    broken = [
        replace(good, number=good.number + 1),
        replace(good, members=good.members[1:]),
        replace(good, members=(replace(good.members[0], name="evil"), *good.members[1:])),
        replace(good, issued_s=good.issued_s + 1),
        replace(good, about=replace(good.about, model_id="b")),
    ]
    for changed in broken:
        with pytest.raises(Forged):
            changed.check(swarm.id)


Attempt = Callable[[TinySwarm], object]


def _promotes_itself(s: TinySwarm) -> object:
    attic = s.devices["attic"]
    return s.say(s.members, attic, s.entry(attic, Role.OWNER))


def _demotes_an_owner_first(s: TinySwarm) -> object:
    """An admin who calls an owner a member, with a list that is signed in all its parts."""
    attic, safe = s.devices["attic"], s.devices["safe"]
    victim = Member(s.id, safe.key.public, "safe", "", Role.MEMBER, Role.MEMBER, True, 1, 0)
    ignorant = Members.founded(
        s.desk.chain, s.desk.key, about=s.members.current.about, person="", now_s=s.clock.time()
    )
    ignorant = s.say(ignorant, s.desk, s.entry(attic, Role.ADMIN))
    ignorant = s.say(ignorant, attic, victim)
    while ignorant.number <= s.members.number:
        ignorant = s.say(ignorant, attic)
    return s.members.merge(ignorant.current)


@pytest.mark.parametrize(
    ("attempt", "refused"),
    [
        (lambda s: s.remove(s.members, s.devices["attic"], s.devices["safe"]), NotAllowed),
        (lambda s: s.remove(s.members, s.devices["attic"], s.devices["attic"]), NotAllowed),
        (lambda s: s.remove(s.members, s.devices["attic"], s.devices["laptop"]), None),
        (lambda s: s.remove(s.members, s.devices["laptop"], s.devices["phone"]), NotAllowed),
        (lambda s: s.remove(s.members, s.devices["phone"], s.devices["laptop"]), NotAllowed),
        (lambda s: s.remove(s.members, s.devices["safe"], s.desk), None),
        (lambda s: s.remove(s.members, s.desk, s.devices["attic"]), None),
        (_promotes_itself, NotAllowed),
        (_demotes_an_owner_first, NotAllowed),
        (
            lambda s: s.say(
                s.members, s.devices["attic"], s.entry(s.stranger("new", Role.ADMIN), Role.ADMIN)
            ),
            NotAllowed,
        ),
        (lambda s: s.remove(s.remove(s.members, s.desk, s.devices["safe"]), s.desk, s.desk), LastOwner),
        (lambda s: s.say(s.members, s.desk, s.entry(s.desk, Role.MEMBER)), NotAllowed),
    ],
)
def test_who_may_change_what(attempt: Attempt, refused: type[MembershipError] | None) -> None:
    swarm = household()
    if refused is None:
        attempt(swarm)
    else:
        with pytest.raises(refused):
            attempt(swarm)


def test_the_last_owner_can_be_neither_removed_nor_demoted_nor_leave() -> None:
    swarm = TinySwarm()
    swarm.add("laptop")
    for said in (
        lambda: swarm.remove(swarm.members, swarm.desk, swarm.desk),
        lambda: swarm.say(swarm.members, swarm.desk, swarm.entry(swarm.desk, Role.ADMIN)),
        lambda: leave(swarm.members, swarm.desk.key, swarm.clock.time()),
    ):
        with pytest.raises(LastOwner):
            said()


def test_an_older_list_never_replaces_a_newer_one() -> None:
    swarm = household()
    lists = [swarm.members]
    for name in ("phone", "laptop"):
        lists.append(swarm.remove(lists[-1], swarm.desk, swarm.devices[name]))
    newest = lists[-1]
    for older in lists:
        assert newest.merge(older.current) is newest
    assert lists[0].merge(newest.current).current == newest.current


def test_a_removal_is_obeyed_whatever_list_is_in_force() -> None:
    swarm = household()
    by_desk = swarm.remove(swarm.members, swarm.desk, swarm.devices["phone"])
    by_attic = swarm.remove(swarm.members, swarm.devices["attic"], swarm.devices["laptop"])
    assert by_desk.number == by_attic.number
    for one, other in ((by_desk, by_attic), (by_attic, by_desk)):
        merged = one.merge(other.current)
        for name in ("phone", "laptop"):
            with pytest.raises(Removed):
                merged.standing(swarm.devices[name].chain, swarm.clock.time())
    # An owner or admin who sees both issues them as one.
    merged = by_desk.merge(by_attic.current)
    assert merged.lacks()
    whole = swarm.say(merged, swarm.desk)
    assert not whole.lacks()
    for other in (by_desk, by_attic, swarm.members):
        assert {m.name for m in other.merge(whole.current).present()} == {"desk", "safe", "attic"}


def test_whoever_was_removed_issues_nothing_more_however_high_the_number() -> None:
    swarm = household()
    attic = swarm.devices["attic"]
    without_attic = swarm.remove(swarm.members, swarm.desk, attic)
    rogue = swarm.members
    for count in range(5):
        rogue = swarm.say(rogue, attic, swarm.entry(swarm.stranger(f"spy{count}", by=attic), Role.MEMBER))
    assert rogue.number > without_attic.number
    with pytest.raises(SignerRemoved):
        without_attic.merge(rogue.current)
    # Who heard the rogue first comes round all the same.
    healed = rogue.merge(without_attic.current)
    assert healed.current == without_attic.current
    for name in ("attic", "spy0"):
        with pytest.raises(Removed):
            healed.standing(swarm.devices[name].chain, swarm.clock.time())
    # What attic had said before stays: the laptop that it let in is in.
    healed.standing(swarm.devices["laptop"].chain, swarm.clock.time())


def test_standing_is_the_lower_of_certificate_and_list() -> None:
    swarm = household()
    now_s = swarm.clock.time()
    laptop = swarm.devices["laptop"]
    demoted = swarm.say(swarm.members, swarm.desk, swarm.entry(laptop, Role.GUEST))
    assert demoted.standing(laptop.chain, now_s)[1] is Role.GUEST
    promoted = swarm.say(swarm.members, swarm.desk, swarm.entry(laptop, Role.ADMIN))
    assert promoted.standing(laptop.chain, now_s)[1] is Role.MEMBER
    new = swarm.stranger("new", by=swarm.devices["attic"])
    assert swarm.members.standing(new.chain, now_s)[1] is Role.MEMBER
    with pytest.raises(Expired):
        swarm.members.standing(laptop.chain, now_s + 500 * 24 * 3600)


def test_leaving_is_said_by_the_leaver_and_issued_by_another() -> None:
    swarm = household()
    laptop = swarm.devices["laptop"]
    said = leave(swarm.members, laptop.key, swarm.clock.time())
    after = swarm.members.issue(
        swarm.desk.key, swarm.desk.chain, now_s=swarm.clock.time(), leaving=[(said, laptop.chain)]
    )
    assert after.is_removed(laptop.key.public)
    MemberList.from_bytes(after.current.to_bytes()).check(swarm.id)
    forged = replace(said, device_key=swarm.devices["phone"].key.public)
    with pytest.raises(Forged):
        swarm.members.issue(
            swarm.desk.key, swarm.desk.chain, now_s=swarm.clock.time(), leaving=[(forged, laptop.chain)]
        )


def test_people_find_devices_by_name_id_and_person() -> None:
    swarm = household()
    laptop = swarm.devices["laptop"]
    entry = swarm.members.get(laptop.key.public)
    assert entry is not None
    for words in ("laptop", "LAPTOP", entry.device_id, entry.device_id[:6]):
        assert swarm.members.find(words) == (entry,)
    assert {m.name for m in swarm.members.find("ada")} == {"desk", "laptop"}
    assert swarm.members.find("nobody") == ()


SHARED = household()
"""Made once: what follows only reads it."""
ISSUERS = ("desk", "safe", "attic")
VICTIMS = ("phone", "laptop", "attic", "safe")


@given(st.data())
def test_everybody_ends_with_one_list_whatever_the_order(data: st.DataObject) -> None:
    swarm = SHARED
    views = dict.fromkeys(ISSUERS, swarm.members)
    removed: set[str] = set()
    for _ in range(data.draw(st.integers(1, 4))):
        by = data.draw(st.sampled_from(ISSUERS))
        victim = data.draw(st.sampled_from(VICTIMS))
        issuer: Device = swarm.devices[by]
        try:
            views[by] = swarm.remove(views[by], issuer, swarm.devices[victim])
        except MembershipError:
            continue  # tables above say who may do what
        removed.add(victim)
    rounds = [(a, b) for a in ISSUERS for b in ISSUERS if a != b] * 6
    for one, other in rounds:
        for heard in (views[other].current, views[other].aside):
            if heard is not None:
                try:
                    views[one] = views[one].merge(heard)
                except SignerRemoved:
                    continue
        me = swarm.devices[one]
        if views[one].lacks() and not views[one].is_removed(me.key.public):
            views[one] = swarm.say(views[one], me)
    alive = [
        name
        for name in ISSUERS
        if not any(v.is_removed(swarm.devices[name].key.public) for v in views.values())
    ]
    assert alive
    first = views[alive[0]]
    for name in alive[1:]:
        assert {m.name for m in views[name].present()} == {m.name for m in first.present()}
    assert first.owners()
