"""What the node says in codes, in the user's language. English keeps the node's own sentence, which is exact;
in another language the code decides, and the node's sentence stands in the details."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from swarm_app.domain import pause as causes
from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui.tongue import number, seconds, tr, trn


def is_english() -> bool:
    """Whether English is spoken: the only language in which this word is itself."""
    return tr("language-code") in ("language-code", "en")


def error_sentence(error: HomeswarmError | Mapping[str, Any]) -> str:
    """One sentence and its remedy, for people."""
    if isinstance(error, HomeswarmError):
        code, message, remedy = error.code, error.message, error.remedy
    else:
        code, message, remedy = str(error["code"]), str(error["message"]), str(error["remedy"])
    if is_english():
        return f"{message} {_in_the_window(code, remedy)}".strip()
    return _of_code(code) or message


def _in_the_window(code: str, remedy: str) -> str:
    """Remedies that name a command are for the terminal; here a button does it."""
    if "homeswarm " not in remedy:
        return remedy
    return _REMEDIES.get(code, "")


_REMEDIES = {
    "child-down": "The household page says what happened.",
    "node-not-running": "It is being started again.",
}


def _of_code(code: str) -> str:
    sentences = {
        "bad-request": tr("The request makes no sense to the node."),
        "context_length_exceeded": tr(
            "The conversation does not fit the model's memory. Shorten the message or start a new chat."
        ),
        "node-not-running": tr("Homeswarm's node is not running on this computer."),
        "node-already-running": tr("A node is already running with this profile."),
        "port-in-use": tr("Another program uses the port of the local API."),
        "model-not-found": tr("This model is not on this computer."),
        "model-incomplete": tr("Files of the model are missing or cut short. Import it again."),
        "model-unsupported": tr("Homeswarm cannot run this kind of model."),
        "model-damaged": tr("A file of the model is damaged. Import it again."),
        "download-failed": tr("The download failed. Start it again: it goes on where it stopped."),
        "disk-full": tr("The disk is full. Free some space; what you wrote is not lost."),
        "history-unusable": tr("The file with the chats cannot be used."),
        "no-such-chat": tr("This chat is not there any more."),
        "no-route": tr("Some blocks have no computer now. Wake one that holds them, or start another."),
        "peer-lost": tr("A computer stopped answering in the middle. Ask again: another way is taken."),
        "peer-refused": tr("A computer refused its part of the work."),
        "leaving": tr("A computer is about to sleep. Ask again: another way is taken."),
        "cache-full": tr("A computer has no memory left for this conversation."),
        "busy": tr("The computer is busy with other answers. Try again in a moment."),
        "child-down": tr("A part of Homeswarm is not running. The household page says what happened."),
        "profile-unusable": tr("The folder of the profile cannot be used."),
        "forbidden": tr("The node refused this."),
        "unauthorized": tr("The node refused this."),
        "protocol": tr("The node said something that this window does not understand."),
        "internal": tr("Something went wrong inside the node. Its log has the details."),
    }
    return sentences.get(code, "")  # the node's own sentence is better than a code


def pause_sentence(pause: Mapping[str, Any]) -> str:
    """ "desk went to sleep; moved to attic in 0.4 s", in the user's language."""
    name = pause["name"] or tr("a computer")
    what = {
        causes.ASLEEP: tr("{peer} went to sleep", peer=name),
        causes.LEFT: tr("{peer} was stopped", peer=name),
        causes.PAUSED: tr("{peer} paused contributing", peer=name),
        causes.SILENT: tr("{peer} stopped answering", peer=name),
        causes.BROKEN: tr("the connection to {peer} broke", peer=name),
        causes.REFUSED: tr("{peer} could not go on", peer=name),
        causes.SLOW: tr("{peer} was too slow", peer=name),
        causes.SLOW_COMPUTE: tr("{peer} was slow to compute", peer=name),
        causes.SLOW_LINK: tr("the connection to {peer} was slow", peer=name),
    }.get(pause["cause"])
    if what is None:  # a cause that this window does not know yet
        return str(pause["text"])
    took = seconds(pause["total_s"])
    if not pause["moved_to"]:
        return tr("{what}; waited {time} for it", what=what, time=took)
    others = tr(" and ").join(pause["moved_to"])
    return tr("{what}; moved to {others} in {time}", what=what, others=others, time=took)


def worth_telling(pause: Mapping[str, Any]) -> bool:
    return bool(pause["moved_to"]) or pause["total_s"] > causes.FELT_S


def peer_state(state: str) -> str:
    return {
        "joining": tr("joining"),
        "available": tr("available"),
        "suspect": tr("not sure"),
        "unreachable": tr("unreachable"),
        "asleep": tr("asleep"),
        "left": tr("left"),
    }.get(state, state)


def who_answered(answer: Mapping[str, Any] | None) -> str:
    """Quietly, who gave an answer: "desk → attic → laptop", or which model of this computer and why."""
    if not answer:
        return ""
    parts = []
    for segment in answer.get("segments", ()):
        if segment["engine"] == "swarm":
            parts.append(
                " → ".join(dict.fromkeys(hop["name"] for hop in segment["route"])) or tr("household")
            )
        else:
            here = tr("this computer alone")
            parts.append(f"{here} ({segment['reason']})" if segment.get("reason") else here)
    return tr(", then ").join(dict.fromkeys(parts))


def speed(answer: Mapping[str, Any] | None) -> str:
    timing = (answer or {}).get("timing")
    count = (answer or {}).get("completion_tokens") or 0
    if not timing or count < 2 or timing["decode_s"] <= 0:
        return ""
    return tr("{rate} tokens/s", rate=number((count - 1) / timing["decode_s"], 1))


def ago(epoch_s: float) -> str:
    """How long ago, roughly."""
    past = max(0.0, time.time() - epoch_s)
    if past < 60:
        return tr("just now")
    if past < 3600:
        return trn("%n minute(s) ago", int(past / 60))
    if past < 86400:
        return trn("%n hour(s) ago", int(past / 3600))
    return trn("%n day(s) ago", int(past / 86400))


def span_text(span: Sequence[int]) -> str:
    """Half open for machines; for people the first and the last block, counted from 1."""
    first, last = span[0] + 1, span[1]
    return (
        tr("block {first}", first=first)
        if first == last
        else tr("blocks {first} to {last}", first=first, last=last)
    )
