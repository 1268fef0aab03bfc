"""What was measured, and how it is told: percentiles, lines for people, one dictionary for JSON.

A figure that has an aim says whether it is met; nothing here fails a run.
"""

import math
import sys
import time
from collections.abc import Sequence
from statistics import median
from typing import Final

US: Final = 1_000
"""Nanoseconds in a microsecond."""


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile."""
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def middle(values: Sequence[float]) -> float:
    return float(median(values))


class Report:
    """Collects figures by name and says them as they come."""

    def __init__(self) -> None:
        self.figures: dict[str, object] = {}
        self.missed: list[str] = []
        self._began = time.monotonic()

    def title(self, text: str) -> None:
        print(f"\n{text}")

    def line(self, text: str) -> None:
        print(f"  {text}", flush=True)

    def progress(self, text: str) -> None:
        """To the other stream, so that a table in a file stays a table."""
        print(f"  … {time.monotonic() - self._began:5.0f} s  {text}", file=sys.stderr, flush=True)

    def keep(self, name: str, value: object) -> None:
        self.figures[name] = value

    def aim(self, name: str, value: float, aim: float, *, at_least: bool = False) -> str:
        """Keep a figure, and say in two words whether it is where it should be."""
        self.figures[name] = value
        met = value >= aim if at_least else value <= aim
        if not met:
            self.missed.append(f"{name}: {value:,.2f}, aim {'≥' if at_least else '≤'} {aim:,g}")
        return f"(aim {'≥' if at_least else '≤'} {aim:,g}: {'met' if met else 'MISSED'})"

    def close(self) -> None:
        self.title("Aims missed" if self.missed else "All aims met")
        for missed in self.missed:
            self.line(missed)
