"""The gates: every request and every upgrade passes one, whatever the route; there is no way around."""

import asyncio
import logging
from collections.abc import Iterable
from typing import NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bascule.host.clock import now_ms
from bascule.host.network.connections import VISITOR, Visitor
from bascule.serve.keys import Keys, Pass
from bascule.serve.rules import (
    AFTER_THE_KEY,
    BEFORE_THE_KEY,
    LOCAL_DOOR,
    MAX_BODY,
    Door,
    Refusal,
    RequestHead,
    find_key,
    find_need,
    find_refusal,
    parse_cookies,
    read_scope,
)
from bascule.serve.slow_down import SlowDown

BODY_TIMEOUT_S = 10.0
PASS = "bascule.pass"  # in the scope: how this one came in  # noqa: S105

CONTENT_SECURITY_POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types solid-template dompurify",  # the page's own templates, and sanitised Markdown
    ]
)
# Of a file: it is shown or kept, and whatever it holds runs nowhere. A response may say this instead.
FILE_POLICY = "sandbox; default-src 'none'"
SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
POLICY = b"content-security-policy"
NEEDS_A_KEY = Refusal(401, "This needs a key. `bascule up` prints a link that opens it.")
TOO_LARGE = Refusal(413, f"A body has at most {MAX_BODY} bytes here.")
TOO_SLOW = Refusal(408, "The body did not come in time.")
TOO_MANY = Refusal(503, "Too many connections are open with this pass. Close one and try again.")

log = logging.getLogger("bascule.http")


class ShownPass(NamedTuple):
    """What a request shows of itself."""

    who: Pass | None
    is_wrong: bool = False  # it shows a credential, and not a right one
    is_known: bool = True  # all that such a pass takes; a cookie alone is not, and goes first when it is full


class Gate:
    """Wrapped around the whole application, where browsers and other machines come in."""

    def __init__(self, app: ASGIApp, *, keys: Keys, door: Door, cookie: str, slowing: SlowDown) -> None:
        self._app = app
        self._keys = keys
        self._door = door
        self._cookie = cookie
        self._slowing = slowing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = GatedRequest(scope, receive, send)
        refusal = find_refusal(BEFORE_THE_KEY, visit.head, self._door)
        if refusal is not None:
            return await visit.refuse(refusal)
        shown = self._look_at(visit.head)
        if shown.is_wrong:
            await asyncio.sleep(self._slowing.miss(visit.visitor.source))
        if shown.who is None and (shown.is_wrong or find_need(visit.head) != "nothing"):
            return await visit.refuse(NEEDS_A_KEY)
        return await admit(visit, shown, self._door, self._app)

    def _look_at(self, head: RequestHead) -> ShownPass:
        bearer = head.find("authorization")
        if bearer is not None:  # who shows a wrong credential is not asked for a cookie
            scheme, _, token = bearer.partition(" ")
            who = self._keys.find_bearer(token) if scheme.lower() == "bearer" else None
            return ShownPass(who, is_wrong=who is None)
        cookie = parse_cookies(head.find("cookie") or "").get(self._cookie, "")
        key = find_key(head)
        need = find_need(head)
        if need == "nothing":
            return ShownPass(None)
        if need == "cookie":
            return ShownPass(self._keys.find_cookie(cookie), is_known=False)
        who = self._keys.find_browser(cookie, key)
        return ShownPass(who, is_wrong=who is None and bool(key))


class LocalGate:
    """Around the application on the local socket: the system has said which process it is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = GatedRequest(scope, receive, send)
        refusal = find_refusal(BEFORE_THE_KEY, visit.head, LOCAL_DOOR)
        if refusal is not None:
            return await visit.refuse(refusal)
        pid = visit.visitor.pid
        shown = ShownPass(Pass("process", f"pid {pid}", pid=pid))
        return await admit(visit, shown, LOCAL_DOOR, self._app)


async def admit(visit: "GatedRequest", shown: ShownPass, door: Door, app: ASGIApp) -> None:
    """On to the application, which finds the pass in the scope."""
    who = shown.who
    if who is not None:
        visit.who = who.name
        who.seen_at_ms = now_ms()
        wanted = read_scope(visit.head)
        if isinstance(wanted, Refusal):
            return await visit.refuse(wanted)
        if shown.is_known and not visit.visitor.know(who.name):
            return await visit.refuse(TOO_MANY)
        who = who if wanted == "full" else who.narrowed(wanted)
    refusal = find_refusal(AFTER_THE_KEY, visit.head, door)
    if refusal is not None:
        return await visit.refuse(refusal)
    return await visit.pass_on(app, who)


class GatedRequest:
    """One request on its way: what it says, and how it is answered and logged."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.head = RequestHead(
            scope["type"],
            scope.get("method", "GET"),
            scope["path"],
            tuple(
                (key.decode("latin-1").lower(), value.decode("latin-1")) for key, value in scope["headers"]
            ),
        )
        self.who = "nobody"
        self.visitor: Visitor = scope[VISITOR]
        self._scope = scope
        self._receive = receive
        self._send = send

    async def refuse(self, refusal: Refusal) -> None:
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
        if refusal.status == 401:
            headers.append((b"www-authenticate", b"Bearer"))
        await self.answer(refusal.status, f"{refusal.why}\n".encode(), headers)

    async def answer(self, status: int, body: bytes, headers: Iterable[tuple[bytes, bytes]]) -> None:
        prefix = "websocket.http" if self.head.kind == "websocket" else "http"
        length = (b"content-length", str(len(body)).encode())
        start = {"type": f"{prefix}.response.start", "status": status, "headers": [*headers, length]}
        await self._guarded_send(start)
        await self._guarded_send({"type": f"{prefix}.response.body", "body": body})

    async def pass_on(self, app: ASGIApp, who: Pass | None) -> None:
        receive = self._receive
        if self.head.kind == "http":
            body = await self._read_body()
            if isinstance(body, Refusal):
                return await self.refuse(body)
            receive = _replay(body, self._receive)
        return await app({**self._scope, PASS: who}, receive, self._guarded_send)

    async def _read_body(self) -> bytes | Refusal:
        body = bytearray()
        try:
            async with asyncio.timeout(BODY_TIMEOUT_S):
                while True:
                    message = await self._receive()
                    body += message.get("body", b"")
                    if len(body) > MAX_BODY:
                        return TOO_LARGE
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            return TOO_SLOW

    async def _guarded_send(self, message: Message) -> None:
        if message["type"] in ("http.response.start", "websocket.http.response.start"):
            message = {**message, "headers": _guard(message.get("headers", ()))}
            self._log(str(message["status"]))
        elif message["type"] == "websocket.accept":
            self._log("101")
        await self._send(message)

    def _log(self, answer: str) -> None:
        """Who, what, answer; never the query, which may hold a link."""
        client = ":".join(str(part) for part in self._scope.get("client") or ("socket",))
        method = "WEBSOCKET" if self.head.kind == "websocket" else self.head.method
        log.info("%s (%s) %s %s -> %s", client, self.who, method, self.head.path[:200], answer)


def _guard(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """What the application said, without a word to other origins, and with ours on every response."""
    headers = list(headers)
    ours = {name.encode(): value.encode() for name, value in SECURITY_HEADERS.items()}
    if (POLICY, FILE_POLICY.encode()) in headers:
        ours[POLICY] = FILE_POLICY.encode()
    headers = [
        (name.lower(), value)
        for name, value in headers
        if name.lower() not in ours and not name.lower().startswith(b"access-control-")
    ]
    kept = [] if any(name == b"cache-control" for name, _ in headers) else [(b"cache-control", b"no-store")]
    return [*headers, *kept, *ours.items()]


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body that was read at the gate, once; afterwards what really comes."""
    left = [body]

    async def give() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return give
