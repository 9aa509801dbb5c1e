"""A whole node with scripted children: python node_main.py PROFILE MODELS JSON

The JSON object: ``blocks``, ``engine`` and ``local`` (behaviours of scripted_child.py; null for ``local`` is
the real one), ``options`` (raw node options), ``first_retry_s`` (null for the real one).
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from swarm_app.config.options import node_options
from swarm_app.domain.errors import HomeswarmError
from swarm_app.node import lives
from swarm_app.node.children import Kind
from swarm_app.node.keeper import own_commands
from swarm_app.node.process import run

SCRIPT = str(Path(__file__).with_name("scripted_child.py"))


def main() -> int:
    profile, models, told = Path(sys.argv[1]), sys.argv[2], json.loads(sys.argv[3])
    # Whoever tests on a laptop without its charger tests a node that contributes all the same.
    polite = dict.fromkeys(("when_active", "when_full_screen", "on_battery", "on_metered"), "ignore")
    given = {"models": models, "open": True, "fallback": "never", **polite, **told.get("options", {})}
    options = node_options(profile, given, {})
    commands = {
        kind: [sys.executable, SCRIPT, kind.value, json.dumps(told.get(kind.value, {}))] for kind in Kind
    }
    if told.get("local", {}) is None:
        commands[Kind.LOCAL] = list(own_commands()[Kind.LOCAL])
    lives.FIRST_RETRY_S = told.get("first_retry_s") or lives.FIRST_RETRY_S
    try:
        return run(options, child_commands=commands)
    except HomeswarmError as error:
        print(error, file=sys.stderr)
        return error.exit_code


if __name__ == "__main__":
    sys.exit(main())
