"""How quick the window is: python -m tests.gui.measure

Beside a running node (a scripted one, in a process of its own) it measures the start to a usable window, the
memory of the window's process, and the event loop's worst gap: in an answer at 30 tokens per second at the
end of 5,000 messages, while scrolling through them, and with a paste of 1 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

MESSAGES = 5000
TOKENS = 240
RATE = 30
LIMITS = {"start_s": 1.5, "memory_mb": 200.0, "worst_gap_ms": 100.0}


def stage(profile: Path) -> None:
    """The node's process: a long chat, and answers at RATE tokens per second, until standard input ends."""
    from swarm_app.localapi.answers import Begun, Done, Segment, Text
    from tests.gui.stage import ROUTE, Stage, Step

    def script(turns: object) -> list[Step]:
        told: list[Step] = [Begun(10, 0, ROUTE), Text("```python\n")]
        for n in range(TOKENS):
            told += [Text(f"line_{n} = {n}  # words\n" if n % 3 else f"def f{n}(): "), 1 / RATE]
        return [*told, Done("stop", 10, TOKENS, (Segment("swarm", "m", ROUTE, TOKENS),), None)]

    scene = Stage(profile)
    scene.script = script
    from swarm_app.node.history import History

    history = History(scene.paths.history_file)
    chat = history.create("A long chat", "", {})
    text = (
        "Some **bold** words and `code`.\n\n- one\n- two\n\n```python\nprint('hello')\n```\n\n" + "word " * 60
    )
    with history._change() as db:
        db.executemany(
            "INSERT INTO messages VALUES (NULL, ?, ?, ?, ?, 'complete', 0, '{}')",
            [
                (chat.id, n - 1 or None, "user" if n % 2 else "assistant", text)
                for n in range(1, MESSAGES + 1)
            ],
        )
        db.execute("UPDATE chats SET leaf = ? WHERE id = ?", (MESSAGES, chat.id))
    history.close()
    with scene:
        print(chat.id, flush=True)
        sys.stdin.read()


def window(profile: Path, chat: str, began: float) -> None:
    """The window's process; prints what it measured as JSON."""
    import psutil

    from swarm_app.config.paths import ProfilePaths
    from swarm_app.gui.app import App, make_application

    application = make_application("en")
    app = App(ProfilePaths.of(profile), application, own_node=False)
    app.start()
    while app.link.state is None or not app.window.sidebar.model.rows:
        application.processEvents()
        time.sleep(0.001)
    app.window.repaint()
    measured = {"start_s": time.time() - began}
    if chat:
        from PySide6.QtCore import QMimeData

        page = app.window.chat
        worst, last = [0.0], [time.perf_counter()]

        def run(until: Callable[[], bool], each: Callable[[], object] = lambda: None) -> float:
            """Work until something is true; the longest time between two rounds of the event loop."""
            worst[0], last[0] = 0.0, time.perf_counter()
            end = time.monotonic() + 60
            while not until() and time.monotonic() < end:
                each()
                application.processEvents()
                now = time.perf_counter()
                worst[0] = max(worst[0], now - last[0])
                time.sleep(0.002)
                last[0] = time.perf_counter()
            return worst[0] * 1000

        page.open(chat)
        gaps = {"open": run(lambda: len(page.transcript.items) > 0)}
        bar = page.transcript.verticalScrollBar()
        gaps["scroll"] = run(
            lambda: len(page.transcript.items) >= 600, lambda: bar.setValue(bar.value() - 400)
        )
        mime = QMimeData()
        mime.setText("x" * 1_000_000)
        pasted: list[bool] = []

        def paste() -> None:
            if not pasted:
                pasted.append(True)
                page.composer.text.insertFromMimeData(mime)

        gaps["paste"] = run(lambda: bool(pasted), paste)
        page.composer.text.setPlainText("Go on")
        page.send()
        gaps["stream"] = run(
            lambda: (
                page.transcript.items[-1].view["state"] == "complete"
                and len(page.transcript.items[-1].view["text"]) > 1000
            )
        )
        measured |= {f"gap_{name}_ms": gap for name, gap in gaps.items()}
        measured["worst_gap_ms"] = max(gaps.values())
    measured["memory_mb"] = psutil.Process().memory_info().rss / 1e6
    print(json.dumps(measured))
    sys.stdout.flush()
    os._exit(0)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--starts", type=int, default=7, help="how often the start is measured; the median counts"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--stage", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--window", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--chat", default="", help=argparse.SUPPRESS)
    parser.add_argument("--began", type=float, default=0, help=argparse.SUPPRESS)
    told = parser.parse_args()
    if told.stage:
        stage(told.stage)
        return 0
    if told.window:
        window(told.window, told.chat, told.began)
        return 0
    environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ}
    ours = [sys.executable, "-m", "tests.gui.measure"]
    with tempfile.TemporaryDirectory() as folder:
        profile = str(Path(folder) / "profile")
        node = subprocess.Popen(
            [*ours, "--stage", profile], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert node.stdin is not None
        assert node.stdout is not None
        try:
            chat = node.stdout.readline().strip()

            def measure(*more: str) -> dict[str, float]:
                command = [*ours, "--window", profile, "--began", repr(time.time()), *more]
                done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
                return dict(json.loads(done.stdout))

            measure()  # from a cold file cache
            starts = [measure()["start_s"] for _ in range(told.starts)]
            result = measure("--chat", chat)
        finally:
            node.stdin.close()
            node.wait(30)
    result["start_s"] = statistics.median(starts)
    if told.json:
        print(json.dumps(result, indent=2))
    else:
        for name, value in result.items():
            limit = f"  (at most {LIMITS[name]:g})" if name in LIMITS else ""
            print(f"{name:16} {value:8.2f}{limit}")
    return 0 if all(result[name] <= limit for name, limit in LIMITS.items()) else 1


if __name__ == "__main__":
    sys.exit(main())
