"""Where secrets must not be: a search of everything that two nodes leave and show (scenario C4)."""

from __future__ import annotations

import base64
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from swarm_app.membership.links import parse_link
from tests.node.rig import REPOSITORY, RiggedNode, rigged_node, store_model

PRIVATE = {"open": False, "secrets": "file", "nearby": "no"}


def forms(secret: bytes) -> list[bytes]:
    """How a secret may be written down."""
    encoded = base64.b64encode(secret).rstrip(b"=")
    return [secret, secret.hex().encode(), encoded, base64.b32encode(secret).rstrip(b"=").lower()]


def places(node: RiggedNode) -> Iterator[tuple[str, bytes]]:
    """Everything that can be read of a node: its folder (profile, settings, log), its processes."""
    for path in node.folder.rglob("*"):
        if path.is_file() and path.name != "secrets.json":
            yield str(path), path.read_bytes()
    state = node.state()
    yield "state", json.dumps(state).encode()
    children = (state["children"]["blocks"]["pid"], state["children"]["engine"]["pid"])
    for pid in (node.process.pid, *children):
        for what in ("cmdline", "environ"):
            yield f"{pid}'s {what}", Path(f"/proc/{pid}/{what}").read_bytes()


def test_no_secret_is_outside_its_file(tmp_path: Path) -> None:
    store_model(tmp_path / "models")
    models = str(tmp_path / "models")
    with (
        rigged_node(tmp_path / "desk", name="desk", models=models, **PRIVATE) as desk,
        rigged_node(tmp_path / "attic", name="attic", models=models, **PRIVATE) as attic,
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
        for node in (desk, attic):
            node.wait_ready()
        secrets = {"the link": [*forms(parse_link(link).secret), link.encode(), link[40:].encode()]}
        for node in (desk, attic):
            kept = node.paths.secrets_file
            assert stat.S_IMODE(kept.stat().st_mode) == 0o600
            for name, text in json.loads(kept.read_text()).items():
                secrets[f"{node.log_file.parent.name}'s {name} key"] = forms(base64.b64decode(text))
        assert len(secrets) == 4  # the link, two devices, one swarm
        seen = [("the output of join", told.stdout + told.stderr), *places(desk), *places(attic)]
        for node in (desk, attic):  # a crash leaves nothing either
            os.kill(node.process.pid, signal.SIGSEGV)
            node.process.wait(15)
            seen.append(("the log after a crash", node.log_file.read_bytes()))
    found = [
        f"{secret} in {place}"
        for place, content in seen
        for secret, written in secrets.items()
        if any(form in content for form in written)
    ]
    assert not found
