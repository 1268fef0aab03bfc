"""What the terminal tells of a run, and what its summary counts."""

import random
from collections import Counter

import pytest
from msgspec.structs import replace

from controller.contract.commands import Exit, Role
from controller.contract.facts import Halted, Resumed, RoundSettled
from controller.contract.incidents import INCIDENTS, Incident
from controller.contract.state import ClosedBy, HaltView, Outcome, Phase, Result
from simulators.audit import Audit
from simulators.physical import Physical
from simulators.story import Story, round_line
from simulators.summary import summary

WIN = Result(
    depth=1, by=ClosedBy.STAND, plain=3, mdp=2, half_points=14, outcome=Outcome.HIGHER,
    main_halves=4, mdp_returns=0,
)  # fmt: skip
SETTLED = RoundSettled(
    round=4, position=("7C",), dealer=("AS", "5B"), dealer_half_points=12, results=(WIN,),
    pp_returns=0, next_at=0,
)  # fmt: skip
FOUND = HaltView(
    incident=Incident.RESTARTED, seq=9, phase=Phase.DEAL, exits=(), count=True, last="position 1"
)


def halted(incident: Incident) -> Halted:
    return Halted(incident=incident, phase=Phase.DEAL, exits=(), count=False, last="", at=0)


def resumed(incident: Incident) -> Resumed:
    return Resumed(incident=incident, exit=Exit.GO_ON, role=Role.DEALER, who="dealer")


def told(story: Story, said: list[str]) -> str:
    audit = Audit(Physical(random.Random(1)), ())
    audit.decks = 1
    said += summary(story, audit, None, Counter(jam=2), "ok")
    return "\n".join(said)


def test_a_result_tells_points_and_cards_apart() -> None:
    assert round_line(SETTLED).endswith("5 stood on 7 (1 card): win")
    two = replace(WIN, depth=2, by=ClosedBy.BUST, half_points=17, outcome=Outcome.PLAYER_BUST)
    assert "5 bust with 8½ (2 cards): lose" in round_line(replace(SETTLED, results=(two,)))


def test_side_bets_are_told_as_what_they_return_and_to_nobody_who_has_none() -> None:
    poker = replace(WIN, mdp_returns=51)
    line = round_line(replace(SETTLED, results=(poker,), pp_returns=6))
    assert line.endswith("win, MdP ×51 · PP ×6")
    assert "MdP" not in round_line(replace(SETTLED, results=(replace(poker, mdp=0),)))


def test_a_round_without_bets_has_no_player_that_wins_or_loses() -> None:
    line = round_line(replace(SETTLED, for_nobody=True, pp_returns=6))
    assert line.endswith("dealt for nobody: no bet")


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("by", ClosedBy)
def test_every_end_has_its_words(by: ClosedBy, outcome: Outcome) -> None:
    line = round_line(replace(SETTLED, results=(replace(WIN, by=by, outcome=outcome),)))
    assert "_" not in line


def test_a_halt_that_was_there_when_the_run_began_is_counted_once() -> None:
    said: list[str] = []
    story = Story(said.append)
    story.found(FOUND)
    story.found(FOUND)
    story.hear(resumed(Incident.RESTARTED))
    assert story.halts == {Incident.RESTARTED: 1}
    assert "system restarted" in said[0]


def test_a_halt_that_was_told_is_not_counted_again_when_the_table_is_met_anew() -> None:
    story = Story(lambda _line: None)
    story.hear(halted(Incident.RESTARTED))
    story.found(FOUND)
    story.hear(resumed(Incident.RESTARTED))
    story.found(None)
    story.hear(halted(Incident.RESTARTED))
    assert story.halts == {Incident.RESTARTED: 2}


def test_the_summary_speaks_in_the_words_of_the_lines_and_accounts_for_what_was_mended() -> None:
    said: list[str] = []
    story = Story(said.append)
    for incident in Incident:
        story.hear(halted(incident))
        story.hear(resumed(incident))
    story.mended("jam freed", "the dealer frees the card")
    text = told(story, said)
    for incident in Incident:
        assert text.count(INCIDENTS[incident].say.en[0].lower()) >= 2
        assert "_" not in incident or incident not in text
    assert "by hand   jam freed 1" in text
    assert "from 1 deck," in text
