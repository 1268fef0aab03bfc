"""What each fact changes: `apply(state, fact) -> state`, one small function a fact.

Rule for this file: it never decides. What it needs to know stands in the fact;
it calls the game only to keep its round up to date (`live.deal`, `close`,
`choose`), never to ask what comes next.
"""

from collections.abc import Callable
from typing import Any, Final

from msgspec.structs import replace

from controller.contract.facts import (
    Answered,
    AnyFact,
    BetsTaken,
    BettingOpened,
    CardCounted,
    CardHeld,
    CardSetAside,
    DecisionOpened,
    DecisionsTaken,
    DeckClosed,
    DeckDrawingOut,
    DeckLocked,
    DeckOpened,
    DiskLow,
    EpochOpened,
    HaltChanged,
    Halted,
    MoveDue,
    PlayersClosed,
    PlayersShut,
    ReaderChanged,
    ReaderSession,
    ReadingId,
    ReadingNoted,
    Resumed,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
    StopAsked,
    TableClosed,
    TableOpened,
    WindowMoved,
)
from controller.contract.readings import Rung
from controller.contract.state import (
    DeckView,
    HaltView,
    Hand,
    HandView,
    Move,
    Phase,
    Players,
    ReaderView,
    What,
    Window,
)
from controller.rules import live
from controller.rules.hand import half_points, is_royal
from controller.table.state import Deck, Halt, Held, Known, TableState, session_key

_PHASE_OF: Final = {
    What.CHANGE_DECK: Phase.WAITING,
    What.WAIT_READER: Phase.WAITING,
    What.DRAW_REST: Phase.WAITING,
    What.BURN: Phase.BURN,
    What.DEAL_POSITION: Phase.DEAL,
    What.DEAL_DEALER: Phase.DEAL,
}
_SESSIONS_KEPT: Final = 16
_DECK_NAMES_KEPT: Final = 64
_ANSWERS_KEPT: Final = 4_096


def apply(state: TableState, fact: AnyFact) -> TableState:
    """The state after `fact`; its seq is one higher."""
    return replace(_APPLY[type(fact)](state, fact), seq=state.seq + 1)


def _view(state: TableState, **changes: Any) -> TableState:
    return replace(state, view=replace(state.view, **changes))


def _epoch_opened(state: TableState, fact: EpochOpened) -> TableState:
    silent = tuple(replace(r, rung=Rung.ABSENT, detail="") for r in state.view.readers)
    return _view(replace(state, opening=fact), rules=fact.rules, readers=silent)


def _table_opened(state: TableState, _fact: TableOpened) -> TableState:
    return _view(state, phase=Phase.WAITING, stop_after_round=False)


def _table_closed(state: TableState, _fact: TableClosed) -> TableState:
    return _view(
        _cleared(state), phase=Phase.CLOSED, move=Move(What.OPEN_TABLE), stop_after_round=False
    )


def _stop_asked(state: TableState, fact: StopAsked) -> TableState:
    return _view(state, stop_after_round=fact.on)


def _cleared(state: TableState) -> TableState:
    """The felt is empty and no round is in play."""
    view = replace(
        state.view,
        window=None,
        players=Players(),
        burned=0,
        position=HandView(),
        dealer=HandView(),
        closed=(),
        results=(),
        pp_returns=0,
        next_at=0,
    )
    return replace(state, view=view, game=None, for_nobody=False, last="", last_card=None)


# --- deck


def _with_deck(state: TableState, deck: Deck) -> TableState:
    held = len(state.halt.held) if state.halt else 0
    view = replace(
        state.view.deck or DeckView(deck.deck),
        out=deck.counted + held,
        remaining=deck.remaining - held,
        unknown=deck.unknown,
    )
    return _view(replace(state, deck=deck), deck=view)


def _deck_opened(state: TableState, fact: DeckOpened) -> TableState:
    number = state.deck_number + 1
    opened = replace(
        state,
        decks=(*state.decks, fact.deck)[-_DECK_NAMES_KEPT:],
        deck_number=number,
        answers={key: known for key, known in state.answers.items() if known.deck >= number - 2},
    )
    return _with_deck(_view(opened, deck=DeckView(fact.deck)), Deck(fact.deck))


def _deck_drawing_out(state: TableState, _fact: DeckDrawingOut) -> TableState:
    return _view(state, deck=replace(_deck_view(state), drawing_out=True))


def _deck_closed(state: TableState, _fact: DeckClosed) -> TableState:
    return _view(replace(state, deck=None), deck=None)


def _deck_locked(state: TableState, _fact: DeckLocked) -> TableState:
    return _view(state, deck=replace(_deck_view(state), locked=True))


def _deck_view(state: TableState) -> DeckView:
    if state.view.deck is None:
        raise ValueError("this fact needs a deck, and none is open")
    return state.view.deck


# --- round


def _move_due(state: TableState, fact: MoveDue) -> TableState:
    phase = _PHASE_OF[fact.move.what]
    moved = replace(state, due_since=fact.since)
    if phase is Phase.WAITING:
        moved = _cleared(moved)
    return _view(moved, phase=phase, move=fact.move)


def _betting_opened(state: TableState, fact: BettingOpened) -> TableState:
    return _view(
        _cleared(state),
        phase=Phase.BETTING,
        move=Move(What.WAIT_BETS),
        round=fact.round,
        window=Window(state.seq + 1, fact.players_until, fact.summary_until),
    )


def _players_shut(state: TableState, _fact: PlayersShut) -> TableState:
    window = state.view.window
    return _view(state, window=replace(window, shut=True) if window else None)


def _window_moved(state: TableState, fact: WindowMoved) -> TableState:
    window = state.view.window
    if window is None:
        return state
    moved = replace(window, players_until=fact.players_until, summary_until=fact.summary_until)
    return _view(state, window=moved)


def _bets_taken(state: TableState, fact: BetsTaken) -> TableState:
    plain, nobody = fact.main - fact.mdp, fact.main == 0
    game = live.Round(burn=state.rules.burn, plain=1 if nobody else plain, mdp=fact.mdp)
    players = Players(fact.main, fact.pp, fact.mdp, plain, fact.mdp)
    return _view(replace(state, game=game, for_nobody=nobody), window=None, players=players)


def _round_skipped(state: TableState, _fact: RoundSkipped) -> TableState:
    return _cleared(state)


def _game(state: TableState) -> live.Round:
    if state.game is None:
        raise ValueError("this fact needs a round in play, and there is none")
    return state.game


def _with_game(state: TableState, game: live.Round) -> TableState:
    plain = 0 if state.for_nobody else game.plain
    players = replace(state.view.players, plain=plain, mdp=game.mdp)
    return _view(replace(state, game=game), players=players, closed=game.closed)


def _card_counted(state: TableState, fact: CardCounted) -> TableState:
    state = _taken(state, fact.reading)
    game = live.deal(_game(state), fact.hand, fact.card)
    shown = None if fact.hand is Hand.BURN else fact.card
    state = replace(state, game=game, last=f"{fact.hand} {fact.index}", last_card=shown)
    if state.deck is not None and fact.card is not None:
        state = _with_deck(state, _out(state.deck, fact.card, hidden=shown is None))
    if fact.hand is Hand.BURN:
        return _view(state, burned=game.burned)
    if fact.hand is Hand.POSITION:
        return _view(state, position=_hand_view(game.position))
    return _view(state, dealer=_hand_view(game.dealer))


def _hand_view(cards: tuple[str, ...]) -> HandView:
    return HandView(cards, half_points(cards), is_royal(cards))


def _out(deck: Deck, card: str, *, hidden: bool) -> Deck:
    out = replace(deck, seen=(*deck.seen, card))
    return replace(out, hidden=(*deck.hidden, card)) if hidden else out


def _players_closed(state: TableState, fact: PlayersClosed) -> TableState:
    return _with_game(state, live.close(_game(state), fact.closings))


def _decision_opened(state: TableState, fact: DecisionOpened) -> TableState:
    return _view(
        state,
        phase=Phase.DECISION,
        move=Move(What.WAIT_DECISIONS),
        window=Window(state.seq + 1, fact.players_until, fact.summary_until),
    )


def _decisions_taken(state: TableState, fact: DecisionsTaken) -> TableState:
    game = live.choose(_game(state), fact.plain, fact.mdp)
    return _view(_with_game(state, game), window=None)


def _round_settled(state: TableState, fact: RoundSettled) -> TableState:
    return _view(
        state,
        phase=Phase.RESULT,
        move=Move(What.PAY),
        results=fact.results,
        pp_returns=fact.pp_returns,
        next_at=fact.next_at,
    )


def _round_voided(state: TableState, fact: RoundVoided) -> TableState:
    return _view(
        replace(state, halt=None),
        phase=Phase.VOIDED,
        move=Move(What.RETURN_BETS),
        window=None,
        halt=None,
        next_at=fact.next_at,
    )


# --- halt


def _halted(state: TableState, fact: Halted) -> TableState:
    halt = Halt(fact.phase, state.view.move, fact.at, only_void=fact.only_void)
    view = HaltView(
        incident=fact.incident,
        seq=state.seq + 1,
        phase=fact.phase,
        exits=fact.exits,
        count=fact.count,
        last=fact.last,
        last_card=fact.last_card,
        card=fact.card,
        detail=fact.detail,
    )
    return _view(replace(state, halt=halt), phase=Phase.HALTED, move=Move(What.RESOLVE), halt=view)


def _halt(state: TableState) -> tuple[Halt, HaltView]:
    if state.halt is None or state.view.halt is None:
        raise ValueError("this fact needs a halt, and there is none")
    return state.halt, state.view.halt


def _halt_changed(state: TableState, fact: HaltChanged) -> TableState:
    halt, view = _halt(state)
    changed = replace(
        view, exits=fact.exits, count=fact.count, detail=fact.detail, held=len(halt.held)
    )
    return _view(replace(state, halt=replace(halt, only_void=fact.only_void)), halt=changed)


def _card_held(state: TableState, fact: CardHeld) -> TableState:
    halt, view = _halt(_taken(state, fact.reading))
    held = Held(fact.reading, fact.kind, fact.card, fact.code, fact.stamp, fact.utc)
    halt = replace(halt, held=(*halt.held, held))
    state = replace(_taken(state, fact.reading), halt=halt)
    state = _view(state, halt=replace(view, held=len(halt.held)))
    return _with_deck(state, state.deck) if state.deck else state


def _resumed(state: TableState, fact: Resumed) -> TableState:
    halt, _ = _halt(state)
    state = _view(
        replace(state, halt=None),
        phase=halt.phase,
        move=halt.move,
        halt=None,
        next_at=fact.next_at,
    )
    return _with_deck(state, state.deck) if state.deck else state


# --- readings, readers, commands


def _taken(state: TableState, reading: ReadingId) -> TableState:
    """The reading is known: a resend of it changes nothing."""
    key = session_key(reading.reader, reading.session)
    last = state.sessions.get(key, 0)
    if reading.n <= last:
        return state
    return replace(state, sessions={**state.sessions, key: reading.n})


def _card_set_aside(state: TableState, fact: CardSetAside) -> TableState:
    state = _taken(state, fact.reading)
    if state.deck is None:
        return state
    if fact.card is None:
        return _with_deck(state, replace(state.deck, unknown=state.deck.unknown + 1))
    return _with_deck(state, _out(state.deck, fact.card, hidden=True))


def _reading_noted(state: TableState, fact: ReadingNoted) -> TableState:
    return _taken(state, fact.reading)


def _reader_changed(state: TableState, fact: ReaderChanged) -> TableState:
    return _reader(state, ReaderView(fact.reader, fact.session, fact.rung, fact.detail))


def _reader_session(state: TableState, fact: ReaderSession) -> TableState:
    key = session_key(fact.reader, fact.session)
    kept = list(state.sessions.items())[-_SESSIONS_KEPT:]
    state = replace(state, sessions={**dict(kept), key: state.sessions.get(key, 0)})
    return _reader(state, ReaderView(fact.reader, fact.session))


def _reader(state: TableState, reader: ReaderView) -> TableState:
    others = (r for r in state.view.readers if r.reader != reader.reader)
    return _view(state, readers=tuple(sorted((*others, reader), key=lambda r: r.reader)))


def _answered(state: TableState, fact: Answered) -> TableState:
    answers = {**state.answers, fact.command: Known(fact.body, fact.answer, state.deck_number)}
    if len(answers) > _ANSWERS_KEPT:
        del answers[next(iter(answers))]
    return replace(state, answers=answers)


def _disk_low(state: TableState, _fact: DiskLow) -> TableState:
    return state if state.view.phase is Phase.CLOSED else _view(state, stop_after_round=True)


_APPLY: Final[dict[type, Callable[[TableState, Any], TableState]]] = {
    EpochOpened: _epoch_opened,
    TableOpened: _table_opened,
    TableClosed: _table_closed,
    StopAsked: _stop_asked,
    DeckOpened: _deck_opened,
    DeckDrawingOut: _deck_drawing_out,
    DeckClosed: _deck_closed,
    DeckLocked: _deck_locked,
    MoveDue: _move_due,
    BettingOpened: _betting_opened,
    PlayersShut: _players_shut,
    WindowMoved: _window_moved,
    BetsTaken: _bets_taken,
    RoundSkipped: _round_skipped,
    CardCounted: _card_counted,
    CardSetAside: _card_set_aside,
    ReadingNoted: _reading_noted,
    PlayersClosed: _players_closed,
    DecisionOpened: _decision_opened,
    DecisionsTaken: _decisions_taken,
    RoundSettled: _round_settled,
    RoundVoided: _round_voided,
    Halted: _halted,
    HaltChanged: _halt_changed,
    CardHeld: _card_held,
    Resumed: _resumed,
    ReaderChanged: _reader_changed,
    ReaderSession: _reader_session,
    Answered: _answered,
    DiskLow: _disk_low,
}
