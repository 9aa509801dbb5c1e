"""Where p2pd is to listen, and why it does not, in words that name what a person can change."""

from __future__ import annotations

import socket

from swarm_app.domain.errors import HomeswarmError, PortInUse, SwarmUnavailable


def multiaddresses(host: str, port: int) -> list[str]:
    """What p2pd is told for ``--listen`` and ``--swarm-port``.

    ``::`` stands for all addresses of both families, under one port: it is what others are told with each of
    them.
    """
    if host != "::":
        return [f"/{'ip6' if ':' in host else 'ip4'}/{host}/tcp/{port}"]
    port = port or _free_port()
    return [f"/ip6/::/tcp/{port}", f"/ip4/0.0.0.0/tcp/{port}"]


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("0.0.0.0", 0))  # noqa: S104 - closed at once
        return int(probe.getsockname()[1])


def why_not(error: Exception, host: str, port: int) -> HomeswarmError:
    """The error for people from what p2pd, or its start, has said."""
    said = str(error).lower()
    if "address already in use" in said:
        return PortInUse(
            f"Another program uses the port {port}, at which other computers were to reach this one.",
            remedy="Choose another with --swarm-port, or 0 for any.",
        )
    if "assign requested address" in said:
        return SwarmUnavailable(
            f"This computer does not have the address {host}, at which others were to reach it.",
            remedy="Choose one that it has with --listen, or 0.0.0.0 for all.",
        )
    return SwarmUnavailable(f"The swarm's network process does not start ({error}).")
