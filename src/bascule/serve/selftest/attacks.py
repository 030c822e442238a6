"""The table of attacks that every route must refuse: each is an honest request with one thing wrong."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from bascule.serve.rules import MAX_BODY, MAX_HEADERS

By = Literal["nobody", "browser", "cookie", "key"]  # a cookie or a key is half of what a browser has
On = Literal[
    "all",
    "writes",
    "upgrades",
    "writes and upgrades",
    "requests",
    "guarded",  # all but the page's own files
    "keyed",  # what takes a cookie and a key
    "keyed requests",
]

LISTENS = "localhost taken for safe"
ANY_ORIGIN = "CVE-2025-52882, CVE-2026-44211"
EVERY_PORT = "cookies know no ports"
NO_AUTH = "CVE-2025-49596, CVE-2026-22812"
REBINDING = "CVE-2025-59956, CVE-2025-66414"
SIMPLE_REQUEST = "simple-request CSRF"
CORS = "CVE-2026-22812"
SMUGGLING = "request smuggling"
FLOOD = "exhaustion"


class Attack(Struct, frozen=True, kw_only=True):
    name: str
    incident: str
    by: By = "browser"
    changes: Mapping[str, str | None] = {}  # of headers; None takes one away
    key: str | None = None  # instead of the page's
    method: str = ""  # instead of the route's
    query: str = ""
    version: str = "HTTP/1.1"
    extra: tuple[tuple[str, str], ...] = ()  # headers that come as well, even twice
    on: On = "all"
    refused_with: frozenset[int] = frozenset({403})


def _hosts() -> Iterator[Attack]:
    names = {
        "a name that was rebound to us": "evil.test:{port}",
        "a name without a port": "evil.test",
        "our address without its port": "127.0.0.1",
        "our address with another port": "127.0.0.1:1",
        "every address at once": "0.0.0.0:{port}",
        "every IPv6 address at once": "[::]:{port}",
        "[::1], where we do not listen": "[::1]:{port}",
        "localhost with a dot": "localhost.:{port}",
        "our address with a dot": "127.0.0.1.:{port}",
        "a name that begins like ours": "127.0.0.1.evil.test:{port}",
        "a name that ends like ours": "evil-localhost:{port}",
        "our address in another spelling": "127.1:{port}",
        "our address as a number": "2130706433:{port}",
        "a user before the host": "evil@127.0.0.1:{port}",
        "two hosts in one header": "127.0.0.1:{port}, evil.test",
        "an empty host": "",
    }
    for name, host in names.items():
        for origin in ("http://" + host, None):
            yield Attack(
                name=f"Host: {name}{'' if origin else ', no origin'}",
                incident=REBINDING,
                changes={"Host": host, "Origin": origin},
                refused_with=frozenset({421, 400}),
            )


def _origins() -> Iterator[Attack]:
    origins = {
        "another site": "http://evil.test",
        "null": "null",
        "an empty one": "",
        "another port of this machine": "http://127.0.0.1:1",
        "our host without its port": "http://127.0.0.1",
        "our host over TLS": "https://127.0.0.1:{port}",
        "our other name": "http://localhost:{port}",
        "a name that begins like ours": "http://127.0.0.1:{port}.evil.test",
        "a file": "file://",
        "an extension": "chrome-extension://abcdefghijklmnop",
    }
    for name, origin in origins.items():
        yield Attack(name=f"Origin: {name} (browser)", incident=ANY_ORIGIN, changes={"Origin": origin})
    yield Attack(
        name="Origin: another site (with a credential)",
        incident=ANY_ORIGIN,
        by="nobody",
        changes={"Origin": "http://evil.test", "Authorization": "Bearer " + "A" * 43},
    )
    yield Attack(
        name="Origin: none (browser)",
        incident=ANY_ORIGIN,
        changes={"Origin": None},
        on="writes and upgrades",
    )


def _sites() -> Iterator[Attack]:
    for site in ("cross-site", "same-site", "unheard-of"):
        yield Attack(
            name=f"Sec-Fetch-Site: {site}", incident=SIMPLE_REQUEST, changes={"Sec-Fetch-Site": site}
        )


def _keys() -> Iterator[Attack]:
    no_key = frozenset({401})
    wrong = {
        "a made-up bearer token": {"Authorization": "Bearer " + "A" * 43},
        "an empty bearer token": {"Authorization": "Bearer "},
        "the cookie as a bearer token": {"Authorization": "Bearer {cookie_value}"},
        "the page's key as a bearer token": {"Authorization": "Bearer {key}"},
        "the page's key by another scheme": {"Authorization": "Basic {key}"},
        "a wrong cookie": {"Cookie": "bascule_{port}=" + "A" * 43},
        "an empty cookie": {"Cookie": "bascule_{port}="},
        "the page's key as a cookie": {"Cookie": "bascule_{port}={key}"},
    }
    yield Attack(name="no key", incident=NO_AUTH, by="nobody", on="guarded", refused_with=no_key)
    yield Attack(
        name="no key, not from a browser",
        incident=NO_AUTH,
        by="nobody",
        changes={"Origin": None, "Sec-Fetch-Site": None},
        on="guarded",
        refused_with=frozenset({401, 403}),
    )
    for name, changes in wrong.items():
        yield Attack(
            name=name, incident=NO_AUTH, by="nobody", changes=changes, on="guarded", refused_with=no_key
        )
    yield Attack(
        name="a made-up bearer token beside a right cookie and key",
        incident=NO_AUTH,
        changes={"Authorization": "Bearer " + "A" * 43},
        refused_with=no_key,
    )


def _halves() -> Iterator[Attack]:
    """Another server on 127.0.0.1 gets the cookie from the browser, and can send any header itself."""
    no_key = frozenset({401})
    halves: dict[str, tuple[By, str | None]] = {
        "the cookie alone, from our own origin": ("cookie", None),
        "the cookie with a made-up key": ("cookie", "A" * 43),
        "the cookie with an empty key": ("cookie", ""),
        "the cookie as its own key": ("cookie", "{cookie_value}"),
        "the page's key alone": ("key", None),
    }
    for name, (by, key) in halves.items():
        yield Attack(name=name, incident=EVERY_PORT, by=by, key=key, on="keyed", refused_with=no_key)
    yield Attack(
        name="the cookie and the page's key in the URL",
        incident="CVE-2026-25253",
        by="cookie",
        query="?key={key}&token={key}",
        on="keyed",
        refused_with=no_key,
    )
    yield Attack(
        name="the cookie and the page's key as a protocol, without an upgrade",
        incident=EVERY_PORT,
        by="cookie",
        extra=(("Sec-WebSocket-Protocol", "bascule, bascule.key.{key}"),),
        on="keyed requests",
        refused_with=no_key,
    )
    yield Attack(
        name="the cookie and the page's key as a header of an upgrade",
        incident=EVERY_PORT,
        by="cookie",
        extra=(("X-Bascule-Key", "{key}"),),
        on="upgrades",
        refused_with=no_key,
    )


def _contents() -> Iterator[Attack]:
    kinds = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    for kind in [*kinds, "text/plain; application/json", "application/jsonp", None]:
        yield Attack(
            name=f"Content-Type: {kind or 'none'}",
            incident=SIMPLE_REQUEST,
            changes={"Content-Type": kind},
            on="writes",
            refused_with=frozenset({415}),
        )


def _methods() -> Iterator[Attack]:
    for method in ("TRACE", "CONNECT", "PUT", "DELETE", "PATCH", "PROPFIND"):
        yield Attack(
            name=method,
            incident=LISTENS,
            method=method,
            on="requests",
            refused_with=frozenset({405, 400}),
        )
    yield Attack(
        name="a CORS preflight",
        incident=CORS,
        method="OPTIONS",
        changes={"Origin": "http://evil.test"},
        extra=(("Access-Control-Request-Method", "POST"), ("Access-Control-Request-Private-Network", "true")),
        on="requests",
        refused_with=frozenset({405, 403}),
    )
    yield Attack(
        name="OPTIONS from our own page",
        incident=CORS,
        method="OPTIONS",
        on="requests",
        refused_with=frozenset({405}),
    )


def _miscounted() -> Iterator[Attack]:
    """Headers that are to be there exactly once; of two, two readers could each believe another one."""
    yield Attack(
        name="two Host headers",
        incident=REBINDING,
        extra=(("Host", "evil.test"),),
        refused_with=frozenset({400}),
    )
    yield Attack(
        name="no Host header",
        incident=REBINDING,
        changes={"Host": None},
        version="HTTP/1.0",
        on="requests",
        refused_with=frozenset({421}),
    )
    yield Attack(
        name="two Origin headers",
        incident=ANY_ORIGIN,
        extra=(("Origin", "http://evil.test"),),
        refused_with=frozenset({400}),
    )
    yield Attack(
        name="two lengths",
        incident=SMUGGLING,
        extra=(("Content-Length", "5"), ("Content-Length", "6")),
        on="requests",
        refused_with=frozenset({400}),
    )


def _oversized() -> Iterator[Attack]:
    yield Attack(
        name="a body that is too large",
        incident=FLOOD,
        changes={"Content-Length": str(MAX_BODY + 1)},
        on="writes",
        refused_with=frozenset({413}),
    )
    yield Attack(
        name="a length without end",
        incident=FLOOD,
        changes={"Content-Length": "9" * 19},
        on="writes",
        refused_with=frozenset({413, 400}),
    )
    yield Attack(
        name="too many headers",
        incident=FLOOD,
        extra=tuple((f"X-{n}", "x") for n in range(MAX_HEADERS + 1)),
        refused_with=frozenset({431}),
    )
    yield Attack(
        name="a header that is too large",
        incident=FLOOD,
        extra=(("X-Long", "x" * 12_000),),
        refused_with=frozenset({431, 400}),
    )
    yield Attack(
        name="a head without end",
        incident=FLOOD,
        extra=(("X-Long", "x" * 100_000),),
        refused_with=frozenset({400, 431, 0}),
    )


ATTACKS: tuple[Attack, ...] = (
    *_keys(),
    *_halves(),
    *_hosts(),
    *_origins(),
    *_sites(),
    *_contents(),
    *_methods(),
    *_miscounted(),
    *_oversized(),
)
