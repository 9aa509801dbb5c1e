"""Whether the local model may answer, or go on, for the household: what one answer's asker wishes, and their
word where they are asked first (``--fallback ask``).

State owned: one answer's wishes and its open offer. Callers: `swarm_app.node.relay`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from swarm_app.domain.errors import FallbackOffered
from swarm_app.localapi.answers import Choice, Offered, OfferOver
from swarm_app.node import fallback
from swarm_app.node.fallback import Begin, Wishes
from swarm_app.node.given import Given
from swarm_app.node.offers import OFFER_S, Offers, OpenOffer
from swarm_app.node.reasons import Why, not_ready, why_not
from swarm_app.node.store import Store

WORD_LOOK_S = 0.5
"""How often an answer that waits for a person's word is thought about; the word itself is heard at once."""


class Consent:
    """For one answer. `local_needed` hears whether the local model is to be loaded, or kept, for it."""

    def __init__(
        self,
        store: Store,
        offers: Offers,
        request_id: str,
        choice: Choice,
        given: Given,
        local_needed: Callable[[bool], None],
    ) -> None:
        self._store = store
        self._offers = offers
        self._request_id = request_id
        self._decides = choice.decides
        self._given = given
        self._local_needed = local_needed
        self._wishes = Wishes(choice.prefer, choice.fallback)
        self._offer: OpenOffer | None = None

    @property
    def fallback(self) -> str:
        """``auto``, ``ask`` or ``never``, as it is by now."""
        return fallback.fallback_of(self._store.state, self._wishes)

    @property
    def asked(self) -> Why | None:
        """Why the open offer was made; None where there is none."""
        return None if self._offer is None else Why(self._offer.about.reason, self._offer.about.remedy)

    def who_begins(self) -> Begin | None:
        """Who is to begin the answer; None while that is open."""
        return fallback.choose(self._store.state, self._wishes, self._given.asked_at, time.monotonic())

    async def agreed(self, why: Why, *, begins: bool = False) -> bool:
        """Whether the local model may answer. Where a person decides, that is waited for; before the answer
        `begins` the household may be back first, or be what they want to wait for.

        Raises FallbackOffered where nobody is there to be asked, ChildDown when the node stops.
        """
        if self.fallback != "ask":
            return True
        if not self._decides:
            raise self._offered(why)
        while (decided := self.word(why)) is None:
            if self._store.state.stopping:
                raise not_ready(self._store.state)
            if begins and self._is_back():
                self.over("household")
                return False
            await self._store.next_change(WORD_LOOK_S)
        if decided == "expired":
            raise self._offered(why)
        if decided == "wait" and begins:
            await self._store.until(lambda state: state.stopping or why_not(state) is None, OFFER_S)
        return decided == "local"

    def word(self, why: Why) -> str | None:
        """Make an offer where there is none, and look at it: None as long as nobody has said anything.

        Else ``local``, ``wait`` or ``expired``; after the last two nothing is offered again in this answer.
        """
        if (offer := self._offer) is None:
            model = self._store.state.local_model
            name = "" if model is None else model.name
            offer = self._offer = self._offers.make(self._request_id, why, name, len(self._given.shown))
            about = offer.about
            self._given.put(
                Offered(
                    about.request_id,
                    about.reason,
                    about.remedy,
                    about.model,
                    about.at_token,
                    about.until_epoch,
                )
            )
            self._local_needed(True)  # whoever says yes does not want to wait for it then
        if not offer.decision and not offer.expired:
            return None
        how = offer.decision or "expired"
        self.over(how)
        self._wishes = replace(self._wishes, fallback="auto" if how == "local" else "never")
        return how

    def over(self, how: str) -> None:
        """The offer, if there is one, is open no longer."""
        if (offer := self._offer) is not None:
            self._offer = None
            self._offers.over(offer)
            self._given.put(OfferOver(offer.about.request_id, how))
            if how != "local":
                self._local_needed(False)

    def _offered(self, why: Why) -> FallbackOffered:
        """The offer as the end of an answer."""
        model = self._store.state.local_model
        return FallbackOffered(
            f"The household cannot {'go on' if self._given.shown else 'answer'}: {why.text}."
            f" {'The local model' if model is None else model.name} on this computer can."
        )

    def _is_back(self) -> bool:
        begin = self.who_begins()
        return begin is not None and not begin.local
