"""The two keys of a profile: the device's, and the swarm's where this device may certify. They leave this
process in no form.

State owned: both, in memory, and their places in the vault, which is asked in threads. Callers:
`swarm_app.node.registrar`, one call at a time.
"""

from __future__ import annotations

import asyncio
import logging

from swarm_app.membership.errors import SecretsUnusable
from swarm_app.membership.keys import PrivateKey, swarm_id
from swarm_app.membership.vault import Vault
from swarm_app.node.belonging import Belonging

log = logging.getLogger("homeswarm.node")

DEVICE, SWARM = "device", "swarm"
"""Names of the two keys in the vault."""

NEXT = "swarm-next"
"""Where a swarm's new key lies until the membership that it makes is on disk: whatever happens in between,
one of both is the key of what the disk has."""


class Keys:
    """Methods that ask the vault raise SecretsUnusable."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault
        self._device: PrivateKey | None = None
        self.swarm: PrivateKey | None = None

    @property
    def there(self) -> bool:
        """Whether the device's key is known."""
        return self._device is not None

    @property
    def device(self) -> PrivateKey:
        """Only asked for where it is `there`."""
        assert self._device is not None, "the keys have not been read"
        return self._device

    async def read(self, found: Belonging) -> None:
        """Those of that membership."""
        seed = await asyncio.to_thread(self._vault.get, DEVICE)
        if seed is None:
            raise SecretsUnusable(
                "The keys of this profile are not where they were put; it may have been copied or moved.",
                remedy="Use the profile where it was, or leave the swarm here and join anew.",
            )
        device = PrivateKey.from_bytes(seed)
        if device.public != found.device_key:
            raise SecretsUnusable("The keys of this profile are another device's.")
        for name in (SWARM, NEXT) if found.founder else ():
            kept = await asyncio.to_thread(self._vault.get, name)
            key = PrivateKey.from_bytes(kept) if kept is not None else None
            if key is not None and swarm_id(key.public) == found.swarm_id:
                self.swarm = key
                break
        self._device = device

    async def make_both(self) -> tuple[PrivateKey, PrivateKey]:
        """A new device's and a new swarm's, kept in the vault; `use` them once they are of use."""
        device, swarm = PrivateKey.generate(), PrivateKey.generate()
        await asyncio.to_thread(self._vault.put, DEVICE, device.secret_bytes())
        await asyncio.to_thread(self._vault.put, SWARM, swarm.secret_bytes())
        return device, swarm

    async def of_newcomer(self, *, anew: bool) -> PrivateKey:
        """The device key that the vault has from an earlier try, or a new one, kept; always a new one where
        that is wanted `anew`."""
        seed = None if anew else await asyncio.to_thread(self._vault.get, DEVICE)
        if seed is not None:
            return PrivateKey.from_bytes(seed)
        device = PrivateKey.generate()
        await asyncio.to_thread(self._vault.put, DEVICE, device.secret_bytes())
        return device

    def use(self, device: PrivateKey, swarm: PrivateKey | None) -> None:
        """These are the keys from now on."""
        self._device, self.swarm = device, swarm

    async def keep_next(self, fresh: PrivateKey) -> None:
        """Put a new key of the swarm into the vault, beside the present one."""
        await asyncio.to_thread(self._vault.put, NEXT, fresh.secret_bytes())

    async def settle_next(self, fresh: PrivateKey) -> None:
        """The new key is the swarm's, and the disk says so. Raises nothing: it is found there too."""
        try:
            await asyncio.to_thread(self._vault.put, SWARM, fresh.secret_bytes())
            await asyncio.to_thread(self._vault.delete, NEXT)
        except SecretsUnusable as error:
            log.warning("the swarm's new key stays where it was put first: %s", error.message)

    async def forget(self) -> str:
        """Both, here and in the vault. Why they are still in that, "" where they are not; raises nothing."""
        self._device, self.swarm = None, None
        try:
            for name in (DEVICE, SWARM, NEXT):
                await asyncio.to_thread(self._vault.delete, name)
        except SecretsUnusable as error:
            return error.message
        return ""
