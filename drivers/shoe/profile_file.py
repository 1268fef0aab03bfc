"""Finding a profile: one that comes with the program, by name, or a file, by absolute path.

What is in a profile and whether it is right is `profile`; this only reads it.
"""

from importlib.resources import files
from pathlib import Path

from controller.runtime.config import KeyFault
from controller.runtime.exits import ExitCode, Refusal
from controller.runtime.text_file import TextUnreadable, read_text
from drivers.shoe.profile import BUNDLED, Profile, ProfileError, parse


def load_profile(name: str) -> Profile:
    """`Refusal` with one sentence if there is none such or it is wrong."""
    try:
        text = _text(name)
    except TextUnreadable as error:
        raise _refusal(f"Cannot read the shoe profile {name}: {error}") from error
    try:
        return parse(text)
    except ProfileError as error:
        raise _refusal(f"The shoe profile {name} is refused: {error}") from error
    except RecursionError as error:
        raise _refusal(f"The shoe profile {name} is refused: it is nested too deeply") from error


def _text(name: str) -> str:
    if name in BUNDLED:
        return (files("drivers.shoe") / "profiles" / f"{name}.toml").read_text(encoding="utf-8")
    if name.startswith("/"):
        return read_text(Path(name))
    raise KeyFault(
        "shoe.profile", f"{name!r} is neither one of {', '.join(BUNDLED)} nor an absolute path"
    )


def _refusal(sentence: str) -> Refusal:
    return Refusal(sentence, ExitCode.CONFIGURATION)
