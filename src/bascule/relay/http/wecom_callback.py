"""GET and POST /wecom/callback: verified, decrypted, answered within a second whatever happens behind it."""

import asyncio
import secrets
from collections.abc import Callable

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from bascule.core.relay.dev_commands import find_language
from bascule.core.relay.replies import cut_message, say
from bascule.host.processes.tasks import Tasks
from bascule.relay.chat.intake import ChatMessage, Intake
from bascule.relay.http.bodies import read_body
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.wecom.crypto import ForgedMessage, WeComCrypto
from bascule.relay.wecom.xml_message import MAX_XML, BadXml, make_xml, parse_xml

WINDOW_S = 300  # by which the clock of a request may differ
ANSWER_S = 0.8
NONCES = "wecom nonce"  # the name under which they are remembered

REFUSED = PlainTextResponse("refused", status_code=403)
NOTHING = PlainTextResponse("success")  # WeCom: there is no reply


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
        plain = await self._open(request, request.query_params.get("echostr", ""))
        return REFUSED if plain is None else Response(plain, media_type="text/plain")

    async def receive(self, request: Request) -> Response:
        body = await read_body(request, MAX_XML)
        if body is None:
            return PlainTextResponse("too large", status_code=413)
        try:
            plain = await self._open(request, parse_xml(body).get("Encrypt", ""))
            if plain is None:
                return REFUSED
            message = parse_xml(plain)
        except BadXml:
            return REFUSED
        text = await self._answer(message)
        return self._reply(message, text) if text else NOTHING

    async def _open(self, request: Request, encrypted: str) -> bytes | None:
        """None: forged, stale, or seen before."""
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
        is_new = await self._store.is_new_message(NONCES, f"{timestamp} {nonce}", self._now_ms())
        return plain if is_new else None

    async def _answer(self, message: dict[str, str]) -> str:
        user, kind = message.get("FromUserName", ""), message.get("MsgType", "")
        if kind == "event":
            return ""
        if kind != "text":
            return say("text_only", find_language(message.get("Content", "") or "zh 中"))
        taken = ChatMessage(
            platform="wecom",
            id=message.get("MsgId") or f"{user} {message.get('CreateTime', '')}",
            user=user,
            text=message.get("Content", ""),
            direct=True,
        )
        said: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._tasks.start(f"message {taken.id[:40]}", self._take(taken, said))
        try:
            async with asyncio.timeout(ANSWER_S):
                return await asyncio.shield(said)
        except TimeoutError:
            return ""  # it goes on; its outcome is pushed

    async def _take(self, message: ChatMessage, said: "asyncio.Future[str]") -> None:
        text = ""
        try:
            text = (await self._intake.take(message)).text
        finally:
            if not said.done():
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
