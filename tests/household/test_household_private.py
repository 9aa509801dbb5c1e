"""A private household: joined by links, closed to an outsider, and left by who is removed in mid-answer."""

from __future__ import annotations

import asyncio
import gc
import threading
import time
from pathlib import Path

import pytest
from hivemind.dht.node import DHTNode
from hivemind.p2p import P2P, PeerID
from hivemind.p2p.p2p_daemon_bindings.control import P2PHandlerError

from swarm_app.bridge.records import ROLL_KEY
from swarm_app.bridge.refusals import refusal_in
from swarm_app.bridge.swarm import parse_address
from swarm_app.domain.span import Span
from swarm_app.localapi.answers import Turn
from tests.bridge.test_bridge_outsiders import RPCS
from tests.household import Household
from tests.household.asking import Heard, ask
from tests.household.campaign import PROMPTS
from tests.household.embedded import Embedded

pytestmark = [
    pytest.mark.timeout(300),
    # Refused calls end in the middle; hivemind then leaves its control sockets to the garbage collector.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

REMOVED_S = 2.0
QUESTION = [Turn("user", PROMPTS[0])]


async def refusals_of(addresses: list[str]) -> list[str]:
    """What an outsider with hivemind's own p2pd is told by each RPC of the peer at those addresses."""
    p2p = await P2P.create(nat_port_map=False, auto_nat=False, use_relay=False)
    try:
        peer, where = parse_address(addresses[0])
        await p2p._client.connect(peer, [where])
        told = []
        for call in RPCS.values():
            with pytest.raises(P2PHandlerError) as caught:
                await call(p2p, PeerID.from_base58(peer.to_base58()))
            refusal = refusal_in(str(caught.value))
            told.append(refusal[0] if refusal else str(caught.value))
        node = await DHTNode.create(
            p2p=p2p, initial_peers=addresses, ensure_bootstrap_success=False, strict=False
        )
        assert await node.get(ROLL_KEY, latest=True) is None
        await node.shutdown()
        return told
    finally:
        await p2p.shutdown()


def test_a_private_household_lets_nobody_in_and_puts_who_is_removed_out(
    tmp_path: Path, embedded: Embedded
) -> None:
    with Household(
        tmp_path,
        models=embedded.models,
        model=embedded.name,
        spans=[Span(0, 30), None],
        names=["desk", "laptop"],
        private=True,
        admit=False,
    ) as rig:
        desk, laptop = rig.nodes
        # What needs no swarm is loaded before there is one, out of everybody's reach; joining only goes on.
        warm = laptop.wait_until(
            lambda state: (
                state["children"]["engine"]["phase"] == "warm" and state["children"]["engine"]["memory_bytes"]
            ),
            "warm",
        )
        engine = warm["children"]["engine"]
        assert (engine["peer_id"], engine["addresses"]) == ("", [])
        with laptop.client() as client:
            client.membership.join(rig.link())
        rig.wait_until_covered()
        assert laptop.state()["children"]["engine"]["pid"] == engine["pid"]
        assert asyncio.run(refusals_of(desk.swarm_addresses)) == ["not-certified"] * len(RPCS)

        removed_s: list[float] = []

        def remove() -> None:
            with desk.client() as client:
                (gone,) = client.membership.remove("laptop")
            assert gone["name"] == "laptop"
            removed_s.append(time.monotonic())

        removing = threading.Thread(target=remove)

        def on_piece(count: int) -> None:
            if count == 3:
                removing.start()

        heard: Heard = ask(laptop, QUESTION, 1500, on_piece=on_piece)
        removing.join()
        assert heard.error is not None
        assert (heard.error.code, heard.error.message) == (
            "removed",
            "This computer was removed from the swarm home.",
        )
        assert heard.ended_s - removed_s[0] < REMOVED_S
        desk.wait_until(lambda state: state["children"]["blocks"]["sessions"] == 0, "rid of it", 2.0)

        told = laptop.wait_until(
            lambda state: state["membership"]["standing"] == "removed", "told that it was removed", 5.0
        )
        reason = told["membership"]["reason"]
        assert reason is not None
        assert reason["message"] == "This computer was removed from the swarm home."
        assert ask(laptop, QUESTION, 4).done is None

        # What the outsider's sockets are is of no interest to other tests.
        gc.collect()
        assert ask(desk, QUESTION, 4).done is not None, "the others go on as before"
