"""What people and queries get from a journal (timeline, JSON, ledger), and what they do not."""

import json
import os
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from controller.contract.commands import Answer, Command, Exit, Resolve, Role, Verdict
from controller.contract.facts import (
    Answered,
    AnyFact,
    BetsTaken,
    BettingOpened,
    CardCounted,
    CardSetAside,
    DeckClosed,
    DeckOpened,
    EpochOpened,
    Halted,
    ReadingId,
    Resumed,
    RoundSettled,
    RoundSkipped,
)
from controller.contract.incidents import Incident
from controller.contract.inputs import Body, Input, Record
from controller.contract.readings import Reading, ReadingKind
from controller.contract.state import ClosedBy, ExitView, Hand, Outcome, Phase
from controller.contract.state import Result as Won
from controller.journal.cli import command
from controller.journal.errors import JournalError, RecordUnknown
from controller.journal.segments import Journal
from controller.runtime.exits import ExitCode

BURNED, ASIDE, NAMED = "7C", "QB", "3S"
HIDDEN = (BURNED, ASIDE, NAMED)
START = 1_700_000_000_123_000_000

OPENING = EpochOpened(
    epoch="e1", boot="b", version="0", rules="f" * 64, table="t", environment="test",
    game="live", burn=1, no_bets="deal", most_cards=13, betting=1, decision=1, grace=1,
    results=1, resume_at_least=3, clock="ok",
)  # fmt: skip


def reading(n: int, card: str) -> Reading:
    return Reading(
        reader="shoe", session="s", n=n, kind=ReadingKind.CARD, stamp=n, utc=START,
        card=card, code=f"code-{card}", raw=card.encode() * 3,
    )  # fmt: skip


def counted(hand: Hand, index: int, card: str, n: int) -> CardCounted:
    return CardCounted(
        hand=hand, index=index, card=card, reading=ReadingId("shoe", "s", n),
        source="shoe", stamp=n, utc=START,
    )  # fmt: skip


NAME_IT = Command(
    id="c9", epoch="e1", role=Role.SUPERVISOR, who="anna", issued=1,
    do=Resolve(exit=Exit.NAME_IT, card=NAMED, felt=1, out=2),
)  # fmt: skip

ROUND_ONE: list[tuple[Body | None, tuple[AnyFact, ...]]] = [
    (None, (OPENING, DeckOpened(deck="D1", who="anna"))),
    (None, (BettingOpened(round=1, players_until=1, summary_until=2),)),
    (None, (BetsTaken(window=3, main=5, pp=2, mdp=1),)),
    (reading(1, BURNED), (counted(Hand.BURN, 1, BURNED, 1),)),
    (reading(2, "4D"), (counted(Hand.POSITION, 1, "4D", 2),)),
    (
        reading(3, ASIDE),
        (
            CardSetAside(card=ASIDE, reading=ReadingId("shoe", "s", 3)),
            Halted(
                incident=Incident.EXTRA_CARD, phase=Phase.DEAL, count=False, last="position 1",
                exits=(ExitView(Exit.SET_ASIDE, Role.DEALER),), at=1,
            ),
        ),
    ),
    (
        NAME_IT,
        (
            Resumed(
                incident=Incident.EXTRA_CARD, exit=Exit.NAME_IT, role=Role.SUPERVISOR,
                who="anna", felt=1, out=2,
            ),
            Answered(
                command="c9", body="d", role=Role.SUPERVISOR, who="anna", what="resolve",
                answer=Answer(id="c9", verdict=Verdict.DONE, seq=9),
            ),
        ),
    ),
    (
        None,
        (
            RoundSettled(
                round=1, position=("4D",), dealer=("JS",), dealer_half_points=1,
                results=(
                    Won(
                        depth=1, by=ClosedBy.STAND, plain=4, mdp=1, half_points=8,
                        outcome=Outcome.HIGHER, main_halves=4, mdp_returns=0,
                    ),
                ),
                pp_returns=0, next_at=1,
            ),
        ),
    ),
]  # fmt: skip
ROUND_TWO: list[tuple[Body | None, tuple[AnyFact, ...]]] = [
    (None, (BettingOpened(round=2, players_until=1, summary_until=2),)),
    (None, (RoundSkipped(round=2),)),
]
CLOSING: tuple[AnyFact, ...] = (
    DeckClosed(deck="D1", seen=3, unknown=0, counted_out=False, hidden=(BURNED, ASIDE), who="anna"),
)


def journal_of(directory: Path, story: list[tuple[Body | None, tuple[AnyFact, ...]]]) -> Path:
    journal = Journal.open(directory, segment_bytes=1 << 14)
    seq = 0
    for n, (body, facts) in enumerate(story):
        seq += len(facts)
        given = Input(stamp=n, at=n, body=body) if body else None
        record = Record(
            epoch="e1", seq=seq, mono=n, utc=START + n * 1_000_000_000, input=given, facts=facts
        )
        journal.append(msgspec.json.encode(record))
    secret = msgspec.Raw(msgspec.json.encode({"hidden": HIDDEN}))
    checkpoint = Record(epoch="e1", seq=seq, mono=0, utc=START, checkpoint=secret)
    journal.roll(msgspec.json.encode(checkpoint))
    journal.close()
    return directory


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments))


@pytest.fixture
def played(tmp_path: Path) -> Path:
    return journal_of(tmp_path / "j", ROUND_ONE + ROUND_TWO)


def test_the_timeline_tells_a_round_in_the_words_of_the_table(played: Path) -> None:
    result = run("show", str(played), "--round", "1")
    assert result.exit_code == 0
    told = [line.split("  ")[-1].strip() for line in result.output.splitlines() if line]
    assert told == [
        "round 1, deck D1",
        "betting opened",
        "bets: 5 main, 2 Partita Perfetta, 1 Mano di Poker",
        "burn 1: (hidden)",
        "position 1: 4D",
        "set aside: (hidden)",
        "HALT extra_card, last counted position 1; exits set_aside",
        "halt ended by anna (supervisor): name_it, felt 1, out 2",
        "settled: position 4D, dealer JS (½); 5 players (1 with Mano di Poker) on 1 card (4): "
        "wins, main returns 2, Mano di Poker returns 0; Partita Perfetta returns 0",
    ]
    assert "2023-11-14 22:13:21.123" in result.output


@pytest.mark.parametrize("options", [(), ("--json",), ("--json", "--round", "1")])
def test_no_hidden_face_nor_raw_byte_is_shown_unless_asked_for(
    played: Path, options: tuple[str, ...]
) -> None:
    shown = run("show", str(played), *options).output
    assert "4D" in shown
    for face in HIDDEN:
        assert face not in shown
    assert msgspec.json.encode(BURNED.encode() * 3).decode() not in shown


def test_the_auditor_sees_the_burned_face_and_the_raw_bytes_on_request(played: Path) -> None:
    assert f"burn 1: {BURNED}" in run("show", str(played), "--reveal").output
    records = [json.loads(line) for line in run(
        "show", str(played), "--json", "--reveal").output.splitlines()]  # fmt: skip
    bodies = [one["record"].get("input", {}).get("body", {}) for one in records]
    assert [body["card"] for body in bodies if "raw" in body] == [BURNED, "4D", ASIDE]


def test_json_lines_say_where_each_record_lies(played: Path) -> None:
    lines = run("show", str(played), "--json").output.splitlines()
    records = [json.loads(line) for line in lines]
    assert [one["index"] for one in records] == list(range(len(ROUND_ONE + ROUND_TWO) + 1))
    assert records[-1]["segment"] == f"{len(records) - 1:016d}.seg"


def test_a_round_that_was_never_played_is_a_usage_error(played: Path) -> None:
    result = run("show", str(played), "--round", "99")
    assert result.exit_code == 2
    assert "holds no round 99" in result.output


def test_a_record_of_another_program_is_named_and_not_guessed(tmp_path: Path) -> None:
    journal = Journal.open(tmp_path / "j")
    journal.append(b'{"v":1,"what":"is this"}')
    journal.close()
    result = run("show", str(tmp_path / "j"))
    assert isinstance(result.exception, RecordUnknown)
    assert "byte 56, record 0" in result.exception.message


def rows(ledger: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(ledger)) as database:
        return database.execute(query).fetchall()


def test_the_ledger_answers_for_rounds_cards_incidents_and_commands(
    played: Path, tmp_path: Path
) -> None:
    out = tmp_path / "ledger.sqlite"
    result = run("ledger", str(played), "--out", str(out))
    assert (result.exit_code, result.output) == (0, f"ok: 11 records in {out}\n")
    assert rows(out, "SELECT round, deck, ending, main, position, dealer FROM rounds") == [
        (1, "D1", "settled", 5, "4D", "JS"),
        (2, "D1", "skipped", None, None, None),
    ]
    assert rows(out, "SELECT round, place, n, card FROM cards ORDER BY seq") == [
        (1, "burn", 1, None),
        (1, "position", 1, "4D"),
        (1, "set_aside", None, None),
    ]
    assert rows(out, "SELECT incident, exit, who, felt, out FROM incidents") == [
        ("extra_card", "name_it", "anna", 1, 2)
    ]
    assert rows(out, "SELECT command, what, verdict FROM commands") == [("c9", "resolve", "done")]
    assert rows(out, "SELECT seq FROM facts ORDER BY seq") == [(n,) for n in range(1, 14)]


def test_the_ledger_holds_hidden_faces_only_once_the_deck_is_closed(tmp_path: Path) -> None:
    for name, story, hidden in (
        ("open", ROUND_ONE, None),
        ("closed", [*ROUND_ONE, (None, CLOSING)], f"{BURNED} {ASIDE}"),
    ):
        journal_of(tmp_path / name, story)
        run("ledger", str(tmp_path / name))
        ledger = tmp_path / name / "ledger.sqlite"
        assert rows(ledger, "SELECT deck, hidden FROM decks") == [("D1", hidden)]
        assert (BURNED.encode() in ledger.read_bytes()) is (hidden is not None)
        assert stat.S_IMODE(ledger.stat().st_mode) == 0o600


def test_a_ledger_replaces_nothing_that_is_no_ledger(played: Path, tmp_path: Path) -> None:
    segment = min(played.glob("*.seg"))
    before = segment.read_bytes()
    os.mkfifo(tmp_path / "pipe")
    missing = tmp_path / "missing" / "x.sqlite"
    for place in (segment, missing, tmp_path / "pipe", Path("/dev/full")):
        ended = CliRunner().invoke(command, ["ledger", str(played), "--out", str(place)])
        assert isinstance(ended.exception, JournalError)
        assert ended.exception.exit_code == ExitCode.USAGE
    assert segment.read_bytes() == before
    for _ in range(2):
        assert CliRunner().invoke(command, ["ledger", str(played)]).exit_code == 0


def test_a_rebuild_that_fails_leaves_the_old_ledger_in_place(played: Path) -> None:
    run("ledger", str(played))
    before = (played / "ledger.sqlite").read_bytes()
    journal = Journal.open(played)
    journal.append(b"no record")
    journal.close()
    assert isinstance(run("ledger", str(played)).exception, RecordUnknown)
    assert (played / "ledger.sqlite").read_bytes() == before
    assert not (played / "ledger.sqlite.tmp").exists()


def test_ledger_and_timeline_do_not_disturb_verify(played: Path) -> None:
    run("ledger", str(played))
    assert run("verify", str(played)).output.startswith("ok: 11 records")
