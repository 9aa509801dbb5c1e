"""What the node and the client may not load: whoever starts them waits for it."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import swarm_app.localapi
import swarm_app.node

HEAVY = {"torch", "petals", "hivemind", "transformers", "numpy", "PySide6", "accelerate", "huggingface_hub"}


def loaded_by(*modules: str) -> set[str]:
    """The top-level packages that a fresh Python holds after importing `modules`."""
    program = "import sys, importlib\nfor name in sys.argv[1:]: importlib.import_module(name)\n"
    program += "print('\\n'.join({name.partition('.')[0] for name in sys.modules}))"
    done = subprocess.run(
        [sys.executable, "-c", program, *modules], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


def modules_of(path: list[str], prefix: str) -> list[str]:
    return [prefix + module.name for module in pkgutil.iter_modules(path)]


def test_the_node_loads_nothing_heavy() -> None:
    modules = modules_of(list(swarm_app.node.__path__), "swarm_app.node.")
    assert "swarm_app.node.process" in modules
    assert loaded_by(*modules) & HEAVY == set()


def test_the_probe_would_notice() -> None:
    assert "numpy" in loaded_by("numpy") & HEAVY


def test_the_local_api_loads_nothing_heavy() -> None:
    modules = modules_of(list(swarm_app.localapi.__path__), "swarm_app.localapi.")
    assert "swarm_app.localapi.client" in modules
    assert loaded_by(*modules) & HEAVY == set()


@pytest.mark.parametrize(
    "module", ["swarm_app.localapi.client", "swarm_app.__main__", "swarm_app.config.options"]
)
def test_what_a_command_loads_is_light(module: str) -> None:
    assert (
        loaded_by(module) & (HEAVY | {"httpx", "starlette", "uvicorn", "pydantic", "platformdirs"}) == set()
    )
