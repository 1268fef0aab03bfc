"""Who may see what: each audience's projection of a fact and of the view.

Every fact goes to every audience; here is what is struck out of it on the way.
What the facts say is in `controller.contract.facts`.
"""

from enum import StrEnum

from msgspec.structs import replace

from controller.contract.facts import (
    Answered,
    AnyFact,
    CardCounted,
    CardHeld,
    CardSetAside,
    DeckClosed,
    DeckDrawingOut,
    DeckOpened,
    HaltChanged,
    Halted,
    ReaderChanged,
    ReadingNoted,
    Resumed,
    RoundVoided,
    StopAsked,
    TableClosed,
    TableOpened,
)
from controller.contract.state import TableView


class Audience(StrEnum):
    """Who listens: the servers, or the people at the table and their tools."""

    PUBLIC = "public"
    OPS = "ops"


def for_audience(fact: AnyFact, audience: Audience) -> AnyFact:
    """`fact` with everything struck out that `audience` may not see.

    A burned, set-aside or held face is seen by nobody before the deck is
    closed, one that was dealt face down not before the rules turn it; who did
    what, and what is wrong with a device, not by the public.
    """
    if isinstance(fact, CardCounted):
        return replace(fact, card=None) if fact.hidden else fact
    if isinstance(fact, CardSetAside):
        return replace(fact, card=None)
    if isinstance(fact, CardHeld):
        return replace(fact, card=None, code="")
    if isinstance(fact, Answered):
        # What was asked may name a hidden card, and of forty a digest is soon guessed.
        fact = replace(fact, body="")
    return _for_public(fact) if audience is Audience.PUBLIC else fact


def view_for(view: TableView, audience: Audience) -> TableView:
    """`view` without what is nobody's business outside: what exactly is wrong with a device."""
    if audience is Audience.OPS:
        return view
    halt = replace(view.halt, detail="") if view.halt and view.halt.detail else view.halt
    readers = view.readers
    if any(reader.detail for reader in readers):
        readers = tuple(replace(reader, detail="") for reader in readers)
    if halt is view.halt and readers is view.readers:
        return view
    return replace(view, halt=halt, readers=readers)


def _for_public(fact: AnyFact) -> AnyFact:
    if isinstance(fact, Answered):
        return replace(fact, who="")
    if isinstance(fact, ReaderChanged | Halted | HaltChanged | ReadingNoted):
        return replace(fact, detail="") if fact.detail else fact
    if isinstance(
        fact,
        TableOpened | TableClosed | StopAsked | DeckOpened | DeckDrawingOut | DeckClosed
        | RoundVoided | Resumed,
    ):  # fmt: skip
        return replace(fact, who="")
    return fact
