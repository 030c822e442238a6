"""WeCom's side of the long connection, with its limits: what a robot sends, and what people see."""

import asyncio
import base64
import hashlib
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

from tests.patience import PATIENCE_S
from tests.relay.chat_limits import ChatLimits
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

BOT, SECRET = "bot-1", "secret-of-the-bot"
MAX_STREAM_BYTES, MAX_PUSH_BYTES = 20_480, 20_480
MAX_PART = 512 * 1024
UPLOADS = tuple(f"aibot_upload_media_{word}" for word in ("init", "chunk", "finish"))
EXPIRED, TOO_OFTEN, BAD_SECRET, BAD_REQUEST = 846608, 45009, 40001, 40058


class FakeWeCom:
    """One robot. Streams end by `end_streams`, as after ten minutes."""

    def __init__(self) -> None:
        self.url = ""
        self.seen: asyncio.Queue[tuple[str, str, bool]] = asyncio.Queue()  # chat, text, whether it is the end
        self.connections: list[ServerConnection] = []
        self.heartbeats = 0
        self.faults: list[str] = []  # what a robot must not do
        self.refuses_heartbeats = False
        self._ids = itertools.count(1)
        self._chats: dict[str, str] = {}  # by request
        self._streams: dict[str, bool] = {}  # whether each is over
        self._limits = ChatLimits()
        self._arrived = asyncio.Event()
        self._upload: dict[str, Any] = {}

    @asynccontextmanager
    async def serving(self) -> AsyncIterator["FakeWeCom"]:
        async with serve(self._serve, "127.0.0.1", 0) as server:
            port = next(iter(server.sockets)).getsockname()[1]
            self.url = f"ws://127.0.0.1:{port}"
            yield self

    # -- what people do --

    async def say(
        self, text: str, *, user: str = "ann", group: str = "", number: int = 0, **more: Any
    ) -> str:
        """Its request id, by which the robot answers."""
        await self.wait_for_robot()
        count = next(self._ids)
        req_id = f"callback-{count}"
        body: dict[str, Any] = {
            "msgid": f"m{number or count}",
            "aibotid": BOT,
            "chattype": "group" if group else "single",
            "from": {"userid": user},
            "msgtype": "text",
            "text": {"content": text},
        } | more
        if group:
            body["chatid"] = group
        self._chats[req_id] = group or user
        await self._tell("aibot_msg_callback", req_id, body)
        return req_id

    async def replace(self) -> None:
        """Another connection of the same robot came."""
        body = {"msgtype": "event", "event": {"eventtype": "disconnected_event"}}
        await self._tell("aibot_event_callback", "event-1", body)

    async def drop(self) -> None:
        self._arrived.clear()
        await self.connections[-1].close()

    async def wait_for_robot(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            await self._arrived.wait()

    async def next(self) -> tuple[str, str, bool]:
        async with asyncio.timeout(PATIENCE_S):
            return await self.seen.get()

    def end_streams(self) -> None:
        self._streams = dict.fromkeys(self._streams, True)

    # -- the wire --

    async def _tell(self, cmd: str, req_id: str, body: object) -> None:
        frame = {"cmd": cmd, "headers": {"req_id": req_id}, "body": body}
        await self.connections[-1].send(json.dumps(frame))

    async def _serve(self, socket: ServerConnection) -> None:
        with suppress(ConnectionClosed):
            await self._answer_all(socket)

    async def _answer_all(self, socket: ServerConnection) -> None:
        is_known = False
        async for data in socket:
            frame = json.loads(data)
            cmd, req_id, body = frame["cmd"], frame["headers"]["req_id"], frame.get("body") or {}
            if cmd == "aibot_subscribe":
                is_known = body == {"bot_id": BOT, "secret": SECRET}
                if is_known:
                    self.connections.append(socket)
                code = 0 if is_known else BAD_SECRET
            elif not is_known:
                self.faults.append(f"{cmd} before a subscription")
                code = BAD_REQUEST
            elif cmd == "ping":
                self.heartbeats += 1
                if self.refuses_heartbeats:
                    continue
                code = 0
            else:
                code = self._take(cmd, req_id, body)
            reply = {"headers": {"req_id": req_id}, "errcode": code, "errmsg": "refused" if code else "ok"}
            if cmd in UPLOADS:
                reply["body"] = {"upload_id": self._upload["id"], "media_id": self._upload["id"]}
            await socket.send(json.dumps(reply))
            if cmd == "aibot_subscribe" and is_known:
                self._arrived.set()

    def _take_upload(self, cmd: str, body: dict[str, Any]) -> int:
        if cmd == "aibot_upload_media_init":
            self._upload = {"id": f"u{next(self._ids)}", "data": b"", **body}
            return 0
        if cmd == "aibot_upload_media_chunk":
            part = base64.b64decode(body["base64_data"], validate=True)
            if len(part) > MAX_PART or body["upload_id"] != self._upload["id"]:
                self.faults.append("a part that is too long, or of nothing")
            self._upload["data"] += part
            return 0
        data = self._upload["data"]
        same = (len(data), hashlib.md5(data).hexdigest()) == (self._upload["total_size"], self._upload["md5"])
        return 0 if same and self._upload["type"] == "file" else BAD_REQUEST

    def _take(self, cmd: str, req_id: str, body: dict[str, Any]) -> int:
        if cmd in UPLOADS:
            return self._take_upload(cmd, body)
        if cmd == "aibot_send_msg" and body["msgtype"] == "file":
            assert body["file"]["media_id"] == self._upload["id"]
            text = f"{self._upload['filename']}: {self._upload['data'].decode()}"
            chat, is_last = body["chatid"], True
        elif cmd == "aibot_send_msg":
            chat, text, is_last = body["chatid"], body["markdown"]["content"], True
        elif cmd == "aibot_respond_msg" and req_id in self._chats and body["msgtype"] == "stream":
            stream = body["stream"]
            chat, text, is_last = self._chats[req_id], stream["content"], stream["finish"]
            if self._streams.get(stream["id"]):
                return EXPIRED
            self._streams[stream["id"]] = is_last
        else:
            self.faults.append(f"{cmd} {req_id}")
            return BAD_REQUEST
        if len(text.encode()) > MAX_STREAM_BYTES and body["msgtype"] != "file":
            self.faults.append("too long")
            return BAD_REQUEST
        if not self._limits.take(chat):
            self.faults.append("too often")
            return TOO_OFTEN
        self.seen.put_nowait((chat, text, is_last))
        return 0
