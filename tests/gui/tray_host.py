"""The tray under a real host, in a process of its own: python -m tests.gui.tray_host PROFILE

Wants a display (xcb) and a session bus of its own. It is the host as well: a StatusNotifierWatcher at which
Qt registers its item, and a reader of the item's icon and menu. Prints what it saw as JSON.
"""

import asyncio
import hashlib
import json
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Annotated, Any

from dbus_fast import BusType, Message, MessageType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.annotations import DBusBool, DBusSignature, DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
WAIT_S = 20.0


class Watcher(ServiceInterface):
    """As freedesktop.org's draft of the StatusNotifierItem has it."""

    def __init__(self) -> None:
        super().__init__(WATCHER)
        self.items: list[str] = []

    @dbus_method()
    def RegisterStatusNotifierItem(self, service: DBusStr) -> None:
        self.items.append(service)

    @dbus_method()
    def RegisterStatusNotifierHost(self, service: DBusStr) -> None:
        pass

    @dbus_property(access=PropertyAccess.READ)
    def RegisteredStatusNotifierItems(self) -> Annotated[list[str], DBusSignature("as")]:
        return self.items

    @dbus_property(access=PropertyAccess.READ)
    def IsStatusNotifierHostRegistered(self) -> DBusBool:
        return True

    @dbus_property(access=PropertyAccess.READ)
    def ProtocolVersion(self) -> Annotated[int, DBusSignature("i")]:
        return 0


class Host:
    """The panel's side, in a thread of its own. Calls return when the item has answered."""

    def __init__(self) -> None:
        self.watcher = Watcher()
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        asyncio.run_coroutine_threadsafe(self._begin(), self.loop).result(WAIT_S)

    async def _begin(self) -> None:
        self.bus = await MessageBus(bus_type=BusType.SESSION).connect()
        self.bus.export("/StatusNotifierWatcher", self.watcher)
        await self.bus.request_name(WATCHER)

    def ask(self, path: str, interface: str, member: str, signature: str, *body: Any) -> Future[list[Any]]:
        return asyncio.run_coroutine_threadsafe(
            self._ask(path, interface, member, signature, list(body)), self.loop
        )

    async def _ask(
        self, path: str, interface: str, member: str, signature: str, body: list[Any]
    ) -> list[Any]:
        service = self.watcher.items[-1]
        reply = await self.bus.call(
            Message(
                destination=service,
                path=path,
                interface=interface,
                member=member,
                signature=signature,
                body=body,
            )
        )
        assert reply is not None
        assert reply.message_type is MessageType.METHOD_RETURN, reply.body
        return list(reply.body)


def main() -> int:
    from swarm_app.gui.app import App, make_application
    from tests.gui.stage import Stage, child, peer

    application = make_application("en")

    def wait(true: Callable[[], object]) -> None:
        until = time.monotonic() + WAIT_S
        while not true():
            if time.monotonic() > until:
                raise TimeoutError(seen)
            application.processEvents()
            time.sleep(0.005)

    seen: dict[str, Any] = {}
    host = Host()

    def told(future: Future[list[Any]]) -> list[Any]:
        wait(future.done)
        return future.result()

    def look() -> dict[str, Any]:
        """Icon, tip and menu as the panel has them now."""
        (about,) = told(
            host.ask("/StatusNotifierItem", "org.freedesktop.DBus.Properties", "GetAll", "s", ITEM)
        )
        pixmaps = about["IconPixmap"].value
        assert pixmaps, "the item has no icon"
        icon = hashlib.sha256(b"".join(bytes(pixmap[2]) for pixmap in pixmaps)).hexdigest()
        path = about["Menu"].value
        _, layout = told(
            host.ask(path, MENU, "GetLayout", "iias", 0, -1, ["label", "enabled", "toggle-state"])
        )
        entries = [
            (entry.value[0], {key: value.value for key, value in entry.value[1].items()})
            for entry in layout[2]
        ]
        return {"icon": icon, "menu": path, "entries": {e.get("label", ""): (n, e) for n, e in entries}}

    def click(label: str) -> None:
        there = look()
        number = there["entries"][label][0]
        told(host.ask(there["menu"], MENU, "Event", "isvu", number, "clicked", Variant("i", 0), 0))

    def checked(label: str) -> bool:
        return bool(look()["entries"][label][1].get("toggle-state") == 1)

    with Stage(Path(sys.argv[1])) as stage:
        app = App(stage.paths, application, own_node=False)
        wait(lambda: host.watcher.items)
        app.start(minimized=True)
        seen["in_the_tray"] = app.window.isHidden()
        wait(lambda: app.link.state is not None and app.tray.contribution == "on")
        wait(lambda: checked("Contribute"))
        seen["on"] = look()["icon"]
        click("Pause for an hour")
        wait(lambda: app.tray.contribution == "paused" and checked("Pause for an hour"))
        seen["paused"] = look()["icon"]
        click("Contribute")
        wait(lambda: app.tray.contribution == "on" and checked("Contribute"))
        seen["on_again"] = look()["icon"]
        click("Do not contribute")
        wait(lambda: app.tray.contribution == "off" and checked("Do not contribute"))
        seen["off"] = look()["icon"]
        peers = [peer("desk", 0, 10), peer("attic", 10, 20, "asleep"), peer("laptop", 20, 30)]
        blocks = stage.view["children"]["blocks"]
        stage.change(
            children=stage.view["children"] | {"blocks": blocks | child("down")},
            swarm=stage.view["swarm"] | {"peers": peers},
        )
        wait(lambda: "Asleep: attic" in look()["entries"])
        seen["trouble"] = look()["icon"]
        click("Household")
        wait(lambda: app.window.isVisible() and app.window._nav["household"].isChecked())
        click("Quit")
        wait(lambda: app._quitting)
        seen["calls"] = stage.calls
        app.end()
    print(json.dumps(seen), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
