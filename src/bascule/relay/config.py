"""relay.toml: everything that the relay must know; what is missing is named, and then it does not start."""

import os
import stat
from pathlib import Path

import msgspec
from msgspec import Struct

from bascule.core.addresses import is_protected, parse_address
from bascule.core.faults import UserError
from bascule.relay.wecom.crypto import BAD_KEY, read_aes_key

MAX_FILE = 256 * 1024
MIN_SECRET = 16  # characters
CHATS = ("wecom", "wecom-bot", "webhook")


class RelayUser(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Somebody on the list, and the one machine that they may ask."""

    id: str
    machine: str
    chats: tuple[str, ...] = ()  # in which this is their name; empty: in all of them

    def writes_in(self, platform: str) -> bool:
        return not self.chats or platform in self.chats


class WeComConfig(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    corp_id: str = ""
    agent_id: int = 0
    token: str = ""
    aes_key: str = ""
    secret: str = ""
    api: str = "https://qyapi.weixin.qq.com"


class WeComBotConfig(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """A smart robot's long connection: no public address is needed."""

    bot_id: str = ""
    secret: str = ""
    url: str = "wss://openws.work.weixin.qq.com"


class WebhookConfig(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Any other chat: signed messages in, signed replies out."""

    secret: str = ""
    reply_url: str = ""


class RelayConfig(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    public_url: str = ""  # by which machines reach it: https://relay.example
    address: str = "127.0.0.1"  # a proxy with TLS stands before it
    port: int = 8787
    database: str = ""  # postgresql://… where several nodes share it; else a file of SQLite
    operations_token: str = ""
    messages_per_minute: int = 20  # of each person
    in_flight_minutes: int = 60  # then a command without an outcome has failed
    users: tuple[RelayUser, ...] = ()
    wecom: WeComConfig | None = None
    wecom_bot: WeComBotConfig | None = None
    webhook: WebhookConfig | None = None

    def find_machine(self, platform: str, user: str) -> str | None:
        """None: not on the list."""
        found = (one.machine for one in self.users if one.id == user and one.writes_in(platform))
        return next(found, None)


def make_dev_config(
    user: str, machine: str, token: str, public_url: str = "http://127.0.0.1:8787"
) -> RelayConfig:
    """To try things out without a file: one person, one machine."""
    users = (RelayUser(id=user, machine=machine),)
    return RelayConfig(public_url=public_url, operations_token=token, users=users)


def read_config(path: Path, *, dev: bool = False) -> RelayConfig:
    try:
        seen = path.stat()
        data = path.read_bytes()
    except OSError as fault:
        raise UserError(
            f"{path} cannot be read: {fault.strerror}. docs/guide/relay.md has an example."
        ) from None
    if os.name == "posix" and stat.S_IMODE(seen.st_mode) & 0o077:
        raise UserError(f"{path} holds secrets and can be read by others. Run: chmod 600 {path}")
    if len(data) > MAX_FILE:
        raise UserError(f"{path} is larger than {MAX_FILE} bytes.")
    try:
        config = msgspec.toml.decode(data, type=RelayConfig)
    except (msgspec.DecodeError, UnicodeDecodeError) as wrong:
        raise UserError(f"{path}: {wrong}") from None
    check_config(config, path, dev=dev)
    return config


def check_config(config: RelayConfig, path: Path, *, dev: bool = False) -> None:
    """Every problem at once. With `dev`, somebody can send something without a chat."""
    problems = [*_find_missing(config), *([] if dev else _find_no_chat(config))]
    if problems:
        lines = "\n".join(f"  {problem}" for problem in problems)
        raise UserError(f"The relay was not started. In {path}:\n{lines}")


def _find_missing(config: RelayConfig) -> list[str]:
    found: list[str] = []
    if len(config.operations_token) < MIN_SECRET:
        found.append(f"operationsToken is missing or shorter than {MIN_SECRET} characters")
    if config.wecom is not None:
        fields = {"corpId": config.wecom.corp_id, "token": config.wecom.token, "aesKey": config.wecom.aes_key}
        fields |= {"secret": config.wecom.secret, "agentId": str(config.wecom.agent_id or "")}
        found += [f"wecom.{name} is empty" for name, value in fields.items() if not value]
        if config.wecom.aes_key and read_aes_key(config.wecom.aes_key) is None:
            found.append(BAD_KEY)
    if config.wecom_bot is not None:
        fields = {"botId": config.wecom_bot.bot_id, "secret": config.wecom_bot.secret}
        found += [f"wecomBot.{name} is empty" for name, value in fields.items() if not value]
    if config.webhook is not None and len(config.webhook.secret) < MIN_SECRET:
        found.append(f"webhook.secret is missing or shorter than {MIN_SECRET} characters")
    return [*found, *_find_unprotected(config), *_find_wrong_users(config.users)]


def _find_unprotected(config: RelayConfig) -> list[str]:
    """Addresses over which secrets or messages could be read on their way."""
    used = [("publicUrl", "http", config.public_url)]
    if config.wecom is not None:
        used.append(("wecom.api", "http", config.wecom.api))
    if config.wecom_bot is not None:
        used.append(("wecomBot.url", "ws", config.wecom_bot.url))
    if config.webhook is not None:
        used.append(("webhook.replyUrl", "http", config.webhook.reply_url))
    parsed = ((name, scheme, parse_address(url)) for name, scheme, url in used)
    return [
        f"{name} must begin with {scheme}s:// ({scheme}:// only on this machine)"
        for name, scheme, parts in parsed
        if parts is None or not is_protected(parts, scheme)
    ]


def _find_wrong_users(users: tuple[RelayUser, ...]) -> list[str]:
    found = [
        f"users: {user.id} has the chat {name!r}; it must be one of {', '.join(CHATS)}"
        for user in users
        for name in user.chats
        if name not in CHATS
    ]
    names = [user.id for user in users]
    return [
        *found,
        *(f"users: {name} is there twice" for name in sorted(set(names)) if names.count(name) > 1),
    ]


def _find_no_chat(config: RelayConfig) -> list[str]:
    if config.wecom is None and config.wecom_bot is None and config.webhook is None:
        return ["none of [wecom], [wecomBot] and [webhook] is set, so nobody could send anything"]
    return []


def redact_config(config: RelayConfig) -> dict[str, object]:
    """For the person who operates it: what is set, without what is secret."""
    shown: dict[str, object] = msgspec.to_builtins(config)
    hidden = "(set)"
    shown["operationsToken"] = hidden
    shown["database"] = hidden if config.database else ""
    for group, names in (
        ("wecom", ("token", "aesKey", "secret")),
        ("wecomBot", ("secret",)),
        ("webhook", ("secret",)),
    ):
        table = shown.get(group)
        if isinstance(table, dict):
            shown[group] = {key: hidden if key in names else value for key, value in table.items()}
    return shown
