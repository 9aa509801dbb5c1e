"""``homeswarm status``: the node, the swarm, the blocks, and what is wrong."""

from __future__ import annotations

import json
import time
from pathlib import Path

import click

from swarm_app.cli.console import out
from swarm_app.cli.draw import whole
from swarm_app.cli.printable import cleaned
from swarm_app.cli.profile import profile_option
from swarm_app.cli.strips import glyphs_for


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the state as JSON.")
@profile_option
def status(as_json: bool, profile: Path | None) -> None:
    """Show the node, the swarm, the blocks, and what is wrong.

    Each peer has a strip with the blocks that it serves; the last strip is all of them together. Who sleeps
    or is missing is shown with the reason. Problems come with what to do about them.
    """
    from swarm_app.localapi.client import LocalClient

    with LocalClient.from_profile(profile) as client:
        state = client.state()
    if as_json:
        click.echo(json.dumps(state, indent=2))
        return
    console = out()
    for line in whole(cleaned(state), glyphs_for(console), time.time()):
        console.print(line)
