"""Adding a game is adding a file: everything that asks a game works for one never seen before."""

from fractions import Fraction
from pathlib import Path

import pytest
from felt import Felt, S

from controller.contract.commands import Exit, Verdict
from controller.contract.state import ClosedBy, Closing, Hand, Outcome, Phase, Reason, Result
from controller.games.played import play
from controller.rules.catalogue import DEALT, Rules
from controller.rules.hand import half_points
from controller.rules.live import Round
from controller.rules.odds import prove
from controller.rules.shared import SharedPosition
from controller.rules.steps import Close, Deal, Settle, Step


class Duel:
    """One card each: the higher wins even money, a tie is returned."""

    @staticmethod
    def next_step(game: Round) -> Step:
        if not game.position:
            return Deal(Hand.POSITION, Reason.FIRST)
        if not game.dealer:
            return Deal(Hand.DEALER, Reason.UP_CARD)
        if game.plain or game.mdp:
            return Close((Closing(1, ClosedBy.STAND, game.plain, game.mdp),))
        return Settle()

    @staticmethod
    def settle(game: Round) -> tuple[Result, ...]:
        mine, theirs = half_points(game.position), half_points(game.dealer)
        outcome, halves = Outcome.PUSH, 2
        if mine != theirs:
            outcome, halves = (Outcome.HIGHER, 4) if mine > theirs else (Outcome.LOWER, 0)
        (closing,) = game.closed
        return (
            Result(
                depth=1,
                by=closing.by,
                plain=closing.plain,
                mdp=closing.mdp,
                half_points=mine,
                outcome=outcome,
                main_halves=halves,
                mdp_returns=0,
            ),
        )


def test_its_odds_are_proved_by_the_same_code() -> None:
    duel: Rules = Duel()
    odds = prove(duel)
    assert odds.main == odds.by_score == 1
    assert odds.mean_cards == odds.most_cards == 2
    same = 12 * 11 + 7 * 4 * 3
    assert odds.outcomes[Outcome.PUSH] == Fraction(same, 40 * 39)
    assert odds.outcomes[Outcome.HIGHER] == odds.outcomes[Outcome.LOWER]
    assert odds.mano_di_poker.best_for_both.mano_di_poker == 0
    assert odds.strategy == ()


def test_its_rounds_are_replayed_by_the_same_code() -> None:
    played = play(Duel(), ["7S", "6C"], [])
    (result,) = Duel.settle(played.game)
    assert result.outcome is Outcome.HIGHER
    assert [type(taken.step) for taken in played.steps] == [Deal, Deal, Close, Settle]


EXAMPLE = Path(__file__).resolve().parents[2] / "ARCHITECTURE.md"


@pytest.fixture
def high_card(monkeypatch: pytest.MonkeyPatch) -> None:
    """The game of ARCHITECTURE.md, word for word, in the catalogue that the table asks."""
    chapter = EXAMPLE.read_text("utf-8").partition("## The game and the table")[2]
    text = chapter.partition("```python\n")[2].partition("```")[0]
    assert 15 < len([line for line in text.splitlines() if line.strip()]) <= 22
    names: dict[str, object] = {**globals(), "SharedPosition": SharedPosition}
    exec(compile(text, str(EXAMPLE), "exec"), names)
    dealt = {**DEALT, "high_card": names["HIGH_CARD"]}
    monkeypatch.setattr("controller.table.state.DEALT", dealt)
    monkeypatch.setattr("felt.DEALT", dealt)


@pytest.mark.usefixtures("high_card")
def test_the_example_of_the_architecture_is_dealt_by_the_table() -> None:
    felt = Felt(game="high_card").open().bets(3, mdp=1)
    assert felt.state.rules.most_cards == 2
    felt.card("7S")
    felt.restart()
    felt.reader_up()
    answer = felt.resolve(Exit.GO_ON)
    assert answer.verdict is Verdict.DONE, answer
    felt.card("6C")
    view = felt.state.view
    assert (view.phase, view.position.cards, view.dealer.cards) == (Phase.RESULT, ("7S",), ("6C",))
    assert [(r.plain, r.mdp, r.outcome) for r in view.results] == [(2, 1, Outcome.HIGHER)]
    felt.wait(5 * S)
    assert felt.phase is Phase.BETTING, "thirty-eight cards are enough for two more"
