"""`python -m tests.bench`: measure what the promises cost, and say it. `make bench` runs it.

Options only; each part of the measurement is a module beside this one. A figure
is never asserted here: other work on the machine must not turn a run red.
"""

import shutil
import sys
from pathlib import Path
from typing import Final

import click
import msgspec

from tests.bench import core, disk, idle, latency, restart
from tests.bench.figures import Report
from tests.bench.latency import Pace

PARTS: Final = ("latency", "core", "journal", "restart", "idle")


@click.command(context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--quick", is_flag=True, help="A look in a minute or two; too short for a verdict.")
@click.option("--rounds", type=click.IntRange(1), help="Interleaved rounds  [default: 5; quick 2]")
@click.option("--json", "output", type=click.Path(dir_okay=False, path_type=Path), metavar="FILE")
@click.option(
    "--only", type=click.Choice(PARTS), multiple=True, help="This part alone; may be repeated."
)
@click.option(
    "--dir",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("run/bench"),
    show_default=True,
    help="Emptied and used; must lie on the disk that is meant, not in memory.",
)
def main(
    quick: bool, rounds: int | None, output: Path | None, only: tuple[str, ...], directory: Path
) -> None:
    """Measure latency beside its floors, the pure core, the journal, a restart, and idling."""
    place = directory.absolute()
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir(parents=True)
    report = Report()
    try:
        _measure(report, place, only or PARTS, quick=quick, rounds=rounds or (2 if quick else 5))
    finally:
        shutil.rmtree(place, ignore_errors=True)
        if output:
            output.write_bytes(msgspec.json.format(msgspec.json.encode(report.figures)) + b"\n")
    report.close()


def _measure(
    report: Report, place: Path, parts: tuple[str, ...], *, quick: bool, rounds: int
) -> None:
    paces = [Pace(80, 80), Pace(4, 8)] if quick else [Pace(80, 400), Pace(4, 40)]
    if "latency" in parts:
        latency.measure(report, place / "latency", rounds=rounds, paces=paces)
    if "core" in parts:
        core.measure(report, rounds=5_000 if quick else 100_000)
    if "journal" in parts:
        lengths = (0, 1_000, 10_000) if quick else (0, 10_000, 100_000)
        disk.measure(report, place / "disk", rounds=rounds, lengths=lengths)
    if "restart" in parts:
        restart.measure(report, place / "restart", facts=100_000 if quick else 1_000_000)
    if "idle" in parts:
        idle.measure(report, place / "idle", seconds=3 if quick else 10)


if __name__ == "__main__":
    main(prog_name="python -m tests.bench", args=sys.argv[1:])
