"""Purpose: tell of the network: addresses that housemates can reach, and why and when they change.

One small protocol (`contract`), one file per system that only says that something moved and reads how
things are, one tested core that debounces and diffs; `reach`, `diff` and `dialling` are pure.
State owned: one socket or subscription per watcher, given back by `close`. Callers: `node`.
"""

from __future__ import annotations

from swarm_app.host.link.contract import LinkSource, LinkWatcher
from swarm_app.host.link.watch import CoreLinkWatcher, Pace
from swarm_app.host.system import System, current_system


def open_link_watcher(pace: Pace | None = None, system: System | None = None) -> LinkWatcher:
    """The watcher for this computer; call `start` in the event loop and `close` at the end."""
    return CoreLinkWatcher(_source(system or current_system()), pace)


def _source(system: System) -> LinkSource:
    if system is System.LINUX:
        from swarm_app.host.link.linux import LinuxLink

        return LinuxLink()
    if system is System.MACOS:
        from swarm_app.host.link.macos import MacLink

        return MacLink()
    if system is System.WINDOWS:
        from swarm_app.host.link.windows import WindowsLink

        return WindowsLink()
    from swarm_app.host.link.polled import PolledLink

    return PolledLink()
