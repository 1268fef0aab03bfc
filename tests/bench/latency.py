"""From the last byte of a card's frame to the state in another process, beside its floors.

The chains take turns, round by round, so that whatever else the machine does
meets all of them alike; each figure is the median over the rounds. The order of
the chains turns from round to round. Both ends are this one process: one clock.
"""

import shutil
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from tests.bench.chains import Chain, Floor
from tests.bench.figures import US, Report, middle, percentile
from tests.bench.real_table import Dealt, Noted
from tests.bench.scheduling import Scheduling

P50_AIM: Final = 1.2
"""Times the ZeroMQ floor's p50."""
P99_AIM: Final = 1.5
"""Times the bare floor's p99."""
_WARM_UP: Final = 20
_S: Final = 1_000_000_000


class Pace(NamedTuple):
    """How many events a second, and how many events a chain's turn has."""

    per_second: int
    events: int


class Turn(NamedTuple):
    """One turn of one chain: its percentiles in µs and the pace that it really had."""

    p50: float
    p99: float
    per_second: float


def measure(report: Report, place: Path, *, rounds: int, paces: Sequence[Pace]) -> None:
    scheduling = Scheduling()
    report.title("Last byte of a card's frame on the pty → durable → state in another process (µs)")
    report.line(f"all chains and this process in {scheduling.name}; load {_load()}; ipc throughout")
    report.line("Angel Eye report of three copies: timed from the last byte of the first")
    report.keep("latency.scheduling", scheduling.name)
    with _chains(place, scheduling) as chains:
        for pace in paces:
            _at_pace(report, chains, scheduling, rounds, pace)


@contextmanager
def _chains(place: Path, scheduling: Scheduling) -> Iterator[list[Chain]]:
    bus = Path(tempfile.mkdtemp(prefix="mazziere-bench-"))
    chains: list[Chain] = []
    try:
        for kind, what in (
            ("bare", "bare floor: raw sockets"),
            ("zmq", "ZeroMQ floor"),
            ("thin", "thin: structs and journal"),
        ):
            chains.append(Floor(kind, what, place / kind, bus, scheduling))
        chains.append(Noted(place / "noted", bus / "noted", scheduling))
        chains.append(Dealt(place / "dealt", bus / "dealt", scheduling))
        yield chains
    finally:
        for chain in chains:
            chain.close()
        shutil.rmtree(bus, ignore_errors=True)


def _at_pace(
    report: Report, chains: list[Chain], scheduling: Scheduling, rounds: int, pace: Pace
) -> None:
    turns: dict[str, list[Turn]] = {chain.name: [] for chain in chains}
    for number in range(rounds):
        first = number % len(chains)
        for chain in chains[first:] + chains[:first]:
            with scheduling.taken():
                turns[chain.name].append(_turn(chain, pace))
        told = "  ".join(f"{name} {t[-1].p50:,.0f}/{t[-1].p99:,.0f}" for name, t in turns.items())
        report.progress(f"{pace.per_second}/s, round {number + 1} of {rounds}: {told}")
    _tell(report, chains, pace, rounds, turns)


def _turn(chain: Chain, pace: Pace) -> Turn:
    warm_up = min(_WARM_UP, pace.events // 4)
    step = _S // pace.per_second
    spans, began = [], 0
    due = time.monotonic_ns()
    for number in range(warm_up + pace.events):
        chain.prepare()
        due += step
        # A tick that was missed (betting and a new deck take their time) is left out.
        while due < time.monotonic_ns():
            due += step
        time.sleep(max(0, due - time.monotonic_ns()) / _S)
        took = chain.event()
        if number == warm_up:
            began = due
        if number >= warm_up:
            spans.append(took / US)
    lasted = (due + step - began) / _S
    return Turn(middle(spans), percentile(spans, 0.99), len(spans) / lasted)


def _tell(
    report: Report, chains: list[Chain], pace: Pace, rounds: int, turns: dict[str, list[Turn]]
) -> None:
    report.line("")
    report.line(
        f"at {pace.per_second} a second, {rounds} interleaved rounds of {pace.events} events, "
        "medians of the rounds" + ("; p99 is the worst of each" if pace.events < 100 else "")
    )
    report.line(f"{'':<32}{'p50':>8}{'p99':>8}   p50/ZeroMQ   p99/bare   events/s")
    zmq_p50 = middle([turn.p50 for turn in turns["zmq"]])
    bare_p99 = middle([turn.p99 for turn in turns["bare"]])
    for chain in chains:
        mine = turns[chain.name]
        p50, p99 = middle([t.p50 for t in mine]), middle([t.p99 for t in mine])
        key = f"latency.{pace.per_second}.{chain.name}"
        report.keep(key, {"p50_us": p50, "p99_us": p99, "rounds": [t._asdict() for t in mine]})
        report.line(
            f"{chain.what:<32}{p50:8,.0f}{p99:8,.0f}{p50 / zmq_p50:13.2f}{p99 / bare_p99:11.2f}"
            f"{middle([t.per_second for t in mine]):11.1f}"
        )
        if isinstance(chain, Noted | Dealt):
            to_zmq = report.aim(f"{key}.p50_to_zmq", p50 / zmq_p50, P50_AIM)
            to_bare = report.aim(f"{key}.p99_to_bare", p99 / bare_p99, P99_AIM)
            report.line(f"{'':<32}p50 {to_zmq}, p99 {to_bare}")


def _load() -> str:
    return Path("/proc/loadavg").read_text(encoding="ascii").split()[0]
