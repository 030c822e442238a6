"""A real Claude Code, offline: a home of its own, and a scripted model on loopback behind it."""

import asyncio
import contextlib
import itertools
import json
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from tests.e2e.screen import Drawn
from tools.fetch_programs import CLAUDE

from bascule.host.network.listener import LOOPBACK, Listener, bind

KEY = "not-a-key-0123456789-0123456789"
ARGV = (str(CLAUDE.path), "--permission-mode", "manual")
ANSWER = "The bridge is down again."
WORD_S = 0.05
SLOW = re.compile(r"demo:slow-(\d+)")
QUESTION = "Do you want to proceed?"
AGAIN_S = 0.5


class ClaudeModel:
    """Says a sentence. At demo:approval it runs a command first; at demo:slow-N it says words without end."""

    def __init__(self) -> None:
        self.speaks = asyncio.Event()  # cleared: it thinks until somebody has seen that Claude is at work
        self.speaks.set()
        self._numbers = itertools.count(1)
        self._stopping = asyncio.Event()
        self._port = 0

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        routes = [
            Route("/v1/messages", self._respond, methods=["POST"]),
            Route("/{path:path}", lambda _: JSONResponse({}), methods=["GET", "POST"]),
        ]
        async with Listener(Starlette(routes=routes), bind(LOOPBACK, 0)) as listener:
            self._port = listener.port
            yield
            self._stopping.set()
            self.speaks.set()

    def prepare(self, home: Path, project: Path) -> dict[str, str]:
        """What a person has answered already, in that home; the environment that Claude needs."""
        trusted = {"hasTrustDialogAccepted": True, "hasCompletedProjectOnboarding": True}
        answered = {
            "hasCompletedOnboarding": True,
            "theme": "dark",
            "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
            "projects": {str(project): trusted},
        }
        (home / ".claude.json").write_text(json.dumps(answered), encoding="utf-8")
        return {
            "HOME": str(home),
            "TMPDIR": str(home),
            "ANTHROPIC_BASE_URL": f"http://{LOOPBACK}:{self._port}",
            "ANTHROPIC_API_KEY": KEY,
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            "DISABLE_AUTOUPDATER": "1",
            "TERM": "xterm-256color",
            "LANG": "C.UTF-8",
        }

    async def _respond(self, http: Request) -> Response:
        parts = list(_since_the_last_answer(json.loads(await http.body())["messages"]))
        words = " ".join(part["text"] for part in parts if part["type"] == "text")
        has_result = any(part["type"] == "tool_result" for part in parts)
        if "demo:approval" in words and not has_result:
            events = self._use_tool()
        elif (slow := SLOW.search(words)) is not None:
            events = self._say_on(slow.group(1))
        else:
            events = self._say(ANSWER)
        return StreamingResponse(self._stream(events), media_type="text/event-stream")

    async def _stream(self, events: Iterator[bytes]) -> AsyncIterator[bytes]:
        """Starlette cancels this when Claude hangs up, as it does on an interrupt."""
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": f"msg_{next(self._numbers)}", "type": "message", "role": "assistant", "content": []}
        yield _event("message_start", message={**message, "model": "demo", "usage": usage})
        await self.speaks.wait()
        for event in events:
            if self._stopping.is_set():
                return
            yield event
            await asyncio.sleep(WORD_S)
        yield _event("message_stop")

    def _use_tool(self) -> Iterator[bytes]:
        block = {"type": "tool_use", "id": f"toolu_{next(self._numbers)}", "name": "Bash", "input": {}}
        given = {"command": "touch made.txt", "description": "Make a file"}
        delta = {"type": "input_json_delta", "partial_json": json.dumps(given)}
        yield _event("content_block_start", index=0, content_block=block)
        yield _event("content_block_delta", index=0, delta=delta)
        yield from _end("tool_use")

    def _say(self, text: str) -> Iterator[bytes]:
        yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        yield _event("content_block_delta", index=0, delta={"type": "text_delta", "text": text})
        yield from _end("end_turn")

    def _say_on(self, name: str) -> Iterator[bytes]:
        yield _event("content_block_start", index=0, content_block={"type": "text", "text": ""})
        for number in itertools.count(1):
            delta = {"type": "text_delta", "text": f"word-{name}-{number} "}
            yield _event("content_block_delta", index=0, delta=delta)


async def allow(claude: Drawn) -> None:
    """Presses Enter at its question until that is gone: Claude ignores keys in a dialog's first moments."""
    await claude.until_on_screen(QUESTION)
    while QUESTION in "\n".join(claude.lines()):
        claude.press("enter")
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(claude.until_gone(QUESTION), AGAIN_S)


def _since_the_last_answer(messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What Claude adds for the model is in messages of their own."""
    for message in itertools.takewhile(lambda one: one["role"] != "assistant", reversed(messages)):
        content = message["content"]
        yield from content if isinstance(content, list) else [{"type": "text", "text": content}]


def _end(reason: str) -> Iterator[bytes]:
    yield _event("content_block_stop", index=0)
    yield _event("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 1})


def _event(kind: str, **fields: object) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **fields})}\n\n".encode()
