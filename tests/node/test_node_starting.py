"""What a node's options and its computer make of its plan."""

from __future__ import annotations

from pathlib import Path

import pytest

from swarm_app.config.options import node_options
from swarm_app.config.paths import ProfilePaths
from swarm_app.node.starting import plan_of
from swarm_app.node.state import NO_MODEL


@pytest.mark.parametrize(("asked", "processors", "threads"), [("0", 0, 0), ("0", 2, 2), ("6", 2, 6)])
def test_children_compute_on_what_a_container_may_use(
    tmp_path: Path, asked: str, processors: int, threads: int
) -> None:
    options = node_options(tmp_path, {"threads": asked}, {})
    plan = plan_of(options, NO_MODEL, ProfilePaths(tmp_path), alone=False, processors=processors)
    assert plan.threads == threads
