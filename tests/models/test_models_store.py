"""The store: finding, opening with parts missing, checking once, verifying, removing."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest
import torch

import swarm_app.models.store as store_module
from swarm_app.domain.errors import BadRequest, ModelDamaged, ModelIncomplete, ModelNotFound
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import CLIENT_FILE, MANIFEST_FILE, Quant, block_file
from swarm_app.models.store import CHECKED_FILE, ModelStore, StoredModel, no_progress, open_model
from tests.families import save_folder


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> ModelStore:
    root = tmp_path_factory.mktemp("original")
    folder = save_folder("llama", root / "tiny")
    store = ModelStore(root / "store")
    import_model(str(folder), store, quant=Quant.INT8, name=None, progress=no_progress)
    return store


@pytest.fixture
def store(original: ModelStore, tmp_path: Path) -> ModelStore:
    shutil.copytree(original.root, tmp_path / "store")
    return ModelStore(tmp_path / "store")


@pytest.fixture
def model(store: ModelStore) -> StoredModel:
    return store.find("tiny")


def _flip(path: Path) -> None:
    """Change one byte, and set the times back as a careful intruder would."""
    stat = path.stat()
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))


def test_find_by_name_and_by_id(store: ModelStore, model: StoredModel) -> None:
    assert [found.name for found in store.list()] == ["tiny"]
    assert store.find("TINY").dir == model.dir
    assert store.find(model.model_id).dir == model.dir
    assert store.find(model.model_id[:8]).dir == model.dir
    for unknown in ("other", model.model_id[:5], "../tiny", "", "x" * 1000):
        with pytest.raises(ModelNotFound):
            store.find(unknown)
    with pytest.raises(BadRequest):
        store.path_of("../evil")
    assert ModelStore(store.root / "nowhere").list() == []


def test_a_prefix_of_two_models_is_refused(store: ModelStore, model: StoredModel) -> None:
    shutil.copytree(model.dir, store.root / "copy")
    with pytest.raises(BadRequest, match="several models"):
        store.find(model.model_id[:8])
    assert store.find("copy").dir.name == "copy"


def test_a_damaged_manifest_hides_nothing_else(store: ModelStore) -> None:
    (store.root / "broken").mkdir()
    (store.root / "broken" / MANIFEST_FILE).write_text("{}")
    assert [found.name for found in store.list()] == ["tiny"]
    assert isinstance(store.problems()["broken"], ModelDamaged)
    with pytest.raises(ModelDamaged):
        store.find("broken")
    store.remove("broken")
    assert store.problems() == {}


def test_a_changed_byte_is_found_even_with_its_times_set_back(model: StoredModel) -> None:
    model.block_tensors(1)
    _flip(model.dir / block_file(1))
    with pytest.raises(ModelDamaged, match=r"block-00001\.safetensors"):
        model.block_tensors(1)
    model.block_tensors(2)


def test_a_changed_tokenizer_is_damaged(model: StoredModel) -> None:
    model.tokenizer()
    path = model.dir / "tokenizer.json"
    fields = json.loads(path.read_text(encoding="utf-8"))
    fields["model"]["vocab"] = dict(list(fields["model"]["vocab"].items())[:-10])
    path.write_text(json.dumps(fields), encoding="utf-8")
    with pytest.raises((ModelDamaged, ModelIncomplete), match=r"tokenizer\.json"):
        model.tokenizer()


def test_a_file_is_hashed_once(model: StoredModel, monkeypatch: pytest.MonkeyPatch) -> None:
    hashed: list[str] = []
    real = store_module.sha256_of
    monkeypatch.setattr(store_module, "sha256_of", lambda path: hashed.append(path.name) or real(path))  # type: ignore[func-returns-value]
    model.block_tensors(0)
    model.block_tensors(0)
    open_model(model.dir).block_tensors(0)
    assert hashed == [block_file(0)]
    os.utime(model.dir / block_file(0), ns=(1, 1))
    model.block_tensors(0)
    assert hashed == [block_file(0)] * 2


@pytest.mark.parametrize(
    "content", [b"", b"[]", b'{"block-00000.safetensors": [1, 2, 3, "x"]}', b"\xff" * 50]
)
def test_what_is_remembered_wrongly_only_costs_time(model: StoredModel, content: bytes) -> None:
    (model.dir / CHECKED_FILE).write_bytes(content)
    assert "self_attn.q_proj.weight.int8" in model.block_tensors(0)


def test_remembering_is_bound_to_the_manifest(model: StoredModel) -> None:
    """A manifest that was exchanged for another does not inherit what matched before."""
    model.block_tensors(0)
    content = (model.dir / MANIFEST_FILE).read_text()
    other = content.replace(model.manifest.entry(block_file(0)).sha256, "0" * 64)
    (model.dir / MANIFEST_FILE).write_text(other)
    with pytest.raises(ModelDamaged):
        open_model(model.dir).block_tensors(0)


def test_a_read_only_folder_works(model: StoredModel, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "read-only")

    monkeypatch.setattr("tempfile.mkstemp", refuse)
    assert model.client_tensors()["lm_head.weight"].dtype == torch.bfloat16
    assert not (model.dir / CHECKED_FILE).exists()


def test_a_span_is_enough(model: StoredModel) -> None:
    for index in (0, 1, 4, 5):
        (model.dir / block_file(index)).unlink()
    (model.dir / CLIENT_FILE).unlink()
    opened = open_model(model.dir)
    assert opened.has(block_file(2))
    assert not opened.has(block_file(0))
    assert opened.model_id == model.model_id
    assert set(opened.block_tensors(3)) == set(opened.block_tensors(2))
    assert opened.config().num_hidden_layers == 6
    with pytest.raises(ModelIncomplete, match=r"block-00005\.safetensors"):
        opened.block_tensors(5)
    with pytest.raises(ModelIncomplete, match=r"client\.safetensors"):
        opened.client_tensors()
    with pytest.raises(BadRequest):
        opened.block_tensors(6)
    assert opened.generation_dict()["eos_token_id"] == 2


def test_a_cut_file_is_incomplete(model: StoredModel) -> None:
    path = model.dir / block_file(3)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ModelIncomplete, match=r"block-00003\.safetensors of the model tiny is incomplete"):
        model.block_tensors(3)


def test_verify_names_what_does_not_match(store: ModelStore, model: StoredModel) -> None:
    told: list[tuple[str, int, int]] = []
    assert store.verify("tiny", lambda *args: told.append(args)).ok
    assert told[0] == ("verify", 0, model.manifest.total_bytes)
    assert told[-1] == ("verify", model.manifest.total_bytes, model.manifest.total_bytes)
    assert [done for _, done, _ in told] == sorted(done for _, done, _ in told)
    # What was remembered does not count here.
    model.block_tensors(1)
    _flip(model.dir / block_file(1))
    (model.dir / block_file(4)).unlink()
    found = store.verify("tiny")
    assert not found.ok
    assert found.damaged == (block_file(1),)
    assert found.missing == (block_file(4),)
    assert len(found.matching) == len(model.manifest.files) - 2


def test_remove(store: ModelStore, model: StoredModel) -> None:
    store.remove(model.model_id[:10])
    assert store.list() == []
    assert list(store.root.iterdir()) == []
    with pytest.raises(ModelNotFound):
        store.remove("tiny")


def test_tensors_are_mapped_and_survive_removal(store: ModelStore, model: StoredModel) -> None:
    tensors = model.block_tensors(0)
    total = float(tensors["self_attn.q_proj.weight.scale"].sum())
    store.remove("tiny")
    assert float(tensors["self_attn.q_proj.weight.scale"].sum()) == total
