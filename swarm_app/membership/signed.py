"""Records that somebody signs: fields, and over them, as the last field, a signature.

What every kind of record has in common stands here; a kind says what its fields are and how they are read.
Whose signature it must carry, and whether that one had the right to give it, is each kind's own matter.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import Field, replace
from typing import Any, ClassVar, Self

from swarm_app.membership.encoding import Fields, decode, encode
from swarm_app.membership.keys import SIGNATURE_BYTES, Signer, verify


class SignedRecord(ABC):
    """Each kind is a dataclass with the field `signature`, b"" while the record is blank."""

    __slots__ = ()
    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    KIND: ClassVar[str]
    """Of the message; also the context in which the signature is made."""
    MAX_BYTES: ClassVar[int]

    signature: bytes

    @abstractmethod
    def _fields(self) -> list[object]:
        """All that is signed, as `encoding.encode` takes it."""

    @classmethod
    @abstractmethod
    def _read(cls, fields: Fields) -> Self:
        """A blank record from what `_fields` gave. Raises Malformed."""

    def body(self) -> bytes:
        """What is signed."""
        return encode(self.KIND, self._fields())

    def to_bytes(self) -> bytes:
        return encode(self.KIND, [*self._fields(), self.signature])

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Raises Malformed. Nothing about rights or signatures is known yet."""
        fields = decode(data, cls.KIND, cls.MAX_BYTES)
        blank = cls._read(fields)
        signature = fields.data(SIGNATURE_BYTES)
        fields.end()
        return replace(blank, signature=signature)

    def signed(self, signer: Signer) -> Self:
        """The same with a signature by `signer`."""
        return replace(self, signature=signer.sign(self.KIND, self.body()))

    def is_signed_by(self, key: bytes) -> bool:
        """Whether the holder of that public key has signed this very record."""
        return verify(key, self.KIND, self.body(), self.signature)
