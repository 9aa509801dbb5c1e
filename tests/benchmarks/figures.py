"""Figures: what is kept of many timings, and the table that shows them."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.table import Table


def percentile(values: Iterable[float], percent: int) -> float:
    """Nearest rank: the smallest value that at least `percent` of 100 do not exceed. Not of nothing."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


@dataclass(frozen=True, slots=True)
class Spread:
    """A figure taken several times."""

    median: float
    low: float
    high: float
    samples: list[float]
    """One for each round, in the order taken."""

    @classmethod
    def of(cls, samples: Sequence[float]) -> Spread:
        """Of at least one sample; rounded to four digits after the point, which is 0.1 us in ms."""
        kept = [round(sample, 4) for sample in samples]
        return cls(round(statistics.median(samples), 4), min(kept), max(kept), kept)


def ratios(above: Sequence[float], below: Sequence[float]) -> Spread:
    """above / below, round by round: what disturbed a round disturbed both."""
    return Spread.of([a / b for a, b in zip(above, below, strict=True)])


def differences(above: Sequence[float], below: Sequence[float], parts: int) -> Spread:
    """(above - below) / parts, round by round."""
    return Spread.of([(a - b) / parts for a, b in zip(above, below, strict=True)])


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """A table for the terminal: the first column names, the others hold numbers."""
    made = Table(title=title, title_justify="left")
    for index, column in enumerate(columns):
        made.add_column(column, justify="left" if index == 0 else "right", no_wrap=index == 0)
    for row in rows:
        made.add_row(*row)
    return made


def ms(value: float) -> str:
    return f"{value:.1f}" if value < 1000 else f"{value:,.0f}"
