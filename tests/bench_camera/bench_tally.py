"""Counts of what was shown and what was read, and the bounds that they allow."""

import math
from collections import Counter
from dataclasses import dataclass, field

from drivers.camera.found import Found, Verdict


@dataclass
class Tally:
    """Of one kind of scene: shown, found, read, wrong, and each verdict and reason."""

    counts: Counter[str] = field(default_factory=Counter)

    def add(self, card: str | None, found: Found | None) -> None:
        """`card` None: something that is no card of the deck was shown."""
        self.counts["shown"] += 1
        if found is None:
            return
        self.counts["found"] += 1
        if found.verdict is not Verdict.CARD:
            self.counts[str(found.verdict)] += 1
            self.counts[f"why {found.why}"] += 1
        elif found.card == card:
            self.counts["read"] += 1
        else:
            self.counts["wrong"] += 1
            self.counts[f"wrong {card} as {found.card}"] += 1


def upper_bound(k: int, n: int) -> float:
    """95 % upper bound of a rate of which k of n were seen (Wilson; 3/n for none)."""
    if n == 0:
        return 1.0
    if k == 0:
        return min(1.0, 3.0 / n)
    z, p = 1.645, k / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle + half) / (1 + z * z / n)


def table(tallies: dict[str, Tally]) -> str:
    lines = [f"{'':58} shown  found   read unsure wrong (95 % at most)"]
    total: Counter[str] = Counter()
    for key in sorted(tallies):
        c = tallies[key].counts
        total.update(c)
        n = max(c["shown"], 1)
        lines.append(
            f"{key:58} {c['shown']:6} {c['found'] / n:6.1%} {c['read'] / n:6.1%} "
            f"{c['unsure'] / n:6.1%} {c['wrong']:5} "
            f"{upper_bound(c['wrong'], c['shown']):.4%} {_most(c)}"
        )
    lines.append(
        f"all: {total['shown']} shown, {total['wrong']} wrong, "
        f"at most {upper_bound(total['wrong'], total['shown']):.5%}"
    )
    return "\n".join(lines)


def _most(c: Counter[str]) -> str:
    wrong = [f"{key}: {n}" for key, n in c.items() if key.startswith("wrong ")]
    why = [
        f"{key[4:]}: {n}"
        for key, n in c.most_common()
        if key.startswith("why ") and n * 50 > c["shown"]
    ]
    return "; ".join([*wrong, *why[:3]])
