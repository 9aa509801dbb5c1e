"""The rig: whole households of real nodes on one computer, for tests and by hand.

Purpose: start `homeswarm node` processes, each with a profile of its own, on loopback; wait for what must
become true; stop everything and find what was left behind. State owned: the folder it is given and the
processes that carry its mark. Callers: tests; ``python -m tests.household``.
"""

from tests.household.household import Household
from tests.household.node import Node

__all__ = ["Household", "Node"]
