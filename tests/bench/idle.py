"""What the daemons cost while nothing happens: share of a core, and memory."""

import os
import shutil
import tempfile
import time
from pathlib import Path

from tests.bench.core import resident_mib
from tests.bench.figures import Report
from tests.bench.real_table import Noted
from tests.bench.scheduling import Scheduling


def measure(report: Report, place: Path, *, seconds: float) -> None:
    report.title(f"Idle for {seconds:.0f} s: an open line, a subscriber, nobody dealing")
    bus = Path(tempfile.mkdtemp(prefix="mazziere-bench-"))
    table = Noted(place, bus / "idle", Scheduling())
    try:
        before = [_cpu_seconds(pid) for pid in table.pids]
        time.sleep(seconds)
        for name, pid, used in zip(("controller", "shoe"), table.pids, before, strict=True):
            share = 100 * (_cpu_seconds(pid) - used) / seconds
            memory = resident_mib(str(pid))
            report.keep(f"idle.{name}", {"cpu_percent": share, "resident_mib": memory})
            report.line(f"{name:<11} {share:5.2f} % of a core, {memory:5.1f} MiB resident")
    finally:
        table.close()
        shutil.rmtree(bus, ignore_errors=True)


def _cpu_seconds(pid: int) -> float:
    """User and system time of all threads, to the nanosecond the scheduler counts."""
    tasks = Path(f"/proc/{pid}/task").glob("*/schedstat")
    if total := sum(int(task.read_text(encoding="ascii").split()[0]) for task in tasks):
        return total / 1e9
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
