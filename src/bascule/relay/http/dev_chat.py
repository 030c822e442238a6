"""POST /dev/message: plain JSON, to try things out on one machine; only with `--dev`, only on loopback."""

from collections.abc import Callable
from functools import partial

import msgspec
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bascule.core.addresses import is_loopback
from bascule.core.relay.replies import ChatReply
from bascule.relay.chat.intake import ChatMessage, Intake
from bascule.relay.chat.platforms import Recipient
from bascule.relay.http.bodies import read_body
from bascule.relay.http.local_chat import LocalChat
from bascule.relay.http.webhook import MAX_BODY, MESSAGE


class DevChat(LocalChat):
    """Outcomes go to the terminal of the person who tries things out."""

    name = "dev"

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show

    def routes(self, intake: Intake) -> list[Route]:
        return [Route("/dev/message", partial(self._receive, intake), methods=["POST"])]

    async def send(self, to: Recipient, reply: ChatReply) -> None:
        self._show(f"to {to.user}: {reply.file.text if reply.file else reply.text}")

    async def _receive(self, intake: Intake, request: Request) -> Response:
        """A page in a browser could reach this too, so what a browser sends by itself is refused."""
        if not is_local_program(request):
            return JSONResponse({"error": "refused"}, status_code=403)
        body = await read_body(request, MAX_BODY)
        try:
            message = MESSAGE.decode(body or b"")
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return JSONResponse({"error": "invalid_message"}, status_code=400)
        taken = await intake.take(
            ChatMessage(
                platform=self.name,
                id=message.message_id,
                user=message.user_id,
                text=message.text,
                direct=True,
            )
        )
        return JSONResponse({"reply": taken.text, "commandId": taken.command_id})


def is_local_program(request: Request) -> bool:
    peer = request.client.host if request.client is not None else ""
    is_json = request.headers.get("content-type", "").split(";")[0].strip() == "application/json"
    return (
        is_loopback(peer) and is_loopback(request.url.hostname or "") and is_json and not _is_browser(request)
    )


def _is_browser(request: Request) -> bool:
    return "origin" in request.headers or "sec-fetch-site" in request.headers
