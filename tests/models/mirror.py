"""A hub of our own on loopback that can be told to misbehave."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote

LARGE_BYTES = 10_000
"""Files from this size on are listed with a SHA-256, as those in Git LFS are; others with a git hash."""


class Mirror:
    """One repository, ``someone/tiny``, out of a folder.

    `misbehave` maps a file's name to what is done to each answer: it gets the number of the answer for that
    file (from 0) and the content asked for, and gives the status and the bytes that are sent (the header
    always promises the content's own length), or None for an ordinary answer.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.misbehave: dict[str, Callable[[int, bytes], tuple[bytes, int] | None]] = {}
        self.ranges = True
        self.listing_is_a_page = False
        self.requests: list[tuple[str, str | None]] = []
        """Path and Range header of every request for a file."""
        self.sent: dict[str, int] = {}
        self.endpoint = ""

    @property
    def commit(self) -> str:
        names = sorted(path.name for path in self.folder.iterdir())
        return hashlib.sha1(json.dumps(names).encode()).hexdigest()

    def listing(self) -> bytes:
        siblings = []
        for path in sorted(self.folder.iterdir()):
            content = path.read_bytes()
            item = {
                "rfilename": path.name,
                "size": len(content),
                "blobId": hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest(),
            }
            if len(content) >= LARGE_BYTES:
                item["lfs"] = {
                    "size": len(content),
                    "sha256": hashlib.sha256(content).hexdigest(),
                    "pointerSize": 130,
                }
            siblings.append(item)
        return json.dumps(
            {"_id": "0", "id": "someone/tiny", "sha": self.commit, "siblings": siblings, "tags": []}
        ).encode()

    def answers(self, name: str) -> int:
        return sum(path.endswith("/" + name) for path, _ in self.requests)


@contextmanager
def serving(folder: Path) -> Iterator[Mirror]:
    """Start the mirror; it ends with the context."""
    mirror = Mirror(folder)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *_: object) -> None:
            pass

        def _send(self, status: int, content: bytes, promised: int, **headers: str) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(promised))
            for key, value in headers.items():
                self.send_header(key.replace("_", "-"), value)
            self.end_headers()
            self.wfile.write(content)
            if len(content) < promised:
                # A connection that breaks off.
                self.close_connection = True

        def do_GET(self) -> None:
            path = unquote(self.path.partition("?")[0])
            if path.startswith("/api/models/someone/tiny"):
                page = b"<!doctype html><html>Please log in to the network</html>"
                content = page if mirror.listing_is_a_page else mirror.listing()
                kind = "text/html" if mirror.listing_is_a_page else "application/json"
                self._send(200, content, len(content), Content_Type=kind)
                return
            name = path.rpartition("/")[2]
            if (
                path != f"/someone/tiny/resolve/{mirror.commit}/{name}"
                or not (mirror.folder / name).is_file()
            ):
                self._send(404, b"", 0, X_Error_Code="RepoNotFound")
                return
            self._file(path, name)

        def _file(self, path: str, name: str) -> None:
            wanted = self.headers.get("Range")
            number = mirror.answers(name)
            mirror.requests.append((path, wanted))
            whole = (mirror.folder / name).read_bytes()
            start, status, headers = 0, 200, {}
            if wanted is not None and mirror.ranges:
                start = int(wanted.removeprefix("bytes=").partition("-")[0])
                status, headers = 206, {"Content_Range": f"bytes {start}-{len(whole) - 1}/{len(whole)}"}
            content, promised = whole[start:], len(whole) - start
            change = mirror.misbehave.get(name)
            if change is not None and (changed := change(number, content)) is not None:
                content, promised = changed
            mirror.sent[name] = mirror.sent.get(name, 0) + len(content)
            self._send(status, content, promised, **headers)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    mirror.endpoint = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield mirror
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
