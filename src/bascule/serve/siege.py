"""Carries out the attacks: every one of them on every route that the application itself names."""

import re
from collections.abc import Iterator

from msgspec import Struct

from bascule.serve.attacks import Attack, By
from bascule.serve.http import RouteInfo
from bascule.serve.probe import Answer, ask, make_request, upgrade_headers

A_PARAMETER = re.compile(r"\{[^}]*\}")
MADE_UP = "A" * 32  # in its place: well formed, and nobody's


class Keyring(Struct, frozen=True):
    """What a visitor with every right holds; an attack has it too, and must fail all the same."""

    port: int
    bearer: str
    cookie: str  # name=value


class Verdict(Struct, frozen=True):
    name: str
    incident: str
    tried: int
    failures: tuple[str, ...] = ()


class Aim(Struct, frozen=True):
    """One route by one method."""

    path: str
    method: str
    websocket: bool

    @property
    def shown(self) -> str:
        return f"{'WEBSOCKET' if self.websocket else self.method} {self.path}"

    @property
    def writes(self) -> bool:
        return not self.websocket and self.method not in {"GET", "HEAD"}


def find_aims(routes: tuple[RouteInfo, ...]) -> tuple[Aim, ...]:
    return tuple(
        Aim(A_PARAMETER.sub(MADE_UP, route.path), method, route.websocket)
        for route in routes
        for method in (("GET",) if route.websocket else route.methods)
    )


def honest_headers(aim: Aim, keys: Keyring, by: By) -> dict[str, str]:
    """What our page, or a program of this user, would send."""
    host = f"127.0.0.1:{keys.port}"
    headers = {"Host": host}
    if by == "bearer":
        headers["Authorization"] = f"Bearer {keys.bearer}"
    else:
        headers |= {"Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    if by == "browser":
        headers["Cookie"] = keys.cookie
    if aim.websocket:
        headers |= upgrade_headers()
    if aim.writes:
        headers |= {"Content-Type": "application/json", "Content-Length": "2"}
    return headers


def applies(attack: Attack, aim: Aim) -> bool:
    return {
        "all": True,
        "writes": aim.writes,
        "upgrades": aim.websocket,
        "writes and upgrades": aim.writes or aim.websocket,
        "requests": not aim.websocket,
    }[attack.on]


def make_attack(attack: Attack, aim: Aim, keys: Keyring) -> bytes:
    words = {
        "port": str(keys.port),
        "bearer": keys.bearer,
        "bearer_cut": keys.bearer[:-1],
        "cookie_value": keys.cookie.partition("=")[2],
    }
    headers: dict[str, str | None] = {**honest_headers(aim, keys, attack.by), **attack.changes}
    kept = [(name, value.format_map(words)) for name, value in headers.items() if value is not None]
    body = b"{}" if aim.writes and not attack.method else b""
    if attack.method:
        kept = [(name, value) for name, value in kept if name != "Content-Length"]
    target = aim.path + attack.query.format_map(words)
    return make_request(attack.method or aim.method, target, [*kept, *attack.extra], body, attack.version)


def carry_out(attack: Attack, aims: tuple[Aim, ...], keys: Keyring) -> Verdict:
    tried = [aim for aim in aims if applies(attack, aim)]
    failures = []
    for aim in tried:
        answer = ask(keys.port, make_attack(attack, aim, keys))
        failures += [f"{aim.shown}: {fault}" for fault in find_faults(attack, answer, keys)]
    return Verdict(attack.name, attack.incident, len(tried), tuple(failures))


def find_faults(attack: Attack, answer: Answer, keys: Keyring) -> Iterator[str]:
    if answer.status not in attack.refused_with:
        expected = " or ".join(str(status) for status in sorted(attack.refused_with))
        yield f"answered {answer.status} instead of {expected}"
    names = {name for name, _ in answer.headers}
    if any(name.startswith("access-control-") for name in names):
        yield "spoke to another origin (CORS)"
    if names & {"set-cookie", "server"}:
        yield "gave away a cookie, or what it runs on"
    secrets = (keys.bearer.encode(), keys.cookie.partition("=")[2].encode())
    if any(secret in answer.body for secret in secrets):
        yield "gave away a key"
