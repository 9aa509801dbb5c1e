"""``settings.toml`` of a profile: the same options as the command line, under ``[node]``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from swarm_app.config.options import NODE_OPTIONS
from swarm_app.config.paths import write_private
from swarm_app.domain.errors import BadRequest

_MAX_BYTES = 256 * 1024


def read_node_settings(path: Path) -> dict[str, object]:
    """Option names and raw values; {} where there is no file.

    Raises BadRequest, naming the file and what is wrong in it, for anything but known options.
    """
    try:
        with path.open("rb") as file:
            content = file.read(_MAX_BYTES + 1)
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise BadRequest(
            f"The settings file {path} cannot be read: {error.strerror}.",
            remedy="Look at that place, or choose another folder with --profile.",
        ) from None
    import tomllib

    try:
        if len(content) > _MAX_BYTES:
            raise ValueError("it is too big")
        table = tomllib.loads(content.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise BadRequest(
            f"The settings file {path} is not valid TOML: {error}.", remedy="Correct or remove it."
        ) from None
    node = table.pop("node", {})
    if table or not isinstance(node, dict):
        raise BadRequest(
            f"The settings file {path} may only have a [node] table.", remedy="Put the options under [node]."
        )
    known = {option.name for option in NODE_OPTIONS}
    settings = {str(key).replace("-", "_"): value for key, value in node.items()}
    if unknown := sorted(settings.keys() - known):
        raise BadRequest(
            f"The settings file {path} has an unknown option: {unknown[0]}.",
            remedy="See the options with: homeswarm node --help",
        )
    return settings


def write_node_settings(path: Path, settings: Mapping[str, object]) -> None:
    """Replace the file by these options (texts, whole numbers, truths, lists of texts); None leaves one out.

    Raises BadRequest where the file cannot be written.
    """
    lines = ["[node]"]
    for name, value in settings.items():
        if value is not None:
            lines.append(f"{name} = {_toml(value)}")
    try:
        write_private(path, "\n".join(lines) + "\n")
    except OSError as error:
        raise BadRequest(f"The settings file {path} cannot be written: {error.strerror}.") from None


def _toml(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_toml(item) for item in value) + "]"
    # A basic string of TOML is a string of JSON, but for DEL, which TOML wants escaped.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
