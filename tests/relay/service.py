"""A relay on loopback, a chat that it pushes to, and a machine that speaks its wire."""

import asyncio
import base64
import email
import http.client
import json
import secrets
import warnings
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from tests.patience import PATIENCE_S
from tests.relay.chat_limits import ChatLimits

from bascule.host.clock import now_ms
from bascule.host.config.bridge_file import JoinedRelay, make_joined
from bascule.host.network.listener import LOOPBACK, Listener, bind
from bascule.host.network.relay_link import dial_relay, enroll
from bascule.host.network.socket_link import SocketLink
from bascule.model.relay_frames import ChallengeFrame, EnrollRequest, FromMachine, FromRelay, HelloFrame
from bascule.relay.config import RelayConfig, RelayUser, WebhookConfig, WeComBotConfig, WeComConfig
from bascule.relay.machines.machine_keys import CODE_LASTS_MS, make_code
from bascule.relay.relay_app import LIMITS, open_relay
from bascule.relay.storage.batch import Step
from bascule.relay.storage.machine_steps import AddCode
from bascule.relay.storage.relay_store import RelayStore, open_database
from bascule.relay.wecom.xml_message import make_xml, parse_xml

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from wechatpy.enterprise.crypto import WeChatCrypto

T = TypeVar("T")

TOKEN, CORP = "a-token", "ww0123456789"
AES_KEY = base64.b64encode(bytes(range(32))).decode().rstrip("=")
OPERATIONS = "operations-token-of-the-test"
WEBHOOK = "webhook-secret-of-the-test"
WECOM = WeChatCrypto(TOKEN, AES_KEY, CORP)


FRAMES: msgspec.json.Decoder[FromRelay] = msgspec.json.Decoder(FromRelay)


class FakeChat:
    """WeCom's API, and a webhook's receiver: what was pushed, and to whom."""

    def __init__(self) -> None:
        self.pushed: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self.files: dict[str, tuple[str, str]] = {}  # by id: name and text
        self.faults: list[str] = []  # what WeCom would refuse
        self.refuses_files = False
        self._limits = ChatLimits()
        self.fails = 0  # so many pushes come first with a stale token
        self.url = ""

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["FakeChat"]:
        routes = [
            Route("/cgi-bin/gettoken", self._token),
            Route("/cgi-bin/message/send", self._send, methods=["POST"]),
            Route("/cgi-bin/media/upload", self._upload, methods=["POST"]),
            Route("/reply", self._reply, methods=["POST"]),
        ]
        async with Listener(Starlette(routes=routes), bind(LOOPBACK, 0)) as listener:
            self.url = f"http://{LOOPBACK}:{listener.port}"
            yield self

    async def next(self) -> tuple[str, str]:
        async with asyncio.timeout(PATIENCE_S):
            return await self.pushed.get()

    async def _token(self, _request: Request) -> Response:
        return JSONResponse({"errcode": 0, "access_token": "t", "expires_in": 7200})

    async def _send(self, request: Request) -> Response:
        if self.fails:
            self.fails -= 1
            return JSONResponse({"errcode": 42001, "errmsg": "access_token expired"})
        body = json.loads(await request.body())
        user, kind = body["touser"], body["msgtype"]
        said = body["text"]["content"] if kind == "text" else self._say_file(body["file"]["media_id"])
        if len(said.encode()) > 2_048 and kind == "text":
            self.faults.append("too long")
        if not self._limits.take(user):
            self.faults.append("too often")
            return JSONResponse({"errcode": 45009, "errmsg": "api freq out of limit"})
        self.pushed.put_nowait((user, said))
        return JSONResponse({"errcode": 0})

    async def _upload(self, request: Request) -> Response:
        """Read by the standard library's parser of MIME."""
        if self.refuses_files:
            return JSONResponse({"errcode": 40006, "errmsg": "invalid media size"})
        head = f"Content-Type: {request.headers['content-type']}\r\n\r\n".encode()
        form: Any = email.message_from_bytes(head + await request.body())
        (part,) = form.get_payload()
        assert request.query_params["type"] == "file"
        assert part.get_param("name", header="content-disposition") == "media"
        media = f"media-{len(self.files)}"
        self.files[media] = (str(part.get_filename()), part.get_payload(decode=True).decode())
        return JSONResponse({"type": "file", "media_id": media, "created_at": "1"})

    def _say_file(self, media: str) -> str:
        name, text = self.files[media]
        return f"{name}: {text}"

    async def _reply(self, request: Request) -> Response:
        body = json.loads(await request.body())
        self.pushed.put_nowait((body["userId"], body["text"]))
        if file := body.get("attachment"):
            self.pushed.put_nowait((body["userId"], f"{file['name']}: {file['text']}"))
        return PlainTextResponse("ok")


class Service:
    def __init__(self, url: str, database: str, chat: FakeChat, config: RelayConfig) -> None:
        self.url = url
        self.database = database
        self.chat = chat
        self.config = config

    async def http(
        self, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        return await asyncio.to_thread(self._http, method, path, body, headers or {})

    def _http(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection(self.url.removeprefix("http://"), timeout=10)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    async def operate(self, method: str, path: str) -> tuple[int, Any]:
        status, body = await self.http(method, path, headers={"Authorization": f"Bearer {OPERATIONS}"})
        return status, json.loads(body)

    def make_callback(
        self, text: str, *, user: str = "ann", number: int = 0, at_s: int = 0
    ) -> tuple[str, bytes]:
        """The path and body that WeCom would send, made by an implementation that is not ours."""
        fields = {"ToUserName": CORP, "FromUserName": user, "CreateTime": "1", "MsgType": "text"}
        fields |= {"Content": text, "MsgId": str(number or secrets.randbits(60))}
        stamp, nonce = str(at_s or now_ms() // 1000), secrets.token_hex(8)
        sealed = parse_xml(WECOM.encrypt_message(make_xml(fields).decode(), nonce, stamp).encode())
        query = {"msg_signature": sealed["MsgSignature"], "timestamp": stamp, "nonce": nonce}
        return f"/wecom/callback?{urlencode(query)}", make_xml({"Encrypt": sealed["Encrypt"]})

    async def say(self, text: str, **more: Any) -> str:
        """As somebody in the chat; the passive reply, as WeCom would read it."""
        path, body = self.make_callback(text, **more)
        status, answer = await self.http("POST", path, body)
        assert status == 200
        if answer == b"success":
            return ""
        fields = parse_xml(answer)
        plain = WECOM.decrypt_message(
            answer.decode(), fields["MsgSignature"], fields["TimeStamp"], fields["Nonce"]
        )
        return parse_xml(plain.encode())["Content"]

    async def forget_repeats(self) -> None:
        """As if some time had passed since the last command."""

        def forget() -> None:
            db = open_database(self.database)
            db.execute("UPDATE commands SET fingerprint = ''")
            db.close()

        await asyncio.to_thread(forget)

    def change(self, step: Step[T]) -> T:
        """As another process does, such as a command line."""
        return change(self.database, step)

    def invite(self, machine: str) -> str:
        return invite(self.database, self.url, machine)

    async def enroll(self, machine: str) -> JoinedRelay:
        joined = make_joined(self.url, machine)
        await enroll(self.url, make_request(joined, self.invite(machine)))
        return joined


def change(database: str, step: Step[T]) -> T:
    store = RelayStore(database)
    try:
        return store.run_now(step)
    finally:
        store.close()


def invite(database: str, url: str, machine: str) -> str:
    """The secret of a one-time code."""
    code, hashed = make_code(url, machine)
    expires_ms = now_ms() + CODE_LASTS_MS
    change(database, AddCode(machine=machine, hashed=hashed, expires_ms=expires_ms, now_ms=now_ms()))
    data = base64.urlsafe_b64decode(code + "=" * (-len(code) % 4))
    return str(json.loads(data)["secret"])


def make_request(joined: JoinedRelay, secret: str) -> EnrollRequest:
    return EnrollRequest(
        machine_id=joined.machine,
        secret=secret,
        public_key=joined.public_key,
        signature=joined.sign(secret),
    )


class FakeMachine:
    """One connection of a machine."""

    def __init__(self, link: SocketLink) -> None:
        self.link = link

    async def send(self, frame: FromMachine) -> None:
        await self.link.send(msgspec.json.encode(frame))

    async def next(self) -> FromRelay:
        async with asyncio.timeout(PATIENCE_S):
            return FRAMES.decode(await self.link.receive())


@asynccontextmanager
async def connect_machine(joined: JoinedRelay) -> AsyncIterator[FakeMachine]:
    machine = FakeMachine(await dial_relay(joined.url))
    try:
        challenge = await machine.next()
        assert isinstance(challenge, ChallengeFrame)
        await machine.send(
            HelloFrame(machine_id=joined.machine, version="1", signature=joined.sign(challenge.nonce))
        )
        yield machine
    finally:
        await machine.link.close()


@asynccontextmanager
async def open_service(
    root: Path, *, machine: str = "desk", database: str = "", wecom_bot: WeComBotConfig | None = None
) -> AsyncIterator[Service]:
    async with FakeChat().serving() as chat:
        sock = bind(LOOPBACK, 0)
        url = f"http://{LOOPBACK}:{sock.getsockname()[1]}"
        config = RelayConfig(
            public_url=url,
            operations_token=OPERATIONS,
            users=(
                RelayUser(id="ann", machine=machine),
                RelayUser(id="bob", machine="other", chats=("wecom",)),
            ),
            wecom=WeComConfig(
                corp_id=CORP, agent_id=1, token=TOKEN, aes_key=AES_KEY, secret="corp-secret", api=chat.url
            ),
            wecom_bot=wecom_bot,
            webhook=WebhookConfig(secret=WEBHOOK, reply_url=f"{chat.url}/reply"),
        )
        database = database or str(root / "relay.db")
        async with open_relay(config, database) as app, Listener(app, sock, limits=LIMITS):
            yield Service(url, database, chat, config)
            assert chat.faults == []
