"""The demo's chat: a page to type into at /chat, and its messages behind a token. Loopback only."""

import hmac
from collections import deque
from collections.abc import Awaitable, Callable
from functools import partial

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bascule.core.relay.dev_commands import MAX_TEXT
from bascule.core.relay.replies import ChatReply, ReplyFile
from bascule.relay.chat.intake import ChatMessage, Intake
from bascule.relay.chat.platforms import Recipient
from bascule.relay.http.bodies import read_body
from bascule.relay.http.local_chat import LocalChat
from bascule.relay.http.relay_page import RelayPage

MAX_KEPT = 500  # messages
MAX_BODY = 6 * MAX_TEXT

Handle = Callable[[Request], Awaitable[Response]]


class ShownMessage(Struct, frozen=True, kw_only=True, rename="camel"):
    number: int
    user: str  # who wrote it; empty: the relay
    text: str
    file: ReplyFile | None = None


class ShownMessages(Struct, frozen=True):
    user: str  # as whom the page writes
    desk: str  # the machine's own page
    items: tuple[ShownMessage, ...]


class TypedMessage(Struct, frozen=True):
    text: str


TYPED = msgspec.json.Decoder(TypedMessage)


class DemoChat(LocalChat):
    name = "demo"

    def __init__(self, *, user: str, token: str, desk: str, new_id: Callable[[str], str]) -> None:
        self._user = user
        self._expected = f"Bearer {token}".encode()
        self._desk = desk
        self._new_id = new_id
        self._kept: deque[ShownMessage] = deque(maxlen=MAX_KEPT)
        self._count = 0

    def routes(self, intake: Intake) -> list[Route]:
        return [
            Route("/chat/messages", self._guarded(self._list), methods=["GET"]),
            Route("/chat/messages", self._guarded(partial(self._take, intake)), methods=["POST"]),
            *RelayPage("/chat", "chat.html").routes(),
        ]

    async def send(self, to: Recipient, reply: ChatReply) -> None:  # noqa: ARG002  # there is one person
        self._show("", reply)

    def _guarded(self, handle: Handle) -> Handle:
        """A token, never a cookie: another page in the same browser can send nothing here."""

        async def guarded(request: Request) -> Response:
            given = request.headers.get("authorization", "").encode("utf-8", "replace")
            if not hmac.compare_digest(given, self._expected):
                return JSONResponse({"error": "unauthorized"}, status_code=401)
            return await handle(request)

        return guarded

    async def _list(self, _request: Request) -> Response:
        shown = ShownMessages(self._user, self._desk, tuple(self._kept))
        return Response(msgspec.json.encode(shown), media_type="application/json")

    async def _take(self, intake: Intake, request: Request) -> Response:
        body = await read_body(request, MAX_BODY)
        try:
            typed = TYPED.decode(body or b"")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return JSONResponse({"error": "invalid_message"}, status_code=400)
        self._show(self._user, ChatReply(typed.text))
        taken = await intake.take(
            ChatMessage(
                platform=self.name, id=self._new_id("m"), user=self._user, text=typed.text, direct=True
            )
        )
        if taken.text:
            self._show("", ChatReply(taken.text))
        return JSONResponse({})

    def _show(self, user: str, reply: ChatReply) -> None:
        self._count += 1
        self._kept.append(ShownMessage(number=self._count, user=user, text=reply.text, file=reply.file))
