"""What loading `swarm_app.host` costs: the node waits for it at its start."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

import pytest

import swarm_app.host
from swarm_app.host.link import open_link_watcher
from swarm_app.host.power import open_power_watcher
from swarm_app.host.system import System
from tests.host.fakes import FakeClocks

HEAVY = {"dbus_fast", "psutil", "torch", "hivemind", "petals", "numpy", "httpx", "pydantic"}
OURS = {"swarm_app.domain", "swarm_app.config", "swarm_app.host"}


def loaded_by(*modules: str) -> set[str]:
    program = "import sys, importlib\nfor name in sys.argv[1:]: importlib.import_module(name)\n"
    program += "print('\\n'.join(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", program, *modules], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split())


def modules() -> list[str]:
    """Every module of the package, those of other systems included: each can be imported everywhere."""
    found = [module.name for module in pkgutil.walk_packages(swarm_app.host.__path__, "swarm_app.host.")]
    assert {"swarm_app.host.power.macos", "swarm_app.host.link.windows"} <= set(found)
    return found


def test_all_of_it_loads_nothing_heavy_and_nothing_else_of_ours() -> None:
    loaded = loaded_by(*modules())
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
    ours = {".".join(name.split(".")[:2]) for name in loaded if name.startswith("swarm_app.")}
    assert ours <= OURS


@pytest.mark.parametrize("system", list(System))
def test_each_system_has_a_watcher(system: System) -> None:
    assert open_link_watcher(system=system).notes == ()
    # With clocks of the test's: those of the other systems can only be read there.
    assert open_power_watcher(FakeClocks(), system).supply is None
