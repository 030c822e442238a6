"""What must hold of a running daemon beyond its routes one by one: links, cookies, headers, frames."""

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import msgspec

from bascule.host.network.listener import MAX_MESSAGE
from bascule.host.network.registration import SCOPE_HEADER, WORKSPACE_HEADER
from bascule.serve.auth import SECURITY_HEADERS
from bascule.serve.http import LinkReport, RouteInfo, SignedIn, SignIn, StatusReport
from bascule.serve.selftest.attack_runner import (
    Keyring,
    Target,
    Verdict,
    find_aims,
    honest_headers,
    program_headers,
)
from bascule.serve.selftest.attacks import EVERY_PORT, By
from bascule.serve.selftest.probe import (
    BINARY,
    CLOSE,
    TEXT,
    ProbeResponse,
    RawWebSocket,
    ask,
    connect,
    make_request,
)
from bascule.serve.slow_down import FREE

PAGE = Target("/", "GET", False)
STATUS = Target("/status", "GET", False)
SOCKET = Target("/ws", "GET", True)
SIGN_OUT = Target("/signout", "POST", False)
FOR_PROGRAMS_ONLY = (Target("/shutdown", "POST", False), Target("/link", "POST", False))
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

IDLE = 140  # connections at each door that never show a key
WRONG = FREE + 5  # keys in a row; the last of them is answered late
LATE_S = 0.5

NOBODYS = "/nonexistent/bascule-selftest"  # nobody has opened it
NOT_OPENED: tuple[tuple[str, dict[str, object]], ...] = (
    ("initialize", {"protocol_version": "0", "client": {"name": "selftest", "version": "0"}}),
    ("session.create", {"workspace": "/"}),
    ("session.create", {"workspace": NOBODYS}),
    ("workspace.read", {"path": "passwd"}),
    ("trust.add", {"folder": NOBODYS, "fingerprint": ""}),
    ("trust.inspect", {"folder": NOBODYS}),
)

Check = Callable[[Keyring], Iterator[str]]


class NotAnswered(Exception):
    """The daemon does not do what it must for who has the right."""


def call(keys: Keyring, aim: Target, *, target: str = "") -> ProbeResponse:
    """As a program of this user."""
    body = b"{}" if aim.writes else b""
    headers = program_headers(aim, keys).items()
    return ask(keys.where, make_request(aim.method, target or aim.path, headers, body))


def browse(keys: Keyring, aim: Target, *, target: str = "", by: By = "browser") -> ProbeResponse:
    """As our page does."""
    body = b"{}" if aim.writes else b""
    headers = honest_headers(aim, keys, by).items()
    return ask(keys.port, make_request(aim.method, target or aim.path, headers, body))


def read_routes(keys: Keyring) -> tuple[RouteInfo, ...]:
    """From the running application."""
    answer = call(keys, Target("/status", "GET", False))
    if answer.status != 200:
        raise NotAnswered(f"GET /status answered {answer.status} to a program of this user")
    return msgspec.json.decode(answer.body, type=StatusReport).routes


def new_link(keys: Keyring) -> str:
    """A URL that opens once."""
    answer = call(keys, Target("/link", "POST", False))
    if answer.status != 200:
        raise NotAnswered(f"POST /link answered {answer.status} to a program of this user")
    return msgspec.json.decode(answer.body, type=LinkReport).url


def open_link(url: str, cookie: str = "", **changes: str) -> ProbeResponse:
    """As the page does with what stands behind the #."""
    address, _, token = url.partition("#token=")
    host = address.split("/")[2]
    body = msgspec.json.encode(SignIn(token))
    headers = {
        "Host": host,
        "Origin": f"http://{host}",
        "Sec-Fetch-Site": "same-origin",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **({"Cookie": cookie} if cookie else {}),
        **changes,
    }
    return ask(int(host.partition(":")[2]), make_request("POST", "/signin", headers.items(), body))


def sign_in(keys: Keyring) -> Keyring:
    """The same, with a browser's cookie and key."""
    url = new_link(keys)
    answer = open_link(url)
    cookie = answer.find("set-cookie").partition(";")[0]
    if answer.status != 200 or not cookie:
        raise NotAnswered(f"a fresh link answered {answer.status}, and gave {'a' if cookie else 'no'} cookie")
    key = msgspec.json.decode(answer.body, type=SignedIn).key
    port = int(url.split("/")[2].partition(":")[2])
    return Keyring(port, cookie, key, keys.socket, keys.bearer)


def sign_out(keys: Keyring) -> ProbeResponse:
    return browse(keys, SIGN_OUT)


def _the_right_ones_come_in(keys: Keyring) -> Iterator[str]:
    """Else everything below would be refused for the wrong reason."""
    for name, answer in (("program", call(keys, STATUS)), ("browser", browse(keys, STATUS))):
        if answer.status != 200:
            yield f"GET /status answered {answer.status} to the right {name}"
    for name, opened in (("program", _open_as_program(keys)), ("browser", _open_as_browser(keys))):
        with opened as socket:
            if socket.status != 101:
                yield f"WEBSOCKET /ws answered {socket.status} to the right {name}"


def _links_open_once(keys: Keyring) -> Iterator[str]:
    url = new_link(keys)
    for changes in (
        {"Sec-Fetch-Site": "cross-site"},
        {"Origin": "http://evil.test"},
        {"Host": "evil.test"},
        {"Content-Type": "text/plain"},
    ):
        if open_link(url, **changes).find("set-cookie"):
            yield f"a request with {changes} was let in by a link"
    for target in ("/?token=", "/status?token=", "/?"):
        if browse(keys, PAGE, target=target + url.partition("=")[2], by="nobody").find("set-cookie"):
            yield f"GET {target}… was let in by a link"
    first, second = open_link(url), open_link(url)
    if first.status != 200:
        yield f"a fresh link answered {first.status}"
        return
    if second.status != 401 or second.find("set-cookie"):
        yield f"a used link answered {second.status}"
    yield from _cookie_faults(first.find("set-cookie"))
    key = msgspec.json.decode(first.body, type=SignedIn).key
    sign_out(msgspec.structs.replace(keys, cookie=first.find("set-cookie").partition(";")[0], key=key))


def _the_page_holds_no_secret(keys: Keyring) -> Iterator[str]:
    """Its files are given to everybody, so they are the same for everybody."""
    for aim in find_aims(read_routes(keys)):
        if aim.need != "nothing" or aim.writes:
            continue
        nobody, browser = browse(keys, aim, by="nobody"), browse(keys, aim)
        if (nobody.status, nobody.body) != (browser.status, browser.body):
            yield f"{aim.shown} differs for who has a key"
        if any(secret.encode() in browser.body for secret in keys.secrets):
            yield f"{aim.shown} holds a key"


def _a_cookie_alone_reads_nothing(keys: Keyring) -> Iterator[str]:
    """What another server on 127.0.0.1 has: the browser sends it our cookie, and it forges the rest."""
    with RawWebSocket(keys.port, honest_headers(SOCKET, keys, "cookie")) as socket:
        if socket.status != 401:
            yield f"WEBSOCKET /ws answered {socket.status}"
    for aim in find_aims(read_routes(keys)):
        answer = browse(keys, aim, by="cookie")
        allowed = {"nothing": {200, 401, 404}, "cookie": {404}, "key": {401}}[aim.need]
        if answer.status not in allowed:
            yield f"{aim.shown} answered {answer.status}"


def _a_scope_is_kept(keys: Keyring) -> Iterator[str]:
    """A command that asked for less gets less."""
    for scope, status in (("orders", 403), ("look", 403), ("everything", 400), ("", 400)):
        for aim in FOR_PROGRAMS_ONLY:
            headers = {**program_headers(aim, keys), SCOPE_HEADER: scope}
            answer = ask(keys.where, make_request(aim.method, aim.path, headers.items(), b"{}"))
            if answer.status != status:
                yield f"{aim.shown} with the scope {scope!r} answered {answer.status}"


def _cookie_faults(cookie: str) -> Iterator[str]:
    flags = {flag.strip().lower() for flag in cookie.split(";")[1:]}
    for flag in {"httponly", "samesite=strict", "path=/"} - flags:
        yield f"the cookie lacks {flag}"
    if any(flag.startswith("domain=") for flag in flags):
        yield "the cookie names a domain"


def _every_answer_has_its_headers(keys: Keyring) -> Iterator[str]:
    for aim in find_aims(read_routes(keys)):
        if aim.writes:
            request = make_request(aim.method, aim.path, [("Host", f"127.0.0.1:{keys.port}")])
            answer = ask(keys.port, request)  # refused, and not carried out
        else:
            answer = browse(keys, Target(aim.path, aim.method, False))
        headers = dict(answer.headers)
        for name, value in {**SECURITY_HEADERS, "cache-control": "no-store"}.items():
            if headers.get(name) != value:
                yield f"{aim.shown}: {name} is {headers.get(name)!r}"
        if "server" in headers:
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
    for aim in FOR_PROGRAMS_ONLY:
        answer = browse(keys, aim)
        if answer.status != 403:
            yield f"{aim.shown} answered {answer.status} to a browser"


def _a_browser_opens_no_folder(keys: Keyring) -> Iterator[str]:
    """Nor does it read one through a header that only local commands may send."""
    headers = {**honest_headers(SOCKET, keys, "browser"), WORKSPACE_HEADER: NOBODYS}
    with RawWebSocket(keys.port, headers) as socket:
        for method, params in NOT_OPENED:
            socket.send(TEXT, _frame(method, params))
            said = _reply(socket)
            if method != "initialize" and b'"error"' not in said:
                yield f"{method} {params} was answered with {said[:80]!r}"


def _frame(method: str, params: dict[str, object]) -> bytes:
    return msgspec.json.encode({"jsonrpc": "2.0", "id": method, "method": method, "params": params})


def _reply(socket: RawWebSocket) -> bytes:
    """The next frame that answers something."""
    opcode, said = socket.receive()
    while opcode != CLOSE and b'"id"' not in said:
        opcode, said = socket.receive()
    return said


def _paths_do_not_climb(keys: Keyring) -> Iterator[str]:
    for target in CLIMBS:
        for answer in (call(keys, PAGE, target=target), browse(keys, PAGE, target=target)):
            if answer.status not in {400, 404}:
                yield f"GET {target} answered {answer.status}"


def _frames_have_a_ceiling(keys: Keyring) -> Iterator[str]:
    with _open_as_browser(keys) as socket:
        socket.send(TEXT, b"{", claimed_length=MAX_MESSAGE + 1)
        if (code := socket.receive_close()) != 1009:
            yield f"a frame over the ceiling ended with {code}"
    with _open_as_browser(keys) as socket:
        socket.send(TEXT, b"{}", masked=False)
        if (code := socket.receive_close()) != 1002:
            yield f"an unmasked frame ended with {code}"


def _bad_frames_get_an_error(keys: Keyring) -> Iterator[str]:
    with _open_as_browser(keys) as socket:
        for opcode, payload in ((BINARY, b"{}"), (TEXT, b"not json"), (TEXT, b"[]"), (TEXT, b"{" * 5000)):
            socket.send(opcode, payload)
            heard, said = socket.receive()
            if heard == CLOSE or b'"error"' not in said:
                yield f"{payload[:20]!r} was answered with {said[:80]!r}"
                return


def _signing_out_is_at_once(keys: Keyring) -> Iterator[str]:
    browser = sign_in(keys)
    with _open_as_browser(browser) as socket:
        answer = sign_out(browser)
        if answer.status != 200:
            yield f"POST /signout answered {answer.status}"
        if (code := socket.receive_close()) != 1008:
            yield f"an open socket ended with {code}"
    with _open_as_browser(browser) as socket:
        if socket.status != 401:
            yield f"a browser that was signed out was answered {socket.status}"


def _idle_connections_lock_nobody_out(keys: Keyring) -> Iterator[str]:
    with ExitStack() as held:
        for _ in range(IDLE):
            held.enter_context(connect(keys.port))
            held.enter_context(connect(keys.where))
        for name, answer in (("program", call(keys, STATUS)), ("browser", browse(keys, STATUS))):
            if answer.status != 200:
                yield f"GET /status answered {answer.status} to the right {name}"
        sign_out(sign_in(keys))


def _wrong_keys_are_answered_later(keys: Keyring) -> Iterator[str]:
    headers = {**honest_headers(STATUS, keys, "nobody"), "Authorization": "Bearer " + "A" * 43}
    request = make_request("GET", STATUS.path, headers.items())
    answers = [ask(keys.port, request) for _ in range(WRONG - 1)]
    began_s = time.monotonic()
    answers.append(ask(keys.port, request))
    took_s = time.monotonic() - began_s
    if odd := {answer.status for answer in answers} - {401}:
        yield f"GET /status answered {sorted(odd)} to wrong keys"
    if took_s < LATE_S:
        yield f"wrong key {WRONG} was answered after {took_s:.2f} s"


def _open_as_browser(keys: Keyring) -> RawWebSocket:
    return RawWebSocket(keys.port, honest_headers(SOCKET, keys, "browser"))


def _open_as_program(keys: Keyring) -> RawWebSocket:
    return RawWebSocket(keys.where, program_headers(SOCKET, keys))


CHECKS: tuple[tuple[str, str, Check], ...] = (
    ("who has the right comes in", "control", _the_right_ones_come_in),
    ("a link opens once, for a person, and becomes a strict cookie", "CVE-2026-25253", _links_open_once),
    ("a cookie alone reads nothing and opens no socket", EVERY_PORT, _a_cookie_alone_reads_nothing),
    ("the page's own files hold no secret", "CVE-2026-22812", _the_page_holds_no_secret),
    ("a connection that asked for less gets less", "GHSA-rqpp-rjj8-7wv8", _a_scope_is_kept),
    ("every answer has its security headers", "CVE-2026-22813", _every_answer_has_its_headers),
    ("the content policy is strict", "CVE-2026-22813", _the_policy_is_strict),
    ("a browser gets no more than its own", "GHSA-rqpp-rjj8-7wv8", _a_browser_cannot_do_more_than_it_may),
    ("a browser opens no folder by itself", "CVE-2026-22677", _a_browser_opens_no_folder),
    ("paths do not climb", "CVE-2026-22812", _paths_do_not_climb),
    ("frames have a ceiling", "exhaustion", _frames_have_a_ceiling),
    ("bad frames get an error and the connection lives", "exhaustion", _bad_frames_get_an_error),
    ("signing out closes what is open", "GHSA-m8wm-r5vq-qjpg", _signing_out_is_at_once),
    ("idle connections lock nobody out", "exhaustion", _idle_connections_lock_nobody_out),
    ("wrong keys are answered later and later", "guessed keys", _wrong_keys_are_answered_later),
)


def inspect(name: str, incident: str, check: Check, keys: Keyring) -> Verdict:
    try:
        return Verdict(name, incident, 1, tuple(check(keys)))
    except (NotAnswered, OSError) as fault:
        return Verdict(name, incident, 1, (str(fault) or type(fault).__name__,))
