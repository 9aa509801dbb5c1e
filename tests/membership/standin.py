"""A small Secret Service for tests, where no real one may be installed.

``python -m tests.membership.standin FILE``: as much of freedesktop's Secret Service API as `secretstorage`
uses: one collection, plain sessions, items with attributes. It keeps its items in FILE, as a daemon keeps its
keyring. To unlock it somebody has to answer a prompt, and nobody does, as where the owner is elsewhere.

It ends with its standard input.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Annotated

from dbus_fast import DBusError, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool, DBusObjectPath, DBusSignature, DBusStr, DBusVariant
from dbus_fast.constants import PropertyAccess
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

NAME = "org.freedesktop.secrets"
ROOT = "/org/freedesktop/secrets"
COLLECTION = f"{ROOT}/collection/login"
NONE = "/"

_Nothing = Annotated[None, DBusSignature("")]
_Paths = Annotated[list[str], DBusSignature("ao")]
_Attributes = Annotated[dict[str, str], DBusSignature("a{ss}")]
_Properties = Annotated[dict[str, Variant], DBusSignature("a{sv}")]
_Secret = Annotated[list[object], DBusSignature("(oayays)")]
_Secrets = Annotated[dict[str, list[object]], DBusSignature("a{o(oayays)}")]


class Keyring:
    """What is kept, and whether it may be read."""

    def __init__(self, file: Path, bus: MessageBus) -> None:
        self.file = file
        self.bus = bus
        self.locked = False
        self.items: dict[str, tuple[dict[str, str], bytes]] = {}
        for path, (attributes, secret) in json.loads(file.read_text() if file.exists() else "{}").items():
            self.put(path, attributes, bytes.fromhex(secret))

    def put(self, path: str, attributes: dict[str, str], secret: bytes) -> None:
        known = path in self.items
        self.items[path] = attributes, secret
        if not known:
            self.bus.export(path, Item(self, path))
        self.write()

    def write(self) -> None:
        kept = {path: (attributes, secret.hex()) for path, (attributes, secret) in self.items.items()}
        self.file.write_text(json.dumps(kept))

    def find(self, wanted: dict[str, str]) -> list[str]:
        return [path for path, (held, _) in self.items.items() if wanted.items() <= held.items()]

    def secret(self, path: str, session: str) -> list[object]:
        if self.locked:
            raise DBusError("org.freedesktop.Secret.Error.IsLocked", "locked")
        return [session, b"", self.items[path][1], "text/plain"]


class Service(ServiceInterface):
    def __init__(self, keyring: Keyring) -> None:
        super().__init__("org.freedesktop.Secret.Service")
        self._keyring = keyring
        self._sessions = 0

    @dbus_method()
    def OpenSession(
        self, algorithm: DBusStr, given: DBusVariant
    ) -> Annotated[tuple[Variant, str], DBusSignature("vo")]:
        if algorithm != "plain":
            raise DBusError("org.freedesktop.DBus.Error.NotSupported", "plain sessions alone")
        self._sessions += 1
        return Variant("s", ""), f"{ROOT}/session/{self._sessions}"

    @dbus_method()
    def SearchItems(
        self, attributes: _Attributes
    ) -> Annotated[tuple[list[str], list[str]], DBusSignature("aoao")]:
        found = self._keyring.find(attributes)
        return ([], found) if self._keyring.locked else (found, [])

    @dbus_method()
    def Unlock(self, objects: _Paths) -> Annotated[tuple[list[str], str], DBusSignature("aoo")]:
        return ([], f"{ROOT}/prompt/unlock") if self._keyring.locked else (objects, NONE)

    @dbus_method()
    def Lock(self, objects: _Paths) -> Annotated[tuple[list[str], str], DBusSignature("aoo")]:
        self._keyring.locked = True
        return objects, NONE

    @dbus_method()
    def GetSecrets(self, items: _Paths, session: DBusObjectPath) -> _Secrets:
        return {path: self._keyring.secret(path, session) for path in items}

    @dbus_method()
    def ReadAlias(self, name: DBusStr) -> DBusObjectPath:
        return COLLECTION if name == "default" else NONE

    @dbus_property(access=PropertyAccess.READ)
    def Collections(self) -> _Paths:
        return [COLLECTION]


class Prompt(ServiceInterface):
    """Asks for a password on a screen before which nobody sits."""

    def __init__(self) -> None:
        super().__init__("org.freedesktop.Secret.Prompt")

    @dbus_method()
    def Prompt(self, window_id: DBusStr) -> _Nothing:
        return

    @dbus_method()
    def Dismiss(self) -> _Nothing:
        return


class Collection(ServiceInterface):
    def __init__(self, keyring: Keyring) -> None:
        super().__init__("org.freedesktop.Secret.Collection")
        self._keyring = keyring

    @dbus_method()
    def SearchItems(self, attributes: _Attributes) -> _Paths:
        return self._keyring.find(attributes)

    @dbus_method()
    def CreateItem(
        self, properties: _Properties, secret: _Secret, replace: DBusBool
    ) -> Annotated[tuple[str, str], DBusSignature("oo")]:
        if self._keyring.locked:
            raise DBusError("org.freedesktop.Secret.Error.IsLocked", "locked")
        attributes = properties["org.freedesktop.Secret.Item.Attributes"].value
        same = [path for path in self._keyring.find(attributes) if replace]
        path = same[0] if same else f"{COLLECTION}/{len(self._keyring.items) + 1}"
        content = secret[2]
        assert isinstance(content, bytes)
        self._keyring.put(path, attributes, content)
        return path, NONE

    @dbus_property(access=PropertyAccess.READ)
    def Items(self) -> _Paths:
        return list(self._keyring.items)

    @dbus_property(access=PropertyAccess.READ)
    def Label(self) -> DBusStr:
        return "login"

    @dbus_property(access=PropertyAccess.READ)
    def Locked(self) -> DBusBool:
        return self._keyring.locked


class Item(ServiceInterface):
    def __init__(self, keyring: Keyring, path: str) -> None:
        super().__init__("org.freedesktop.Secret.Item")
        self._keyring = keyring
        self._path = path

    @dbus_method()
    def GetSecret(self, session: DBusObjectPath) -> _Secret:
        return self._keyring.secret(self._path, session)

    @dbus_method()
    def Delete(self) -> DBusObjectPath:
        if self._keyring.locked:
            raise DBusError("org.freedesktop.Secret.Error.IsLocked", "locked")
        del self._keyring.items[self._path]
        self._keyring.write()
        asyncio.get_running_loop().call_soon(self._keyring.bus.unexport, self._path, self)
        return NONE

    @dbus_property(access=PropertyAccess.READ)
    def Attributes(self) -> _Attributes:
        return self._keyring.items[self._path][0]

    @dbus_property(access=PropertyAccess.READ)
    def Label(self) -> DBusStr:
        return "an item"

    @dbus_property(access=PropertyAccess.READ)
    def Locked(self) -> DBusBool:
        return self._keyring.locked


async def serve(file: Path) -> None:
    """Until standard input ends."""
    bus = await MessageBus().connect()
    keyring = Keyring(file, bus)
    bus.export(ROOT, Service(keyring))
    for path in (COLLECTION, f"{ROOT}/aliases/default"):
        bus.export(path, Collection(keyring))
    bus.export(f"{ROOT}/prompt/unlock", Prompt())
    await bus.request_name(NAME)
    await asyncio.to_thread(sys.stdin.read)
    bus.disconnect()


if __name__ == "__main__":
    asyncio.run(serve(Path(sys.argv[1])))
