"""The tray where there is one: under a virtual display and a session bus with a StatusNotifier host."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NEEDED = ("xvfb-run", "xauth", "dbus-run-session")
LACKING = [name for name in NEEDED if shutil.which(name) is None]


@pytest.mark.skipif(sys.platform != "linux", reason="StatusNotifier hosts are Linux desktops'")
@pytest.mark.skipif(bool(LACKING), reason=f"not installed: {', '.join(LACKING)}")
def test_the_tray_shows_each_state_and_its_menu_works(tmp_path: Path) -> None:
    environment = {key: value for key, value in os.environ.items() if not key.startswith("DBUS_SESSION")}
    environment |= {"QT_QPA_PLATFORM": "xcb", "PYTHONPATH": str(ROOT)}
    ours = [sys.executable, "-m", "tests.gui.tray_host", str(tmp_path / "profile")]
    command = ["xvfb-run", "-a", "dbus-run-session", "--", *ours]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=100, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout.splitlines()[-1])
    assert seen["in_the_tray"]
    assert seen["on"] == seen["on_again"]
    assert len({seen[state] for state in ("on", "paused", "off", "trouble")}) == 4
    assert [call.split()[0] for call in seen["calls"]] == ["withdraw", "serve", "withdraw"]
