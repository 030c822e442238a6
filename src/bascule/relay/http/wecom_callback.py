"""GET and POST /wecom/callback: verified, decrypted, answered within a second whatever happens behind it."""

import asyncio
import secrets
from collections.abc import Callable
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bascule.core.relay.dev_commands import find_language
from bascule.core.relay.replies import cut_message, say
from bascule.host.processes.tasks import Tasks
from bascule.relay.chat.intake import ChatMessage, Intake, Replayed
from bascule.relay.http.bodies import read_body
from bascule.relay.storage.database import StoreAway
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Remember
from bascule.relay.wecom.crypto import ForgedMessage, WeComCrypto
from bascule.relay.wecom.xml_message import MAX_XML, BadXml, make_xml, parse_xml

WINDOW_S = 300  # by which the clock of a request may differ
ANSWER_S = 0.8

REFUSED = PlainTextResponse("refused", status_code=403)
NOTHING = PlainTextResponse("success")  # WeCom: there is no reply
AGAIN = PlainTextResponse("busy", status_code=503)  # not stored yet: WeCom sends it again


class OpenedCallback(NamedTuple):
    plain: bytes
    nonce: str  # with its time


class WeComCallback:
    def __init__(
        self,
        *,
        crypto: WeComCrypto,
        intake: Intake,
        store: RelayStore,
        tasks: Tasks,
        now_ms: Callable[[], int],
    ) -> None:
        self._crypto = crypto
        self._intake = intake
        self._store = store
        self._tasks = tasks
        self._now_ms = now_ms

    async def verify(self, request: Request) -> Response:
        """WeCom asks whether we have the keys."""
        opened = self._open(request, request.query_params.get("echostr", ""))
        if opened is None or not await self._is_new(opened.nonce):
            return REFUSED
        return Response(opened.plain, media_type="text/plain")

    async def receive(self, request: Request) -> Response:
        body = await read_body(request, MAX_XML)
        if body is None:
            return PlainTextResponse("too large", status_code=413)
        try:
            opened = self._open(request, parse_xml(body).get("Encrypt", ""))
            if opened is None:
                return REFUSED
            message = parse_xml(opened.plain)
            async with asyncio.timeout(ANSWER_S):
                text = await self._answer(message, opened.nonce)
        except (BadXml, Replayed):
            return REFUSED
        except (TimeoutError, StoreAway):
            return AGAIN
        return self._reply(message, text) if text else NOTHING

    def _open(self, request: Request, encrypted: str) -> OpenedCallback | None:
        """None: forged, or stale."""
        query = request.query_params
        signature, timestamp = query.get("msg_signature", ""), query.get("timestamp", "")
        nonce = query.get("nonce", "")
        is_number = timestamp.isascii() and timestamp.isdecimal() and len(timestamp) <= 12
        if not is_number or not 0 < len(nonce) <= 128:
            return None
        if abs(self._now_ms() // 1000 - int(timestamp)) > WINDOW_S:
            return None
        try:
            plain = self._crypto.decrypt(signature, timestamp, nonce, encrypted)
        except ForgedMessage:
            return None
        return OpenedCallback(plain, f"{timestamp} {nonce}")

    async def _is_new(self, nonce: str) -> bool:
        remember = Remember(messages=(("wecom nonce", nonce),), now_ms=self._now_ms())
        return (await self._store.run(remember)).refusal is None

    async def _answer(self, message: dict[str, str], nonce: str) -> str:
        user, kind = message.get("FromUserName", ""), message.get("MsgType", "")
        if kind != "text":
            if not await self._is_new(nonce):
                raise Replayed
            is_event = kind == "event"
            return "" if is_event else say("text_only", find_language(message.get("Content", "") or "zh 中"))
        taken = ChatMessage(
            platform="wecom",
            id=message.get("MsgId") or f"{user} {message.get('CreateTime', '')}",
            user=user,
            text=message.get("Content", ""),
            direct=True,
            nonce=nonce,
        )
        said: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._tasks.start(f"message {taken.id[:40]}", self._take(taken, said))
        return await asyncio.shield(said)  # after a time-out it goes on, and its outcome is pushed

    async def _take(self, message: ChatMessage, said: "asyncio.Future[str]") -> None:
        try:
            text = (await self._intake.take(message)).text
        except (Replayed, StoreAway) as refused:
            said.set_exception(refused)
            said.exception()  # the caller may have left
        else:
            said.set_result(text)

    def _reply(self, message: dict[str, str], text: str) -> Response:
        timestamp, nonce = str(self._now_ms() // 1000), secrets.token_hex(8)
        reply = make_xml(
            {
                "ToUserName": message.get("FromUserName", ""),
                "FromUserName": message.get("ToUserName", ""),
                "CreateTime": timestamp,
                "MsgType": "text",
                "Content": cut_message(text),
            }
        )
        encrypted = self._crypto.encrypt(reply)
        fields = {
            "Encrypt": encrypted,
            "MsgSignature": self._crypto.sign(timestamp, nonce, encrypted),
            "TimeStamp": timestamp,
            "Nonce": nonce,
        }
        return Response(make_xml(fields), media_type="application/xml")
