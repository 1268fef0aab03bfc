"""One question at a time: how a simulated person or server commands the table.

Whoever asks waits for the answer, and for the facts that the answer speaks of,
before doing anything else, as a person waits for the screen to change.
"""

from controller.client import AnswerGot, Event, Follower, Unanswered
from controller.contract.commands import Answer, Do, Role


class Asking:
    """At most one command in the air; `busy` until it is answered and its facts are here."""

    def __init__(self, follower: Follower, who: str) -> None:
        self._follower = follower
        self._who = who
        self._open = ""
        self._until_seq = 0

    @property
    def busy(self) -> bool:
        return bool(self._open) or self._follower.seq < self._until_seq

    def ask(self, do: Do, role: Role, window: int = 0, ttl: float = 5.0) -> None:
        """Ask by one's own name, or by the supervisor's where one had to be called."""
        who = role.value if role is Role.SUPERVISOR else self._who
        self._open = self._follower.send(do, role=role, who=who, window=window, ttl=ttl)

    def heard(self, event: Event) -> Answer | None:
        """The answer to what was asked, if `event` is it. No answer: the facts will tell."""
        if isinstance(event, Unanswered) and event.id == self._open:
            self._open = ""
        if not isinstance(event, AnswerGot) or event.answer.id != self._open:
            return None
        self._open = ""
        self._until_seq = max(self._until_seq, event.answer.seq)
        return event.answer
