"""A file over WeCom's long connection: announced, sent in parts, and known by an id for three days."""

import base64
import hashlib

import msgspec

from bascule.core.relay.replies import ReplyFile
from bascule.relay.chat.json_client import PushFailed
from bascule.relay.wecom.bot_connection import BotConnection
from bascule.relay.wecom.bot_frames import (
    UPLOAD_ANSWER,
    UPLOAD_BEGIN,
    UPLOAD_END,
    UPLOAD_PART,
    UploadAnswer,
)

PART = 512 * 1024  # bytes


async def upload_file(connection: BotConnection, file: ReplyFile) -> str:
    """Its id; `PushFailed` where WeCom does not take it."""
    data = file.text.encode("utf-8", "replace")
    parts = [data[at : at + PART] for at in range(0, len(data), PART)]
    begin = {
        "type": "file",
        "filename": file.name,
        "total_size": len(data),
        "total_chunks": len(parts),
        "md5": hashlib.md5(data, usedforsecurity=False).hexdigest(),
    }
    upload = (await _call(connection, UPLOAD_BEGIN, begin)).upload_id
    for index, part in enumerate(parts):
        sent = {"upload_id": upload, "chunk_index": index, "base64_data": base64.b64encode(part).decode()}
        await _call(connection, UPLOAD_PART, sent)
    return (await _call(connection, UPLOAD_END, {"upload_id": upload})).media_id


async def _call(connection: BotConnection, cmd: str, body: dict[str, object]) -> UploadAnswer:
    answer = await connection.call(cmd, body)
    try:
        return UPLOAD_ANSWER.decode(answer)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise PushFailed("WeCom's answer to a file cannot be read") from None
