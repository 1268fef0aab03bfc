"""The controller's four sockets, bound, and what comes through them as structs.

Only the holder of the journal's lock may make them. What a message leads to is
decided elsewhere; here it is understood, or said not to be.
"""

from collections.abc import Callable
from typing import TypeVar

import msgspec

from controller.contract.audience import Audience
from controller.runtime.bus import Bus
from controller.runtime.config import Config

Said = TypeVar("Said")


class Sockets:
    """The four sockets, bound. Only the holder of the journal's lock may make them."""

    def __init__(self, bus: Bus, config: Config) -> None:
        self.readers = bus.router(config.bus.url("readers"))
        self.requests = bus.router(config.bus.url("requests"))
        self.facts = {
            Audience.PUBLIC: bus.publisher(config.bus.url("public")),
            Audience.OPS: bus.publisher(config.bus.url("ops")),
        }


class NotUnderstood(Exception):  # noqa: N818 - it is about the sender, not about us
    """A message that is none of the contract, and why."""


def decoded(decode: Callable[[bytes], Said], frames: list[bytes]) -> Said:
    """The one message in `frames`; whatever else came is `NotUnderstood`, and never our end."""
    if len(frames) != 1:
        raise NotUnderstood(f"one frame is a message, these are {len(frames)}")
    try:
        return decode(frames[0])
    except (msgspec.MsgspecError, ValueError, RecursionError) as error:
        raise NotUnderstood(str(error)[:200]) from error
