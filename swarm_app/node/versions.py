"""Which members run another version of Homeswarm, as calls to their doors show. Pure, but for its memory.

Who was refused for the version has proved nothing yet: a person is told, no more.

State owned: when each member was met so last. Callers: `swarm_app.node.gossip` (what a call showed),
`standing` (what is told).
"""

from __future__ import annotations

from swarm_app.membership.members import Members

FORGET_S = 300.0
"""Who was not met again for this long is off, and disturbs nobody."""

MAX_NAMES = 8


class OtherVersions:
    """By device keys; `now` is monotonic seconds."""

    def __init__(self) -> None:
        self._met: dict[bytes, float] = {}

    def met(self, device_key: bytes, now: float) -> None:
        """Where that device is, another version was spoken."""
        if device_key:
            self._met[device_key] = now

    def agreed(self, device_key: bytes) -> None:
        """That device has spoken ours."""
        self._met.pop(device_key, None)

    def names(self, members: Members | None, now: float) -> tuple[str, ...]:
        """Of those among the present members."""
        self._met = {key: at for key, at in self._met.items() if now - at < FORGET_S}
        if members is None or not self._met:
            return ()
        return tuple(sorted(m.name for m in members.present() if m.device_key in self._met))[:MAX_NAMES]
