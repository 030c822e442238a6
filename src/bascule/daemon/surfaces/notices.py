"""What is wrong with the daemon itself: said on every surface, kept for those that come later, withdrawn."""

import logging
from collections.abc import Callable

from bascule.core.bounded import forget_oldest
from bascule.model.protocol.sessions import DaemonNotice
from bascule.model.protocol.ui import UiToastNotify

MAX_NOTICES = 100  # the oldest leave

log = logging.getLogger("bascule.notices")


class Notices:
    def __init__(self) -> None:
        self._notices: dict[str, DaemonNotice] = {}
        self.on_change: Callable[[tuple[DaemonNotice, ...]], None] = lambda _notices: None
        self.on_toast: Callable[[UiToastNotify], None] = lambda _toast: None

    def all(self) -> tuple[DaemonNotice, ...]:
        return tuple(self._notices.values())

    def put(self, notice: DaemonNotice) -> None:
        """The toast says it once, however often its text changes."""
        before = self._notices.get(notice.id)
        self._notices[notice.id] = notice
        forget_oldest(self._notices, MAX_NOTICES)
        if before == notice:
            return
        self.on_change(self.all())
        if before is None:
            log.error("%s", notice.text)
            self.on_toast(UiToastNotify(level="error", message=notice.text))

    def withdraw(self, notice_id: str, said: str) -> None:
        if self._notices.pop(notice_id, None) is None:
            return
        log.info("%s", said)
        self.on_change(self.all())
        self.on_toast(UiToastNotify(level="info", message=said))
