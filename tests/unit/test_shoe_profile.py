"""The profile: exactly the forty cards, each with one code, or a sentence naming the entry."""

from pathlib import Path

import pytest

from controller.contract.cards import DECK
from controller.runtime.exits import ExitCode, Refusal
from drivers.shoe.profile import BUNDLED, ProfileError, parse
from drivers.shoe.profile_file import load_profile

HEAD = 'protocol = "ssi"\nbaud = 9600\n[cards]\n'
ENTRIES = [f'c{n} = "{card}"' for n, card in enumerate(DECK)]


def text(*entries: str, head: str = HEAD) -> str:
    return head + "\n".join(entries) + "\n"


@pytest.mark.parametrize("name", BUNDLED)
def test_a_profile_that_comes_with_the_program_names_the_forty_and_no_foreign_card(
    name: str,
) -> None:
    profile = load_profile(name)
    assert sorted(profile.cards.values()) == sorted(DECK)
    assert all(profile.card(code) == card for card, code in profile.codes().items())
    assert profile.card("spade-8") is None
    assert profile.card("8S") is None


def test_the_angel_eyes_suits_and_figures_are_those_of_the_table() -> None:
    profile = load_profile("angel-eye")
    named = {code: profile.card(code) for code in ("diamond-13", "heart-1", "spade-12", "club-11")}
    assert named == {"diamond-13": "KD", "heart-1": "AC", "spade-12": "QS", "club-11": "JB"}


@pytest.mark.parametrize(
    ("entries", "says"),
    [
        (ENTRIES[:-1], "no code for KB"),
        ([*ENTRIES, 'x = "AD"'], r'"x" = "AD" \(line 44\).*already has the code "c0"'),
        ([*ENTRIES, 'c0 = "AD"'], "given twice.*line 44"),
        ([*ENTRIES[:-1], 'c39 = "8B"'], r'"c39" = "8B" \(line 43\): is not one of the forty'),
        ([*ENTRIES, 'x = "8D"'], "is not one of the forty"),
        ([*ENTRIES[1:], "c0 = 7"], "Expected `str`"),
    ],
)
def test_a_wrong_entry_is_refused_by_name_and_line(entries: list[str], says: str) -> None:
    with pytest.raises(ProfileError, match=says):
        parse(text(*entries))


@pytest.mark.parametrize(
    ("head", "says"),
    [
        (HEAD.replace("ssi", "morse"), "morse"),
        (HEAD.replace("baud = 9600", "baud = 0"), "baud"),
        (HEAD.replace("baud = 9600", "speed = 9600"), "speed|baud"),
        (HEAD.replace("[cards]", '[line]\npattern = "["\n[cards]'), "regular expression"),
        (HEAD.replace("[cards]", "[line]\npatern = 1\n[cards]"), "patern"),
    ],
)
def test_a_wrong_option_is_refused_by_name(head: str, says: str) -> None:
    with pytest.raises(ProfileError, match=says):
        parse(text(*ENTRIES, head=head))


def test_in_line_mode_a_code_cut_short_must_not_be_another_card() -> None:
    head = HEAD.replace("ssi", "line")
    with pytest.raises(ProfileError, match=r'"c1" is a part of "c10"'):
        parse(text(*ENTRIES, head=head))


def test_in_line_mode_a_code_that_the_pattern_refuses_is_refused_at_the_start() -> None:
    head = HEAD.replace("ssi", "line").replace("[cards]", '[line]\npattern = "[A-Z]"\n[cards]')
    with pytest.raises(ProfileError, match=r"does not match line\.pattern"):
        parse(text(*ENTRIES, head=head))


@pytest.mark.parametrize("name", ["nobody", "/no/such/profile.toml"])
def test_a_profile_that_is_not_there_ends_with_the_configurations_exit_code(name: str) -> None:
    with pytest.raises(Refusal) as refusal:
        load_profile(name)
    assert refusal.value.exit_code is ExitCode.CONFIGURATION
    assert name in refusal.value.message


def test_a_profile_file_that_is_wrong_is_refused_with_its_name(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text(*ENTRIES[:-1]))
    with pytest.raises(Refusal, match=r"mine\.toml is refused: cards: no code for KB"):
        load_profile(str(path))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (f"x = {'[' * 100_000}", "is refused: it is nested too deeply"),
        (f"x = 1{'0' * 5_000}", "5001 digits"),
        ("#" * (1 << 20) + "#", "it is longer than 1048576 bytes"),
    ],
)
def test_a_profile_that_breaks_its_reader_is_refused(
    tmp_path: Path, content: str, said: str
) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(content)
    with pytest.raises(Refusal, match=said):
        load_profile(str(path))


@pytest.mark.parametrize("name", ["/dev/zero", "/dev/urandom", "/tmp"])
def test_a_profile_that_is_no_file_is_not_read(name: str) -> None:
    with pytest.raises(Refusal, match=f"Cannot read the shoe profile {name}: it is no file"):
        load_profile(name)
