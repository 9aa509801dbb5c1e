"""The buses of Linux (D-Bus): one bounded connection for whoever asks a service of the system or the desktop.

Wire protocol: the D-Bus specification, through dbus-fast, which is loaded when a connection is
made and not before. Every call has a timeout. Signals are taken only from the process that owns
the service's name: anybody on the computer may send a signal that looks like the service's.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from dbus_fast import Message
    from dbus_fast.aio import MessageBus

CONNECT_S = 3.0
RETRY_S = (2.0, 5.0, 15.0, 60.0)
"""Pauses between tries to reach the bus."""

CALL_S = 3.0
"""Services answer in milliseconds; one that takes longer is treated as not there, and asked again later."""

_BUS = "org.freedesktop.DBus"
_PROPERTIES = "org.freedesktop.DBus.Properties"


class BusTrouble(Exception):
    """The bus or a service on it did not do what was asked. `why` is one sentence for people."""

    def __init__(self, why: str, name: str = "") -> None:
        super().__init__(why)
        self.why = why
        self.name = name
        """The D-Bus error's name, "" where there is none."""


@dataclass(frozen=True, slots=True)
class BusSignal:
    service: str
    """The well-known name of the service that sent it."""
    path: str
    interface: str
    member: str
    body: tuple[Any, ...]


class SystemBus:
    """An open connection. Make one with `connect`, end it with `close`."""

    def __init__(self, bus: MessageBus, named: str = "system bus") -> None:
        self._bus = bus
        self._named = named
        self._owners: dict[str, str] = {}
        """Well-known names that are followed, and the unique name that owns each ("" for nobody)."""
        self._on_signal: dict[str, Callable[[BusSignal], None]] = {}
        self._on_owner: dict[str, Callable[[bool], None]] = {}

    @classmethod
    async def connect(cls) -> SystemBus:
        """Connect to the bus at DBUS_SYSTEM_BUS_ADDRESS, or the system's. Raises BusTrouble."""
        return await cls._connect("system bus", os.environ.get("DBUS_SYSTEM_BUS_ADDRESS", ""))

    @classmethod
    async def connect_session(cls) -> SystemBus:
        """The same for the bus of this user's desktop. Raises BusTrouble, also where there is none."""
        address = os.environ.get("DBUS_SESSION_BUS_ADDRESS", "")
        if not address and (runtime := os.environ.get("XDG_RUNTIME_DIR", "")):
            address = f"unix:path={runtime}/bus"
        if not address:
            raise BusTrouble("There is no session bus.")
        return await cls._connect("session bus", address)

    @classmethod
    async def _connect(cls, named: str, address: str) -> SystemBus:
        # Loading takes a tenth of a second and reads files: not in the event loop.
        await asyncio.to_thread(_load)
        from dbus_fast import BusType
        from dbus_fast.aio import MessageBus
        from dbus_fast.errors import DBusFastError

        where = f"the {named} at {address[:120]}" if address else f"the {named}"
        try:
            bus = MessageBus(address or None, BusType.SYSTEM, negotiate_unix_fd=True)
        except (DBusFastError, ValueError) as error:
            raise BusTrouble(f"The address of {where} is not valid.") from error
        try:
            async with asyncio.timeout(CONNECT_S):
                await bus.connect()
        except TimeoutError:
            raise BusTrouble(f"Nobody answers at {where}.") from None
        except OSError as error:
            raise BusTrouble(f"There is no connection to {where}: {error.strerror or 'it closed'}.") from None
        except (DBusFastError, EOFError, ValueError, TypeError):
            raise BusTrouble(
                f"There is no connection to {where}: it refused or speaks something else."
            ) from None
        connection = cls(bus, named)
        bus.add_message_handler(connection._received)
        return connection

    @property
    def unique_name(self) -> str:
        """This connection's own name on the bus."""
        return str(self._bus.unique_name)

    @property
    def connected(self) -> bool:
        return bool(self._bus.connected)

    async def follow(
        self, service: str, on_signal: Callable[[BusSignal], None], on_owner: Callable[[bool], None]
    ) -> bool:
        """Hear `service`: its signals (of those asked for with `listen`), and its coming (True) and going.

        Returns whether it is there now. The service is not started for our sake. Raises BusTrouble.
        """
        self._on_signal[service] = on_signal
        self._on_owner[service] = on_owner
        self._owners[service] = ""
        await self._match(
            f"type='signal',sender='{_BUS}',interface='{_BUS}',member='NameOwnerChanged',arg0='{service}'"
        )
        try:
            (owner,) = await self.call(_BUS, "/org/freedesktop/DBus", _BUS, "GetNameOwner", "s", [service])
        except BusTrouble as trouble:
            if trouble.name != f"{_BUS}.Error.NameHasNoOwner":
                raise
            return bool(self._owners[service])
        self._owners[service] = str(owner)
        return True

    async def listen(self, service: str, **rule: str) -> None:
        """Ask the bus for a followed service's signals that match `rule` (path, interface, member, …)."""
        parts = [f"{key}='{value}'" for key, value in rule.items()]
        await self._match(",".join(["type='signal'", f"sender='{service}'", *parts]))

    async def call(
        self,
        service: str,
        path: str,
        interface: str,
        member: str,
        signature: str = "",
        body: Sequence[Any] = (),
    ) -> list[Any]:
        """The reply's values. One file descriptor comes as its number and is the caller's to close.

        Raises BusTrouble: no answer in time, an error reply, a bus that is gone.
        """
        from dbus_fast import Message, MessageFlag, MessageType
        from dbus_fast.errors import DBusFastError

        message = Message(
            destination=service,
            path=path,
            interface=interface,
            member=member,
            signature=signature,
            body=list(body),
            flags=MessageFlag.NO_AUTOSTART,
        )
        if not self._bus.connected:
            raise BusTrouble(f"The {self._named} has gone.")
        asking = asyncio.ensure_future(self._bus.call(message))
        try:
            async with asyncio.timeout(CALL_S):
                # Shielded: a reply that comes after all may carry a file descriptor that somebody must close.
                reply = await asyncio.shield(asking)
        except TimeoutError:
            asking.add_done_callback(_close_descriptors)
            raise BusTrouble(f"{service} does not answer.") from None
        except asyncio.CancelledError:
            asking.add_done_callback(_close_descriptors)
            raise
        except (OSError, EOFError, DBusFastError) as error:
            raise BusTrouble(f"The {self._named} has gone.") from error
        if reply is None:
            raise BusTrouble(f"The {self._named} has gone.")
        if reply.message_type is MessageType.ERROR:
            said = reply.body[0] if reply.body and isinstance(reply.body[0], str) else reply.error_name
            raise BusTrouble(f"{service} answered: {said}", str(reply.error_name))
        if not reply.unix_fds:
            return list(reply.body)
        for descriptor in reply.unix_fds:
            os.set_inheritable(descriptor, False)  # a child must not keep an inhibitor that we let go
        if reply.signature != "h" or not 0 <= reply.body[0] < len(reply.unix_fds):
            _close_all(reply)
            raise BusTrouble(f"{service} answered something else than was asked for.")
        return [reply.unix_fds[reply.body[0]]]

    async def properties(self, service: str, path: str, interface: str) -> dict[str, Any]:
        """All properties of an interface, without their variant wrappers. Raises BusTrouble."""
        (values,) = await self.call(service, path, _PROPERTIES, "GetAll", "s", [interface])
        return {str(name): plain(value) for name, value in values.items()}

    async def gone(self) -> None:
        """Return when the connection has ended, for whatever reason."""
        from dbus_fast.errors import DBusFastError

        with contextlib.suppress(OSError, EOFError, DBusFastError):
            await self._bus.wait_for_disconnect()  # type: ignore[no-untyped-call]

    async def close(self) -> None:
        """End the connection and wait until its socket is closed. Safe to call twice."""
        if self._bus.connected:
            self._bus.disconnect()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CALL_S):
                await self.gone()

    async def _match(self, rule: str) -> None:
        await self.call(_BUS, "/org/freedesktop/DBus", _BUS, "AddMatch", "s", [rule])

    def _received(self, message: Message) -> None:
        from dbus_fast import MessageType

        # dbus-fast 5.2 gives messages without descriptors one list, and later puts another's into it.
        message.unix_fds = list(message.unix_fds)
        if message.message_type in (MessageType.METHOD_RETURN, MessageType.ERROR):
            return
        _close_all(message)  # nobody sends us descriptors but in replies
        if message.message_type is not MessageType.SIGNAL:
            return
        if message.sender == _BUS:
            if message.member == "NameOwnerChanged" and message.signature == "sss":
                service, _, owner = message.body
                if service in self._owners and self._owners[service] != owner:
                    self._owners[service] = owner
                    self._on_owner[service](bool(owner))
            return
        for service, owner in self._owners.items():
            if owner and owner == message.sender:
                signal = BusSignal(
                    service,
                    message.path or "",
                    message.interface or "",
                    message.member or "",
                    tuple(message.body),
                )
                self._on_signal[service](signal)


class Session(Protocol):
    """What somebody does with one connection."""

    async def begin(self) -> None:
        """Follow services and read how things are. Raises BusTrouble."""
        ...

    async def end(self) -> None:
        """The connection is about to be closed: give up what is under way."""
        ...


async def stay_connected(
    session_on: Callable[[SystemBus], Session], lost: Callable[[str], None], retry_s: tuple[float, ...]
) -> None:
    """Hold a connection until cancelled; `lost` is told why there is none, each time.

    `retry_s` are the pauses between tries, the last of them repeated; they start over after a connection.
    """
    failures = 0
    while True:
        bus: SystemBus | None = None
        session: Session | None = None
        try:
            bus = await SystemBus.connect()
            session = session_on(bus)
            await session.begin()
            failures = 0
            await bus.gone()
            lost("The system bus has gone.")
        except BusTrouble as trouble:
            lost(trouble.why)
        finally:
            if session is not None:
                await session.end()
            if bus is not None:
                await bus.close()
        await asyncio.sleep(retry_s[min(failures, len(retry_s) - 1)])
        failures += 1


class Chores:
    """Small tasks that belong to a session and end with it."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def add(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)


def plain(value: Any) -> Any:
    """A D-Bus value without its variant wrappers, in depth."""
    from dbus_fast import Variant

    if isinstance(value, Variant):
        return plain(value.value)
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return value


def _load() -> None:
    import dbus_fast.aio  # noqa: F401


def _close_descriptors(asked: asyncio.Future[Message]) -> None:
    """For a reply that nobody waits for any more."""
    if asked.cancelled() or asked.exception() is not None:
        return
    reply = asked.result()
    if reply is not None:
        _close_all(reply)


def _close_all(message: Message) -> None:
    for descriptor in message.unix_fds:
        with contextlib.suppress(OSError):
            os.close(descriptor)
