"""Local models: what is imported, what is refused and why, what is recommended."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import gguf
import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from swarm_app.domain.errors import (
    BadRequest,
    DiskFull,
    ModelDamaged,
    ModelIncomplete,
    ModelNotFound,
    ModelUnsupported,
)
from swarm_app.models import localimport, writing
from swarm_app.models.default import DEFAULT_LOCAL_NAME
from swarm_app.models.hub import REPO_ID
from swarm_app.models.localimport import fetch_local, import_local
from swarm_app.models.localmodels import LocalFile, LocalModels
from swarm_app.models.recommend import Measured, catalogue, expected_speed, memory_for, recommend
from tests.models.mirror import serving


def no_progress(what: str, done: int, total: int) -> None:
    pass


def write_file(path: Path, tensors: int = 4, parts: tuple[int, int] = (0, 1)) -> Path:
    """A GGUF file with a model's header and small weights; `parts` are its number and their count."""
    writer = gguf.GGUFWriter(path, "llama")
    number, count = parts
    if count > 1:
        writer.add_uint16("split.no", number)
        writer.add_uint16("split.count", count)
        writer.add_int32("split.tensors.count", tensors * count)
    for index in range(tensors):
        writer.add_tensor(f"blk.{number}.{index}", numpy.ones((4, 32), dtype=numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def write_parts(folder: Path, count: int = 3, stem: str = "big") -> list[Path]:
    folder.mkdir(exist_ok=True)
    names = [folder / f"{stem}-{number + 1:05d}-of-{count:05d}.gguf" for number in range(count)]
    return [write_file(name, parts=(number, count)) for number, name in enumerate(names)]


@pytest.fixture
def models(tmp_path: Path) -> LocalModels:
    return LocalModels(tmp_path / "local")


def imported(models: LocalModels) -> list[LocalFile]:
    return [model for model in models.list() if not model.embedded]


def test_the_embedded_model_is_always_there(models: LocalModels) -> None:
    (only,) = models.list()
    assert (only.name, only.embedded, only.bytes > 90_000_000) == (DEFAULT_LOCAL_NAME, True, True)
    assert models.find(DEFAULT_LOCAL_NAME) == only
    with pytest.raises(BadRequest):
        localimport.remove_local(only)
    with pytest.raises(ModelNotFound, match=f"there is: {DEFAULT_LOCAL_NAME}"):
        models.find("other")


def test_a_file_is_linked_not_copied(models: LocalModels, tmp_path: Path) -> None:
    source = write_file(tmp_path / "Qwen2.5 0.5B.Q4_K_M.gguf")
    model = import_local(source, models, name=None, progress=no_progress, trial=None)
    assert (model.name, model.path.name) == ("qwen2.5-0.5b.q4_k_m", "qwen2.5-0.5b.q4_k_m.gguf")
    assert os.path.samefile(model.path, source)
    assert imported(models) == [model]
    with pytest.raises(BadRequest, match="There is a local model"):
        import_local(source, models, name=None, progress=no_progress, trial=None)
    again = import_local(source, models, name="another", progress=no_progress, trial=None)
    localimport.remove_local(again)
    assert imported(models) == [model]


def test_what_does_not_load_is_not_kept(models: LocalModels, tmp_path: Path) -> None:
    source = write_file(tmp_path / "x.gguf")
    tried: list[tuple[str, str, int]] = []

    def trial(path: Path, name: str, size: int) -> None:
        tried.append((path.name, name, size))
        raise ModelUnsupported("llama.cpp cannot load x.gguf.")

    with pytest.raises(ModelUnsupported):
        import_local(source, models, name="Mine", progress=no_progress, trial=trial)
    assert tried == [("mine.gguf", "mine", source.stat().st_size)]
    assert list(models.root.iterdir()) == []
    assert source.exists()


def test_any_part_stands_for_the_whole_model(models: LocalModels, tmp_path: Path) -> None:
    """Scenario K2: part 2 is picked, and parts that were renamed are put in their places."""
    parts = write_parts(tmp_path / "in")
    model = import_local(parts[1], models, name=None, progress=no_progress, trial=None)
    assert model.path.name == "big-00001-of-00003.gguf"
    assert model.bytes == sum(part.stat().st_size for part in parts)
    assert len(imported(models)) == 1
    renamed = tmp_path / "renamed"
    for number, part in enumerate(write_parts(renamed)):
        part.rename(renamed / f"{'cab'[number]}.gguf")
    other = import_local(renamed / "a.gguf", models, name="other", progress=no_progress, trial=None)
    assert [path.name for path in sorted(other.path.parent.iterdir())] == [
        f"other-0000{number}-of-00003.gguf" for number in (1, 2, 3)
    ]


def test_a_type_of_tensors_that_is_new_is_llama_cpps_to_refuse(models: LocalModels, tmp_path: Path) -> None:
    source = write_file(tmp_path / "x.gguf")
    content = source.read_bytes()
    at = content.index(b"blk.0.0") + 7 + 4 + 2 * 8
    source.write_bytes(content[:at] + (99).to_bytes(4, "little") + content[at + 4 :])
    assert import_local(source, models, name=None, progress=no_progress, trial=None).name == "x"


def test_a_stranger_beside_renamed_parts_is_in_nobodys_way(models: LocalModels, tmp_path: Path) -> None:
    parts = write_parts(tmp_path / "in")
    for number, part in enumerate(parts):
        part.rename(tmp_path / "in" / f"{'cab'[number]}.gguf")
    (tmp_path / "in" / "other.gguf").write_bytes(b"GGUF\x03")
    assert import_local(
        tmp_path / "in" / "a.gguf", models, name="whole", progress=no_progress, trial=None
    ).path.name.startswith("whole-00001")
    # It may be the part that is missing, though.
    (tmp_path / "in" / "b.gguf").unlink()
    with pytest.raises(ModelIncomplete, match=r"other\.gguf is incomplete"):
        import_local(tmp_path / "in" / "a.gguf", models, name="part", progress=no_progress, trial=None)


def test_a_missing_part_is_named(models: LocalModels, tmp_path: Path) -> None:
    parts = write_parts(tmp_path / "in")
    parts[1].unlink()
    with pytest.raises(ModelIncomplete, match=r"Part 2 of 3 is missing: big-00002-of-00003\.gguf"):
        import_local(parts[2], models, name=None, progress=no_progress, trial=None)
    assert imported(models) == []


@pytest.mark.parametrize("cut", [0, 3, 50, 0.6, -1])
def test_a_file_that_was_cut_is_incomplete(models: LocalModels, tmp_path: Path, cut: float) -> None:
    """Scenario K1."""
    source = write_file(tmp_path / "x.gguf")
    size = source.stat().st_size
    length = int(size * cut) if isinstance(cut, float) else cut % size if cut < 0 else cut
    os.truncate(source, length)
    with pytest.raises(ModelIncomplete, match="incomplete"):
        import_local(source, models, name=None, progress=no_progress, trial=None)
    assert not list(models.root.iterdir() if models.root.exists() else [])


def test_what_is_no_model_is_named(models: LocalModels, tmp_path: Path) -> None:
    (tmp_path / "page.gguf").write_text("<!doctype html>")
    with pytest.raises(ModelUnsupported, match="web page"):
        import_local(tmp_path / "page.gguf", models, name=None, progress=no_progress, trial=None)
    with pytest.raises(ModelUnsupported, match="no weights"):
        import_local(
            write_file(tmp_path / "none.gguf", tensors=0),
            models,
            name=None,
            progress=no_progress,
            trial=None,
        )
    with pytest.raises(ModelNotFound):
        import_local(tmp_path / "nothing.gguf", models, name=None, progress=no_progress, trial=None)
    with pytest.raises(BadRequest, match="no name"):
        import_local(write_file(tmp_path / "y.gguf"), models, name="...", progress=no_progress, trial=None)


@pytest.fixture
def _no_links(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(source: object, target: object) -> None:
        raise OSError(18, "Invalid cross-device link")

    monkeypatch.setattr(os, "link", refuse)


@pytest.mark.usefixtures("_no_links")
def test_from_another_disk_it_is_copied(models: LocalModels, tmp_path: Path) -> None:
    source = write_file(tmp_path / "x.gguf")
    told: list[tuple[str, int, int]] = []
    model = import_local(source, models, name=None, progress=lambda *so_far: told.append(so_far), trial=None)
    assert model.path.read_bytes() == source.read_bytes()
    assert {what for what, _, _ in told} == {"copying"}, "nothing is said to be loaded that is not"
    assert told[-1] == ("copying", model.bytes, model.bytes)


@pytest.mark.usefixtures("_no_links")
def test_a_full_disk_is_told_in_numbers_and_leaves_nothing(
    models: LocalModels, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = write_file(tmp_path / "x.gguf")
    monkeypatch.setattr(writing, "free_bytes", lambda folder: 1_200)
    with pytest.raises(DiskFull, match=r"Importing x needs .+, and the disk has 1\.2 kB free\.") as full:
        import_local(source, models, name=None, progress=no_progress, trial=None)
    assert full.value.remedy == "Make room, or choose a smaller model."
    assert list(models.root.iterdir()) == []


def test_a_header_with_impossible_sizes_is_damaged(models: LocalModels, tmp_path: Path) -> None:
    source = write_file(tmp_path / "x.gguf")
    content = source.read_bytes()
    at = content.index(b"blk.0.0") + 7 + 4 + 2 * 8
    # Q4_0 comes in blocks of 32, and 4 * 33 is no multiple of that.
    shape = (33).to_bytes(8, "little") + (4).to_bytes(8, "little")
    source.write_bytes(content[: at - 16] + shape + (2).to_bytes(4, "little") + content[at + 4 :])
    with pytest.raises(ModelDamaged, match="no multiple of 32"):
        import_local(source, models, name=None, progress=no_progress, trial=None)


def test_a_model_is_fetched_by_its_repo_id(models: LocalModels, tmp_path: Path) -> None:
    hub = tmp_path / "hub"
    write_parts(hub, stem="big-Q4_0")
    write_file(hub / "big-Q8_0.gguf")
    with serving(hub) as mirror:
        with pytest.raises(BadRequest, match="several GGUF files"):
            fetch_local(
                "someone/tiny",
                models,
                name=None,
                progress=no_progress,
                trial=None,
                endpoint=mirror.endpoint,
            )
        model = fetch_local(
            "someone/tiny:q4_0",
            models,
            name="mine",
            progress=no_progress,
            trial=None,
            endpoint=mirror.endpoint,
        )
    assert (model.name, model.path.name) == ("mine", "mine-00001-of-00003.gguf")
    assert len(list(model.path.parent.iterdir())) == 3
    assert [model.name for model in imported(models)] == ["mine"]


# ------------------------------------------------------------ which one suits this computer


def model(name: str, gigabytes: float) -> LocalFile:
    return LocalFile(name, Path(f"/m/{name}.gguf"), int(gigabytes * 1e9))


SIZES = [model("small", 0.1), model("middle", 1.1), model("large", 4.7)]


@pytest.mark.parametrize(
    ("free_gb", "measured", "name", "why"),
    [
        (16.0, None, "large", "needs 6.1 GB of the 16.0 GB that are free"),
        (4.0, None, "middle", "large does not fit"),
        (
            16.0,
            Measured(100_000_000, 100.0),
            "middle",
            "about 9 tokens per second here; large would be too slow",
        ),
        (16.0, Measured(100_000_000, 3.0), "small", "middle would be too slow"),
        (0.4, None, "small", "middle does not fit"),
    ],
)
def test_the_largest_that_fits_and_is_quick_enough(
    free_gb: float, measured: Measured | None, name: str, why: str
) -> None:
    found = recommend(SIZES, int(free_gb * 1e9), measured)
    assert found is not None
    assert found[0].name == name
    assert why in found[1]


def test_nothing_is_recommended_that_does_not_fit() -> None:
    assert recommend(SIZES, 100_000_000, None) is None


@given(st.integers(10**8, 10**11), st.floats(0.1, 1000), st.integers(10**7, 10**11))
def test_speed_is_that_of_reading_the_weights(size: int, speed: float, measured: int) -> None:
    expected = expected_speed(size, Measured(measured, speed))
    assert expected is not None
    assert expected == pytest.approx(speed * measured / size)


def test_the_catalogue_names_a_model_for_each_class_of_memory() -> None:
    known = catalogue()
    assert [k.memory_gb for k in known] == sorted(k.memory_gb for k in known)
    assert known[0].memory_gb < 1 < 16 < known[-1].memory_gb
    for k in known:
        swarm, fallback = REPO_ID.fullmatch(k.swarm), REPO_ID.fullmatch(k.fallback)
        assert swarm is not None
        assert fallback is not None
        assert all(re.fullmatch(r"[0-9a-f]{40}", each["revision"]) for each in (swarm, fallback))
        assert (swarm["file"], bool(fallback["file"])) == (None, True)
        assert min(k.swarm_bytes, k.fallback_bytes) % 1_000_000  # exact
        assert k.licence in ("Apache-2.0", "MIT")
        assert memory_for(k.fallback_bytes) <= k.memory_gb * 1e9
        assert k.fallback_bytes < k.swarm_bytes
    assert json.dumps([k.name for k in known])
