"""What a terminal may be shown of texts that come from elsewhere. Pure."""

from __future__ import annotations

from typing import Any


def printable(text: str, keep: str = "") -> str:
    """Text without what could steer a terminal: names and answers come from other computers and models."""
    return "".join(c if c.isprintable() or c in keep else "\N{REPLACEMENT CHARACTER}" for c in text)


def cleaned(value: Any) -> Any:
    """A JSON value whose strings are all `printable`."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, list):
        return [cleaned(item) for item in value]
    if isinstance(value, dict):
        return {key: cleaned(item) for key, item in value.items()}
    return value
