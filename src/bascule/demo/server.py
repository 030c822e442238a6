"""The demo's model server: the Responses API on loopback, inside the caller's event loop."""

import asyncio
import contextlib
import itertools
import secrets
import shutil
import sys
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Self

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from bascule.demo.plays import DemoMachine
from bascule.demo.request import parse_request
from bascule.demo.script import next_answer
from bascule.demo.sse import Frame, make_frames
from bascule.host.network.listener import LOOPBACK, Listener, bind

WORD_DELAY_S = 0.2
MAX_BODY = 32 * 1024 * 1024  # a whole conversation, sent again with each request


class DemoModel:
    """`async with DemoModel() as model:` serves at `model.base_url` to who knows `model.token`."""

    def __init__(self, *, word_delay_s: float = WORD_DELAY_S, python: str | None = None) -> None:
        self.token = secrets.token_urlsafe(24)
        self._machine = DemoMachine(python=python or find_python())
        self._word_delay_s = word_delay_s
        self._numbers = itertools.count(1)
        self._stopping = asyncio.Event()
        self._listener: Listener | None = None

    @property
    def base_url(self) -> str:
        if self._listener is None:
            raise RuntimeError("The demo model has no address yet. Enter it with `async with` first.")
        return f"http://{LOOPBACK}:{self._listener.port}/v1"

    async def __aenter__(self) -> Self:
        self._listener = await Listener(self._app(), bind(LOOPBACK, 0)).__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stopping.set()  # ends the streams that are open, so that the server need not wait for them
        if self._listener is not None:
            await self._listener.__aexit__(kind, error, trace)

    def _app(self) -> Starlette:
        return Starlette(
            routes=[
                Route("/v1/responses", self._respond, methods=["POST"]),
                Route("/v1/models", self._list_models, methods=["GET"]),
            ]
        )

    async def _respond(self, http: HttpRequest) -> Response:
        if not self._is_ours(http):
            return _refuse(401, "This model serves the demo's own Codex only.")
        body = await _read_body(http)
        if body is None:
            return _refuse(413, f"The request is larger than {MAX_BODY} bytes. Start a new session.")
        number = next(self._numbers)
        try:
            answer = next_answer(parse_request(body), self._machine, number=number)
        except msgspec.DecodeError as error:
            return _refuse(400, f"Not a Responses API request: {error}.")
        frames = make_frames(answer, response_id=f"resp_demo_{number}", request_bytes=len(body))
        return StreamingResponse(self._stream(frames), media_type="text/event-stream")

    async def _stream(self, frames: Iterator[Frame]) -> AsyncIterator[bytes]:
        """Starlette cancels this when Codex hangs up, as it does on an interrupt."""
        for frame in frames:
            if self._stopping.is_set():
                return
            yield frame.data
            if frame.beat:
                await self._wait_a_beat()

    async def _wait_a_beat(self) -> None:
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._stopping.wait(), self._word_delay_s)

    async def _list_models(self, http: HttpRequest) -> Response:
        if not self._is_ours(http):
            return _refuse(401, "This model serves the demo's own Codex only.")
        return JSONResponse({"models": []})  # the catalog in the demo's Codex home names them

    def _is_ours(self, http: HttpRequest) -> bool:
        given = http.headers.get("authorization", "")
        return secrets.compare_digest(given.encode(), f"Bearer {self.token}".encode())


def find_python() -> str:
    """The word for Python in the shell that Codex uses: a short one where PATH has it."""
    short = "python" if sys.platform == "win32" else "python3"
    if shutil.which(short):
        return short
    return f'& "{sys.executable}"' if sys.platform == "win32" else f'"{sys.executable}"'


async def _read_body(http: HttpRequest) -> bytes | None:
    body = bytearray()
    async for chunk in http.stream():
        body += chunk
        if len(body) > MAX_BODY:
            return None
    return bytes(body)


def _refuse(status: int, message: str) -> Response:
    return JSONResponse({"error": {"message": message}}, status_code=status)
