"""Which profile a command is about, and the client of its node."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from swarm_app.config.options import NodeOptions, node_options
from swarm_app.config.paths import ProfilePaths
from swarm_app.config.settings import read_node_settings

if TYPE_CHECKING:
    from swarm_app.localapi.client import LocalClient


def profile_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """``--profile DIR``, as every command and the node itself take it."""
    return click.option(
        "--profile",
        type=click.Path(path_type=Path),
        metavar="DIR",
        help="Folder of the profile. Default: the one of this user.",
    )(command)


def options_of(profile: Path | None, **given: object) -> NodeOptions:
    """The options that a node of this profile would start with; raises BadRequest for wrong ones."""
    paths = ProfilePaths.of(profile)
    return node_options(paths.root, given, read_node_settings(paths.settings_file))


_REFUSED = ("choice-not-kept", "membership-not-kept", "keys-kept")
"""Problems of a node that say that the disk or the keyring has refused something."""


@contextmanager
def changing(profile: Path | None) -> Iterator[LocalClient]:
    """A client of the running node, for a command that changes what it keeps. What the disk refuses of that
    is said on standard error at the end: the change holds all the same. Raises NodeNotRunning."""
    from swarm_app.cli.console import err
    from swarm_app.cli.printable import cleaned
    from swarm_app.localapi.client import LocalClient

    with LocalClient.from_profile(profile) as client:
        yield client
        refused = [one for one in cleaned(client.state())["problems"] if one["code"] in _REFUSED]
    for problem in refused:
        err().print(f"{problem['message']} {problem['remedy']}")
