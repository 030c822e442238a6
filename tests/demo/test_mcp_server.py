"""The demo's MCP server, run as Codex runs it: lines in, lines out."""

import json
import subprocess
import sys
from typing import Any

from bascule.demo import mcp_server

HELLO = {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-06-18"}}


def converse(*messages: dict[str, Any]) -> list[dict[str, Any]]:
    lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in messages)
    ran = subprocess.run(
        [sys.executable, "-I", mcp_server.__file__],
        input=lines.encode(),
        capture_output=True,
        timeout=30,
        check=True,
    )
    assert ran.stderr == b""
    return [json.loads(line) for line in ran.stdout.splitlines()]


def call(their_id: int, tool: str, **arguments: Any) -> dict[str, Any]:
    return {"id": their_id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}


def text_of(reply: dict[str, Any]) -> str:
    (part,) = reply["result"]["content"]
    return str(part["text"])


def test_handshake_and_tools() -> None:
    hello, tools = converse(HELLO, {"method": "notifications/initialized"}, {"id": 1, "method": "tools/list"})
    assert hello["result"]["protocolVersion"] == "2025-06-18"
    assert [tool["name"] for tool in tools["result"]["tools"]] == ["define", "sign_guest_book"]


def test_a_word_known_and_one_unknown() -> None:
    known, unknown = converse(call(1, "define", word="Bascule"), call(2, "define", word="Brücke"))
    assert text_of(known).startswith("A bridge whose leaf swings up")
    assert text_of(unknown) == "“Brücke” is not in this book."


def test_signing_asks_for_a_name_first() -> None:
    form = {"id": "form-1", "result": {"action": "accept", "content": {"name": "Ann"}}}
    asked, signed = converse(call(1, "sign_guest_book", page=1), form)
    assert (asked["id"], asked["method"]) == ("form-1", "elicitation/create")
    assert signed["id"] == 1
    assert text_of(signed) == "Signed by Ann."


def test_nobody_signs_when_the_form_is_declined_or_fails() -> None:
    declined = {"id": "form-1", "result": {"action": "decline"}}
    failed = {"id": "form-2", "error": {"code": -32600, "message": "no forms here"}}
    _, first, _, second = converse(call(1, "sign_guest_book"), declined, call(2, "sign_guest_book"), failed)
    assert [text_of(first), text_of(second)] == ["Nobody signed.", "Nobody signed."]


def test_what_it_does_not_know_it_refuses_by_name() -> None:
    method, tool = converse({"id": 1, "method": "resources/list"}, call(2, "fly"))
    assert method["error"] == {"code": -32601, "message": "No such method here: resources/list."}
    assert tool["error"] == {"code": -32602, "message": "No such tool here: fly."}
