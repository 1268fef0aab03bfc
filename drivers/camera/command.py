"""`mazziere recognise`: read the cards in picture files with an enrolled deck's profile.

The command only reads files and prints; `recognise` does the work. A file that
is no picture costs one sentence on stderr, and the others are still read.
"""

import time
from pathlib import Path
from typing import Any, Final

import click
import cv2
import msgspec
import numpy as np

from controller.runtime.exits import ExitCode
from drivers.camera.found import Found, Verdict
from drivers.camera.picture_file import Image, PictureError, read_picture
from drivers.camera.profile import DeckProfile
from drivers.camera.profile_file import load_profile
from drivers.camera.recognise import recognise

_COLOURS: Final = {
    Verdict.CARD: (60, 200, 40),
    Verdict.BACK: (200, 140, 40),
    Verdict.UNSURE: (0, 190, 255),
    Verdict.FOREIGN: (40, 40, 230),
}


@click.command(name="recognise", short_help="Read the cards in pictures, with a deck's profile.")
@click.option(
    "--profile",
    "profile_path",
    required=True,
    metavar="P",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The deck's profile, as `mazziere calibrate deck` made it.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line for each card found.")
@click.option(
    "--draw",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write each picture there with what was found drawn into it.",
)
@click.argument(
    "images", metavar="IMAGE...", nargs=-1, required=True, type=click.Path(path_type=Path)
)
@click.pass_context
def command(
    context: click.Context,
    profile_path: Path,
    as_json: bool,
    draw: Path | None,
    images: tuple[Path, ...],
) -> None:
    """Read every card in each IMAGE: its code, or `unsure`, `back` or `foreign`.

    Ends with exit code 2 if any IMAGE could not be read; the others still are.
    """
    profile = load_profile(profile_path)
    if draw is not None:
        draw.mkdir(parents=True, exist_ok=True)
    failed = 0
    for path in images:
        try:
            _read(path, profile, as_json, draw)
        except PictureError as error:
            click.echo(f"mazziere: {error}", err=True)
            failed += 1
    if failed:
        context.exit(int(ExitCode.USAGE))


def _read(path: Path, profile: DeckProfile, as_json: bool, draw: Path | None) -> None:
    image, factor = read_picture(path)
    began = time.perf_counter()
    found = recognise(image, profile, thorough=True)
    took = round((time.perf_counter() - began) * 1000, 1)
    if not found:
        click.echo(f"mazziere: {path}: no card found", err=True)
    for one in found:
        row = _row(path, one, factor, took)
        click.echo(msgspec.json.encode(row).decode() if as_json else _line(row))
    if draw is not None:
        _draw(draw / path.with_suffix(".jpg").name, image, found)


def _row(path: Path, one: Found, factor: float, took: float) -> dict[str, Any]:
    """`card` is the card's code, or the word for what it is; `ms` is for the whole picture."""
    corners = [[round(x * factor, 1), round(y * factor, 1)] for x, y in one.corners.tolist()]
    row: dict[str, Any] = {
        "image": str(path),
        "card": one.card or str(one.verdict),
        "confidence": one.confidence,
        "corners": corners,
        "ms": took,
    }
    return row if one.why is None else {**row, "why": str(one.why)}


def _line(row: dict[str, Any]) -> str:
    x, y = np.mean(row["corners"], axis=0)
    why = f": {row['why']}" if "why" in row else ""
    sure = f"{row['confidence']:.2f}, {row['ms']} ms"
    return f"{row['image']}: {row['card']} at {x:.0f},{y:.0f} ({sure}){why}"


def _draw(path: Path, image: Image, found: list[Found]) -> None:
    canvas = image.copy()
    thick = max(2, round(max(canvas.shape[:2]) / 400))
    for one in found:
        colour = _COLOURS[one.verdict]
        cv2.polylines(canvas, [one.corners.astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        at = (
            int(one.corners[:, 0].min()),
            max(int(one.corners[:, 1].min()) - 2 * thick, 12 * thick),
        )
        label = f"{one.card or one.verdict} {one.confidence:.2f}"
        cv2.putText(
            canvas, label, at, cv2.FONT_HERSHEY_SIMPLEX, thick / 2.5, colour, thick, cv2.LINE_AA
        )
    if not cv2.imwrite(str(path), canvas):
        raise PictureError(f"{path} cannot be written: is the folder writable?")
