from pathlib import Path

import pytest

from controller.runtime.config import load
from simulators.setup import Place, Wishes


def wishes(directory: Path, speed: float = 100) -> Wishes:
    return Wishes(
        rounds=1,
        speed=speed,
        seed=1,
        burn=2,
        players=3,
        directory=directory,
        display=False,
        port=8070,
        protocol="line",
        faults=(),
    )


@pytest.mark.parametrize("speed", [0.1, 1, 7.3, 100, 1000])
def test_the_table_toml_that_is_written_is_read_back_the_same(tmp_path: Path, speed: float) -> None:
    place = Place(wishes(tmp_path, speed))
    assert load(place.toml) == place.config
    place.remove_bus()


def test_at_speed_one_the_timers_are_those_of_a_live_table(tmp_path: Path) -> None:
    place = Place(wishes(tmp_path, 1))
    times = place.config.times
    assert (times.betting, times.decision, times.grace, times.results) == (15, 8, 1, 5)
    place.remove_bus()


def test_sockets_have_room_however_long_the_directory_is(tmp_path: Path) -> None:
    deep = tmp_path / ("long" * 30) / ("longer" * 20)
    place = Place(wishes(deep))
    assert len(str(place.bus / "requests")) < 100
    place.remove_bus()
    assert not place.bus.exists()
    assert place.journal.is_dir()
