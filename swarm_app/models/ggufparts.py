"""The files of one GGUF model: its parts, their order, and whether all are there. Needs no torch."""

from __future__ import annotations

import re
from pathlib import Path

from swarm_app.domain.errors import HomeswarmError, ModelDamaged, ModelIncomplete
from swarm_app.models.ggufheader import Header, read_header

_PART = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})\.gguf", re.IGNORECASE)
_QUANT_SUFFIX = re.compile(r"[.-](i?q\d\w*|tq\d\w*|f16|f32|bf16|fp16|mxfp4\w*)$", re.IGNORECASE)

MAX_PARTS = 1000


def stem_of(path: Path) -> str:
    """The model's name in a file's name: without part number, kind of quantization and ending."""
    return _QUANT_SUFFIX.sub("", stem_with_quant(path))


def stem_with_quant(path: Path) -> str:
    """What the names of all parts of one model have in common."""
    part = _PART.fullmatch(path.name)
    return part["stem"] if part is not None else re.sub(r"\.gguf$", "", path.name, flags=re.IGNORECASE)


def find_parts(path: Path) -> list[Header]:
    """The headers of all parts of the model that a file belongs to, in order.

    What counts is what the files themselves say (``split.no``, ``split.count``), so that any part can be
    picked and renamed parts are put in their places. Raises ModelIncomplete naming a missing part.
    """
    picked = read_header(path)
    count = picked.integer("split.count") or 1
    if count == 1:
        return [picked]
    if not 1 < count <= MAX_PARTS:
        raise ModelDamaged(f"{path.name} is damaged: it claims to be one of {count} parts.")
    match = _PART.fullmatch(path.name)
    stem = match["stem"] if match is not None else None
    parts: dict[int, Header] = {}
    unreadable: list[HomeswarmError] = []
    for sibling in sorted(path.parent.glob("*.[gG][gG][uU][fF]")):
        other = _PART.fullmatch(sibling.name)
        if (other["stem"] if other is not None else None) != stem:
            continue
        try:
            header = picked if sibling.name == path.name else read_header(sibling)
        except HomeswarmError as error:
            # Where parts were renamed, any file may be one of them: it is named only if one is missing.
            unreadable.append(error)
            continue
        if header.integer("split.count") != count:
            continue
        number = header.integer("split.no")
        if number is None or not 0 <= number < count:
            raise ModelDamaged(f"{sibling.name} is damaged: it does not say which part it is.")
        if number in parts:
            raise ModelDamaged(
                f"{parts[number].path.name} and {sibling.name} both say they are part {number + 1}.",
                remedy="Keep the parts of one model in a folder of their own.",
            )
        parts[number] = header
    for number in range(count):
        if number not in parts:
            if unreadable:
                raise unreadable[0]
            name = f"{stem}-{number + 1:05d}-of-{count:05d}.gguf" if stem is not None else "a file"
            raise ModelIncomplete(
                f"Part {number + 1} of {count} is missing: {name}.",
                remedy="Download or copy all parts into one folder.",
            )
    ordered = [parts[number] for number in range(count)]
    total = ordered[0].integer("split.tensors.count")
    has = sum(len(header.tensors) for header in ordered)
    if total is not None and total != has:
        raise ModelIncomplete(
            f"The parts of {stem or path.name} hold {has} of {total} tensors.",
            remedy="Download or copy all parts again.",
        )
    return ordered
