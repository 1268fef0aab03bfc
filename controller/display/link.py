"""The display's end of the bus: follows the table, wakes the pages, carries their presses.

One `TableLink` per process. `step` is called whenever the bus stirs and ten
times a second; each page has a `Mailbox`, in which only the newest screen counts
(every message is the whole screen), but no answer is ever dropped.
What is not here: HTTP (`server`) and what is on the screen (`view`).
"""

import asyncio
from collections import OrderedDict, deque
from datetime import UTC, datetime
from typing import Final

import msgspec

from controller.client import AnswerGot, Event, Follower, SecondController, Unanswered
from controller.contract.commands import Verdict
from controller.display.buttons import Press, ask
from controller.display.view import Lengths, Screen, screen
from controller.runtime.clock import NANOSECONDS, Clock

NOT_LIVE: Final = "not_live"
NO_ANSWER: Final = "no_answer"
STALE: Final = "stale"
_PRESSES_KEPT: Final = 200
"""The last presses by id, so that one sent again after a lost answer is known."""


class ScreenMessage(msgspec.Struct, frozen=True, kw_only=True, tag="screen", tag_field="t"):
    """The whole page as it is now; sent on every change and at least twice a second.

    `age_ms` is how long ago the controller was last heard: the page adds the
    time since this message and greys itself by the sum.
    """

    table: str
    environment: str
    epoch: str
    seq: int
    live: bool
    age_ms: int
    stale_ms: int
    failed: str
    second: bool
    screen: Screen | None


class AnswerMessage(msgspec.Struct, frozen=True, kw_only=True, tag="answer", tag_field="t"):
    """What became of a press: `id` is the press's own."""

    id: str
    verdict: Verdict
    why: str


class Mailbox:
    """What one page has yet to be sent."""

    def __init__(self) -> None:
        self.answers: deque[AnswerMessage] = deque()
        self._stirred = asyncio.Event()

    def put(self, answer: AnswerMessage) -> None:
        self.answers.append(answer)
        self._stirred.set()

    def wake(self) -> None:
        self._stirred.set()

    async def wait(self, at_most: float) -> None:
        """Until there is something new, or the heartbeat is due."""
        try:
            await asyncio.wait_for(self._stirred.wait(), at_most)
        except TimeoutError:
            return
        finally:
            self._stirred.clear()


class _Pressed(msgspec.Struct):
    """A press that became a command under its own id: the page that asked, and the answer."""

    page: Mailbox
    answer: AnswerMessage | None = None


class TableLink:
    """Between one `Follower` and all pages."""

    def __init__(
        self,
        follower: Follower,
        clock: Clock,
        lengths: Lengths,
        *,
        table: str,
        environment: str,
        stale_after: float,
    ) -> None:
        self._follower = follower
        self._clock = clock
        self._lengths = lengths
        self._table = table
        self._environment = environment
        self._stale_ms = round(stale_after * 1000)
        self._pages: set[Mailbox] = set()
        self._presses: OrderedDict[str, _Pressed] = OrderedDict()
        self._second_in = ""

    def join(self, page: Mailbox) -> None:
        self._pages.add(page)
        page.wake()

    def fds(self) -> tuple[int, ...]:
        """What stirs when the bus does; they may be others after a `step`."""
        return self._follower.fds()

    def leave(self, page: Mailbox) -> None:
        self._pages.discard(page)

    def step(self) -> None:
        """Take what the bus has brought, without waiting, and wake the pages if anything did."""
        events = self._follower.step(0)
        for event in events:
            self._note(event)
        if events:
            for page in self._pages:
                page.wake()

    def message(self) -> ScreenMessage:
        follower = self._follower
        view, now = follower.view, follower.controller_now()
        return ScreenMessage(
            table=follower.table or self._table,
            environment=follower.environment or self._environment,
            epoch=follower.epoch,
            seq=follower.seq,
            live=follower.live,
            age_ms=follower.silent_for() // 1_000_000,
            stale_ms=self._stale_ms,
            failed=follower.failed,
            second=bool(self._second_in) and self._second_in == follower.epoch,
            screen=screen(view, now, self._lengths) if view is not None else None,
        )

    def press(self, press: Press, page: Mailbox) -> None:
        """Send a press as a command, once: the same id again only repeats the answer."""
        known = self._presses.get(press.id)
        if known is None:
            self._ask(press, page)
            return
        known.page = page
        if known.answer is not None:
            page.put(known.answer)

    def _ask(self, press: Press, page: Mailbox) -> None:
        view = self._follower.view
        if view is None or not self._follower.live:
            page.put(AnswerMessage(id=press.id, verdict=Verdict.REFUSED, why=NOT_LIVE))
            return
        asked = ask(press, view, self._new_deck(press))
        if asked is None:
            page.put(AnswerMessage(id=press.id, verdict=Verdict.REFUSED, why=STALE))
            return
        self._presses[press.id] = _Pressed(page)
        self._follower.send(
            asked.do,
            role=asked.role,
            who=f"screen:{asked.role}",
            window=asked.window,
            id=press.id,
        )
        self._forget_old()

    def _new_deck(self, press: Press) -> str:
        """A name no deck had; the same when the same press comes again."""
        today = datetime.fromtimestamp(self._clock.utc() / NANOSECONDS, UTC)
        return f"{self._table}-{today:%Y%m%d}-{press.id[:8]}"

    def _note(self, event: Event) -> None:
        match event:
            case AnswerGot(answer=answer):
                self._settle(answer.id, answer.verdict, answer.why)
            case Unanswered(id=press):
                self._settle(press, Verdict.REFUSED, NO_ANSWER)
            case SecondController():
                self._second_in = self._follower.epoch
            case _:
                pass

    def _settle(self, press: str, verdict: Verdict, why: str) -> None:
        pressed = self._presses.get(press)
        if pressed is not None:
            pressed.answer = AnswerMessage(id=press, verdict=verdict, why=why)
            pressed.page.put(pressed.answer)

    def _forget_old(self) -> None:
        while len(self._presses) > _PRESSES_KEPT:
            self._presses.popitem(last=False)
