"""``homeswarm pause`` and ``homeswarm resume``: the owner takes the computer's blocks back for a while."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import click

from swarm_app.cli.console import out
from swarm_app.cli.profile import profile_option
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import BlocksView

SETTLE_S = 6.0
"""Sessions have three seconds to move, and taking the records back may take one more."""

LOOK_S = 0.1


@click.command()
@profile_option
def pause(profile: Path | None) -> None:
    """Take this computer's blocks back from the household.

    Its running node stays; answers that run through its blocks move to other computers where others hold
    them. Chats from this computer go on. Lasts until `homeswarm resume`, or until the node starts again.
    """
    with LocalClient.from_profile(profile) as client:
        client.withdraw()
        blocks = settle(client, lambda blocks: blocks["quiet"] and not blocks["sessions"])
    console = out()
    if blocks["phase"] != "ready":
        console.print("Paused: this computer will serve nothing until `homeswarm resume`.")
    elif blocks["sessions"]:
        count = blocks["sessions"]
        still = "one session stays" if count == 1 else f"{count} sessions stay"
        console.print(f"Paused: no new sessions; {still} here because nobody else holds these blocks.")
    else:
        console.print("Paused: this computer serves nothing until `homeswarm resume`.")


@click.command()
@profile_option
def resume(profile: Path | None) -> None:
    """Serve this computer's blocks to the household again, after `homeswarm pause`."""
    with LocalClient.from_profile(profile) as client:
        client.serve()
        blocks = settle(client, lambda blocks: not blocks["quiet"])
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
