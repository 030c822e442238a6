"""What a surface watches, as frames: a session as state, or the list of all sessions."""

from collections import deque
from typing import Protocol

from bascule.core.session.growing_text import shorten
from bascule.core.session.status import is_draft, shown_outcome, shown_status
from bascule.core.wire import rpc
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.watchers import ListWatcher, SessionSnapshot, Watcher
from bascule.model.ids import SessionId
from bascule.model.protocol.sessions import Card, CardsNotify, ChangedNotify, SnapshotNotify
from bascule.model.session import Session

MAX_WHY = 200  # characters of why a run failed


class SurfaceView(Protocol):
    def frames(self) -> list[bytes]:
        """What is new, ready to be sent."""

    def close(self) -> None: ...


class SyncView:
    """A session for a surface that folds: one snapshot, then numbered Changes."""

    def __init__(self, session: SessionId, watcher: Watcher) -> None:
        self._session = session
        self._watcher = watcher
        self._sent_seq = 0

    def frames(self) -> list[bytes]:
        news = self._watcher.take()
        if isinstance(news, SessionSnapshot):
            self._sent_seq = news.seq
            snapshot = SnapshotNotify(session_id=self._session, seq=news.seq, session=news.session)
            return [rpc.notification("session.snapshot", snapshot)]
        if not news:
            return []
        after, self._sent_seq = self._sent_seq, news[-1].seq
        changed = ChangedNotify(
            session_id=self._session,
            after=after,
            seq=self._sent_seq,
            changes=tuple(numbered.change for numbered in news),
        )
        return [rpc.notification("session.changed", changed)]

    def close(self) -> None:
        self._watcher.close()


FIRST_CARDS = 200  # as many as a screen may show at once; they are not held up by the rest
MORE_CARDS = 1_000  # in one frame


class CardsView:
    """The list of sessions: the latest at once, the rest after them, and those that have changed."""

    def __init__(self, hub: Hub, watcher: ListWatcher) -> None:
        self._hub = hub
        self._watcher = watcher
        self._begun = False
        self._unsent: deque[SessionId] = deque()  # the latest first

    def frames(self) -> list[bytes]:
        changed = self._watcher.take()
        if not self._begun:
            self._begun = True
            self._unsent.extend(head.id for head in self._hub.heads())
            return [self._frame(self._take(FIRST_CARDS), whole=True)]
        changed_or_new = [*changed, *self._take(MORE_CARDS)]
        return [self._frame(changed_or_new)] if changed_or_new else []

    def _take(self, most: int) -> list[SessionId]:
        return [self._unsent.popleft() for _ in range(min(most, len(self._unsent)))]

    def _frame(self, sessions: list[SessionId], *, whole: bool = False) -> bytes:
        """Each as it is now: one that is sent twice is the same."""
        heads = {session: self._hub.find(session) for session in sessions}
        cards = tuple(make_card(head) for head in heads.values() if head is not None)
        gone = tuple(session for session, head in heads.items() if head is None)
        return rpc.notification("session.cards", CardsNotify(cards=cards, whole=whole, gone=gone))

    def close(self) -> None:
        self._watcher.close()


def make_card(head: Session) -> Card:
    run = head.runs[-1] if head.runs else None
    changed = head.diff.files if head.diff and run and head.diff.run == run.id else ()
    return Card(
        session_id=head.id,
        title=head.title,
        workspace=head.workspace,
        status=shown_status(head),
        outcome=shown_outcome(head),
        agent=head.agent,
        capabilities=head.capabilities,
        asks=len(head.asks),
        queued=len(head.queue),
        hidden=head.hidden,
        place=head.place,
        deleted=head.deleted_at_ms is not None,
        draft=is_draft(head),
        driver=head.driver,
        parent=head.parent or "",
        updated_at_ms=head.updated_at_ms,
        created_at_ms=head.created_at_ms,
        run_at_ms=run.started_at_ms if run else None,
        run_ended_at_ms=run.ended_at_ms if run else None,
        why=shorten(run.why, MAX_WHY) if run else "",
        said=run.said if run else None,
        files=len(changed),
        additions=sum(file.additions for file in changed),
        deletions=sum(file.deletions for file in changed),
    )
