"""Purpose: tell of sleep, wake, clock steps and the battery; delay a sleep for a goodnight.

One small protocol (`contract`), one file per system that only reports what it hears, one tested core
that merges the reports with the clock watcher. State owned: the leases held of the system, released by
`close` and by the end of the process. Callers: `node`.
"""

from __future__ import annotations

from swarm_app.host.power.clockwatch import Clocks, SystemClocks
from swarm_app.host.power.contract import PowerSource, PowerWatcher
from swarm_app.host.power.supply import read_supply
from swarm_app.host.power.watch import CoreWatcher
from swarm_app.host.system import System, current_system


def open_power_watcher(clocks: Clocks | None = None, system: System | None = None) -> PowerWatcher:
    """The watcher for this computer; call `start` in the event loop and `close` at the end.

    `clocks` replaces the computer's own, so that a night's sleep is a millisecond of test.
    """
    system = system or current_system()
    return CoreWatcher(
        _source(system),
        clocks or SystemClocks(system),
        no_source="Sleep is noticed only after the wake, by the clocks: this system has no known signal.",
        read_supply=read_supply,
    )


def _source(system: System) -> PowerSource | None:
    if system is System.LINUX:
        from swarm_app.host.power.linux import LinuxPower

        return LinuxPower()
    if system is System.MACOS:
        from swarm_app.host.power.macos import MacPower

        return MacPower()
    if system is System.WINDOWS:
        from swarm_app.host.power.windows import WindowsPower

        return WindowsPower()
    return None
