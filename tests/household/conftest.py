"""One imported model per run, and one household for the tests that leave it as they found it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.household import Household
from tests.household.embedded import Embedded, import_embedded


@pytest.fixture(scope="session")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Embedded:
    """The embedded default model in int8, in a store of this run."""
    return import_embedded(tmp_path_factory.mktemp("models"), "int8")


@pytest.fixture(scope="session")
def shared_household(tmp_path_factory: pytest.TempPathFactory, embedded: Embedded) -> Iterator[Household]:
    with Household(tmp_path_factory.mktemp("household"), models=embedded.models, model=embedded.name) as rig:
        rig.wait_until_covered()
        yield rig


@pytest.fixture
def household(shared_household: Household) -> Iterator[Household]:
    """Three nodes over SmolLM2. Tests only chat and look; whoever stops a node makes an own household."""
    shared_household.wait_until_idle()
    yield shared_household
    shared_household.wait_until_idle()
