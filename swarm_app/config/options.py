"""The options of a node, as data: the command line, the settings file and the docs come from here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from swarm_app.config import schedule
from swarm_app.config.kinds import (
    MAX_NAME,
    Option,
    SpanChoice,
    read_choice,
    read_folder,
    read_host,
    read_multiaddress,
    read_name,
    read_number,
    read_schedule,
    read_span,
    read_switch,
    read_text,
)
from swarm_app.config.paths import default_local_models, default_models

POLITE = "pause|gentle|ignore"
"""What may be done for the sake of whoever uses this computer."""

NEVER_POLITE = tuple(
    word
    for flag in ("--when-active", "--when-full-screen", "--on-battery", "--on-metered")
    for word in (flag, "ignore")
)
"""For nodes that are only tried out: whoever does that on a laptop without its charger wants an answer."""

NODE_OPTIONS: tuple[Option, ...] = (
    Option(
        "name", "NAME", read_name, "<this computer's name>", "What this computer is called in the household."
    ),
    Option(
        "model",
        "NAME_OR_ID",
        read_text,
        "<the only model in the store>",
        "The model to run, by its name or id in the store (see `homeswarm model list`).",
    ),
    Option("models", "DIR", read_folder, "<the user's model store>", "Folder of the model store."),
    Option(
        "span",
        "auto|none|START:END",
        read_span,
        "auto",
        "The blocks to serve to the household: START:END (END not included), auto to choose what the "
        "household lacks most, or none to only chat.",
    ),
    Option(
        "join",
        "MULTIADDR",
        read_multiaddress,
        (),
        "For an open swarm: an address of a computer in it, to join by; give several for safety. None founds "
        "one. A private swarm is joined by a link.",
        many=True,
    ),
    Option(
        "open",
        "",
        read_switch,
        False,
        "Run an open swarm: no invites, no certificates; whoever reaches it is in. For trying things out on "
        "this computer alone.",
        flag_only=True,
    ),
    Option(
        "secrets",
        "keyring|file",
        read_choice,
        "keyring",
        "Where this computer's keys are kept: in the system's keyring, or in a file in the profile that only "
        "you can read.",
    ),
    Option(
        "nearby",
        "yes|no",
        read_choice,
        "yes",
        "Whether an owner's or admin's computer tells the network that a household is here which one can "
        "ask to join, and a computer in no swarm looks for one.",
    ),
    Option(
        "door_port",
        "PORT",
        read_number,
        0,
        "Port at which other computers ask to join; 0 keeps the one it had, at first a free one.",
        high=65535,
    ),
    Option("listen", "IP", read_host, "127.0.0.1", "Address on which other computers reach this one."),
    Option(
        "swarm_port",
        "PORT",
        read_number,
        0,
        "Port on which other computers reach this one; 0 takes a free one.",
        high=65535,
    ),
    Option(
        "port",
        "PORT",
        read_number,
        0,
        "Port of the local API, on this computer only; 0 takes a free one (api.json in the profile has it).",
        high=65535,
    ),
    Option(
        "cache_tokens",
        "N",
        read_number,
        8192,
        "Attention cache for the conversations of the whole household on this computer.",
        unit="tokens",
        low=16,
        high=16_777_216,
    ),
    Option(
        "context_tokens",
        "N",
        read_number,
        2048,
        "Longest conversation of your own, question and answer together.",
        unit="tokens",
        low=16,
        high=1_048_576,
    ),
    Option(
        "threads",
        "N",
        read_number,
        0,
        "Compute threads of each child process at most; it takes as many as gain. 0: one for each core.",
        high=1024,
    ),
    Option(
        "policy",
        "wait|hedge|reroute",
        read_choice,
        "hedge",
        "What your answers do about a computer that is late but lives: wait for it; hedge, which starts "
        "another one beside it and takes whichever is first; or reroute, which moves away once the wait has "
        "cost as much as the move. Hedging costs the others a little work, and you nothing when the guess "
        "was wrong.",
    ),
    Option(
        "preset",
        "home_lan|over_internet|test",
        read_choice,
        "home_lan",
        "How soon a silent computer is given up: home_lan within about a second, for computers of one home; "
        "over_internet within about three, for lines that lose packets; test is for tests on one computer.",
    ),
    Option(
        "standby",
        "",
        read_switch,
        False,
        "Have a second computer keep up with each of your answers, so that a loss costs no replay. Your "
        "answers then take twice the memory and twice the work of the household; homeswarm status shows the "
        "price in memory before you switch it on.",
        flag_only=True,
    ),
    Option(
        "keep_awake",
        "",
        read_switch,
        False,
        "Keep this computer from falling asleep of idleness while it works on an answer, its own or somebody "
        "else's; closing the lid is still obeyed.",
        flag_only=True,
    ),
    Option(
        "when_active",
        POLITE,
        read_choice,
        "gentle",
        "What happens to contributing while somebody uses this computer, and for five minutes after: gentle "
        "lets their programs go first and still answers the household; pause serves nobody else meanwhile; "
        "ignore makes no difference. Gentle by default, because most use leaves a processor idle.",
    ),
    Option(
        "when_full_screen",
        POLITE,
        read_choice,
        "pause",
        "The same while a program fills the screen: a game, a film or a talk. Paused by default, because a "
        "stutter there is noticed at once.",
    ),
    Option(
        "on_battery",
        POLITE,
        read_choice,
        "pause",
        "The same while this computer runs on battery. Paused by default, because the others' answers would "
        "empty it; its own chats go on.",
    ),
    Option(
        "on_metered",
        POLITE,
        read_choice,
        "pause",
        "The same while the network in use is paid by volume, such as a telephone's. Paused by default, "
        "because every token of an answer crosses it.",
    ),
    Option(
        "schedule",
        "always|HH:MM-HH:MM",
        read_schedule,
        schedule.ALWAYS,
        "When this computer contributes: always, or times of day such as 22:00-07:00, or with days mon-fri "
        "18:00-23:00, sat-sun 00:00-24:00. Always by default: a computer that is on can help.",
    ),
    Option(
        "free_after_s",
        "SECONDS",
        read_number,
        1800,
        "After a pause of this long in which you did not chat either, the memory of the blocks is given "
        "back; they are loaded anew when contributing begins again. 0 keeps it, so that they are there at "
        "once.",
        unit="seconds",
        high=604_800,
    ),
    Option(
        "local_model",
        "NAME",
        read_text,
        "<what `homeswarm local use` chose>",
        "The model on this computer that answers when the household cannot (see `homeswarm local list`).",
    ),
    Option("local_models", "DIR", read_folder, "<the user's local models>", "Folder of the local models."),
    Option(
        "fallback",
        "auto|ask|never",
        read_choice,
        "auto",
        "When the household cannot answer in time: auto lets the local model begin or go on, and says so; "
        "ask leaves it to you; never waits for the household alone.",
    ),
    Option(
        "prefer",
        "swarm|local",
        read_choice,
        "swarm",
        "Who answers unless a chat or a request says otherwise: the household, or the local model.",
    ),
    Option(
        "keep_local",
        "auto|always",
        read_choice,
        "auto",
        "When the local model is in memory: auto while you chat and the household has no spare computer, one "
        "is in doubt, or it answers; always, all the time.",
    ),
    Option(
        "local_idle_s",
        "SECONDS",
        read_number,
        300,
        "Without a chat for this long, the memory of the local model is given back.",
        unit="seconds",
        low=1,
        high=86_400,
    ),
    Option(
        "takeover_ms",
        "MS",
        read_number,
        2500,
        "Silence of the household in an answer after which the local model takes over.",
        unit="milliseconds",
        low=300,
        high=600_000,
    ),
    Option(
        "min_speed",
        "N",
        read_number,
        0,
        "Tokens per second: where the household is slower, the local model answers. 0 is never too slow.",
        high=10_000,
    ),
)


@dataclass(frozen=True, slots=True)
class NodeOptions:
    """Everything that starts a node. Paths are absolute."""

    profile: Path
    name: str
    model: str | None
    models: Path
    span: SpanChoice
    join: tuple[str, ...]
    open: bool
    secrets: Literal["keyring", "file"]
    nearby: Literal["yes", "no"]
    door_port: int
    listen: str
    swarm_port: int
    port: int
    cache_tokens: int
    context_tokens: int
    threads: int
    policy: str
    preset: str
    standby: bool
    keep_awake: bool
    when_active: str
    when_full_screen: str
    on_battery: str
    on_metered: str
    schedule: str
    free_after_s: int
    local_model: str | None
    local_models: Path
    fallback: str
    prefer: str
    keep_local: str
    local_idle_s: int
    takeover_ms: int
    min_speed: int


def node_options(profile: Path, given: Mapping[str, object], settings: Mapping[str, object]) -> NodeOptions:
    """Options from the command line over those of the settings file over the defaults.

    `given` and `settings` map option names to raw values; a value of None or () counts as not given.
    Raises BadRequest naming the option.
    """
    values: dict[str, Any] = {}
    for option in NODE_OPTIONS:
        raw = next(
            (s[option.name] for s in (given, settings) if s.get(option.name) not in (None, (), [])), None
        )
        if raw is None:
            values[option.name] = _default(option)
        elif option.many:
            items = raw if isinstance(raw, list | tuple) else [raw]
            values[option.name] = tuple(dict.fromkeys(option.read(option, item) for item in items))
        else:
            values[option.name] = option.read(option, raw)
    return NodeOptions(profile=profile, **values)


def _default(option: Option) -> Any:
    if option.name == "name":
        import platform

        return "".join(c for c in platform.node() if c.isprintable())[:MAX_NAME] or "computer"
    if option.name == "models":
        return default_models()
    if option.name == "local_models":
        return default_local_models()
    if option.name in ("model", "local_model"):
        return None
    return option.default
