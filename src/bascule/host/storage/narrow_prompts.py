"""Prompts that wait in an older store: what each is for, said in its words alone, becomes part of it."""

import sqlite3
from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from bascule.core.prompts.purposes import ORDER_PREFIX, parse_purpose
from bascule.host.storage.heads import HEAD, UNREADABLE, find_ids
from bascule.host.storage.store_faults import is_damage
from bascule.model.blocks import Block, UserBlock
from bascule.model.ids import SessionId
from bascule.model.session import Prompt

Update = tuple[str, tuple[object, ...]]  # of one row: SQL and its parameters
BLOCK: msgspec.json.Decoder[Block] = msgspec.json.Decoder(Block)
ORDERED_PATCH = f"{ORDER_PREFIX} patch "
UNSENT = b'"sent":false'  # in the body of a block that the agent has not confirmed


def find_narrower_prompts(db: sqlite3.Connection) -> list[Update]:
    """A purpose chooses the sandbox, so none may become wider than it was for the version that stored it."""
    finders = (_find_queue, _find_unsent)
    return [
        update for session in find_ids(db) for find in finders for update in _as_readable(find(db, session))
    ]


def _as_readable(found: Iterator[Update]) -> list[Update]:
    try:
        return list(found)
    except UNREADABLE:
        return []  # nothing of it can run
    except sqlite3.DatabaseError as broken:
        if not is_damage(broken):
            raise
        return []  # a damaged page costs the sessions on it, not all the others


def _find_queue(db: sqlite3.Connection, session: SessionId) -> Iterator[Update]:
    for (body,) in db.execute("SELECT head FROM sessions WHERE id = ?", (session,)):
        head = HEAD.decode(body)
        queue = tuple(map(_narrowed, head.queue))
        if queue != head.queue:
            narrowed = msgspec.json.encode(replace(head, queue=queue))
            yield "UPDATE sessions SET head = ? WHERE id = ?", (narrowed, session)


def _find_unsent(db: sqlite3.Connection, session: SessionId) -> Iterator[Update]:
    query = "SELECT id, body FROM blocks WHERE session = ? AND instr(body, ?)"
    for name, body in db.execute(query, (session, UNSENT)):
        block = BLOCK.decode(body)
        if isinstance(block, UserBlock) and not block.sent and block.purpose == "talk":
            narrowed = msgspec.json.encode(replace(block, purpose=parse_purpose(block.text)))
            yield "UPDATE blocks SET body = ? WHERE session = ? AND id = ?", (narrowed, session, name)


def _narrowed(prompt: Prompt) -> Prompt:
    if prompt.purpose != "talk":
        return prompt
    if prompt.sender is not None:
        return replace(prompt, purpose="patch" if prompt.text.startswith(ORDERED_PATCH) else "plan")
    return replace(prompt, purpose="patch" if prompt.by == "bascule" else parse_purpose(prompt.text))
