"""The window's line to the node outlives whatever a call does."""

from __future__ import annotations

import logging
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from swarm_app.domain.errors import HomeswarmError
from swarm_app.gui.app import App
from swarm_app.gui.link import CALLERS
from swarm_app.localapi.client import LocalClient
from tests.gui.conftest import wait


def test_calls_that_fail_in_ways_of_their_own_are_told_and_end_no_thread(
    opened: App, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    told: list[HomeswarmError] = []
    found: list[Any] = []

    def break_down(client: LocalClient) -> None:
        raise ZeroDivisionError("secret of the code")

    with caplog.at_level(logging.ERROR):
        for _ in range(2 * CALLERS):
            opened.link.call(break_down, found.append, told.append)
        wait(qtbot, lambda: len(told) == 2 * CALLERS)
    assert all("ZeroDivisionError" not in str(error) and "secret" not in str(error) for error in told)
    assert "ZeroDivisionError" in caplog.text
    opened.link.call(lambda client: client.state(), found.append, told.append)
    wait(qtbot, lambda: found)
    assert found[0]["model"]
