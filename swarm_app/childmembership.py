"""A child's line to its node about membership: being bound, hearing of other lists, telling of them.

Purpose: what `blocks` and `engines` both need to make a `bridge.gate.Gate`. State owned: the child's gate.
Callers: those two.
"""

from __future__ import annotations

import asyncio
import base64
import binascii
from collections.abc import Callable
from typing import TYPE_CHECKING

from swarm_app.childproto import BindingWanted, MembersHeard, Membership, Message
from swarm_app.domain.clock import SystemClock
from swarm_app.domain.errors import HomeswarmError, ProtocolViolation

if TYPE_CHECKING:
    from swarm_app.bridge.gate import Gate
    from swarm_app.membership.credentials import Credentials
    from swarm_app.membership.memberlist import MemberList

BIND_S = 30.0
"""The node answers at once, unless it is busy with starting itself."""


class NotBound(HomeswarmError):
    """The node has not said who this process is."""

    code = "not-bound"
    http_status = 503
    default_remedy = "Start Homeswarm again; if it stays so, check with: homeswarm doctor"


class MembershipLine:
    """`send` puts a message to the node on the pipe. One event loop."""

    def __init__(self, send: Callable[[Message], None]) -> None:
        self._send = send
        self._gate: Gate | None = None
        self._first: asyncio.Future[Credentials] | None = None

    def gate(self, swarm_id: str) -> Gate | None:
        """The gate of a private swarm, to be opened with it; None for the open one, whose id is ""."""
        if not swarm_id:
            return None
        from swarm_app.bridge.gate import Gate
        from swarm_app.membership.credentials import Identity
        from swarm_app.membership.keys import PrivateKey

        clock = SystemClock()
        identity = Identity(PrivateKey.generate(), clock)
        self._first = asyncio.get_running_loop().create_future()
        self._gate = Gate(identity, clock, bind=self._bind, heard=self._heard)
        return self._gate

    def take(self, message: Membership) -> None:
        """What the node has sent. Raises ProtocolViolation, MembershipError."""
        from swarm_app.membership.credentials import Credentials

        if self._gate is None or self._first is None:
            raise ProtocolViolation("This child is not in a private swarm.")
        try:
            credentials = Credentials.from_bytes(base64.b64decode(message.credentials, validate=True))
        except binascii.Error:
            raise ProtocolViolation("Credentials are not base64.") from None
        if not self._first.done():
            self._first.set_result(credentials)
        else:
            self._gate.renew(credentials)
        self._gate.introduce(message.peers)

    def removal(self) -> HomeswarmError | None:
        """That this computer was removed from the swarm, where it has been heard here."""
        if self._gate is None or self._first is None or not self._first.done():
            return None
        from swarm_app.membership.errors import Removed

        identity = self._gate.identity
        if not identity.members.is_removed(identity.credentials.chain[0].device_key):
            return None
        name = identity.members.current.about.swarm_name
        return Removed(f"This computer was removed from the swarm {name}.")

    def check_hosting(self) -> None:
        """Raises NotAllowed where this computer may not host blocks."""
        if self._gate is None or self._gate.identity.credentials.role.hosts:
            return
        from swarm_app.membership.errors import NotAllowed

        raise NotAllowed("This computer is a guest of the swarm: it can chat, and hosts no blocks.")

    async def _bind(self, peer_id: str) -> Credentials:
        assert self._gate is not None
        assert self._first is not None
        self._send(BindingWanted(peer_id, self._gate.identity.process_key.hex()))
        try:
            async with asyncio.timeout(BIND_S):
                return await self._first
        except TimeoutError:
            raise NotBound("This computer's place in the swarm could not be proved in time.") from None

    def _heard(self, members: MemberList) -> None:
        self._send(MembersHeard(base64.b64encode(members.to_bytes()).decode("ascii")))
