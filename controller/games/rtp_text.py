"""The exact returns as a table for people."""

from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from controller.contract.cards import Card, points
from controller.contract.state import Outcome
from controller.games.saying import kind
from controller.rules.catalogue import Published
from controller.rules.odds import Advice, Odds
from controller.rules.odds_tree import KINDS

_OUTCOMES: Final = {
    Outcome.ROYAL: "win, Royal",
    Outcome.AUTO_WIN: "win at once",
    Outcome.HIGHER: "win, higher",
    Outcome.DEALER_BUST: "win, dealer bust",
    Outcome.PUSH: "push",
    Outcome.LOWER: "lose, lower",
    Outcome.TIE: "lose, tie",
    Outcome.TIE_AT_FIVE: "lose, tie at 5",
    Outcome.DEALER_ROYAL: "lose, 7½ to a Royal",
    Outcome.PLAYER_BUST: "lose, bust",
}


def text(
    game: str,
    published: Published,
    odds: Odds,
    burn: int,
    burned: Fraction | None,
    strategy: bool,
) -> str:
    parts = [_returns(game, published, odds), _mano_di_poker(odds), _outcomes(odds)]
    parts.append(_cards(odds, burn, burned))
    if strategy:
        parts.append(_strategy(odds.strategy))
    return "\n\n".join("\n".join(part) for part in parts)


def _returns(game: str, published: Published, odds: Odds) -> Iterator[str]:
    yield f"What {game} returns: every order of the forty cards, under the rules that deal it"
    yield ""
    always = odds.mano_di_poker.always_second_card.mano_di_poker
    for name, exact, promised in (
        ("main bet", odds.main, published.main),
        ("Partita Perfetta", odds.partita_perfetta, published.partita_perfetta),
        ("Mano di Poker", always, published.mano_di_poker),
    ):
        agrees = "agrees" if f"{float(100 * exact):.2f}" == promised else "DIFFERS"
        yield f"  {name:17} {_percent(exact)}   published {promised} %: {agrees}   {exact}"
    yield f"  {'by score alone':17} {_percent(odds.by_score)}   {odds.by_score}"
    yield "  The main bet is played for the most, knowing every card seen; by score alone, knowing"
    yield "  only the scores shown. Mano di Poker: always taking a second card."


def _mano_di_poker(odds: Odds) -> Iterator[str]:
    mdp = odds.mano_di_poker
    yield "Mano di Poker beside the main bet     main bet   Mano di Poker   of all that is staked"
    for name, pair in (
        ("always a second card", mdp.always_second_card),
        ("played best for the main bet", mdp.best_for_main),
        ("played best for both", mdp.best_for_both),
    ):
        both = (_percent(pair.main), _percent(pair.mano_di_poker))
        yield f"  {name:30} {both[0]}    {both[1]}            {_percent(pair.together(mdp.stake))}"
    yield f"  The stake on Mano di Poker is {mdp.stake} for each 1 on the main bet."


def _outcomes(odds: Odds) -> Iterator[str]:
    yield "How the main bet ends"
    for outcome, name in _OUTCOMES.items():
        if outcome in odds.outcomes:
            chance = odds.outcomes[outcome]
            yield f"  {name:20} {_percent(chance)}   {chance}"


def _cards(odds: Odds, burn: int, burned: Fraction | None) -> Iterator[str]:
    mean = odds.mean_cards + burn
    burns = f", {burn} of them burned" if burn else ""
    yield f"Cards a round: {float(mean):.4f} on average{burns} ({mean});"
    yield f"  at most {odds.most_cards + burn} in any order and any play."
    if burned is not None:
        same = "the same" if burned == odds.main else "NOT the same"
        yield f"With every burn of {burn} taken out, the main bet returns {same} fraction:"
        yield f"  {burned} ={_percent(burned)}"


def _strategy(advice: tuple[Advice, ...]) -> Iterator[str]:
    shown = sorted({row.shown for row in advice}, key=lambda cards: [*map(KINDS.index, cards)])
    table: defaultdict[int, dict[tuple[Card, ...], Advice]] = defaultdict(dict)
    for row in advice:
        table[row.scores.own][row.shown] = row
    yield "Best play (H hit, S stand, * other for the hands below; fig: a figure but KD)"
    yield ""
    yield f"  hand  {''.join(f'{_shown(cards):>5}' for cards in shown)}"
    for own in sorted(table):
        cells = (_cell(table[own].get(cards)) for cards in shown)
        yield f"  {points(own):>4}  {''.join(f'{cell:>5}' for cell in cells)}"
    for row in advice:
        if row.differs:
            yield ""
            score, other = points(row.scores.own), _play(not row.hit)
            yield f"  {score} against {_shown(row.shown)}: {other} with"
            yield from (f"    {' '.join(map(kind, hand))}" for hand in row.differs)


def _cell(advice: Advice | None) -> str:
    if advice is None:
        return "-"
    return ("H" if advice.hit else "S") + ("*" if advice.differs else "")


def _play(hit: bool) -> str:
    return "hit" if hit else "stand"


def _shown(cards: tuple[Card, ...]) -> str:
    return kind(cards[0]) if cards else "any"


def _percent(exact: Fraction) -> str:
    return f"{float(100 * exact):9.5f} %"
