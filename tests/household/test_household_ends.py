"""How nodes end: a killed one leaves nothing, and comes back under its old identity."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from swarm_app.domain.span import Span
from swarm_app.localapi.answers import Choice, Done, Turn
from tests.household import Household
from tests.household.embedded import Embedded

pytestmark = pytest.mark.timeout(300)

GONE_S = 10.0


def paris(rig: Household) -> Done:
    with rig["desk"].client() as client:
        *_, done = client.chat([Turn("user", "What is the capital of France?")], Choice(max_tokens=16))
    assert isinstance(done, Done)
    return done


def test_a_killed_node_leaves_nothing_and_its_restart_completes_the_swarm_again(
    tmp_path: Path, embedded: Embedded
) -> None:
    spans = [Span(0, 20), Span(20, 30)]
    with Household(tmp_path, models=embedded.models, model=embedded.name, spans=spans) as rig:
        rig.wait_until_covered()
        desk, attic = rig.nodes
        assert [hop.name for hop in paris(rig).segments[0].route] == ["desk", "attic"]
        peer_before = attic.state()["children"]["blocks"]["peer_id"]

        tree = [attic.pid, *(child.pid for child in psutil.Process(attic.pid).children(recursive=True))]
        assert len(tree) >= 4, "the node, its children and p2pd"
        attic.kill()
        psutil.wait_procs([psutil.Process(pid) for pid in tree if psutil.pid_exists(pid)], timeout=GONE_S)
        assert [pid for pid in tree if psutil.pid_exists(pid)] == []

        desk.wait_until(lambda state: state["swarm"]["gaps"] == [[20, 30]], "aware of the gap", 60.0)
        assert [problem["about"] for problem in desk.state()["problems"]] != []

        attic.start(join=desk.swarm_addresses)
        rig.wait_until_covered()
        assert attic.state()["children"]["blocks"]["peer_id"] == peer_before
        assert [hop.name for hop in paris(rig).segments[0].route] == ["desk", "attic"]
        assert desk.stop() == 0


def test_leaving_a_household_fails_when_a_process_is_left(tmp_path: Path, embedded: Embedded) -> None:
    """The rig's own promise, with a process that has nothing to do with the nodes."""
    rig = Household(tmp_path, models=embedded.models, model=embedded.name, nodes=1, gone_s=0.5)
    stray = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"],
        env={**os.environ, **rig.mark.environment()},
        start_new_session=True,
    )
    try:
        with pytest.raises(AssertionError, match=f"left behind:\n{stray.pid} "):
            rig.__exit__(None, None, None)
    finally:
        stray.kill()
        stray.wait()
