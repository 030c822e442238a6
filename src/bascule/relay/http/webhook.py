"""POST /webhook: a signed message from any other chat."""

import time
from collections.abc import Callable

import msgspec
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bascule.relay.chat.intake import ChatMessage, Intake
from bascule.relay.chat.webhook_chat import SIGNATURE, is_signed_webhook
from bascule.relay.http.bodies import read_body

MAX_BODY = 128 * 1024
WINDOW_S = 300


class WebhookMessage(Struct, frozen=True, kw_only=True, rename="camel"):
    message_id: str
    user_id: str
    text: str


ENCODER = msgspec.json.Encoder()
MESSAGE = msgspec.json.Decoder(WebhookMessage)


class WebhookIntake:
    def __init__(
        self, *, secret: str, intake: Intake, now_s: Callable[[], int] = lambda: int(time.time())
    ) -> None:
        self._secret = secret
        self._intake = intake
        self._now_s = now_s

    async def receive(self, request: Request) -> Response:
        body = await read_body(request, MAX_BODY)
        if body is None:
            return JSONResponse({"error": "too_large"}, status_code=413)
        given = request.headers.get(SIGNATURE, "")
        if not is_signed_webhook(self._secret, body, given, self._now_s(), WINDOW_S):
            return JSONResponse({"error": "unauthorized"}, status_code=401)
        try:
            message = MESSAGE.decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            return JSONResponse({"error": "invalid_message"}, status_code=400)
        taken = await self._intake.take(
            ChatMessage(platform="webhook", id=message.message_id, user=message.user_id, text=message.text)
        )
        return Response(ENCODER.encode({"reply": taken.text}), media_type="application/json")
