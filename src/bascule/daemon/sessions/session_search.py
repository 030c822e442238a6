"""Sessions by their name, their prompts, the agent's answers and the files that it changed."""

import asyncio

from bascule.core.session.status import is_draft, shown_outcome, shown_status
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_saver import SessionSaver
from bascule.host.storage.search_index import FoundIn, IndexedText
from bascule.model.ids import SessionId
from bascule.model.protocol.search import FoundSession, FoundSessions, FoundText, SearchSessionsParams
from bascule.model.session import Session

MAX_QUERY = 200  # characters
MAX_FOUND = 200  # sessions in one answer
MAX_HITS = 3  # of one session
AROUND = 60  # characters on either side of what was found
INDEXED_AT_ONCE = 20  # sessions of an older version, before others have their turn
RANK: dict[FoundIn, int] = {"title": 0, "prompt": 1, "answer": 2, "file": 3}


class SessionSearch:
    def __init__(self, hub: Hub, saver: SessionSaver) -> None:
        self._hub = hub
        self._saver = saver

    async def index_all(self) -> None:
        """What was stored before there was an index, the latest first."""
        heads = [head.id for head in self._hub.conversations() if not is_draft(head)]
        for number, session in enumerate(await self._saver.find_unindexed(heads)):
            head = self._hub.find(session)
            if head is not None:
                await self._saver.index(head)
            if number % INDEXED_AT_ONCE == 0:
                await asyncio.sleep(0)

    async def search(self, params: SearchSessionsParams) -> FoundSessions:
        query = params.query[:MAX_QUERY]
        texts: dict[SessionId, list[IndexedText]] = {}
        for text in await self._saver.search(query):
            texts.setdefault(text.session, []).append(text)
        found = [
            (head, texts[head.id])
            for head in self._hub.conversations()
            if head.id in texts and params.workspace in ("", head.workspace)
        ]
        found.sort(key=lambda one: min(RANK[text.kind] for text in one[1]))  # the latest first among equals
        limit = max(1, min(params.limit, MAX_FOUND))
        words = query.casefold().split()
        return FoundSessions(
            sessions=tuple(_found(head, hits, words) for head, hits in found[:limit]),
            truncated=len(found) > limit,
        )


def _found(head: Session, texts: list[IndexedText], words: list[str]) -> FoundSession:
    best = sorted(texts, key=lambda text: RANK[text.kind])[:MAX_HITS]
    return FoundSession(
        session_id=head.id,
        title=head.title,
        workspace=head.workspace,
        status=shown_status(head),
        outcome=shown_outcome(head),
        updated_at_ms=head.updated_at_ms,
        hits=tuple(
            FoundText(found_in=one.kind, block_id=one.block, text=_cut(one.text, words)) for one in best
        ),
    )


def _cut(text: str, words: list[str]) -> str:
    """Around the first of the words that is in it."""
    line = " ".join(text.split())
    at = min((place for word in words if (place := line.casefold().find(word)) >= 0), default=0)
    begin, end = max(0, at - AROUND), at + AROUND * 2
    return f"{'…' if begin else ''}{line[begin:end].strip()}{'…' if end < len(line) else ''}"
