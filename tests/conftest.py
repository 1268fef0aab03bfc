"""Options of the test run."""

from pathlib import Path

import pytest

BESIDE = Path(__file__).resolve().parents[2] / "shared" / "cards"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--cards",
        type=Path,
        default=BESIDE,
        help="folder with photographs of real decks, ../shared/cards beside the repository",
    )
