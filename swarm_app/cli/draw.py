"""A node's state as text: the swarm's blocks as a strip per peer, the children, the problems. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.text import Text

from swarm_app.cli.console import in_bytes, in_ms
from swarm_app.cli.printable import printable
from swarm_app.cli.strips import Glyphs, strip
from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span
from swarm_app.localapi.view import ChildView, HopView, NodeView, PeerView, StateView


def blocks_of(peer: PeerView) -> range:
    start, end = peer["span"]
    return range(start, end)


def in_words(spans: Iterable[Sequence[int]]) -> str:
    """Spans as they are written in options: ``0:10, 20:30``."""
    return ", ".join(f"{start}:{end}" for start, end in spans)


def coverage(state: StateView, glyphs: Glyphs) -> Text:
    """The strip of the whole swarm and what it means."""
    swarm = state["swarm"]
    if not swarm["num_blocks"]:
        return Text("not known yet")
    usable = [peer for peer in swarm["peers"] if peer["on_route"]]
    line = strip(
        swarm["num_blocks"],
        [blocks_of(peer) for peer in usable if peer["state"] == "available"],
        [blocks_of(peer) for peer in swarm["peers"] if peer["state"] == "joining"],
        glyphs,
    )
    if not swarm["seen"]:
        return line.append("  not looked at yet")
    if swarm["covered"]:
        return line.append(f"  all {swarm['num_blocks']} blocks")
    return line.append(f"  nobody has {in_words(swarm['gaps'])}")


AWAY = ("unreachable", "asleep", "left")
"""States of peers that are known and not there."""


SAID_BY_STATE = {"joining": "starting", "asleep": "went to sleep"}
"""Reasons that only say the state again."""


def swarm(state: StateView) -> Text:
    """Which swarm this computer is in, and as what; how to get into one where it is in none."""
    about = state["membership"]
    match about["standing"]:
        case "open":
            told = "open: whoever reaches it is in"
        case "outside":
            told = "none yet; found one with: homeswarm swarm create NAME, or join one with: homeswarm join"
        case "member":
            others = about["members"] - 1
            with_whom = f"with {others} other{'s' if others > 1 else ''}" if others else "alone"
            told = f"{about['swarm_name']}, as {about['role']}, {with_whom}"
        case standing:
            told = f"{about['swarm_name']} ({standing})".strip()
    return Text("Swarm", "bold").append(f"  {told}", "not bold")


def requests(state: StateView) -> list[Text]:
    """Computers nearby that ask to be let in."""
    return [
        Text(f"  {asking['name']} asks to join; see: homeswarm members requests", "yellow")
        for asking in state["membership"]["requests"]
    ]


def ways_in(state: StateView) -> list[str]:
    """How another computer gets into the swarm, as far as this one can let it in."""
    about = state["membership"]
    if about["standing"] == "open":
        return state["children"]["blocks"]["addresses"]
    if about["standing"] == "member" and about["role"] in ("owner", "admin"):
        return ["a link, made with: homeswarm invite create"]
    return []


def peers(state: StateView, glyphs: Glyphs, now_epoch: float) -> list[Text]:
    """A line per peer, its strip under those of the others, and the coverage below."""
    swarm = state["swarm"]
    names = [peer["name"] + (" (here)" if peer["this_node"] else "") for peer in swarm["peers"]]
    width = min(max([len(name) for name in names] + [len("coverage")]), 24)
    lines: list[Text] = []
    for name, peer in zip(names, swarm["peers"], strict=True):
        line = Text(f"  {name[:width]:<{width}}  ")
        mine = [blocks_of(peer)]
        there = peer["on_route"] and peer["state"] == "available"
        away = peer["state"] in AWAY
        if swarm["num_blocks"]:
            coming = [] if there or away else mine
            line.append_text(strip(swarm["num_blocks"], mine if there else [], coming, glyphs))
        line.append(f"  {in_words([peer['span']]):>7}  ")
        line.append_text(condition(peer, now_epoch))
        if peer["compute_s"] is not None and not away:
            line.append(f", {in_ms(peer['compute_s'])} per step")
        if peer["round_trip_s"] is not None and not away:
            line.append(f", {in_ms(peer['round_trip_s'])} away")
        if not peer["on_route"] and peer["state"] == "available":
            line.append(f", not used: {peer['reason']}", "yellow")
        elif peer["state"] == "available":
            line.append_text(complaints(peer, now_epoch))
        lines.append(line)
    lines.append(Text(f"  {'coverage':<{width}}  ").append_text(coverage(state, glyphs)))
    if swarm["doubt"]:
        lines.append(Text(f"  {swarm['doubt']}; others are given more time", "yellow"))
    return lines


def complaints(peer: PeerView, now_epoch: float) -> Text:
    """What is wrong with a peer that is used: late now, or avoided for a while."""
    told = Text(style="yellow")
    if peer["reason"]:
        told.append(f", {peer['reason']}")
    if peer["avoided_until"] is not None and (left_s := peer["avoided_until"] - now_epoch) > 0:
        told.append(f", answers go to others for {in_spoken_time(left_s)}")
    return told


def condition(peer: PeerView, now_epoch: float) -> Text:
    """How a peer is; why, and for how long where it is not there: ``left for 2 days, said goodbye``."""
    words = state = peer["state"]
    if state == "available":
        return Text(words)
    if state in AWAY and peer["since"] is not None:
        words += f" for {in_spoken_time(max(0.0, now_epoch - peer['since']))}"
    if peer["reason"] and peer["reason"] != SAID_BY_STATE.get(state):
        words += f", {peer['reason']}"
    return Text(words, "yellow")


def this_computer(state: StateView, now_epoch: float) -> list[Text]:
    """Limits, power and network, as far as there is something to say."""
    node, power, link = state["node"], state["power"], state["link"]
    lines: list[Text] = []
    if told := limits(node.get("memory_limit_bytes", 0), node.get("processor_limit", 0)):
        lines.append(Text(f"  {told}"))
    if power["on_battery"] is not None and (power["on_battery"] or power["level"] is not None):
        level = "" if power["level"] is None else f", {100 * power['level']:.0f} %"
        lines.append(Text(f"  {'on battery' if power['on_battery'] else 'on mains'}{level}"))
    if power["sleep_coming"]:
        lines.append(Text("  about to sleep", "yellow"))
    if slept := power["last_sleep"]:
        ago = in_spoken_time(max(0.0, now_epoch - slept["woke_at"]))
        still = "stood still" if slept["how"] == "stall" else "slept"
        lines.append(Text(f"  {still} for {in_spoken_time(slept['slept_s'])}, until {ago} ago"))
    if link["addresses"]:
        network = f" on {link['network']}" if link["network"] else ""
        lines.append(Text(f"  reached at {', '.join(link['addresses'])}{network}"))
    if change := link["last_change"]:
        ago = in_spoken_time(max(0.0, now_epoch - change["at"]))
        lines.append(Text(f"  network changed {ago} ago: {', '.join(change['reasons'])}"))
    lines += [Text(f"  {note}", "dim") for note in (*power["notes"], *link["notes"])]
    return lines


def limits(memory_bytes: int, processors: int) -> str:
    """What a container or service may use, where that is less than the computer has (else 0)."""
    parts = [f"{in_bytes(memory_bytes)} of memory"] if memory_bytes else []
    if processors:
        parts.append("1 processor" if processors == 1 else f"{processors} processors")
    return f"this container or service may use {' and '.join(parts)}" if parts else ""


def standby(node: NodeView) -> Text:
    """Whether answers have a standby, and its price in memory in either case."""
    price = f"up to {in_bytes(node['standby_bytes'])} of the others' memory for each answer"
    if node["standby"]:
        return Text(f"  standby  a second computer keeps up with each answer: {price}")
    return Text(f"  standby  off; it would take {price} (--standby)", "dim")


def child(name: str, view: ChildView) -> Text:
    """What one child does now."""
    line = Text(f"  {name}  ").append(view["phase"], "green" if view["phase"] == "ready" else "yellow")
    if work := view["work"]:
        share = f" {100 * work['done'] // work['total']} %" if work["total"] else ""
        line.append(f", {work['what']}{share}")
    if view["memory_bytes"]:
        line.append(f", {in_bytes(view['memory_bytes'])}")
    if view["restarts"]:
        line.append(f", restarted {view['restarts']} times" if view["restarts"] > 1 else ", restarted once")
    if view["retry_in_s"] is not None:
        line.append(f", tried again in {view['retry_in_s']:.0f} s")
    return line


def problems(state: StateView) -> list[Text]:
    return [
        Text("  ! ", "bold red").append(
            f"{problem['message']} {problem['remedy']}".strip(), "not bold default"
        )
        for problem in state["problems"]
    ]


def route(hops: Iterable[Hop], glyphs: Glyphs) -> str:
    """``desk [0:10) -> attic [10:20)``: who computed which blocks of an answer."""
    return f" {glyphs.arrow} ".join(f"{printable(hop.name)} [{hop.span})" for hop in hops)


def hops_of(views: Iterable[HopView]) -> list[Hop]:
    return [Hop(view["peer"], view["name"], Span(view["start"], view["end"])) for view in views]


def in_spoken_time(seconds: float) -> str:
    """How long a node is up, for people."""
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            count = int(seconds // size)
            return f"{count} {unit}" + ("s" if count > 1 else "")
    return "1 second" if 0.5 <= seconds < 1.5 else f"{seconds:.0f} seconds"


PAUSES_SHOWN = 5


def pauses(state: StateView, now_epoch: float) -> list[Text]:
    """The latest pauses of answers, the newest last."""
    return [
        Text(f"  {in_spoken_time(max(0.0, now_epoch - pause['at']))} ago: {pause['text']}")
        for pause in state["pauses"][-PAUSES_SHOWN:]
    ]


def local_model(state: StateView) -> list[Text]:
    """What the local model's process does, why it is there, and what its answers cost."""
    about, process = state.get("local"), state["children"].get("local")
    if about is None or process is None or about["model"] is None:
        return []
    line = child("local", process).append(f", {about['model']}")
    if about["loaded_because"]:
        line.append(f": {about['loaded_because']}")
    elif process["phase"] == "off":
        line.append({"never": ", may not take over"}.get(about["fallback"], ", loaded when it may be needed"))
    if about["tokens_per_s"]:
        line.append(f", {about['tokens_per_s']:.0f} tokens per second")
    return [line]


def contribution(state: StateView) -> list[Text]:
    """Whether the blocks serve others now, why not, and what it costs; what cannot be known here."""
    told = state.get("contribution")
    if told is None or told["state"] == "none":
        return []
    style = {"contributing": "", "gentle": "yellow"}.get(told["state"], "yellow")
    line = Text("  ").append(told["sentence"], style)
    if told["state"] == "paused":
        memory = state["children"]["blocks"]["memory_bytes"]
        if told["freed"]:
            line.append(" The memory of the blocks is given back.")
        elif memory:
            line.append(f" This computer's own chats go on; its blocks keep {in_bytes(memory)}.")
    return [line, *(Text(f"  {reason['text']}", "dim") for reason in told["unknown"])]


def whole(state: StateView, glyphs: Glyphs, now_epoch: float) -> list[Text]:
    """All of `homeswarm status`; `now_epoch` is seconds since the epoch."""
    node, model, blocks = state["node"], state["model"], state["children"]["blocks"]
    answers = {0: "", 1: ", one answer in flight"}.get(
        node["answers"], f", {node['answers']} answers in flight"
    )
    lines = [
        Text(node["name"], "bold").append(
            f"  homeswarm {node['version']}, up {in_spoken_time(node['uptime_s'])}{answers}", "not bold"
        ),
        *offers(state),
    ]
    if not model["id"]:
        about = state.get("local")
        own = about["model"] if about is not None else None
        return [
            *lines,
            Text(f"This computer chats alone: its own model {own} answers." if own else "There is no model."),
            Text("There is none to share with a household; import one with: homeswarm model import", "dim"),
            Text(""),
            *local_model(state),
            *_around(state, now_epoch),
            *_troubles(state),
        ]
    lines += [
        Text(f"model {model['name']}, {model['quant']}, {model['num_blocks']} blocks, id {model['id'][:12]}"),
        Text(""),
        swarm(state),
        *requests(state),
        *peers(state, glyphs, now_epoch),
        Text(""),
        Text("Children of this node", "bold"),
    ]
    serving = child("blocks", blocks)
    if blocks["span"]:
        sessions = "1 session" if blocks["sessions"] == 1 else f"{blocks['sessions']} sessions"
        serving.append(
            f", serves {in_words([blocks['span']])}, {sessions},"
            f" {blocks['cache_tokens_used']} of {blocks['cache_tokens']} cache tokens in use"
        )
    if blocks["withdrawn"]:
        serving.append(", paused; serve again with: homeswarm resume", "yellow")
    elif blocks["quiet"]:
        serving.append(", has said goodnight", "yellow")
    lines += [serving, *contribution(state)]
    lines += [child("engine", state["children"]["engine"]), *local_model(state), standby(node)]
    lines += _around(state, now_epoch)
    if ways := ways_in(state):
        lines += [Text(""), Text("Others join by", "bold"), *(Text(f"  {way}") for way in ways)]
    if state["route"]:
        lines += [Text(""), Text("Latest route", "bold"), Text(f"  {route(hops_of(state['route']), glyphs)}")]
    if felt := pauses(state, now_epoch):
        lines += [Text(""), Text("Latest pauses of answers", "bold"), *felt]
    return [*lines, *_troubles(state)]


def _around(state: StateView, now_epoch: float) -> list[Text]:
    found = this_computer(state, now_epoch)
    return [Text(""), Text("This computer", "bold"), *found] if found else []


def _troubles(state: StateView) -> list[Text]:
    found = problems(state)
    return [Text(""), Text("Problems", "bold red"), *found] if found else []


def offers(state: StateView) -> list[Text]:
    """Answers that wait for a person's word."""
    about = state.get("local")
    return [
        Text(
            f"An answer waits for your word: {offer['reason']}; {offer['model']} could give it here.",
            "yellow",
        )
        for offer in (about.get("offers", []) if about is not None else [])
    ]
