"""Carries out the attacks: every one of them on every route that the application itself names."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

from msgspec import Struct

from bascule.serve.http import RouteInfo
from bascule.serve.rules import KEY_HEADER, KEY_PROTOCOL, PROTOCOL, Need, RequestHead, find_need
from bascule.serve.selftest.attacks import Attack, By
from bascule.serve.selftest.probe import ProbeResponse, Where, ask, make_request, upgrade_headers

A_PARAMETER = re.compile(r"\{[^}]*\}")
MAX_AT_ONCE = 16
MADE_UP = "A" * 32  # in its place: well formed, and nobody's


class Keyring(Struct, frozen=True):
    """What a visitor with every right holds; an attack has it too, and must fail all the same."""

    port: int  # for browsers
    cookie: str = ""  # name=value
    key: str = ""  # what only the page holds
    socket: str = ""  # for programs of this user
    bearer: str = ""  # instead, where the system has no such socket

    @property
    def secrets(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.bearer, self.key, self.cookie.partition("=")[2])))

    @property
    def where(self) -> Where:
        """Where a program connects."""
        return self.socket or self.port


class Verdict(Struct, frozen=True):
    name: str
    incident: str
    tried: int
    failures: tuple[str, ...] = ()


class Target(Struct, frozen=True):
    """One route by one method."""

    path: str
    method: str
    websocket: bool

    @property
    def shown(self) -> str:
        return f"{'WEBSOCKET' if self.websocket else self.method} {self.path}"

    @property
    def need(self) -> Need:
        return find_need(RequestHead("websocket" if self.websocket else "http", self.method, self.path, ()))

    @property
    def writes(self) -> bool:
        return not self.websocket and self.method not in {"GET", "HEAD"}


def find_aims(routes: tuple[RouteInfo, ...]) -> tuple[Target, ...]:
    return tuple(
        Target(A_PARAMETER.sub(MADE_UP, route.path), method, route.websocket)
        for route in routes
        for method in (("GET",) if route.websocket else route.methods)
    )


def program_headers(aim: Target, keys: Keyring) -> dict[str, str]:
    """What a program of this user sends to `keys.where`."""
    headers = {"Host": "localhost" if keys.socket else f"127.0.0.1:{keys.port}"}
    if not keys.socket:
        headers["Authorization"] = f"Bearer {keys.bearer}"
    return headers | _more_headers(aim)


def honest_headers(aim: Target, keys: Keyring, by: By) -> dict[str, str]:
    """What our page sends; or a page that has only some of its secrets."""
    host = f"127.0.0.1:{keys.port}"
    headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    if by in ("browser", "cookie"):
        headers["Cookie"] = keys.cookie
    if by in ("browser", "key"):
        headers |= key_headers(aim, keys.key)
    return headers | _more_headers(aim)


def key_headers(aim: Target, key: str) -> dict[str, str]:
    if aim.websocket:
        return {"Sec-WebSocket-Protocol": f"{PROTOCOL}, {KEY_PROTOCOL}{key}"}
    return {KEY_HEADER: key}


def _more_headers(aim: Target) -> dict[str, str]:
    if aim.websocket:
        return upgrade_headers()
    return {"Content-Type": "application/json", "Content-Length": "2"} if aim.writes else {}


def applies(attack: Attack, aim: Target) -> bool:
    return {
        "all": True,
        "writes": aim.writes,
        "upgrades": aim.websocket,
        "writes and upgrades": aim.writes or aim.websocket,
        "requests": not aim.websocket,
        "guarded": aim.need != "nothing" or aim.writes,
        "keyed": aim.need == "key",
        "keyed requests": aim.need == "key" and not aim.websocket,
    }[attack.on]


def make_attack(attack: Attack, aim: Target, keys: Keyring) -> bytes:
    words = {"port": str(keys.port), "key": keys.key, "cookie_value": keys.cookie.partition("=")[2]}
    headers: dict[str, str | None] = {**honest_headers(aim, keys, attack.by), **attack.changes}
    if attack.key is not None:
        headers |= key_headers(aim, attack.key.format_map(words))
    kept = [(name, value.format_map(words)) for name, value in headers.items() if value is not None]
    body = b"{}" if aim.writes and not attack.method else b""
    if attack.method:
        kept = [(name, value) for name, value in kept if name != "Content-Length"]
    target = aim.path + attack.query.format_map(words)
    extra = [(name, value.format_map(words)) for name, value in attack.extra]
    return make_request(attack.method or aim.method, target, [*kept, *extra], body, attack.version)


def carry_out(attack: Attack, aims: tuple[Target, ...], keys: Keyring) -> Verdict:
    tried = [aim for aim in aims if applies(attack, aim)]
    with ThreadPoolExecutor(MAX_AT_ONCE) as pool:  # wrong keys are answered late
        answers = list(pool.map(lambda aim: ask(keys.port, make_attack(attack, aim, keys)), tried))
    failures = [
        f"{aim.shown}: {fault}"
        for aim, answer in zip(tried, answers, strict=True)
        for fault in find_faults(attack, answer, keys)
    ]
    return Verdict(attack.name, attack.incident, len(tried), tuple(failures))


def find_faults(attack: Attack, answer: ProbeResponse, keys: Keyring) -> Iterator[str]:
    if answer.status not in attack.refused_with:
        expected = " or ".join(str(status) for status in sorted(attack.refused_with))
        yield f"answered {answer.status} instead of {expected}"
    names = {name for name, _ in answer.headers}
    if any(name.startswith("access-control-") for name in names):
        yield "spoke to another origin (CORS)"
    if names & {"set-cookie", "server"}:
        yield "gave away a cookie, or what it runs on"
    if any(secret.encode() in answer.body for secret in keys.secrets):
        yield "gave away a key"
