"""Reading a text file that a person named: only a file, only so much of it, and as UTF-8.

A device may never end and a pipe may never begin, so neither is read. What is
in the text is its reader's concern.
"""

from pathlib import Path
from typing import Final

MOST_BYTES: Final = 1 << 20
"""Far more than a configuration or a profile will ever need."""


class TextUnreadable(ValueError):  # noqa: N818 - what is wrong, in one word
    """Half a sentence: why there is no text to be had from this file."""


def read_text(path: Path, most: int = MOST_BYTES) -> str:
    """The text, without the mark that some editors put before it."""
    try:
        if not path.is_file():
            path.stat()
            raise TextUnreadable("it is no file")
        with path.open("rb") as file:
            data = file.read(most + 1)
        if len(data) > most:
            raise TextUnreadable(f"it is longer than {most} bytes")
        return data.decode("utf-8-sig")
    except OSError as error:
        raise TextUnreadable(error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise TextUnreadable(
            f"it is not UTF-8 text (byte {error.start}); save it as UTF-8"
        ) from error
