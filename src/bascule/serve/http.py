"""The routes: a page, a status, one WebSocket, and what `bascule up` and `bascule down` ask for."""

import asyncio
import functools
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

from bascule.daemon.shelf import Shelf
from bascule.daemon.surfaces import Surfaces
from bascule.host.registration import WORKSPACE_HEADER
from bascule.serve.auth import PASS, Gate
from bascule.serve.files import answer_file
from bascule.serve.keys import Keys, Pass
from bascule.serve.page import INDEX, read_page
from bascule.serve.rules import make_door
from bascule.serve.websocket import attend

MAX_SURFACES = 64  # connected at once over this door
LET_GO_S = 2.0

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


class LinkReport(Struct, frozen=True):
    """What `POST /link` says: a path that opens once."""

    path: str


class Front:
    """The application behind one door."""

    def __init__(
        self,
        *,
        surfaces: Surfaces,
        shelf: Shelf,
        keys: Keys,
        report: Callable[[tuple[RouteInfo, ...]], StatusReport],
        asked_to_stop: asyncio.Event,
        leaving: asyncio.Event,
    ) -> None:
        self.surfaces = surfaces
        self.shelf = shelf
        self.keys = keys
        self.report = report
        self.asked_to_stop = asked_to_stop
        self.page = read_page()
        self._leaving = leaving
        self._connected: set[WebSocket] = set()
        self._empty = asyncio.Event()
        self._empty.set()
        self.app = Starlette(routes=[*map(self._route, ROUTES), WebSocketRoute("/ws", self._connect)])
        self.app.router.redirect_slashes = False

    def _route(self, row: "Row") -> Route:
        return Route(row.path, functools.partial(row.handler, self), methods=[row.method])

    def behind_gate(self, scheme: str, names: tuple[str, ...], port: int) -> Gate:
        """What is served: all of it with the gate around it."""
        cookie = f"bascule_{port}"  # cookies know no ports: the demo's daemon has another name than ours
        return Gate(self.app, keys=self.keys, door=make_door(scheme, names, port), cookie=cookie)

    async def _connect(self, socket: WebSocket) -> None:
        if len(self._connected) >= MAX_SURFACES or self._leaving.is_set():
            return await socket.send_denial_response(_say(503, "No more surfaces can connect now."))
        with self._seat(socket):
            await socket.accept()
            workspace = unquote(socket.headers.get(WORKSPACE_HEADER, ""))
            surface = self.surfaces.connect(transport="websocket", workspace=workspace)
            who: Pass = socket.scope[PASS]
            return await attend(socket, surface, revoked=who.revoked, stopping=self._leaving)

    @contextmanager
    def _seat(self, socket: WebSocket) -> Iterator[None]:
        self._connected.add(socket)
        self._empty.clear()
        try:
            yield
        finally:
            self._connected.discard(socket)
            if not self._connected:
                self._empty.set()

    async def let_go(self) -> None:
        """Every surface hears that we go, and none can come any more."""
        self._leaving.set()
        with suppress(TimeoutError):
            async with asyncio.timeout(LET_GO_S):
                await self._empty.wait()


async def _page(front: Front, request: Request) -> Response:
    """`/` is the page; its parts are found by name, and nothing else is."""
    sheet = front.page.get(request.url.path.lstrip("/") or INDEX)
    if sheet is None:
        return _say(404, "The page has no such part. Reload it: there may be a newer one.")
    body, headers = sheet.fit(request.headers.get("accept-encoding", ""))
    return Response(body, media_type=sheet.media_type, headers=headers)


async def _status(front: Front, _request: Request) -> Response:
    return _json(front.report(describe_routes(front.app)))


async def _file(front: Front, request: Request) -> Response:
    return await answer_file(front.shelf, request.path_params["id"])


async def _link(front: Front, request: Request) -> Response:
    refused = _for_bearer(request)
    workspace = unquote(request.headers.get(WORKSPACE_HEADER, ""))
    return refused or _json(LinkReport(f"/?token={front.keys.new_link(workspace)}"))


async def _shutdown(front: Front, request: Request) -> Response:
    refused = _for_bearer(request)
    if refused is None:
        front.asked_to_stop.set()
    return refused or _say(202, "Stopping.")


async def _sign_out(front: Front, request: Request) -> Response:
    """This browser; what it has open is closed at once."""
    who: Pass = request.scope[PASS]
    if who.kind != "browser":
        return _say(403, "Only a browser can be signed out. `bascule down` ends everything.")
    front.keys.revoke(who)
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


def _for_bearer(request: Request) -> Response | None:
    who: Pass = request.scope[PASS]
    return None if who.kind == "bearer" else _say(403, "This takes the bearer token.")


def _say(status: int, sentence: str) -> Response:
    return PlainTextResponse(f"{sentence}\n", status)


def _json(value: object) -> Response:
    return Response(msgspec.json.encode(value), media_type="application/json")
