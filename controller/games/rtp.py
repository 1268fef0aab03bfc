"""`mazziere rtp GAME`: the exact returns, proved from the rules that deal the game.

The command and its JSON; the table for people is `controller.games.rtp_text`.
"""

import json
from fractions import Fraction
from typing import Any

import click

from controller.games.options import game_argument
from controller.games.rtp_text import text
from controller.rules.catalogue import GAMES, Published
from controller.rules.odds import Advice, Odds, main_return_after_burn, prove
from controller.rules.odds_side import Pair


def _stake(_context: click.Context, _option: click.Parameter, value: str) -> Fraction:
    try:
        stake = Fraction(value)
    except (ValueError, ZeroDivisionError):
        stake = Fraction(-1)
    if stake < 0:
        raise click.BadParameter(f"{value!r} is no stake: give a number like 1, 0.5 or 1/3")
    return stake


@click.command(short_help="Prove a game's returns, exactly.")
@game_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of the table.")
@click.option("--strategy", is_flag=True, help="Add the best play, hand by up card.")
@click.option(
    "--burn",
    type=click.IntRange(0, 3),
    default=0,
    metavar="N",
    help="Also take every burn of N unseen cards out of the deck and prove that nothing changes "
    "(1: seconds, 2: a minute, 3: some minutes).",
)
@click.option(
    "--mdp-stake",
    callback=_stake,
    default="1",
    metavar="RATIO",
    show_default=True,
    help="The stake on Mano di Poker for each 1 on the main bet, for the best play of both.",
)
def command(game: str, as_json: bool, strategy: bool, burn: int, mdp_stake: Fraction) -> None:
    """Prove what GAME returns, as exact fractions and without sampling.

    Every order of the forty cards is counted over the very rules that run the
    table, the player choosing what is best for the cards seen.
    """
    rules, published = GAMES[game]
    odds = prove(rules, mdp_stake)
    burned = main_return_after_burn(rules, burn) if burn else None
    if as_json:
        click.echo(json.dumps(as_object(game, published, odds, burn, burned, strategy), indent=1))
    else:
        click.echo(text(game, published, odds, burn, burned, strategy))


def as_object(
    game: str, published: Published, odds: Odds, burn: int, burned: Fraction | None, strategy: bool
) -> dict[str, Any]:
    """The whole answer as JSON has it; fractions are strings, num/den."""
    told: dict[str, Any] = {
        "game": game,
        "published_percent": published._asdict(),
        "main": {
            **_return(odds.main),
            "outcomes": {name.value: _chance(chance) for name, chance in odds.outcomes.items()},
            "by_displayed_score": _return(odds.by_score),
        },
        "partita_perfetta": _return(odds.partita_perfetta),
        "mano_di_poker": _mano_di_poker(odds),
        "cards": {
            "mean": f"{odds.mean_cards + burn}",
            "mean_decimal": float(odds.mean_cards + burn),
            "most": odds.most_cards + burn,
        },
    }
    if burned is not None:
        told["burn"] = {"cards": burn, "main": _return(burned), "same": burned == odds.main}
    if strategy:
        told["strategy"] = [_advice(advice) for advice in odds.strategy]
    return told


def _return(exact: Fraction) -> dict[str, Any]:
    return {"rtp": f"{exact.numerator}/{exact.denominator}", "percent": float(100 * exact)}


def _chance(exact: Fraction) -> dict[str, Any]:
    return {"probability": f"{exact.numerator}/{exact.denominator}", "percent": float(100 * exact)}


def _mano_di_poker(odds: Odds) -> dict[str, Any]:
    mdp = odds.mano_di_poker
    return {
        **_return(mdp.always_second_card.mano_di_poker),
        "play": "always a second card",
        "main": _return(mdp.always_second_card.main),
        "best_for_main": _pair(mdp.best_for_main),
        "best_for_both": {
            "stake": f"{mdp.stake}",
            **_pair(mdp.best_for_both),
            "together": _return(mdp.best_for_both.together(mdp.stake)),
        },
    }


def _pair(pair: Pair) -> dict[str, Any]:
    return {"main": _return(pair.main), "mano_di_poker": _return(pair.mano_di_poker)}


def _advice(advice: Advice) -> dict[str, Any]:
    """Figures other than the wild card stand as `JS`, spot cards as spades: suits do not matter."""
    return {
        "half_points": advice.scores.own,
        "up_card": advice.shown[0] if advice.shown else None,
        "play": _play(advice.hit),
        "differs": [{"hand": list(hand), "play": _play(not advice.hit)} for hand in advice.differs],
    }


def _play(hit: bool) -> str:
    return "hit" if hit else "stand"
