"""What an engine process needs of its engine, and the token loop of a model, wherever its blocks are."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from swarm_app.domain.errors import HomeswarmError
from swarm_app.domain.pause import Pause

if TYPE_CHECKING:
    import torch

    from swarm_app.childproto import Finished, Generate, Listening, LocalSeen, Message, SwarmSeen
    from swarm_app.domain.route import Route

Emit = Callable[["Message"], Awaitable[None]]
ProgressCallback = Callable[[str, int, int], None]
"""What is being done, how much of it is done, of how much."""


class CutOff(Exception):
    """An answer ended in `error` after it had begun. `so_far` is what there was; `held` the end of its text,
    not emitted because it may have become a stop string."""

    def __init__(self, error: HomeswarmError, so_far: Finished, held: str) -> None:
        super().__init__(error.message)
        self.error = error
        self.so_far = so_far
        self.held = held


class Engine(Protocol):
    """Turns conversations into answers: over the swarm, or on this computer alone."""

    def listening(self) -> Listening | None:
        """Where it is reached in the swarm; None where it is not in one."""
        ...

    async def answer(self, request: Generate, emit: Emit, started_s: float) -> Finished:
        """Run one request that came at monotonic second `started_s`.

        Accepted, Deltas and Finished go to `emit`, and Finished is returned as well. Cancelling the task
        ends the answer with the reason ``cancelled``; the task then ends normally. Raises a HomeswarmError
        before Accepted, CutOff after it.
        """
        ...

    def seen(self) -> SwarmSeen | LocalSeen:
        """What the node is told on change and at least every 2 s. Raises when the engine cannot go on."""
        ...

    async def resume(self, *, moved: bool) -> None:
        """This computer woke, or (`moved`) has another address."""
        ...

    async def close(self) -> None:
        """Free everything; ends every answer."""
        ...


class Decoder(Protocol):
    """One answer's model: token ids in, logits out. Not for two answers at once."""

    @property
    def route(self) -> Route | None:
        """The route in use, or None where there is none (a model in this process)."""
        ...

    async def step(self, token_ids: Sequence[int]) -> torch.Tensor:
        """Feed tokens after those fed before.

        Returns float32 logits of shape [vocab_size] after the last of them. Raises NoRoute,
        PeerLost, PeerRefused, CacheFull. Cancelling the awaiting task is allowed; the decoder can
        then only be closed.
        """
        ...

    def take_pauses(self, *, ended: bool = False) -> list[Pause]:
        """Pauses and moves that were over since the last call, each once its cause is known; all that are
        left with `ended`."""
        ...

    async def close(self) -> None:
        """Free the session on every peer. Safe to call twice and after a cancelled step."""
        ...


class Model(Protocol):
    """A model that answers can be opened on."""

    name: str
    vocab_size: int

    async def open(self, max_tokens: int) -> Decoder:
        """A decoder with room for `max_tokens` positions. Raises NoRoute, CacheFull, PeerRefused."""
        ...

    def seen(self) -> SwarmSeen:
        """The present view of the swarm."""
        ...

    async def resume(self, *, moved: bool) -> None:
        """This computer woke, or (`moved`) has another address: what was thought of others may be wrong."""
        ...

    async def close(self) -> None:
        """Leave the swarm; ends every decoder."""
        ...
