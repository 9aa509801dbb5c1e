"""Which tests stay together when two workers share them: pytest-xdist's ``--dist loadfile``.

A module does, with what its fixtures hold. But whatever needs a household or its model is one group: that is
made once, and no two households compete. It takes the longest and begins first. (xdist's own ``loadgroup``
writes a group into the test's id, where pytest 9.2 no longer reads it.) Callers: conftest.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

HOUSEHOLD = ("tests/household/", *(f"tests/cli/test_cli_{name}.py" for name in ("chat", "demo", "status")))


def group(node_id: str) -> str:
    """The name of the group of a test."""
    return "household" if node_id.startswith(HOUSEHOLD) else node_id.partition("::")[0]


class Groups(LoadScopeScheduling):  # type: ignore[misc]
    """A group at a time to whoever is free, in the order of the collection."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)
