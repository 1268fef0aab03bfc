"""Halting, the exits of a halt, and going on.

A halt freezes the phase, its move and its window. Cards that come meanwhile are
held, never assigned. `exits_of` is the one place that says which ways out of an
incident's row are open: is a round in play, do cards wait, must the felt be
counted first. How a person's chosen exit is carried out is in `resolving.py`.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple, Self

from controller.contract.cards import Card
from controller.contract.commands import Exit
from controller.contract.facts import CardHeld, HaltChanged, Halted
from controller.contract.incidents import INCIDENTS, ROLE_OF, Incident
from controller.contract.readings import Reading, ReadingKind
from controller.contract.state import ExitView, Phase
from controller.table.draft import Draft, id_of
from controller.table.state import Deck, Held, TableState

LIVE: Final = frozenset({Phase.BETTING, Phase.BURN, Phase.DEAL, Phase.DECISION})
"""Phases of a round that can still be voided."""
ON_FELT: Final = frozenset({Phase.BURN, Phase.DEAL, Phase.DECISION})
"""Phases in which cards lie, or are about to lie, on the felt."""
DUE: Final = frozenset({Phase.BURN, Phase.DEAL})
"""Phases in which a card is due: only there can a card in question have its place."""


def halt(
    draft: Draft,
    incident: Incident,
    reading: Reading | None = None,
    *,
    detail: str = "",
    only_void: bool = False,
) -> None:
    """Stop here. `reading` is the card in question; it is held until a person decides."""
    state = draft.state
    phase = state.view.phase
    count = INCIDENTS[incident].recount and state.deck is not None
    cards = InQuestion.of(state.deck, [reading] if reading else [])
    count = count or cards.maybe_one
    draft.add(
        Halted(
            incident=incident,
            phase=phase,
            exits=exits_of(incident, phase, cards, count=count, only_void=only_void),
            count=count,
            last=state.last,
            last_card=state.last_card,
            at=draft.stamp,
            card=_shown(state, incident, reading),
            detail=detail,
            only_void=only_void,
        )
    )
    if reading is not None:
        hold(draft, reading)


def _shown(state: TableState, incident: Incident, reading: Reading | None) -> Card | None:
    """The face in question, if all have seen it: dealt openly, and openly once before.

    Any other may be a burn, or may go to the discards unseen.
    """
    if reading is None or state.deck is None or incident is not Incident.REPEATED_CARD:
        return None
    unseen = state.view.phase is not Phase.DEAL or state.view.move.face_down
    hidden = unseen or reading.card in state.deck.hidden
    return None if hidden else reading.card


def hold(draft: Draft, reading: Reading) -> None:
    """The card waits for a person's word; with it the ways out may change."""
    face = reading.card if reading.kind is not ReadingKind.FOREIGN else None
    draft.add(
        CardHeld(
            reading=id_of(reading),
            kind=reading.kind,
            card=face,
            code=reading.code,
            stamp=reading.stamp,
            utc=reading.utc,
        )
    )
    changed(draft)


def changed(draft: Draft, *, recount: bool = False, detail: str = "", void: bool = False) -> None:
    """Say so if the present halt's exits, or its need for a count, are not what they were."""
    halt_, view = draft.state.halt, draft.state.view.halt
    if halt_ is None or view is None:
        return
    only_void = halt_.only_void or void
    cards = InQuestion.of(draft.state.deck, halt_.held)
    count = view.count or (recount and draft.state.deck is not None) or cards.maybe_one
    exits = exits_of(view.incident, halt_.phase, cards, count=count, only_void=only_void)
    if (exits, count) != (view.exits, view.count) or detail:
        said = detail or view.detail
        draft.add(HaltChanged(exits=exits, count=count, detail=said, only_void=only_void))


def worsen(draft: Draft, detail: str) -> None:
    """After what happened during this halt, felt and deck must be counted to go on."""
    changed(draft, recount=True, detail=detail)


class InQuestion(NamedTuple):
    """The readings of a halt, as far as the ways out depend on them."""

    held: int
    out_already: bool
    """The only one shows a face that has left the shoe before: it may be the same card."""
    read_again: bool
    """A card that was not read, then a card: it may have been passed through once more."""

    @property
    def maybe_one(self) -> bool:
        """Whether it was one card or two only a count can tell."""
        return self.out_already or self.read_again

    @classmethod
    def of(cls, deck: Deck | None, cards: Sequence[Reading | Held]) -> Self:
        kinds = [card.kind for card in cards]
        seen = deck is not None and len(cards) == 1 and cards[0].card in deck.seen
        return cls(len(cards), seen, kinds == [ReadingKind.NO_READ, ReadingKind.CARD])


def exits_of(
    incident: Incident, phase: Phase, cards: InQuestion, *, count: bool, only_void: bool = False
) -> tuple[ExitView, ...]:
    """The open ways out, in the incident's order."""
    row, held = INCIDENTS[incident], cards.held
    offered = list(row.exits)
    if held and Exit.SET_ASIDE not in offered and phase not in LIVE:
        # With no round to void, a card in question can only go to the discards.
        offered.append(Exit.SET_ASIDE)
    open_now = {
        Exit.VOID: phase in LIVE,
        Exit.GO_ON: held == 0 and (count or row.recount),
        Exit.SET_ASIDE: held > 0,
        Exit.PLAY_HELD: held > 0 and phase in DUE,
        Exit.SCAN_AGAIN: (held == 1 or cards.read_again) and phase in DUE,
        Exit.NAME_IT: held == 1 and phase in DUE,
        Exit.SAME_CARD: cards.out_already,
        Exit.ANSWERED: held == 0 and not count,
    }
    if only_void:
        open_now = {Exit.VOID: phase in LIVE}
    return tuple(ExitView(way, ROLE_OF[way]) for way in offered if open_now.get(way))


def frozen_window(state: TableState, at: int) -> tuple[int, int] | None:
    """The interrupted window's new ends, at least a moment away; None if there was none."""
    window, halt_, rules = state.view.window, state.halt, state.rules
    if window is None or halt_ is None:
        return None
    if window.shut:
        return at, at + _left(state, window.summary_until, rules.grace)
    whole = rules.betting if halt_.phase is Phase.BETTING else rules.decision
    players = at + _left(state, window.players_until, whole)
    return players, players + rules.grace


def frozen_pause(state: TableState, at: int) -> int:
    """The new end of the interrupted pause after a result or a void; 0 if there was none."""
    if state.halt is None or state.halt.phase not in (Phase.RESULT, Phase.VOIDED):
        return 0
    return at + _left(state, state.view.next_at, state.rules.results)


def _left(state: TableState, until: int, whole: int) -> int:
    """What was left until then when the table halted, at least a moment.

    Never more than the whole: after a restart in another boot, `until` is on a
    clock that has begun anew since, and says nothing.
    """
    halted_at = state.halt.at if state.halt else until
    return max(min(until - halted_at, whole), state.rules.resume_at_least)
