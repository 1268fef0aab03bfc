"""`mazziere calibrate deck`: a folder of forty pictures becomes a deck's profile.

Reads files, prints the report, saves what was accepted; `deck` enrols.
"""

import getpass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import click
import msgspec
import numpy as np
from numpy.typing import NDArray

from calibration.deck import EnrolmentError, enrol
from calibration.deck_report import Report
from controller.contract.cards import DECK, FACES, Card
from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.picture_file import PictureError, read_picture
from drivers.camera.profile import BACK, Made
from drivers.camera.profile_file import load_profile, save_profile

_ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png", ".webp", ".bmp"})


@click.command(name="deck", short_help="Enrol a deck from one picture of each card.")
@click.option(
    "--images",
    required=True,
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Forty pictures named by card code, AD.jpg ... KB.jpg; back.jpg too if you have it.",
)
@click.option(
    "--out",
    required=True,
    metavar="P",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The profile to write.",
)
@click.option(
    "--name", metavar="NAME", help="What the deck is called; the folder's name if not given."
)
@click.option("--who", metavar="NAME", help="Who enrols it; the login name if not given.")
@click.option("--device", metavar="NAME", help="With what the pictures were taken.")
@click.option(
    "--printed-codes",
    metavar="FILE",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help='TOML, if the cards carry printed codes: each line "text of the code" = "card".',
)
def deck_command(
    images: Path,
    out: Path,
    name: str | None,
    who: str | None,
    device: str | None,
    printed_codes: Path | None,
) -> None:
    """Enrol a deck from one picture of each card, and prove that it can be read.

    Each picture shows one whole card on a plain table, from straight above; or
    it is a scan of the face. A deck that fails its own report is not saved.
    """
    pictures = _pictures(images)
    made = Made(
        who=who or getpass.getuser(),
        when=datetime.now(UTC).isoformat(timespec="seconds"),
        source=device or f"{len(pictures)} pictures in {images.name}",
    )
    try:
        enrolment = enrol(
            pictures, name or images.name, (*_history(out), made), _codes(printed_codes)
        )
    except EnrolmentError as error:
        raise _refusal(f"{images}: {'; '.join(error.sentences)}") from error
    click.echo("\n".join(_lines(enrolment.report)))
    if not enrolment.report.accepted:
        raise _refusal(
            f"The deck in {images} is not accepted, nothing is saved: {enrolment.report.faults[0]}"
        )
    save_profile(out, enrolment.profile)
    click.echo(f"saved: {out}")


def _pictures(folder: Path) -> dict[str, NDArray[np.uint8]]:
    """By card code; every file that cannot be read is named at once."""
    chosen: dict[str, Path] = {}
    for path in sorted(folder.iterdir()):
        label = path.stem.upper() if path.stem.upper() in FACES else path.stem.lower()
        if path.suffix.lower() not in _ENDINGS or label not in {*FACES, BACK}:
            continue
        if label in chosen:
            raise _refusal(f"{chosen[label]} and {path.name} both claim to be {label}: keep one")
        chosen[label] = path
    missing = [card for card in DECK if card not in chosen]
    if missing:
        raise _refusal(
            f"{folder} has no picture of {', '.join(missing)}: "
            "name one of each card by its code, as AD.jpg"
        )
    pictures, wrong = {}, []
    for label, path in chosen.items():
        try:
            pictures[label] = read_picture(path)[0]
        except PictureError as error:
            wrong.append(str(error))
    if wrong:
        raise _refusal("; ".join(wrong))
    return pictures


def _history(out: Path) -> tuple[Made, ...]:
    """That of the profile that is replaced; one that cannot be read has none to keep."""
    if not out.exists():
        return ()
    try:
        return load_profile(out).about.history
    except Refusal:
        return ()


def _codes(path: Path | None) -> dict[str, Card]:
    if path is None:
        return {}
    try:
        return msgspec.toml.decode(path.read_bytes(), type=dict[str, Card])
    except (msgspec.DecodeError, OSError) as error:
        raise _refusal(f"The printed codes in {path} are wrong: {error}") from error


def _lines(report: Report) -> list[str]:
    a, b = report.nearest
    lines = [
        f"read {report.read:.1%} of its own faces under harder light, {report.wrong} wrong",
        f"nearest faces: {a} and {b}, {report.likeness:.2f} alike (1 is the same face), "
        f"margin {1 - report.likeness:.2f}",
        "confusion (shown: read as, times; faces read every time are left out)",
    ]
    for card, row in report.confusion.items():
        if set(row) != {card}:
            lines.append(
                f"  {card}: " + ", ".join(f"{word} {times}" for word, times in sorted(row.items()))
            )
    lines += [f"better: {sentence}" for sentence in report.advice]
    lines += [f"fault: {sentence}" for sentence in report.faults]
    return lines


def _refusal(sentence: str) -> Refusal:
    return Refusal(sentence, ExitCode.CONFIGURATION)
