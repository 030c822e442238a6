"""The table of attacks that every route must refuse: each is an honest request with one thing wrong."""

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from bascule.serve.rules import MAX_BODY, MAX_HEADERS

By = Literal["nobody", "browser", "bearer"]
On = Literal["all", "writes", "upgrades", "writes and upgrades", "requests"]

LISTENS = "localhost taken for safe"
ANY_ORIGIN = "CVE-2025-52882, CVE-2026-44211"
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
        for by in ("browser", "bearer"):
            yield Attack(
                name=f"Host: {name} ({by})",
                incident=REBINDING,
                by=by,
                changes={"Host": host, "Origin": None if by == "bearer" else "http://" + host},
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
        name="Origin: another site (bearer)",
        incident=ANY_ORIGIN,
        by="bearer",
        changes={"Origin": "http://evil.test"},
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
        "a wrong bearer token": {"Authorization": "Bearer " + "A" * 43},
        "the beginning of the bearer token": {"Authorization": "Bearer {bearer_cut}"},
        "an empty bearer token": {"Authorization": "Bearer "},
        "the bearer token by another scheme": {"Authorization": "Basic {bearer}"},
        "a wrong cookie": {"Cookie": "bascule_{port}=" + "A" * 43},
        "an empty cookie": {"Cookie": "bascule_{port}="},
        "the bearer token as a cookie": {"Cookie": "bascule_{port}={bearer}"},
        "the cookie as a bearer token": {"Authorization": "Bearer {cookie_value}"},
    }
    yield Attack(name="no key", incident=NO_AUTH, by="nobody", refused_with=no_key)
    yield Attack(
        name="no key, not from a browser",
        incident=NO_AUTH,
        by="nobody",
        changes={"Origin": None, "Sec-Fetch-Site": None},
        refused_with=frozenset({401, 403}),
    )
    for name, changes in wrong.items():
        yield Attack(name=name, incident=NO_AUTH, by="nobody", changes=changes, refused_with=no_key)
    yield Attack(
        name="a wrong bearer token beside a right cookie",
        incident=NO_AUTH,
        changes={"Authorization": "Bearer " + "A" * 43},
        refused_with=no_key,
    )
    yield Attack(
        name="the bearer token in the URL",
        incident="CVE-2026-25253",
        by="nobody",
        query="?token={bearer}",
        refused_with=no_key,
    )


def _contents() -> Iterator[Attack]:
    kinds = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]
    for kind in [*kinds, "text/plain; application/json", "application/jsonp", None]:
        for by in ("browser", "bearer"):
            yield Attack(
                name=f"Content-Type: {kind or 'none'} ({by})",
                incident=SIMPLE_REQUEST,
                by=by,
                changes={"Content-Type": kind},
                on="writes",
                refused_with=frozenset({415}),
            )


def _methods() -> Iterator[Attack]:
    for method in ("TRACE", "CONNECT", "PUT", "DELETE", "PATCH", "PROPFIND"):
        yield Attack(
            name=method,
            incident=LISTENS,
            by="bearer",
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
        by="bearer",
        changes={"Content-Length": str(MAX_BODY + 1)},
        on="writes",
        refused_with=frozenset({413}),
    )
    yield Attack(
        name="a length without end",
        incident=FLOOD,
        by="bearer",
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
    *_hosts(),
    *_origins(),
    *_sites(),
    *_contents(),
    *_methods(),
    *_miscounted(),
    *_oversized(),
)
