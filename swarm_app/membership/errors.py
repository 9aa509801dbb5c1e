"""Why somebody is refused: each reason has a name, a sentence and a remedy.

They cross the network as code, message and remedy (`handshake.refuse`); what another computer says is
bounded and made printable before anybody reads it.
"""

from __future__ import annotations

from swarm_app.domain.errors import HomeswarmError, from_wire


class MembershipError(HomeswarmError):
    """Root of what this package refuses."""

    code = "membership"
    http_status = 403
    exit_code = 3


class Malformed(MembershipError):
    """Bytes from outside that are no message of ours: too long, not canonical, a field out of its range."""

    code = "membership-malformed"
    http_status = 400
    default_remedy = "Use the same version of Homeswarm on all computers."


class NotCertified(MembershipError):
    """The other side showed no certificate."""

    code = "not-certified"
    default_remedy = "Let it join with an invite link: homeswarm invite create"


class Forged(MembershipError):
    """A signature does not fit, or the signer had no right to sign this."""

    code = "certificate-forged"
    default_remedy = "Let that computer join anew with an invite link."


class Expired(MembershipError):
    code = "certificate-expired"
    default_remedy = "It is renewed when the computer of an owner or admin is on; switch one on."


class OtherSwarm(MembershipError):
    """A certificate, link or message of another swarm."""

    code = "other-swarm"
    default_remedy = "See which swarm this computer is in with: homeswarm swarm list"


class CopiedCertificate(MembershipError):
    """The certificate is in order, and whoever shows it does not hold the key that it speaks of."""

    code = "certificate-copied"
    default_remedy = "Let that computer join with an invite link of its own."


class Replayed(MembershipError):
    """A proof that was made for another moment or another connection."""

    code = "handshake-replayed"
    default_remedy = "Try again."


class Removed(MembershipError):
    """The device was removed from the swarm. `evidence`: the list of members that says so, or b""."""

    code = "removed"
    default_remedy = "An owner or admin can invite this computer again: homeswarm invite create"

    def __init__(self, message: str, *, remedy: str | None = None, evidence: bytes = b"") -> None:
        super().__init__(message, remedy=remedy)
        self.evidence = evidence


class SignerRemoved(MembershipError):
    """A list of members that was signed by a device that had been removed."""

    code = "signer-removed"
    default_remedy = "Owners and admins can look at the list with: homeswarm members"


class NotAllowed(MembershipError):
    """The role does not carry this right."""

    code = "not-allowed"
    default_remedy = "Ask an owner or admin of the swarm."


class LastOwner(MembershipError):
    code = "last-owner"
    http_status = 409
    default_remedy = "Make somebody else an owner first: homeswarm invite create --role owner"


class ClockWrong(MembershipError):
    """Two computers' clocks are too far apart."""

    code = "clock-wrong"
    http_status = 409
    exit_code = 5
    default_remedy = "Turn on automatic time on both computers, or set the wrong clock, and try again."
    offset_s: float | None = None
    """How far the other clock is ahead, where this computer has compared them itself."""


class VersionMismatch(MembershipError):
    """The two sides speak different versions of the protocol."""

    code = "version-mismatch"
    http_status = 409
    exit_code = 5
    default_remedy = "Bring Homeswarm to the same version on both computers."


class ManifestMismatch(MembershipError):
    """The two sides have different models, whatever they are called."""

    code = "manifest-mismatch"
    http_status = 409
    exit_code = 4
    default_remedy = "Import the same model on both computers: homeswarm model list shows the ids."


class LinkBroken(MembershipError):
    """The text is no invite link, or was mistyped."""

    code = "link-broken"
    http_status = 400
    exit_code = 2
    default_remedy = "Copy the whole link again, or scan its code."


class LinkUnknown(MembershipError):
    """A whole link of this swarm that nobody who answers has made."""

    code = "link-unknown"
    http_status = 404
    default_remedy = "Ask for a new link: homeswarm invite create"


class LinkExpired(MembershipError):
    code = "link-expired"
    http_status = 410
    default_remedy = "Ask for a new link: homeswarm invite create"


class LinkUsed(MembershipError):
    code = "link-used"
    http_status = 410
    default_remedy = "Ask for a new link: homeswarm invite create"


class LinkCancelled(MembershipError):
    code = "link-cancelled"
    http_status = 410
    default_remedy = "Ask for a new link: homeswarm invite create"


class NobodyAnswers(MembershipError):
    """None of a link's addresses answers."""

    code = "nobody-answers"
    http_status = 503
    exit_code = 5
    default_remedy = "Switch on a computer of an owner or admin, or ask any of them for a fresh link."


class RotationPending(MembershipError):
    """The swarm has a new key, and this computer must be certified anew by somebody who is online."""

    code = "swarm-rotated"
    http_status = 409
    default_remedy = "Switch on the computer of an owner or admin; the rest happens by itself."


class SecretsUnusable(HomeswarmError):
    """There is no place where this profile's keys can be kept or read; the message says why."""

    code = "secrets-unusable"
    http_status = 503
    exit_code = 6
    default_remedy = (
        "Unlock the keyring and try again, or allow a file that only you can read: "
        "homeswarm node --secrets file"
    )


MAX_SENTENCE = 480
"""Characters of a sentence that another computer sends."""


def sentence_from_outside(text: str) -> str:
    """What another computer says, fit to be shown: printable and bounded."""
    return "".join(c for c in text[:MAX_SENTENCE] if c.isprintable())


def refusal(code: str, message: str, remedy: str) -> MembershipError:
    """The error that another computer names; an unknown code becomes MembershipError."""
    error = from_wire(code, sentence_from_outside(message), sentence_from_outside(remedy))
    if isinstance(error, MembershipError):
        return error
    return MembershipError(error.message, remedy=error.remedy)
