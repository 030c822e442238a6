"""The gate: every request and every upgrade passes it, whatever the route; there is no way around."""

import asyncio
import logging
from collections.abc import Iterable
from urllib.parse import parse_qs, quote

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bascule.serve.keys import Keys, Link, Pass
from bascule.serve.rules import (
    AFTER_THE_KEY,
    BEFORE_THE_KEY,
    MAX_BODY,
    Door,
    Head,
    Refusal,
    find_refusal,
    parse_cookies,
)

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

log = logging.getLogger("bascule.http")


class Gate:
    """Wrapped around the whole application."""

    def __init__(self, app: ASGIApp, *, keys: Keys, door: Door, cookie: str) -> None:
        self._app = app
        self._keys = keys
        self._door = door
        self._cookie = cookie

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        visit = _Visit(scope, receive, send)
        refusal = find_refusal(BEFORE_THE_KEY, visit.head, self._door)
        if refusal is not None:
            return await visit.refuse(refusal)
        token = _find_link(visit.head, scope)
        who = self._find_pass(visit.head)
        link = self._keys.spend(token) if token is not None else None
        if link is not None or (token is not None and who is not None):
            return await self._let_in(visit, who, link)
        if who is None:
            return await visit.refuse(NEEDS_A_KEY)
        visit.who = who.name
        refusal = find_refusal(AFTER_THE_KEY, visit.head, self._door)
        if refusal is not None:
            return await visit.refuse(refusal)
        scope[PASS] = who
        return await visit.pass_on(self._app)

    def _find_pass(self, head: Head) -> Pass | None:
        bearer = head.find("authorization")
        if bearer is not None:  # who shows a wrong token is not asked for a cookie
            scheme, _, token = bearer.partition(" ")
            return self._keys.find_bearer(token) if scheme.lower() == "bearer" else None
        cookie = parse_cookies(head.find("cookie") or "").get(self._cookie)
        return self._keys.find_browser(cookie) if cookie else None

    async def _let_in(self, visit: "_Visit", who: Pass | None, link: Link | None) -> None:
        """From the link to a page whose address holds no secret, only the folder to work in."""
        place = f"/#workspace={quote(link.workspace)}" if link is not None and link.workspace else "/"
        headers = [(b"location", place.encode())]
        if who is None:
            browser = self._keys.admit_browser()
            log.warning("%s came in by a link", browser.name)
            headers.append((b"set-cookie", self._bake(browser).encode()))
        await visit.answer(303, b"", headers)

    def _bake(self, browser: Pass) -> str:
        secure = "; Secure" if self._door.scheme == "https" else ""
        return f"{self._cookie}={browser.secret}; Path=/; HttpOnly; SameSite=Strict{secure}"


def _find_link(head: Head, scope: Scope) -> str | None:
    """Only a person's own navigation may spend one, not a browser that looks ahead."""
    if (head.kind, head.method, head.path) != ("http", "GET", "/") or head.find("sec-purpose"):
        return None
    try:
        given = parse_qs(scope["query_string"].decode("ascii"), max_num_fields=4).get("token", [])
    except ValueError:
        return None
    return given[0] if len(given) == 1 else None


class _Visit:
    """One request on its way: what it says, and how it is answered and logged."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.head = Head(
            scope["type"],
            scope.get("method", "GET"),
            scope["path"],
            tuple(
                (key.decode("latin-1").lower(), value.decode("latin-1")) for key, value in scope["headers"]
            ),
        )
        self.who = "nobody"
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

    async def pass_on(self, app: ASGIApp) -> None:
        receive = self._receive
        if self.head.kind == "http":
            body = await self._read_body()
            if isinstance(body, Refusal):
                return await self.refuse(body)
            receive = _replay(body, self._receive)
        return await app(self._scope, receive, self._guarded_send)

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
        client = ":".join(str(part) for part in self._scope.get("client") or ("?",))
        method = "WEBSOCKET" if self.head.kind == "websocket" else self.head.method
        log.info("%s (%s) %s %s -> %s", client, self.who, method, self.head.path[:200], answer)


def _guard(headers: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """What the application said, without a word to other origins, and with ours on every response."""
    headers = list(headers)
    ours = {name.encode(): value.encode() for name, value in SECURITY_HEADERS.items()}
    if (POLICY, FILE_POLICY.encode()) in headers:
        ours[POLICY] = FILE_POLICY.encode()
    told = [
        (name.lower(), value)
        for name, value in headers
        if name.lower() not in ours and not name.lower().startswith(b"access-control-")
    ]
    kept = [] if any(name == b"cache-control" for name, _ in told) else [(b"cache-control", b"no-store")]
    return [*told, *kept, *ours.items()]


def _replay(body: bytes, receive: Receive) -> Receive:
    """The body that was read at the gate, once; afterwards what really comes."""
    left = [body]

    async def give() -> Message:
        if left:
            return {"type": "http.request", "body": left.pop(), "more_body": False}
        return await receive()

    return give
