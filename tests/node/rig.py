"""A whole node process with scripted children, for the tests of `node` and `localapi`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal, TypeVar

from swarm_app.config import apifile
from swarm_app.config.apifile import ApiAddress
from swarm_app.config.paths import ProfilePaths
from swarm_app.domain.errors import NodeNotRunning
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import StateView
from swarm_app.models.manifest import CLIENT_FILE, CONFIG_FILE, FileEntry, Manifest, Quant, block_file
from tests.node.scripted_child import NUM_BLOCKS

NODE_MAIN = Path(__file__).with_name("node_main.py")
T = TypeVar("T")

REPOSITORY = Path(__file__).parents[2]


def until(probe: Callable[[], T | None], seconds: float = 15.0) -> T:
    """Call `probe` until it gives something true; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (value := probe()):
        assert time.monotonic() < deadline, f"still {value!r} after {seconds} s"
        time.sleep(0.02)
    return value


def store_model(models: Path, name: str = "tiny", num_blocks: int = NUM_BLOCKS) -> str:
    """Put a manifest without weights into a model store; returns the model's id."""
    names = [*(block_file(index) for index in range(num_blocks)), CLIENT_FILE, CONFIG_FILE]
    manifest = Manifest(
        format=1,
        name=name,
        architecture="LlamaForCausalLM",
        model_type="llama",
        source="test",
        revision="",
        dtype="float32",
        quant=Quant.NONE,
        group_size=0,
        num_blocks=num_blocks,
        hidden_size=8,
        vocab_size=32,
        context_tokens=256,
        files=tuple(FileEntry(file, 1, "0" * 64) for file in sorted(names)),
    )
    (models / name).mkdir(parents=True)
    (models / name / "manifest.json").write_bytes(manifest.to_bytes())
    return manifest.model_id


def living_in_session(session: int) -> list[int]:
    """Pids of the processes, zombies left out, whose session is `session`."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except OSError:
            continue
        fields = text.rpartition(")")[2].split()
        if int(fields[3]) == session and fields[0] != "Z":
            found.append(int(stat.parent.name))
    return found


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class RiggedNode:
    """A node process; `blocks`, `engine` and `local` are behaviours of scripted_child.py.

    None for `local` is the real one. It only is used where the option `fallback` says so. `first_retry_s` is
    the pause before a child's first restart, where a test need not wait for the real ones.
    """

    def __init__(
        self,
        folder: Path,
        blocks: dict[str, Any] | None = None,
        engine: dict[str, Any] | None = None,
        environment: dict[str, str] | None = None,
        local: dict[str, Any] | Literal["scripted"] | None = "scripted",
        first_retry_s: float | None = None,
        **options: object,
    ) -> None:
        self.folder = folder
        self.paths = ProfilePaths.of(folder / "profile")
        self.models = folder / "models"
        if not self.models.exists():
            store_model(self.models)
        self.log_file = folder / "node.log"
        told: dict[str, Any] = {
            "blocks": blocks or {},
            "engine": engine or {},
            "options": {"name": "N1", **options},
        }
        told["local"] = {} if local == "scripted" else local
        told["first_retry_s"] = first_retry_s
        self.began = time.monotonic()
        with self.log_file.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(NODE_MAIN), str(self.paths.root), str(self.models), json.dumps(told)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env={**os.environ, "PYTHONPATH": str(REPOSITORY), **(environment or {})},
            )

    @property
    def log(self) -> str:
        return self.log_file.read_text("utf-8", "replace")

    @property
    def address(self) -> ApiAddress:
        def mine() -> ApiAddress | None:
            assert self.process.poll() is None, self.log
            address = apifile.read(self.paths.api_file)
            return address if address and address.pid == self.process.pid else None

        return until(mine)

    def client(self) -> LocalClient:
        return LocalClient(self.address)

    def state(self) -> StateView:
        with self.client() as client:
            return client.state()

    def wait_for(self, wanted: Callable[[StateView], object], seconds: float = 15.0) -> StateView:
        """The first state that is as wanted."""
        with self.client() as client:
            for change in client.events():
                if wanted(change.state):
                    return change.state
                assert time.monotonic() - self.began < seconds + 60, change.state
        raise NodeNotRunning(f"The node stopped before that. {self.log}")

    def wait_ready(self) -> StateView:
        return self.wait_for(
            lambda s: s["swarm"]["covered"] and s["children"]["engine"]["phase"] == "ready",
        )

    def stop(self, number: int = signal.SIGTERM) -> int:
        if self.process.poll() is None:
            self.process.send_signal(number)
        return self.process.wait(15)


@contextmanager
def rigged_node(folder: Path, **arguments: Any) -> Iterator[RiggedNode]:
    """A node that is stopped at the end, whatever happens; nothing of it may be left."""
    node = RiggedNode(folder, **arguments)
    children: set[int] = set()
    try:
        yield node
        if node.process.poll() is None:
            state = node.state()
            children = {c["pid"] for c in _children(state) if c["pid"] is not None}
    finally:
        node.stop()
        for session in children:
            assert living_in_session(session) == []
    assert "Traceback" not in node.log.replace("Traceback: the scripted child", ""), node.log


def _children(state: StateView) -> list[Any]:
    return [state["children"]["blocks"], state["children"]["engine"], state["children"]["local"]]
