"""``homeswarm app``: the window."""

from __future__ import annotations

from pathlib import Path

import click

from swarm_app.config.paths import ProfilePaths


@click.command()
@click.option(
    "--profile",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the node's profile. Default: the one of this user.",
)
@click.option("--minimized", is_flag=True, help="Start in the tray, or minimized where there is none.")
@click.option("--attached", is_flag=True, help="Only show a node that runs already; start and stop none.")
@click.argument("link", required=False)
def app(profile: Path | None, minimized: bool, attached: bool, link: str | None) -> None:
    """Open the window: chats, the household, settings.

    It starts this computer's node where none is running. A second start brings the first one's window to the
    front, and hands it LINK, an invitation (homeswarm://join/...).
    """
    from swarm_app.gui.app import run

    click.get_current_context().exit(
        run(ProfilePaths.of(profile), minimized=minimized, link=link or "", own_node=not attached)
    )
