"""What a request must look like before anybody knows who sent it: pure checks, in order, each with its no."""

from collections.abc import Callable, Mapping
from typing import Literal, get_args

from msgspec import Struct

from bascule.host.network.registration import SCOPE_HEADER
from bascule.model.consent.origin import Scope

MAX_HEADERS = 64
MAX_HEADER = 8 * 1024
MAX_PATH = 2 * 1024
MAX_BODY = 64 * 1024  # bodies here are small; what is large travels on the WebSocket

SAFE_METHODS = {"GET", "HEAD"}
METHODS = {*SAFE_METHODS, "POST"}
# Said twice, two readers could each believe another one.
SINGLE = (
    *("host", "origin", "authorization", "cookie", "content-type", "content-length", "sec-fetch-site"),
    *("sec-fetch-mode", "sec-fetch-dest"),
    *("x-bascule-key", "x-bascule-scope", "x-bascule-workspace", "sec-websocket-protocol"),
)
KEY_HEADER = "x-bascule-key"
PROTOCOL = "bascule"  # of the WebSocket, as a page asks for it
KEY_PROTOCOL = "bascule.key."  # and behind this its key: a page can set no header on an upgrade
SAME_SITE = {"same-origin", "none"}
LOOPBACK_NAMES = ("127.0.0.1", "localhost")
DEFAULT_PORTS = {"http": 80, "https": 443}


class RequestHead(Struct, frozen=True):
    """A request without its body."""

    kind: str  # "http" or "websocket"
    method: str
    path: str  # percent signs decoded
    headers: tuple[tuple[str, str], ...]  # names in lower case

    def find(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key == name), None)


class Door(Struct, frozen=True):
    """Where we listen, as an honest request names it."""

    scheme: str
    hosts: frozenset[str]  # name and port
    for_browsers: bool = True  # a local socket is not: no page can reach it


class Refusal(Struct, frozen=True):
    status: int
    why: str  # one sentence, the same for everybody


Check = Callable[[RequestHead, Door], Refusal | None]


def make_door(scheme: str, names: tuple[str, ...], port: int) -> Door:
    hosts = {f"{name}:{port}" for name in names}
    if port == DEFAULT_PORTS[scheme]:
        hosts |= set(names)  # browsers leave it out
    return Door(scheme, frozenset(hosts))


# A local socket: who reaches it is no browser, and says this as its host.
LOCAL_DOOR = Door("http", frozenset({"localhost"}), for_browsers=False)

Need = Literal[
    "nothing",  # the page's own files, which hold no secret; and the way to get a key
    "cookie",  # a file whose name nobody can guess
    "key",  # everything else
]


def find_need(head: RequestHead) -> Need:
    """What a browser must show. What is not named here needs all there is."""
    if head.kind != "http":
        return "key"
    if head.method == "POST":
        return "nothing" if head.path == "/signin" else "key"
    if head.path in {"/", "/icon.svg"} or head.path.startswith("/assets/"):
        return "nothing"
    return "cookie" if head.path.startswith("/files/") else "key"


def find_key(head: RequestHead) -> str:
    """What only our page holds: in a header or, on an upgrade, among the protocols."""
    if head.kind != "websocket":
        return head.find(KEY_HEADER) or ""
    offered = [word.strip() for word in (head.find("sec-websocket-protocol") or "").split(",")]
    return next((word.removeprefix(KEY_PROTOCOL) for word in offered if word.startswith(KEY_PROTOCOL)), "")


def read_scope(head: RequestHead) -> "Scope | Refusal":
    """A connection may ask for less than it could have."""
    asked = head.find(SCOPE_HEADER.lower())
    if asked is None:
        return "full"
    found: Scope | None = next((scope for scope in get_args(Scope) if scope == asked), None)
    return found or Refusal(400, "There is no such scope. Use full, look or orders.")


def check_size(head: RequestHead, _door: Door) -> Refusal | None:
    fits = len(head.headers) <= MAX_HEADERS and all(
        len(key) + len(value) <= MAX_HEADER for key, value in head.headers
    )
    return None if fits else Refusal(431, "The request has too many headers, or too large ones.")


def check_single(head: RequestHead, _door: Door) -> Refusal | None:
    names = [key for key, _ in head.headers]
    twice = any(names.count(name) > 1 for name in SINGLE)
    return Refusal(400, "A header that may appear once appears twice.") if twice else None


def check_host(head: RequestHead, door: Door) -> Refusal | None:
    """A name that somebody else's DNS points at us is not ours: that is how rebinding comes in."""
    if (head.find("host") or "").lower() in door.hosts:
        return None
    return Refusal(421, "This is not the host you are looking for.")


def check_method(head: RequestHead, _door: Door) -> Refusal | None:
    return None if head.method in METHODS else Refusal(405, "This method is not used here.")


def check_path(head: RequestHead, _door: Door) -> Refusal | None:
    plain = head.path.startswith("/") and head.path.isprintable() and "\\" not in head.path
    climbs = any(part in {".", ".."} for part in head.path.split("/"))
    if plain and not climbs and len(head.path) <= MAX_PATH:
        return None
    return Refusal(400, "This is not a path.")


def check_fetch_site(head: RequestHead, _door: Door) -> Refusal | None:
    """What a browser says of the page that asks; a page cannot change it. A link from elsewhere may open our
    page, as the file does that holds a link: the page itself holds no secret, and no frame shows it."""
    site = head.find("sec-fetch-site")
    if site is None or site in SAME_SITE:
        return None
    opens = (head.find("sec-fetch-mode"), head.find("sec-fetch-dest")) == ("navigate", "document")
    if opens and (head.kind, head.method, head.path) == ("http", "GET", "/"):
        return None
    return Refusal(403, "Another site may not ask this.")


def check_origin(head: RequestHead, door: Door) -> Refusal | None:
    """A browser names the origin of whatever can do harm; only a program with a credential may not."""
    origin = head.find("origin")
    if not door.for_browsers:
        return None if origin is None else Refusal(403, "A browser may not ask this.")
    if origin is not None:
        ours = f"{door.scheme}://{(head.find('host') or '').lower()}"
        return None if origin == ours else Refusal(403, "Another origin may not ask this.")
    harmless = head.kind == "http" and head.method in SAFE_METHODS
    if harmless or head.find("authorization") is not None:
        return None
    return Refusal(403, "This needs an origin, or a credential.")


def check_content(head: RequestHead, _door: Door) -> Refusal | None:
    """JSON only: a form or plain text is what a foreign page can send without asking first."""
    if head.kind == "websocket":
        return None
    if head.method in SAFE_METHODS:
        empty = head.find("content-length") in {None, "0"} and head.find("transfer-encoding") is None
        return None if empty else Refusal(400, "This takes no body.")
    kind = (head.find("content-type") or "").partition(";")[0].strip().lower()
    return None if kind == "application/json" else Refusal(415, "This takes JSON: application/json.")


def check_length(head: RequestHead, _door: Door) -> Refusal | None:
    length = head.find("content-length") or "0"
    if length.isascii() and length.isdecimal() and int(length[:20]) <= MAX_BODY:
        return None
    return Refusal(413, f"A body has at most {MAX_BODY} bytes here.")


# In this order: a request of whose form nothing can be believed is not asked for its key.
BEFORE_THE_KEY: tuple[Check, ...] = (
    check_size,
    check_single,
    check_host,
    check_method,
    check_path,
    check_fetch_site,
    check_origin,
)
AFTER_THE_KEY: tuple[Check, ...] = (check_content, check_length)


def find_refusal(checks: tuple[Check, ...], head: RequestHead, door: Door) -> Refusal | None:
    return next((refusal for check in checks if (refusal := check(head, door)) is not None), None)


def parse_cookies(header: str) -> Mapping[str, str]:
    pairs = (part.strip().partition("=") for part in header.split(";"))
    return {name: value for name, _, value in pairs}
