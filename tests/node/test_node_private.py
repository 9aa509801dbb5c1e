"""Private swarms between nodes: joining, telling, removing, and what can go wrong with it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import gc
import socket
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from swarm_app.childproto import Listening, MembersHeard, Membership
from swarm_app.domain.errors import HomeswarmError
from swarm_app.localapi.membershipview import AlreadyMember, NoSwarm
from swarm_app.membership.credentials import Credentials, Identity
from swarm_app.membership.encoding import encode
from swarm_app.membership.errors import (
    ClockWrong,
    LastOwner,
    LinkUnknown,
    LinkUsed,
    MembershipError,
    NobodyAnswers,
    OtherSwarm,
    Removed,
    RotationPending,
    SecretsUnusable,
)
from swarm_app.membership.links import Endpoint, parse_link
from swarm_app.membership.refusals import read_refusal
from swarm_app.membership.vault import FileVault
from swarm_app.node import belonging, doorway, private
from swarm_app.node.belonging import Contact
from swarm_app.node.children import Kind, Phase
from swarm_app.node.clocks import FORGET_S, Clocks
from swarm_app.node.computer import LinkMove
from swarm_app.node.door import MAX_OF_ONE
from swarm_app.node.events import (
    BelongingChanged,
    ChildReported,
    ChildStarted,
    ClockMoved,
    LinkMoved,
    LinkSeen,
    Woken,
)
from swarm_app.node.gossip import Gossip
from swarm_app.node.problems import problems
from swarm_app.node.state import Belongs, ClockOff, Standing
from swarm_app.node.view import snapshot
from tests.node.private_home import Home
from tests.node.test_node_fold import after, fresh

# Nodes are stopped in the middle of their calls here, and the test's event loop ends with them: a
# connection that was just being given up is closed by the garbage collector, which is right.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")


@pytest.fixture(autouse=True)
def _collect() -> Iterator[None]:
    """Within this test, and not in the middle of somebody else's."""
    yield
    gc.collect()


def complaint(home: Home) -> str:
    found = home.belongs.complaint
    return "" if found is None else found.message


def phase(home: Home, kind: Kind) -> Phase:
    return home.store.state.child(kind).phase


def standing(home: Home) -> Standing:
    return home.belongs.standing


class Street:
    """Homes that are stopped at the end."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.homes: list[Home] = []

    async def home(self, name: str, **options: object) -> Home:
        home = Home(self.folder, name, **options)  # type: ignore[arg-type]
        self.homes.append(home)
        await home.start()
        return home

    async def founder(self, name: str = "desk") -> Home:
        home = await self.home(name)
        await home.api.create("home", "")
        return home


@pytest.fixture
async def street(tmp_path: Path) -> AsyncIterator[Street]:
    street = Street(tmp_path)
    yield street
    for home in street.homes:
        await home.stop()


@contextlib.contextmanager
def silent_door() -> Iterator[Endpoint]:
    """An address that takes connections and says nothing: to a dialler the same as a dead one."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield Endpoint("127.0.0.1", server.getsockname()[1])


async def test_everybody_hears_of_everybody_and_of_removals(street: Street) -> None:
    desk = await street.founder()
    attic, laptop = await street.home("attic"), await street.home("laptop")
    began_s = time.monotonic()
    await attic.join(desk, "admin")
    await laptop.join(attic)  # any admin lets others in, not the founder alone
    assert time.monotonic() - began_s < 5
    for home in (desk, attic, laptop):
        await home.until_members("desk", "attic", "laptop")
    assert laptop.belongs.role == "member"
    assert phase(laptop, Kind.ENGINE) is Phase.WAITING, "its children may start"
    laptop.child(Kind.ENGINE)
    desk.api.remove("laptop")
    await laptop.until(lambda state: state.belongs.standing is Standing.REMOVED)
    await attic.until_members("desk", "attic")
    assert phase(laptop, Kind.ENGINE) is Phase.OFF
    with pytest.raises(Removed):
        laptop.api.invite("member", 1, 3600, "")
    await laptop.join(desk)
    await desk.until_members("desk", "attic", "laptop")
    assert len(desk.api.members()) == 4, "it is another device than the removed one"


async def test_children_get_certificates_and_hear_of_changes(street: Street) -> None:
    desk = await street.founder()
    key = desk.child(Kind.BLOCKS)
    (told,) = desk.memberships()
    credentials = Credentials.from_bytes(base64.b64decode(told))
    Identity(key, desk.clock).credentials = credentials
    assert credentials.binding.peer_id == "12D3Koodesk"
    laptop = await street.home("laptop")
    await laptop.join(desk)
    latest = Credentials.from_bytes(base64.b64decode(desk.memberships()[-1]))
    assert latest.members.number > credentials.members.number
    # A child that met a later list than its node had tells it.
    await laptop.until_met(desk)
    await laptop.stop()
    desk.api.rename("desk", "bureau", None)
    newer = desk.private.registrar.belonging
    assert newer is not None
    heard = base64.b64encode(newer.members.current.to_bytes()).decode("ascii")
    laptop.private.child_said(Kind.ENGINE, MembersHeard(heard))
    assert laptop.names() == {"bureau", "laptop"}
    for broken in ("", "*", heard[:-8]):
        laptop.private.child_said(Kind.ENGINE, MembersHeard(broken))


async def test_children_hear_of_processes_that_came_up_after_they_did(street: Street) -> None:
    """Both nodes started at once, and neither had anything to tell when they met."""
    desk = await street.founder()
    laptop = await street.home("laptop")
    laptop.child(Kind.ENGINE)
    await laptop.join(desk)
    await laptop.until_met(desk)
    where = "/ip4/127.0.0.1/tcp/4001/p2p/QmdfTbBqBPQ7VNxZEYEj14VmRuZBkqFbiwReogJgS1zR1n"
    desk.store.apply(ChildStarted(Kind.BLOCKS, 1))
    desk.store.apply(ChildReported(Kind.BLOCKS, Listening(where.rpartition("/")[2], [where]), 0.0))
    await laptop.until(lambda state: state.known)
    told = [message.peers for _, message in laptop.sent if isinstance(message, Membership)]
    assert told[0] == []
    assert told[-1] == [where]


async def test_a_guest_hosts_nothing(street: Street) -> None:
    desk = await street.founder()
    phone = await street.home("phone")
    await phone.join(desk, "guest")
    assert phase(phone, Kind.ENGINE) is Phase.WAITING
    assert phase(phone, Kind.BLOCKS) is Phase.OFF
    assert phase(desk, Kind.BLOCKS) is Phase.WAITING


async def test_links_say_what_is_wrong_with_them(street: Street) -> None:
    desk, other = await street.founder(), await street.founder("other")
    laptop, phone = await street.home("laptop"), await street.home("phone")
    link = desk.api.invite("member", 1, 3600, "")["link"]
    await laptop.private.join(link)
    with pytest.raises(LinkUsed):
        await phone.private.join(link)
    with pytest.raises(AlreadyMember):
        await laptop.private.join(desk.api.invite("member", 1, 3600, "")["link"])
    read = parse_link(desk.api.invite("member", 1, 3600, "")["link"])
    with pytest.raises(OtherSwarm):
        await phone.private.join(replace(read, endpoints=other.private.endpoints()).text())
    with pytest.raises(LinkUnknown):
        await phone.private.join(replace(read, secret=b"x" * 16).text())
    unreachable = replace(read, endpoints=(Endpoint("127.0.0.1", 1), Endpoint("127.0.0.1", 2))).text()
    with pytest.raises(NobodyAnswers, match=r"127\.0\.0\.1:1, 127\.0\.0\.1:2") as error:
        await phone.private.join(unreachable)
    assert "any of them for a fresh link" in error.value.remedy
    assert standing(phone) is Standing.OUTSIDE


async def test_a_dead_address_in_front_costs_a_moment(street: Street) -> None:
    desk, laptop = await street.founder(), await street.home("laptop")
    link = parse_link(desk.api.invite("member", 1, 3600, "")["link"])
    dead = (Endpoint("2001:db8::1", 41000),)
    with silent_door() as silent:
        began_s = time.monotonic()
        await laptop.private.join(replace(link, endpoints=(*dead, silent, *link.endpoints)).text())
    assert time.monotonic() - began_s < 2 * doorway.STAGGER_S + 1.0


@pytest.mark.parametrize(
    ("skew_s", "said"), [(2, ""), (10, "10 s behind"), (-10, "10 s ahead of"), (3600, "60 min behind")]
)
async def test_a_wrong_clock_is_named_with_its_offset(street: Street, skew_s: float, said: str) -> None:
    desk, laptop = await street.founder(), await street.home("laptop", skew_s=skew_s)
    if not said:
        await laptop.join(desk)
        await desk.until_members("desk", "laptop")
        return
    with pytest.raises(ClockWrong, match=said):
        await laptop.join(desk)


@pytest.mark.parametrize(
    ("offsets_s", "name", "offset_s", "sure", "said"),
    [
        ({"desk": 2.9, "attic": -2.9}, None, 0.0, False, ""),
        (
            {"attic": 62.4},
            "attic",
            62.0,
            False,
            "The clock of attic is 62 s ahead of this computer's, and one of the two is wrong."
            " Turn on automatic time here and on attic.",
        ),
        (
            {"desk": 0.1, "attic": -3600.0},
            "attic",
            -3600.0,
            True,
            "The clock of attic is 60 min behind the other computers'."
            " Set the clock of attic, or turn on its automatic time.",
        ),
        (
            {"desk": -60.0, "attic": -61.0},
            "",
            60.0,
            True,
            "This computer's clock is 60 s ahead of those of attic and desk."
            " Set this computer's clock, or turn on its automatic time.",
        ),
        ({"desk": 0.0, "attic": 60.0, "den": 60.0}, "attic", 60.0, False, ""),
        ({"desk": -60.0, "attic": 90.0}, "attic", 90.0, False, ""),
    ],
)
def test_three_clocks_say_whose_is_wrong(
    offsets_s: dict[str, float], name: str | None, offset_s: float, sure: bool, said: str
) -> None:
    clocks = Clocks()
    for one, by_s in offsets_s.items():
        clocks.met(one.encode(), one, by_s, 0.0)
    members = [one.encode() for one in offsets_s]
    found = clocks.verdict(members, 1.0)
    assert (None if found is None else (found.name, round(found.offset_s), found.sure)) == (
        None if name is None else (name, offset_s, sure)
    )
    if said:
        state = after(fresh(), BelongingChanged(Belongs(Standing.MEMBER, clock=found)))
        (problem,) = problems(state)
        assert f"{problem.message} {problem.remedy}" == said
    assert clocks.verdict(members[:0], 1.0) is None, "who is a member no more disturbs nobody"
    clocks.met(members[0], "x", 99.0, 2.0)
    assert clocks.verdict(members, 2.0 + FORGET_S) is None, "nor does who is off"


async def test_a_clock_that_drifts_later_is_shown_until_it_is_right_again(street: Street) -> None:
    desk, laptop = await street.founder(), await street.home("laptop")
    await laptop.join(desk)
    await laptop.until_met(desk)
    laptop.clock.by_s = 60.0
    desk.store.apply(Woken(1.0, "clock", 0.0))  # it calls its members
    await desk.until(lambda state: state.belongs.clock)
    assert desk.belongs.clock == ClockOff("laptop", 60.0, False)
    shown = snapshot(desk.store.state, 0.0, 0.0)["membership"]
    assert shown["clock"] == {"name": "laptop", "this_computer": False, "offset_s": 60.0, "sure": False}
    assert standing(desk) is Standing.MEMBER
    laptop.clock.by_s = 0.0
    laptop.store.apply(ClockMoved(-60.0))
    desk.store.apply(Woken(2.0, "clock", 0.0))
    for home in (desk, laptop):
        await home.until(lambda state: state.belongs.clock is None)


async def test_members_of_another_version_are_named_until_they_speak_ours(
    street: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, laptop = await street.founder(), await street.home("laptop")
    await laptop.join(desk)
    await laptop.until_met(desk)
    party = laptop.private.registrar.party
    with monkeypatch.context() as patch:
        patch.setattr(laptop.private.registrar, "party", lambda: replace(party(), version=2))
        desk.store.apply(Woken(1.0, "clock", 0.0))  # it calls its members
        await desk.until(lambda state: state.belongs.other_versions)
    (told,) = [one for one in problems(desk.store.state) if one.code == "version-mismatch"]
    assert told.message.startswith("laptop runs another version of Homeswarm; ")
    assert told.remedy == "Update the older one."
    assert standing(desk) is Standing.MEMBER
    desk.store.apply(Woken(2.0, "clock", 0.0))
    await desk.until(lambda state: not state.belongs.other_versions)


async def test_a_household_goes_on_without_its_founder(street: Street) -> None:
    desk, attic = await street.founder(), await street.home("attic")
    await attic.join(desk, "admin")
    await desk.until_members("desk", "attic")
    await attic.until_met(desk)
    made = desk.api.invite("member", 1, 3600, "")
    old = made["link"]
    assert made["addresses"] == [f"127.0.0.1:{desk.port}", f"127.0.0.1:{attic.port}"]
    await attic.until_met(desk)
    await desk.stop()
    await attic.again()  # it restarts while the founder is away
    assert standing(attic) is Standing.MEMBER
    laptop = await street.home("laptop")
    only_desk = replace(parse_link(old), endpoints=parse_link(old).endpoints[:1]).text()
    with pytest.raises(NobodyAnswers, match="None of the computers"):
        await laptop.private.join(only_desk)
    await laptop.private.join(old)  # the same link, by the admin that it also names
    # The founder comes back, at another port: its old one has been taken meanwhile.
    found = desk.private.registrar.belonging
    assert found is not None
    port = found.own[0].port
    with socket.create_server(("127.0.0.1", port)):
        await desk.start()
        assert desk.port != port
        for home in (desk, attic, laptop):
            await home.until_members("desk", "attic", "laptop")


async def test_a_member_that_was_away_learns_of_its_removal_at_its_first_contact(street: Street) -> None:
    desk, laptop = await street.founder(), await street.home("laptop")
    await laptop.join(desk)
    await laptop.until_met(desk)
    await laptop.stop()
    desk.api.remove("laptop")
    await laptop.start()
    await laptop.until(lambda state: state.belongs.standing is Standing.REMOVED)
    assert complaint(laptop) == "This computer was removed from the swarm home."


async def test_a_link_that_two_admins_have_redeemed_is_shown_to_them(street: Street) -> None:
    """They were cut off from each other; what each of them did was right as far as it knew."""
    desk, attic = await street.founder(), await street.home("attic")
    await attic.join(desk, "admin")
    await attic.until_met(desk)
    made = desk.api.invite("member", 1, 3600, "")
    await attic.until_met(desk)
    laptop, phone = await street.home("laptop"), await street.home("phone")
    await desk.stop()
    await laptop.api.join(made["link"])
    await attic.stop()
    await desk.start()
    await phone.api.join(made["link"])
    await attic.start()
    for home in (desk, attic):
        await home.until_members("desk", "attic", "laptop", "phone")
        await home.until(lambda state: state.belongs.overused)
        (problem,) = problems(home.store.state)
        assert problem.message.startswith(
            f"The link {made['id'][:8]} was made for one computer and has let in 2:"
        )
        assert {"laptop", "phone"} <= set(problem.message.rstrip(".").split()), problem.message
    assert phone.belongs.overused == (), "who can do nothing about it is not bothered"
    (invite,) = [one for one in desk.api.invites() if one["id"] == made["id"]]
    assert (invite["state"], invite["used"]) == ("used", 2)
    desk.api.remove("phone")
    for home in (desk, attic):
        await home.until(lambda state: not state.belongs.overused)


async def test_a_new_key_reaches_those_who_are_there_and_those_who_come_back(street: Street) -> None:
    desk = await street.founder()
    attic, laptop, phone = [await street.home(name) for name in ("attic", "laptop", "phone")]
    for home in (attic, laptop):
        await home.join(desk)
        await home.until_met(desk)
    before = desk.belongs.swarm_id
    link = desk.api.invite("member", 1, 3600, "")["link"]
    await laptop.stop()
    await desk.api.rotate()
    after = desk.belongs.swarm_id
    assert after != before
    await attic.until(lambda state: state.belongs.swarm_id == after)
    await laptop.start()
    await laptop.until(lambda state: state.belongs.swarm_id == after)
    assert laptop.belongs.role == "member"
    with pytest.raises(RotationPending, match="before the swarm got a new key"):
        await phone.private.join(link)
    await desk.again()
    assert (desk.belongs.standing, desk.belongs.founder) == (Standing.MEMBER, True)
    await phone.join(desk)


async def test_an_error_of_our_own_in_a_call_is_not_the_end_of_all_calls(
    street: Street, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(private, "GO_ON_S", 0.01)
    broken, sync = [KeyError("a bug of ours")], Gossip.sync

    async def stumbling(gossip: Gossip, leaving: bool = False) -> int:
        if broken:
            raise broken.pop()
        return await sync(gossip, leaving)

    monkeypatch.setattr(Gossip, "sync", stumbling)
    desk, laptop = await street.founder(), await street.home("laptop")
    await laptop.join(desk)
    await desk.until_met(laptop)
    assert broken == []


async def test_whoever_starts_later_with_the_same_identity_yields(street: Street) -> None:
    desk, laptop = await street.founder(), await street.home("laptop")
    await laptop.join(desk)
    await desk.until_met(laptop)
    copied = laptop.copy("copy")
    street.homes.append(copied)
    await copied.start()
    await copied.until(lambda state: state.belongs.standing is Standing.TWIN)
    assert "one was copied from the other" in complaint(copied)
    assert standing(laptop) is Standing.MEMBER
    # Leaving there forgets there, and takes nobody else out.
    await copied.api.leave()
    assert standing(copied) is Standing.OUTSIDE
    await laptop.again()
    assert desk.names() == {"desk", "laptop"}


async def test_links_and_doors_name_where_others_reach_it_and_follow_a_move(street: Street) -> None:
    """Scenarios B1 and B2: what the link watcher has found, and nothing else of what this computer has."""
    desk, laptop = await street.home("desk", listen="0.0.0.0"), await street.home("laptop")
    desk.store.apply(LinkSeen(("127.0.0.2",), None))
    await desk.api.create("home", "")
    made = desk.api.invite("member", 1, 3600, "")
    assert made["addresses"] == [f"127.0.0.2:{desk.port}"]
    by = (Endpoint("127.0.0.1", desk.port),)
    await laptop.private.join(replace(parse_link(made["link"]), endpoints=by).text())

    async def until_known_at(host: str) -> None:
        deadline_s = time.monotonic() + 10
        while True:
            found = laptop.private.registrar.belonging
            assert found is not None
            if [contact.endpoints for contact in found.contacts] == [(Endpoint(host, desk.port),)]:
                return
            assert time.monotonic() < deadline_s, found.contacts
            await asyncio.sleep(0.01)

    await until_known_at("127.0.0.2")
    desk.store.apply(LinkSeen(("127.0.0.3",), None))
    desk.store.apply(LinkMoved(LinkMove(0.0, ("address-added", "address-gone"), True)))
    await until_known_at("127.0.0.3")
    assert desk.api.invite("member", 1, 3600, "")["addresses"] == [f"127.0.0.3:{desk.port}"]
    assert desk.belongs.door == (f"127.0.0.3:{desk.port}",)


class LockedVault(FileVault):
    """A keyring that is locked until somebody unlocks it."""

    locked = False

    def _read(self) -> dict[str, str]:
        if self.locked:
            raise SecretsUnusable("The keyring is locked.")
        return super()._read()


async def test_a_locked_keyring_is_said_and_asked_again(
    street: Street, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(private, "RETRY_KEYS_S", 0.1)
    vault = LockedVault(tmp_path / "keys.json")
    desk = await street.home("desk", vault=vault)
    vault.locked = True
    with pytest.raises(SecretsUnusable, match="locked"):
        await desk.api.create("home", "")
    assert standing(desk) is Standing.OUTSIDE
    vault.locked = False
    await desk.api.create("home", "")
    vault.locked = True
    await desk.again()
    assert standing(desk) is Standing.LOCKED
    assert "locked" in complaint(desk)
    assert phase(desk, Kind.ENGINE) is Phase.OFF
    vault.locked = False
    await desk.until(lambda state: state.belongs.standing is Standing.MEMBER)
    assert desk.belongs.complaint is None


async def test_leaving_is_told_and_forgotten(street: Street) -> None:
    desk, laptop = await street.founder(), await street.home("laptop")
    await laptop.join(desk)
    await laptop.until_met(desk)
    with pytest.raises(LastOwner):
        await desk.api.leave()
    assert (await laptop.api.leave())["told"] == 1
    await desk.until_members("desk")
    assert standing(laptop) is Standing.OUTSIDE
    assert not (laptop.folder / "swarm.json").exists()
    with pytest.raises(NoSwarm):
        await laptop.api.leave()
    await desk.api.leave()  # alone, even the last owner may go
    assert desk.api.swarms() == []


async def test_who_only_knows_the_address_learns_nothing(street: Street) -> None:
    desk = await street.founder()
    (where,) = desk.private.endpoints()
    stranger = await street.founder("stranger")
    knocks = [
        b"",
        b"GET / HTTP/1.1\r\n\r\n",
        encode("hello", [2, b"x" * 16, "", b"n" * 16, 0, 0]),
        encode("ask", [1, b"x" * 16, b"n" * 16, 0, b"k" * 32, b""]),
    ]
    for knock in knocks:
        door = await doorway.dial(where)
        try:
            await door.send(knock)
            answer = await door.receive(4096)
        finally:
            await door.close()
        assert isinstance(read_refusal(answer), MembershipError)
        for told in (b"desk", b"tiny", desk.belongs.swarm_id.encode(), desk.belongs.device_id.encode()):
            assert told not in answer
    door = await doorway.dial(where)
    door.writer.write(b"\xff\xff\xff\xff")
    with pytest.raises(NobodyAnswers):
        await door.receive(4096)
    await door.close()
    assert stranger.belongs.swarm_id != desk.belongs.swarm_id


async def test_doors_that_hang_up_end_nothing(street: Street) -> None:
    """Whatever answers at a remembered address, the calls to the others go on."""
    desk, laptop = await street.founder(), await street.home("laptop")
    await laptop.join(desk)
    await laptop.until_met(desk)

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.transport.abort()

    context, _ = doorway.server_tls()
    for tls in (None, context):
        rude = await asyncio.start_server(hang_up, "127.0.0.1", 0, ssl=tls)
        found = desk.private.registrar.belonging
        assert found is not None
        stale = Contact(b"k" * 32, (Endpoint("127.0.0.1", rude.sockets[0].getsockname()[1]),))
        desk.private.registrar.register.note(contacts=(stale, *found.contacts))
        desk.api.rename("laptop", "lap", None)
        await laptop.until_members("desk", "lap")
        desk.api.rename("lap", "laptop", None)
        await laptop.until_members("desk", "laptop")
        rude.close()


async def test_one_address_cannot_take_all_places_at_the_door(street: Street) -> None:
    desk, laptop = await street.founder(), await street.home("laptop")
    link = desk.api.invite("member", 1, 3600, "")["link"]
    (where,) = desk.private.endpoints()
    crowd = [await doorway.dial(where) for _ in range(MAX_OF_ONE)]
    try:
        with pytest.raises(NobodyAnswers):
            await doorway.dial(where)
    finally:
        for one in crowd:
            await one.close()
    await _eventually(laptop, link)


async def _eventually(home: Home, link: str) -> None:
    """Join once the crowd is gone: the door notices that when the connections end."""
    deadline_s = time.monotonic() + 10
    while True:
        try:
            await home.private.join(link)
        except HomeswarmError:
            assert time.monotonic() < deadline_s
            continue
        return


async def test_neighbours_compare_six_digits(street: Street) -> None:
    desk, laptop = await street.home("desk", nearby=True), await street.home("laptop", nearby=True)
    await desk.api.create("home", "")
    deadline_s = time.monotonic() + 10
    while not laptop.api.nearby()["households"]:
        assert time.monotonic() < deadline_s
        await asyncio.sleep(0.05)
    (found,) = laptop.api.nearby()["households"]
    assert found == {"name": "home", "where": f"127.0.0.1:{desk.port}"}
    for approve in (False, True):
        asking = await laptop.api.ask("home")
        await desk.until(lambda state: state.belongs.requests)
        (request,) = desk.belongs.requests
        assert (request.name, request.digits) == ("laptop", asking["digits"])
        desk.api.answer(asking["digits"], approve, "guest")
        ended = laptop.private.neighbours._asks
        assert ended is not None
        await asyncio.wait_for(asyncio.shield(ended), 10)
        assert asking["state"] == ("joined" if approve else "refused"), asking
    assert laptop.belongs.role == "guest"
    await desk.until_members("desk", "laptop")
    assert not desk.belongs.requests


def test_a_damaged_swarm_file_is_named_and_kept(tmp_path: Path) -> None:
    file = tmp_path / "swarm.json"
    for content in (b"", b"{}", b'{"format": 2}', b"\xff", b'{"format": 1, "chain": ["AAAA"]}'):
        file.write_bytes(content)
        with pytest.raises(belonging.SwarmFileDamaged, match="damaged"):
            belonging.read(file)
        assert file.read_bytes() == content
    assert belonging.read(tmp_path / "none.json") is None
