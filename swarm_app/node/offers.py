"""Offers of the local model that wait for a person's word (``--fallback ask``).

State owned: the open offers. Callers: `swarm_app.node.relay`, `swarm_app.node.consent`.
"""

from __future__ import annotations

import time
from typing import Literal

from swarm_app.domain.errors import NoOffer
from swarm_app.node.events import OffersChanged
from swarm_app.node.reasons import Why
from swarm_app.node.state import Offer
from swarm_app.node.store import Store

OFFER_S = 120.0
"""Who says nothing for this long is not there: the household alone is waited for, or the answer ends."""

Decision = Literal["local", "wait"]


class OpenOffer:
    """One offer; `decision` is "" until somebody has decided."""

    def __init__(self, about: Offer, ends_at: float) -> None:
        self.about = about
        self.decision: Decision | Literal[""] = ""
        self._ends_at = ends_at

    @property
    def expired(self) -> bool:
        return time.monotonic() >= self._ends_at


class Offers:
    """All open offers of one node. Each change is one of the state, by which whoever waits is woken."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._open: dict[str, OpenOffer] = {}

    def make(self, request_id: str, why: Why, model: str, at_token: int) -> OpenOffer:
        about = Offer(request_id, why.text, why.remedy, model, at_token, time.time() + OFFER_S)
        offer = OpenOffer(about, time.monotonic() + OFFER_S)
        self._open[request_id] = offer
        self._tell()
        return offer

    def decide(self, request_id: str, decision: Decision) -> None:
        """Take a person's word. Raises NoOffer where nothing is to be decided (any more)."""
        offer = self._open.pop(request_id, None)
        if offer is None:
            raise NoOffer("There is nothing to decide about this answer any more.")
        offer.decision = decision
        self._tell()

    def over(self, offer: OpenOffer) -> None:
        """Nobody has to decide any more. Safe to call twice."""
        if self._open.pop(offer.about.request_id, None) is not None:
            self._tell()

    def _tell(self) -> None:
        self._store.apply(OffersChanged(tuple(offer.about for offer in self._open.values())))
