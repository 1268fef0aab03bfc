"""`mazziere calibrate table`: the board on the felt and a list of regions become a profile."""

import time
from pathlib import Path

import click
import msgspec

from calibration.board import Board
from calibration.lens import NotCalibrated
from calibration.options import made_options, square_option, who_or_login
from calibration.pictures import picture
from calibration.shelf import save
from calibration.table import Regions, Table, calibrate_table
from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.calibrated import Made, load_profile
from drivers.camera.frame import Image
from drivers.camera.lens import LensProfile
from drivers.camera.look import Look, look_at
from drivers.camera.table_profile import TableProfile

_FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@click.command("table", short_help="Learn where the regions lie in the picture.")
@click.option(
    "--image", required=True, metavar="FILE", type=_FILE, help="The board lying on the felt."
)
@click.option(
    "--empty", required=True, metavar="FILE", type=_FILE, help="The same view, nothing on the felt."
)
@click.option(
    "--regions",
    "regions_file",
    required=True,
    metavar="FILE",
    type=_FILE,
    help="TOML: [regions] position = [[x, y], …], dealer, burn, discard; unit = mm or px.",
)
@click.option("--lens", "lens_file", metavar="P", type=_FILE, help="Its lens profile, if it bends.")
@square_option
@made_options
def command(
    image: Path,
    empty: Path,
    regions_file: Path,
    lens_file: Path | None,
    square_mm: float,
    out: Path,
    who: str | None,
    device: str,
) -> None:
    """Learn where position, dealer, burn and discard lie in the camera's picture.

    Millimetres are counted from the top left corner of the board on the felt.
    """
    seen, felt = picture(image), picture(empty)
    if seen.shape != felt.shape:
        raise _refusal(f"{image} and {empty} are of two sizes: take both with one camera mode")
    lens = load_profile(lens_file, LensProfile) if lens_file else None
    table = _table(seen, load_regions(regions_file), lens, square_mm, image)
    height, width = seen.shape[:2]
    made = save_table(table, (width, height), look_at(felt), out, who_or_login(who), device)
    click.echo(f"the board fits to {table.error:.2f} points; a card is {table.card:.0f} wide")
    if table.advice:
        click.echo(f"better: {table.advice}")
    click.echo(f"saved: {out}, number {made.number}")


def load_regions(path: Path) -> Regions:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Regions)
    except OSError as error:
        raise _refusal(f"{path} cannot be read: {error.strerror}") from error
    except (msgspec.DecodeError, ValueError) as error:
        raise _refusal(f"the regions in {path} are wrong: {error}") from error


def _table(
    seen: Image, regions: Regions, lens: LensProfile | None, square_mm: float, image: Path
) -> Table:
    view = Board(square_mm).find(seen)
    if view is None:
        raise _refusal(f"{image} shows too little of the board: lay it flat in full view and light")
    height, width = seen.shape[:2]
    try:
        return calibrate_table(view, (width, height), regions, lens)
    except (NotCalibrated, ValueError) as why:
        raise _refusal(f"{image}: {why}") from why


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
