"""A restart: how fast records are read and folded, and how long a long history keeps a table.

The history is dealt by the real state machine, in segments of the usual size,
each begun with a checkpoint: a start reads the last one only.
"""

import time
from pathlib import Path
from typing import Final

from controller.journal.segments import SEGMENT_BYTES, Journal
from controller.truth import Truth, recover
from tests.bench.disk import Journaled, Unsynced
from tests.bench.figures import Report, middle
from tests.bench.play import Play

RECORDS_AIM: Final = 50_000
START_AIM_S: Final = 2.0
"""For a start from a checkpoint."""
_TIMES: Final = 5


def measure(report: Report, place: Path, *, facts: int) -> None:
    report.title(f"Restart after {facts:,} facts")
    records, segments = _history(report, place, facts)
    report.line(f"{records:,} records in {segments} segments of {SEGMENT_BYTES >> 20} MiB")
    opens, folds, cpu, read = [], [], [], 0
    for _ in range(_TIMES):
        began = time.perf_counter()
        journal = Journal.open(place)
        opened, busy = time.perf_counter(), time.process_time()
        truth = Truth(journal, time.time_ns)
        folds.append(time.perf_counter() - opened)
        cpu.append(time.process_time() - busy)
        opens.append(opened - began)
        assert recover(journal) == truth.state
        read = sum(1 for _ in journal.tail())
        journal.close()
    rate = read / middle(cpu)
    start = middle(opens) + middle(folds)
    report.keep("restart.tail_records", read)
    report.keep("restart.records_per_second", rate)
    report.line(
        f"the last segment: {read:,} records; open and check {middle(opens) * 1e3:.0f} ms, "
        f"fold {middle(folds) * 1e3:.0f} ms, in CPU time {rate:,.0f} records a second "
        f"({'meets' if rate >= RECORDS_AIM else 'below'} {RECORDS_AIM:,}; starts from a checkpoint)"
    )
    aim = report.aim("restart.seconds", start, START_AIM_S)
    report.line(f"ready to decide after {start * 1e3:,.0f} ms {aim}")


def _history(report: Report, place: Path, facts: int) -> tuple[int, int]:
    journal = Unsynced.open(place)
    table = Journaled(journal)
    play = Play(table.take)
    said = 0
    while table.truth.seq < facts or not _tail_is_long(journal):
        play.rounds(10)
        if table.truth.seq >= said:
            report.progress(f"{table.truth.seq:,} facts written")
            said += max(1, facts // 10)
    records = journal.count
    journal.close()
    return records, len(list(place.glob("*.seg")))


def _tail_is_long(journal: Unsynced) -> bool:
    """The worst moment for a restart is just before the next checkpoint."""
    return journal.filled > 0.8
