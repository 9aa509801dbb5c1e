"""Networks as plain values, for the tables of the link's tests."""

from __future__ import annotations

import ipaddress
from dataclasses import replace

from swarm_app.host.link.snapshot import AccessPoint, Address, DefaultRoute, Interface, LinkSnapshot, Medium


def address(text: str, **fields: bool) -> Address:
    """From ``10.0.0.5/24``."""
    parsed = ipaddress.ip_interface(text)
    return Address(parsed.ip, parsed.network.prefixlen, **fields)


def card(name: str, *addresses: str | Address, **fields: object) -> Interface:
    """An interface that is up; of a physical medium unless said otherwise."""
    plain = Interface(
        name=name,
        up=True,
        medium=Medium.PHYSICAL,
        addresses=tuple(item if isinstance(item, Address) else address(item) for item in addresses),
    )
    return replace(plain, **fields)  # type: ignore[arg-type]


def network(
    *interfaces: Interface,
    v4: str | None = None,
    v6: str | None = None,
    gateway: str | None = None,
    point: tuple[str, str] | None = None,
    metered: bool | None = None,
) -> LinkSnapshot:
    """`v4` and `v6` name the interfaces that carry the default routes."""
    way = ipaddress.ip_address(gateway) if gateway else None
    return LinkSnapshot(
        tuple(sorted(interfaces, key=lambda item: item.name)),
        DefaultRoute(v4, way) if v4 else None,
        DefaultRoute(v6) if v6 else None,
        AccessPoint(*point) if point else None,
        metered,
    )


LO = card("lo", "127.0.0.1/8", "::1/128", medium=Medium.LOOPBACK)
"""Every computer has it."""
