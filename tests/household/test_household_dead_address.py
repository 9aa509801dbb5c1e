"""Scenario B4: an address in an invite link from which nothing comes back, not even a refusal."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from swarm_app.membership.links import Endpoint, parse_link
from tests.household.namespaces import Lan, NotAllowed, why_not

DEAD = "2001:db8::1"
ADDED_S = 1.0
"""What it may add to joining."""

APART = (sys.executable, "-m", "tests.household.apart")
SILENT = f"import socket; socket.create_connection(('{DEAD}', 41000), timeout=0.3)"


@pytest.fixture
def lan() -> Iterator[Lan]:
    if reason := why_not():
        pytest.skip(reason)
    with Lan(2) as lan:
        try:
            lan.nodes[0].swallow(DEAD)
        except NotAllowed as error:
            pytest.skip(f"there is no IPv6 here: {error}")
        yield lan


def test_a_dead_ipv6_address_in_a_link_adds_less_than_a_second(tmp_path: Path, lan: Lan) -> None:
    here, there = lan.nodes
    tried = subprocess.run([*here.prefix, sys.executable, "-c", SILENT], capture_output=True, check=False)
    assert b"TimeoutError" in tried.stderr, "packets vanish there, and nothing refuses them"
    desk = subprocess.Popen(
        [*there.prefix, *APART, "found", str(tmp_path), there.address],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert desk.stdout is not None
        link = parse_link(desk.stdout.readline().strip())
        dead = (Endpoint(DEAD, 41000),)
        links = [
            replace(link, endpoints=endpoints).text()
            for endpoints in (link.endpoints, dead + link.endpoints, link.endpoints + dead)
        ]
        joined = subprocess.run(
            [*here.prefix, *APART, "join", str(tmp_path), here.address, *links],
            capture_output=True,
            text=True,
            check=True,
            timeout=60,
        )
    finally:
        desk.communicate()
    plain_s, first_s, last_s = json.loads(joined.stdout)
    assert first_s - plain_s < ADDED_S, joined.stdout
    assert last_s - plain_s < ADDED_S, joined.stdout
    # The first of all joins is slower than any other.
    assert first_s - min(plain_s, last_s) > 0.1, f"the dead address was not tried: {joined.stdout}"
