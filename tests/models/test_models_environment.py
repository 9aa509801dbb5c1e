"""Proxies in the environment, folders with any name, and what importing costs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from swarm_app.models.store import ModelStore
from tests.families import save_folder
from tests.models.gguf_files import write_gguf
from tests.models.mirror import serving

FOLDER = "Жанна Müller 田中"

_WORK = """
import sys
from pathlib import Path
from swarm_app.models.importing import import_model
from swarm_app.models.manifest import Quant
from swarm_app.models.store import ModelStore, no_progress

home = Path(sys.argv[1])
store = ModelStore(home / "models")
sources = {"folder": str(home / "source"), "gguf": str(home / "tiny.gguf"), "hub": "someone/tiny"}
for name, source in sources.items():
    model = import_model(
        source, store, quant=Quant.INT8, name=name, progress=no_progress, endpoint=sys.argv[2]
    )
    tokenizer = model.tokenizer()
    text = "grüße, 田中"
    assert tokenizer.decode(tokenizer(text)["input_ids"]) == text
    assert model.config().num_hidden_layers == 6
    assert len(model.block_tensors(5)) == len(model.block_tensors(0))
    assert store.verify(name).ok
store.remove("gguf")
print(" ".join(model.name for model in store.list()))
"""


@pytest.mark.parametrize("proxies", [False, True], ids=["plain", "proxies"])
def test_any_folder_any_proxy(proxies: bool, tmp_path: Path) -> None:
    home = tmp_path / FOLDER
    (home / "tmp").mkdir(parents=True)
    save_folder("llama", home / "source")
    write_gguf("llama", home / "tiny.gguf")
    environment = {
        **{key: value for key, value in os.environ.items() if "proxy" not in key.lower()},
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "LC_ALL": "C",
        "LANG": "C",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }
    environment.pop("PYTHONUTF8", None)
    if proxies:
        closed = "http://127.0.0.1:9"
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
            environment[name] = closed
    with serving(home / "source") as mirror:
        done = subprocess.run(
            [sys.executable, "-W", "error", "-c", _WORK, str(home), mirror.endpoint],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment,
            check=False,
        )
    assert done.stdout == "folder hub\n", done.stderr
    assert done.stderr == ""
    assert list((home / "tmp").iterdir()) == []
    assert len(ModelStore(home / "models").list()) == 2


def test_the_node_can_list_models_without_torch(tmp_path: Path) -> None:
    script = (
        "import sys; from swarm_app.models.store import ModelStore;"
        " from swarm_app.models import importing, manifest;"
        " ModelStore(sys.argv[1]).list();"
        " heavy = {'torch', 'transformers', 'numpy', 'safetensors', 'huggingface_hub'} & set(sys.modules);"
        " print(sorted(heavy))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout == "[]\n", done.stderr
