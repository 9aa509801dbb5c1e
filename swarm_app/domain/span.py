"""Spans of transformer blocks."""

from __future__ import annotations

from dataclasses import dataclass

from swarm_app.domain.errors import BadRequest


@dataclass(frozen=True, order=True, slots=True)
class Span:
    """Half-open range ``[start, end)`` of block indices; never empty."""

    start: int
    end: int

    def __post_init__(self) -> None:
        if not 0 <= self.start < self.end:
            raise BadRequest(f"A span needs 0 <= start < end, not {self.start}:{self.end}.")

    def __len__(self) -> int:
        return self.end - self.start

    def __contains__(self, block: object) -> bool:
        return isinstance(block, int) and self.start <= block < self.end

    def __str__(self) -> str:
        return f"{self.start}:{self.end}"

    @property
    def blocks(self) -> range:
        return range(self.start, self.end)

    def covers(self, other: Span) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlap(self, other: Span) -> Span | None:
        start, end = max(self.start, other.start), min(self.end, other.end)
        return Span(start, end) if start < end else None

    @classmethod
    def parse(cls, text: str) -> Span:
        """Read ``"start:end"``; raises BadRequest on anything else."""
        start, colon, end = text.partition(":")
        if not (colon and start.isascii() and start.isdigit() and end.isascii() and end.isdigit()):
            raise BadRequest(f"{text!r} is not a span.", remedy='Write it as "start:end", for example 0:10.')
        if len(start) > 6 or len(end) > 6:
            raise BadRequest(f"{text!r} names more blocks than any model has.")
        return cls(int(start), int(end))


def gaps(spans: list[Span], num_blocks: int) -> list[Span]:
    """Blocks of ``[0, num_blocks)`` that no span covers, as maximal spans in order."""
    missing: list[Span] = []
    position = 0
    for span in sorted(spans):
        if span.start > position:
            missing.append(Span(position, min(span.start, num_blocks)))
        position = max(position, span.end)
        if position >= num_blocks:
            return missing
    if position < num_blocks:
        missing.append(Span(position, num_blocks))
    return missing
