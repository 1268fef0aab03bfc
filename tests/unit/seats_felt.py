"""A table with seats in one process, and what its tests ask of it."""

from felt import Felt
from msgspec.structs import replace

from controller.contract.facts import (
    AnyFact,
)
from controller.contract.seat_facts import (
    SeatsSettled,
)
from controller.contract.seats import HouseRules, Seated, SeatOutcome, Variant


def table(*variants: Variant, seats: int = 3, **more: object) -> Felt:
    house = replace(HouseRules(seats=seats, variants=variants), **more)
    return Felt(game="traditional", house=house, no_bets="skip").open()


def seated(felt: Felt) -> Seated:
    assert isinstance(felt.state.view.seated, Seated)
    return felt.state.view.seated


def last(felt: Felt, kind: type[AnyFact]) -> AnyFact:
    return [fact for fact in felt.facts if isinstance(fact, kind)][-1]


def settled(felt: Felt) -> dict[int, tuple[SeatOutcome, int]]:
    fact = last(felt, SeatsSettled)
    assert isinstance(fact, SeatsSettled)
    return {result.seat: (result.outcome, result.net) for result in fact.results}
