"""The display's server without a browser: who may speak to it, and what it says first."""

import asyncio
import http.client
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import aiohttp
import pytest

from tests.browser.kiosk import DisplayProcess
from tests.browser.scenes import FULL
from tests.browser.stand_in_table import StandInTable


@pytest.fixture
def table(tmp_path: Path) -> Iterator[StandInTable]:
    with StandInTable(tmp_path) as table:
        table.show(FULL)
        yield table


@pytest.fixture
def display(tmp_path: Path, table: StandInTable) -> Iterator[DisplayProcess]:
    with DisplayProcess(tmp_path) as display:
        yield display


def get(display: DisplayProcess, path: str, **headers: str) -> http.client.HTTPResponse:
    line = http.client.HTTPConnection("127.0.0.1", display.port, timeout=5)
    line.request("GET", path, headers=headers)
    return line.getresponse()


def upgrade(display: DisplayProcess, **headers: str) -> int:
    asked = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", **headers,
    }  # fmt: skip
    return get(display, "/ws", **asked).status


def test_only_its_own_page_may_open_the_line(display: DisplayProcess) -> None:
    own = display.url.rstrip("/")
    assert upgrade(display, Origin=own) == 101
    assert upgrade(display) == 403
    assert upgrade(display, Origin="http://evil.example") == 403
    assert upgrade(display, Origin="null") == 403
    rebound = {
        "Host": f"evil.example:{display.port}",
        "Origin": f"http://evil.example:{display.port}",
    }
    assert upgrade(display, **rebound) == 403


def test_a_name_that_is_not_loopback_is_not_served(display: DisplayProcess) -> None:
    assert get(display, "/", Host="evil.example").status == 403
    assert get(display, "/", Host=f"localhost:{display.port}").status == 200


def test_the_page_may_load_nothing_but_itself(display: DisplayProcess) -> None:
    answer = get(display, "/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    body = answer.read().decode()
    assert "<script>" not in body
    assert "style=" not in body


def test_the_first_message_is_the_whole_table(display: DisplayProcess) -> None:
    asyncio.run(_first_message(display))


async def _first_message(display: DisplayProcess) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{display.url}ws", origin=display.url.rstrip("/")) as line,
    ):
        while True:
            said = await line.receive_json(timeout=5)
            if said["live"]:
                break
        assert said["t"] == "screen"
        assert said["screen"]["position"]["points"] == "3½"
        assert said["screen"]["instruction"]["say"] == "deal_position"


def test_what_is_no_press_is_ignored_and_the_same_press_is_one_command(
    display: DisplayProcess, table: StandInTable
) -> None:
    asyncio.run(_press(display, table))


async def _press(display: DisplayProcess, table: StandInTable) -> None:
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(f"{display.url}ws", origin=display.url.rstrip("/")) as line,
    ):
        while not (await line.receive_json(timeout=5))["live"]:
            pass
        for nonsense in ("", "{}", '{"do": {"do": "bets"}}', "[" * 1000):
            await line.send_str(nonsense)
        press = {"id": "0" * 32, "button": "stop_after_round", "round": FULL.round}
        for _ in range(3):
            await line.send_str(json.dumps(press))
        while (await line.receive_json(timeout=5))["t"] != "answer":
            pass
        assert len(table.effects) == 1


def test_a_taken_port_is_one_sentence_and_the_configuration_exit(
    display: DisplayProcess, tmp_path: Path
) -> None:
    second = subprocess.run(display.arguments, capture_output=True, text=True, timeout=30)
    assert second.returncode == 3
    said = [line for line in second.stderr.splitlines() if line.startswith("mazziere: ")]
    assert len(said) == 1
    assert "display.port" in said[0]
    assert "Traceback" not in second.stderr
