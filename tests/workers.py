"""Which tests stay together when two workers share them: ``-n 2 --dist loadfile``.

A module does, with what its fixtures hold. But whatever starts processes of the product, or measures peers by
the clock, is one group: one household at a time, and beside it what only computes. It takes the longest and
begins first. (xdist's own ``loadgroup`` writes a group into the test's id, where pytest 9.2 no longer reads
it.) Callers: conftest.
"""

from __future__ import annotations

from xdist.scheduler import LoadScopeScheduling

PROCESSES = ("tests/household/", "tests/cli/", "tests/node/", "tests/engines/")


def group(node_id: str) -> str:
    """The name of the group of a test."""
    return "processes" if node_id.startswith(PROCESSES) else node_id.partition("::")[0]


class Groups(LoadScopeScheduling):  # type: ignore[misc]
    """A group at a time to whoever is free, in the order of the collection."""

    def _split_scope(self, nodeid: str) -> str:
        return group(nodeid)
