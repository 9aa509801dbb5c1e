"""Handshakes that others begin here: few at a time, none for long, and strangers not too many a second."""

from __future__ import annotations

from typing import Any

from swarm_app.bridge import limits
from swarm_app.bridge.limits import Bucket, PeerLimit
from swarm_app.domain.clock import Clock
from swarm_app.membership.clocks import HANDSHAKE_S
from swarm_app.membership.credentials import Identity
from swarm_app.membership.errors import MembershipError, Replayed
from swarm_app.membership.handshake import Responder, Verified
from swarm_app.membership.refusals import refuse


class Reception:
    """The responder's side. Who has passed is the gate's to remember."""

    def __init__(self, identity: Identity, clock: Clock) -> None:
        self._identity = identity
        self._clock = clock
        self._half_open: dict[bytes, tuple[Responder, float]] = {}
        self._strangers = Bucket(limits.HELLOS_PER_S, limits.HELLOS_AT_ONCE)

    def hello(self, data: bytes, peer: Any, *, known: bool) -> bytes:
        """A challenge, or a refusal. `peer` is hivemind's PeerID; who is `known` has passed before."""
        now_s = self._clock.monotonic()
        key = peer.to_bytes()
        try:
            if not known and not self._strangers.take(now_s):
                raise PeerLimit("Too many computers want to be let in at once.")
            for old in [k for k, (_, at_s) in self._half_open.items() if now_s - at_s > HANDSHAKE_S]:
                del self._half_open[old]
            while len(self._half_open) >= limits.MAX_HALF_OPEN:
                # The oldest goes: strangers who never finish must not keep members out.
                del self._half_open[next(iter(self._half_open))]
            responder = self._identity.responder(str(peer.to_base58()), same_model=False)
            challenge = responder.challenge(data)
        except MembershipError as error:
            return refuse(error)
        self._half_open.pop(key, None)
        self._half_open[key] = responder, now_s
        return challenge

    def proof(self, data: bytes, peer: Any) -> tuple[Verified, bytes]:
        """Who that is, and the answer to it. Raises MembershipError."""
        self.awaited(peer.to_bytes())
        responder, _ = self._half_open.pop(peer.to_bytes())
        return responder.finish(data)

    def awaited(self, key: bytes) -> None:
        """Raises Replayed unless that peer has begun a handshake."""
        if key not in self._half_open:
            raise Replayed("A proof came without the beginning of a handshake.")
