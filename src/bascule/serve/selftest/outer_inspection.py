"""What must hold of the outer door: who comes in there looks and asks, and says no yes."""

import base64
import secrets
import socket
import ssl
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import msgspec

from bascule.core.consent.access import OUTSIDE, RULES
from bascule.core.wire.rpc import NOT_ALLOWED
from bascule.serve.http import SignedIn
from bascule.serve.rules import KEY_HEADER, KEY_PROTOCOL, PROTOCOL
from bascule.serve.selftest.attack_runner import Verdict
from bascule.serve.selftest.probe import CLOSE, TEXT, TIMEOUT_S, RawWebSocket, ask, make_request

INCIDENT = "a yes from outside"
BARRED = tuple(method for method, rule in RULES.items() if rule.need not in OUTSIDE)
LOOK_ONLY = tuple(method for method, rule in RULES.items() if rule.need != "look")
FOR_PROGRAMS_ONLY = ("/link", "/shutdown")
LOOSENED = {
    "bascule.codex.command": "/nonexistent/selftest",
    "bascule.codex.sandbox": "workspace-write",
    "bascule.devices.answers": ["command"],
    "bascule.panes.fromOutside": True,
}
MADE_UP = {"device_id": "device-0000000000"}
HELLO = {"protocol_version": "0", "client": {"name": "terminal (0000)"}}  # a name that is not its own
MAX_TRIES = 3  # proofs, until the connection is closed


class OuterVisitor:
    """A browser at another machine that came by a link."""

    def __init__(self, link: str) -> None:
        self._place = urlsplit(link)
        self._origin = f"https://{self._place.netloc}"
        token = self._place.fragment.removeprefix("token=")
        answer = self._post("/signin", msgspec.json.encode({"token": token}))
        self.is_in = answer.status == 200
        self._cookie = answer.find("set-cookie").partition(";")[0]
        self._key = msgspec.json.decode(answer.body, type=SignedIn).key if self.is_in else ""
        self._next_id = 0

    def _connect(self) -> socket.socket:
        """To the address of the link, which is our own; the certificate may name another."""
        context = ssl.create_default_context()
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        plain = socket.create_connection((self._place.hostname, self._place.port), TIMEOUT_S)
        return context.wrap_socket(plain, server_hostname=self._place.hostname)

    def call_route(self, path: str) -> int:
        """With all that it has; the status."""
        answer = self._post(path, b"{}", {"Cookie": self._cookie, KEY_HEADER: self._key})
        return int(answer.status)

    def _post(self, path: str, body: bytes, keys: Mapping[str, str] = {}) -> Any:
        headers = {
            "Host": self._place.netloc,
            "Origin": self._origin,
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            **keys,
        }
        return ask(self._connect(), make_request("POST", path, headers.items(), body))

    def open_socket(self) -> RawWebSocket:
        headers = {
            "Host": self._place.netloc,
            "Origin": self._origin,
            "Cookie": self._cookie,
            "Sec-WebSocket-Protocol": f"{PROTOCOL}, {KEY_PROTOCOL}{self._key}",
        }
        opened = RawWebSocket(self._connect(), headers)
        self.call(opened, "initialize", HELLO)
        return opened

    def call(self, opened: RawWebSocket, method: str, params: object) -> dict[str, Any]:
        """Its reply; empty where the connection was closed instead."""
        self._next_id += 1
        frame = {"jsonrpc": "2.0", "id": self._next_id, "method": method, "params": params}
        opened.send(TEXT, msgspec.json.encode(frame))
        while True:
            opcode, said = opened.receive()
            if opcode == CLOSE:
                return {}
            reply: dict[str, Any] = msgspec.json.decode(said) if opcode == TEXT else {}
            if reply.get("id") == self._next_id:
                return reply


def inspect_outside(link: str, look_link: str) -> Iterator[Verdict]:
    visitor, looker = OuterVisitor(link), OuterVisitor(look_link)
    if not (visitor.is_in and looker.is_in):
        yield Verdict("a link lets a browser in at the outer door", "control", 2, ("it did not",))
        return
    barred = tuple(_find_unbarred(visitor, BARRED))
    yield Verdict(
        "other machines can't answer, send orders, manage or use panes", INCIDENT, len(BARRED), barred
    )
    looking = tuple(_find_unbarred(looker, LOOK_ONLY))
    yield Verdict("a link for looking does nothing else", INCIDENT, len(LOOK_ONLY), looking)
    loosened = tuple(_find_loosened(visitor))
    yield Verdict("other machines loosen no setting", INCIDENT, len(LOOSENED), loosened)
    routes = tuple(_find_open_routes(visitor))
    yield Verdict("other machines make no link and stop nothing", INCIDENT, len(FOR_PROGRAMS_ONLY), routes)
    forged = tuple(_find_believed(visitor))
    yield Verdict("a forged device is not believed", INCIDENT, MAX_TRIES, forged)


def _find_unbarred(visitor: OuterVisitor, methods: tuple[str, ...]) -> Iterator[str]:
    with visitor.open_socket() as opened:
        for method in methods:
            yield from _find_done(method, visitor.call(opened, method, {}))


def _find_loosened(visitor: OuterVisitor) -> Iterator[str]:
    with visitor.open_socket() as opened:
        for key, value in LOOSENED.items():
            wish = {"key": key, "value": value, "scope": "user"}
            yield from _find_done(key, visitor.call(opened, "settings.set", wish))


def _find_done(what: str, reply: dict[str, Any]) -> Iterator[str]:
    if reply.get("error", {}).get("code") != NOT_ALLOWED:
        yield f"{what} was answered with {str(reply)[:100]}"


def _find_open_routes(visitor: OuterVisitor) -> Iterator[str]:
    for path in FOR_PROGRAMS_ONLY:
        if (status := visitor.call_route(path)) != 403:
            yield f"POST {path} answered {status}"


def _find_believed(visitor: OuterVisitor) -> Iterator[str]:
    reply: dict[str, Any] = {}
    with visitor.open_socket() as opened:
        for _ in range(MAX_TRIES):
            visitor.call(opened, "device.challenge", {})
            signature = base64.b64encode(secrets.token_bytes(64)).decode()
            reply = visitor.call(opened, "device.prove", {**MADE_UP, "signature": signature})
            if "result" in reply:
                yield f"a made-up device was believed: {str(reply)[:100]}"
        if reply:
            yield "somebody who goes on forging stays connected"
