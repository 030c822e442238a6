"""What sessions hold, to be read later: large texts by reference, the log, exports, the plan."""

import asyncio

import msgspec

from bascule.core.session.export import session_json, session_markdown
from bascule.core.text.redact import Redactor
from bascule.daemon.agents.roster import Roster
from bascule.daemon.sessions.hub import Hub
from bascule.host.clock import local_time
from bascule.model.asks import Refuse
from bascule.model.blocks import Block, FileEdit, PlanBlock
from bascule.model.ids import SessionId
from bascule.model.protocol.sessions import (
    Artifact,
    ArtifactParams,
    Exported,
    ExportParams,
    HistoryRead,
    HistoryReadParams,
    SessionRef,
    Todo,
    Todos,
)
from bascule.model.session import Session

MAX_PIECE = 1_000_000  # characters of one artifact in one answer
MAX_EXPORT = 32_000_000


class SessionReader:
    """A missing session raises SessionMissing; what it does not hold is a Refuse."""

    def __init__(self, *, hub: Hub, roster: Roster, redactor: Redactor) -> None:
        self._redactor = redactor
        self._hub = hub
        self._roster = roster

    async def read_artifact(self, params: ArtifactParams) -> Artifact | Refuse:
        """`SESSION/BLOCK/FIELD`; `FIELD:2` is the third of several; `SESSION//diff` the latest diff."""
        name, _, rest = params.artifact_id.partition("/")
        block, _, field = rest.rpartition("/")  # a block's own id may hold a slash
        text = _find_text(await self._session(name), block, field)
        if text is None:
            return Refuse(f"There is no artifact {params.artifact_id}. It is named SESSION/BLOCK/FIELD.")
        if params.offset < 0:
            return Refuse(f"An artifact begins at 0, not at {params.offset}.")
        end = params.offset + min(max(params.limit, 1), MAX_PIECE)
        return Artifact(
            artifact_id=params.artifact_id,
            text=text[params.offset : end],
            size=len(text),
            next_offset=end if end < len(text) else None,
        )

    async def export(self, params: ExportParams) -> Exported | Refuse:
        session = await self._session(params.session_id)
        text = await asyncio.to_thread(self._write, session, params.format)
        if len(text) > MAX_EXPORT:
            return Refuse(
                f"As {params.format} the session has {len(text)} characters, and {MAX_EXPORT} can be sent "
                "at once. Read its blocks one by one with artifact.read."
            )
        return Exported(session_id=session.id, format=params.format, text=text)

    def _write(self, session: Session, form: str) -> str:
        """Without secrets: it leaves this machine. The log itself keeps every word."""
        if form == "markdown":
            return self._redactor.redact(_markdown(session))
        redacted = self._redactor.redact_all(msgspec.to_builtins(session))
        return session_json(msgspec.convert(redacted, Session))

    async def read_history(self, params: HistoryReadParams) -> HistoryRead:
        return HistoryRead(session=await self._session(params.session_id))

    async def todos(self, params: SessionRef) -> Todos:
        """The steps of the latest plan that has any."""
        session = await self._session(params.session_id)
        return Todos(session_id=session.id, todos=latest_todos(session))

    async def _session(self, name: str) -> Session:
        self._roster.get(SessionId(name))
        return await self._hub.read(SessionId(name))


def latest_todos(session: Session) -> tuple[Todo, ...]:
    plans = (block for block in reversed(session.blocks) if isinstance(block, PlanBlock) and block.steps)
    plan = next(plans, None)
    return tuple(Todo(text=step.text, status=step.status) for step in plan.steps) if plan else ()


def _markdown(session: Session) -> str:
    return session_markdown(session, lambda at_ms: local_time(at_ms).isoformat(sep=" ", timespec="seconds"))


def _find_text(session: Session, block_id: str, field: str) -> str | None:
    if not block_id:
        return session.diff.unified if session.diff and field == "diff" else None
    block = next((block for block in session.blocks if block.id == block_id), None)
    return _find_field(block, field) if block is not None else None


def _find_field(block: Block, field: str) -> str | None:
    name, _, place = field.partition(":")
    value = getattr(block, name) if name in block.__struct_fields__ else None
    if isinstance(value, str):
        return value if not place else None
    texts = [_find_part(part) for part in value] if isinstance(value, tuple) else [None]
    known = [text for text in texts if text is not None]
    if len(known) < len(texts):
        return None
    return {"": "\n\n".join(known), **{str(at): text for at, text in enumerate(known)}}.get(place)


def _find_part(part: object) -> str | None:
    if isinstance(part, FileEdit):
        return part.diff
    return part if isinstance(part, str) else None
