"""The journal: what an append costs beside a bare write, and that its length costs nothing.

History is written by the real state machine into real segments, only without
waiting for the disk: its bytes matter, not how they came.
"""

import os
import time
from pathlib import Path
from typing import Final

from controller.contract.inputs import Input
from controller.journal.segments import Journal
from controller.table.state import TableState
from controller.truth import Truth
from tests.bench.figures import US, Report, middle, percentile
from tests.bench.floors import File
from tests.bench.play import Play

FLAT_AIM: Final = 1.25
"""Times the cost of a round in an empty journal."""
_RECORD: Final = b"r" * 700
_APPENDS: Final = 200


class Unsynced(Journal):
    """The journal without its sync: for history, and for the cost of all but the disk."""

    @property
    def filled(self) -> float:
        """The share of the present segment that is written."""
        return self._offset / self._segment_bytes

    def append(self, payload: bytes) -> bytes:
        record = self._encode(payload)
        os.pwrite(self._file, record, self._offset)
        self._offset += len(record)
        return self._advance(record)


class Journaled:
    """A table with its real truth: every input decided, written, applied."""

    def __init__(self, journal: Journal) -> None:
        self.truth = Truth(journal, time.time_ns)

    def take(self, asked: Input) -> TableState:
        if self.truth.take(asked) is None:
            raise RuntimeError(self.truth.failed)
        self.truth.checkpoint(asked.at)
        return self.truth.state


def measure(report: Report, place: Path, *, rounds: int, lengths: tuple[int, ...]) -> None:
    report.title("Journal")
    _append(report, place / "append", rounds)
    _length(report, place / "length", lengths)


def _append(report: Report, place: Path, rounds: int) -> None:
    place.mkdir(parents=True)
    journal, floor = Journal.open(place / "journal"), File(place / "floor")
    p50s: dict[str, list[float]] = {"journal": [], "bare": []}
    p99s: dict[str, list[float]] = {"journal": [], "bare": []}
    for _ in range(rounds):
        for name, append in (("bare", floor.append), ("journal", journal.append)):
            spans = []
            for _ in range(_APPENDS):
                began = time.perf_counter_ns()
                append(_RECORD)
                spans.append((time.perf_counter_ns() - began) / US)
            p50s[name].append(middle(spans))
            p99s[name].append(percentile(spans, 0.99))
    journal.close()
    for name, told in (("bare", "pwrite + fdatasync"), ("journal", "Journal.append")):
        p50, p99 = middle(p50s[name]), middle(p99s[name])
        report.keep(f"append.{name}", {"p50_us": p50, "p99_us": p99})
        report.line(f"{told:<20} p50 {p50:7.0f} µs   p99 {p99:8.0f} µs   ({rounds} × {_APPENDS})")


def _length(report: Report, place: Path, lengths: tuple[int, ...]) -> None:
    """Without the sync, whose scatter would hide what is looked for."""
    journal = Unsynced.open(place)
    play = Play(Journaled(journal).take)
    costs = []
    for length in lengths:
        while journal.count < length:
            play.rounds(1)
        report.progress(f"{journal.count:,} records in the journal")
        costs.append(_cost_of_a_round(play))
        report.line(f"a round at {length:>9,} records: {costs[-1]:6.0f} µs of CPU")
    journal.close()
    report.keep("journal.round_us", dict(zip(map(str, lengths), costs, strict=True)))
    ratio = costs[-1] / costs[0]
    aim = report.aim("journal.length_ratio", ratio, FLAT_AIM)
    report.line(f"last to first {ratio:.2f} {aim}")


def _cost_of_a_round(play: Play) -> float:
    play.rounds(50)
    spans = []
    for _ in range(100):
        began = time.thread_time_ns()
        play.rounds(4)
        spans.append((time.thread_time_ns() - began) / US / 4)
    return middle(spans)
