"""The words of the screen: one file per language, joined with the incidents' own texts.

To change a word edit `words/<language>.toml`; what an incident says is in
`controller.contract.incidents`. A missing or extra word fails a test, not a
dealer: nothing falls back to another language.
"""

from importlib import resources
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from controller.contract.incidents import INCIDENTS

Language: TypeAlias = Literal["it", "en"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)


class Text(msgspec.Struct, frozen=True):
    """What an incident says: a title, and what to do."""

    title: str
    do: str


class Words(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Every word of one language, by the contract's own names."""

    say: dict[str, str]
    note: dict[str, str]
    phase: dict[str, str]
    button: dict[str, str]
    choice: dict[str, str]
    exit: dict[str, str]
    exit_note: dict[str, str]
    why: dict[str, str]
    rung: dict[str, str]
    rung_do: dict[str, str]
    detail: dict[str, str]
    french_suit: dict[str, str]
    role: dict[str, str]
    environment: dict[str, str]
    hand: dict[str, str]
    outcome: dict[str, str]
    seat_outcome: dict[str, str]
    rank: dict[str, str]
    suit: dict[str, str]
    page: dict[str, str]
    incident: dict[str, Text] = {}


def load(language: Language) -> Words:
    """The words of `language`, the incidents' among them."""
    text = resources.files(__package__).joinpath("words", f"{language}.toml").read_text("utf-8")
    words = msgspec.toml.decode(text, type=Words)
    incidents = {
        incident.value: Text(*(row.say.it if language == "it" else row.say.en))
        for incident, row in INCIDENTS.items()
    }
    return msgspec.structs.replace(words, incident=incidents)
