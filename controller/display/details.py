"""What readers, codecs and recovery say in their own codes, as names of words.

The table passes such a detail on as it came. What is known is shown in the words
of the screen's language (`words/`, section `detail`); what is not is shown small,
as the technician's, and is never the only thing that is said.
Pure: it reads text and knows no language.
"""

import re
from typing import Final

import msgspec

from controller.contract.incidents import Incident

KNOWN: Final = frozenset(
    {
        # an electronic shoe's own faults; why a card was not read
        "cannot_read", "overdraw", "button_mishandling", "reverse_run_at_exit",
        "reverse_run_midway", "card_code_error", "drawing_time_out",
        "damaged", "unexpected_text", "unreadable_text",
        # what came during the halt
        "no_read", "out_of_game", "stale", "reopened", "restarted", "fault", "fault_cleared",
        "reader_restarted", "rules_changed",
        # with a number
        "gap", "cut",
        # with a card of another deck
        "french_card",
    }
)  # fmt: skip
"""Every name that `explain` gives but the empty one."""

_IN_ERROR_MODE: Final = re.compile(r"the shoe is in error mode \((\w+)\)")
_CUT: Final = re.compile(r"\d+ bytes cut at byte \d+ of \S+, record (\d+)")
_FRENCH: Final = re.compile(r"(diamond|club|spade|heart)-(\d+)")
_GAP: Final = re.compile(r"(?:gap )?(\d+)")
_SENTENCES: Final = {
    "rules or configuration changed": "rules_changed",
}


class Detail(msgspec.Struct, frozen=True):
    """`name` of words, with what is put into them; `text` is the detail as it came."""

    text: str
    name: str = ""
    n: int = 0
    suit: str = ""


def explain(text: str, incident: Incident | None = None) -> Detail:
    """What `text` means, as far as it is known; never less than the text itself."""
    text = text.strip()
    if found := _CUT.match(text):
        return Detail(text, "cut", int(found[1]))
    if incident is Incident.FOREIGN_CARD and (found := _FRENCH.fullmatch(text)):
        return Detail(text, "french_card", int(found[2]), found[1])
    if found := _GAP.fullmatch(text):
        return Detail(text, "gap", int(found[1]))
    if text.endswith(" restarted"):
        return Detail(text, "reader_restarted")
    if found := _IN_ERROR_MODE.match(text):
        return _by_code(text, found[1])
    return _by_code(text, _SENTENCES.get(text, text))


def _by_code(text: str, said: str) -> Detail:
    """`fault drawing_time_out` is the code; a lone `fault` or `stale 7D` the kind."""
    kind, _, code = said.partition(" ")
    name = next((known for known in (code, kind) if known in KNOWN), "")
    return Detail(text, name)
