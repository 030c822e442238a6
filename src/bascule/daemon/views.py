"""What a surface watches, as frames: a session as state, or the list of all sessions."""

from typing import Protocol

from bascule.core import rpc
from bascule.daemon.hub import Hub, ListWatcher, Snapshot, Watcher
from bascule.model.ids import SessionId
from bascule.model.protocol.sync import Card, CardsNotify, ChangedNotify, SnapshotNotify
from bascule.model.session import Session


class View(Protocol):
    def frames(self) -> list[bytes]:
        """What is new, ready to be sent."""

    def close(self) -> None: ...


class SyncView:
    """A session for a surface that folds: one snapshot, then numbered Changes."""

    def __init__(self, session: SessionId, watcher: Watcher) -> None:
        self._session = session
        self._watcher = watcher
        self._told = 0

    def frames(self) -> list[bytes]:
        news = self._watcher.take()
        if isinstance(news, Snapshot):
            self._told = news.seq
            snapshot = SnapshotNotify(session_id=self._session, seq=news.seq, session=news.session)
            return [rpc.notification("session.snapshot", snapshot)]
        if not news:
            return []
        after, self._told = self._told, news[-1].seq
        changed = ChangedNotify(
            session_id=self._session,
            after=after,
            seq=self._told,
            changes=tuple(numbered.change for numbered in news),
        )
        return [rpc.notification("session.changed", changed)]

    def close(self) -> None:
        self._watcher.close()


class CardsView:
    """The list of sessions: all of them once, then those that have changed."""

    def __init__(self, hub: Hub, watcher: ListWatcher) -> None:
        self._hub = hub
        self._watcher = watcher
        self._begun = False

    def frames(self) -> list[bytes]:
        changed = self._watcher.take()
        if not self._begun:
            self._begun = True
            whole = CardsNotify(cards=tuple(make_card(head) for head in self._hub.heads()), whole=True)
            return [rpc.notification("session.cards", whole)]
        heads = [head for session in changed if (head := self._hub.find(session)) is not None]
        if not heads:
            return []
        return [
            rpc.notification("session.cards", CardsNotify(cards=tuple(make_card(head) for head in heads)))
        ]

    def close(self) -> None:
        self._watcher.close()


def make_card(head: Session) -> Card:
    return Card(
        session_id=head.id,
        title=head.title,
        workspace=head.workspace,
        status=head.status,
        agent=head.agent,
        asks=len(head.asks),
        queued=len(head.queue),
        hidden=head.hidden,
        driver=head.driver,
        parent=head.parent or "",
        updated_at_ms=head.updated_at_ms,
        created_at_ms=head.created_at_ms,
    )
