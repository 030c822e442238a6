"""A model that calls the tools it was given, one after the other, then says what they gave back."""

import itertools
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bascule.demo.outputs import Output, Phase, Say, ToolUse
from bascule.demo.request import parse_request, plain_text
from bascule.demo.script import ScriptedAnswer
from bascule.demo.sse import make_frames
from bascule.host.network.listener import LOOPBACK, Listener, bind


class ScriptedModel:
    def __init__(self, calls: Sequence[ToolUse]) -> None:
        self.calls = tuple(calls)
        self.results: list[str] = []  # what the tools gave back, in order
        self.tools: set[str] = set()  # all that it was offered
        self._numbers = itertools.count(1)
        self._port = 0

    @property
    def base_url(self) -> str:
        return f"http://{LOOPBACK}:{self._port}/v1"

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        routes = [
            Route("/v1/responses", self._respond, methods=["POST"]),
            Route("/v1/models", lambda _: JSONResponse({"models": []})),
        ]
        async with Listener(Starlette(routes=routes), bind(LOOPBACK, 0)) as listener:
            self._port = listener.port
            yield

    async def _respond(self, http: Request) -> Response:
        body = await http.body()
        offered = msgspec.json.decode(body).get("tools", [])
        self.tools |= {tool.get("name") or tool.get("type") for tool in offered}
        items = parse_request(body).input
        self.results = [plain_text(item.output) for item in items if item.type == "function_call_output"]
        done, number = len(self.results), next(self._numbers)
        output: Output = Say("\n".join(self.results) or "nothing", phase=Phase.FINAL)
        if done < len(self.calls):
            output = self.calls[done]
        frames = make_frames(
            ScriptedAnswer([output], [f"x_{number}"]), response_id=f"r_{number}", request_bytes=len(body)
        )

        async def stream() -> AsyncIterator[bytes]:
            for frame in frames:
                yield frame.data

        return StreamingResponse(stream(), media_type="text/event-stream")
