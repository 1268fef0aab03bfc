"""`mazziere calibrate lens`: pictures of the board become a lens profile."""

import time
from pathlib import Path

import click
import msgspec

from calibration.board import Board
from calibration.lens import Lens, NotCalibrated, calibrate_lens
from calibration.lens_guide import LensGuide, Save
from calibration.live import guide_live
from calibration.options import (
    checked_address,
    live_options,
    made_options,
    square_option,
    who_or_login,
)
from calibration.pictures import pictures
from calibration.shelf import save
from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.calibrated import Made
from drivers.camera.lens import LensProfile


@click.command("lens", short_help="Learn how the lens bends straight lines.")
@click.option(
    "--images",
    metavar="DIR",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Pictures of the board: near, far, tilted, in every corner.",
)
@live_options
@square_option
@made_options
def command(
    images: Path | None,
    live: str | None,
    port: int,
    square_mm: float,
    out: Path,
    who: str | None,
    device: str,
) -> None:
    """Learn how the lens bends straight lines, from pictures of the printed board.

    Either from a folder (--images) or guided on a page with live pictures (--live).
    """
    if (images is None) == (live is None):
        raise click.UsageError("give --images or --live")
    board, maker = Board(square_mm), who_or_login(who)

    def saved(lens: Lens, size: tuple[int, int]) -> str:
        made = save_lens(lens, size, out, maker, device or live or "")
        left = f"{lens.pictures} pictures, what is left: {lens.error:.2f} points"
        return f"{left}\nsaved: {out}, number {made.number}"

    if live is not None:
        click.echo(guide_live(LensGuide(board, saved), checked_address(live), port))
    elif images is not None:
        click.echo(_from_folder(images, board, saved))


def _from_folder(images: Path, board: Board, saved: Save) -> str:
    found = pictures(images)
    views = [view for _, image in found if (view := board.find(image)) is not None]
    height, width = found[0][1].shape[:2]
    click.echo(f"board found in {len(views)} of {len(found)} pictures")
    try:
        return saved(calibrate_lens(views, (width, height)), (width, height))
    except NotCalibrated as why:
        raise Refusal(f"{images}: {why}", ExitCode.CONFIGURATION) from why


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
