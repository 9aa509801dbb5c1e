"""What the node says in codes and numbers, in the user's language. Errors are in `swarm_app.gui.troubles`."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from swarm_app.domain import pause as causes
from swarm_app.gui.membership import standing
from swarm_app.gui.reasons import takeover
from swarm_app.gui.tongue import isolated, number, seconds, tr, trn
from swarm_app.localapi.view import StateView


def pause_sentence(pause: Mapping[str, Any]) -> str:
    """ "desk went to sleep; moved to attic in 0.4 s", in the user's language."""
    name = isolated(pause["name"]) or tr("a computer")
    what = {
        causes.ASLEEP: tr("{peer} went to sleep", peer=name),
        causes.LEFT: tr("{peer} was stopped", peer=name),
        causes.PAUSED: tr("{peer} paused contributing", peer=name),
        causes.SILENT: tr("{peer} stopped answering", peer=name),
        causes.BROKEN: tr("the connection to {peer} broke", peer=name),
        causes.REFUSED: tr("{peer} could not go on", peer=name),
        causes.SLOW: tr("{peer} was too slow", peer=name),
        causes.LATE: tr("{peer} did not answer in time", peer=name),
        causes.SLOW_COMPUTE: tr("{peer} was slow to compute", peer=name),
        causes.SLOW_LINK: tr("the connection to {peer} was slow", peer=name),
    }.get(pause["cause"])
    took = seconds(pause["total_s"])
    if pause["cause"] == causes.LOCAL:
        model = pause["moved_to"][0] if pause["moved_to"] else ""
        reason = str(pause["text"]).partition(f"; {model} on this computer")[0]
        why = takeover({"reason": reason, "why": pause.get("why")})
        return tr("{why}; this computer went on alone in {time}", why=why, time=took)
    if what is None:  # a cause that this window does not know yet
        return str(pause["text"])
    if not pause["moved_to"]:
        return tr("{what}; waited {time} for it", what=what, time=took)
    others = tr(" and ").join(map(isolated, pause["moved_to"]))
    moved = tr("{what}; moved to {others} in {time}", what=what, others=others, time=took)
    if pause.get("words_may_differ"):
        return tr("{moved}, where another kind of processor may choose other words", moved=moved)
    return moved


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
            parts.append(way(segment["route"]) or tr("household"))
        else:
            here = tr("this computer alone")
            parts.append(f"{here} ({takeover(segment)})" if segment.get("reason") else here)
    return tr(", then ").join(dict.fromkeys(parts))


def way(route: Sequence[Mapping[str, Any]]) -> str:
    """The computers of a route, in their order."""
    return " → ".join(dict.fromkeys(isolated(hop["name"]) for hop in route))


def household_answers(state: StateView) -> int:
    """Answers that the household gives at this moment, without those of this computer's own model."""
    local = state.get("local")
    return state["node"]["answers"] - (local["answers"] if local else 0)


def running_line(begun: Mapping[str, Any] | None, has_text: bool) -> str:
    """Of an answer that is being given; `begun` is who gives it, as far as the node has told."""
    if begun and begun["engine"] == "local":
        why = takeover(begun) if begun["reason"] else ""
        return tr("this computer alone answers ({why}) …", why=why) if why else tr("this computer answers …")
    return tr("answering …") if has_text else tr("reading the question …")


def speed(answer: Mapping[str, Any] | None) -> str:
    timing = (answer or {}).get("timing")
    count = (answer or {}).get("completion_tokens") or 0
    if not timing or count < 2 or timing["decode_s"] <= 0:
        return ""
    return tr("{rate} tokens/s", rate=number((count - 1) / timing["decode_s"], 1))


def greeting(state: StateView) -> str:
    """Who would answer now, below the greeting of an empty chat."""
    model, local = state["model"]["name"], state.get("local")
    names = [isolated(peer["name"]) for peer in state["swarm"]["peers"] if peer["on_route"]]
    if state["swarm"]["covered"] and len(names) > 1:
        return tr("{names} answer together with {model}.", names=", ".join(sorted(set(names))), model=model)
    if state["swarm"]["covered"]:
        return tr("{model} answers on this computer.", model=model)
    member = standing(state)
    if member and member["standing"] == "removed":
        return tr("This computer is in no household any more.")
    if member and member["standing"] == "outside":
        alone = local["model"] if local else None
        if alone:
            return tr("This computer is in no household yet; {model} answers alone.", model=alone)
        return tr("This computer is in no household yet.")
    return tr("{model} is being made ready …", model=model)


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


def unit_word(unit: str, count: int) -> str:
    """A unit of `domain`'s options as it stands behind that number."""
    counted = {
        "tokens": trn("%n token(s)", count),
        "seconds": trn("%n second(s)", count),
        "milliseconds": trn("%n millisecond(s)", count),
    }
    return counted[unit].removeprefix(str(count)).strip()


def span_text(span: Sequence[int]) -> str:
    """Half open for machines; for people the first and the last block, counted from 1."""
    first, last = span[0] + 1, span[1]
    return (
        tr("block {first}", first=first)
        if first == last
        else tr("blocks {first} to {last}", first=first, last=last)
    )
