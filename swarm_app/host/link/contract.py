"""What the node may ask of the link, and what each system's file has to offer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from swarm_app.host.link.diff import LinkDelta
from swarm_app.host.link.snapshot import LinkSnapshot


@dataclass(frozen=True, slots=True)
class LinkChanged:
    """The network is another one than before, and has settled."""

    before: LinkSnapshot
    after: LinkSnapshot
    delta: LinkDelta


class LinkWatcher(Protocol):
    """The node's view of the network. Made by `swarm_app.host.link.open_link_watcher`."""

    @property
    def snapshot(self) -> LinkSnapshot:
        """The last settled snapshot; an empty one before the first."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What does not work here, one sentence each, for status and doctor. Empty when all does."""
        ...

    def watch(self, callback: Callable[[LinkChanged], None]) -> Callable[[], None]:
        """Call `callback` in the event loop for each change that matters; returns a function that ends it."""
        ...

    def start(self) -> None:
        """Begin to watch, in the running event loop. Returns at once."""
        ...

    async def settled(self) -> None:
        """Return when the first snapshot has been taken and the system's signals are heard, or are known
        not to be."""
        ...

    async def check_now(self) -> LinkSnapshot:
        """Look without waiting for a signal or for the dust to settle, as after a wake; tells of changes."""
        ...

    async def close(self) -> None:
        """Stop watching. Safe to call twice."""
        ...


class LinkSource(Protocol):
    """One system's file: dumb, says that something moved and reads how things are."""

    async def read(self) -> LinkSnapshot:
        """How things are now. Never raises for want of a service; what is not known is left out."""
        ...

    async def run(self, changed: Callable[[], None], note: Callable[[tuple[str, ...]], None]) -> None:
        """Call `changed` whenever something may have changed, until cancelled.

        `note` takes what does not work, () when all does; called once at least, when listening has begun.
        """
        ...
