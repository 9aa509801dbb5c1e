"""A package that is put off runs once it is asked for something; a child that works asks for none of them."""

from __future__ import annotations

import importlib
import subprocess
import sys
import types
from collections.abc import Iterator
from pathlib import Path

import pytest

from swarm_app import lean

LATER = {
    "torch._dynamo.eval_frame": "torch's compiler",
    "torch.distributed.tensor": "tensors spread over a cluster",
    "sympy": "the compiler's algebra",
    "scipy.optimize": "losses of object detection",
    "hivemind.optim": "training together",
    "hivemind.averaging": "training together",
    "hivemind.moe.server.layers": "expert layers",
    "petals.client.remote_sequential": "Petals' own client",
    "petals.models.llama": "Petals' own models",
}

WORKING_CHILD = """
import asyncio, sys
from pathlib import Path
from swarm_app import childloop
childloop.prepare()
import torch
import swarm_app.blocks.serving, swarm_app.engines.generate, swarm_app.engines.swarm
from swarm_app.blocks.span import SpanModule
from swarm_app.bridge.swarm import Swarm
from swarm_app.domain.span import Span
from swarm_app.engines.head import ClientParts
from tests.families import make_model

for family in ("llama", "qwen3_moe", "gemma3_text"):
    model = make_model(family)
    blocks = [dict(layer.state_dict()) for layer in model.model.layers]
    own = {name: tensor for name, tensor in model.state_dict().items() if ".layers." not in name}
    parts = ClientParts(model.config, own, quantize_head=False)
    span = SpanModule(model.config, Span(0, len(blocks)), blocks.__getitem__)
    hidden = span.step(parts.embed(range(4, 20)), span.new_cache(16))
    assert parts.logits(hidden[:, -1:]).isfinite().all()

async def join(folder):
    await (await Swarm.open(identity_path=folder / "child.id", initial_peers=[])).close()

asyncio.run(join(Path(sys.argv[1])))
print("\\n".join(sys.modules))
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package whose own start imports a heavy submodule; it has a light one too."""
    name = "put_off_for_a_test"
    folder = tmp_path / name
    folder.mkdir()
    (folder / "__init__.py").write_text(f"from {name}.heavy import answer\ntogether = answer + 1\n")
    (folder / "heavy.py").write_text("answer = 41\n")
    (folder / "light.py").write_text("weight = 1\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(lean.PUT_OFF, name, {"mark": "before it runs"})
    lean.install()
    yield name
    for loaded in [loaded for loaded in sys.modules if loaded.partition(".")[0] == name]:
        del sys.modules[loaded]


def test_a_submodule_comes_without_its_package(package: str) -> None:
    assert importlib.import_module(f"{package}.light").weight == 1
    top = sys.modules[package]
    assert top.light.weight == 1
    assert top.mark == "before it runs"
    assert not hasattr(top, "__wrapped__"), "looking at a module does not run it"
    assert f"{package}.heavy" not in sys.modules


def test_asked_for_something_the_package_runs_once_and_stays_the_same_object(package: str) -> None:
    top = importlib.import_module(package)
    assert top.together == 42
    assert top.mark == "before it runs", "the package itself has no such name"
    assert type(top) is types.ModuleType
    assert sys.modules[package] is top
    with pytest.raises(AttributeError):
        _ = top.nothing_of_the_kind


def test_a_child_that_works_loads_none_of_what_is_put_off(tmp_path: Path) -> None:
    """Both kinds of child in one fresh process: from a prompt's embedding to its logits, and in a swarm."""
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WORKING_CHILD, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.split())
    assert {"torch", "transformers", "hivemind", "petals.server.handler"} <= loaded
    assert {name: why for name, why in LATER.items() if name in loaded} == {}
