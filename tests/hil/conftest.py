"""Hardware in the loop: the same tests with a simulated reader, or with a real one.

pytest tests/hil                                    a simulated shoe of each protocol
pytest tests/hil --shoe=/dev/serial/by-id/… -s      the real one: draw when it says so
"""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("hardware in the loop")
    group.addoption("--shoe", metavar="DEVICE", help="path or socket:// URL of a real reader")
    group.addoption(
        "--shoe-profile", default="angel-eye", metavar="NAME", help="its profile, name or file"
    )
    group.addoption(
        "--shoe-cards", type=int, default=5, metavar="N", help="how many cards a person draws"
    )
