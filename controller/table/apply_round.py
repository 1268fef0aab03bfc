"""What facts change in a round: windows, bets, cards in their hands, choices, the result.

Rule for this file, as for `apply.py`: it never decides. It calls the game only
to keep its round up to date (`begin`, `after`) and to show it (`shown`).
"""

from typing import Final

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from controller.contract.facts import (
    AnyFact,
    BetsTaken,
    BettingOpened,
    CardCounted,
    DecisionOpened,
    DecisionsTaken,
    MoveDue,
    PlayersClosed,
    PlayersShut,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
    WindowMoved,
)
from controller.contract.seat_facts import (
    BankPassed,
    ChoiceTaken,
    HandShown,
    PotPaid,
    SeatBetsTaken,
    SeatsSettled,
    TurnOpened,
)
from controller.contract.seats import Seated
from controller.contract.state import HandView, Move, Phase, Players, What, Window
from controller.rules.catalogue import AnyRound
from controller.table.apply_deck import out_of, turned, with_deck
from controller.table.state import Changes, TableState, showing

_PHASE_OF: Final = {
    What.CHANGE_DECK: Phase.WAITING,
    What.WAIT_READER: Phase.WAITING,
    What.DRAW_REST: Phase.WAITING,
    What.BURN: Phase.BURN,
    What.DEAL_POSITION: Phase.DEAL,
    What.DEAL_DEALER: Phase.DEAL,
    What.DEAL_SEAT: Phase.DEAL,
    What.DEAL_BANK: Phase.DEAL,
}


def cleared(state: TableState) -> TableState:
    """The felt is empty and no round is in play."""
    view = replace(
        state.view,
        window=None,
        players=Players(),
        for_nobody=False,
        burned=0,
        position=HandView(),
        dealer=HandView(),
        closed=(),
        results=(),
        pp_returns=0,
        next_at=0,
        seated=no_hands(state),
    )
    return replace(state, view=view, game=None, last="", last_card=None)


def no_hands(state: TableState) -> Seated | UnsetType:
    """The seats before a round: only who has the bank."""
    house = state.opening.house if state.opening else None
    return Seated(bank=state.bank) if house is not None else UNSET


def _move_due(state: TableState, fact: MoveDue) -> TableState:
    phase = _PHASE_OF[fact.move.what]
    moved = replace(state, due_since=fact.since)
    if phase is Phase.WAITING:
        moved = cleared(moved)
    return showing(moved, phase=phase, move=fact.move)


def _betting_opened(state: TableState, fact: BettingOpened) -> TableState:
    return showing(
        cleared(state),
        phase=Phase.BETTING,
        move=Move(What.WAIT_BETS),
        round=fact.round,
        window=Window(state.seq + 1, fact.players_until, fact.summary_until),
    )


def _players_shut(state: TableState, _fact: PlayersShut) -> TableState:
    window = state.view.window
    return showing(state, window=replace(window, shut=True) if window else None)


def _window_moved(state: TableState, fact: WindowMoved) -> TableState:
    window = state.view.window
    if window is None:
        return state
    moved = replace(window, players_until=fact.players_until, summary_until=fact.summary_until)
    return showing(state, window=moved)


def _bets_taken(state: TableState, fact: BetsTaken | SeatBetsTaken) -> TableState:
    game = state.dealt.begin(state.rules, fact)
    changes = state.dealt.shown(state.view, game, fact)
    return showing(replace(state, game=game), window=None, **changes)


def _round_skipped(state: TableState, _fact: RoundSkipped) -> TableState:
    return cleared(state)


def _game(state: TableState) -> AnyRound:
    if state.game is None:
        raise ValueError("this fact needs a round in play, and there is none")
    return state.game


def _moved(state: TableState, fact: AnyFact) -> TableState:
    """The game's round goes on by this fact, and the view with it."""
    game = state.dealt.after(_game(state), fact)
    return showing(replace(state, game=game), **state.dealt.shown(state.view, game, fact))


def _answered(state: TableState, fact: DecisionsTaken | ChoiceTaken) -> TableState:
    """A choice moves the round, and its window is closed."""
    return showing(_moved(state, fact), window=None)


def _card_counted(state: TableState, fact: CardCounted) -> TableState:
    rules, hidden = state.dealt, fact.hidden
    game = rules.after(_game(state), fact)
    changes = rules.shown(state.view, game, fact)
    whose = f"{fact.hand} {fact.seat}" if fact.seat else fact.hand
    state = replace(
        state.taking(fact.reading),
        game=game,
        last=f"{whose} {fact.index}",
        last_card=None if hidden else fact.card,
    )
    if state.deck is None or fact.card is None:
        return showing(state, **changes)
    return with_deck(state, out_of(state.deck, fact.card, hidden=hidden), **changes)


def _hand_shown(state: TableState, fact: HandShown) -> TableState:
    state = _moved(state, fact)
    return state if state.deck is None else replace(state, deck=turned(state.deck, fact.cards))


def _decision_opened(state: TableState, fact: DecisionOpened) -> TableState:
    return _waiting(state, fact, Move(What.WAIT_DECISIONS))


def _turn_opened(state: TableState, fact: TurnOpened) -> TableState:
    return _waiting(state, fact, Move(What.WAIT_TURN, n=fact.seat))


def _waiting(state: TableState, fact: DecisionOpened | TurnOpened, move: Move) -> TableState:
    return showing(
        state,
        phase=Phase.DECISION,
        move=move,
        window=Window(state.seq + 1, fact.players_until, fact.summary_until),
    )


def _round_settled(state: TableState, fact: RoundSettled) -> TableState:
    return showing(
        state,
        phase=Phase.RESULT,
        move=Move(What.PAY),
        results=fact.results,
        pp_returns=fact.pp_returns,
        next_at=fact.next_at,
    )


def _seats_settled(state: TableState, fact: SeatsSettled) -> TableState:
    seated = state.view.seated
    if not isinstance(seated, Seated):
        raise ValueError("this fact needs a table with seats, and this has none")
    told = replace(seated, results=fact.results, bank_net=fact.bank_net)
    move = Move(What.PAY)
    return showing(state, phase=Phase.RESULT, move=move, seated=told, next_at=fact.next_at)


def _bank_passed(state: TableState, fact: BankPassed) -> TableState:
    return replace(state, bank=fact.seat)


def _round_voided(state: TableState, fact: RoundVoided) -> TableState:
    return showing(
        replace(state, halt=None),
        phase=Phase.VOIDED,
        move=Move(What.RETURN_BETS),
        window=None,
        halt=None,
        next_at=fact.next_at,
    )


ROUND: Final[Changes] = {
    MoveDue: _move_due,
    BettingOpened: _betting_opened,
    PlayersShut: _players_shut,
    WindowMoved: _window_moved,
    BetsTaken: _bets_taken,
    RoundSkipped: _round_skipped,
    CardCounted: _card_counted,
    PlayersClosed: _moved,
    DecisionOpened: _decision_opened,
    DecisionsTaken: _answered,
    RoundSettled: _round_settled,
    SeatBetsTaken: _bets_taken,
    TurnOpened: _turn_opened,
    ChoiceTaken: _answered,
    HandShown: _hand_shown,
    PotPaid: _moved,
    SeatsSettled: _seats_settled,
    BankPassed: _bank_passed,
    RoundVoided: _round_voided,
}
"""Facts of a round."""
