"""A reader tells where its line stands: on change, and once a second for silence means death."""

from typing import Final

import structlog

from controller.contract.readings import ReaderStatus
from controller.runtime.clock import Clock
from controller.runtime.daemon import Notifier
from drivers.reader import Outbox

STATUS_NS: Final = 1_000_000_000
_log = structlog.get_logger()


class Teller:
    """Give it the status as often as you like; it says what is news, to the bus and to systemd."""

    def __init__(self, outbox: Outbox, notifier: Notifier, clock: Clock) -> None:
        self._outbox = outbox
        self._notifier = notifier
        self._clock = clock
        self._told: tuple[str, str] | None = None
        self.due_at = clock.mono()
        """When the status is to be told again, changed or not."""

    def tell(self, status: ReaderStatus) -> None:
        headline = (str(status.rung), status.detail)  # the counters alone are no news
        changed = headline != self._told
        if changed:
            _log.info("line_changed", rung=str(status.rung), detail=status.detail)
            self._notifier.status(f"{status.rung}: {status.detail}".rstrip(": "))
        now = self._clock.mono()
        if changed or now >= self.due_at:
            self._outbox.report(status)
            self._told, self.due_at = headline, now + STATUS_NS
