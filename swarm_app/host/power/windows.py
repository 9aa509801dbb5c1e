"""Power on Windows: suspend and resume notifications, power requests, through ctypes.

Calls and numbers: powrprof.h (PowerRegisterSuspendResumeNotification), winuser.h (PBT_...), winnt.h and
minwinbase.h (REASON_CONTEXT). For 64-bit Windows, whose one calling convention is ctypes' default.
A power request ends with its process. Thin, and not run on Windows so far (see docs/host.md).
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from swarm_app.host.power.events import Resumed, Signal, Suspending
from swarm_app.host.power.threaded import ThreadedPower

SUSPEND = 0x04
RESUME_SUSPEND = 0x07
RESUME_CRITICAL = 0x06
RESUME_AUTOMATIC = 0x12

DELAY_S = 1.5
"""Windows waits about two seconds for whoever was told."""

_NOTIFY_CALLBACK = 2
_SIMPLE_STRING = 1
_SYSTEM_REQUIRED = 1
_INVALID_HANDLE = ctypes.c_void_p(-1).value
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_ulong, ctypes.c_void_p, ctypes.c_ulong, ctypes.c_void_p)


class SubscribeParameters(ctypes.Structure):
    """DEVICE_NOTIFY_SUBSCRIBE_PARAMETERS."""

    _fields_ = (("callback", _CALLBACK), ("context", ctypes.c_void_p))


class _Detailed(ctypes.Structure):
    _fields_ = (
        ("module", ctypes.c_void_p),
        ("identifier", ctypes.c_uint32),
        ("count", ctypes.c_uint32),
        ("strings", ctypes.c_void_p),
    )


class _Reason(ctypes.Union):
    _fields_ = (("detailed", _Detailed), ("simple", ctypes.c_wchar_p))


class ReasonContext(ctypes.Structure):
    """REASON_CONTEXT with a simple string."""

    _fields_ = (("version", ctypes.c_uint32), ("flags", ctypes.c_uint32), ("reason", _Reason))


def translate(kind: int) -> Signal | None:
    """What a power broadcast means to us. A wake is told twice when a person is there."""
    if kind == SUSPEND:
        return Suspending(DELAY_S)
    if kind in (RESUME_AUTOMATIC, RESUME_SUSPEND, RESUME_CRITICAL):
        return Resumed()
    return None


def clocks() -> tuple[Callable[[], float], Callable[[], float]]:
    """Functions that read the clock without and the clock with sleep, in seconds."""
    kernel = ctypes.CDLL("kernel32.dll")
    kernel.GetTickCount64.restype = ctypes.c_uint64
    kernel.QueryUnbiasedInterruptTime.argtypes = [ctypes.POINTER(ctypes.c_uint64)]

    def running() -> float:
        ticks = ctypes.c_uint64()
        kernel.QueryUnbiasedInterruptTime(ctypes.byref(ticks))
        return ticks.value / 1e7

    return running, lambda: int(kernel.GetTickCount64()) / 1e3


class PowrProf:
    """Implements `threaded.Native`. Raises OSError where the libraries are not there."""

    def __init__(self) -> None:
        self._power = ctypes.CDLL("powrprof.dll")
        self._kernel = ctypes.CDLL("kernel32.dll")
        pointer = ctypes.c_void_p
        self._power.PowerRegisterSuspendResumeNotification.argtypes = [
            ctypes.c_uint32,
            ctypes.POINTER(SubscribeParameters),
            ctypes.POINTER(pointer),
        ]
        self._power.PowerUnregisterSuspendResumeNotification.argtypes = [pointer]
        self._kernel.PowerCreateRequest.argtypes = [ctypes.POINTER(ReasonContext)]
        self._kernel.PowerCreateRequest.restype = pointer
        for call in (self._kernel.PowerSetRequest, self._kernel.PowerClearRequest):
            call.argtypes = [pointer, ctypes.c_int]
        self._kernel.CloseHandle.argtypes = [pointer]

    def watch(self, hear: Callable[[Signal], None]) -> Callable[[], None]:
        def message(_context: object, kind: int, _setting: object) -> int:
            if (signal := translate(kind)) is not None:
                hear(signal)
            return 0

        # The system keeps the address: both live until the subscription has ended.
        callback = _CALLBACK(message)
        parameters = SubscribeParameters(callback, None)
        handle = ctypes.c_void_p()
        failed = self._power.PowerRegisterSuspendResumeNotification(
            _NOTIFY_CALLBACK, ctypes.byref(parameters), ctypes.byref(handle)
        )
        if failed:
            raise OSError(f"Windows refuses power notifications with error {failed}")
        kept = [(callback, parameters)]

        def end() -> None:
            if kept:
                self._power.PowerUnregisterSuspendResumeNotification(handle)
                kept.clear()

        return end

    def keep_awake(self, reason: str) -> Callable[[], None]:
        context = ReasonContext(0, _SIMPLE_STRING, _Reason(simple=f"Homeswarm: {reason}"))
        handle = self._kernel.PowerCreateRequest(ctypes.byref(context))
        if handle in (None, _INVALID_HANDLE):
            raise OSError("Windows makes no power request")
        held = [handle]

        def let_go() -> None:
            if held:
                handle = held.pop()
                self._kernel.PowerClearRequest(handle, _SYSTEM_REQUIRED)
                self._kernel.CloseHandle(handle)

        if not self._kernel.PowerSetRequest(handle, _SYSTEM_REQUIRED):
            self._kernel.CloseHandle(handle)
            raise OSError("Windows refuses the power request")
        return let_go


class WindowsPower(ThreadedPower):
    """Implements `contract.PowerSource`."""

    def __init__(self) -> None:
        super().__init__(PowrProf)
