"""Who may talk to this process, in a private swarm: handshakes, who has passed them, and who is put out.

One gate a process. `GuardedP2P` asks it before anything goes to a peer or is read from one, so that whatever
is registered there, hivemind's DHT and Petals' RPCs included, is closed to those without a certificate. A
peer that has passed is one look-up in a dictionary, by the id that libp2p has authenticated.

The handshake itself is `membership.handshake`; it travels in two calls of its own, the only ones that are
answered to strangers.

One module, long as it is: who is in, on the way in, refused and put out is one state, and each change of one
part is one of the others.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import logging
import weakref
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from hivemind.p2p import PeerID

from swarm_app.bridge import limits
from swarm_app.bridge.limits import HELLO_RPC, PROOF_RPC, Bucket, PeerLimit
from swarm_app.bridge.reception import Reception
from swarm_app.bridge.seals import SealedRecords
from swarm_app.domain.clock import Clock
from swarm_app.domain.errors import HomeswarmError
from swarm_app.domain.said import say
from swarm_app.membership.credentials import Credentials, Identity
from swarm_app.membership.errors import (
    CopiedCertificate,
    Expired,
    Forged,
    MembershipError,
    NotAllowed,
    NotCertified,
    OtherSwarm,
    Removed,
)
from swarm_app.membership.handshake import Verified
from swarm_app.membership.memberlist import MemberList
from swarm_app.membership.members import Members
from swarm_app.membership.refusals import refuse

logger = logging.getLogger(__name__)

MEET_S = 6.0
"""A handshake, the dial (5 s) included."""

REFUSED_S = 2.0
"""Whoever has refused us, or was refused by us, is not asked again for this long."""

TOLD_S = 60.0
"""A refusal is shown to people for this long after it happened last."""

RENEW_S = 600.0
"""With less than this left of a peer's proof, it is asked for a new one, beside the work."""

SWEEP_S = 5.0
"""Proofs that have run out are looked for this often."""

MAX_GOSSIP = 16
"""Peers told at once of a new list of members; the others hear of it from them, and from the nodes."""

MAX_REMEMBERED = 256
"""Refusals, and peers that were put out."""


_OVER = (Removed, Expired, OtherSwarm, CopiedCertificate, Forged)
"""Refusals after which what was proved before does not count any more. A drifting clock is none of them."""


class Ending(Protocol):
    """A stream that a peer has opened here."""

    def end(self, error: HomeswarmError) -> None:
        """End it at once and tell the peer why."""
        ...


@dataclass(slots=True, eq=False)
class Peer:
    """Somebody who has passed the handshake."""

    verified: Verified
    number: int
    """Of the list of members that both had after it."""
    calls: Bucket = field(default_factory=lambda: Bucket(limits.CALLS_PER_S, limits.CALLS_AT_ONCE))
    sessions: set[Ending] = field(default_factory=set)
    """What it has opened here."""
    opened: weakref.WeakSet[asyncio.StreamWriter] = field(default_factory=weakref.WeakSet)
    """What we have opened there."""


class Gate:
    """`bind` gets this process's credentials for its peer id from the node; `heard` tells the node of lists
    of members that were new here. One event loop.
    """

    def __init__(
        self,
        identity: Identity,
        clock: Clock,
        *,
        bind: Callable[[str], Awaitable[Credentials]],
        heard: Callable[[MemberList], None],
    ) -> None:
        self.identity = identity
        self.seals = SealedRecords(identity, clock)
        self.changed: Callable[[], None] = lambda: None
        """Called when the list of members is another one."""
        self.told: list[str] = []
        """Multiaddresses of members' processes, as the node was told last."""
        self.met: Callable[[list[str]], None] = lambda _: None
        """Called with them."""
        self._clock = clock
        self._bind = bind
        self._heard = heard
        self._client: Any = None
        self._number = 0
        """Of the list of members in force."""
        self._peers: dict[bytes, Peer] = {}
        self._reception = Reception(identity, clock)
        self._meetings: dict[bytes, asyncio.Task[None]] = {}
        self._refused: dict[bytes, tuple[MembershipError, float]] = {}
        self._removed: dict[bytes, Removed] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def open(self, p2p: Any) -> None:
        """Get bound, and answer handshakes from now on. `p2p` dials nobody and offers nothing before this."""
        self._client = p2p._client
        self.identity.credentials = await self._bind(str(p2p.peer_id.to_base58()))
        self._number = self.identity.members.number
        await self._client.add_unary_handler(HELLO_RPC, self._hello)
        await self._client.add_unary_handler(PROOF_RPC, self._proof)
        self._run(self._sweep())

    def introduce(self, peers: list[str]) -> None:
        """The node was told where members' processes are."""
        self.told = peers
        self.met(peers)

    async def close(self) -> None:
        tasks = [*self._tasks, *self._meetings.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def renew(self, credentials: Credentials) -> None:
        """What the node has sent: a new binding, or another list of members."""
        known = self.identity.credentials.members
        self.identity.credentials = credentials
        # The node may not have heard yet what a handshake has told us a moment ago.
        for other in (known.current, known.aside):
            if other is not None:
                with contextlib.suppress(MembershipError):
                    self.identity.heard(self.identity.members.merge(other))
        self._refused.clear()
        self._judge_again()

    # ------------------------------------------------------------------ who is in

    def look(self, peer: PeerID, name: str, size_bytes: int) -> None:
        """Before a call is read: whether one of that RPC and size may come from that peer.

        Raises NotCertified, Removed, Replayed (a proof that nobody waits for), PeerLimit.
        """
        key = peer.to_bytes()
        if name == PROOF_RPC:
            self._reception.awaited(key)
        elif name != HELLO_RPC:
            self._standing(key)
        if size_bytes > (most := limits.call_bytes(name)):
            raise PeerLimit(f"A request of {size_bytes} bytes is too long; {most} are the most.")

    def enter(self, peer: PeerID) -> Peer:
        """Let a call of that peer in. Raises NotCertified, Removed, PeerLimit."""
        key = peer.to_bytes()
        found = self._standing(key)
        if found.number < self._number and key not in self._refused:
            # It was away when the others heard of a new list.
            self._begin(peer, key)
        if not found.calls.take(self._clock.monotonic()):
            raise PeerLimit(f"More than {limits.CALLS_PER_S:.0f} calls a second are too many for one peer.")
        return found

    def enter_session(self, peer: PeerID, stream: Ending) -> Peer:
        """Let a stream of that peer in; `leave_session` when it is over."""
        found = self.enter(peer)
        if len(found.sessions) >= limits.MAX_SESSIONS:
            raise PeerLimit(f"{limits.MAX_SESSIONS} sessions are the most that one peer may have here.")
        found.sessions.add(stream)
        return found

    def _standing(self, key: bytes) -> Peer:
        found = self._peers.get(key)
        if found is not None:
            return found
        removed = self._removed.get(key)
        if removed is not None:
            raise Removed(removed.message)
        raise NotCertified("This computer has not shown a certificate of this swarm.")

    def verified(self, peer_id: str) -> Verified | None:
        """Who that is, where the handshake has been passed."""
        found = self._peers.get(_key(peer_id))
        return None if found is None else found.verified

    def bar(self, peer_id: str) -> MembershipError | None:
        """Why a peer is not to be used, or None."""
        key = _key(peer_id)
        found = self._peers.get(key)
        if found is not None:
            if found.verified.role.hosts:
                return None
            return NotAllowed(f"{found.verified.name} is a guest.")
        if (removed := self._removed.get(key)) is not None:
            return _again(removed)
        refused = self._refused.get(key)
        if refused is not None and self._clock.monotonic() - refused[1] < TOLD_S:
            return _again(refused[0])
        return None

    def barred(self, peer_id: str) -> str:
        """The same in a sentence without its end, or ""."""
        error = self.bar(peer_id)
        return "" if error is None else say("error", about=error.code, text=error.message.rstrip("."))

    def last_refusal(self) -> MembershipError | None:
        """Why nobody else can be reached: we are in no more, or our latest handshakes ended in refusals."""
        credentials = self.identity.credentials
        try:
            leaf, _ = self.identity.members.standing(credentials.chain, self._clock.time())
        except MembershipError as error:
            return _again(error)
        if any(peer.verified.device_key != leaf.device_key for peer in self._peers.values()):
            return None
        since_s = self._clock.monotonic() - TOLD_S
        recent = [(at_s, error) for error, at_s in self._refused.values() if at_s > since_s]
        return _again(max(recent, key=lambda found: found[0])[1]) if recent else None

    # ------------------------------------------------------------------ calling

    async def meet(self, peer: PeerID, *, anew: bool = False) -> Peer:
        """Pass the handshake with a peer unless that has been done; `anew` does it all the same.

        Raises MembershipError where one of both refuses the other, TimeoutError, and what p2pd raises.
        """
        key = peer.to_bytes()
        found = self._peers.get(key)
        if found is not None and not anew:
            if found.verified.expires_s - self._clock.time() < RENEW_S:
                self._begin(peer, key)
            return found
        refused = self._refused.get(key)
        if refused is not None and self._clock.monotonic() - refused[1] < REFUSED_S:
            raise _again(refused[0])
        # Shielded: others wait for the same handshake.
        await asyncio.shield(self._begin(peer, key))
        return self._standing(key)

    def _begin(self, peer: PeerID, key: bytes) -> asyncio.Task[None]:
        task = self._meetings.get(key)
        if task is None:
            task = self._meetings[key] = asyncio.create_task(self._meet(peer, key))
            task.add_done_callback(lambda done: self._met(key, done))
        return task

    def _met(self, key: bytes, task: asyncio.Task[None]) -> None:
        del self._meetings[key]
        if not task.cancelled() and (error := task.exception()) is not None:
            # Whoever waits gets it; one that nobody waits for has been a try.
            logger.debug("a handshake failed: %s", error)

    async def _meet(self, peer: PeerID, key: bytes) -> None:
        known = self._peers.get(key)
        initiator = self.identity.initiator(
            str(peer.to_base58()), known_as=known.verified.name if known else "", same_model=False
        )
        try:
            async with asyncio.timeout(MEET_S):
                challenge = await self._client.call_unary_handler(peer, HELLO_RPC, initiator.hello())
                answer = await self._client.call_unary_handler(peer, PROOF_RPC, initiator.prove(challenge))
            self._admit(key, initiator.finish(answer))
        except MembershipError as error:
            if isinstance(error, Removed) and error.evidence:
                self._hear_evidence(error.evidence)
            if not isinstance(error, PeerLimit):
                self._refused[key] = error, self._clock.monotonic()
                _bound(self._refused)
            if isinstance(error, _OVER) and self._peers.get(key) is known:
                self._end(key, error)
            raise

    # ------------------------------------------------------------------ being called

    async def _hello(self, data: bytes, peer: PeerID) -> bytes:
        return self._reception.hello(data, peer, known=peer.to_bytes() in self._peers)

    async def _proof(self, data: bytes, peer: PeerID) -> bytes:
        try:
            verified, answer = self._reception.proof(data, peer)
            self._admit(peer.to_bytes(), verified)
        except MembershipError as error:
            return refuse(error)
        return answer

    def _admit(self, key: bytes, verified: Verified) -> None:
        """Raises Removed where we have learnt meanwhile that the peer is out."""
        found = self._peers.get(key)
        if found is not None:
            found.number = max(found.number, verified.members.number)
        self._hear(verified.members)
        members = self.identity.members
        if members.is_removed(verified.device_key):
            raise Removed(f"{verified.name} was removed from the swarm.", evidence=members.current.to_bytes())
        found = self._peers.get(key)
        if found is None:
            self._peers[key] = Peer(verified, members.number)
        else:
            found.verified, found.number = verified, members.number
        self._refused.pop(key, None)
        self._removed.pop(key, None)

    # ------------------------------------------------------------------ the list of members

    def _hear(self, theirs: Members) -> None:
        mine = self.identity.members
        if theirs is mine:
            return
        merged = mine.merge(theirs.current)
        if theirs.aside is not None:
            merged = merged.merge(theirs.aside)
        if merged is mine:
            return
        self.identity.heard(merged)
        self._heard(merged.current)
        if merged.aside is not None:
            self._heard(merged.aside)
        self._judge_again()

    def _hear_evidence(self, data: bytes) -> None:
        """The list that a peer refuses us by: ours to check, and the node's to act upon."""
        with contextlib.suppress(MembershipError):
            self._hear(Members(MemberList.from_bytes(data)))

    def _judge_again(self) -> None:
        """After another list of members: put out who was removed, and tell others who know an older one."""
        members = self.identity.members
        self._number = members.number
        self.seals.forget()
        self.changed()
        for key, peer in list(self._peers.items()):
            verified = peer.verified
            entry = members.get(verified.device_key)
            if entry is None:
                # In by a certificate alone, whose signer may be out now: only a new handshake shows that.
                self._end(key, NotCertified(f"{verified.name} has to show its certificate again."))
            elif entry.removed:
                self._put_out(key, verified.name)
            else:
                role = min(verified.role, entry.role, key=lambda role: role.rank)
                peer.verified = replace(verified, role=role, name=entry.name)
        behind = [key for key, peer in self._peers.items() if peer.number < members.number]
        for key in behind[:MAX_GOSSIP]:
            self._begin(PeerID(key), key)

    def _put_out(self, key: bytes, name: str) -> None:
        self._removed[key] = Removed(f"{name} was removed from the swarm.")
        _bound(self._removed)
        self._end(key, self._removed[key])
        # It learns it from our proof, which carries the list; its own is refused.
        self._begin(PeerID(key), key)

    def _end(self, key: bytes, error: MembershipError) -> None:
        """Take a peer's place back, with everything that is open between it and us."""
        peer = self._peers.pop(key, None)
        if peer is None:
            return
        for session in list(peer.sessions):
            session.end(error)
        for writer in list(peer.opened):
            writer.close()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(SWEEP_S)
            now_s = self._clock.time()
            for key, peer in list(self._peers.items()):
                if peer.verified.expires_s <= now_s:
                    self._end(key, Expired(f"{peer.verified.name} has not renewed its certificate."))

    def _run(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _again(error: MembershipError) -> MembershipError:
    """A fresh copy: an error that is raised again and again gathers its past."""
    return type(error)(error.message, remedy=error.remedy)


@functools.lru_cache(1024)
def _key(peer_id: str) -> bytes:
    return bytes(PeerID.from_base58(peer_id).to_bytes())


def _bound(remembered: dict[bytes, Any]) -> None:
    while len(remembered) > MAX_REMEMBERED:
        del remembered[next(iter(remembered))]
