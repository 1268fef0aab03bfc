"""`mazziere calibrate table`: the board on the felt and a list of regions become a profile."""

import time
from pathlib import Path

import click
import msgspec

from calibration.board import Board
from calibration.lens import NotCalibrated
from calibration.live import guide_live
from calibration.options import (
    checked_address,
    live_options,
    made_options,
    square_option,
    who_or_login,
)
from calibration.pictures import picture
from calibration.shelf import save
from calibration.table import Regions, Table, calibrate_table
from calibration.table_guide import Save, TableGuide
from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.calibrated import Made, load_profile
from drivers.camera.lens import LensProfile
from drivers.camera.look import Look, look_at
from drivers.camera.table_profile import TableProfile

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("table", short_help="Learn where the regions lie in the picture.")
@click.option("--image", metavar="FILE", type=_FILE, help="The board lying on the felt.")
@click.option("--empty", metavar="FILE", type=_FILE, help="The same view, nothing on the felt.")
@click.option(
    "--regions",
    "regions_file",
    metavar="FILE",
    type=_FILE,
    help="TOML: [regions] position = [[x, y], …], dealer, burn, discard; unit = mm or px.",
)
@click.option("--lens", "lens_file", metavar="P", type=_FILE, help="Its lens profile, if it bends.")
@live_options
@square_option
@made_options
def command(
    image: Path | None,
    empty: Path | None,
    regions_file: Path | None,
    lens_file: Path | None,
    live: str | None,
    port: int,
    square_mm: float,
    out: Path,
    who: str | None,
    device: str,
) -> None:
    """Learn where position, dealer, burn and discard lie in the camera's picture.

    Either from files (--image, --empty, --regions) or guided on a page with live
    pictures (--live). Millimetres are counted from the board's top left corner.
    """
    lens = load_profile(lens_file, LensProfile) if lens_file else None
    board, maker = Board(square_mm), who_or_login(who)

    def saved(table: Table, size: tuple[int, int], look: Look) -> str:
        made = save_table(table, size, look, out, maker, device or live or "")
        lines = [f"the board fits to {table.error:.2f} points; a card is {table.card:.0f} wide"]
        lines += [f"better: {table.advice}"] if table.advice else []
        return "\n".join([*lines, f"saved: {out}, number {made.number}"])

    if live is not None and not (image or empty or regions_file):
        guide = TableGuide(board, lens, saved)
        click.echo(guide_live(guide, checked_address(live), port))
    elif live is None and image and empty and regions_file:
        click.echo(_from_files(board, image, empty, load_regions(regions_file), lens, saved))
    else:
        raise click.UsageError("give --image, --empty and --regions, or --live alone")


def _from_files(
    board: Board,
    image: Path,
    empty: Path,
    regions: Regions,
    lens: LensProfile | None,
    saved: Save,
) -> str:
    seen, felt = picture(image), picture(empty)
    if seen.shape != felt.shape:
        raise _refusal(f"{image} and {empty} are of two sizes: take both with one camera mode")
    view = board.find(seen)
    if view is None:
        raise _refusal(f"{image} shows too little of the board: lay it flat in full view and light")
    height, width = seen.shape[:2]
    try:
        table = calibrate_table(view, (width, height), regions, lens)
        return saved(table, (width, height), look_at(felt))
    except (NotCalibrated, ValueError) as why:
        raise _refusal(f"{image}: {why}") from why


def load_regions(path: Path) -> Regions:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Regions)
    except OSError as error:
        raise _refusal(f"{path} cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise _refusal(f"the regions in {path} are wrong: {error}") from error


def save_table(
    table: Table, size: tuple[int, int], empty: Look, out: Path, who: str, device: str
) -> Made:
    def made_of(made: Made) -> bytes:
        profile = TableProfile(
            made=made,
            width=size[0],
            height=size[1],
            felt_to_picture=table.felt_to_picture,
            places=table.places,
            empty=empty,
        )
        return msgspec.json.format(msgspec.json.encode(profile), indent=2)

    return save(out, made_of, utc=time.time_ns(), who=who, device=device)


def _refusal(sentence: str) -> Refusal:
    return Refusal(sentence, ExitCode.CONFIGURATION)
