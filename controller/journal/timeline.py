"""The words of `mazziere journal show` and `at`: one line a fact, round by round.

Gives lines, prints none. A face is shown as the fact has it, so what is hidden
was struck out before (`entries.without_hidden`). Facts without a line here are
the controller's book-keeping; `--json` shows them all.
"""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from controller.contract.cards import points
from controller.contract.commands import Counts, Verdict
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
    DeckLocked,
    DeckOpened,
    DiskLow,
    EpochOpened,
    Halted,
    PlayersClosed,
    ReaderChanged,
    Resumed,
    RoundSettled,
    RoundSkipped,
    RoundVoided,
    TableClosed,
    TableOpened,
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
from controller.contract.seats import SeatHand, SeatResult
from controller.contract.state import ClosedBy, Closing, Outcome, Result
from controller.journal.entries import Told
from controller.journal.moment import TableAt
from controller.journal.when import time_of

_HIDDEN = "(hidden)"


_BY = {
    ClosedBy.STAND: "stand",
    ClosedBy.LEFT: "left the live table",
    ClosedBy.AUTO_WIN: "paid at once",
    ClosedBy.SEVEN_AND_HALF: "seven and a half",
    ClosedBy.BUST: "bust",
}
_OUTCOME = {
    Outcome.ROYAL: "Royal",
    Outcome.AUTO_WIN: "wins at once",
    Outcome.PLAYER_BUST: "bust",
    Outcome.DEALER_BUST: "wins, dealer bust",
    Outcome.HIGHER: "wins",
    Outcome.PUSH: "push",
    Outcome.TIE_AT_FIVE: "loses the tie at 5",
    Outcome.DEALER_ROYAL: "loses to the dealer's Royal",
    Outcome.LOWER: "loses",
    Outcome.TIE: "loses the tie",
    Outcome.NON_LIVE: "finishes off the table",
}


def lines(facts: Iterable[Told]) -> Iterator[str]:
    """A heading for each round and a timed line for each fact that has words."""
    for told in facts:
        if isinstance(told.fact, BettingOpened):
            yield f"\nround {told.round}, deck {told.deck or '-'}"
        words = describe(told.fact)
        if words:
            yield f"{_clock(told.entry.record.utc)}  {told.seq:>7}  {words}"


def table_lines(table: TableAt) -> Iterator[str]:
    """What lay open at one moment, and how far its time can be trusted."""
    state, clock = table.state, table.clock
    deck = state.deck.deck if state.deck else "-"
    yield f"after fact {state.seq}, {time_of(table.utc)}, monotonic {table.mono}"
    yield f"clock: {clock.quality or '-'}; moved by {clock.moved / 1e6:.1f} ms during the round"
    yield f"phase {state.view.phase}, deck {deck}"
    if state.view.seated:
        for hand in state.view.seated.hands:
            yield f"{_whose(hand)}: {' '.join((*[_HIDDEN] * hand.down, *hand.cards)) or '-'}"
    else:
        yield f"position: {' '.join(state.view.position.cards) or '-'}"
        yield f"dealer: {' '.join(state.view.dealer.cards) or '-'}"
    yield f"shown by this deck ({len(table.exposed)}): {' '.join(table.exposed) or '-'}"


def describe(fact: AnyFact) -> str:
    """The fact in a line, or nothing."""
    return (
        _of_cards(fact)
        or _of_the_round(fact)
        or _of_seats(fact)
        or _of_trouble(fact)
        or _of_the_table(fact)
    )


def _clock(utc: int) -> str:
    moment = datetime.fromtimestamp(utc // 1_000_000_000, UTC)
    return f"{moment:%Y-%m-%d %H:%M:%S}.{utc // 1_000_000 % 1000:03d}"


def _of_cards(fact: AnyFact) -> str:
    match fact:
        case CardCounted():
            by = "" if fact.source == "shoe" else f", by {fact.source}"
            return f"{_place(fact)}: {fact.card or _HIDDEN}{by}"
        case CardSetAside():
            why = "drawn out" if fact.drawn_out else "set aside"
            return f"{why}: {fact.card or _HIDDEN}"
        case CardHeld():
            return f"held during the halt: {fact.kind} {fact.card or fact.code or _HIDDEN}"
    return ""


def _of_the_round(fact: AnyFact) -> str:
    match fact:
        case BettingOpened():
            return "betting opened"
        case BetsTaken():
            return f"bets: {fact.main} main, {fact.pp} Partita Perfetta, {fact.mdp} Mano di Poker"
        case RoundSkipped():
            return "no bets: round skipped"
        case DecisionOpened():
            at = points(fact.half_points)
            return f"decision opened at {at} for {_players(fact.plain, fact.mdp)}"
        case DecisionsTaken():
            return f"decisions: {_counts(fact.plain)}; with Mano di Poker {_counts(fact.mdp)}"
        case PlayersClosed():
            return "closed: " + ", ".join(_closing(closing) for closing in fact.closings)
        case RoundSettled():
            return _settled(fact)
        case RoundVoided():
            return f"VOID by {fact.who or '-'}: {fact.reason}"
    return ""


def _place(fact: CardCounted) -> str:
    return f"{_whose(fact)}, card {fact.index}" if fact.seat else f"{fact.hand} {fact.index}"


def _whose(of: CardCounted | TurnOpened | ChoiceTaken | HandShown | SeatResult | SeatHand) -> str:
    return f"seat {of.seat}{'b' * of.second}"


def _of_seats(fact: AnyFact) -> str:
    match fact:
        case SeatBetsTaken():
            bets = ", ".join(f"seat {stake.seat} {stake.cents}" for stake in fact.stakes)
            pot = f", ante {fact.ante}" if fact.ante else ""
            return f"bets against seat {fact.bank} in cents: {bets or 'none'}{pot}"
        case TurnOpened():
            return f"{_whose(fact)} chooses"
        case ChoiceTaken():
            return f"{_whose(fact)}: {fact.choice}{', having said nothing' * fact.silent}"
        case HandShown():
            return f"{_whose(fact)} shows {' '.join(fact.cards)} ({points(fact.half_points)})"
        case PotPaid():
            return f"{_seat_result(fact.result)}; {fact.pot} in the pot"
        case SeatsSettled():
            results = ", ".join(map(_seat_result, fact.results))
            return f"settled: {results or 'nobody'}; the bank, seat {fact.bank}, {fact.bank_net:+}"
        case BankPassed():
            how = "takes the bank from" if fact.royal else "has the bank after"
            return f"seat {fact.seat} {how} seat {fact.before}"
    return ""


def _seat_result(result: SeatResult) -> str:
    return f"{_whose(result)} {result.outcome} {result.net:+}"


def _settled(fact: RoundSettled) -> str:
    position, dealer = " ".join(fact.position), " ".join(fact.dealer)
    results = ", ".join(_result(result) for result in fact.results) or "no players"
    return (
        f"settled: position {position}, dealer {dealer} ({points(fact.dealer_half_points)}); "
        f"{results}; Partita Perfetta returns {fact.pp_returns}"
    )


def _of_trouble(fact: AnyFact) -> str:
    match fact:
        case Halted():
            ways = "/".join(way.exit for way in fact.exits)
            detail = f" ({fact.detail})" if fact.detail else ""
            return f"HALT {fact.incident}{detail}, last counted {fact.last or '-'}; exits {ways}"
        case Resumed():
            counted = "" if fact.felt is None else f", felt {fact.felt}, out {fact.out}"
            return f"halt ended by {fact.who or '-'} ({fact.role}): {fact.exit}{counted}"
        case ReaderChanged():
            detail = f" ({fact.detail})" if fact.detail else ""
            return f"reader {fact.reader}: {fact.rung}{detail}"
        case DiskLow():
            return f"disk low: {fact.free_mib} MiB free"
        case Answered() if fact.answer.verdict is not Verdict.DONE:
            return f"{fact.what} of {fact.who or '-'} {fact.answer.verdict}: {fact.answer.why}"
    return ""


def _of_the_table(fact: AnyFact) -> str:
    match fact:
        case EpochOpened():
            torn = f"; {fact.torn}" if fact.torn else ""
            where = f"table {fact.table}, {fact.environment} environment"
            return (
                f"epoch {fact.epoch} opened: {where}, game {fact.game}, "
                f"rules {fact.rules[:12]}{torn}"
            )
        case TableOpened():
            return f"table opened by {fact.who or '-'}"
        case TableClosed():
            return f"table closed by {fact.who or '-'}"
        case DeckOpened():
            return f"deck {fact.deck} opened by {fact.who or '-'}"
        case DeckLocked():
            return f"deck {fact.deck} locked: {fact.why}"
        case DeckClosed():
            how = "counted out" if fact.counted_out else "not counted out"
            hidden = f"; hidden were {' '.join(fact.hidden)}" if fact.hidden else ""
            return (
                f"deck {fact.deck} closed: {fact.seen} seen, {fact.unknown} unknown, {how}{hidden}"
            )
    return ""


def _counts(counts: Counts) -> str:
    return f"{counts.hit} hit, {counts.stand} stand, {counts.left} left"


def _closing(closing: Closing) -> str:
    who = _players(closing.plain, closing.mdp)
    return f"{who} on {_cards(closing.depth)}: {_BY[closing.by]}"


def _result(result: Result) -> str:
    """In words; what the main bet returns is in stakes."""
    who = _players(result.plain, result.mdp)
    halves = result.main_halves
    returns = "main bet open" if halves is None else f"main returns {halves / 2:g}"
    mdp = f", Mano di Poker returns {result.mdp_returns}" if result.mdp else ""
    words = f"{who} on {_cards(result.depth)} ({points(result.half_points)})"
    return f"{words}: {_OUTCOME[result.outcome]}, {returns}{mdp}"


def _players(plain: int, mdp: int) -> str:
    count = f"{plain + mdp} player{'s' * (plain + mdp != 1)}"
    return f"{count} ({mdp} with Mano di Poker)" if mdp else count


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"
