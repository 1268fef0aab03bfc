"""A reader's profile: its protocol, how it is set up, and which code is which card.

A profile maps the reader's own codes to exactly the forty cards. A missing card,
a card or code given twice, or a card that is not of the deck is refused with the
entry's name and line. What is not in the map (an 8, 9, 10, a stranger) is a
foreign card, which the assembler reports; it is never an error here.
Where the text comes from is the caller's concern: nothing here does I/O.
"""

import re
from collections.abc import Mapping
from typing import Final, Literal

import msgspec

from controller.contract.cards import DECK, FACES, Card
from drivers.shoe.angel_eye import AngelEye
from drivers.shoe.codec import Codec
from drivers.shoe.line import Line, LineOptions
from drivers.shoe.ssi import NOREAD, Ssi

Protocol = Literal["angel-eye", "ssi", "line"]

BUNDLED: Final = ("angel-eye", "ssi", "line")
"""Profiles that come with the program, by name."""


class ProfileError(ValueError):
    """One sentence: which entry of the profile is wrong, and why."""


class SsiOptions(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a Zebra scanner is set up."""

    noread: tuple[str, ...] = NOREAD


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One kind of reader and the codes printed on this table's cards."""

    protocol: Protocol
    baud: int
    cards: dict[str, str]
    """Reader code → card."""
    line: LineOptions = LineOptions()
    ssi: SsiOptions = SsiOptions()

    def card(self, code: str) -> Card | None:
        return self.cards.get(code)

    def codes(self) -> Mapping[Card, str]:
        """Card → reader code, for whoever prints cards or plays a shoe."""
        return {card: code for code, card in self.cards.items()}

    def codec(self) -> Codec:
        """A fresh codec: one for each time the line is opened."""
        match self.protocol:
            case "angel-eye":
                return AngelEye()
            case "ssi":
                return Ssi(self.ssi.noread)
            case "line":
                return Line(self.line)


def parse(text: str) -> Profile:
    try:
        profile = msgspec.toml.decode(text, type=Profile)
    except (msgspec.DecodeError, ValueError) as error:
        raise ProfileError(_why_unreadable(str(error))) from error
    _check_options(profile)
    _check_cards(profile, text)
    return profile


def _why_unreadable(problem: str) -> str:
    if "Cannot overwrite a value" in problem or "overwrite" in problem:
        return f"a code or key is given twice ({problem})"
    return problem


def _check_options(profile: Profile) -> None:
    if profile.baud <= 0:
        raise ProfileError(f"baud: {profile.baud} is no speed; the reader's manual gives it")
    try:
        pattern = re.compile(profile.line.pattern)
    except re.error as error:
        raise ProfileError(f"line.pattern: not a regular expression ({error})") from error
    if profile.protocol != "line":
        return
    for code in profile.cards:
        if not pattern.fullmatch(code):
            raise ProfileError(f'cards: code "{code}" does not match line.pattern; no card would')


def _check_cards(profile: Profile, text: str) -> None:
    seen: dict[str, str] = {}
    for code, card in profile.cards.items():
        place = f'cards: "{code}" = "{card}"{_line(text, code)}'
        if card not in FACES:
            raise ProfileError(f"{place}: is not one of the forty cards (AD 2D … KB)")
        if card in seen:
            raise ProfileError(f'{place}: this card already has the code "{seen[card]}"')
        seen[card] = code
    missing = [card for card in DECK if card not in seen]
    if missing:
        raise ProfileError(f"cards: no code for {' '.join(missing)}; all forty are needed")
    _check_distance(profile)


def _check_distance(profile: Profile) -> None:
    """In line mode a code cut short must not be another card's code."""
    if profile.protocol != "line":
        return
    for code in profile.cards:
        for cut in range(1, len(code)):
            for part in (code[:cut], code[cut:]):
                if part in profile.cards:
                    raise ProfileError(f'cards: "{part}" is a part of "{code}": codes must differ')


def _line(text: str, code: str) -> str:
    for number, line in enumerate(text.splitlines(), start=1):
        if re.match(rf"""\s*["']?{re.escape(code)}["']?\s*=""", line):
            return f" (line {number})"
    return ""
