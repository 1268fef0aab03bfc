"""A journal that has lived for years: what is counted from its beginning has no upper end."""

import msgspec

from controller.contract.commands import Command, OpenTable, Role

YEARS_OF_FACTS = 10**12


def test_a_command_answers_its_window_however_many_facts_came_before_it() -> None:
    command = Command(
        id="c1",
        epoch="e",
        role=Role.SERVER,
        who="server",
        window=YEARS_OF_FACTS,
        issued=1,
        do=OpenTable(),
    )
    assert msgspec.json.decode(msgspec.json.encode(command), type=Command) == command
