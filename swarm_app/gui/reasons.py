"""Reasons that the node gives in codes (`domain.said`), in the user's language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from swarm_app.gui import troubles
from swarm_app.gui.tongue import is_english, is_german, isolated, number, seconds, tr, trn

SAYS_THE_STATE = {"asleep": "asleep", "joining": "starting", "left": "goodbye"}
"""By the state of a peer: the reason that adds nothing to it."""


def takeover(told: Mapping[str, Any]) -> str:
    """Why the model of this computer answers, of a part of an answer, a pause or an offer. What an older node
    has said without codes stays in English, or is told in general."""
    said = ", ".join(filter(None, map(sentence, told.get("why") or ())))
    if said:
        return said
    return str(told.get("reason", "")) if is_english() else tr("the household could not go on")


def of_peer(peer: Mapping[str, Any]) -> str:
    """Why a computer cannot be used, or is late; "" where its state says it all."""
    why: Sequence[Mapping[str, Any]] = peer.get("why") or ()
    if [one["code"] for one in why] == [SAYS_THE_STATE.get(peer["state"])]:
        return ""
    if is_english() and [one["code"] for one in why] == ["error"]:
        return str(peer["reason"])  # which is exact
    said = tr(" and ").join(filter(None, map(sentence, why)))
    return said or (str(peer["reason"]) if is_english() else "")


def doubt(swarm: Mapping[str, Any]) -> str:
    """Why this computer gives the others more time; "" when it does not."""
    return ", ".join(filter(None, map(sentence, swarm.get("why_doubt") or ())))


def of_problem(problem: Mapping[str, Any]) -> str:
    """What is wrong and what to do about it; with the names of computers in it in every language."""
    said = "" if is_english() else ". ".join(filter(None, map(sentence, problem.get("why") or ())))
    return f"{said}." if said else troubles.sentence(problem)


def sentence(one: Mapping[str, Any]) -> str:
    """A part of a sentence for one reason; "" for a code of a later version."""
    code = one["code"]
    if code == "error":
        return part_of_sentence(str(one["about"]))
    names = ", ".join(isolated(str(name)) for name in one["names"])
    time = "" if one["number"] is None else duration(float(one["number"]))
    rate = "" if one["number"] is None else number(float(one["number"]), 1)
    part = tr("a part of Homeswarm is not running")
    starting = tr("it is still starting")
    slow = tr("the household gives {rate} tokens/s only", rate=rate)
    return {
        "starting": tr("starting"),
        "unannounced": tr("stopped announcing itself"),
        "late": tr("takes {time} for a step", time=time),
        "broke-off": tr("broke off the connection"),
        "asleep": tr("asleep"),
        "goodbye": tr("was stopped"),
        "paused": tr("paused contributing"),
        "stopped": tr("stopped serving"),
        "silent": tr("did not answer for {time}", time=time),
        "unreached": tr("cannot be reached"),
        "vouched-for": tr("answers other computers, but not this one"),
        "only-announced": tr("announces itself, but does not answer this computer"),
        "moved": tr("moved to another address"),
        "other-model": tr("serves another model"),
        "other-blocks": tr("announces blocks that the model does not have"),
        "newer-version": tr("{names}: a newer version of Homeswarm; update this computer", names=names),
        "other-version": tr("{names}: another version of Homeswarm; update the older one", names=names),
        "older-version": tr("{names}: an older version of Homeswarm; update it there", names=names),
        "just-woke": tr("it just woke up"),
        "just-moved": tr("it just changed its network"),
        "blind": tr("nobody answers it, so its own connection may be down"),
        "busy-here": tr("it is very busy"),
        "asked-for": tr("as you asked"),
        "node-stopping": tr("it is being stopped"),
        "in-no-household": tr("it is in no household"),
        "checking": tr("its membership is being checked"),
        "keys-locked": tr("its keys cannot be read now"),
        "was-removed": tr("it was removed from its household"),
        "twin": tr("another computer has the same identity"),
        "no-model": tr("it has no model to share"),
        "chats-down": part,
        "chats-restarting": starting,
        "chats-starting": starting,
        "chats-stopped": part,
        "chats-missing": part,
        "blocks-restarting": tr("its own blocks are being loaded"),
        "blocks-down": part,
        "blocks-loading": tr("its own blocks are being loaded"),
        "blocks-reloading": tr("its own blocks are being loaded"),
        "blocks-paused": tr("its own blocks are paused"),
        "about-to-sleep": tr("it is about to sleep"),
        "looking": tr("it is still looking for the others"),
        "alone": tr("no other computer is there"),
        "uncovered": tr("some blocks have no computer"),
        "peer-silent": tr("{names}: no answer", names=names),
        "peer-asleep": tr("{names}: asleep", names=names),
        "peer-stopped": tr("{names}: stopped", names=names),
        "peer-paused": tr("{names}: paused", names=names),
        "peer-loading": tr("{names}: still loading", names=names),
        "peer-unusable": tr("{names}: cannot be used", names=names),
        "household-silent": tr("the household was silent for {time}", time=time),
        "household-just-back": tr("the household has been back for {time} only", time=time),
        "would-be-slow": slow,
        "was-slow": slow,
    }.get(code, "")


def part_of_sentence(error: str) -> str:
    """What an error's code says, to stand inside another sentence."""
    if error == "no-route":
        return tr("some blocks have no computer")
    said = troubles.of_code(error).partition(". ")[0].rstrip(".")
    if is_german() or said[1:2].isupper() or said.startswith("Homeswarm"):
        return said  # nouns and names keep their capital
    return said[:1].lower() + said[1:]


def duration(value: float) -> str:
    """Seconds as people say them, however many."""
    if value < 119.5:
        return seconds(value)
    if value < 119.5 * 60:
        return trn("%n minute(s)", round(value / 60))
    if value < 47.5 * 3600:
        return trn("%n hour(s)", round(value / 3600))
    return trn("%n day(s)", round(value / 86400))
