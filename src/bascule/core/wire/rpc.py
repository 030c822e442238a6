"""JSON-RPC 2.0 as every surface speaks it: one message in, one message out, and the errors between."""

from typing import Any, Final

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from bascule.model.asks import Refuse

MAX_FRAME = 32 * 1024 * 1024  # an attached file of 20 MiB travels as text in one

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
METHOD_NOT_FOUND: Final = -32601
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603
FAILED: Final = -32000
BUSY: Final = -32001
RUN_NOT_FOUND: Final = -32002
USER_CANCELLED: Final = -32003
SESSION_NOT_FOUND: Final = -32004
NOT_ALLOWED: Final = -32005  # this surface may not: its door, its pass
TOO_LATE: Final = -32006  # somebody else answered first, or it is no longer asked

Id = str | int | None


class Request(Struct, frozen=True):
    id: str | int
    method: str
    params: Raw


class Notification(Struct, frozen=True):
    method: str
    params: Raw


class Reply(Struct, frozen=True):
    """An answer to something that we asked."""

    id: str | int
    result: Raw
    error: Any = None


class Fault(Struct, frozen=True):
    """A frame that is none of these; `id` where one could be read."""

    code: int
    message: str
    id: Id = None


Message = Request | Notification | Reply | Fault


class RpcError(Exception):
    """A no that travels as an error reply."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code, self.message, self.data = code, message, data


def refuse(code: int, refused: Refuse) -> RpcError:
    """A no with its reason, also as a code and fields where it has them."""
    data = {"said": refused.said} if refused.said is not None else None
    return RpcError(code, refused.why, data)


class _Frame(Struct):
    id: str | int | UnsetType | None = UNSET
    method: str | UnsetType = UNSET
    params: Raw = Raw(b"{}")
    result: Raw | UnsetType = UNSET
    error: Any = UNSET


class _OnlyId(Struct):
    id: str | int | None = None


_FRAME = msgspec.json.Decoder(_Frame)
_ONLY_ID = msgspec.json.Decoder(_OnlyId)


def parse_frame(frame: bytes, *, most_bytes: int | None = MAX_FRAME) -> Message:
    """Tolerant of a missing `jsonrpc` and of unknown fields; never raises. What a daemon says may be larger
    than what it is asked (None): the wire to it has a ceiling of its own."""
    if most_bytes is not None and len(frame) > most_bytes:
        return Fault(INVALID_REQUEST, f"A frame has at most {most_bytes} bytes; this one had {len(frame)}.")
    try:
        read = _FRAME.decode(frame)
    except msgspec.ValidationError as wrong:
        return Fault(INVALID_REQUEST, f"Not a JSON-RPC message: {wrong}.", _find_id(frame))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as broken:
        return Fault(PARSE_ERROR, f"Not JSON: {broken}.")
    return _sort(read)


def _find_id(frame: bytes) -> Id:
    """So that the sender of a wrong request learns that it was wrong."""
    try:
        return _ONLY_ID.decode(frame).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def _sort(read: _Frame) -> Message:
    if isinstance(read.method, str):
        if read.id is None or isinstance(read.id, UnsetType):
            return Notification(read.method, read.params)
        return Request(read.id, read.method, read.params)
    if isinstance(read.id, str | int):
        result = Raw(b"null") if isinstance(read.result, UnsetType) else read.result
        return Reply(read.id, result, None if read.error is UNSET else read.error)
    return Fault(INVALID_REQUEST, "A message has a method, or an id with a result or an error.")


def request(id_: str, method: str, params: object) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", "id": id_, "method": method, "params": params})


def notification(method: str, params: object) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", "method": method, "params": params})


def result(id_: str | int, value: object) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", "id": id_, "result": value})


def error(id_: Id, code: int, message: str, data: object = None) -> bytes:
    body: dict[str, object] = {"code": code, "message": message}
    if data is not None:
        body["data"] = data
    return msgspec.json.encode({"jsonrpc": "2.0", "id": id_, "error": body})
