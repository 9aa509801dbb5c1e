"""Makes the picture of the README from a real run: ``python -m tests.generate_picture``.

Runs ``make run PROMPT=...`` on a pseudo-terminal, keeps what the screen shows at the end, and draws that
as SVG with rich's own export. Nothing is written by hand; where it would look bad, it does.
"""

from __future__ import annotations

import fcntl
import io
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from pathlib import Path

from rich.console import Console
from rich.text import Text

ROOT = Path(__file__).resolve().parent.parent
PICTURE = ROOT / "docs" / "images" / "make-run.svg"
QUESTION = "What is the capital of France?"
COLUMNS = 92

_SEQUENCE = re.compile(r"\x1b\[([?0-9;]*)([A-Za-z])")


class Screen:
    """The little of a terminal that rich's live display uses: lines, cursor up, erase line, colours."""

    def __init__(self) -> None:
        self.lines: list[list[tuple[str, str]]] = [[]]
        self._row = 0
        self._column = 0
        self._style = ""

    def feed(self, text: str) -> None:
        position = 0
        while position < len(text):
            if match := _SEQUENCE.match(text, position):
                self._control(match[1], match[2])
                position = match.end()
                continue
            self._put(text[position])
            position += 1

    def _control(self, arguments: str, letter: str) -> None:
        if letter == "m":
            self._style = "" if arguments in ("", "0") else self._style + f"\x1b[{arguments}m"
        elif letter == "A":
            self._row = max(0, self._row - int(arguments or 1))
        elif letter == "K":
            self.lines[self._row] = [] if arguments == "2" else self.lines[self._row][: self._column]

    def _put(self, character: str) -> None:
        if character == "\r":
            self._column = 0
        elif character == "\n":
            self._row += 1
            self._column = 0
            while len(self.lines) <= self._row:
                self.lines.append([])
        elif character.isprintable():
            line = self.lines[self._row]
            line.extend([(" ", "")] * (self._column + 1 - len(line)))
            line[self._column] = (character, self._style)
            self._column += 1

    def ansi(self) -> str:
        """The lines with their colours."""
        return "\n".join("".join(f"{style}{char}\x1b[0m" for char, style in line) for line in self.lines)


def record(argv: list[str]) -> str:
    """Run a command on a terminal of COLUMNS and return the screen at its end; raises when it fails."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, COLUMNS, 0, 0))
    process = subprocess.Popen(
        argv,
        cwd=ROOT,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor"},
    )
    os.close(slave)
    raw = b""
    while True:
        try:
            piece = os.read(master, 65536)
        except OSError:  # Linux's way of saying that nobody holds the other end any more
            break
        if not piece:
            break
        raw += piece
    if process.wait() != 0:
        raise SystemExit(f"{argv} exited with {process.returncode}:\n{raw.decode(errors='replace')}")
    screen = Screen()
    screen.feed(raw.decode())
    return screen.ansi()


def main() -> int:
    shown = record(["make", "run", f"PROMPT={QUESTION}"])
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.assemble(("$ ", "bold green"), f'make run PROMPT="{QUESTION}"'))
    console.print(Text.from_ansi(shown))
    PICTURE.parent.mkdir(parents=True, exist_ok=True)
    svg = console.export_svg(title="Homeswarm", unique_id="homeswarm")
    # Without rich's web font, which a reader's browser would fetch from somewhere.
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    PICTURE.write_text(svg.replace("<svg ", '<svg xml:space="preserve" ', 1), encoding="utf-8")
    print(PICTURE)
    return 0


if __name__ == "__main__":
    sys.exit(main())
