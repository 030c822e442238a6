"""The frames of WeCom's long connection for a smart robot, as far as they are used here."""

import msgspec
from msgspec import Raw, Struct, field

SUBSCRIBE = "aibot_subscribe"
HEARTBEAT = "ping"
RESPOND = "aibot_respond_msg"  # to one message, by its request id
SEND = "aibot_send_msg"  # to a chat, at any time
UPLOAD_BEGIN, UPLOAD_PART, UPLOAD_END = (f"aibot_upload_media_{word}" for word in ("init", "chunk", "finish"))
MESSAGE = "aibot_msg_callback"
EVENT = "aibot_event_callback"
REPLACED = "disconnected_event"  # another connection of the same robot took over


class BotHeaders(Struct, frozen=True):
    req_id: str = ""


class UploadAnswer(Struct, frozen=True):
    upload_id: str = ""
    media_id: str = ""


class BotFrame(Struct, frozen=True):
    """Without `cmd` it answers the request with that id."""

    cmd: str = ""
    headers: BotHeaders = BotHeaders()
    body: Raw = Raw(b"{}")
    errcode: int = 0
    errmsg: str = ""


class BotSender(Struct, frozen=True):
    userid: str = ""


class BotText(Struct, frozen=True):
    content: str = ""


class BotEvent(Struct, frozen=True):
    eventtype: str = ""


class BotMessage(Struct, frozen=True, kw_only=True):
    msgid: str = ""
    chatid: str = ""  # of a group
    chattype: str = "single"
    sender: BotSender = field(name="from", default=BotSender())
    msgtype: str = ""
    text: BotText = BotText()
    voice: BotText = BotText()  # WeCom has written it down already
    event: BotEvent = BotEvent()

    @property
    def chat(self) -> str:
        """Where a push goes: the group, or the person."""
        return self.chatid or self.sender.userid


FRAME = msgspec.json.Decoder(BotFrame)
UPLOAD_ANSWER = msgspec.json.Decoder(UploadAnswer)
MESSAGE_BODY = msgspec.json.Decoder(BotMessage)


def make_frame(cmd: str, req_id: str, body: object = None) -> bytes:
    frame: dict[str, object] = {"cmd": cmd, "headers": {"req_id": req_id}}
    if body is not None:
        frame["body"] = body
    return msgspec.json.encode(frame)


def stream_body(stream: str, text: str, *, is_last: bool) -> dict[str, object]:
    """The whole text so far: each update replaces the one before."""
    return {"msgtype": "stream", "stream": {"id": stream, "finish": is_last, "content": text}}


def push_body(chat: str, text: str) -> dict[str, object]:
    return {"chatid": chat, "msgtype": "markdown", "markdown": {"content": text}}


def file_body(chat: str, media_id: str) -> dict[str, object]:
    return {"chatid": chat, "msgtype": "file", "file": {"media_id": media_id}}
