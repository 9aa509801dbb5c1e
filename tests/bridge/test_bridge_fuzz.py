"""A share of `make fuzz` in every test run: libp2p's calls and streams, tensors, records."""

from __future__ import annotations

from tests.bridge.fuzz import readers
from tests.fuzzing import fuzz


def test_no_broken_message_breaks_a_reader() -> None:
    fuzz(readers(), 300)


def test_true_messages_are_read() -> None:
    for reader in readers():
        reader.read(reader.message)
