"""The one small interface to a chat: a name, and a way to say something to somebody."""

import asyncio
import hashlib
import hmac
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol
from urllib.parse import quote

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.relay.replies import ChatReply, ReplyFile
from bascule.relay.chat.json_client import JsonClient, PushFailed
from bascule.relay.config import WebhookConfig, WeComConfig

DUPLICATES_S = 14_400  # the longest that WeCom takes
STALE_TOKEN = (40001, 40014, 42001)
TOKEN_MARGIN_S = 60.0  # it is fetched again so long before it ends


class Recipient(Struct, frozen=True, kw_only=True):
    """Of an outcome: who asked, in which chat, and for what."""

    user: str
    chat: str = ""  # empty: the person's own
    command_id: str = ""  # the same again is the same message, and is shown once


class ChatPlatform(Protocol):
    name: str
    is_led: bool = False  # by one node at a time, which sends all its outcomes
    joins: bool = False  # several outcomes can be one message

    @property
    def can_send(self) -> bool:
        """Whether it can be tried here and now."""
        return True

    async def send(self, to: Recipient, reply: ChatReply) -> None:
        """`PushFailed` where it did not arrive; `FileFailed` where all but its file did."""

    async def tell(self, to: Recipient, text: str, number: int) -> None:
        """How a command goes on, before its outcome: the numbered message about it. `PushFailed` where it
        did not arrive."""
        await self.send(replace(to, command_id=f"{to.command_id}.{number}"), ChatReply(text))


class FileFailed(PushFailed):
    """The text has arrived, the file that belongs to it has not."""


@contextmanager
def sending_file() -> Iterator[None]:
    try:
        yield
    except PushFailed as fault:
        raise FileFailed(f"its file was not taken: {fault}") from None


class WeComPush(ChatPlatform):
    """WeCom's API for messages of an app."""

    name = "wecom"
    joins = True

    def __init__(self, config: WeComConfig, client: JsonClient) -> None:
        self._config = config
        self._client = client
        self._token = ""
        self._token_until_s = 0.0
        self._fetching = asyncio.Lock()

    async def send(self, to: Recipient, reply: ChatReply) -> None:
        await self._say(to, "text", {"content": reply.text})
        if reply.file is not None:
            with sending_file():
                await self._say(to, "file", {"media_id": await self._upload(reply.file)})

    async def _say(self, to: Recipient, kind: str, content: dict[str, str]) -> None:
        message: dict[str, object] = {
            "touser": to.user,
            "msgtype": kind,
            "agentid": self._config.agent_id,
            kind: content,
            "enable_duplicate_check": 1,  # a node that dies after it sent this: another sends it again
            "duplicate_check_interval": DUPLICATES_S,
        }
        answer = await self._post("message/send", json.dumps(message).encode(), {})
        if answer.get("invaliduser"):
            raise PushFailed(f"WeCom does not know {to.user}")

    async def _upload(self, file: ReplyFile) -> str:
        """Kept there for three days."""
        boundary = secrets.token_hex(16)
        headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
        answer = await self._post("media/upload", _make_form(boundary, file), headers, "&type=file")
        return str(answer.get("media_id"))

    async def _post(
        self, name: str, body: bytes, headers: dict[str, str], query: str = ""
    ) -> dict[str, object]:
        """Once more with a new token, where WeCom no longer takes this one."""
        answer = await self._post_once(name, body, headers, query)
        if answer.get("errcode") in STALE_TOKEN:
            self._token = ""
            answer = await self._post_once(name, body, headers, query)
        if answer.get("errcode", 0) != 0:
            raise PushFailed(f"WeCom answered {answer.get('errcode')}: {str(answer.get('errmsg'))[:200]}")
        return answer

    async def _post_once(
        self, name: str, body: bytes, headers: dict[str, str], query: str
    ) -> dict[str, object]:
        token = await self._find_token()
        url = f"{self._config.api}/cgi-bin/{name}?access_token={quote(token)}{query}"
        return await self._client.call("POST", url, body, headers)

    async def _find_token(self) -> str:
        async with self._fetching:
            if self._token and time.monotonic() < self._token_until_s:
                return self._token
            config = self._config
            who = f"corpid={quote(config.corp_id)}&corpsecret={quote(config.secret)}"
            url = f"{config.api}/cgi-bin/gettoken?{who}"
            answer = await self._client.call("GET", url, b"", {})
            token, lasts = answer.get("access_token"), answer.get("expires_in")
            if not isinstance(token, str) or not isinstance(lasts, int):
                raise PushFailed(f"WeCom gave no token: {answer.get('errcode')}")
            self._token, self._token_until_s = token, time.monotonic() + lasts - TOKEN_MARGIN_S
            return token


def _make_form(boundary: str, file: ReplyFile) -> bytes:
    head = f'Content-Disposition: form-data; name="media"; filename="{file.name}"'
    body = file.text.encode("utf-8", "replace")
    lines = [f"--{boundary}", head, "Content-Type: text/plain; charset=utf-8", "", ""]
    return "\r\n".join(lines).encode() + body + f"\r\n--{boundary}--\r\n".encode()


class WebhookPush(ChatPlatform):
    """A signed POST to the server of another chat."""

    name = "webhook"

    def __init__(self, config: WebhookConfig, client: JsonClient) -> None:
        self._config = config
        self._client = client

    async def send(self, to: Recipient, reply: ChatReply) -> None:
        message: dict[str, object] = {"userId": to.user, "text": reply.text, "replyId": to.command_id}
        if reply.file is not None:
            message["attachment"] = {"name": reply.file.name, "text": reply.file.text}
        body = json.dumps(message).encode()
        headers = {SIGNATURE: sign_webhook(self._config.secret, body, int(time.time()))}
        await self._client.send("POST", self._config.reply_url, body, headers)


SIGNATURE = "X-Bascule-Signature"


def sign_webhook(secret: str, body: bytes, at_s: int) -> str:
    """`t=SECONDS,v1=HEX`: HMAC-SHA256 over the time, a dot and the body."""
    mac = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256)
    return f"t={at_s},v1={mac.hexdigest()}"


def is_signed_webhook(secret: str, body: bytes, given: str, now_s: int, window_s: int) -> bool:
    at, _, _ = given.removeprefix("t=").partition(",")
    if not at.isascii() or not at.isdecimal() or len(at) > 12 or abs(now_s - int(at)) > window_s:
        return False
    return hmac.compare_digest(sign_webhook(secret, body, int(at)).encode(), given.encode("utf-8", "replace"))
