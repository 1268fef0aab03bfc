"""A fresh shuffle from a secret seed: the same seed gives the same order, on any machine.

Chance comes in as `below`, so the shuffle itself can be counted through; `Stream`
is the one that deals. Anyone can redo it with SHA-256 and a pencil:
block n is SHA-256(seed ‖ n), n from 0 in 8 bytes, big end first; its 32 bytes are
used one by one. The seed has 256 bits because forty cards have 40! orders, some
2^159: a shorter one could not reach them all.
Not here: where a seed comes from (`controller.games.seed`).
"""

from collections.abc import Callable, Iterator, Sequence
from hashlib import sha256
from itertools import count
from typing import Final, TypeAlias

from controller.contract.cards import Card

SEED_BYTES: Final = 32
_BYTE: Final = 256

Below: TypeAlias = Callable[[int], int]
"""n → one of 0 … n-1, each as likely as the other."""


class Stream:
    """Chance from a seed: nobody can tell or foretell it who has not the seed."""

    def __init__(self, seed: bytes) -> None:
        if len(seed) != SEED_BYTES:
            raise ValueError(f"a seed has {SEED_BYTES} bytes, not {len(seed)}")
        self._bytes = _blocks(seed)

    def below(self, n: int) -> int:
        """Bytes from the last whole multiple of n on are thrown away.

        A plain remainder would favour the small numbers: of 256 bytes 7 give
        each of 0 … 15, and 6 each of 16 … 39.
        """
        if not 0 < n <= _BYTE:
            raise ValueError(f"a byte cannot choose among {n}")
        fair = _BYTE - _BYTE % n
        return next(byte for byte in self._bytes if byte < fair) % n


def _blocks(seed: bytes) -> Iterator[int]:
    for n in count():
        yield from sha256(seed + n.to_bytes(8, "big")).digest()


def commitment(seed: bytes) -> str:
    """What may be told before the first card: it binds to the seed and gives nothing away."""
    return sha256(seed).hexdigest()


def shuffled(cards: Sequence[Card], below: Below) -> tuple[Card, ...]:
    """Fisher-Yates: every order comes from exactly one row of choices, so all are as likely."""
    order = list(cards)
    for last in range(len(order) - 1, 0, -1):
        chosen = below(last + 1)
        order[last], order[chosen] = order[chosen], order[last]
    return tuple(order)
