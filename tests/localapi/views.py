"""The state of a node as the local API tells it, for nodes that are played: nothing runs yet."""

from __future__ import annotations

from typing import Any

from swarm_app.localapi.view import StateView


def membership(standing: str = "open", **more: Any) -> Any:
    return {
        "standing": standing,
        "swarm_id": "",
        "swarm_name": "",
        "role": "",
        "device_id": "",
        "founder": False,
        "number": 0,
        "members": 0,
        "door": [],
        "reason": None,
        "requests": [],
        "clock": None,
    } | more


def quiet_view(name: str, model: str, num_blocks: int) -> StateView:
    """A node in an open swarm that it has not seen yet; whoever plays it changes what is different."""
    return {
        "node": {
            "name": name,
            "version": "0.1.0",
            "pid": 4710,
            "started_at": 0.0,
            "uptime_s": 0.0,
            "profile": "/p",
            "stopping": False,
            "answers": 0,
            "standby": False,
            "standby_bytes": 0,
        },
        "model": {"name": model, "id": "ab" * 32, "num_blocks": num_blocks, "quant": "none"},
        "children": {},  # type: ignore[typeddict-item]
        "swarm": {
            "num_blocks": num_blocks,
            "seen": False,
            "peers": [],
            "gaps": [[0, num_blocks]],
            "covered": False,
            "doubt": "",
            "why_doubt": [],
            "changes": [],
        },
        "route": [],
        "pauses": [],
        "chats": {"revision": 0, "running": []},
        "membership": membership(),
        "power": {
            "on_battery": None,
            "level": None,
            "sleep_coming": False,
            "delays_sleep": False,
            "last_sleep": None,
            "notes": [],
        },
        "link": {"addresses": [], "network": None, "last_change": None, "notes": []},
        "problems": [],
    }
