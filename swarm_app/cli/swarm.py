"""``homeswarm swarm``, ``join``, ``invite`` and ``members``: who belongs to the household's swarm."""

from __future__ import annotations

import re
import sys
import time
from pathlib import Path
from typing import Any

import click

# So that what a node refuses about membership ends the command with its own exit code.
import swarm_app.membership.errors  # noqa: F401
from swarm_app.cli.console import be_sure, can_draw, err, out
from swarm_app.cli.printable import cleaned
from swarm_app.cli.profile import changing, profile_option
from swarm_app.domain.errors import BadRequest
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.membershipview import InviteView, MemberView, SwarmInfoView

SHORT_ID = 8
"""Characters of an id that are shown; every command takes the beginning of one."""

LOOK_S = 5.0
"""A household that is there answers mDNS within about a second."""

_TIMES = {"m": 60, "h": 3600, "d": 24 * 3600}


# ---------------------------------------------------------------- swarm


@click.group()
def swarm() -> None:
    """Found, show and leave this household's private swarm."""


@swarm.command("create")
@click.argument("name")
@click.option(
    "--model",
    metavar="NAME_OR_ID",
    default="",
    help="The model that the swarm runs; the running node must have it.",
)
@profile_option
def create(name: str, model: str, profile: Path | None) -> None:
    """Found a private swarm that is called NAME, with this computer as its owner.

    Others join it with a link: homeswarm invite create
    """
    with changing(profile) as client:
        made = cleaned(client.membership.create(name, model))
    console = out()
    console.print(f"This computer founded the swarm {made['name']}. It runs {made['model_name']}.")
    console.print("Invite another computer with: homeswarm invite create")


@swarm.command("list")
@profile_option
def list_swarms(profile: Path | None) -> None:
    """Show the swarm that this profile is in."""
    with LocalClient.from_profile(profile) as client:
        swarms = [cleaned(one) for one in client.membership.swarms()]
        reason = cleaned(client.state())["membership"]["reason"]
    console = out()
    for one in swarms:
        console.print(_described(one))
    if reason is not None:
        console.print(f"{reason['message']} {reason['remedy']}".strip())


def _described(one: SwarmInfoView) -> str:
    count = one["members"]
    computers = "one computer" if count == 1 else f"{count} computers"
    state = "" if one["active"] else " (not usable now)"
    return f"{one['name']}  {one['swarm_id']}  {one['role']}  {computers}  {one['model_name']}{state}"


@swarm.command("leave")
@click.option("--yes", is_flag=True, help="Do not ask.")
@profile_option
def leave(yes: bool, profile: Path | None) -> None:
    """Leave the swarm: say goodbye to the others and forget its keys here."""
    with changing(profile) as client:
        if not yes:
            be_sure("Leave the swarm? Coming back takes a new link.")
        told = client.membership.leave()["told"]
    said = "Nobody was there to hear it; an owner can remove this computer later." if not told else ""
    out().print(f"This computer has left the swarm. {said}".strip())


@swarm.command("rotate")
@click.option("--yes", is_flag=True, help="Do not ask.")
@profile_option
def rotate(yes: bool, profile: Path | None) -> None:
    """Replace the swarm's key, for one that may have leaked. For owners.

    All present members are certified anew when they come online; open links become void.
    """
    with changing(profile) as client:
        if not yes:
            be_sure("Replace the swarm's key? All open links become void.")
        made = cleaned(client.membership.rotate())
    out().print(f"The swarm {made['name']} has a new key; its id is {made['swarm_id']} now.")


# ---------------------------------------------------------------- invites


@click.group()
def invite() -> None:
    """Make, list and cancel the links by which others join."""


@invite.command("create")
@click.option(
    "--role",
    type=click.Choice(["owner", "admin", "member", "guest"]),
    default="member",
    show_default=True,
    help="What the newcomer may do: a member hosts and chats, a guest chats, an admin invites too.",
)
@click.option(
    "--uses", type=click.IntRange(1, 64), default=1, show_default=True, help="For how many computers."
)
@click.option(
    "--expires", metavar="TIME", default="24h", show_default=True, help="For how long: 30m, 24h, 7d."
)
@click.option("--for", "person", metavar="PERSON", default="", help="Whose computers they are.")
@click.option("--no-code", is_flag=True, help="Do not draw the QR code.")
@profile_option
def create_invite(
    role: str, uses: int, expires: str, person: str, no_code: bool, profile: Path | None
) -> None:
    """Make a link and show it, with a code for a camera.

    Whoever has the link can join: send it in a way that others cannot read. It is shown once and kept
    nowhere.
    """
    with changing(profile) as client:
        made = client.membership.invite(role, uses, seconds_of(expires), person)
    if not no_code and sys.stdout.isatty():
        draw_code(made["link"])
    click.echo(made["link"])
    for_whom = "one computer" if made["uses"] == 1 else f"{made['uses']} computers"
    note = f"It lets {for_whom} in as {made['role']} until {_when(made['expires_at'])}."
    err().print(f"{note} Cancel it with: homeswarm invite cancel {made['id'][:SHORT_ID]}")
    if all(address.startswith("127.") for address in made["addresses"]):
        err().print("It works on this computer alone: the node listens on no other address (see --listen).")


@invite.command("list")
@profile_option
def list_invites(profile: Path | None) -> None:
    """Show the links that were made, and what became of them."""
    with LocalClient.from_profile(profile) as client:
        found: list[InviteView] = [cleaned(one) for one in client.membership.invites()]
    console = out()
    if not found:
        console.print("No links. Make one with: homeswarm invite create")
    for one in found:
        whose = f" for {one['person']}" if one["person"] else ""
        used = f"used {one['used']} of {one['uses']}"
        made = f"until {_when(one['expires_at'])}  by {one['made_by']}{whose}"
        console.print(f"{one['id'][:SHORT_ID]}  {one['state']:<9}  {one['role']:<6}  {used}  {made}")


@invite.command("cancel")
@click.argument("invite_id", metavar="ID")
@profile_option
def cancel_invite(invite_id: str, profile: Path | None) -> None:
    """Cancel the link whose id begins with ID, as `homeswarm invite list` shows it."""
    with changing(profile) as client:
        cancelled = client.membership.cancel(invite_id)
    out().print(f"The link {cancelled['id'][:SHORT_ID]} lets nobody in any more.")


def draw_code(link: str) -> None:
    """The link as a QR code on the terminal, where that can draw one."""
    if not can_draw(out(), "█▀▄"):
        return
    import segno

    # In capitals, which mean the same, it is smaller.
    code = segno.make(link.upper(), micro=False, error="m")
    if code.symbol_size(border=2)[0] > out().width:
        err().print("The terminal is too narrow for the QR code.", style="dim")
        return
    code.terminal(compact=True, border=2)


def seconds_of(text: str) -> int:
    """A time like 30m, 24h or 7d in seconds; raises BadRequest."""
    found = re.fullmatch(r"([0-9]{1,4})([mhd])", text.strip().lower())
    if not found:
        raise BadRequest(f"--expires: {text[:20]!r} is no time.", remedy="Write it like 30m, 24h or 7d.")
    return int(found[1]) * _TIMES[found[2]]


# ---------------------------------------------------------------- join


@click.command()
@click.argument("link", required=False)
@click.option("--nearby", is_flag=True, help="Ask a household in the same network instead, face to face.")
@profile_option
def join(link: str | None, nearby: bool, profile: Path | None) -> None:
    """Join a swarm by an invite link, or one that is nearby.

    Without LINK it is asked for, or read from standard input: then it stands in no list of processes and in
    no history of a shell.
    """
    if nearby:
        join_nearby(link, profile)
        return
    if link in (None, "-"):
        link = click.prompt("Invite link", err=True) if sys.stdin.isatty() else sys.stdin.read(4096)
    assert link is not None
    with changing(profile) as client:
        joined = cleaned(client.membership.join(link))
        other = joined["model_id"] and joined["model_id"] != client.state()["model"]["id"]
    console = out()
    console.print(f"This computer is in the swarm {joined['name']} as {joined['role']}.")
    if other:
        console.print(
            f"The swarm runs {joined['model_name']}, which this node does not:"
            " import it, then start the node with it."
        )


def join_nearby(wanted: str | None, profile: Path | None) -> None:
    """Find a household by mDNS, show the six digits, and wait for somebody there to approve."""
    console = out()
    with changing(profile) as client:
        deadline_s = time.monotonic() + LOOK_S
        found = client.membership.nearby()["households"]
        while not found and time.monotonic() < deadline_s:
            time.sleep(0.2)
            found = client.membership.nearby()["households"]
        names = [cleaned(one)["name"] for one in found if wanted in (None, one["name"], one["where"])]
        if not names:
            raise BadRequest("No household is seen nearby.", remedy="Ask for a link, or look again later.")
        if len(set(names)) > 1:
            raise BadRequest(
                f"Several households are nearby: {', '.join(names)}.",
                remedy="Name one: homeswarm join --nearby NAME",
            )
        where = next(one["where"] for one in found if wanted in (None, one["name"], one["where"]))
        asking = cleaned(client.membership.ask(where))
        console.print(
            f"{asking['by']} in {asking['household']} was asked. Both screens must show: {asking['digits']}"
        )
        console.print(f"There: homeswarm members approve {asking['digits']}")
        while asking["state"] == "waiting":
            time.sleep(0.3)
            asking = cleaned(client.membership.nearby()["asking"] or asking)
    if asking["state"] != "joined":
        raise BadRequest(asking["message"] or "The household did not let this computer in.")
    console.print(f"This computer is in the swarm {asking['household']}.")


# ---------------------------------------------------------------- members


@click.group(invoke_without_command=True)
@click.option("--all", "removed_too", is_flag=True, help="Show removed ones as well.")
@profile_option
@click.pass_context
def members(context: click.Context, removed_too: bool, profile: Path | None) -> None:
    """Show who belongs to the swarm; remove and rename members."""
    if context.invoked_subcommand is not None:
        return
    with LocalClient.from_profile(profile) as client:
        found: list[MemberView] = [cleaned(one) for one in client.membership.members()]
    console = out()
    shown = [one for one in found if removed_too or not one["removed"]]
    width = max((len(one["name"]) for one in shown), default=0)
    for one in shown:
        role = "removed" if one["removed"] else one["role"]
        line = f"{one['id'][:SHORT_ID]}  {one['name']:<{width}}  {role:<7}  {_seen(one)}"
        console.print(f"{line}  {one['person']}".rstrip())


@members.command("remove")
@click.argument("who", metavar="DEVICE|PERSON")
@click.option("--yes", is_flag=True, help="Do not ask.")
@profile_option
def remove_member(who: str, yes: bool, profile: Path | None) -> None:
    """Remove a device, by name or id, or all devices of a person; everywhere and for good.

    What it has running in the swarm ends at once. To come back it needs a new link.
    """
    with changing(profile) as client:
        if not yes:
            be_sure(f"Remove {who}?")
        removed = [cleaned(one) for one in client.membership.remove(who)]
    names = ", ".join(one["name"] for one in removed)
    out().print(f"Removed: {names}.")


@members.command("rename")
@click.argument("who", metavar="DEVICE")
@click.argument("name", required=False, default="")
@click.option("--person", metavar="PERSON", help="Whose device it is.")
@profile_option
def rename_member(who: str, name: str, person: str | None, profile: Path | None) -> None:
    """Give a device another name in the swarm, or say whose it is."""
    if not name and person is None:
        raise BadRequest("There is nothing to change.", remedy="Give a NAME, or --person.")
    with changing(profile) as client:
        renamed: Any = cleaned(client.membership.rename(who, name, person))
    whose = f" of {renamed['person']}" if renamed["person"] else ""
    out().print(f"It is {renamed['name']}{whose} now.")


@members.command("requests")
@profile_option
def list_requests(profile: Path | None) -> None:
    """Show which computers nearby ask to join."""
    with LocalClient.from_profile(profile) as client:
        found = cleaned(client.state())["membership"]["requests"]
    console = out()
    if not found:
        console.print("Nobody asks to join now.")
    for one in found:
        console.print(f"{one['digits']}  {one['name']}")


@members.command("approve")
@click.argument("digits")
@click.option(
    "--role",
    type=click.Choice(["admin", "member", "guest"]),
    default="member",
    show_default=True,
    help="What the newcomer may do.",
)
@profile_option
def approve(digits: str, role: str, profile: Path | None) -> None:
    """Let a computer nearby in whose screen shows these DIGITS."""
    with changing(profile) as client:
        asked = cleaned(client.membership.answer(digits, True, role))
    out().print(f"{asked['name']} joins as {role}.")


@members.command("refuse")
@click.argument("digits")
@profile_option
def refuse(digits: str, profile: Path | None) -> None:
    """Do not let the computer nearby in that shows these DIGITS."""
    with LocalClient.from_profile(profile) as client:
        asked = cleaned(client.membership.answer(digits, False))
    out().print(f"{asked['name']} was refused.")


def _seen(one: MemberView) -> str:
    if one["this_device"]:
        return "this computer"
    if one["removed"] or one["seen_at"] is None:
        return "-"
    return f"met {_when(one['seen_at'])}"


def _when(epoch_s: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(epoch_s))
