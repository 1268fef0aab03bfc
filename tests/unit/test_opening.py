"""What a table's opening refuses: a game that it cannot deal."""

import pytest

from controller.opening import opening
from controller.runtime.clock import SystemClock
from controller.runtime.config import Config, Game, KeyFault, Table


def opened(name: str) -> str:
    config = Config(table=Table(id="t1", environment="test"), game=Game(name=name))
    fact = opening(config, SystemClock(), lambda: "x", after="", clock_quality="", torn="")
    return fact.game


def test_the_table_opens_with_the_game_that_it_deals() -> None:
    assert opened("live") == "live"


@pytest.mark.parametrize("name", ["rng", "nosuch", "Live"])
def test_a_game_that_the_table_cannot_deal_is_named_by_its_key(name: str) -> None:
    with pytest.raises(KeyFault, match=f"game.name: '{name}' is no game that this table can deal"):
        opened(name)
