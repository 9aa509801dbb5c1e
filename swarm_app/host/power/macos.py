"""Power on macOS: IOKit's system power notifications and power assertions, through ctypes.

Calls and numbers: IOKit/pwr_mgt/IOPMLib.h and IOKit/IOMessage.h. An assertion ends with its process.
Thin, and not run on a Mac so far (see docs/host.md).
"""

from __future__ import annotations

import ctypes
import threading
import time
from collections.abc import Callable

from swarm_app.host.power.events import Resumed, Signal, Suspending
from swarm_app.host.power.threaded import ThreadedPower

CAN_SLEEP = 0xE0000270
WILL_SLEEP = 0xE0000280
WILL_NOT_SLEEP = 0xE0000290
HAS_POWERED_ON = 0xE0000300

DELAY_S = 20.0
"""The system sleeps 30 s after the notification even if nobody answers."""

# From time.h of macOS. Both count raw ticks, so that their difference is the time asleep alone.
_CLOCK_MONOTONIC_RAW = 4
_CLOCK_UPTIME_RAW = 8

_ASSERTION_ON = 255
_UTF8 = 0x08000100
_CALLBACK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_uint32, ctypes.c_void_p)


def running_clock() -> float:
    """Seconds that do not count sleep."""
    return time.clock_gettime(_CLOCK_UPTIME_RAW)


def total_clock() -> float:
    """Seconds that count sleep."""
    return time.clock_gettime(_CLOCK_MONOTONIC_RAW)


def translate(message: int) -> Signal | None:
    """What an IOKit power message means to us; None for those that only want an answer, or nothing."""
    if message == WILL_SLEEP:
        return Suspending(DELAY_S)
    if message in (HAS_POWERED_ON, WILL_NOT_SLEEP):
        return Resumed()
    return None


def wants_answer(message: int) -> bool:
    """Whether the system waits for IOAllowPowerChange."""
    return message in (CAN_SLEEP, WILL_SLEEP)


class IOKit:
    """Implements `threaded.Native`. Raises OSError where the frameworks are not there."""

    def __init__(self) -> None:
        self._io = ctypes.CDLL("/System/Library/Frameworks/IOKit.framework/IOKit")
        self._cf = ctypes.CDLL("/System/Library/Frameworks/CoreFoundation.framework/CoreFoundation")
        pointer, u32 = ctypes.c_void_p, ctypes.c_uint32
        io, cf = self._io, self._cf
        io.IORegisterForSystemPower.restype = u32
        io.IORegisterForSystemPower.argtypes = [
            pointer,
            ctypes.POINTER(pointer),
            _CALLBACK,
            ctypes.POINTER(u32),
        ]
        io.IODeregisterForSystemPower.argtypes = [ctypes.POINTER(u32)]
        io.IOServiceClose.argtypes = [u32]
        io.IOAllowPowerChange.argtypes = [u32, ctypes.c_long]
        io.IONotificationPortGetRunLoopSource.restype = pointer
        io.IONotificationPortGetRunLoopSource.argtypes = [pointer]
        io.IONotificationPortDestroy.argtypes = [pointer]
        io.IOPMAssertionCreateWithName.restype = ctypes.c_int32
        io.IOPMAssertionCreateWithName.argtypes = [pointer, u32, pointer, ctypes.POINTER(u32)]
        io.IOPMAssertionRelease.argtypes = [u32]
        cf.CFRunLoopGetCurrent.restype = pointer
        cf.CFRunLoopAddSource.argtypes = [pointer, pointer, pointer]
        cf.CFRunLoopStop.argtypes = [pointer]
        cf.CFRelease.argtypes = [pointer]
        cf.CFStringCreateWithCString.restype = pointer
        cf.CFStringCreateWithCString.argtypes = [pointer, ctypes.c_char_p, u32]

    def watch(self, hear: Callable[[Signal], None]) -> Callable[[], None]:
        started = threading.Event()
        run_loop: list[int] = []
        refused: list[str] = []

        def listen() -> None:
            port, notifier = ctypes.c_void_p(), ctypes.c_uint32()
            root = 0

            def message(_refcon: object, _service: int, kind: int, argument: int | None) -> None:
                if (signal := translate(kind)) is not None:
                    hear(signal)
                if wants_answer(kind):
                    self._io.IOAllowPowerChange(root, argument or 0)

            callback = _CALLBACK(message)
            root = self._io.IORegisterForSystemPower(
                None, ctypes.byref(port), callback, ctypes.byref(notifier)
            )
            if not root:
                refused.append("macOS does not register for power notifications")
                started.set()
                return
            source = self._io.IONotificationPortGetRunLoopSource(port)
            mode = ctypes.c_void_p.in_dll(self._cf, "kCFRunLoopCommonModes")
            current = self._cf.CFRunLoopGetCurrent()
            self._cf.CFRunLoopAddSource(current, source, mode)
            run_loop.append(current)
            started.set()
            self._cf.CFRunLoopRun()
            self._io.IODeregisterForSystemPower(ctypes.byref(notifier))
            self._io.IOServiceClose(root)
            self._io.IONotificationPortDestroy(port)

        # A daemon: a run loop that does not stop must not keep the node from ending.
        thread = threading.Thread(target=listen, name="power notifications", daemon=True)
        thread.start()
        started.wait(5.0)
        if refused or not run_loop:
            raise OSError(refused[0] if refused else "macOS does not answer")

        def end() -> None:
            self._cf.CFRunLoopStop(run_loop[0])
            thread.join(1.0)

        return end

    def keep_awake(self, reason: str) -> Callable[[], None]:
        kind, name = self._string("PreventUserIdleSystemSleep"), self._string(f"Homeswarm: {reason}")
        identifier = ctypes.c_uint32()
        try:
            failed = self._io.IOPMAssertionCreateWithName(kind, _ASSERTION_ON, name, ctypes.byref(identifier))
        finally:
            self._cf.CFRelease(kind)
            self._cf.CFRelease(name)
        if failed:
            raise OSError(f"macOS refuses the assertion with {failed & 0xFFFFFFFF:#x}")
        held = [identifier.value]

        def let_go() -> None:
            if held:
                self._io.IOPMAssertionRelease(held.pop())

        return let_go

    def _string(self, text: str) -> int:
        made = self._cf.CFStringCreateWithCString(None, text.encode(), _UTF8)
        if not made:
            raise OSError("macOS makes no string")
        return int(made)


class MacPower(ThreadedPower):
    """Implements `contract.PowerSource`."""

    def __init__(self) -> None:
        super().__init__(IOKit)
