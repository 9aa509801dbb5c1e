"""One node's membership in a process of its own, for a network namespace: ``found`` or ``join``.

    python -m tests.household.apart found FOLDER ADDRESS
    python -m tests.household.apart join FOLDER ADDRESS LINK...

``found`` prints a link for eight computers, and its door stays open until standard input ends. ``join`` lets
a new computer join by each link, and prints as JSON how many seconds each took. Callers: tests.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from tests.node.private_home import Home


async def found(folder: Path, address: str) -> None:
    home = Home(folder, "desk", listen=address)
    await home.start()
    await home.api.create("home", "")
    print(home.api.invite("member", 8, 3600, "")["link"], flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await home.stop()


async def join(folder: Path, address: str, links: Sequence[str]) -> None:
    took_s = []
    for number, link in enumerate(links):
        home = Home(folder, f"laptop{number}", listen=address)
        await home.start()
        began_s = time.monotonic()
        await home.private.join(link)
        took_s.append(time.monotonic() - began_s)
        await home.stop()
    print(json.dumps(took_s))


if __name__ == "__main__":
    command, folder, address, *links = sys.argv[1:]
    asyncio.run(found(Path(folder), address) if command == "found" else join(Path(folder), address, links))
