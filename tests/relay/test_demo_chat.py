"""The demo's chat without its token, with broken messages, and with too many of them."""

import json
from pathlib import Path

from tests.relay.service import FakeChat, Service

from bascule.core.relay.replies import ChatReply
from bascule.host.clock import new_id
from bascule.host.network.listener import LOOPBACK, Listener, bind
from bascule.relay.chat.platforms import Recipient
from bascule.relay.config import make_dev_config
from bascule.relay.http.demo_chat import MAX_BODY, MAX_KEPT, DemoChat
from bascule.relay.relay_app import LIMITS, open_relay

TOKEN = "token-of-the-chat"
SIGNED = {"Authorization": f"Bearer {TOKEN}"}


async def test_only_who_has_the_token_reads_and_writes_in_the_demos_chat(tmp_path: Path) -> None:
    sock, database = bind(LOOPBACK, 0), str(tmp_path / "relay.db")
    url = f"http://{LOOPBACK}:{sock.getsockname()[1]}"
    config = make_dev_config("ann", "desk", "t" * 24, url)
    chat = DemoChat(user="ann", token=TOKEN, desk="http://127.0.0.1:1/", new_id=new_id)
    async with open_relay(config, database, local_chat=chat) as app, Listener(app, sock, limits=LIMITS):
        service = Service(url, database, FakeChat(), config)
        for given in ({}, {"Authorization": TOKEN}, {"Authorization": "Bearer x"}, {"Cookie": TOKEN}):
            for method in ("GET", "POST"):
                status, _ = await service.http(method, "/chat/messages", b'{"text":"@dev plan x"}', given)
                assert status == 401
        for body in (
            b"",
            b"{",
            b"[]",
            b'{"text":1}',
            b"[" * 5_000,
            b'{"text":"\xff"}',
            b"x" * (MAX_BODY + 1),
        ):
            assert (await service.http("POST", "/chat/messages", body, SIGNED))[0] == 400
        assert (await service.http("DELETE", "/chat/messages", headers=SIGNED))[0] == 405
        _, seen = await service.http("GET", "/chat/messages", headers=SIGNED)
        assert json.loads(seen)["items"] == []
        for text in ("@dev help", "@dev plan it", ""):
            await service.http("POST", "/chat/messages", json.dumps({"text": text}).encode(), SIGNED)
        for _ in range(MAX_KEPT):
            await chat.send(Recipient(user="ann"), ChatReply("again"))
        _, seen = await service.http("GET", "/chat/messages", headers=SIGNED)
        items = json.loads(seen)["items"]
        assert (len(items), items[-1]["number"]) == (MAX_KEPT, MAX_KEPT + 6)
        _, audit = await service.http("GET", "/audit/recent", headers={"Authorization": f"Bearer {'t' * 24}"})
        assert [line["step"] for line in json.loads(audit)["items"]] == ["refused", "created"]
