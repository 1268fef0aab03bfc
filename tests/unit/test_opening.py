"""What a table's opening refuses: a game that it cannot deal."""

import pytest

from controller.contract.seats import Variant
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


def test_a_traditional_table_opens_with_the_rules_of_its_house() -> None:
    game = Game(name="traditional", seats=4, variants=(Variant.WILD,), no_bets="deal")
    config = Config(table=Table(id="t1", environment="test"), game=game)
    fact = opening(config, SystemClock(), lambda: "x", after="", clock_quality="", torn="")
    assert fact.house == game.house()
    assert (fact.most_cards, fact.no_bets) == (26, "skip")


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (Game(name="traditional", burn=1), "game.burn: must be 0"),
        (Game(name="traditional", seats=3, bank_seat=4), "game.bank_seat: must be one of"),
        (Game(name="traditional", seats=12), "game.deck_out: a round of 12 seats may need 46"),
        (
            Game(name="traditional", variants=(Variant.POT, Variant.ROYAL)),
            "game.variants: pot and royal do not go together",
        ),
    ],
)
def test_a_house_that_cannot_be_dealt_is_refused_by_its_key(game: Game, said: str) -> None:
    config = Config(table=Table(id="t1", environment="test"), game=game)
    with pytest.raises(KeyFault, match=said):
        opening(config, SystemClock(), lambda: "x", after="", clock_quality="", torn="")
