"""Repo ids through a mirror that cuts, damages, and answers with web pages."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

import swarm_app.models.download as download_module
from swarm_app.domain.errors import (
    BadRequest,
    Busy,
    DiskFull,
    DownloadFailed,
    ModelIncomplete,
    ModelNotFound,
    ModelUnsupported,
    TokenizerMismatch,
)
from swarm_app.models import writing
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore, StoredModel, no_progress
from tests.families import make_model, save_folder
from tests.models.gguf_files import state_of, write_gguf
from tests.models.mirror import Mirror, serving

WEIGHTS = "model.safetensors"


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pauses between attempts are for real servers: here they are counted and not waited for."""
    monkeypatch.setattr(download_module, "RETRY_PAUSE_S", 0.0)


@pytest.fixture
def mirror(tmp_path: Path) -> Iterator[Mirror]:
    save_folder("llama", tmp_path / "hub")
    with serving(tmp_path / "hub") as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> ModelStore:
    return ModelStore(tmp_path / "store")


def fetch(
    mirror: Mirror, store: ModelStore, source: str = "someone/tiny", quant: Quant = Quant.NONE
) -> StoredModel:
    return import_model(source, store, quant=quant, name=None, progress=no_progress, endpoint=mirror.endpoint)


def hidden(store: ModelStore) -> list[str]:
    return sorted(path.name for path in store.root.glob(".*")) if store.root.is_dir() else []


def test_a_good_mirror(mirror: Mirror, store: ModelStore) -> None:
    told: list[tuple[str, int, int]] = []
    stored = import_model(
        "someone/tiny",
        store,
        quant=Quant.NONE,
        name=None,
        progress=lambda *args: told.append(args),
        endpoint=mirror.endpoint,
    )
    assert (stored.name, stored.manifest.source, stored.manifest.revision) == (
        "tiny",
        "someone/tiny",
        mirror.commit,
    )
    wanted = make_model("llama").state_dict()
    assert all((value == wanted[key]).all() for key, value in state_of(stored).items())
    downloads = [(done, total) for what, done, total in told if what == "download"]
    assert downloads[-1][0] == downloads[-1][1] > 900_000
    assert all(done <= total for done, total in downloads)
    assert hidden(store) == []
    again = import_model(str(mirror.folder), store, quant=Quant.NONE, name="local", progress=no_progress)
    assert again.model_id == stored.model_id


def test_a_sharded_repository(tmp_path: Path, store: ModelStore) -> None:
    save_folder("mixtral", tmp_path / "hub", sharded=True)
    (tmp_path / "hub" / "pytorch_model.bin").write_bytes(b"never fetched")
    (tmp_path / "hub" / "README.md").write_bytes(b"never fetched")
    with serving(tmp_path / "hub") as mirror:
        stored = fetch(mirror, store, quant=Quant.INT8)
        assert stored.manifest.num_blocks == 6
        assert not mirror.answers("pytorch_model.bin")
        assert not mirror.answers("README.md")


@pytest.mark.parametrize("ranges", [True, False], ids=["ranges", "no-ranges"])
def test_a_cut_at_60_percent_is_gone_on_with(ranges: bool, mirror: Mirror, store: ModelStore) -> None:
    mirror.ranges = ranges
    mirror.misbehave[WEIGHTS] = lambda number, content: (
        (content[: len(content) * 6 // 10], len(content)) if number == 0 else None
    )
    fetch(mirror, store)
    size = (mirror.folder / WEIGHTS).stat().st_size
    asked = [wanted for path, wanted in mirror.requests if path.endswith(WEIGHTS)]
    assert asked[0] is None
    assert asked[1] == f"bytes={size * 6 // 10}-"
    assert mirror.sent[WEIGHTS] == size if ranges else mirror.sent[WEIGHTS] > size


def test_a_next_process_goes_on_where_this_one_gave_up(mirror: Mirror, store: ModelStore) -> None:
    mirror.misbehave[WEIGHTS] = lambda number, content: (
        (content[: len(content) * 6 // 10], len(content)) if number == 0 else (b"", len(content))
    )
    with pytest.raises(DownloadFailed, match=r"connection was lost while model\.safetensors") as caught:
        fetch(mirror, store)
    assert "same command again" in caught.value.remedy
    (kept,) = hidden(store)
    size = (mirror.folder / WEIGHTS).stat().st_size
    assert (store.root / kept / f"{WEIGHTS}.part").stat().st_size == size * 6 // 10
    assert store.list() == []
    mirror.misbehave.clear()
    mirror.requests.clear()
    fetch(mirror, store)
    assert [wanted for _, wanted in mirror.requests] == [f"bytes={size * 6 // 10}-"]
    assert hidden(store) == []


def _flip(content: bytes) -> tuple[bytes, int]:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :], len(content)


@pytest.mark.parametrize("file", [WEIGHTS, "config.json"])
def test_a_flipped_byte_is_fetched_again(file: str, mirror: Mirror, store: ModelStore) -> None:
    mirror.misbehave[file] = lambda number, content: _flip(content) if number == 0 else None
    stored = fetch(mirror, store)
    assert mirror.answers(file) == 2
    assert store.verify(stored.name).ok


def test_a_byte_that_is_always_flipped_fails(mirror: Mirror, store: ModelStore) -> None:
    mirror.misbehave[WEIGHTS] = lambda number, content: _flip(content)
    with pytest.raises(DownloadFailed, match=r"model\.safetensors arrived damaged twice"):
        fetch(mirror, store)
    assert mirror.answers(WEIGHTS) == 2
    (kept,) = hidden(store)
    assert not (store.root / kept / f"{WEIGHTS}.part").exists()


def test_a_flip_in_what_was_kept_is_found_too(mirror: Mirror, store: ModelStore) -> None:
    mirror.misbehave[WEIGHTS] = lambda number, content: (
        (content[: len(content) // 2], len(content)) if number == 0 else (b"", len(content))
    )
    with pytest.raises(DownloadFailed):
        fetch(mirror, store)
    (kept,) = hidden(store)
    part = store.root / kept / f"{WEIGHTS}.part"
    part.write_bytes(_flip(part.read_bytes())[0])
    mirror.misbehave.clear()
    assert store.verify(fetch(mirror, store).name).ok


@pytest.mark.parametrize("file", [WEIGHTS, "tokenizer.json", "config.json"])
@pytest.mark.parametrize("long", [False, True], ids=["short", "same-length"])
def test_a_web_page_with_status_200_is_rejected_by_name(
    file: str, long: bool, mirror: Mirror, store: ModelStore
) -> None:
    def page(number: int, content: bytes) -> tuple[bytes, int]:
        text = b"<!DOCTYPE html><html>Please log in</html>"
        text = text.ljust(len(content))[: len(content)] if long else text
        return text, len(text)

    mirror.misbehave[file] = page
    with pytest.raises(DownloadFailed, match=f"web page in place of {file}"):
        fetch(mirror, store)
    assert store.list() == []


def test_a_listing_that_is_a_web_page_is_told(mirror: Mirror, store: ModelStore) -> None:
    mirror.listing_is_a_page = True
    with pytest.raises(DownloadFailed, match="web page"):
        fetch(mirror, store)


def test_what_does_not_exist(mirror: Mirror, store: ModelStore) -> None:
    with pytest.raises(ModelNotFound, match="no folder, file or public model repository someone/else"):
        fetch(mirror, store, "someone/else")
    for source in ("not a repo", "a/b/c", "../x", "-x/y", "nowhere.gguf", "/nowhere/at/all"):
        with pytest.raises(ModelNotFound):
            fetch(mirror, store, source)


def test_a_server_that_is_not_there(store: ModelStore) -> None:
    with pytest.raises(DownloadFailed, match=r"for someone/tiny: Connection refused\. See whether"):
        import_model(
            "someone/tiny",
            store,
            quant=Quant.NONE,
            name=None,
            progress=no_progress,
            endpoint="http://127.0.0.1:9",
        )
    with pytest.raises(BadRequest):
        import_model(
            "someone/tiny", store, quant=Quant.NONE, name=None, progress=no_progress, endpoint="file:///etc"
        )


def test_space_is_asked_for_before_the_weights_come(
    mirror: Mirror, store: ModelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "free_bytes", lambda _: 17_000_000)
    with pytest.raises(DiskFull, match=r"someone/tiny needs 18\.\d MB, and the disk has 17\.0 MB free"):
        fetch(mirror, store)
    assert not mirror.answers(WEIGHTS)


def test_a_disk_that_fills_up_midway_is_told_and_gone_on_with(
    mirror: Mirror, store: ModelStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = download_module.write_all
    written = 0

    def full(out: IO[bytes], data: bytes) -> None:
        nonlocal written
        written += len(data)
        if written > 100_000:
            raise OSError(28, "No space left on device")
        real(out, data)

    monkeypatch.setattr(download_module, "write_all", full)
    with pytest.raises(DiskFull, match=r"Downloading someone/tiny needs .*B, and the disk has .*B free"):
        fetch(mirror, store)
    assert store.list() == []
    monkeypatch.setattr(download_module, "write_all", real)
    fetch(mirror, store)


def test_a_real_full_disk(mirror: Mirror, tmp_path: Path) -> None:
    """The system itself refuses to write more: a limit on the size of files, as a small disk would."""
    import subprocess
    import sys

    script = """
import resource, signal, sys
from swarm_app.domain.errors import HomeswarmError
from swarm_app.models import writing
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore, no_progress
import errno

# A write beyond the limit gives EFBIG; the system's full disk gives ENOSPC: the same road here.
writing._NO_SPACE.add(errno.EFBIG)
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (700_000, 700_000))
try:
    import_model(sys.argv[1], ModelStore(sys.argv[2]), quant=Quant.NONE, name=None, progress=no_progress,
                 endpoint=sys.argv[3])
except HomeswarmError as error:
    print(error.code, error.message)
"""
    done = subprocess.run(
        [sys.executable, "-c", script, "someone/tiny", str(tmp_path / "store"), mirror.endpoint],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.startswith("disk-full Downloading someone/tiny needs "), done.stderr
    assert ModelStore(tmp_path / "store").list() == []


def test_another_command_at_work_is_told(mirror: Mirror, store: ModelStore) -> None:
    from filelock import FileLock

    mirror.misbehave[WEIGHTS] = lambda number, content: (b"", len(content))
    with pytest.raises(DownloadFailed):
        fetch(mirror, store)
    (kept,) = hidden(store)
    with FileLock(store.root / kept / ".lock"), pytest.raises(Busy, match="another command"):
        fetch(mirror, store)


def test_a_new_commit_starts_over(mirror: Mirror, store: ModelStore) -> None:
    mirror.misbehave[WEIGHTS] = lambda number, content: (
        (content[: len(content) // 2], len(content)) if number == 0 else (b"", len(content))
    )
    with pytest.raises(DownloadFailed):
        fetch(mirror, store)
    mirror.misbehave.clear()
    mirror.requests.clear()
    before = mirror.commit
    (mirror.folder / "README.md").write_text("new")
    assert mirror.commit != before
    assert fetch(mirror, store).manifest.revision == mirror.commit
    assert {wanted for _, wanted in mirror.requests} == {None}


def test_what_another_try_would_meet_again_is_not_kept(mirror: Mirror, store: ModelStore) -> None:
    config = mirror.folder / "config.json"
    config.write_text(config.read_text().replace('"llama"', '"zzama"'))
    with pytest.raises(ModelUnsupported, match="zzama"):
        fetch(mirror, store)
    assert not mirror.answers(WEIGHTS)
    assert hidden(store) == []
    config.write_text(
        config.read_text().replace('"zzama"', '"llama"').replace('"vocab_size": 320', '"vocab_size": 319')
    )
    with pytest.raises(TokenizerMismatch):
        fetch(mirror, store)
    assert hidden(store) == []


def test_abandoned_downloads_are_deleted(store: ModelStore) -> None:
    for name, age_s in (("old", download_module.KEEP_PARTIAL_S + 60), ("new", 60.0)):
        folder = store.root / f".download-repo-{name}"
        folder.mkdir(parents=True)
        (folder / "x.part").write_bytes(b"x")
        os.utime(folder / "x.part", (time.time() - age_s, time.time() - age_s))
    download_module._clean_abandoned(store.root, time.time())
    assert hidden(store) == [".download-repo-new"]


# ------------------------------------------------------------------------ GGUF in repositories


def test_gguf_repositories(tmp_path: Path, store: ModelStore) -> None:
    hub = tmp_path / "hub"
    hub.mkdir()
    write_gguf("llama", hub / "tiny-Q8_0.gguf")
    with serving(hub) as mirror:
        stored = fetch(mirror, store)
        assert stored.name == "tiny"
        write_gguf("llama", hub / "tiny-Q4_0.gguf", parts=3)
        with pytest.raises(BadRequest, match=r"several GGUF files: tiny-Q4_0\.gguf, tiny-Q8_0\.gguf"):
            fetch(mirror, store)
        stored = fetch(mirror, store, "someone/tiny:q4_0", quant=Quant.BF16)
        assert stored.manifest.quant == Quant.BF16
        assert mirror.answers("tiny-Q4_0-00003-of-00003.gguf") == 1
        (hub / "tiny-Q4_0-00002-of-00003.gguf").unlink()
        with pytest.raises(ModelIncomplete, match=r"tiny-Q4_0-00002-of-00003\.gguf"):
            fetch(mirror, store, "someone/tiny:q4_0")


def test_repositories_without_usable_weights(tmp_path: Path, store: ModelStore) -> None:
    hub = tmp_path / "hub"
    save_folder("llama", hub)
    shutil.move(hub / WEIGHTS, hub / "pytorch_model.bin")
    with serving(hub) as mirror:
        with pytest.raises(ModelUnsupported, match=r"pytorch_model\.bin, a pickle file"):
            fetch(mirror, store)
        (hub / "pytorch_model.bin").unlink()
        with pytest.raises(ModelUnsupported, match="no safetensors and no GGUF"):
            fetch(mirror, store)
