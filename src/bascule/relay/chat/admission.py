"""Who may ask for something, how often, and whether it was asked before. Nobody by default."""

import hashlib
from collections.abc import Callable

from bascule.core.bounded import forget_oldest
from bascule.core.relay.dev_commands import DevCommand
from bascule.relay.config import RelayConfig

MINUTE_MS = 60_000
MAX_KNOWN = 10_000  # senders whose messages are counted
REPEAT_MS = 15_000


class Admission:
    def __init__(self, config: RelayConfig, now_ms: Callable[[], int]) -> None:
        self._config = config
        self._now_ms = now_ms
        self._counts: dict[tuple[str, str], tuple[int, int]] = {}  # by sender: the minute, and how many

    def is_too_often(self, platform: str, user: str) -> bool:
        """Counts this one too, also of somebody who is not on the list."""
        minute = self._now_ms() // MINUTE_MS
        began, count = self._counts.pop((platform, user), (minute, 0))
        count = count + 1 if began == minute else 1
        self._counts[platform, user] = (minute, count)
        forget_oldest(self._counts, MAX_KNOWN)
        return count > self._config.messages_per_minute

    def find_machine(self, user: str) -> str | None:
        return self._config.find_machine(user)


def make_fingerprint(user: str, machine: str, command: DevCommand) -> str:
    """Of what would be done: the same again within moments is a slip. Nothing of what only tells."""
    if command.kind in ("help", "status"):
        return ""
    words = "\0".join((user, machine, command.kind, command.ref_id, " ".join(command.prompt.lower().split())))
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()
