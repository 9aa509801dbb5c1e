"""Errors in the user's language.

English keeps the node's own sentence, which is exact, with a remedy that the window can carry out; in another
language the code decides.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui.tongue import is_english, tr

COMMAND = "homeswarm "
"""What names it is a remedy for the terminal."""


def sentence(error: HomeswarmError | Mapping[str, Any]) -> str:
    """One sentence and its remedy, for people. An unknown code keeps the node's words."""
    if isinstance(error, HomeswarmError):
        code, message, remedy = error.code, error.message, error.remedy
    else:
        code, message, remedy = str(error["code"]), str(error["message"]), str(error["remedy"])
    if is_english():
        return f"{_without_command(message)} {_in_the_window(code, remedy)}".strip()
    return of_code(code) or message


def of_output(words: str) -> str:
    """What a command of ours said last on standard error: in its code (see `TELLS_CODES`), or as it is."""
    last = next((line.strip() for line in reversed(words.splitlines()) if line.strip()), "")
    try:
        told = json.loads(last)
    except ValueError:
        return last.removeprefix("homeswarm node: ").removeprefix("homeswarm: ")
    return sentence(told) if isinstance(told, dict) and {"code", "message", "remedy"} <= told.keys() else last


def _without_command(message: str) -> str:
    """Only the sentences that name no command."""
    if COMMAND not in message:
        return message
    kept = [part for part in message.split(". ") if COMMAND not in part]
    return ". ".join(kept).removesuffix(".") + "." if kept else ""


def _in_the_window(code: str, remedy: str) -> str:
    """Remedies that name a command are for the terminal; here a button does it."""
    return remedy if COMMAND not in remedy and "same command" not in remedy else _remedies().get(code, "")


def _remedies() -> dict[str, str]:
    invite = tr("Ask for a new link.")
    rejoin = tr("Let that computer join anew with an invitation.")
    return {
        "already-member": tr("Leave it first, on the household page."),
        "child-down": tr("The household page says what happened."),
        "download-failed": tr("Start it again: it goes on where it stopped."),
        "last-owner": tr("Make somebody else an owner first."),
        "link-cancelled": invite,
        "link-expired": invite,
        "link-overused": invite,
        "link-unknown": invite,
        "link-used": invite,
        "manifest-mismatch": tr("Import the same model on both computers."),
        "memory-short": tr("Close other programs, or choose a smaller model in the settings."),
        "model-not-found": tr("The settings list the models of this computer."),
        "model-output-invalid": tr("Ask again; if it happens again, import the model anew."),
        "no-swarm": tr("Start or join one on the household page."),
        "node-not-running": tr("It is being started again."),
        "not-certified": rejoin,
        "certificate-copied": rejoin,
        "removed": tr("An owner or admin can invite this computer again."),
        "secrets-unusable": tr(
            "Unlock or install one and try again, or allow a file that only you can read."
        ),
    }


def of_code(code: str) -> str:
    """The sentence for a code, or "" for one that is not known."""
    again = tr("Ask for a new link.")
    sentences = {
        "already-member": tr("This computer is in a household already. Leave it first."),
        "autostart-failed": tr("The start at login could not be changed."),
        "bad-request": tr("The request makes no sense to the node."),
        "busy": tr("The computer is busy with other answers. Try again in a moment."),
        "cache-full": tr("A computer has no memory left for this conversation."),
        "certificate-copied": tr("A computer shows the certificate of another one."),
        "certificate-expired": tr(
            "The membership has run out. Switch on the computer of an owner or admin to renew it."
        ),
        "certificate-forged": tr("A certificate does not fit. Let that computer join anew."),
        "child-down": tr("A part of Homeswarm is not running. The household page says what happened."),
        "choice-not-kept": tr(
            "Your choice about contributing holds only until Homeswarm stops: it cannot be written."
            " Free some space."
        ),
        "clock-wrong": tr("Two computers' clocks are too far apart. Turn on automatic time on both."),
        "context_length_exceeded": tr(
            "The conversation does not fit the model's memory. Shorten the message or start a new chat."
        ),
        "disk-full": tr("The disk is full. Free some space; what you wrote is not lost."),
        "download-failed": tr("The download failed. Start it again: it goes on where it stopped."),
        "fallback-offered": tr("The household cannot answer; the model of this computer could."),
        "files-unusable": tr("A file cannot be read or written."),
        "forbidden": tr("The node refused this."),
        "handshake-replayed": tr("The other computer could not prove itself. Try again."),
        "history-put-aside": tr(
            "The file with the chats was damaged. It lies beside the new one in the profile's folder."
        ),
        "history-unusable": tr("The file with the chats cannot be used."),
        "internal": tr("Something went wrong inside the node. Its log has the details."),
        "keys-kept": tr(
            "The keys of the household that this computer has left could not be deleted from the keyring."
        ),
        "last-owner": tr("The last owner cannot go. Make somebody else an owner first."),
        "leaving": tr("A computer is about to sleep. Ask again: another way is taken."),
        "link-broken": tr("This is no whole invitation. Copy all of the link again."),
        "link-cancelled": tr("This invitation was cancelled.") + " " + again,
        "link-expired": tr("This invitation has run out.") + " " + again,
        "link-overused": tr("This invitation is used by too many computers at once.") + " " + again,
        "link-unknown": tr("Nobody who answers has made this invitation.") + " " + again,
        "link-used": tr("This invitation was used already.") + " " + again,
        "local-failed": tr("The model of this computer failed. Ask again."),
        "manifest-mismatch": tr("The two computers have different models. Import the same one on both."),
        "membership": tr("The other computer refused."),
        "membership-malformed": tr("The other computer speaks another version of Homeswarm."),
        "membership-not-kept": tr(
            "Changes of the household hold only until Homeswarm stops: they cannot be written."
            " Free some space."
        ),
        "memory-short": tr("The model does not fit into the free memory."),
        "method-not-allowed": tr("The request makes no sense to the node."),
        "model-damaged": tr("A file of the model is damaged. Import it again."),
        "model-incomplete": tr("Files of the model are missing or cut short. Import it again."),
        "model-not-found": tr("This model is not on this computer."),
        "model-output-invalid": tr("The model gave nonsense numbers. Ask again, or import it anew."),
        "model-unsupported": tr("Homeswarm cannot run this kind of model."),
        "no-display": tr("There is no display that a window could open on."),
        "no-offer": tr("That has been decided meanwhile."),
        "no-route": tr("Some blocks have no computer now. Wake one that holds them, or start another."),
        "no-such-chat": tr("This chat is not there any more."),
        "no-swarm": tr("This computer is in no household yet."),
        "nobody-answers": tr(
            "None of the computers in the invitation answers. Switch one on, or ask for a fresh link."
        ),
        "node-already-running": tr("A node is already running with this profile."),
        "node-ended": tr("Homeswarm's node has ended."),
        "node-not-running": tr("Homeswarm's node is not running on this computer."),
        "not-allowed": tr("You may not do this. Ask an owner or admin of the household."),
        "not-bound": tr("A part of Homeswarm has no membership yet. Try again in a moment."),
        "not-certified": tr("A computer is no member of this household. Let it join with an invitation."),
        "not-found": tr("The node does not know what was asked for."),
        "other-swarm": tr("This belongs to another household."),
        "peer-limit": tr("Too many computers ask at once. Try again in a moment."),
        "peer-lost": tr("A computer stopped answering in the middle. Ask again: another way is taken."),
        "peer-refused": tr("A computer refused its part of the work."),
        "peer-unusable": tr("A computer of the household cannot be used now."),
        "port-in-use": tr("Another program uses a port that Homeswarm was to have."),
        "power-hold-refused": tr("The system does not let Homeswarm delay its sleep."),
        "presence-unknown": tr("Whether somebody uses this computer cannot be known here."),
        "profile-unusable": tr("The folder of the profile cannot be used."),
        "protocol": tr("The node said something that this window does not understand."),
        "removed": tr("This computer was removed from the household. An owner can invite it again."),
        "request-too-large": tr("The message is too long to be sent."),
        "scheme-failed": tr("Invitation links could not be registered. They can still be pasted."),
        "secrets-unusable": tr(
            "The keyring cannot be used. Unlock it and try again, or allow a file that only you can read."
        ),
        "signer-removed": tr("A list of members was signed by a computer that had been removed."),
        "sleep-unannounced": tr(
            "This computer may sleep without a word. Answers that run through it then pause for a second."
        ),
        "swarm-file-damaged": tr("The file with the membership is damaged. Leave the household, join anew."),
        "swarm-rotated": tr("The household has a new key. Switch on the computer of an owner or admin."),
        "swarm-unavailable": tr("The connection to the household could not be started. Try again."),
        "tokenizer-mismatch": tr("The model's words do not fit its weights. Import it again."),
        "unauthorized": tr("The node refused this."),
        "unsupported-media-type": tr("The request makes no sense to the node."),
        "version-mismatch": tr("The computers have different versions of Homeswarm. Update the older one."),
        "window-stuck": tr("Homeswarm is open already and does not answer. End it, then start it again."),
    }
    return sentences.get(code, "")
