import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from controller.contract.readings import ReadingKind
from drivers.shoe.profile import BUNDLED
from simulators.devices import device
from tests.hil.shoe_bench import SETTLED, Bench, Hands, Person, SimulatedHands


class Setup(NamedTuple):
    bench: Bench
    hands: Hands
    cards: int
    patience: float


@pytest.fixture
def bus_directory() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hil-") as directory:  # a socket's path must be short
        yield Path(directory)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    real = metafunc.config.getoption("--shoe", default=None)
    profiles = ["real"] if real else BUNDLED
    if "profile" in metafunc.fixturenames:
        metafunc.parametrize("profile", profiles)


@pytest.fixture
def setup(
    request: pytest.FixtureRequest, profile: str, tmp_path: Path, bus_directory: Path
) -> Iterator[Setup]:
    if profile == "real":
        path, name = request.config.getoption("--shoe"), request.config.getoption("--shoe-profile")
        with Bench(tmp_path, bus_directory, path, name) as bench:
            cards = request.config.getoption("--shoe-cards")
            yield Setup(bench, Person(), cards, patience=20 + 5 * cards)
        return
    hands = SimulatedHands(tmp_path / "shoe", device(profile))  # type: ignore[arg-type]
    with Bench(tmp_path, bus_directory, str(tmp_path / "shoe"), profile) as bench:
        yield Setup(bench, hands, 5, patience=10)
    hands.shoe.close()


def open_and_settled(setup: Setup) -> None:
    bench = setup.bench
    assert bench.until(lambda: bench.is_open, setup.hands, setup.patience), (
        f"the line did not open: {bench.status}"
    )
    settled_at = time.monotonic() + SETTLED
    bench.until(lambda: time.monotonic() > settled_at, setup.hands, 5)


def test_cards_that_pass_are_read_each_once_in_order_with_their_bytes(setup: Setup) -> None:
    open_and_settled(setup)
    bench, started = setup.bench, time.monotonic_ns()
    passed = setup.hands.pass_cards(setup.cards)
    assert bench.until(lambda: len(bench.cards) >= setup.cards, setup.hands, setup.patience), (
        f"{len(bench.cards)} of {setup.cards} cards were read; the reader says {bench.status}"
    )
    faces = [reading.card for reading in bench.cards]
    assert len(set(faces)) == setup.cards
    assert passed is None or faces == list(passed)
    assert [reading.n for reading in bench.readings] == list(range(1, len(bench.readings) + 1))
    stamps = [reading.stamp for reading in bench.cards]
    assert started < stamps[0]
    assert stamps == sorted(stamps)
    assert all(reading.raw for reading in bench.cards)


def test_nothing_is_read_while_no_card_passes(setup: Setup) -> None:
    open_and_settled(setup)
    bench = setup.bench
    assert not bench.until(lambda: bool(bench.cards), setup.hands, 1.0)
    lost = [reading.kind for reading in bench.readings if reading.kind is ReadingKind.NO_READ]
    assert lost == []
