"""``homeswarm doctor``: a look at this computer, and what to do about what is wrong."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import click
from rich.text import Text

from swarm_app.cli import checks
from swarm_app.cli.checks import Finding
from swarm_app.cli.console import out
from swarm_app.cli.printable import cleaned
from swarm_app.cli.profile import options_of, profile_option
from swarm_app.config.options import NodeOptions
from swarm_app.domain.errors import HomeswarmError, NodeNotRunning
from swarm_app.localapi.view import StateView

OF_THE_COMPUTER: tuple[Callable[[], list[Finding]], ...] = (
    checks.python,
    checks.packages,
    checks.torch_kernels,
    checks.p2pd,
    checks.loopback,
    checks.memory,
)
OF_THE_PROFILE: tuple[Callable[[NodeOptions], list[Finding]], ...] = (
    checks.disk,
    checks.profile,
    checks.models,
)


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@profile_option
@click.pass_context
def doctor(context: click.Context, as_json: bool, profile: Path | None) -> None:
    """Check this computer and say what to do about what is wrong.

    Looks at the versions, the kernels that compute, the program that connects the computers, memory, disk,
    the profile, the models, and the running node with its ports and addresses. Changes nothing. Exits with 1
    when something is wrong.
    """
    found: list[Finding] = []
    console = out()
    for finding in examine(profile):
        found.append(finding)
        if not as_json:
            # One by one: torch takes a while.
            mark = Text("ok  ", "green") if finding.ok else Text("!!  ", "bold red")
            remedy = f" {finding.remedy}" if finding.remedy and not finding.ok else ""
            console.print(mark.append(f"{finding.topic:<9} {finding.text}{remedy}", "not bold default"))
    wrong = sum(not finding.ok for finding in found)
    if as_json:
        click.echo(json.dumps([dataclasses.asdict(finding) for finding in found], indent=2))
    else:
        console.print()
        console.print(
            "Nothing is wrong."
            if not wrong
            else f"{wrong} {'thing needs' if wrong == 1 else 'things need'} attention, marked with !!."
        )
    context.exit(1 if wrong else 0)


def examine(profile: Path | None) -> Iterator[Finding]:
    """All findings, in the order in which a person wants them."""
    for check in OF_THE_COMPUTER:
        yield from check()
    try:
        options = options_of(profile)
    except HomeswarmError as error:
        yield Finding("settings", False, error.message, error.remedy)
        return
    for look in OF_THE_PROFILE:
        try:
            yield from look(options)
        except HomeswarmError as error:
            yield checks.settled(look, error)
    yield from running_node(profile)


def running_node(profile: Path | None) -> list[Finding]:
    """The node of the profile: where it listens, and its own problems. One that does not run is in order."""
    from swarm_app.localapi.client import LocalClient

    try:
        with LocalClient.from_profile(profile) as client:
            state: StateView = cleaned(client.state())
    except NodeNotRunning:
        return [Finding("node", True, "not running; start it with: homeswarm node")]
    except HomeswarmError as error:
        return [Finding("node", False, error.message, error.remedy)]
    node = state["node"]
    found = [
        Finding("node", True, f"{node['name']} runs (process {node['pid']}, homeswarm {node['version']})")
    ]
    for name, child in (("blocks", state["children"]["blocks"]), ("engine", state["children"]["engine"])):
        found += [Finding("address", True, f"{name} listens on {address}") for address in child["addresses"]]
    found += [Finding("node", False, problem["message"], problem["remedy"]) for problem in state["problems"]]
    return found
