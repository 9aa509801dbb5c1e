"""How a refusal crosses the network: an error's code, sentence and remedy, and the proof of a removal."""

from __future__ import annotations

from swarm_app.membership.encoding import decode, encode
from swarm_app.membership.errors import MembershipError, Removed, refusal
from swarm_app.membership.memberlist import MAX_LIST_BYTES

REFUSAL = "refusal"
"""The word is in every version to come, so that versions can tell each other that they differ."""

MAX_BYTES = MAX_LIST_BYTES + 4096
MAX_CODE = 40
MAX_SENTENCE = 400


def refuse(error: MembershipError) -> bytes:
    """What is sent instead of an answer. Holds the list that proves a removal."""
    evidence = error.evidence if isinstance(error, Removed) else b""
    return encode(REFUSAL, [error.code[:MAX_CODE], _plain(error.message), _plain(error.remedy), evidence])


def read_refusal(data: bytes, who: str = "another computer") -> MembershipError:
    """The error that `refuse` has sent, in the words of `who`; a message that is none raises Malformed."""
    fields = decode(data, REFUSAL, MAX_BYTES)
    code, said = fields.text(MAX_CODE), fields.text(MAX_SENTENCE)
    told = f"{who[:1].upper()}{who[1:]} refuses: {said}"
    error = refusal(code, told, fields.text(MAX_SENTENCE, empty=True))
    evidence = fields.data(0, MAX_LIST_BYTES)
    fields.end()
    if isinstance(error, Removed):
        error.evidence = evidence
    return error


def _plain(text: str) -> str:
    return "".join(c for c in text if c.isprintable())[:MAX_SENTENCE].strip()
