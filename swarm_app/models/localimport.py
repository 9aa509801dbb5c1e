"""Importing a GGUF file as a local model: checked, then linked or copied into a folder of its own.

State owned: none. Callers: `cli` (from within its commands). `fetch` needs the network, nothing needs torch.
"""

from __future__ import annotations

import math
import os
import re
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from swarm_app.domain.errors import BadRequest, ModelDamaged, ModelIncomplete, ModelNotFound, ModelUnsupported
from swarm_app.models.ggufheader import Header
from swarm_app.models.ggufparts import find_parts, stem_with_quant
from swarm_app.models.localmodels import LocalFile, LocalModels
from swarm_app.models.writing import SMALLER, check_space, clean_stale, full_disk_named, temporary_folder

Progress = Callable[[str, int, int], None]

Trial = Callable[[Path, str, int], None]
"""Loads the model whose first file, name and bytes it gets; raises what is wrong with it."""

_CHUNK_BYTES = 8 << 20


def check_whole(headers: Sequence[Header]) -> None:
    """That every part holds all tensors that it names.

    Raises ModelIncomplete in numbers, ModelUnsupported for a file that is no model, ModelDamaged for sizes
    that make no sense. Types of tensors that are new are llama.cpp's to refuse: a trial names them.
    """
    import gguf

    if not headers[0].text("general.architecture"):
        raise ModelUnsupported(
            f"{headers[0].path.name} does not say what model it is (general.architecture)."
        )
    if not any(header.tensors for header in headers):
        raise ModelUnsupported(f"{headers[0].path.name} holds no weights.")
    for header in headers:
        needs = 0
        for entry in header.tensors:
            try:
                block, size = gguf.GGML_QUANT_SIZES[gguf.GGMLQuantizationType(entry.type_number)]
            except (ValueError, KeyError):
                needs = max(needs, entry.offset)
                continue
            elements = math.prod(entry.shape)
            if elements % block:
                raise ModelDamaged(
                    f"{header.path.name} is damaged: the tensor {entry.name[:80]} is no multiple of {block}."
                )
            needs = max(needs, entry.offset + elements // block * size)
        if needs > header.size:
            raise ModelIncomplete(
                f"{header.path.name} is incomplete: it has {header.size} of {needs} bytes.",
                remedy="Download or copy it again.",
            )


def import_local(
    source: Path, models: LocalModels, *, name: str | None, progress: Progress, trial: Trial | None
) -> LocalFile:
    """Put the model that `source` (any of its parts) belongs to among the local models.

    A hard link where that is possible, else a copy. Where `trial` raises what is wrong, nothing is kept; None
    tries nothing. Raises what `trial` raises; ModelNotFound, ModelIncomplete (naming a missing part),
    ModelUnsupported, ModelDamaged, BadRequest for a name that is taken, DiskFull in numbers.
    """
    if not source.is_file():
        raise ModelNotFound(f"There is no file {source}.", remedy="")
    headers = find_parts(source)
    check_whole(headers)
    chosen = checked_name(name or stem_with_quant(headers[0].path))
    if any(model.name == chosen for model in models.list()):
        raise BadRequest(
            f"There is a local model {chosen} already.", remedy="Choose another name with --name."
        )
    what = f"Importing {chosen}"
    with full_disk_named(what, models.root, lambda: sum(header.size for header in headers), SMALLER):
        models.root.mkdir(parents=True, exist_ok=True)
        clean_stale(models.root)
        folder = temporary_folder(models.root, "import")
        try:
            first = _bring(headers, folder, chosen, what, progress)
            if trial is not None:
                progress("loading it once", 0, 1)
                trial(first, chosen, sum(header.size for header in headers))
                progress("loading it once", 1, 1)
            os.replace(folder, models.root / chosen)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return models.find(chosen)


def fetch_local(
    source: str,
    models: LocalModels,
    *,
    name: str | None,
    progress: Progress,
    trial: Trial | None,
    endpoint: str | None = None,
) -> LocalFile:
    """Download a model by its repo id (``owner/name``, ``:part-of-a-file's-name`` behind it) and import it.

    A download that broke off goes on where it stopped. Raises as `import_local`, and DownloadFailed.
    """
    from swarm_app.models.download import fetched

    with fetched(source, models.root, quant=None, progress=progress, endpoint=endpoint) as got:
        if got.gguf is None:
            raise ModelUnsupported(
                f"{source} holds no GGUF file, which the local model needs.",
                remedy="Choose a repo with GGUF files; see: homeswarm local list",
            )
        return import_local(got.gguf, models, name=name, progress=progress, trial=trial)


def checked_name(text: str) -> str:
    """A name that can be a folder's; raises BadRequest."""
    name = re.sub(r"[^a-z0-9._-]+", "-", text.lower()).strip("-.")
    if not name or len(name) > 100:
        raise BadRequest(f"{text[:80]!r} is no name for a model.", remedy="Choose one with --name.")
    return name


def _bring(headers: Sequence[Header], folder: Path, name: str, what: str, progress: Progress) -> Path:
    """Link or copy all parts; gives the first one."""
    total, done = sum(header.size for header in headers), 0
    for number, header in enumerate(headers):
        # llama.cpp finds further parts by these very names.
        part = f"-{number + 1:05d}-of-{len(headers):05d}" if len(headers) > 1 else ""
        target = folder / f"{name}{part}.gguf"
        try:
            os.link(header.path.resolve(), target)
            done += header.size
        except OSError:
            check_space(folder, what, total - done, SMALLER)
            with header.path.open("rb") as source, target.open("wb") as out:
                while piece := source.read(_CHUNK_BYTES):
                    out.write(piece)
                    done += len(piece)
                    progress("copying", done, total)
                out.flush()
                os.fsync(out.fileno())
        progress("copying", done, total)
    return min(folder.iterdir())


def remove_local(model: LocalFile) -> None:
    """Delete an imported model; the file that it was linked from stays. Raises BadRequest for the embedded
    one."""
    if model.embedded:
        raise BadRequest(f"{model.name} is a part of Homeswarm and stays.")
    shutil.rmtree(model.path.parent)
