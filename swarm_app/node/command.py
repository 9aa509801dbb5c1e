"""``homeswarm node``, generated from the options of `swarm_app.config.options`."""

from __future__ import annotations

from typing import Any

import click

from swarm_app.config.kinds import Option
from swarm_app.config.options import NODE_OPTIONS, node_options
from swarm_app.config.paths import ProfilePaths
from swarm_app.config.settings import read_node_settings

_HELP = """Run this computer's node until it is stopped.

The node joins the household's swarm, serves a span of the model's blocks to it and answers chats: its own
with `homeswarm chat`, and those of other programs on this computer through its OpenAI-compatible local API.
Where that is and its token stand in api.json in the profile.

\b
The first computer of a household:    homeswarm node --listen 0.0.0.0
    then, in another terminal:        homeswarm swarm create NAME
                                      homeswarm invite create
Another one:                          homeswarm node --listen 0.0.0.0
    then, in another terminal:        homeswarm join
Chat without serving:                 homeswarm node --span none

All options but --profile and --until-stdin-closes can also stand in settings.toml in the profile, under
[node]; the command line wins.
"""


def node_command() -> click.Command:
    """The click command; its callback returns the node's exit code through click.Context.exit."""
    profile = click.Option(
        ["--profile"],
        metavar="DIR",
        help="Folder of this node's profile: its identity, settings and state; made when missing."
        "  [default: the user's default profile]",
    )
    until = click.Option(
        ["--until-stdin-closes"],
        is_flag=True,
        help="Also stop when standard input ends: whoever started this node is gone.",
    )
    return click.Command(
        "node",
        params=[profile, until, *(_click_option(option) for option in NODE_OPTIONS)],
        callback=_run,
        help=_HELP,
        short_help="Run this computer's node.",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    )


def _click_option(option: Option) -> click.Option:
    default = option.default_text.strip("<>")
    return click.Option(
        [option.flag],
        metavar=option.metavar or None,
        is_flag=option.flag_only,
        help=f"{option.help}  [default: {default}]" if default else option.help,
        multiple=option.many,
        # click gets no default: what is not given may still come from the settings file.
        default=None,
    )


def _run(profile: str | None, until_stdin_closes: bool, **given: Any) -> None:
    from swarm_app.node.process import run

    paths = ProfilePaths.of(profile)
    options = node_options(paths.root, given, read_node_settings(paths.settings_file))
    click.get_current_context().exit(run(options, until_stdin_closes=until_stdin_closes))
