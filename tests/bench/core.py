"""The pure core: whole rounds a second, what one input costs, memory over many rounds.

No journal, no socket, no sleep: `decide` (which applies each fact as it adds it)
on a manual clock. Times are CPU time: what a core of its own would take, whoever
else computes meanwhile. Runs in the default scheduling class.
"""

import gc
import time
from pathlib import Path
from typing import Final

from controller.contract.inputs import Input
from controller.table.machine import decide
from controller.table.state import TableState
from tests.bench.figures import US, Report, middle, percentile
from tests.bench.play import Play

ROUNDS_AIM: Final = 1_000
MEMORY_AIM_MIB: Final = 2.0
_PAGE: Final = 4_096
_MIB: Final = 1 << 20
_TIMED_ROUNDS: Final = 300


class Core:
    """The state machine alone."""

    def __init__(self) -> None:
        self.state = TableState()
        self.costs: dict[str, list[int]] | None = None
        """By kind of input, while they are wanted."""

    def take(self, asked: Input) -> TableState:
        if self.costs is None:
            self.state = decide(self.state, asked).state
            return self.state
        began = time.thread_time_ns()
        self.state = decide(self.state, asked).state
        cost = time.thread_time_ns() - began
        self.costs.setdefault(type(asked.body).__name__.lower(), []).append(cost)
        return self.state


def measure(report: Report, *, rounds: int) -> None:
    report.title(f"Pure core, in-process, manual clock, {rounds:,} rounds")
    core = Core()
    play = Play(core.take)
    _cost_of_an_input(report, core, play)
    _many_rounds(report, play, rounds)


def _cost_of_an_input(report: Report, core: Core, play: Play) -> None:
    play.rounds(_TIMED_ROUNDS)
    core.costs = {}
    play.rounds(_TIMED_ROUNDS)
    every = [cost for costs in core.costs.values() for cost in costs]
    for kind, costs in sorted({**core.costs, "every input": every}.items()):
        p50, p99 = middle(costs) / US, percentile(costs, 0.99) / US
        report.keep(f"core.{kind}", {"p50_us": p50, "p99_us": p99, "n": len(costs)})
        report.line(f"one {kind:<12} p50 {p50:6.1f} µs   p99 {p99:7.1f} µs   n {len(costs):,}")
    core.costs = None


def _many_rounds(report: Report, play: Play, rounds: int) -> None:
    marks = [rounds // 10, rounds // 2, rounds]
    speeds, memory, done = [], [], 0
    for mark in marks:
        while done < mark:
            chunk = min(mark - done, max(1, rounds // 20))
            began = time.process_time()
            play.rounds(chunk)
            speeds.append(chunk / (time.process_time() - began))
            done += chunk
            report.progress(f"{done:,} rounds, {speeds[-1]:,.0f} a second")
        memory.append(resident_mib())
    speed = middle(speeds)
    aim = report.aim("core.rounds_per_second", speed, ROUNDS_AIM, at_least=True)
    report.line(f"rounds a second {speed:,.0f} {aim}")
    growth = memory[-1] - memory[0]
    told = ", ".join(f"{m:.1f} MiB at {at:,}" for m, at in zip(memory, marks, strict=True))
    report.keep("core.resident_mib", dict(zip(map(str, marks), memory, strict=True)))
    aim = report.aim("core.memory_growth_mib", growth, MEMORY_AIM_MIB)
    report.line(f"resident memory {told}: grown {growth:.1f} MiB {aim}")


def resident_mib(pid: str = "self") -> float:
    if pid == "self":
        gc.collect()
    pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    return pages * _PAGE / _MIB
