"""Token ids to text, piece by piece.

The joined pieces are the text of all ids. A character whose bytes are spread over several tokens
appears when its last byte has come; U+FFFD stands only for bytes that are no UTF-8, as a cut-off tail is.

Three kinds of tokenizers, told apart by their decoder: byte-level ones (GPT-2, Llama 3, Qwen), where a
token is bytes; byte-fallback ones (Llama 2, Mistral, Gemma), where tokens named ``<0xF0>`` are bytes
and the others are text; and any other, where a token's text may depend on its neighbour. For the last
two a token is decoded behind a short tail of the tokens before it and that tail's own text is taken
off, so that each token costs the same however long the answer is.

One intended difference from decoding everything at once: where a run of byte tokens holds something
that is not UTF-8, the `tokenizers` library replaces the whole run, good characters included; here only
the bad bytes are.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Sequence
from typing import Any

from tokenizers import Tokenizer

_BYTE_TOKEN = re.compile(r"<0x([0-9A-Fa-f]{2})>\Z")

_TAIL_TOKENS = 8
"""Longest tail kept for context; one token with visible text is the rule."""

_UNFINISHED_TOKENS = 16
"""A window that still ends in U+FFFD after so many tokens holds bad bytes, not an unfinished character."""


def _byte_level_alphabet() -> dict[str, int]:
    """The byte that each character of a byte-level vocabulary stands for (GPT-2's table).

    Printable Latin-1 bytes stand for themselves; the other 68 are moved to U+0100 and up, in order.
    """
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    moved = (byte for byte in range(256) if byte not in printable)
    return {chr(byte): byte for byte in printable} | {
        chr(0x100 + position): byte for position, byte in enumerate(moved)
    }


_ALPHABET = _byte_level_alphabet()


class Vocabulary:
    """What one tokenizer's ids stand for; shared by all answers. Fills itself as ids are met."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self.tokenizer = tokenizer
        decoder = tokenizer.decoder
        kinds = _kinds(json.loads(decoder.__getstate__())) if decoder is not None else set()
        self.byte_level = kinds == {"ByteLevel"}
        self.byte_fallback = "ByteFallback" in kinds
        self.special = frozenset(
            index for index, token in tokenizer.get_added_tokens_decoder().items() if token.special
        )
        """Ids that are never shown."""
        self._bytes: dict[int, bytes | None] = {}

    def bytes_of(self, token_id: int) -> bytes | None:
        """The bytes that the id stands for; None when it is text. Special and unknown ids are b""."""
        try:
            return self._bytes[token_id]
        except KeyError:
            found = self._bytes[token_id] = self._look_up(token_id)
            return found

    def _look_up(self, token_id: int) -> bytes | None:
        if token_id < 0 or token_id in self.special:
            return b""
        token = self.tokenizer.id_to_token(token_id)
        if token is None:
            return b""
        if self.byte_level:
            try:
                return bytes(_ALPHABET[char] for char in token)
            except KeyError:
                return token.encode()  # an added token that was never byte-encoded
        if self.byte_fallback and (match := _BYTE_TOKEN.match(token)):
            return bytes([int(match[1], 16)])
        return None

    def text_of(self, ids: Sequence[int]) -> str:
        """The whole text of `ids`, exactly what a Detokenizer's pieces add up to."""
        detokenizer = Detokenizer(self)
        return "".join([*map(detokenizer.feed, ids), detokenizer.finish()])


class Detokenizer:
    """One answer's text."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._utf8 = codecs.getincrementaldecoder("utf-8")("replace")
        self._tail: list[int] = []
        self._tail_text = ""
        self._unfinished: list[int] = []
        self._shown = 0

    def feed(self, token_id: int) -> str:
        """The text that `token_id` completes; may be empty."""
        data = self._vocabulary.bytes_of(token_id)
        if data is not None and not self._opens_as_text(data):
            if data and not self._vocabulary.byte_level:
                self._set_tail(token_id)
            return self._utf8.decode(data)
        cut_off = self._utf8.decode(b"", True)
        self._utf8.reset()
        return cut_off + self._feed_text(token_id)

    def finish(self) -> str:
        """The rest, when no more ids come: at most a cut-off character, as U+FFFD."""
        rest = self._utf8.decode(b"", True)
        self._utf8.reset()
        if self._unfinished:
            rest += self._decode(self._tail + self._unfinished)[len(self._tail_text) + self._shown :]
            self._unfinished = []
        return rest

    def _opens_as_text(self, data: bytes) -> bool:
        """Whether an answer's first token is a byte that the decoder might strip as it would a space."""
        return not self._vocabulary.byte_level and not self._tail and b"" < data < b"\x80"

    def _feed_text(self, token_id: int) -> str:
        self._unfinished.append(token_id)
        whole = self._decode(self._tail + self._unfinished)
        new = whole[len(self._tail_text) :]
        if new.endswith("\ufffd") and len(self._unfinished) < _UNFINISHED_TOKENS:
            # Some decoder of another kind that joins bytes: all but the last character is sure.
            ready = new[self._shown : -1]
            self._shown = max(self._shown, len(new) - 1)
            return ready
        ready = new[self._shown :]
        last = self._unfinished[-1]
        self._unfinished = []
        self._shown = 0
        self._set_tail(last)
        return ready

    def _set_tail(self, token_id: int) -> None:
        """Keep just enough context, one token with text, so that no leading space looks like the first."""
        text = self._decode([token_id])
        if text:
            self._tail = [token_id]
            self._tail_text = text
        else:
            self._tail = [*self._tail, token_id][-_TAIL_TOKENS:]
            self._tail_text = self._decode(self._tail)

    def _decode(self, ids: list[int]) -> str:
        return self._vocabulary.tokenizer.decode(ids, skip_special_tokens=True)


def _kinds(decoder: dict[str, Any]) -> set[str]:
    if decoder.get("type") == "Sequence":
        return set().union(*(_kinds(part) for part in decoder["decoders"]))
    return {str(decoder.get("type"))}
