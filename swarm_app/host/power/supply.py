"""Mains or battery where no service tells: read through psutil, on every system."""

from __future__ import annotations

from swarm_app.host.power.events import Supply


def read_supply() -> Supply | None:
    """The supply as the kernel has it; a computer without a battery runs on mains. None where unknown.

    Reads files or asks the system: call it off the event loop.
    """
    import psutil

    try:
        battery = psutil.sensors_battery() if hasattr(psutil, "sensors_battery") else None
    except (OSError, RuntimeError, ValueError):
        return None
    if battery is None:
        return Supply(on_battery=False)
    level = min(max(battery.percent / 100, 0.0), 1.0)
    return Supply(on_battery=battery.power_plugged is False, level=level)
