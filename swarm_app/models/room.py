"""Whether this computer has memory to spare for something that is not needed yet."""

from __future__ import annotations

SPARE_SHARE = 0.25
"""Of the free memory, what may be filled on the mere chance that it is needed: a person works here."""


def is_spare(needed_bytes: int, free_bytes: int) -> bool:
    """Whether `needed_bytes` are no more than what a chance is worth."""
    return needed_bytes <= SPARE_SHARE * free_bytes


def has_spare(needed_bytes: int) -> bool:
    """The same of this computer's memory now."""
    import psutil

    return is_spare(needed_bytes, int(psutil.virtual_memory().available))
