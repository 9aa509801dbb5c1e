"""Where secrets must not be: a search of everything that nodes leave and show (scenarios C4 and I4).

With scripted children; `tests/household/test_household_private.py` searches a household of real ones.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from tests.host.mockbus import missing_here
from tests.membership.secretservice import SecretService
from tests.node.rig import REPOSITORY, RiggedNode, rigged_node, store_model, until
from tests.node.secretsearch import Seen, forms, forms_in_file, forms_of_link, found, in_files, in_processes

PRIVATE = {"open": False, "nearby": "no"}


def places(node: RiggedNode) -> Iterator[Seen]:
    """Everything that can be read of a node: its folder (profile, settings, log), processes and state."""
    yield from in_files(node.folder, but=[node.paths.secrets_file])
    state = node.state()
    yield "state", json.dumps(state).encode()
    children = (state["children"]["blocks"]["pid"], state["children"]["engine"]["pid"])
    yield from in_processes([node.process.pid, *(pid for pid in children if pid is not None)])


def crash(node: RiggedNode) -> Seen:
    os.kill(node.process.pid, signal.SIGSEGV)
    node.process.wait(15)
    return "the log after a crash", node.log_file.read_bytes()


def test_no_secret_is_outside_its_file(tmp_path: Path) -> None:
    store_model(tmp_path / "models")
    options = {**PRIVATE, "secrets": "file", "models": str(tmp_path / "models")}
    with (
        rigged_node(tmp_path / "desk", name="desk", **options) as desk,
        rigged_node(tmp_path / "attic", name="attic", **options) as attic,
    ):
        with desk.client() as client:
            client.membership.create("home")
            link = client.membership.invite()["link"]
        told = subprocess.run(
            [sys.executable, "-m", "swarm_app", "join", link, "--profile", str(attic.paths.root)],
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
        )
        secrets = {"the link": forms_of_link(link)}
        for node in (desk, attic):
            node.wait_ready()
            kept = forms_in_file(node.paths)
            secrets |= {f"{node.folder.name}'s {name} key": written for name, written in kept.items()}
        assert len(secrets) == 4  # the link, two devices, one swarm
        seen = [("the output of join", told.stdout + told.stderr), *places(desk), *places(attic)]
        seen += [crash(desk), crash(attic)]
        seen += in_files(Path.home())
    assert not found(secrets, seen)


def test_a_keyring_holds_the_keys_alone_and_holds_up_nobody(tmp_path: Path) -> None:
    """Create, use, restart, and start while the keyring hangs."""
    if shutil.which("dbus-daemon") is None:
        missing_here("There is no dbus-daemon on this computer", "dbus")
    (tmp_path / "login").mkdir()
    service = SecretService(tmp_path / "login", "stand-in")
    service.start()

    def started() -> AbstractContextManager[RiggedNode]:
        options = {**PRIVATE, "secrets": "keyring", "environment": service.environment}
        return rigged_node(tmp_path / "desk", name="desk", **options)

    try:
        with started() as desk:
            with desk.client() as client:
                client.membership.create("home")
            desk.wait_ready()
            items = json.loads((service.home / "items.json").read_text())
            secrets = {
                attributes["username"]: forms(base64.b64decode(bytes.fromhex(secret)))
                for attributes, secret in items.values()
            }
            assert len(secrets) == 2  # the device's key and the swarm's
            assert not desk.paths.secrets_file.exists()
            seen = [*places(desk), crash(desk)]
            assert not found(secrets, seen)
        with started() as desk:
            until(lambda: desk.state()["membership"]["standing"] == "member")
        service.hang()
        with started() as desk:
            longest_s, answers = 0.0, 0
            assert desk.address, "it does not wait for the keyring with serving its local API"
            asked_s = time.monotonic()
            while (membership := desk.state()["membership"])["standing"] != "locked":
                longest_s, answers = max(longest_s, time.monotonic() - asked_s), answers + 1
                assert membership["standing"] == "checking"
                time.sleep(0.02)
                asked_s = time.monotonic()
            assert answers > 5, "it answers meanwhile"
            assert longest_s < 2.0
            reason = membership["reason"]
            assert reason is not None
            assert "did not answer within 4 s" in reason["message"]
            assert "homeswarm node --secrets file" in reason["remedy"]
    finally:
        service.stop()
