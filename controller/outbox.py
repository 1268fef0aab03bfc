"""Commands on their way: what is sent, sent again, and given up, without a socket or a clock.

`controller.client.Follower` sends what `Outbox` says is due and tells it the answers.
Resending is safe because a command keeps its id: the controller does it once and
answers the same each time.
"""

from collections.abc import Iterator
from typing import Final

import msgspec

from controller.contract.commands import Answer, Command, Verdict
from controller.following import AnswerGot, Event, Unanswered

SEND_AGAIN: Final = 300_000_000
"""Until a request or command without an answer is sent again (ns)."""


class Sent(msgspec.Struct):
    """A command on its way."""

    id: str
    body: bytes
    over_at: int
    again_at: int
    retry: Answer | None = None


class Outbox:
    """Commands on their way: each is sent again, unchanged, until its answer or its end."""

    def __init__(self) -> None:
        self._sent: dict[str, Sent] = {}
        self._encode = msgspec.json.Encoder().encode

    def __contains__(self, command: str) -> bool:
        return command in self._sent

    def add(self, command: Command, now: int) -> None:
        body = self._encode(command)
        self._sent[command.id] = Sent(command.id, body, now + command.ttl, now)

    def due(self, now: int) -> Iterator[bytes]:
        """Bodies to send now; the next time is set by asking."""
        for sent in self._sent.values():
            if sent.again_at <= now:
                sent.again_at = now + SEND_AGAIN
                yield sent.body

    def answered(self, answer: Answer) -> list[Event]:
        sent = self._sent.get(answer.id)
        if sent is None:
            return []  # answered before: the answer to a resend
        if answer.verdict is Verdict.RETRY:
            sent.retry = answer
            return []
        del self._sent[answer.id]
        return [AnswerGot(answer)]

    def over(self, now: int) -> list[Event]:
        """Give up what has outlived its time."""
        ended = [sent for sent in self._sent.values() if sent.over_at <= now]
        for sent in ended:
            del self._sent[sent.id]
        return [AnswerGot(sent.retry) if sent.retry else Unanswered(sent.id) for sent in ended]
