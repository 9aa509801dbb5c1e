"""What the token loop needs of a model, wherever its blocks are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import torch

    from swarm_app.childproto import Pause, SwarmSeen
    from swarm_app.domain.route import Route


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

    def take_pauses(self) -> list[Pause]:
        """Pauses and moves that were over since the last call."""
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
