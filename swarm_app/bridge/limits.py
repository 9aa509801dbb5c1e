"""What one peer of a private swarm may ask of this computer. Plain numbers, each with its reason."""

from __future__ import annotations

from swarm_app.membership.errors import MembershipError
from swarm_app.membership.handshake import HELLO_BYTES, PROOF_BYTES

HELLO_RPC = "homeswarm.hello"
PROOF_RPC = "homeswarm.proof"
"""The handshake's two calls, which alone are answered to strangers."""

MAX_SESSIONS = 64
"""Streams of one peer at once. An engine gives 32 answers at a time, each with a spare at worst."""

CALLS_PER_S = 200.0
CALLS_AT_ONCE = 1000
"""Calls of one peer: a busy engine makes some 60 a second, a server of 80 blocks some 300 together when it
announces them."""

HELLOS_PER_S = 20.0
HELLOS_AT_ONCE = 100
"""Handshakes of all those who have not shown a certificate, together: peer ids cost an outsider nothing. Ten
computers that start at once need 20."""

MAX_HALF_OPEN = 64
"""Handshakes begun and not finished."""

MAX_STEP_BYTES = 32 * 1024 * 1024
"""One message of a session: 2048 tokens of float32 at a hidden size of 4096. Our engines send 128 tokens."""

PREFETCHED_STEPS = 2
"""Messages of one session that are read before the one before them is done."""

MAX_CALL_BYTES = 2 * 1024 * 1024
"""Of a call that is no stream: hivemind's own clients use streams beyond this."""

P2PD_BYTES = MAX_CALL_BYTES + 16 * 1024
"""What p2pd itself takes in one piece, from anybody, and in answer to us, all that is around it included."""

CALL_BYTES = {
    HELLO_RPC: HELLO_BYTES,
    PROOF_RPC: PROOF_BYTES,
    "DHTProtocol.rpc_ping": 1024,
    "DHTProtocol.rpc_find": 64 * 1024,
    "TransformerConnectionHandler.rpc_info": 1024,
    "TransformerConnectionHandler.rpc_reaches": 1024,
}
"""Of calls that have no reason to be longer than this: 20 bytes a key, one name of a block or peer."""


def call_bytes(name: str) -> int:
    """The most that a call of that RPC may hold."""
    return CALL_BYTES.get(name, MAX_CALL_BYTES)


MAX_RECORD_S = 600.0
"""A record that claims to hold for longer is not stored: Petals' longest is five minutes."""

MAX_RECORD_KEYS = 16 * 1024
"""Keys that this computer keeps for the DHT: 16 models of 1024 blocks."""


class PeerLimit(MembershipError):
    """One peer asks for more than its share."""

    code = "peer-limit"
    http_status = 429
    default_remedy = "Wait a moment; if it stays so, look at what that computer runs."


class Bucket:
    """Lets `burst` things through at once and `rate_s` a second over time."""

    __slots__ = ("_burst", "_left", "_rate_s", "_seen_s")

    def __init__(self, rate_s: float, burst: int) -> None:
        self._rate_s = rate_s
        self._burst = float(burst)
        self._left = float(burst)
        self._seen_s = 0.0

    def take(self, now_s: float) -> bool:
        """Whether one more is within the share, at monotonic second `now_s`."""
        if self._seen_s:
            self._left = min(self._burst, self._left + (now_s - self._seen_s) * self._rate_s)
        self._seen_s = now_s
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True
