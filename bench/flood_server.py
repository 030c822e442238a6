"""A stand-in `codex app-server` that floods: it answers at once and tells a turn of many small deltas."""

import json
import sys
from collections.abc import Iterator

WORD = "word "
AT_ONCE = 1_000  # deltas in one write

THREAD_ID = "0199d000-0000-7000-8000-00000000000a"
TURN_ID = "0199d000-0000-7000-8000-00000000000b"
ITEM_ID = "msg_flood"
OF_TURN = {"threadId": THREAD_ID, "turnId": TURN_ID}
STARTED_S = 1_790_000_000


def serve(deltas: int) -> None:
    for line in sys.stdin.buffer:
        request = json.loads(line)
        if "id" in request and "method" in request:
            for piece in answer(request, deltas):
                sys.stdout.buffer.write(piece)
            sys.stdout.buffer.flush()


def answer(request: dict[str, object], deltas: int) -> Iterator[bytes]:
    match request["method"]:
        case "initialize":
            yield reply(request, initialized())
        case "thread/start" | "thread/resume":
            yield reply(request, thread_opened())
            yield notice("thread/started", {"thread": thread()})
        case "turn/start":
            yield reply(request, {"turn": turn("inProgress")})
            yield from tell_turn(deltas)
        case _:
            yield reply(request, {"data": [], "nextCursor": None})


def tell_turn(deltas: int) -> Iterator[bytes]:
    """A whole turn, as the notifications that a client gets to read."""
    yield notice("turn/started", {**OF_TURN, "turn": turn("inProgress")})
    yield notice("item/started", {**OF_TURN, "item": message(""), "startedAtMs": STARTED_S * 1000})
    delta = notice("item/agentMessage/delta", {**OF_TURN, "itemId": ITEM_ID, "delta": WORD})
    for _ in range(deltas // AT_ONCE):
        yield delta * AT_ONCE
    yield delta * (deltas % AT_ONCE)
    whole = message(WORD * deltas)
    yield notice("item/completed", {**OF_TURN, "item": whole, "completedAtMs": STARTED_S * 1000 + 1})
    yield notice("turn/completed", {**OF_TURN, "turn": turn("completed")})


def reply(request: dict[str, object], result: object) -> bytes:
    return encode({"id": request["id"], "result": result})


def notice(method: str, params: object) -> bytes:
    return encode({"method": method, "params": params})


def encode(message: object) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def initialized() -> dict[str, object]:
    return {
        "userAgent": "codex/0.166.0 (stand-in)",
        "codexHome": "/",
        "platformFamily": "unix",
        "platformOs": "linux",
    }


def thread_opened() -> dict[str, object]:
    return {
        "thread": thread(),
        "model": "flood",
        "modelProvider": "flood",
        "cwd": "/",
        "approvalPolicy": "on-request",
        "approvalsReviewer": "user",
        "sandbox": {"type": "readOnly"},
        "reasoningEffort": None,
        "serviceTier": None,
        "instructionSources": [],
    }


def thread() -> dict[str, object]:
    return {
        "id": THREAD_ID,
        "sessionId": THREAD_ID,
        "preview": "",
        "ephemeral": False,
        "modelProvider": "flood",
        "createdAt": STARTED_S,
        "updatedAt": STARTED_S,
        "status": {"type": "idle"},
        "path": None,
        "cwd": "/",
        "cliVersion": "0.166.0",
        "source": "appServer",
        "gitInfo": None,
        "name": None,
        "turns": [],
    }


def turn(status: str) -> dict[str, object]:
    return {
        "id": TURN_ID,
        "items": [],
        "status": status,
        "error": None,
        "startedAt": STARTED_S,
        "completedAt": None,
        "durationMs": None,
    }


def message(text: str) -> dict[str, object]:
    return {"type": "agentMessage", "id": ITEM_ID, "text": text, "phase": None, "memoryCitation": None}


if __name__ == "__main__":
    serve(int(sys.argv[1]))
