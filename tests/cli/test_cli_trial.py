"""Loading a model once before it is imported: by the real process, and by ones that end in other ways."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from swarm_app.cli import trial
from swarm_app.cli.main import cli
from swarm_app.cli.trial import try_out
from swarm_app.domain.errors import HomeswarmError, LocalFailed, MemoryShort, ModelDamaged, ModelUnsupported
from swarm_app.models.default import embedded_default
from swarm_app.models.localmodels import LocalModels


def says(code: str) -> list[str]:
    """A program that does this instead of loading."""
    return [sys.executable, "-c", code]


READY = """
import sys
from swarm_app.childproto import Failed, Ready, encode
sys.stdin.buffer.read(4)
sys.stdout.buffer.write(encode(Ready(1)))
"""
SHORT = READY.replace("Ready(1)", "Failed(None, 'memory-short', 'It needs 9.0 GB, and 2.0 GB are free.', '')")
GREEDY = "import sys; sys.stdin.buffer.read(4); kept = bytearray(64 << 30)"


@pytest.mark.parametrize(
    ("code", "error", "told"),
    [
        ("import os; os.kill(os.getpid(), 11)", ModelDamaged, r"crash when it is loaded \(signal SIGSEGV\)"),
        ("print('half a frame')", ModelDamaged, r"crash when it is loaded"),
        (SHORT, MemoryShort, r"needs 9\.0 GB"),
        (GREEDY, ModelDamaged, r"exit code 1"),
    ],
)
def test_whatever_becomes_of_it_is_told(code: str, error: type[HomeswarmError], told: str) -> None:
    with pytest.raises(error, match=told):
        try_out(Path("x.gguf"), "x", 1000, says(code))


def test_what_hangs_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "PATIENCE_S", 0.3)
    with pytest.raises(LocalFailed, match=r"x\.gguf was not loaded within 0 s"):
        try_out(Path("x.gguf"), "x", 1000, says("import time; time.sleep(60)"))


def test_what_loads_is_fine() -> None:
    try_out(Path("x.gguf"), "x", 1000, says(READY))


def test_only_a_load_finds_that_a_whole_file_is_no_model(tmp_path: Path) -> None:
    """Its header is in order and all bytes are there; it says 31 blocks where there are 30."""
    profile = tmp_path / "profile"
    profile.mkdir(mode=0o700)
    (profile / "settings.toml").write_text(f'[node]\nlocal_models = "{tmp_path / "local"}"\n')
    content = embedded_default().read_bytes()
    key = b"llama.block_count"
    at = content.index(key) + len(key) + 4
    assert content[at : at + 4] == (30).to_bytes(4, "little")
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(content[:at] + (31).to_bytes(4, "little") + content[at + 4 :])
    result = CliRunner().invoke(
        cli, ["local", "import", str(bad), "--profile", str(profile)], standalone_mode=False
    )
    assert isinstance(result.exception, ModelUnsupported)
    assert "llama.cpp cannot load bad.gguf: " in result.exception.message
    assert "blk.30.attn_norm.weight" in result.exception.message
    assert [model.name for model in LocalModels(tmp_path / "local").list() if not model.embedded] == []
