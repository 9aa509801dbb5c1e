"""Keys in a real Secret Service, on a bus of the test's own: gnome-keyring, and the stand-in everywhere.

The keyring's own Python library chooses the backend, and everything goes over D-Bus.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import keyring.core
import pytest

from swarm_app.membership.errors import SecretsUnusable
from swarm_app.membership.vault import KeyringVault
from tests.membership.secretservice import KINDS, SecretService

# The keyring's library leaves the D-Bus connection of each call to the garbage collector.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed <socket.socket .*/bus>:ResourceWarning")

SECRET = bytes(range(32))
CALL_S = 0.5


@pytest.fixture(params=KINDS)
def service(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[SecretService]:
    found = SecretService(tmp_path, request.param)
    found.need()
    for name, value in found.environment.items():
        monkeypatch.setenv(name, value)
    # The library has chosen once and for all, in this process.
    monkeypatch.setattr(keyring.core, "_keyring_backend", None)
    found.start()
    yield found
    found.stop()


def vault(call_s: float = 5.0, forsake_s: float = 60.0) -> KeyringVault:
    """As a program that has just started has it."""
    return KeyringVault("profile", call_s=call_s, forsake_s=forsake_s)


def test_what_is_put_in_stays_over_a_restart_of_both(service: SecretService) -> None:
    assert vault().get("device") is None
    vault().delete("device")
    vault().put("device", SECRET)
    vault().put("device", SECRET[::-1])
    vault().put("swarm", SECRET)
    service.end()
    with pytest.raises(SecretsUnusable, match="no keyring that programs can use") as gone:
        vault().get("device")
    assert "--secrets file" in gone.value.remedy
    service.start()
    assert vault().get("device") == SECRET[::-1]
    vault().delete("device")
    assert vault().get("device") is None
    assert vault().get("swarm") == SECRET


def test_a_locked_one_is_said_in_time_and_nothing_is_lost(service: SecretService) -> None:
    mine = vault(call_s=CALL_S, forsake_s=0.0)
    mine.put("device", SECRET)
    service.lock()
    uses: list[Callable[[], object]] = [lambda: mine.get("device"), lambda: mine.put("device", b"other")]
    for use in uses:
        began_s = time.monotonic()
        with pytest.raises(SecretsUnusable, match="locked") as locked:
            use()
        assert time.monotonic() - began_s < CALL_S + 2
        assert "Unlock the keyring" in locked.value.remedy
    service.end()
    service.start()  # unlocked, as by a new login
    assert vault().get("device") == SECRET, "on a busy computer its first answer takes longer than CALL_S"
    assert mine.get("device") == SECRET, "the very same program goes on"


def test_one_that_hangs_holds_up_nobody(service: SecretService) -> None:
    mine = vault(call_s=CALL_S)
    mine.put("device", SECRET)
    service.hang()
    began_s = time.monotonic()
    with pytest.raises(SecretsUnusable, match="did not answer within"):
        mine.get("device")
    with pytest.raises(SecretsUnusable, match="still does not answer"):
        mine.get("device")
    assert time.monotonic() - began_s < CALL_S + 2
    service.go_on()
    (hanging,) = mine._hanging
    hanging.join(10)
    assert mine.get("device") == SECRET


def test_a_bus_that_is_dead_is_said(service: SecretService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/session-bus")
    with pytest.raises(SecretsUnusable, match="does not work"):  # this process had found it before
        vault().get("device")
