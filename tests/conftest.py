"""What holds for every test: the network stays on this computer, nothing outside its folder is used."""

from __future__ import annotations

import ipaddress
import os
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from swarm_app import lean
from tests import workers
from tests.household import Household
from tests.household.embedded import Embedded, import_embedded

hypothesis.settings.register_profile(
    "homeswarm",
    # A busy two-core computer must not fail a property by being slow.
    deadline=None,
    max_examples=50,
    # The same examples in every run: a failure in continuous integration is one that anybody sees again.
    derandomize=bool(os.environ.get("CI")),
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("homeswarm")


def _stays_here(address: object) -> bool:
    if not isinstance(address, tuple):
        return True  # a Unix socket's path
    host = str(address[0])
    if host in ("localhost", ""):
        return True
    try:
        return ipaddress.ip_address(host.partition("%")[0]).is_loopback
    except ValueError:
        return False


def _refuse_the_outside(event: str, args: tuple[object, ...]) -> None:
    if event != "socket.connect":
        return
    sock, address = args
    if isinstance(sock, socket.socket) and sock.type == socket.SOCK_STREAM and not _stays_here(address):
        raise AssertionError(f"A test tried to reach {address}; tests use the loopback interface alone.")


def pytest_configure(config: pytest.Config) -> None:
    # Before torch is imported, and inherited by children: the models of the tests are so small, and the
    # processes so many, that more threads only wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    # As in the children: what a test calls here is what they load.
    lean.install()
    sys.addaudithook(_refuse_the_outside)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    if config.getoption("dist") != "loadfile":
        return None
    config.option.loadscopereorder = False
    return workers.Groups(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "embedded" in getattr(item, "fixturenames", ()) and workers.group(item.nodeid) != "processes":
            raise pytest.UsageError(
                f"{item.nodeid} needs the household's model: name it in tests/workers.py."
            )
    if hasattr(config, "workerinput"):
        items.sort(key=lambda item: workers.group(item.nodeid) != "processes")


@pytest.fixture(autouse=True, scope="session")
def _no_hub() -> Iterator[None]:
    """No test, and no process that a test starts, downloads from a hub: its address is a closed port."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
        patch.setenv("HF_HUB_DISABLE_TELEMETRY", "1")
        for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder per test: the profile and the models of whoever runs the tests stay untouched."""
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
        monkeypatch.delenv(name, raising=False)
    return home


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Embedded:
    """The embedded default model in int8, in a store of this run. Importing it takes some seconds, once."""
    return import_embedded(tmp_path_factory.mktemp("models"), "int8")


@pytest.fixture(scope="session")
def shared_household(tmp_path_factory: pytest.TempPathFactory, embedded: Embedded) -> Iterator[Household]:
    with Household(tmp_path_factory.mktemp("household"), models=embedded.models, model=embedded.name) as rig:
        rig.wait_until_covered()
        yield rig


@pytest.fixture
def household(shared_household: Household) -> Iterator[Household]:
    """Three nodes over SmolLM2, desk, attic and laptop with ten blocks each.

    For tests that only chat and look: whoever stops a node makes a household of their own.
    """
    shared_household.wait_until_idle()
    yield shared_household
    shared_household.wait_until_idle()
