"""Another chat over webhooks: signed both ways, and the outcome posted to its server."""

import hashlib
import hmac
import json
import time

from bascule.core.relay.replies import ChatReply
from bascule.relay.chat.json_client import JsonClient
from bascule.relay.chat.platforms import ChatPlatform, Recipient
from bascule.relay.config import WebhookConfig

SIGNATURE = "X-Bascule-Signature"


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


def sign_webhook(secret: str, body: bytes, at_s: int) -> str:
    """`t=SECONDS,v1=HEX`: HMAC-SHA256 over the time, a dot and the body."""
    mac = hmac.new(secret.encode(), f"{at_s}.".encode() + body, hashlib.sha256)
    return f"t={at_s},v1={mac.hexdigest()}"


def is_signed_webhook(secret: str, body: bytes, given: str, now_s: int, window_s: int) -> bool:
    at, _, _ = given.removeprefix("t=").partition(",")
    if not at.isascii() or not at.isdecimal() or len(at) > 12 or abs(now_s - int(at)) > window_s:
        return False
    return hmac.compare_digest(sign_webhook(secret, body, int(at)).encode(), given.encode("utf-8", "replace"))
