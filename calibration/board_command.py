"""`mazziere calibrate board`: the board to be printed."""

from pathlib import Path

import click
import cv2

from calibration.board import COLUMNS, ROWS, SQUARE_MM, Board
from controller.runtime.exits import ExitCode, Refusal


@click.command("board", short_help="Write the board to be printed.")
@click.option(
    "--out",
    required=True,
    metavar="FILE",
    type=click.Path(dir_okay=False, path_type=Path),
    help="The picture to write, a PNG.",
)
def command(out: Path) -> None:
    """Write the board that the other calibrations look for, to be printed on A3.

    Print it without scaling, glue it onto something flat, measure a square.
    """
    if not cv2.imwrite(str(out.with_suffix(".png")), Board().drawn()):
        raise Refusal(f"Cannot write {out}: does its folder exist?", ExitCode.CONFIGURATION)
    size = f"{COLUMNS * SQUARE_MM:g} x {ROWS * SQUARE_MM:g} mm"
    click.echo(f"saved: {out.with_suffix('.png')}; print it {size} (squares of {SQUARE_MM:g} mm)")
