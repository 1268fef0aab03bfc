"""Which line of a TOML text a key stands on, so that an error can name it.

The parser tells the path of a wrong value and not its place. This scans for
section headers and keys of the plain kind our file uses; where it finds
nothing (inline tables, odd quoting) it names the closest enclosing thing.
It judges nothing: the text has been parsed already.
"""

import re
from typing import Final

_HEADER: Final = re.compile(r"^\s*\[\s*([\w.\s-]+?)\s*\]")
_KEY: Final = re.compile(r"^\s*([\w.-]+)\s*=")


def line_of(text: str, key: str) -> int | None:
    """Line of dotted `key`, else of the section around it, else None."""
    places = _places(text)
    parts = key.split(".")
    while parts:
        line = places.get(".".join(parts))
        if line is not None:
            return line
        parts.pop()
    return None


def _places(text: str) -> dict[str, int]:
    """Dotted name → first line, for sections and their keys."""
    places: dict[str, int] = {}
    section = ""
    for number, line in enumerate(text.splitlines(), start=1):
        if header := _HEADER.match(line):
            section = name = header[1]
        elif key := _KEY.match(line):
            name = f"{section}.{key[1]}".strip(".")
        else:
            continue
        while name:
            places.setdefault(name, number)
            name = name.rpartition(".")[0]
    return places
