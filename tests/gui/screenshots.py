"""The pictures of the window in ``docs/images``: python -m tests.gui.screenshots [FOLDER]

Light and dark, at 1x and 2x, of a scripted household. Each kind is drawn by a process of its own, because a
scale is chosen when Qt starts.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from swarm_app.domain.route import Hop
from swarm_app.domain.span import Span
from swarm_app.localapi.completions import route_view
from tests.gui.stage import ROUTE, Stage, answer_of, change, pause, peer, seen
from tests.localapi.views import membership

IMAGES = Path(__file__).resolve().parents[2] / "docs" / "images"
SIZE = (1080, 720)
THEN = (ROUTE[0], Hop("12D3KooWKitchen", "kitchen", Span(10, 20)), ROUTE[2])
"""The way past the one that went to sleep."""

ANSWER = """A hash table finds an entry in **constant time** on average: the key's hash says in which bucket.

```python
def find(table: list[list[tuple[str, int]]], key: str) -> int | None:
    bucket = table[hash(key) % len(table)]
    for name, value in bucket:  # few, while the table is not too full
        if name == key:
            return value
    return None
```

1. The more entries share a bucket, the longer `find` takes.
2. Most tables therefore *grow* when they are about two thirds full."""


MODELS: dict[str, dict[str, Any]] = {
    "model": {
        "models": [
            {"name": "SmolLM2-135M-Instruct-int8", "total_bytes": 167_100_000, "num_blocks": 30},
            {"name": "SmolLM2-1.7B-Instruct-int8", "total_bytes": 1_796_000_000, "num_blocks": 24},
        ],
    },
    "local": {
        "used": "smollm2-135m-instruct-q4_1",
        "models": [
            {
                "name": "smollm2-135m-instruct-q4_1",
                "bytes": 98_400_000,
                "memory_bytes": 323_000_000,
                "embedded": True,
            },
            {"name": "smollm2-1.7b-instruct-q4_k_m", "bytes": 1_055_000_000, "memory_bytes": 1_620_000_000},
        ],
    },
}


class _Home:
    """The client's membership in a household of four."""

    def members(self) -> list[dict[str, Any]]:
        return [
            {
                "id": name,
                "name": name,
                "person": person,
                "role": role,
                "removed": False,
                "this_device": name == "desk",
                "seen_at": None if name == "desk" else time.time() - seen_s,
            }
            for name, person, role, seen_s in (
                ("desk", "Ada", "owner", 0),
                ("kitchen", "Ada", "member", 2),
                ("attic", "Grace", "member", 300),
                ("laptop", "Grace", "admin", 1),
            )
        ]

    def invites(self) -> list[dict[str, Any]]:
        return [{"id": "i", "state": "open", "role": "member", "expires_at": time.time() + 23.5 * 3600}]


def draw(folder: Path, suffix: str, dark: bool) -> None:
    from PySide6.QtCore import Qt

    from swarm_app.gui import look
    from swarm_app.gui.app import App, make_application
    from swarm_app.gui.firstrun.page import FirstRun
    from swarm_app.gui.settings.models import Models

    application = make_application("en")
    application.styleHints().setColorScheme(Qt.ColorScheme.Dark if dark else Qt.ColorScheme.Light)
    look.apply(application, look.DARK if dark else look.LIGHT)

    def wait(true: Callable[[], object], more_s: float = 0.4) -> None:
        until = time.monotonic() + 20
        while not true():
            assert time.monotonic() < until, "the picture did not come"
            application.processEvents()
            time.sleep(0.005)
        until = time.monotonic() + more_s
        while time.monotonic() < until:
            application.processEvents()
            time.sleep(0.005)

    def models(page: Models) -> None:
        """As its commands would tell of a computer with some models."""
        for kind, told in MODELS.items():
            page._show(kind, "", told)

    with (
        patch.object(Models, "read", models),
        tempfile.TemporaryDirectory() as home,
        Stage(Path(home)) as stage,
        patch("swarm_app.gui.swarm.people.membership", lambda client: _Home()),
    ):
        app = App(stage.paths, application, own_node=False)
        app.window.resize(*SIZE)
        app.start()
        app.window.resize(*SIZE)
        wait(lambda: app.link.state is not None)
        page = app.window.chat

        def shoot(name: str) -> None:
            app.window.grab().save(str(folder / f"window-{name}{suffix}.png"))

        def ask(question: str, answer: str, **more: object) -> None:
            stage.script = lambda turns: answer_of(answer, **more)  # type: ignore[arg-type]
            page.composer.text.setPlainText(question)
            page.send()
            wait(lambda: page.transcript.items and page.transcript.items[-1].view["text"] == answer)
            wait(lambda: not page._busy)

        for question in (
            "Plan a birthday for a seven-year-old",
            "Why is the sky blue?",
            "Translate my recipe",
        ):
            page.new()
            ask(question, "Of course.")
        page.new()
        question = "How does a hash table find things so fast? Show me in Python."
        ask(question, ANSWER, pauses=[pause()], then=THEN)
        shoot("chat")
        peers = [
            peer("desk", 0, 12),
            peer("kitchen", 8, 20),
            peer("attic", 10, 22, "asleep"),
            peer("laptop", 20, 30),
        ]
        view = stage.view | seen(stage.view, *peers)
        view["swarm"]["changes"] = [
            change("laptop", "", "available", 7200),
            change("attic", "available", "asleep", 300),
        ]
        stage.change(swarm=view["swarm"], children=view["children"], route=route_view(THEN))
        stage.change(membership=membership("member", swarm_name="Home", role="owner", number=4, members=4))
        app.window.show_page("household")
        wait(lambda: len(page._link.state["swarm"]["peers"]) == 4 if page._link.state else False)
        shoot("household")
        app.window.show_page("settings")
        wait(lambda: True)
        shoot("settings")
        first = FirstRun(stage.paths, app.link, app.node)
        app.window.show_alone(first)
        wait(lambda: True)
        shoot("first-run")
        first.door_join.click()
        first.join_page.computer.setText("attic")
        wait(lambda: True)
        shoot("join")
        app.end()


def main() -> int:
    if len(sys.argv) == 4:
        draw(Path(sys.argv[1]), sys.argv[2], sys.argv[3] == "dark")
        return 0
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGES
    folder.mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        for scale in (1, 2):
            suffix = ("" if theme == "light" else "-dark") + ("" if scale == 1 else "@2x")
            environment = {
                **os.environ,
                "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen"),
                "QT_SCALE_FACTOR": str(scale),
                "QT_QPA_OFFSCREEN_NO_GLX": "1",
            }
            command = [sys.executable, "-m", "tests.gui.screenshots", str(folder), suffix, theme]
            subprocess.run(command, env=environment, check=True)
    print(f"drawn into {folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
