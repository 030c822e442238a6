"""GET /ops and /chat: the relay's pages. Their files need no token; all that they show and do needs one."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from bascule.host.files.built_page import FOLDER, INDEX, read_page

POLICY = "; ".join(
    [
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "font-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types solid-template",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


class RelayPage:
    """One of them, at its own path."""

    def __init__(self, path: str, index: str = INDEX) -> None:
        self._path = path
        self._index = index
        self._files = read_page(FOLDER / "operator")

    def routes(self) -> list[Route]:
        return [
            Route(self._path, self._enter, methods=["GET"]),
            Route(f"{self._path}/", self._give, methods=["GET"]),
            Route(f"{self._path}/assets/{{name}}", self._give, methods=["GET"]),
        ]

    async def _enter(self, _request: Request) -> Response:
        return RedirectResponse(f"{self._path}/", status_code=308)

    async def _give(self, request: Request) -> Response:
        file = self._files.get(request.url.path.removeprefix(f"{self._path}/") or self._index)
        if file is None:
            return PlainTextResponse("The page has no such part. Reload it.", status_code=404)
        body, headers = file.fit(request.headers.get("accept-encoding", ""))
        return Response(body, media_type=file.media_type, headers=headers | HEADERS)
