"""Where no window can open: one sentence and an exit code, nothing that looks like a crash."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from swarm_app.gui.display import LIBRARY, NoDisplay, no_display


@pytest.mark.skipif(sys.platform != "linux", reason="other systems always have a display")
@pytest.mark.parametrize("display", [None, ":987"])
def test_without_a_display_the_window_says_so(tmp_path: Path, display: str | None) -> None:
    environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    environment["QT_QPA_PLATFORM"] = "xcb"
    if display is not None:
        environment["DISPLAY"] = display
    done = subprocess.run(
        [sys.executable, "-m", "swarm_app", "app", "--profile", str(tmp_path / "profile")],
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == NoDisplay.exit_code
    assert done.stderr.startswith("homeswarm: ")
    assert done.stderr.count("\n") == 1
    assert "homeswarm chat" in done.stderr


def test_a_missing_library_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    said = [f"From 6.5.0, xcb-cursor0 or {LIBRARY} is needed to load the Qt xcb platform plugin."]
    monkeypatch.setenv("DISPLAY", ":0")
    assert LIBRARY in no_display(said).remedy
    monkeypatch.delenv("DISPLAY")
    assert LIBRARY not in no_display(said).remedy
