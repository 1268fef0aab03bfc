"""What a still is called: the picture that is the evidence for a card.

A still is a JPEG file named by the SHA-256 of its bytes; the reading carries
that digest, so the journal vouches for the picture. The camera writes them,
`journal verify --stills` looks for them: both go by this.
"""

import hashlib
from typing import Final

MOST_BYTES: Final = 60 * 1024
EXPIRED: Final = "expired"
"""Lists, one a line, the digests that were let go when their time was over."""


def digest_of(still: bytes) -> str:
    return hashlib.sha256(still).hexdigest()


def place_of(digest: str) -> str:
    """Where it lies, relative to the directory of all stills."""
    return f"{digest[:2]}/{digest}.jpg"
