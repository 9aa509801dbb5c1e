"""``homeswarm pause`` and ``homeswarm resume``: the owner takes the computer's blocks back for a while."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import click

from swarm_app.cli.console import out
from swarm_app.cli.profile import changing, profile_option
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import BlocksView

SETTLE_S = 6.0
"""Sessions have three seconds to move, and taking the records back may take one more."""

LOOK_S = 0.1


_UNITS_S = {"s": 1.0, "m": 60.0, "h": 3600.0, "d": 86_400.0}


class Duration(click.ParamType[float]):
    """``90m``, ``2h``, ``1d``; a number alone is minutes. Gives seconds."""

    name = "duration"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        if isinstance(value, float):
            return value
        found = re.fullmatch(r"([0-9]{1,6})([smhd]?)", str(value).strip().lower())
        if found is None or not int(found[1]):
            self.fail(f"{str(value)[:40]!r} is no time. Write 90m, 2h or 1d.", param, ctx)
        return int(found[1]) * _UNITS_S[found[2] or "m"]


@click.command()
@click.option(
    "--for", "for_s", type=Duration(), metavar="TIME", help="For so long: 30m, 2h, 1d. Without it for good."
)
@profile_option
def pause(for_s: float | None, profile: Path | None) -> None:
    """Take this computer's blocks back from the household.

    Its running node stays; answers that run through its blocks move to other computers where others hold
    them. Chats from this computer go on, through its own blocks too. Lasts for the time given, or until
    `homeswarm resume`; also when the node starts anew in between.
    """
    with changing(profile) as client:
        client.withdraw(for_s)
        blocks = settle(client, lambda blocks: blocks["quiet"] and not blocks["sessions"])
        told = client.state().get("contribution")
    console = out()
    until = "until `homeswarm resume`"
    if told is not None and told["until"] is not None:
        until = f"until {time.strftime('%H:%M', time.localtime(told['until']))}, or `homeswarm resume`"
    if blocks["phase"] != "ready":
        console.print(f"Paused: this computer will serve nothing {until}.")
    elif blocks["sessions"]:
        count = blocks["sessions"]
        still = "one session stays" if count == 1 else f"{count} sessions stay"
        console.print(
            f"Paused {until}: no new sessions; {still} here, of this computer's own chats or because nobody"
            " else holds these blocks."
        )
    else:
        console.print(f"Paused: this computer serves nothing {until}.")


@click.command()
@profile_option
def resume(profile: Path | None) -> None:
    """Serve this computer's blocks to the household again.

    After `homeswarm pause`; and where one of the options has paused contributing (see `homeswarm status`), in
    spite of that, until its reason is over.
    """
    with changing(profile) as client:
        client.serve()
        blocks = settle(client, lambda blocks: not blocks["quiet"] and blocks["phase"] == "ready")
    span = blocks["span"]
    what = f"blocks {span[0]}:{span[1]}" if span else "its blocks"
    when = "" if blocks["phase"] == "ready" else " as soon as they are loaded"
    out().print(f"This computer serves {what} again{when}.")


def settle(client: LocalClient, done: Callable[[BlocksView], bool]) -> BlocksView:
    """The blocks once they are `done`, not being served by a process, or after SETTLE_S."""
    deadline_s = time.monotonic() + SETTLE_S
    while True:
        blocks = client.state()["children"]["blocks"]
        if done(blocks) or blocks["phase"] != "ready" or time.monotonic() > deadline_s:
            return blocks
        time.sleep(LOOK_S)
