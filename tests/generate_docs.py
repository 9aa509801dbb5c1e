"""Writes the pages of `docs/` that are made from the code: ``python -m tests.generate_docs``.

A test checks that what is committed is what this writes.
"""

from __future__ import annotations

from pathlib import Path

import click

from swarm_app.config.options import NODE_OPTIONS

DOCS = Path(__file__).resolve().parent.parent / "docs"


def options_page() -> str:
    """`docs/options.md`: every option of a node, from the same data as the command line."""
    lines = [
        "# Options of a node",
        "",
        "Made from `swarm_app/config/options.py` by `make docs`; do not edit.",
        "",
        "Each option can be given to `homeswarm node`, or be written into settings.toml in the profile,",
        "under `[node]`; the command line wins. `homeswarm node --profile DIR` chooses the profile itself.",
        "",
        "| option | setting | default | meaning |",
        "| --- | --- | --- | --- |",
    ]
    for option in NODE_OPTIONS:
        metavar = option.metavar.replace("|", "\\|")
        default = option.default_text.replace("<", "").replace(">", "") or "none"
        meaning = option.help.replace("|", "\\|")
        many = " May be given several times; in the settings a list." if option.many else ""
        flag = f"{option.flag} {metavar}".strip()
        lines.append(f"| `{flag}` | `{option.name}` | {default} | {meaning}{many} |")
    return "\n".join(lines) + "\n"


def commands_page() -> str:
    """`docs/commands.md`: the help of every command, as the command line prints it."""
    from swarm_app.cli.main import cli
    from swarm_app.node.command import node_command

    lines = ["# Commands", "", "Made from the commands themselves by `make docs`; do not edit."]

    def add(command: click.Command, path: list[str], parent: click.Context | None) -> None:
        context = click.Context(
            command,
            info_name=path[-1],
            parent=parent,
            terminal_width=96,
            max_content_width=96,
            help_option_names=["-h", "--help"],
        )
        lines.extend(["", f"## {' '.join(path)}", "", "```text", command.get_help(context).rstrip(), "```"])
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                child = (
                    node_command()
                    if name == "node" and parent is None
                    else command.get_command(context, name)
                )
                assert child is not None, name
                add(child, [*path, name], context)

    add(cli, ["homeswarm"], None)
    return "\n".join(lines) + "\n"


PAGES = {"options.md": options_page, "commands.md": commands_page}


def main() -> None:
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
        print(f"docs/{name}")


if __name__ == "__main__":
    main()
