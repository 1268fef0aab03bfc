"""Pictures for a calibration out of files, each with one sentence if it is none."""

from pathlib import Path
from typing import Final

from controller.runtime.exits import ExitCode, Refusal
from drivers.camera.frame import Coding, Image, Undecodable, decode

ENDINGS: Final = frozenset({".jpg", ".jpeg", ".png"})


def picture(path: Path) -> Image:
    try:
        return decode(path.read_bytes(), Coding.ENCODED)
    except OSError as error:
        raise _refusal(f"{path} cannot be read: {error.strerror}") from error
    except Undecodable as error:
        raise _refusal(f"{path} cannot be used: {error}") from error


def pictures(folder: Path) -> list[tuple[Path, Image]]:
    """All pictures of the folder, by name, all of one size."""
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)
    if not paths:
        raise _refusal(f"{folder} holds no picture: JPEG and PNG are read")
    found = [(path, picture(path)) for path in paths]
    first = found[0][1].shape
    for path, image in found:
        if image.shape != first:
            sizes = f"{image.shape[1]}x{image.shape[0]}, not {first[1]}x{first[0]}"
            raise _refusal(f"{path} is {sizes} as the others: take all with one camera mode")
    return found


def _refusal(sentence: str) -> Refusal:
    return Refusal(sentence, ExitCode.CONFIGURATION)
