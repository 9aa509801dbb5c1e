"""``python -m tests.household outsiders``: whoever is no member tries everything at a private household.

Each kind of outsider has a p2pd of its own and hivemind's and Petals' client code, is given more than it
could have (addresses, ids, the list of members), and calls every RPC of a node that serves all blocks; then
it comes to the node's door. Links that are no good any more are tried there as well. Beside them stands a
member, who is answered. State owned: the outsiders' p2pds. Callers: the command; the household's tests.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import functools
import json
import logging
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from swarm_app.bridge.records import block_uid
from swarm_app.domain.clock import SystemClock
from swarm_app.domain.span import Span
from swarm_app.membership.certificates import Role
from swarm_app.membership.errors import MembershipError
from swarm_app.membership.handshake import HELLO_BYTES, PROOF_BYTES, Initiator, Party
from swarm_app.membership.joining import ADMITTED_BYTES, CHALLENGE_BYTES, Joiner
from swarm_app.membership.keys import PrivateKey
from swarm_app.membership.links import Endpoint, Link, parse_link
from swarm_app.membership.members import Members
from swarm_app.membership.refusals import read_refusal
from swarm_app.membership.statements import Invite
from swarm_app.node import belonging
from swarm_app.node.doorway import Doorway, dial
from tests.bridge.outsiders import (
    KINDS,
    RPCS,
    Target,
    expired_chain,
    found_by_a_dht_node,
    party_of,
    plain_p2p,
    shake,
    stranger,
    told,
)
from tests.household.embedded import import_embedded
from tests.household.faulting import announce, give, machine, output_arguments
from tests.household.household import Household
from tests.household.node import Node
from tests.household.outsidertable import ANSWERED, MEMBER, PARTS, let_in
from tests.membership.swarms import Device, TinySwarm


def outsiders_arguments(commands: Any) -> None:
    """Add the command's parser to `commands`."""
    parser: argparse.ArgumentParser = commands.add_parser(
        "outsiders", help="try every RPC and the door of a private household by every kind of outsider"
    )
    output_arguments(parser)


def outsiders_command(chosen: argparse.Namespace) -> int:
    """The exit status is 1 when an outsider got anything, or the member did not."""
    for talkative in ("httpx", "hivemind"):
        logging.getLogger(talkative).setLevel(logging.ERROR)
    with contextlib.ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="hs-rig-")))
        embedded = import_embedded(folder / "models", chosen.quant)
        whole = Span(0, 30)
        rig = stack.enter_context(
            Household(folder, models=embedded.models, model=embedded.name, spans=[whole], private=True)
        )
        rig.wait_until_covered(300.0)
        announce("covered")
        document = {"kind": "outsiders", "machine": machine(), **asyncio.run(tried(rig))}
    wrong = let_in(document)
    tries = sum(len(row) for part in PARTS for row in document[part].values())
    give(document, chosen, "\n".join(wrong) or f"{tries} tries: all outsiders refused, the member answered")
    return 1 if wrong else 0


async def tried(rig: Household) -> dict[str, Any]:
    """Every RPC, the door, and links by every kind of outsider, as they were answered by the founder, who
    serves. By the part of the node that was called: what was called, who called, what was said."""
    house = await _House.of(rig)
    node, target = house.node, house.target
    document: dict[str, Any] = {"rpcs": {name: {} for name in RPCS}, "dht_node": {"bootstrap and get": {}}}
    document |= {"door": {"handshake": {}}, "links": {}, "handshakes": {}}
    with node.client() as client:
        before = {member["name"] for member in client.membership.members() if not member["removed"]}
    member = await plain_p2p(target)
    try:
        await shake(target, member, party_of(target, target.honest, member))
        for name, rpc in RPCS.items():
            document["rpcs"][name][MEMBER] = await told(rpc, target, member)
    finally:
        await member.shutdown()
    for kind, trying in KINDS.items():
        p2p = await plain_p2p(target)
        try:
            refusal = await trying(target, p2p)
            document["handshakes"][kind] = {"code": refusal.code, "message": refusal.message}
            for name, rpc in RPCS.items():
                document["rpcs"][name][kind] = await told(rpc, target, p2p)
            found = await found_by_a_dht_node(target, p2p)
            document["dht_node"]["bootstrap and get"][kind] = ", ".join(found)
            document["door"]["handshake"][kind] = await house.at_the_door(kind)
        finally:
            await p2p.shutdown()
    document["links"] = {"join by a link": await house.by_links()}
    after = node.state()
    with node.client() as client:
        present = {member["name"] for member in client.membership.members() if not member["removed"]}
    assert present == before - {target.former.name}, "nobody else came or went"
    assert after["children"]["blocks"]["sessions"] == 0
    return document


@dataclass
class _House:
    """A founder's node, and what the rig has read in its profile to make outsiders of."""

    node: Node
    door: Endpoint
    used: Link
    device_key: PrivateKey
    target: Target

    @classmethod
    async def of(cls, rig: Household) -> _House:
        """With two members more, who join by links as anybody does."""
        node = rig.nodes[0]
        kept = json.loads(node.paths.secrets_file.read_text())
        keys = {name: PrivateKey.from_bytes(base64.b64decode(text)) for name, text in kept.items()}
        links = [_invited(node) for _ in range(2)]
        devices = [await _joined(link, name) for link, name in zip(links, ("attic", "former"), strict=True)]
        state = node.state()
        addresses = state["children"]["blocks"]["addresses"]
        target = Target(
            addresses=addresses,
            swarm_key=keys["swarm"],
            members=_members(node),
            honest=devices[0],
            former=devices[1],
            remove=lambda device: _removed(node, device),
            model_id=state["model"]["id"],
            uid=block_uid(state["model"]["id"], 0),
            hidden_size=rig.model.manifest.hidden_size,
        )
        return cls(node, links[0].endpoints[0], links[0], keys["device"], target)

    async def at_the_door(self, kind: str) -> str:
        """What somebody of that kind is told who proves itself there, where no libp2p is."""
        target, device = self.target, stranger()
        party = Party((), device.key, None, target.members, "")
        match kind:
            case "expired":
                party = replace(party, chain=expired_chain(target, device.key.public))
            case "other swarm":
                other = TinySwarm(time.time())
                party = replace(party, chain=other.desk.chain, signer=other.desk.key)
            case "copied":
                party = replace(party, chain=target.honest.chain)
            case "replayed":
                return await self._replayed(
                    replace(party, chain=target.honest.chain, signer=target.honest.key)
                )
            case "revoked":
                party = replace(party, chain=target.former.chain, signer=target.former.key)
            case _:
                assert kind == "no certificate"
        return await _told_at(self.door, lambda door: _greeted(door, party))

    async def _replayed(self, party: Party) -> str:
        """A handshake that was recorded on one connection, and is played on another."""
        said: list[bytes] = []
        await _told_at(self.door, lambda door: _recorded(door, party, said))

        async def play(door: Doorway) -> None:
            await door.send(said[0])
            await door.receive(HELLO_BYTES)
            await door.send(said[1])
            raise read_refusal(await door.receive(PROOF_BYTES))

        return await _told_at(self.door, play)

    async def by_links(self) -> dict[str, str]:
        """What whoever comes with a link is told, by what is the matter with the link."""
        with self.node.client() as client:
            cancelled = client.membership.invite()
            client.membership.cancel(cancelled["id"])
        foreign = Link.make(TinySwarm(time.time()).id, time.time() + 3600, [self.door])
        links = {
            "used": self.used,
            "expired": await self._expired_link(),
            "cancelled": parse_link(cancelled["link"]),
            "foreign": foreign,
            "guessed": replace(self.used, secret=b"x" * len(self.used.secret)),
        }
        found = {}
        for what, link in links.items():
            device = PrivateKey.generate()
            found[what] = await _told_at(self.door, functools.partial(_asked, link=link, device=device))
        return found

    async def _expired_link(self) -> Link:
        """A true link of the household that ran out a minute ago. The shortest that it makes lasts a minute;
        so the founder's own device says this one, and a member brings the list to the founder's node."""
        link = Link.make(self.target.swarm_id, time.time() - 60, [self.door])
        invite = Invite(
            self.target.swarm_id, link.signer().public, Role.MEMBER, "", 1, link.expires_s, False, 1, 0
        )
        found = belonging.read(self.node.paths.swarm_file)
        assert found is not None
        list_ = found.members.issue(self.device_key, found.chain, now_s=time.time(), invites=[invite])
        honest = self.target.honest
        party = Party(honest.chain, honest.key, None, list_, "")
        assert await _told_at(self.door, lambda door: _greeted(door, party)) == ANSWERED
        return link


# ------------------------------------------------ as those who are let in do it


def _invited(node: Node) -> Link:
    with node.client() as client:
        return parse_link(client.membership.invite()["link"])


def _members(node: Node) -> Members:
    found = belonging.read(node.paths.swarm_file)
    assert found is not None
    return found.members


async def _joined(link: Link, name: str) -> Device:
    """A device that has redeemed the link at its first door."""
    key, chains = PrivateKey.generate(), []

    async def join(door: Doorway) -> None:
        joiner = Joiner(link.swarm_id, key, name, SystemClock(), channel=door.channel, link=link)
        await door.send(joiner.ask())
        await door.send(joiner.prove(await door.receive(CHALLENGE_BYTES)))
        chains.append(joiner.finish(await door.receive(ADMITTED_BYTES)).chain)

    assert await _told_at(link.endpoints[0], join) == ANSWERED
    return Device(name, key, chains[0], PrivateKey.generate(), "")


async def _removed(node: Node, device: Device) -> None:
    """By the founder."""
    with node.client() as client:
        client.membership.remove(device.name)


# ------------------------------------------------ at the door


async def _told_at(where: Endpoint, talk: Callable[[Doorway], Awaitable[None]]) -> str:
    """The code by which a conversation at the door was refused, or ANSWERED."""
    door = await dial(where)
    try:
        await talk(door)
    except MembershipError as error:
        return error.code
    finally:
        await door.close()
    return ANSWERED


def _at(door: Doorway, party: Party) -> Initiator:
    return Initiator(party, SystemClock(), channel=door.channel)


async def _greeted(door: Doorway, party: Party) -> None:
    initiator = _at(door, party)
    await door.send(initiator.hello())
    await door.send(initiator.prove(await door.receive(HELLO_BYTES)))
    initiator.finish(await door.receive(PROOF_BYTES))


async def _recorded(door: Doorway, party: Party, said: list[bytes]) -> None:
    """What a member would say on this connection, whose proof is not delivered."""
    initiator = _at(door, party)
    said.append(initiator.hello())
    await door.send(said[0])
    said.append(initiator.prove(await door.receive(HELLO_BYTES)))


async def _asked(door: Doorway, *, link: Link, device: PrivateKey) -> None:
    joiner = Joiner(link.swarm_id, device, "phone", SystemClock(), channel=door.channel, link=link)
    await door.send(joiner.ask())
    await door.send(joiner.prove(await door.receive(CHALLENGE_BYTES)))
    joiner.finish(await door.receive(ADMITTED_BYTES))
