"""Where keys are kept: no keyring, whatever its mood, blocks the program or loses a key in silence."""

from __future__ import annotations

import os
import stat
import threading
import time
from pathlib import Path
from typing import cast

import keyring.backends.fail
import keyring.backends.null
import keyring.errors
import pytest

from swarm_app.membership.errors import SecretsUnusable
from swarm_app.membership.vault import MAX_HANGING, FileVault, KeyringVault, open_vault


class Ring:
    """A keyring in memory."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


class Locked(Ring):
    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked("secret words of the backend")

    def set_password(self, service: str, username: str, password: str) -> None:
        raise keyring.errors.KeyringLocked("secret words of the backend")


class Forgetful(Ring):
    def set_password(self, service: str, username: str, password: str) -> None:
        pass


class Silent(Ring):
    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()

    def get_password(self, service: str, username: str) -> str | None:
        self.go_on.wait(60)
        return None


class Broken(Ring):
    def get_password(self, service: str, username: str) -> str | None:
        raise ConnectionRefusedError(f"{service} {username}")


@pytest.mark.parametrize("place", ["file", "keyring"])
def test_a_vault_keeps_what_it_is_given(place: str, tmp_path: Path) -> None:
    ring = Ring()
    secret = os.urandom(32)

    def again() -> FileVault | KeyringVault:
        return FileVault(tmp_path / "s") if place == "file" else KeyringVault("p", find=lambda: ring)

    assert again().get("device") is None
    again().delete("device")
    again().put("device", secret)
    again().put("swarm", b"x" * 32)
    assert again().get("device") == secret
    again().delete("device")
    assert again().get("device") is None
    assert again().get("swarm") == b"x" * 32


def test_profiles_do_not_read_each_others_keys() -> None:
    ring = Ring()
    KeyringVault("/one", find=lambda: ring).put("device", b"1")
    assert KeyringVault("/two", find=lambda: ring).get("device") is None


@pytest.mark.parametrize(
    ("backend", "said"),
    [
        (Locked(), "The keyring is locked."),
        (Forgetful(), "does not keep what is put into it"),
        (cast(Ring, keyring.backends.fail.Keyring()), "no keyring that programs can use"),  # type: ignore[no-untyped-call]
        (cast(Ring, keyring.backends.null.Keyring()), "does not keep"),  # type: ignore[no-untyped-call]
        (Broken(), "The keyring does not work."),
    ],
)
def test_a_keyring_that_does_not_do_says_why(backend: Ring, said: str) -> None:
    with pytest.raises(SecretsUnusable, match=said) as error:
        KeyringVault("p", find=lambda: backend).put("device", b"secret")
    assert "--secrets file" in error.value.remedy
    assert "secret words" not in str(error.value)


def test_a_silent_keyring_holds_up_nobody() -> None:
    ring = Silent()
    vault = KeyringVault("p", find=lambda: ring, call_s=0.05)
    began_s = time.monotonic()
    for said in ("did not answer", "still does not answer"):
        with pytest.raises(SecretsUnusable, match=said):
            vault.get("device")
    assert time.monotonic() - began_s < 5
    (hanging,) = vault._hanging
    assert hanging.daemon
    ring.go_on.set()
    hanging.join(5)
    assert vault.get("device") is None


def test_a_call_that_never_comes_back_is_forsaken() -> None:
    """The keyring's process ended while it asked for a password: nobody will ever answer that call."""
    ring = Silent()
    vault = KeyringVault("p", find=lambda: ring, call_s=0.01, forsake_s=0.0)
    for _ in range(MAX_HANGING):
        with pytest.raises(SecretsUnusable, match="did not answer"):
            vault.get("device")
    with pytest.raises(SecretsUnusable, match="still does not answer"):
        vault.get("device")
    hanging = list(vault._hanging)
    assert len(hanging) == MAX_HANGING
    ring.go_on.set()
    for thread in hanging:
        thread.join(5)
    assert vault.get("device") is None


def test_the_chosen_backend_of_a_computer_without_a_keyring_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("keyring.get_keyring", keyring.backends.null.Keyring)
    with pytest.raises(SecretsUnusable, match="no keyring"):
        open_vault("keyring", tmp_path / "secrets.json").get("device")
    assert not list(tmp_path.iterdir())


def test_the_file_is_for_this_user_alone(tmp_path: Path) -> None:
    file = tmp_path / "secrets.json"
    vault = open_vault("file", file)
    vault.put("device", b"x" * 32)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["secrets.json"]
    file.chmod(0o640)
    with pytest.raises(SecretsUnusable, match="Other users"):
        vault.get("device")


@pytest.mark.parametrize("content", [b"", b"[]", b'{"device": 1}', b'{"device": "*"}', b"\xff", b"[" * 9999])
def test_a_damaged_file_is_named_and_kept(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "secrets.json"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(SecretsUnusable, match="damaged"):
        FileVault(file).get("device")
    assert file.read_bytes() == content


def test_a_full_disk_is_named_and_the_old_keys_stay(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "secrets.json"
    FileVault(file).put("device", b"old")

    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(SecretsUnusable, match="No space left"):
        FileVault(file).put("device", b"new")
    assert FileVault(file).get("device") == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["secrets.json"]
