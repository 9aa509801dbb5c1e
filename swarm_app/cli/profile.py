"""Which profile a command is about, and the client of its node."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from swarm_app.config.options import NodeOptions, node_options
from swarm_app.config.paths import ProfilePaths
from swarm_app.config.settings import read_node_settings


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
