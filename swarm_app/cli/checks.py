"""What `homeswarm doctor` looks at on this computer, each in one function.

Nothing heavy is imported: torch and p2pd are tried in processes of their own, so that even a crash in
native code is one finding among others.
"""

from __future__ import annotations

import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import socket
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from swarm_app.config.options import NodeOptions
from swarm_app.domain.errors import HomeswarmError

PACKAGES = (
    "torch",
    "transformers",
    "petals",
    "hivemind",
    "safetensors",
    "tokenizers",
    "huggingface_hub",
    "gguf",
    "xllamacpp",
)
"""Those whose versions a bug report needs."""

MEMORY_WANTED_BYTES = 2_000_000_000
"""Three processes with torch and a small model's span fit; less swaps or is killed."""

DISK_WANTED_BYTES = 1_000_000_000
"""The embedded default model, as a source and imported, several times over."""

PROFILE_WANTED_BYTES = 10_000_000
"""Chats, and what SQLite writes beside them: its journal alone grows to 4 MB."""

TRY_TIMEOUT_S = 120.0
"""Importing torch from a cold, slow disk takes a minute; beyond that something hangs."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report. `remedy` says what to do where `ok` is False."""

    topic: str
    ok: bool
    text: str
    remedy: str = ""


def python() -> list[Finding]:
    return [Finding("Python", True, f"{platform.python_version()} on {platform.platform(terse=True)}")]


def packages() -> list[Finding]:
    """Versions of the packages that matter, and each of them that is not there."""
    versions: list[str] = []
    missing: list[str] = []
    for name in PACKAGES:
        try:
            versions.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            missing.append(name)
    found = [Finding("packages", True, ", ".join(versions))] if versions else []
    if missing:
        text = f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} not installed."
        found.append(Finding("packages", False, text, "Install Homeswarm again."))
    return found


_TRY_TORCH = """
import json, torch
kinds = ["cpu"]
if torch.cuda.is_available(): kinds.append(torch.cuda.get_device_name(0))
if torch.backends.mps.is_available(): kinds.append("mps")
lost = []
x = torch.ones(1, 64, dtype=torch.bfloat16)
try:
    torch._weight_int8pack_mm(x, torch.ones(64, 64, dtype=torch.int8), torch.ones(64, dtype=torch.bfloat16))
except Exception: lost.append("int8")
try:
    packed = torch._convert_weight_to_int4pack_for_cpu(torch.zeros(64, 64, dtype=torch.int32), 1)
    torch._weight_int4pack_mm_for_cpu(x, packed, 32, torch.ones(2, 64, 2, dtype=torch.bfloat16))
except Exception: lost.append("int4")
print(json.dumps([kinds, torch.backends.cpu.get_cpu_capability(), torch.get_num_threads(), lost]))
"""


def torch_kernels() -> list[Finding]:
    """Whether torch loads, on what it computes, and whether the packed kernels run."""
    try:
        tried = subprocess.run(
            [sys.executable, "-c", _TRY_TORCH], capture_output=True, timeout=TRY_TIMEOUT_S, check=True
        )
        kinds, capability, threads, lost = json.loads(tried.stdout)
    except subprocess.TimeoutExpired:
        return [
            Finding("torch", False, "torch did not load in two minutes.", "Look at the disk and the memory.")
        ]
    except (OSError, ValueError, subprocess.CalledProcessError):
        return [Finding("torch", False, "torch does not load on this computer.", "Install Homeswarm again.")]
    found = [Finding("torch", True, f"computes on {', '.join(kinds)} ({capability}, {threads} threads)")]
    if lost:
        text = f"The packed {' and '.join(lost)} kernels do not run here."
        found.append(
            Finding("torch", False, text, "Import models with --quant bf16 or none on this computer.")
        )
    return found


def p2pd() -> list[Finding]:
    """Whether the program that carries the swarm's connections is there and starts."""
    spec = importlib.util.find_spec("hivemind")
    if spec is None or not spec.origin:
        return [Finding("p2pd", False, "hivemind is not installed.", "Install Homeswarm again.")]
    program = Path(spec.origin).parent / "hivemind_cli" / "p2pd"
    again = "Install Homeswarm again, on Linux or macOS (on Windows: inside WSL 2)."
    if not program.is_file():
        return [Finding("p2pd", False, "The program p2pd, which connects the computers, is missing.", again)]
    try:
        tried = subprocess.run([program, "--help"], capture_output=True, timeout=TRY_TIMEOUT_S, check=False)
    except (OSError, subprocess.TimeoutExpired):
        tried = None
    if tried is None or b"hostAddrs" not in tried.stderr + tried.stdout:
        return [
            Finding("p2pd", False, "The program p2pd, which connects the computers, does not run.", again)
        ]
    return [Finding("p2pd", True, "runs")]


def loopback() -> list[Finding]:
    """Whether programs of this computer can reach one another."""
    try:
        with socket.create_server(("127.0.0.1", 0)) as server:
            address = server.getsockname()
            socket.create_connection(address, timeout=5.0).close()
    except OSError as error:
        text = f"Programs on this computer cannot connect to 127.0.0.1: {error.strerror or 'no answer'}."
        return [Finding("loopback", False, text, "Allow it in the firewall.")]
    return [Finding("loopback", True, "127.0.0.1 answers")]


def memory() -> list[Finding]:
    """What is free, and which limits of a container or service count here."""
    from swarm_app.cli.console import in_bytes
    from swarm_app.cli.draw import limits
    from swarm_app.host import allowance

    is_now, limited = allowance.memory(), allowance.limited()
    text = f"{in_bytes(is_now.free)} of {in_bytes(is_now.total)} free"
    remedy = "Close other programs, or serve fewer blocks here."
    if is_now.is_limited:
        text += f" (the computer has {in_bytes(is_now.computer)})"
        remedy = "Give the container or service that Homeswarm runs in more, or serve fewer blocks here."
    short = is_now.free < MEMORY_WANTED_BYTES
    found = [Finding("memory", not short, f"Only {text}." if short else text, remedy if short else "")]
    if told := limits(limited.memory_bytes, limited.processors):
        found.append(Finding("limits", True, told))
    return found


def disk(options: NodeOptions) -> list[Finding]:
    from swarm_app.cli.console import in_bytes

    folder = _existing(options.models)
    free = shutil.disk_usage(folder).free
    text = f"{in_bytes(free)} free where the models lie ({options.models})"
    if free < DISK_WANTED_BYTES:
        return [Finding("disk", False, f"Only {text}.", "Make room, or name another folder with --models.")]
    return [Finding("disk", True, text)]


def _existing(folder: Path) -> Path:
    while not folder.exists():
        folder = folder.parent
    return folder


def profile(options: NodeOptions) -> list[Finding]:
    """Whether the profile can be written to by this user and read by nobody else, and has room."""
    from swarm_app.cli.console import in_bytes

    folder = options.profile
    if not folder.exists():
        parent = _existing(folder)
        if not os.access(parent, os.W_OK | os.X_OK):
            text = f"The profile {folder} cannot be made: {parent} is not writable."
            return [Finding("profile", False, text, "Name another folder with --profile.")]
        return [Finding("profile", True, f"{folder} (made when the node first starts)")]
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        text = f"The profile {folder} is not a folder that you can write to."
        return [Finding("profile", False, text, "Name another folder with --profile.")]
    if stat.S_IMODE(folder.stat().st_mode) & 0o077:
        text = f"Other users of this computer can look into the profile {folder}."
        return [Finding("profile", False, text, f"Make it private: chmod 700 '{folder}'")]
    if (free := shutil.disk_usage(folder).free) < PROFILE_WANTED_BYTES:
        text = f"The disk of the profile {folder} has {in_bytes(free)} free: no chat can be saved."
        return [Finding("profile", False, text, "Free some space there.")]
    return [Finding("profile", True, str(folder))]


def models(options: NodeOptions) -> list[Finding]:
    """Each model: whether its files are there in their full size. Checksums are `model verify`'s work."""
    from swarm_app.cli.console import in_bytes
    from swarm_app.models.store import ModelStore

    store = ModelStore(options.models)
    found: list[Finding] = []
    for model in store.list():
        absent = [entry.name for entry in model.manifest.files if not model.has(entry.name)]
        short = [
            entry.name
            for entry in model.manifest.files
            if entry.name not in absent and (model.dir / entry.name).stat().st_size != entry.size
        ]
        if short:
            text = f"{short[0]} of the model {model.name} has not the size that it should have."
            found.append(Finding("models", False, text, "Import the model again."))
        else:
            some = f", {len(absent)} of {len(model.manifest.files)} files not here" if absent else ""
            text = f"{model.name}, {in_bytes(model.manifest.total_bytes)}{some}"
            found.append(Finding("models", True, text))
    for name, error in store.problems().items():
        found.append(Finding("models", False, f"{name}: {error.message}", error.remedy))
    if not found:
        found.append(_alone(options, store.root))
    return found


def _alone(options: NodeOptions, root: Path) -> Finding:
    """No model to share: a computer can chat with its local one alone."""
    from swarm_app.models.localmodels import LocalModels

    share = "import one to share it with: homeswarm model import"
    if local := LocalModels(options.local_models).list():
        return Finding("models", True, f"none in {root}; {local[0].name} answers here alone; {share}")
    return Finding("models", False, f"There is no model in {root}.", f"{share[:1].upper()}{share[1:]}")


def settled(check: object, error: HomeswarmError) -> Finding:
    """A finding from an error that a check met."""
    return Finding(getattr(check, "__name__", "check"), False, error.message, error.remedy)
