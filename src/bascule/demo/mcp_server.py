"""A tiny MCP server over stdio: one tool that only reads, one that asks for a form to be filled in.

Codex runs this file by its path, so it needs nothing but the standard library.
"""

import json
import sys
from collections.abc import Iterator
from typing import Any, TextIO

MAX_LINE = 1024 * 1024  # a request to a tool of ours is a few hundred bytes

Message = dict[str, Any]

MEANINGS = {"bascule": "A bridge whose leaf swings up about a hinge, balanced by a counterweight."}

TOOLS: list[Message] = [
    {
        "name": "define",
        "description": "What a word means.",
        "inputSchema": {
            "type": "object",
            "properties": {"word": {"type": "string"}},
            "required": ["word"],
        },
        "annotations": {"readOnlyHint": True},
    },
    {
        "name": "sign_guest_book",
        "description": "Sign the guest book with a name that the person is asked for.",
        "inputSchema": {"type": "object", "properties": {"page": {"type": "integer"}}},
    },
]

FORM: Message = {
    "message": "Who signs the guest book?",
    "requestedSchema": {
        "type": "object",
        "properties": {
            "name": {"type": "string", "title": "Name", "description": "As it will appear in the book"},
            "leaf": {"type": "string", "title": "Leaf", "enum": ["north", "south"]},
            "public": {"type": "boolean", "title": "Show it to others", "default": False},
        },
        "required": ["name"],
    },
}


class DemoMcpServer:
    """Takes a message, gives those to send back; a form's answer completes the call that asked."""

    def __init__(self) -> None:
        self._forms: dict[str, Any] = {}  # our request's id -> the id of the tool call that waits for it

    def feed(self, message: Message) -> Iterator[Message]:
        their_id = message.get("id")
        if "method" not in message:
            if str(their_id) in self._forms:
                yield _result(self._forms.pop(str(their_id)), _text(_signed(message.get("result") or {})))
        elif their_id is not None:
            yield self._answer(their_id, message["method"], message.get("params") or {})

    def _answer(self, their_id: Any, method: str, params: Message) -> Message:
        match method:
            case "initialize":
                return _result(their_id, _welcome(params))
            case "ping":
                return _result(their_id, {})
            case "tools/list":
                return _result(their_id, {"tools": TOOLS})
            case "tools/call":
                return self._call(their_id, params)
            case _:
                return _error(their_id, -32601, f"No such method here: {method}.")

    def _call(self, their_id: Any, params: Message) -> Message:
        match params.get("name"):
            case "define":
                word = str((params.get("arguments") or {}).get("word", ""))
                return _result(their_id, _text(MEANINGS.get(word.lower(), f"“{word}” is not in this book.")))
            case "sign_guest_book":
                our_id = f"form-{their_id}"
                self._forms[our_id] = their_id
                return {"jsonrpc": "2.0", "id": our_id, "method": "elicitation/create", "params": FORM}
            case name:
                return _error(their_id, -32602, f"No such tool here: {name}.")


def serve(lines: TextIO, out: TextIO) -> None:
    server = DemoMcpServer()
    while line := lines.readline(MAX_LINE):
        for message in server.feed(json.loads(line)):
            out.write(json.dumps(message) + "\n")
        out.flush()


def _welcome(params: Message) -> Message:
    return {
        "protocolVersion": params.get("protocolVersion", "2025-06-18"),
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "bascule-demo", "version": "1"},
    }


def _signed(answer: Message) -> str:
    if answer.get("action") != "accept":
        return "Nobody signed."
    return f"Signed by {(answer.get('content') or {}).get('name', 'someone')}."


def _text(text: str) -> Message:
    return {"content": [{"type": "text", "text": text}]}


def _result(their_id: Any, result: Message) -> Message:
    return {"jsonrpc": "2.0", "id": their_id, "result": result}


def _error(their_id: Any, code: int, message: str) -> Message:
    return {"jsonrpc": "2.0", "id": their_id, "error": {"code": code, "message": message}}


if __name__ == "__main__":
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8")  # type: ignore[union-attr]  # Windows would take its code page
    serve(sys.stdin, sys.stdout)
