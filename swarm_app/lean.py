"""What of the big libraries is put off until somebody asks for it.

A child that holds blocks or answers needs a small part of torch, transformers, hivemind and Petals, and waits
for all that their packages import when they start: hivemind's training and its expert layers, Petals' client
and its models, torch's compiler with sympy behind it, scipy for the losses of object detection. That is half
of what a child's imports take (2.5 of 5 s of processor time) and 110 MB of the memory of each.

`install` looks after the packages in `PUT_OFF`: their submodules are imported as ever, but their own
``__init__`` runs only when something of it is asked for, as `importlib.util.LazyLoader` has it for plain
modules. So nothing is missing; it comes later. And transformers, which asks what else is installed, is told
that `UNUSED` is not.

Purpose: the above. State owned: a finder at the head of `sys.meta_path`. Callers: `childloop`, `bridge`
and `models`, before the first import of any of these libraries; what is loaded already stays as it is.
"""

from __future__ import annotations

import sys
import threading
import types
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from typing import Any


def _unmarked(function: Any = None, *_: Any, **__: Any) -> Any:
    """A mark for torch's compiler, which has no meaning where nothing is compiled."""
    return _unmarked if function is None else function


_MARKS: dict[str, Any] = dict.fromkeys(
    ("allow_in_graph", "assume_constant_result", "disable", "disallow_in_graph"), _unmarked
)

PUT_OFF: dict[str, dict[str, Any]] = {
    "hivemind": {},
    "hivemind.moe": {},
    "hivemind.moe.client": {},
    "hivemind.moe.server": {},
    "petals": {},
    "petals.client": {},
    "petals.models": {},
    "petals.utils": {},
    "torch._dynamo": _MARKS,
}
"""The packages, each with the names that it has before it is run."""

ASKED = "transformers.utils.import_utils"
"""Where transformers finds out what is installed."""

UNUSED = ("is_scipy_available", "is_torch_distributed_available")
"""The questions that are answered with no: losses, and models that are spread over the cards of a cluster."""


class _PutOff(types.ModuleType):
    """A package that has not run. It becomes an ordinary one, the same object, when a name is not there."""

    def __getattr__(self, name: str) -> Any:
        # What only inspects modules asks for double underscores; an import in progress for its submodule.
        inspected = name.startswith("__") and name != "__version__"
        if inspected or f"{self.__name__}.{name}" in sys.modules:
            raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}")
        with _running:
            if type(self) is _PutOff:
                self.__class__ = types.ModuleType  # type: ignore[assignment]
                spec: Any = self.__spec__
                spec.loader.exec_module(self)
        return getattr(self, name)


_running = threading.RLock()


class _Standing(Loader):
    """Takes the place of a module's loader for its import, and gives it back."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader

    def exec_module(self, module: types.ModuleType) -> None:
        assert module.__spec__ is not None
        module.__loader__ = module.__spec__.loader = self.loader
        self.fill(module)

    def fill(self, module: types.ModuleType) -> None:
        raise NotImplementedError


class _Later(_Standing):
    """Makes the package, and leaves it to `_PutOff` to run it."""

    def create_module(self, spec: ModuleSpec) -> types.ModuleType:
        return _PutOff(spec.name)

    def fill(self, module: types.ModuleType) -> None:
        vars(module).update(PUT_OFF[module.__name__])


class _Told(_Standing):
    """Runs the module, and has it answer `UNUSED` with no from then on."""

    def fill(self, module: types.ModuleType) -> None:
        self.loader.exec_module(module)
        vars(module).update(dict.fromkeys(UNUSED, _no))


def _no() -> bool:
    return False


class _Finder(MetaPathFinder):
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: types.ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in PUT_OFF and name != ASKED:
            return None
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = (_Later if name in PUT_OFF else _Told)(spec.loader)
        return spec


def install() -> None:
    """Put off what is imported from now on. Imports nothing itself; safe to call twice."""
    if not any(isinstance(finder, _Finder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Finder())
