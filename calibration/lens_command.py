"""`mazziere calibrate lens`: pictures of the board become a lens profile."""

import time
from pathlib import Path

import click
import msgspec

from calibration.board import Board
from calibration.lens import Lens, NotCalibrated, calibrate_lens
from calibration.options import made_options, square_option, who_or_login
from calibration.pictures import pictures
from calibration.shelf import save
from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.calibrated import Made
from drivers.camera.lens import LensProfile


@click.command("lens", short_help="Learn how the lens bends straight lines.")
@click.option(
    "--images",
    required=True,
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Pictures of the board: near, far, tilted, in every corner.",
)
@square_option
@made_options
def command(images: Path, square_mm: float, out: Path, who: str | None, device: str) -> None:
    """Learn how the lens bends straight lines, from pictures of the printed board."""
    board = Board(square_mm)
    found = pictures(images)
    views = [view for _, image in found if (view := board.find(image)) is not None]
    height, width = found[0][1].shape[:2]
    try:
        lens = calibrate_lens(views, (width, height))
    except NotCalibrated as why:
        raise Refusal(f"{images}: {why}", ExitCode.CONFIGURATION) from why
    made = save_lens(lens, (width, height), out, who_or_login(who), device)
    click.echo(f"board found in {len(views)} of {len(found)} pictures, {lens.pictures} used")
    click.echo(f"what is left: {lens.error:.2f} points")
    click.echo(f"saved: {out}, number {made.number}")


def save_lens(lens: Lens, size: tuple[int, int], out: Path, who: str, device: str) -> Made:
    def made_of(made: Made) -> bytes:
        profile = LensProfile(
            made=made,
            width=size[0],
            height=size[1],
            matrix=lens.matrix,
            bend=lens.bend,
            error=lens.error,
            pictures=lens.pictures,
        )
        return msgspec.json.format(msgspec.json.encode(profile), indent=2)

    return save(out, made_of, utc=time.time_ns(), who=who, device=device)
