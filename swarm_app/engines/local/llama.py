"""llama.cpp with one model loaded; the only importer of xllamacpp.

The library is a whole server. It is called directly, but for what it offers over HTTP alone: its loopback
port takes a key that only this process knows, and answers no browser.

State owned: the loaded model, its port. Callers: `swarm_app.engines.local`.
"""

from __future__ import annotations

import contextlib
import faulthandler
import http.client
import json
import os
import re
import secrets
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from swarm_app.domain.errors import (
    HomeswarmError,
    LocalFailed,
    MemoryShort,
    ModelDamaged,
    ModelIncomplete,
    ModelUnsupported,
)
from swarm_app.models.ggufheader import Header

BATCH_TOKENS = 128
"""Tokens of a prompt that are computed together. A cancellation waits for no more; larger ones are hardly
faster on a processor."""

HTTP_S = 30.0
"""For tokenizing: milliseconds, but for a book on a busy computer."""

_WORKING_BYTES = 150_000_000
"""What llama.cpp needs beside weights and cache: its program, the vocabulary, buffers of a batch."""


class Llama:
    """A loaded model. `tokenize` and `complete` may be called from several threads; both block."""

    def __init__(
        self,
        path: Path,
        *,
        slot_tokens: int,
        slots: int,
        threads: int,
        warm_up: bool,
        check: bool = False,
    ) -> None:
        """Load `path`; `check`: look at each weight.

        Raises ModelUnsupported, ModelIncomplete, ModelDamaged or MemoryShort, by llama.cpp's own words.
        """
        import xllamacpp

        self._key = secrets.token_hex(16)
        params = xllamacpp.CommonParams()
        params.model.path = str(path)
        params.n_ctx = slot_tokens * slots
        params.n_parallel = slots
        params.n_batch = params.n_ubatch = BATCH_TOKENS
        params.cache_ram_mib = 0  # else it would keep up to 8 GiB of earlier conversations
        params.warmup = warm_up
        params.check_tensors = check
        # Between two tokens the threads sleep: the household's own work may want the processor.
        params.cpuparams.poll = params.cpuparams_batch.poll = 0
        if threads:
            params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
        params.hostnames = ["127.0.0.1"]
        params.api_keys = [self._key]
        params.cors_origins = ""
        params.ui = False
        params.endpoint_slots = False
        params.verbosity = 1  # errors: they are how a load says what was wrong
        said: list[str] = []
        try:
            with _overhearing(said):
                self._server = xllamacpp.Server(params)
        except RuntimeError:
            raise why_not_loaded(path, said) from None
        address = urlsplit(self._server.listening_address)
        self._port = int(address.port or 0)

    def tokenize(self, text: str, *, start: bool, special: bool) -> list[int]:
        """Token ids; `start` adds what the model begins with, `special` reads special texts as tokens."""
        body = {"content": text, "add_special": start, "parse_special": special}
        found = self._post("/tokenize", body).get("tokens")
        if not isinstance(found, list):
            raise LocalFailed("llama.cpp did not tokenize the conversation.")
        return [int(token) for token in found]

    def complete(self, request: dict[str, Any], on_chunk: Callable[[dict[str, Any]], bool]) -> None:
        """Run a completion in llama.cpp's terms; `on_chunk` gets each piece and returns True to end it."""

        def heard(raw: str) -> bool:
            # An exception would be lost in the native code that calls this.
            try:
                return on_chunk(json.loads(raw))
            except BaseException as error:  # noqa: BLE001
                failure.append(error)
                return True

        failure: list[BaseException] = []
        self._server.handle_completions(json.dumps({**request, "stream": True}), heard)
        if failure:
            raise failure[0]

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=HTTP_S)
        try:
            headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self._key}"}
            connection.request("POST", path, json.dumps(body).encode("utf-8"), headers)
            reply = connection.getresponse()
            value = json.loads(reply.read())
        except (OSError, ValueError, http.client.HTTPException):
            raise LocalFailed("llama.cpp does not answer.") from None
        finally:
            connection.close()
        return value if isinstance(value, dict) and reply.status == 200 else {}


@contextlib.contextmanager
def _overhearing(lines: list[str]) -> Iterator[None]:
    """Collect what native code writes to standard error meanwhile, and write it there afterwards."""
    sys.stderr.flush()
    kept = os.dup(2)
    # Where it crashes, that is to be seen and not collected.
    faulthandler.enable(kept)
    try:
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), 2)
            try:
                yield
            finally:
                os.dup2(kept, 2)
                file.seek(0)
                text = file.read(1 << 20)
                lines += text.decode("utf-8", "replace").splitlines()
                os.write(2, text)
    finally:
        faulthandler.enable(2)
        os.close(kept)


_SAYS = re.compile(r"error loading model: (.*)")


def why_not_loaded(path: Path, said: list[str]) -> HomeswarmError:
    """llama.cpp's complaints as an error of ours, with names and numbers where it gives them."""
    text = "\n".join(said)
    if found := re.search(r"unknown model architecture: '([^']*)'", text):
        return ModelUnsupported(f"Models of the family {found[1][:60]} are unsupported: {path.name} is one.")
    if found := re.search(r"invalid ggml type (\d+)", text):
        return ModelUnsupported(
            f"{path.name} holds tensors of a type that is unsupported: number {found[1]}."
        )
    if "not within the file bounds" in text or "corrupted or incomplete" in text:
        return ModelIncomplete(f"{path.name} is incomplete.", remedy="Download or copy it again.")
    if found := re.search(r"tensor '([^']*)' has invalid data", text):
        return ModelDamaged(
            f"{path.name} is damaged: the weights {found[1][:80]} are no numbers.",
            remedy="Download or copy it again.",
        )
    if re.search(r"failed to allocate|unable to allocate|out of memory|cannot allocate", text, re.IGNORECASE):
        return _memory_short(path, text)
    words = [found[1] for found in map(_SAYS.search, said) if found]
    told = f": {words[-1][:200].rstrip('.')}" if words else ""
    return ModelUnsupported(f"llama.cpp cannot load {path.name}{told}.")


def _memory_short(path: Path, text: str) -> MemoryShort:
    """What was asked for where llama.cpp says so, and what there is."""
    from swarm_app.host.allowance import memory

    found = re.search(r"buffer of size (\d+)", text)
    asked = f"{int(found[1]) / 1e9:.1f} GB were asked for in one piece, and " if found else ""
    return MemoryShort(
        f"There is not enough memory to load {path.name}: {asked}{memory().free / 1e9:.1f} GB are free."
    )


def memory_needed(header: Header, file_bytes: int, tokens: int) -> int:
    """Bytes for a model whose files have `file_bytes` and a cache of `tokens` positions.

    Keys and values: 2 * blocks * KV heads * head width * 2 bytes (16-bit numbers) for each position. What
    the header does not say counts as nothing.
    """
    family = header.text("general.architecture") or ""

    def number(key: str) -> int:
        value = header.metadata.get(f"{family}.{key}")
        if isinstance(value, list):  # one number for each block
            return max((int(each) for each in value if isinstance(each, int)), default=0)
        return value if type(value) is int else 0

    heads = number("attention.head_count")
    width = number("attention.key_length") or (number("embedding_length") // heads if heads else 0)
    kv_heads = number("attention.head_count_kv") or heads
    return file_bytes + 4 * number("block_count") * kv_heads * width * tokens + _WORKING_BYTES
