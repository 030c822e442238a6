"""Who may ask for something, how often, and whether it was asked before. Nobody by default."""

import hashlib
from collections.abc import Callable

from bascule.core.bounded import forget_oldest
from bascule.core.relay.dev_commands import DevCommand
from bascule.relay.config import RelayConfig
from bascule.relay.storage.steps import MINUTE_MS, SenderLimit

MAX_KNOWN = 10_000  # senders whose messages are refused
REPEAT_MS = 15_000


class Admission:
    def __init__(self, config: RelayConfig, now_ms: Callable[[], int]) -> None:
        self._a_minute = config.messages_per_minute
        self._users = {user.id: user for user in config.users}
        self._now_ms = now_ms
        self._refused: dict[tuple[str, str], int] = {}  # by sender: in which minute

    def get_limit(self, platform: str, user: str) -> SenderLimit:
        """Also of somebody who is not on the list."""
        return SenderLimit(platform, user, self._a_minute)

    def is_refused(self, platform: str, user: str) -> bool:
        """For the rest of this minute: a flood is not written down."""
        return self._refused.get((platform, user)) == self._now_ms() // MINUTE_MS

    def refuse(self, platform: str, user: str) -> None:
        self._refused.pop((platform, user), None)
        self._refused[platform, user] = self._now_ms() // MINUTE_MS
        forget_oldest(self._refused, MAX_KNOWN)

    def find_machine(self, platform: str, user: str) -> str | None:
        found = self._users.get(user)
        return found.machine if found is not None and found.writes_in(platform) else None


def make_fingerprint(user: str, machine: str, command: DevCommand) -> str:
    """Of what would be done: the same again within moments is a slip. Nothing of what only tells."""
    if command.kind in ("help", "status"):
        return ""
    words = "\0".join((user, machine, command.kind, command.ref_id, " ".join(command.prompt.lower().split())))
    return hashlib.sha256(words.encode("utf-8", "replace")).hexdigest()
