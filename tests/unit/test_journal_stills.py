"""`journal verify --stills`: every picture that the journal names is there, or it is named."""

from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner, Result

from controller.cli import main
from controller.contract.inputs import Input, Record
from controller.contract.readings import Reading, ReadingKind
from controller.contract.stills import EXPIRED, digest_of, place_of
from controller.journal.segments import Journal

PICTURES = (b"first card", b"second card", b"third card")


def reading(n: int, still: str) -> Reading:
    return Reading(
        reader="camera", session="s", n=n, kind=ReadingKind.CARD, stamp=n, utc=n, still=still
    )


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A journal of three readings with stills and one without, and the stills."""
    journal = Journal.open(tmp_path / "journal", segment_bytes=1 << 14)
    digests = [*map(digest_of, PICTURES), ""]
    for n, digest in enumerate(digests, start=1):
        asked = Input(n, n, reading(n, digest))
        journal.append(msgspec.json.encode(Record(epoch="e", seq=n, mono=n, utc=n, input=asked)))
    journal.close()
    for picture in PICTURES:
        path = tmp_path / "stills" / place_of(digest_of(picture))
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(picture)
    return tmp_path


def verified(table: Path) -> Result:
    arguments = ["verify", str(table / "journal"), "--stills", str(table / "stills")]
    return CliRunner().invoke(main, ["journal", *arguments])


def still(table: Path, n: int) -> Path:
    return table / "stills" / place_of(digest_of(PICTURES[n]))


def test_whole_stills_are_counted(table: Path) -> None:
    result = verified(table)
    assert result.exit_code == 0
    assert "stills: 3 whole, 0 expired, 0 bad" in result.stdout


def test_a_missing_and_an_altered_still_are_named_with_their_record(table: Path) -> None:
    still(table, 0).unlink()
    still(table, 2).write_bytes(b"another card")
    result = verified(table)
    assert f"record 0: still {digest_of(PICTURES[0])} is missing" in result.stdout
    assert f"record 2: still {digest_of(PICTURES[2])} is altered" in result.stdout
    assert result.exit_code == 5
    assert "2 stills named by the journal are missing" in result.stderr


def test_what_the_house_let_go_is_no_loss_but_an_altered_one_stays_bad(table: Path) -> None:
    still(table, 0).unlink()
    still(table, 1).write_bytes(b"another card")
    listed = [digest_of(PICTURES[0]), digest_of(PICTURES[1])]
    (table / "stills" / EXPIRED).write_text("\n".join(listed) + "\n")
    result = verified(table)
    assert "stills: 1 whole, 1 expired, 1 bad" in result.stdout


def test_a_digest_that_would_lead_out_of_the_directory_is_none() -> None:
    """The contract says what a digest is, so that no path is ever made of anything else."""
    for still in ("../../etc/passwd", "A" * 64, "0" * 63):
        with pytest.raises(msgspec.ValidationError):
            msgspec.json.decode(msgspec.json.encode(reading(1, still)), type=Reading)
