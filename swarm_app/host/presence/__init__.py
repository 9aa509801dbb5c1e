"""Purpose: tell whether somebody uses this computer, and whether a program fills its screen.

One small protocol (`contract`), one file per system that only reads, one tested core (`watch`) that asks
every few seconds and tells what is different. What a system does not say is its own value, with the reason.
State owned: connections to the buses and the display, closed by `close`. Callers: `node`.
"""

from __future__ import annotations

from swarm_app.host.presence.contract import PresenceSource
from swarm_app.host.presence.watch import PresenceWatcher
from swarm_app.host.system import System, current_system


def open_presence_watcher(system: System | None = None) -> PresenceWatcher:
    """The watcher for this computer; call `start` in the event loop and `close` at the end."""
    return PresenceWatcher(_source(system or current_system()))


def _source(system: System) -> PresenceSource:
    if system is System.LINUX:
        from swarm_app.host.presence.linux import LinuxPresence

        return LinuxPresence()
    if system is System.MACOS:
        from swarm_app.host.presence.macos import MacPresence

        return MacPresence()
    if system is System.WINDOWS:
        from swarm_app.host.presence.windows import WindowsPresence

        return WindowsPresence()
    from swarm_app.host.presence.contract import Nowhere

    return Nowhere("this system has no known way to ask")
