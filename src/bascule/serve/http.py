"""The routes: a page, a status, one WebSocket, and what `bascule up` and `bascule down` ask for."""

import asyncio
import functools
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from urllib.parse import unquote

import msgspec
from msgspec import Struct
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from bascule.core.faults import UserError
from bascule.daemon.files.file_links import FileLinks
from bascule.daemon.surfaces.surfaces import Surfaces
from bascule.host.files.built_page import INDEX, read_page
from bascule.host.network.connections import VISITOR
from bascule.host.network.registration import WORKSPACE_HEADER
from bascule.model.consent.origin import Door, Origin
from bascule.model.protocol.sessions import DaemonNotice
from bascule.serve.auth import PASS, Gate, LocalGate
from bascule.serve.files import answer_file
from bascule.serve.keys import Keys, Pass
from bascule.serve.rules import PROTOCOL, make_door
from bascule.serve.slow_down import SlowDown
from bascule.serve.websocket import attend

MAX_SURFACES = 192  # connected at once over this door; the limits of its listener say how many of one source
CLOSE_S = 2.0

log = logging.getLogger("bascule.http")

Handler = Callable[["Front", Request], Awaitable[Response]]


class RouteInfo(Struct, frozen=True):
    path: str
    methods: tuple[str, ...]
    websocket: bool = False


class StatusReport(Struct, frozen=True, kw_only=True):
    """What `GET /status` says."""

    version: str
    pid: int
    started_at: str
    surfaces: int
    sessions: Mapping[str, int]  # how many in each status
    routes: tuple[RouteInfo, ...]
    outside: str = ""  # address of the door for other machines; empty: there is none
    relay: str = ""  # how the bridge to a relay stands; empty: none was joined
    notices: tuple[DaemonNotice, ...] = ()  # what is wrong with the daemon now


class LinkReport(Struct, frozen=True):
    """What `POST /link` says: where a browser gets in, once."""

    url: str


class SignIn(Struct, frozen=True):
    """What `POST /signin` takes: what the link held."""

    token: str


class SignedIn(Struct, frozen=True):
    """What the page keeps. Its cookie comes with it, and neither is worth anything without the other."""

    key: str
    workspace: str


class Front:
    """The application behind one door."""

    def __init__(
        self,
        *,
        surfaces: Surfaces,
        file_links: FileLinks,
        keys: Keys,
        report: Callable[[tuple[RouteInfo, ...]], StatusReport],
        new_link: Callable[[str], Awaitable[str]],
        note_pass: Callable[[Origin, str], Awaitable[None]],
        asked_to_stop: asyncio.Event,
        leaving: asyncio.Event,
        is_outside: bool = False,
        start_command: str = "",
    ) -> None:
        self.surfaces = surfaces
        self.file_links = file_links
        self.keys = keys
        self.report = report
        self.new_link = new_link
        self._note_pass = note_pass
        self.slowing = SlowDown(now_s=time.monotonic)
        self.cookie = ""
        self.is_secure = False
        self.asked_to_stop = asked_to_stop
        self.page = read_page(start_command=start_command)
        self._leaving = leaving
        self.is_outside = is_outside
        self._connected: set[WebSocket] = set()
        self._empty = asyncio.Event()
        self._empty.set()
        self.app = Starlette(routes=[*map(self._route, ROUTES), WebSocketRoute("/ws", self._connect)])
        self.app.router.redirect_slashes = False

    def _route(self, row: "Row") -> Route:
        return Route(row.path, functools.partial(row.handler, self), methods=[row.method])

    def behind_gate(self, scheme: str, names: tuple[str, ...], port: int) -> Gate:
        """What is served: all of it with the gate around it."""
        self.cookie = f"bascule_{port}"  # cookies know no ports: the demo's daemon has another name than ours
        self.is_secure = scheme == "https"
        door = make_door(scheme, names, port)
        return Gate(self.app, keys=self.keys, door=door, cookie=self.cookie, slowing=self.slowing)

    def behind_local_gate(self) -> LocalGate:
        """For the local socket."""
        return LocalGate(self.app)

    async def _connect(self, socket: WebSocket) -> None:
        if len(self._connected) >= MAX_SURFACES or self._leaving.is_set():
            return await socket.send_denial_response(_say(503, "No more surfaces can connect now."))
        with self._attach(socket):
            await socket.accept(PROTOCOL if PROTOCOL in socket.scope["subprotocols"] else None)
            workspace = unquote(socket.headers.get(WORKSPACE_HEADER, ""))
            who: Pass = socket.scope[PASS]
            origin = self._find_origin(who, socket.headers.get("host", "").lower())
            surface = self.surfaces.connect(origin, workspace=workspace)
            return await attend(socket, surface, revoked=who.revoked, stopping=self._leaving)

    def _find_origin(self, who: Pass, host: str = "") -> Origin:
        return Origin(
            door=self._find_door(who),
            scope=who.scope,
            credential=who.name,
            host=host if self.is_outside else "",
            pid=who.pid,
        )

    async def note(self, who: Pass, asked: str) -> None:
        """That a pass began or ended, for the record."""
        await self._note_pass(self._find_origin(who), asked)

    def _find_door(self, who: Pass) -> Door:
        if self.is_outside:
            return "outside"
        return "page" if who.kind == "browser" else "terminal"

    @contextmanager
    def _attach(self, socket: WebSocket) -> Iterator[None]:
        self._connected.add(socket)
        self._empty.clear()
        try:
            yield
        finally:
            self._connected.discard(socket)
            if not self._connected:
                self._empty.set()

    async def close_sockets(self) -> None:
        """Every surface hears that we go, and none can come any more."""
        self._leaving.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_S):
                await self._empty.wait()


async def _page(front: Front, request: Request) -> Response:
    """`/` is the page; its parts are found by name, and nothing else is."""
    sheet = front.page.get(request.url.path.lstrip("/") or INDEX)
    if sheet is None:
        return _say(404, "This part of the page wasn't found. Reload the page: it may have been updated.")
    body, headers = sheet.fit(request.headers.get("accept-encoding", ""))
    return Response(body, media_type=sheet.media_type, headers=headers)


async def _status(front: Front, _request: Request) -> Response:
    return _json(front.report(describe_routes(front.app)))


async def _file(front: Front, request: Request) -> Response:
    return await answer_file(front.file_links, request.path_params["id"])


async def _link(front: Front, request: Request) -> Response:
    """On the local socket this opens the door for browsers, where nobody has asked for it before."""
    refused = _for_programs_here(front, request)
    if refused is not None:
        return refused
    named = unquote(request.headers.get(WORKSPACE_HEADER, ""))
    try:
        return _json(LinkReport(await front.new_link(front.surfaces.open_folder(named))))
    except UserError as fault:
        return _say(503, str(fault))


async def _shutdown(front: Front, request: Request) -> Response:
    refused = _for_programs_here(front, request)
    if refused is None:
        front.asked_to_stop.set()
    return refused or _say(202, "Stopping.")


async def _sign_in(front: Front, request: Request) -> Response:
    """From a link to a cookie and a key. A browser that is in with the same scope keeps its pass, so that its
    other tabs go on; a link of another scope never gives that pass's key away."""
    try:
        link = front.keys.spend(msgspec.json.decode(await request.body(), type=SignIn).token)
    except (msgspec.DecodeError, UnicodeDecodeError):
        link = None
    if link is None:
        await asyncio.sleep(front.slowing.miss(request.scope[VISITOR].source))
        return _say(401, "This link was used or is older than five minutes. `bascule up` prints a new one.")
    known = front.keys.find_cookie(request.cookies.get(front.cookie, ""))
    if known is not None and known.scope != link.scope:
        known = None  # a pass of its own
    ended = front.keys.make_room() if known is None else []
    browser = known or front.keys.admit_browser(link.scope)
    answer = _json(SignedIn(browser.key, link.workspace))
    for old in ended:
        await front.note(old, f"Sign {old.name} out: too many browsers are signed in")
    if known is None:
        log.warning("%s came in by a link", browser.name)
        await front.note(browser, f"Sign in as {browser.name}{', to look only' * (link.scope == 'look')}")
        secure = "; Secure" if front.is_secure else ""
        cookie = f"{front.cookie}={browser.secret}; Path=/; HttpOnly; SameSite=Strict{secure}"
        answer.headers["set-cookie"] = cookie
    return answer


async def _sign_out(front: Front, request: Request) -> Response:
    """This browser; what it has open is closed at once."""
    who: Pass = request.scope[PASS]
    if who.kind != "browser":
        return _say(403, "Only a browser can be signed out. `bascule down` ends everything.")
    front.keys.revoke(who)
    await front.note(who, f"Sign {who.name} out")
    return _say(200, "Signed out.")


class Row(Struct, frozen=True):
    method: str
    path: str
    handler: Handler


ROUTES = (
    Row("GET", "/", _page),
    Row("GET", "/icon.svg", _page),
    Row("GET", "/assets/{name}", _page),
    Row("GET", "/status", _status),
    Row("GET", "/files/{id}", _file),
    Row("POST", "/link", _link),
    Row("POST", "/signin", _sign_in),
    Row("POST", "/signout", _sign_out),
    Row("POST", "/shutdown", _shutdown),
)


def describe_routes(app: Starlette) -> tuple[RouteInfo, ...]:
    """From the application itself, so that one that is added cannot be forgotten."""
    return tuple(_describe(route) for route in app.routes)


def _describe(route: object) -> RouteInfo:
    if isinstance(route, WebSocketRoute):
        return RouteInfo(route.path, (), websocket=True)
    if isinstance(route, Route):
        return RouteInfo(route.path, tuple(sorted(route.methods or ())))
    raise TypeError(f"{route!r} is a kind of route that the self-test does not know; teach it first")


def _for_programs_here(front: Front, request: Request) -> Response | None:
    """Not at the outer door, whatever is shown there."""
    if front.is_outside:
        return _say(403, "This is done at the machine.")
    who: Pass = request.scope[PASS]
    return None if who.is_program else _say(403, "Only a program with all rights can request this.")


def _say(status: int, sentence: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", status)


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
