"""Whether a journal is whole: every byte of every record, and nothing missing at its end.

A journal cannot know by itself that its last records were cut off cleanly. Two
things outside it can: the writer's own note of its last append, and the head
that a consumer has seen in a heartbeat.
"""

from collections.abc import Callable
from pathlib import Path

import msgspec

from controller.journal.errors import JournalMissing, JournalTorn, RecordsMissing
from controller.journal.format import GENESIS
from controller.journal.head import noted_index
from controller.journal.walk import read


class Verified(msgspec.Struct, frozen=True):
    """A whole journal: how many records, the last one's digest, a tail that was allowed."""

    count: int
    head: bytes
    torn: JournalTorn | None


def verify(
    directory: Path,
    *,
    seen: bytes | None = None,
    allow_torn_tail: bool = False,
    on_segment: Callable[[str], None] = lambda segment: None,
) -> Verified:
    """Check everything; raises the first thing that is wrong.

    `seen` is a head that must be in the journal, `on_segment` hears each
    segment's name as it is begun.
    """
    noted = noted_index(directory)  # before reading, for a writer may be running
    count, head, segment, torn = 0, GENESIS, "", None
    found = seen is None or seen == GENESIS
    try:
        for stored in read(directory):
            if stored.segment != segment:
                segment = stored.segment
                on_segment(segment)
            count, head = stored.index + 1, stored.digest
            found = found or head == seen
    except JournalTorn as tail:
        more_than_torn = noted is not None and noted > tail.index
        if not allow_torn_tail and not more_than_torn:
            raise
        torn = tail
    except JournalMissing:
        if noted is None:
            raise
    if noted is not None and noted >= count + allow_torn_tail:
        raise RecordsMissing(count, f"record {noted} was written to it")
    if seen is not None and not found:
        raise RecordsMissing(count, f"none of them has the head {seen.hex()} that was seen")
    return Verified(count, head, torn)
