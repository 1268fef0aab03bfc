"""The base of all facts; the facts themselves are in `facts` and `seat_facts`."""

import msgspec


class Fact(msgspec.Struct, frozen=True, kw_only=True, tag_field="fact", omit_defaults=True):
    """Base of all facts."""
