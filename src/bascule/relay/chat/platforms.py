"""The one small interface to a chat: a name, and a way to say something to somebody."""

import asyncio
import hashlib
import hmac
import json
import time
from typing import Protocol
from urllib.parse import quote

from msgspec import Struct

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

    @property
    def can_send(self) -> bool:
        """Whether it can be tried here and now."""
        return True

    async def send(self, to: Recipient, text: str) -> None:
        """`PushFailed` where it did not arrive."""


class WeComPush(ChatPlatform):
    """WeCom's API for messages of an app."""

    name = "wecom"

    def __init__(self, config: WeComConfig, client: JsonClient) -> None:
        self._config = config
        self._client = client
        self._token = ""
        self._token_until_s = 0.0
        self._fetching = asyncio.Lock()

    async def send(self, to: Recipient, text: str) -> None:
        message: dict[str, object] = {
            "touser": to.user,
            "msgtype": "text",
            "agentid": self._config.agent_id,
            "text": {"content": text},
            "enable_duplicate_check": 1,  # a node that dies after it sent this: another sends it again
            "duplicate_check_interval": DUPLICATES_S,
        }
        answer = await self._post(message)
        if answer.get("errcode") in STALE_TOKEN:
            self._token = ""
            answer = await self._post(message)
        if answer.get("errcode") != 0 or answer.get("invaliduser"):
            raise PushFailed(f"WeCom answered {answer.get('errcode')}: {str(answer.get('errmsg'))[:200]}")

    async def _post(self, message: dict[str, object]) -> dict[str, object]:
        token = await self._find_token()
        url = f"{self._config.api}/cgi-bin/message/send?access_token={quote(token)}"
        return await self._client.call("POST", url, json.dumps(message).encode(), {})

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


class WebhookPush(ChatPlatform):
    """A signed POST to the server of another chat."""

    name = "webhook"

    def __init__(self, config: WebhookConfig, client: JsonClient) -> None:
        self._config = config
        self._client = client

    async def send(self, to: Recipient, text: str) -> None:
        body = json.dumps({"userId": to.user, "text": text, "replyId": to.command_id}).encode()
        headers = {SIGNATURE: sign_webhook(self._config.secret, body, int(time.time()))}
        await self._client.call("POST", self._config.reply_url, body, headers)


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
