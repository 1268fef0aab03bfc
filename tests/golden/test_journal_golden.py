"""Journals that an earlier release wrote: they stay readable, verifiable and auditable for ever.

`journals/*.jsonl` hold the payloads of every record, as text; appended again
they give the same bytes, which the heads below prove. `live` and `seats` were
dealt by a simulated table with faults, `exits` by hand: it takes each way out
of a halt. Never make them anew: a new release adds a new one.
"""

from pathlib import Path

import pytest

from controller.contract.cards import DECK
from controller.contract.facts import CardCounted, CardSetAside, DeckOpened, RoundSettled
from controller.contract.seat_facts import SeatsSettled
from controller.journal.audit import audit
from controller.journal.entries import Placing, entries
from controller.journal.ledger import build
from controller.journal.segments import Journal
from controller.journal.timeline import lines
from controller.journal.verify import verify
from controller.truth import recover

HERE = Path(__file__).parent / "journals"
HEADS = {
    "live": (153, "6f9197ee7847"),
    "seats": (95, "aacfaee3cba4"),
    "exits": (61, "d1ef78bf74a0"),
}
SETTLED = {"live": 11, "seats": 5, "exits": 1}


@pytest.fixture(params=HEADS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def journal(name: str, tmp_path: Path) -> Path:
    """The journal as its release left it."""
    writer = Journal.open(tmp_path / "journal", segment_bytes=1 << 20)
    for payload in (HERE / f"{name}.jsonl").read_bytes().splitlines():
        writer.append(payload)
    writer.close()
    return tmp_path / "journal"


def test_the_bytes_are_those_that_were_written(name: str, journal: Path) -> None:
    verified = verify(journal)
    assert (verified.count, verified.head.hex()[:12]) == HEADS[name]


def test_an_earlier_releases_journal_is_audited(name: str, journal: Path) -> None:
    audit(journal)


def test_an_earlier_releases_journal_is_taken_up_again(name: str, journal: Path) -> None:
    writer = Journal.open(journal, segment_bytes=1 << 20)
    state = recover(writer)
    writer.close()
    *_, last = entries(journal)
    assert state.seq == last.record.seq
    assert state.view.round >= SETTLED[name]


def test_its_cards_and_results_read_as_they_were(name: str, journal: Path) -> None:
    out: set[str] = set()
    settled = 0
    for entry in entries(journal):
        for fact in entry.record.facts:
            if isinstance(fact, DeckOpened):
                out = set()
            if isinstance(fact, CardCounted | CardSetAside) and fact.card is not None:
                assert fact.card in DECK
                assert fact.card not in out
                out.add(fact.card)
            settled += isinstance(fact, RoundSettled | SeatsSettled)
    assert settled == SETTLED[name]


def test_its_story_and_its_ledger_are_told(name: str, journal: Path, tmp_path: Path) -> None:
    placing = Placing()
    told = [line for entry in entries(journal) for line in lines(placing.told(entry))]
    assert len(told) > SETTLED[name]
    assert build(journal, tmp_path / "ledger.sqlite") == HEADS[name][0]
