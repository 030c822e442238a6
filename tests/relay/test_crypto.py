"""WeCom's envelope against an independent implementation of the other side, and what is no such envelope."""

import base64
import warnings
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bascule.core.faults import UserError
from bascule.relay.config import (
    RelayConfig,
    RelayUser,
    WebhookConfig,
    WeComBotConfig,
    WeComConfig,
    check_config,
)
from bascule.relay.wecom.crypto import ForgedMessage, WeComCrypto
from bascule.relay.wecom.xml_message import BadXml, make_xml, parse_xml

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from wechatpy.enterprise.crypto import WeChatCrypto
    from wechatpy.exceptions import InvalidSignatureException

TOKEN, CORP = "a-token", "ww0123456789"
AES_KEY = base64.b64encode(bytes(range(32))).decode().rstrip("=")
OURS = WeComCrypto(TOKEN, AES_KEY, CORP)
THEIRS = WeChatCrypto(TOKEN, AES_KEY, CORP)
XML = "<xml><ToUserName>bot</ToUserName><Content><![CDATA[@dev help 你好]]></Content></xml>"


def from_them(text: str = XML, crypto: WeChatCrypto = THEIRS) -> tuple[str, str, str, str]:
    """Signature, timestamp, nonce and what is encrypted."""
    fields = parse_xml(crypto.encrypt_message(text, "nonce-1", "1700000000").encode())
    return fields["MsgSignature"], fields["TimeStamp"], fields["Nonce"], fields["Encrypt"]


def test_what_they_write_we_read_and_the_other_way_round() -> None:
    assert OURS.decrypt(*from_them()).decode() == XML
    encrypted = OURS.encrypt(XML.encode())
    signature = OURS.sign("1700000000", "n", encrypted)
    wrapped = make_xml({"Encrypt": encrypted}).decode()
    assert THEIRS.decrypt_message(wrapped, signature, "1700000000", "n") == XML
    with pytest.raises(InvalidSignatureException):
        THEIRS.decrypt_message(wrapped, signature[::-1], "1700000000", "n")


@pytest.mark.parametrize("at", range(4))
def test_nothing_of_it_can_be_changed(at: int) -> None:
    parts = list(from_them())
    parts[at] = parts[at][:-1] + ("0" if parts[at][-1] != "0" else "1")
    with pytest.raises(ForgedMessage):
        OURS.decrypt(*parts)


def test_what_is_for_another_receiver_or_of_another_key_is_forged() -> None:
    with pytest.raises(ForgedMessage):
        OURS.decrypt(*from_them(crypto=WeChatCrypto(TOKEN, AES_KEY, "ww-other")))
    other = WeChatCrypto(TOKEN, base64.b64encode(bytes(32)).decode().rstrip("="), CORP)
    with pytest.raises(ForgedMessage):
        OURS.decrypt(*from_them(crypto=other))


@settings(max_examples=4 * settings().max_examples, deadline=None)
@given(st.binary(max_size=200))
def test_whatever_is_signed_with_the_token_alone_is_never_opened(data: bytes) -> None:
    encrypted = base64.b64encode(data).decode()
    with pytest.raises(ForgedMessage):
        OURS.decrypt(OURS.sign("1", "n", encrypted), "1", "n", encrypted)


def test_a_key_of_another_length_is_refused_at_the_start() -> None:
    with pytest.raises(UserError, match="43 characters"):
        WeComCrypto(TOKEN, "short", CORP)


@pytest.mark.parametrize(
    "data",
    [
        b'<!DOCTYPE x [<!ENTITY a "b">]><xml><A>&a;</A></xml>',
        b'<!DOCTYPE x SYSTEM "file:///etc/passwd"><xml/>',
        b"<xml><A>&b;</A></xml>",
        b"<xml>" + b"<a>" * 50 + b"</a>" * 50 + b"</xml>",
        b"<xml>",
        b"",
        b"\xff\xfe",
        b"x" * 300_000,
    ],
)
def test_xml_has_no_entities_no_depth_and_a_ceiling(data: bytes) -> None:
    with pytest.raises(BadXml):
        parse_xml(data)


def test_a_key_that_is_none_is_named_with_every_other_problem() -> None:
    ann = RelayUser(id="ann", machine="desk", chats=("wecom", "slack"))
    wecom = WeComConfig(corp_id=CORP, agent_id=1, token="", aes_key="short", secret="s")
    config = RelayConfig(wecom=wecom, users=(ann, ann))
    with pytest.raises(UserError) as refused:
        check_config(config, Path("relay.toml"))
    assert "wecom.token is empty" in str(refused.value)
    assert "wecom.aesKey must be the 43 characters" in str(refused.value)
    assert "users: ann has the chat 'slack'" in str(refused.value)
    assert "users: ann is there twice" in str(refused.value)


@pytest.mark.parametrize(
    ("url", "is_taken"),
    [
        ("https://bot.example/reply", True),
        ("http://127.0.0.1:9000/reply", True),
        ("http://localhost:9000/reply", True),
        ("http://[::1]:9000/reply", True),
        ("http://127.0.0.1.example/reply", False),
        ("http://localhost.example/reply", False),
        ("http://127.0.0.1@bot.example/reply", False),
        ("http://bot.example/reply", False),
        ("https://", False),
        ("https://bot.example:port/", False),
        ("https://[bot/", False),
    ],
)
def test_an_address_is_encrypted_or_on_this_machine_by_its_host_and_not_by_its_first_letters(
    url: str, is_taken: bool
) -> None:
    robot = WeComBotConfig(bot_id="b", secret="s", url=url.replace("http", "ws", 1))
    webhook = WebhookConfig(secret="s" * 16, reply_url=url)
    wecom = WeComConfig(corp_id=CORP, agent_id=1, token=TOKEN, aes_key=AES_KEY, secret="s", api=url)
    config = RelayConfig(
        operations_token="t" * 16, public_url=url, wecom=wecom, wecom_bot=robot, webhook=webhook
    )
    problems = [
        "wecom.api must begin with https:// (http:// only on this machine)",
        "publicUrl must begin with https:// (http:// only on this machine)",
        "wecomBot.url must begin with wss:// (ws:// only on this machine)",
        "webhook.replyUrl must begin with https:// (http:// only on this machine)",
    ]
    if is_taken:
        check_config(config, Path("relay.toml"))
        return
    with pytest.raises(UserError) as refused:
        check_config(config, Path("relay.toml"))
    assert all(problem in str(refused.value) for problem in problems)
