"""The head of an entry in the roll: what Homeswarm says of a server beside Petals' own record.

Purpose: one definition of that form. State owned: none. Callers: `bridge.records`.

An entry is a pair, as MessagePack writes it: ``[head, server]``. `server` is Petals' record of the peer to
the letter (`petals.data_structures.ServerInfo.to_tuple`). The head is a map with text keys:

    version     whole number; this is the form VERSION
    model       text: the id of the manifest that its blocks come from
    leaving     text: one of domain.pause's farewells where the peer took its blocks back, else ""
    rounding    text: peers with the same one compute the same bits; "" where unknown (see `blocks.rounding`)
    addresses   list of text: at most MAX_ADDRESSES multiaddresses at which the peer is reached
    power       "mains", "battery" or ""
    link        "wire", "wireless" or ""

What is missing counts as empty, but for `version` and `model`. A further field may come at any time and is
passed over by whoever does not know it; the version goes up only where a reader that did not know of the
change would be misled. An entry of another version is not read at all.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

VERSION = 1

MAX_FIELDS = 32
"""Of a head, those of later versions of this program included."""

MAX_TEXT = 64
MAX_ADDRESSES = 8
MAX_ADDRESS = 256

POWERS = ("mains", "battery")
LINKS = ("wire", "wireless")
"""What a peer may say of itself; the window has a word for each."""


class OtherVersion(Exception):
    """An entry of the form `version`, which this computer does not read."""

    def __init__(self, version: int) -> None:
        super().__init__(f"an entry of version {version}")
        self.version = version


@dataclass(frozen=True, slots=True)
class RollHead:
    """The head as a value; the module's docstring says what is in each field."""

    model_id: str
    leaving: str = ""
    rounding: str = ""
    addresses: tuple[str, ...] = ()
    power: str = ""
    link: str = ""

    def to_wire(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "model": self.model_id,
            "leaving": self.leaving,
            "rounding": self.rounding,
            "addresses": list(self.addresses[:MAX_ADDRESSES]),
            "power": self.power,
            "link": self.link,
        }

    @classmethod
    def from_wire(cls, head: object) -> RollHead:
        """The head that another computer wrote, bounded; its addresses may still be anything.

        Raises OtherVersion, ValueError.
        """
        if not isinstance(head, dict) or len(head) > MAX_FIELDS:
            raise ValueError("an entry has no head")
        version = head.get("version")
        if type(version) is not int:
            raise ValueError("an entry names no version")
        if version != VERSION:
            raise OtherVersion(version)
        addresses = head.get("addresses", ())
        if not isinstance(addresses, list | tuple):
            raise ValueError("addresses are not a list")
        power, link = _text("power", head.get("power", "")), _text("link", head.get("link", ""))
        return cls(
            model_id=_text("model", head.get("model")),
            leaving=_text("leaving", head.get("leaving", "")),
            rounding=_text("rounding", head.get("rounding", "")),
            addresses=tuple(_text("addresses", one, MAX_ADDRESS) for one in addresses[:MAX_ADDRESSES]),
            power=power if power in POWERS else "",
            link=link if link in LINKS else "",
        )


def _text(field: str, value: object, most: int = MAX_TEXT) -> str:
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise ValueError(f"{field} is not a text of at most {most} characters")
    return value
