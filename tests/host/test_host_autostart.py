"""What the desktop starts at login is the very command, whatever folder it lies in."""

from __future__ import annotations

import shutil
import subprocess
import time
from pathlib import Path

import pytest

from swarm_app.host.autostart import XdgAutostart

SHOWS = '#!/bin/sh\nprintf "%s\\n" "$0" "$@" > "${0%/*}/told.tmp"\nmv "${0%/*}/told.tmp" "${0%/*}/told"\n'


@pytest.mark.skipif(shutil.which("gio") is None, reason="gio, which starts desktop files, is not installed")
def test_a_desktop_starts_it_with_every_word_as_it_was(tmp_path: Path) -> None:
    folder = tmp_path / "Жанна Müller $HOME `id`"
    folder.mkdir()
    program = folder / "show me.sh"
    program.write_text(SHOWS, encoding="utf-8")
    program.chmod(0o700)
    command = [str(program), "--minimized", '--profile="x"', "it's", "back\\slash", "a;b&c", "100%", "%u"]
    XdgAutostart(tmp_path).turn(True, command)
    subprocess.run(["gio", "launch", tmp_path / "homeswarm.desktop"], check=True, timeout=30)
    deadline_s = time.monotonic() + 30
    while not (folder / "told").exists():
        assert time.monotonic() < deadline_s, "nothing was started"
        time.sleep(0.01)
    assert (folder / "told").read_text(encoding="utf-8").splitlines() == command


def test_a_file_that_is_no_text_is_no_start_at_login(tmp_path: Path) -> None:
    (tmp_path / "homeswarm.desktop").write_bytes(b"\xff\xfe[Desktop Entry]")
    switch = XdgAutostart(tmp_path)
    assert not switch.is_on()
    switch.turn(True, ["homeswarm"])
    assert switch.is_on()
