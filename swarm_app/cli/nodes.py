"""Nodes that a command starts and stops again: each a process of its own, as anybody would start it.

A node started here ends when this process does, however that ends: this process holds the other end of
the node's standard input, and the kernel closes it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from swarm_app.config import apifile
from swarm_app.config.apifile import ApiAddress
from swarm_app.config.paths import ProfilePaths
from swarm_app.config.program import own_command
from swarm_app.domain.errors import DiskFull, HomeswarmError

STOP_S = 10.0
"""A node stops its children within a few seconds; one that takes longer is killed."""

LAST_WORDS_BYTES = 4096


class NodeEnded(HomeswarmError):
    """A node that was started ended by itself; the message is its own last sentence."""

    code = "node-ended"
    exit_code = 3


class StartedNode:
    """One node process in a profile of its own."""

    def __init__(self, profile: Path, name: str, arguments: Sequence[str]) -> None:
        self.name = name
        self.paths = ProfilePaths.of(profile)
        self.paths.create()
        self.log = self.paths.log_file
        descriptor = self.paths.new_log()
        try:
            self.process = subprocess.Popen(
                [
                    *own_command("node", "--profile", str(self.paths.root)),
                    *("--name", name, "--until-stdin-closes", *arguments),
                ],
                stdin=subprocess.PIPE,
                stdout=descriptor,
                stderr=descriptor,
                # Ctrl-C is for the command, which then stops its nodes one by one.
                start_new_session=True,
            )
        finally:
            os.close(descriptor)

    def address(self) -> ApiAddress | None:
        """Where its local API is, once it is there. Raises NodeEnded when it is not coming any more."""
        if self.process.poll() is not None:
            raise self._end()
        address = apifile.read(self.paths.api_file)
        return address if address is not None and address.pid == self.process.pid else None

    def _end(self) -> HomeswarmError:
        words = self.last_words()
        if not words and self.paths.disk_is_full():
            return DiskFull(f"The disk of {self.paths.root} is full.")
        return NodeEnded(
            f"The node {self.name} ended{': ' + words if words else '.'}", remedy=f"Its log is {self.log}."
        )

    def last_words(self) -> str:
        """The last line that the node wrote."""
        with contextlib.suppress(OSError):
            with self.log.open("rb") as file:
                file.seek(max(0, file.seek(0, os.SEEK_END) - LAST_WORDS_BYTES))
                lines = file.read().decode("utf-8", "replace").split("\n")
            return next((line.strip() for line in reversed(lines) if line.strip()), "")
        return ""

    def ask_to_stop(self) -> None:
        """Begin to stop it; returns at once."""
        with contextlib.suppress(OSError):
            assert self.process.stdin is not None
            self.process.stdin.close()
        if self.process.poll() is None:
            self.process.terminate()

    def wait_stopped(self, deadline_s: float) -> None:
        """Wait for its end until the monotonic second `deadline_s`, then kill it: its children notice."""
        try:
            self.process.wait(max(0.0, deadline_s - time.monotonic()))
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()


def stop_all(nodes: Sequence[StartedNode]) -> None:
    """Stop all at the same time."""
    for node in nodes:
        node.ask_to_stop()
    deadline_s = time.monotonic() + STOP_S
    for node in nodes:
        node.wait_stopped(deadline_s)
