"""A surface that keeps its own copy of one session: a snapshot, then Changes, folded as they come."""

from msgspec.structs import replace

from bascule.core.session.fold import Fold
from bascule.daemon.sessions.watchers import SessionSnapshot, Watcher
from bascule.model.changes import Change
from bascule.model.session import Session

PATIENCE_S = 60.0  # of whoever waits for it to show something


class Mirror:
    """`await Mirror.open(hub.watch(session))`, then take() until it shows what is waited for."""

    def __init__(self, watcher: Watcher, session: Session) -> None:
        self._watcher = watcher
        self.fold = Fold(session)

    @classmethod
    async def open(cls, watcher: Watcher) -> "Mirror":
        first = await watcher.next()
        assert isinstance(first, SessionSnapshot)
        return cls(watcher, first.session)

    async def take(self) -> list[Change]:
        """What is new, folded already; nothing where a snapshot took its place."""
        news = await self._watcher.next()
        if isinstance(news, SessionSnapshot):
            self.fold = Fold(news.session)
            return []
        changes = [numbered.change for numbered in news]
        self.fold.apply_all(changes)
        return changes

    @property
    def is_done(self) -> bool:
        head = self.fold.head()
        return head.status == "completed" and head.runs[-1:] != () and head.runs[-1].outcome == "completed"

    async def agree_with(self, session: Session) -> Session:
        """Take what is still on its way, and give the copy: the same but for the owner's clock."""
        wanted = replace(session, updated_at_ms=0)
        while (copy := replace(self.fold.session(), updated_at_ms=0)) != wanted:
            await self.take()
        return copy
