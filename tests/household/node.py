"""One node of a household under test: a real process that can be started, stopped and killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import httpx
import openai

from swarm_app.config import apifile
from swarm_app.config.apifile import ApiAddress
from swarm_app.config.paths import ProfilePaths
from swarm_app.localapi.client import LocalClient
from swarm_app.localapi.view import PeerView, StateView
from tests.household.namespaces import Namespace
from tests.household.tree import Tree

POLL_S = 0.05


class Node:
    """A handle that outlives its process: the profile stays between a stop or kill and the next start."""

    def __init__(
        self,
        folder: Path,
        name: str,
        arguments: Sequence[str],
        environment: Mapping[str, str],
        namespace: Namespace | None = None,
    ) -> None:
        """`namespace` is the network that the node has to itself; None is this computer's own."""
        self.name = name
        self.namespace = namespace
        self.paths = ProfilePaths.of(folder / "profile")
        self.log_file = folder / "node.log"
        self._arguments = list(arguments)
        self._environment = {**os.environ, **environment}
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def __repr__(self) -> str:
        return f"Node({self.name})"

    # ------------------------------------------------------------ the process

    @property
    def pid(self) -> int:
        assert self._process is not None, f"{self.name} was never started"
        return self._process.pid

    @property
    def running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def start(self, join: Sequence[str] = ()) -> None:
        """Start the process; returns at once."""
        assert not self.running, f"{self.name} runs already"
        joining = [word for address in join for word in ("--join", address)]
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                [
                    *(self.namespace.prefix if self.namespace else ()),
                    *(sys.executable, "-m", "swarm_app", "node"),
                    *("--profile", str(self.paths.root), "--name", self.name, "--until-stdin-closes"),
                    *self._arguments,
                    *joining,
                ],
                # Nodes end with whoever runs the tests, even when that is killed.
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=self._environment,
                # Ctrl-C in the terminal of whoever runs the tests is for the tests.
                start_new_session=True,
            )

    def ask_to_stop(self) -> None:
        if self.running:
            assert self._process is not None
            self._process.terminate()

    def stop(self, timeout_s: float = 20.0) -> int:
        """SIGTERM, as a service manager does; returns the exit code. AssertionError when it does not end."""
        assert self._process is not None
        self.ask_to_stop()
        try:
            code = self._process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} did not stop in {timeout_s} s\n{self.log()}") from None
        self.reap()
        return code

    def reap(self) -> None:
        """Take note of the end of a process that has ended."""
        if self._process is not None:
            self._process.wait()
            assert self._process.stdin is not None
            self._process.stdin.close()

    def tree(self) -> Tree:
        """All processes of the node as they are now."""
        return Tree.of(self.pid)

    def kill(self) -> None:
        """SIGKILL the node's own process; what becomes of its children is part of the test."""
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self.reap()

    def log(self) -> str:
        """What the node has written since the household began."""
        return self.log_file.read_text(errors="replace") if self.log_file.exists() else ""

    # ------------------------------------------------------------ its local API

    def address(self) -> ApiAddress | None:
        """Where this process serves its local API; None before it does."""
        found = apifile.read(self.paths.api_file)
        return found if found is not None and self.running and found.pid == self.pid else None

    def client(self) -> LocalClient:
        """The product's own client, as the command line uses it."""
        return LocalClient(self.wait_for_address())

    def http(self) -> httpx.Client:
        """A bare HTTP client with the node's address and token."""
        address = self.wait_for_address()
        return httpx.Client(
            base_url=address.url,
            headers={"Authorization": f"Bearer {address.token}"},
            timeout=httpx.Timeout(60.0),
            trust_env=False,
            verify=False,
        )

    def openai(self) -> openai.OpenAI:
        """OpenAI's own client, pointed at this node."""
        address = self.wait_for_address()
        return openai.OpenAI(
            base_url=f"{address.url}/v1",
            api_key=address.token,
            max_retries=0,
            timeout=60.0,
            http_client=openai.DefaultHttpxClient(trust_env=False),
        )

    def inside(self) -> AbstractContextManager[object]:
        """For this thread, be where the node is: its local API is on its own loopback interface."""
        return self.namespace.entered() if self.namespace else nullcontext()

    def state(self) -> StateView:
        with self.inside(), self.client() as client:
            return client.state()

    def seen(self, name: str) -> PeerView | None:
        """What this node knows of the peer with that name."""
        return next((peer for peer in self.state()["swarm"]["peers"] if peer["name"] == name), None)

    @property
    def swarm_addresses(self) -> list[str]:
        """Multiaddresses that others can join by."""
        return self.state()["children"]["blocks"]["addresses"]

    # ------------------------------------------------------------ waiting

    def wait_for_address(self, timeout_s: float = 20.0) -> ApiAddress:
        deadline = time.monotonic() + timeout_s
        while (address := self.address()) is None:
            if not self.running:
                raise AssertionError(f"{self.name} ended before it served its local API\n{self.log()}")
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.name} served no local API in {timeout_s} s\n{self.log()}")
            time.sleep(POLL_S)
        return address

    def wait_until(
        self, true_of: Callable[[StateView], object], what: str, timeout_s: float = 60.0
    ) -> StateView:
        """Look at the state until `true_of` it; AssertionError with state and log after `timeout_s`."""
        deadline = time.monotonic() + timeout_s
        while not true_of(state := self.state()):
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.name}: not {what} in {timeout_s} s: {state}\n{self.log()}")
            time.sleep(POLL_S)
        return state

    def wait_until_covered(self, timeout_s: float = 60.0) -> StateView:
        """All blocks have a peer and the engine can use them."""
        return self.wait_until(
            lambda state: state["swarm"]["covered"] and state["children"]["engine"]["phase"] == "ready",
            "covered",
            timeout_s,
        )

    def wait_until_idle(self, timeout_s: float = 10.0) -> StateView:
        """No answer in flight and no session on this node's blocks."""
        return self.wait_until(
            lambda state: state["node"]["answers"] == 0 and state["children"]["blocks"]["sessions"] == 0,
            "idle",
            timeout_s,
        )
