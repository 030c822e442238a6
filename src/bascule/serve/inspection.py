"""What must hold of a running daemon beyond its routes one by one: links, cookies, headers, frames."""

from collections.abc import Callable, Iterator

import msgspec

from bascule.host.listener import MAX_MESSAGE
from bascule.serve.attacks import By
from bascule.serve.auth import SECURITY_HEADERS
from bascule.serve.http import LinkReport, RouteInfo, StatusReport
from bascule.serve.probe import BINARY, CLOSE, TEXT, Answer, RawWebSocket, ask, make_request
from bascule.serve.siege import Aim, Keyring, Verdict, find_aims, honest_headers

PAGE = Aim("/", "GET", False)
SOCKET = Aim("/ws", "GET", True)
SIGN_OUT = Aim("/signout", "POST", False)
FOR_BEARER_ONLY = (Aim("/shutdown", "POST", False), Aim("/link", "POST", False))
CLIMBS = (
    "/../../etc/passwd",
    "/..%2f..%2fetc/passwd",
    "/%2e%2e/%2e%2e/etc/passwd",
    "/..\\..\\windows\\win.ini",
    "/..%5c..%5cwindows%5cwin.ini",
    "//etc/passwd",
    "/./status",
    "/status/../status",
    "/status%00.html",
    "/%252e%252e/etc/passwd",
    "/files/",
    "/files/..",
    "/files/%2e%2e",
    "/files/..%2f..%2fetc%2fpasswd",
    "/files/%2fetc%2fpasswd",
    "/files//etc/passwd",
    "/files/C:%5cwindows%5cwin.ini",
    "/files/%00",
    "/files/%252e%252e%252fetc%252fpasswd",
    "http://evil.test/status",
    "*",
)

Check = Callable[[Keyring], Iterator[str]]


class NotAnswered(Exception):
    """The daemon does not do what it must for who has the right."""


def call(keys: Keyring, aim: Aim, *, target: str = "") -> Answer:
    """As a program of this user."""
    body = b"{}" if aim.writes else b""
    headers = honest_headers(aim, keys, "bearer").items()
    return ask(keys.port, make_request(aim.method, target or aim.path, headers, body))


def read_routes(port: int, bearer: str) -> tuple[RouteInfo, ...]:
    """From the running application."""
    answer = call(Keyring(port, bearer, ""), Aim("/status", "GET", False))
    if answer.status != 200:
        raise NotAnswered(f"GET /status answered {answer.status} to the right token")
    return msgspec.json.decode(answer.body, type=StatusReport).routes


def new_link(port: int, bearer: str) -> str:
    """A path that opens once."""
    answer = call(Keyring(port, bearer, ""), Aim("/link", "POST", False))
    if answer.status != 200:
        raise NotAnswered(f"POST /link answered {answer.status} to the right token")
    return msgspec.json.decode(answer.body, type=LinkReport).path


def open_link(port: int, path: str) -> Answer:
    """As a browser does when a person follows it."""
    headers = {"Host": f"127.0.0.1:{port}", "Sec-Fetch-Site": "none"}
    return ask(port, make_request("GET", path, headers.items()))


def sign_in(port: int, bearer: str) -> Keyring:
    answer = open_link(port, new_link(port, bearer))
    cookie = answer.find("set-cookie").partition(";")[0]
    if not cookie:
        raise NotAnswered(f"a fresh link answered {answer.status} and gave no cookie")
    return Keyring(port, bearer, cookie)


def sign_out(keys: Keyring) -> Answer:
    headers = honest_headers(SIGN_OUT, keys, "browser")
    return ask(keys.port, make_request("POST", "/signout", headers.items(), b"{}"))


def _the_right_ones_come_in(keys: Keyring) -> Iterator[str]:
    """Else everything below would be refused for the wrong reason."""
    both: tuple[By, By] = ("browser", "bearer")
    for by in both:
        answer = ask(keys.port, make_request("GET", "/", honest_headers(PAGE, keys, by).items()))
        if answer.status != 200:
            yield f"GET / answered {answer.status} to the right {by}"
        with _open_socket(keys, by) as socket:
            if socket.status != 101:
                yield f"WEBSOCKET /ws answered {socket.status} to the right {by}"


def _links_open_once(keys: Keyring) -> Iterator[str]:
    path = new_link(keys.port, keys.bearer)
    host = {"Host": f"127.0.0.1:{keys.port}"}
    for method, more in (
        ("HEAD", {}),
        ("GET", {"Sec-Fetch-Site": "cross-site"}),
        ("GET", {"Host": "evil.test"}),
    ):
        answer = ask(keys.port, make_request(method, path, {**host, **more}.items()))
        if answer.find("set-cookie"):
            yield f"{method} with {more} was let in by a link"
    first, second = open_link(keys.port, path), open_link(keys.port, path)
    if (first.status, first.find("location")) != (303, "/"):
        yield f"a fresh link answered {first.status} to {first.find('location')!r}"
    if second.status != 401 or second.find("set-cookie"):
        yield f"a used link answered {second.status}"
    yield from _cookie_faults(first.find("set-cookie"))
    sign_out(Keyring(keys.port, keys.bearer, first.find("set-cookie").partition(";")[0]))


def _cookie_faults(cookie: str) -> Iterator[str]:
    flags = {flag.strip().lower() for flag in cookie.split(";")[1:]}
    for flag in {"httponly", "samesite=strict", "path=/"} - flags:
        yield f"the cookie lacks {flag}"
    if any(flag.startswith("domain=") for flag in flags):
        yield "the cookie names a domain"


def _every_answer_has_its_headers(keys: Keyring) -> Iterator[str]:
    for aim in find_aims(read_routes(keys.port, keys.bearer)):
        if aim.writes:
            request = make_request(aim.method, aim.path, [("Host", f"127.0.0.1:{keys.port}")])
            answer = ask(keys.port, request)  # refused, and not carried out
        else:
            answer = call(keys, Aim(aim.path, aim.method, False))
        told = dict(answer.headers)
        for name, value in {**SECURITY_HEADERS, "cache-control": "no-store"}.items():
            if told.get(name) != value:
                yield f"{aim.shown}: {name} is {told.get(name)!r}"
        if "server" in told:
            yield f"{aim.shown}: tells what it runs on"


def _the_policy_is_strict(_keys: Keyring) -> Iterator[str]:
    policy = SECURITY_HEADERS["content-security-policy"]
    parts = {part.split()[0]: part.split()[1:] for part in policy.split(";")}
    if parts["default-src"] != ["'none'"] or parts["script-src"] != ["'self'"]:
        yield f"scripts may come from {parts['script-src']}"
    if any(word in policy for word in ("unsafe-", "*", "http:", "https:")):
        yield f"the policy allows too much: {policy}"
    if parts.get("require-trusted-types-for") != ["'script'"]:
        yield "trusted types are not required"


def _a_browser_cannot_do_more_than_it_may(keys: Keyring) -> Iterator[str]:
    for aim in FOR_BEARER_ONLY:
        headers = honest_headers(aim, keys, "browser")
        answer = ask(keys.port, make_request(aim.method, aim.path, headers.items(), b"{}"))
        if answer.status != 403:
            yield f"{aim.shown} answered {answer.status} to a browser"


def _paths_do_not_climb(keys: Keyring) -> Iterator[str]:
    for target in CLIMBS:
        answer = call(keys, PAGE, target=target)
        if answer.status not in {400, 404}:
            yield f"GET {target} answered {answer.status}"


def _frames_have_a_ceiling(keys: Keyring) -> Iterator[str]:
    with _open_socket(keys, "bearer") as socket:
        socket.send(TEXT, b"{", told_length=MAX_MESSAGE + 1)
        if (code := socket.receive_close()) != 1009:
            yield f"a frame over the ceiling ended with {code}"
    with _open_socket(keys, "bearer") as socket:
        socket.send(TEXT, b"{}", masked=False)
        if (code := socket.receive_close()) != 1002:
            yield f"an unmasked frame ended with {code}"


def _bad_frames_get_an_error(keys: Keyring) -> Iterator[str]:
    with _open_socket(keys, "bearer") as socket:
        for opcode, payload in ((BINARY, b"{}"), (TEXT, b"not json"), (TEXT, b"[]"), (TEXT, b"{" * 5000)):
            socket.send(opcode, payload)
            heard, said = socket.receive()
            if heard == CLOSE or b'"error"' not in said:
                yield f"{payload[:20]!r} was answered with {said[:80]!r}"
                return


def _signing_out_is_at_once(keys: Keyring) -> Iterator[str]:
    browser = sign_in(keys.port, keys.bearer)
    with _open_socket(browser, "browser") as socket:
        answer = sign_out(browser)
        if answer.status != 200:
            yield f"POST /signout answered {answer.status}"
        if (code := socket.receive_close()) != 1008:
            yield f"an open socket ended with {code}"
    with _open_socket(browser, "browser") as socket:
        if socket.status != 401:
            yield f"a cookie that was signed out answered {socket.status}"


def _open_socket(keys: Keyring, by: By) -> RawWebSocket:
    return RawWebSocket(keys.port, honest_headers(SOCKET, keys, by))


CHECKS: tuple[tuple[str, str, Check], ...] = (
    ("who has the right comes in", "control", _the_right_ones_come_in),
    ("a link opens once, for a person, and becomes a strict cookie", "CVE-2026-25253", _links_open_once),
    ("every answer has its security headers", "CVE-2026-22813", _every_answer_has_its_headers),
    ("the content policy is strict", "CVE-2026-22813", _the_policy_is_strict),
    ("a browser gets no more than its own", "GHSA-rqpp-rjj8-7wv8", _a_browser_cannot_do_more_than_it_may),
    ("paths do not climb", "CVE-2026-22812", _paths_do_not_climb),
    ("frames have a ceiling", "exhaustion", _frames_have_a_ceiling),
    ("bad frames get an error and the connection lives", "exhaustion", _bad_frames_get_an_error),
    ("signing out closes what is open", "GHSA-m8wm-r5vq-qjpg", _signing_out_is_at_once),
)


def inspect(name: str, incident: str, check: Check, keys: Keyring) -> Verdict:
    try:
        return Verdict(name, incident, 1, tuple(check(keys)))
    except (NotAnswered, OSError) as fault:
        return Verdict(name, incident, 1, (str(fault) or type(fault).__name__,))
