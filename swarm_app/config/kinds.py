"""What an option is, and its kinds: how a word of the command line or of the settings file becomes its value.

Callers: `swarm_app.config.options`, whose table is made of these. Each reader raises BadRequest, naming the
option.
"""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from swarm_app.config import schedule
from swarm_app.domain.errors import BadRequest
from swarm_app.domain.span import Span

SpanChoice = Span | Literal["auto", "none"]

MAX_NAME = 64
_MULTIADDRESS = re.compile(
    r"/(?:ip4|ip6|dns|dns4|dns6)/[^/\s]{1,253}/(?:tcp|udp)/[0-9]{1,5}(?:/[^/\s]{1,253})*/p2p/[1-9A-HJ-NP-Za-km-z]{20,80}"
)


@dataclass(frozen=True, slots=True)
class Option:
    """One option: `name` is the field of NodeOptions, the flag and the key in the settings file."""

    name: str
    metavar: str
    read: Callable[[Option, object], Any]
    default: object
    """What is used when nobody says otherwise; a string of words in angle brackets is worked out."""
    help: str
    unit: str = ""
    many: bool = False
    low: int = 0
    high: int = 0
    flag_only: bool = False
    """On by its mere presence on the command line; true or false in the settings."""

    @property
    def flag(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def default_text(self) -> str:
        """The default as people read it, or "" where there is none."""
        if self.default is None or self.default == ():
            return ""
        if self.flag_only:
            return "on" if self.default else "off"
        return f"{self.default} {self.unit}".strip()

    def refuse(self, why: str, remedy: str = "") -> BadRequest:
        return BadRequest(f"{self.flag}: {why}", remedy=remedy, param=self.name)


def read_text(option: Option, value: object) -> str:
    if not isinstance(value, str) or not value.strip():
        raise option.refuse("this needs a text.")
    return value.strip()


def read_name(option: Option, value: object) -> str:
    text = read_text(option, value)
    if len(text) > MAX_NAME or not text.isprintable():
        raise option.refuse(f"a name has at most {MAX_NAME} printable characters.")
    return text


def read_folder(option: Option, value: object) -> Path:
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if not isinstance(value, str) or not value or "\0" in value:
        raise option.refuse("this needs a folder.")
    return Path(os.path.abspath(Path(value).expanduser()))


def read_number(option: Option, value: object) -> int:
    if isinstance(value, str) and re.fullmatch(r"[0-9]{1,12}", value):
        value = int(value)
    if type(value) is not int or not option.low <= value <= option.high:
        raise option.refuse(f"this needs a whole number from {option.low} to {option.high}.")
    return value


def read_span(option: Option, value: object) -> SpanChoice:
    text = read_text(option, value)
    if text == "auto":
        return "auto"
    if text == "none":
        return "none"
    try:
        return Span.parse(text)
    except BadRequest as error:
        raise option.refuse(error.message, 'Write "auto", "none" or "start:end", for example 0:10.') from None


def read_choice(option: Option, value: object) -> str:
    text = read_text(option, value)
    if text not in option.metavar.split("|"):
        raise option.refuse(f"this needs one of {', '.join(option.metavar.split('|'))}.")
    return text


def read_switch(option: Option, value: object) -> bool:
    if not isinstance(value, bool):
        raise option.refuse("this is either true or false.")
    return value


def read_multiaddress(option: Option, value: object) -> str:
    text = read_text(option, value)
    if not _MULTIADDRESS.fullmatch(text):
        raise option.refuse(
            f"{text[:120]!r} is not the address of a peer.",
            "It looks like /ip4/10.0.0.5/tcp/31330/p2p/Qm..., as `homeswarm status` shows it.",
        )
    return text


def read_host(option: Option, value: object) -> str:
    text = read_text(option, value)
    try:
        return str(ipaddress.ip_address(text))
    except ValueError:
        raise option.refuse(
            f"{text[:80]!r} is not an IP address.", "Use 127.0.0.1 for this computer alone."
        ) from None


def read_schedule(option: Option, value: object) -> str:
    text = read_text(option, value).lower()
    try:
        schedule.parse(text)
    except ValueError as error:
        raise option.refuse(
            str(error), 'Write "always", "22:00-07:00", or "mon-fri 18:00-23:00, sat-sun 00:00-24:00".'
        ) from None
    return text
