"""What the server needs of the node behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from swarm_app.localapi.answers import Answer, Choice, Turn
from swarm_app.localapi.view import Section, StateView


@dataclass(frozen=True, slots=True)
class ModelCard:
    """The model that the node runs; `created` is seconds since the epoch."""

    name: str
    id: str
    created: int


class Host(Protocol):
    """A node, as the local API sees it. Called from the node's event loop."""

    def state(self) -> StateView:
        """The state now."""
        ...

    def watch(self, watcher: Callable[[frozenset[Section], str], None]) -> Callable[[], None]:
        """Call `watcher` with the changed sections and what happened, until the returned call ends it."""
        ...

    def model(self) -> ModelCard | None:
        """The household's model; None on a computer that only has its local one."""
        ...

    def local_model(self) -> str | None:
        """The name of the model that runs on this computer alone; None where there is none."""
        ...

    async def answer(self, turns: Sequence[Turn], choice: Choice, trim: bool) -> Answer:
        """Start an answer; waits a few seconds for an engine that is starting. Raises HomeswarmError."""
        ...

    def use_local(self, name: str) -> None:
        """Use this local model from now on. Raises ModelNotFound, and DiskFull where that cannot be noted."""
        ...

    def decide(self, request_id: str, decision: Literal["local", "wait"]) -> None:
        """Let the local model give an answer that was offered, or wait for the household. Raises NoOffer."""
        ...

    def retry(self, child: str) -> None:
        """Try a child that is down again. Raises BadRequest for an unknown child."""
        ...

    def withdraw(self, for_s: float | None = None) -> bool:
        """Take the blocks back: the household is told, and nobody else is served for `for_s` seconds, or
        until `serve`. Whether that holds over a restart of the node: where it cannot be written down, the
        state's problems say why, and it is tried again.

        Returns at once. Raises BadRequest where this node serves nothing.
        """
        ...

    def serve(self) -> bool:
        """Serve again after `withdraw`, and although a rule says pause, until none does; returns at once, and
        the same as `withdraw`.

        Raises BadRequest where this node serves nothing.
        """
        ...

    def stop(self, why: str) -> None:
        """Begin to stop the node; returns at once."""
        ...
