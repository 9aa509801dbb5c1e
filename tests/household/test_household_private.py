"""A private household: joined by links, closed to an outsider, and left by who is removed in mid-answer."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import stat
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from swarm_app.domain.span import Span
from swarm_app.host.autostart import own_autostart
from swarm_app.localapi.answers import Turn
from tests.bridge.outsiders import KINDS
from tests.household import Household, Node
from tests.household.asking import Heard, ask
from tests.household.campaign import PROMPTS
from tests.household.embedded import Embedded
from tests.household.outsiders import tried
from tests.household.outsidertable import MEMBER, let_in
from tests.node.secretsearch import Seen, forms_in_file, forms_of_link, found, in_files, in_processes

pytestmark = pytest.mark.timeout(300)

REMOVED_S = 2.0
QUESTION = [Turn("user", PROMPTS[0])]


def secrets_of(rig: Household, link: str) -> dict[str, list[bytes]]:
    """Every secret of the household, as it may be written down: keys, a link, the tokens of local APIs."""
    secrets = {"the link": forms_of_link(link)}
    for node in rig.nodes:
        kept = forms_in_file(node.paths)
        secrets |= {f"{node.name}'s {name} key": written for name, written in kept.items()}
        secrets[f"{node.name}'s token"] = [node.wait_for_address().token.encode()]
    return secrets


def kept_by_consent(rig: Household) -> list[Path]:
    """The files where secrets may be: readable by this user alone."""
    files = [
        file
        for node in rig.nodes
        for file in (node.paths.secrets_file, node.paths.api_file, node.paths.token_file)
    ]
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in files)
    return files


def seen_of(rig: Household) -> list[Seen]:
    """Everything that the household shows and leaves, p2pds and models' processes included."""
    trees = [pid for node in rig.nodes if node.running for pid in node.tree().pids]
    assert any("p2pd" in psutil.Process(pid).name() for pid in trees)
    files = in_files(rig.folder, Path.home(), but=kept_by_consent(rig))
    states = ((f"{node.name}'s state", json.dumps(node.state()).encode()) for node in rig.nodes)
    return [*in_processes(trees), *files, *states]


def crash_of_a_child(node: Node) -> None:
    """Its blocks' process dies by itself, with last words, and is started again."""
    blocks = node.state()["children"]["blocks"]["pid"]
    assert blocks is not None
    os.kill(blocks, signal.SIGABRT)
    state = node.wait_until(
        lambda state: state["children"]["blocks"]["pid"] not in (blocks, None), "up again", 30.0
    )
    assert "Fatal Python error: Aborted" in json.dumps(state), "its last words are kept and shown"


def crash_of_the_node(node: Node) -> None:
    os.kill(node.pid, signal.SIGSEGV)
    deadline_s = time.monotonic() + 15
    while node.running:
        assert time.monotonic() < deadline_s
        time.sleep(0.05)


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
        with desk.client() as client:
            link = client.membership.invite()["link"]
        own_autostart().turn(True, [sys.executable, "-m", "swarm_app", "gui", "--minimized"])
        document = asyncio.run(tried(rig))
        assert let_in(document) == []
        for part in (document["rpcs"], document["dht_node"], document["door"]):
            assert all(set(KINDS) <= set(row) for row in part.values()), "every kind has tried everything"
        assert document["rpcs"]["rpc_inference"][MEMBER] == "answered", "the calls are true ones"

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

        assert ask(desk, QUESTION, 4).done is not None, "the others go on as before"

        secrets = secrets_of(rig, link)
        assert len(secrets) == 6, "the link, two devices, one swarm, two local APIs"
        assert not found(secrets, seen_of(rig))
        crash_of_a_child(desk)
        assert not found(secrets, seen_of(rig))
        kept = kept_by_consent(rig)
        crash_of_the_node(desk)
        assert not found(secrets, in_files(rig.folder, Path.home(), but=kept))
