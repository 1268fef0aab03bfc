"""Learning a deck's codes by one pass through the shoe, card by asked card. Pure.

It asks for the forty cards in the order of the deck and takes the reader's code
for each. A code given twice, an eight, nine or ten, a code that is another card's
in the profile it starts from, or a card that was not read is refused with one
sentence, and the same card is asked again. Nothing is saved before all forty are
known, and what is saved is read back by the parser that will read it at the table.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from controller.contract.cards import DECK, Card
from controller.contract.readings import ReadingKind
from drivers.shoe.assembler import Draft
from drivers.shoe.profile import Profile, parse

_STRANGER: Final = re.compile(r"(?:^|[^0-9])(8|9|10)(?:[^0-9]|$)")
"""A code that names a rank which no deck of forty has."""
_LINE: Final = {
    ReadingKind.GAP: "a report was lost",
    ReadingKind.REOPENED: "the line was away",
    ReadingKind.RESTARTED: "the shoe restarted",
    ReadingKind.STALE: "this report waited in the line from before",
    ReadingKind.FAULT: "the shoe is in error mode: clear it as its manual says",
    ReadingKind.OUT_OF_GAME: "the shoe is locked: unlock it",
    ReadingKind.NO_READ: "the card was not read",
}


@dataclass(frozen=True, slots=True)
class Heard:
    """What became of one report. `learned` is the card whose code is now known."""

    learned: Card | None
    sentence: str


@dataclass(slots=True)
class Pass:
    """One pass of the deck. `known`: code → card, as the profile has it that is replaced."""

    known: Mapping[str, Card]
    codes: dict[Card, str] = field(default_factory=dict)

    @property
    def asked(self) -> Card | None:
        """The card to pass next; None when all forty are known."""
        return DECK[len(self.codes)] if len(self.codes) < len(DECK) else None

    @property
    def missing(self) -> tuple[Card, ...]:
        return DECK[len(self.codes) :]

    def hear(self, draft: Draft) -> Heard | None:
        """None: the report says nothing about a card."""
        if draft.kind in _LINE:
            return Heard(None, f"{_LINE[draft.kind]}; {self._again()}")
        if draft.kind not in (ReadingKind.CARD, ReadingKind.FOREIGN):
            return None
        refused = self._objection(draft.code)
        if refused:
            return Heard(None, f"{refused}; {self._again()}")
        card = DECK[len(self.codes)]
        self.codes[card] = draft.code
        return Heard(card, f"{card} is {draft.code}")

    def _objection(self, code: str) -> str:
        if self.asked is None:
            return "this is a forty-first card: it is not of this deck"
        for card, learned in self.codes.items():
            if learned == code:
                return f"this code is already the {card}: passed twice, or two cards with one code"
        known = self.known.get(code)
        if known is not None and known != self.asked:
            return f"this is the {known} in the profile it starts from (--anew forgets that)"
        stranger = _STRANGER.search(code)
        if stranger and known is None:
            return f"{code} is a foreign card: no deck of forty has a {stranger[1]}"
        return ""

    def _again(self) -> str:
        return f"pass the {self.asked}" if self.asked else "take it out"


def profile_text(base: Profile, codes: Mapping[Card, str], title: str) -> str:
    """The profile as TOML; `ProfileError` if the parser at the table would refuse it."""
    lines = [f"# {title}", f"protocol = {_quoted(base.protocol)}", f"baud = {base.baud}", ""]
    if base.protocol == "line":
        line = base.line
        lines += [
            "[line]",
            f"ending = {_quoted(line.ending)}",
            f"prefix = {_quoted(line.prefix)}",
            f"suffix = {_quoted(line.suffix)}",
            f"pattern = {_quoted(line.pattern)}",
            f"check_letter = {str(line.check_letter).lower()}",
            f"noread = [{', '.join(map(_quoted, line.noread))}]",
            f"max_length = {line.max_length}",
            "",
        ]
    if base.protocol == "ssi":
        lines += ["[ssi]", f"noread = [{', '.join(map(_quoted, base.ssi.noread))}]", ""]
    lines.append("[cards]")
    lines += [f"{_quoted(code)} = {_quoted(card)}" for card, code in codes.items()]
    text = "\n".join(lines) + "\n"
    parse(text)
    return text


def _quoted(text: str) -> str:
    """TOML's basic strings are JSON's, as long as nothing beyond ASCII is left bare."""
    return json.dumps(text)
