"""Who may come in: links that open once, the browsers that came by one, and perhaps a bearer credential."""

import asyncio
import secrets
from collections.abc import Callable, Iterator
from typing import Literal

from msgspec import Struct

from bascule.core.bounded import forget_oldest
from bascule.host.clock import now_ms
from bascule.model.consent.devices import PassInfo
from bascule.model.consent.origin import Door, Scope

LINK_LIFE_S = 300.0  # from the printed link to the click
MAX_LINKS = 16
MAX_BROWSERS = 32  # the one that came first goes first


class SignInLink(Struct, frozen=True):
    """Opens once; anyone who has it works in the folder where it was asked for."""

    ends_s: float
    workspace: str
    scope: Scope = "full"


class Pass:
    """How somebody came in. Once revoked, what was opened with it is closed."""

    def __init__(
        self,
        kind: Literal["bearer", "browser", "process"],
        name: str,
        secret: str = "",
        key: str = "",
        *,
        pid: int = 0,
        scope: Scope = "full",
    ) -> None:
        self.kind = kind
        self.name = name  # public: for the log and the record
        self.secret = secret  # of a browser: its cookie, which every port of this host is sent
        self.key = key  # of a browser: what only our page holds
        self.pid = pid
        self.scope = scope
        self.since_ms = self.seen_at_ms = now_ms()
        self.revoked = asyncio.Event()

    @property
    def is_program(self) -> bool:
        """A program of the person's own, with every right; not a browser, nor one that asked for less."""
        return self.kind != "browser" and self.scope == "full"

    def narrowed(self, scope: Scope) -> "Pass":
        """For one connection that asked for less; revoked together with this one."""
        scope = scope if self.scope == "full" else self.scope
        narrow = Pass(self.kind, self.name, self.secret, self.key, pid=self.pid, scope=scope)
        narrow.revoked = self.revoked
        return narrow


class Keys:
    """Nothing in here outlives the process; every comparison takes the same time."""

    def __init__(self, *, now_s: Callable[[], float], bearer: str = "") -> None:
        self.bearer = bearer  # empty: none opens this door
        self._now_s = now_s
        self._bearer_pass = Pass("bearer", "bearer", bearer)
        self._links: dict[str, SignInLink] = {}
        self._browsers: list[Pass] = []
        self.on_ended: Callable[[str], None] = lambda _name: None  # a pass, whose answers count no more

    def secrets(self) -> Iterator[str]:
        """All that opens a door at this moment, so that it can be kept out of what leaves."""
        yield from ([self.bearer] if self.bearer else [])
        yield from self._links
        for browser in self._browsers:
            yield from (browser.secret, browser.key)

    def find_bearer(self, given: str) -> Pass | None:
        is_right = _same(given, self.bearer) and self.bearer and not self._bearer_pass.revoked.is_set()
        return self._bearer_pass if is_right else None

    def find_browser(self, cookie: str, key: str) -> Pass | None:
        """Both must be right: the cookie alone is known to every server on this host."""
        found = None
        for browser in self._browsers:
            if _same(cookie, browser.secret) & _same(key, browser.key):
                found = browser
        return found

    def find_cookie(self, cookie: str) -> Pass | None:
        """Whose cookie this is. It opens nothing by itself."""
        found = None
        for browser in self._browsers:
            if _same(cookie, browser.secret):
                found = browser
        return found

    def new_link(self, workspace: str = "", *, scope: Scope = "full") -> str:
        """A token that may stand in a URL, because it opens once and not for long."""
        self._forget_old_links()
        link = secrets.token_urlsafe(32)
        self._links[link] = SignInLink(self._now_s() + LINK_LIFE_S, workspace, scope)
        forget_oldest(self._links, MAX_LINKS)
        return link

    def spend(self, given: str) -> SignInLink | None:
        """What it opens, the first time and if it comes in time."""
        self._forget_old_links()
        found = [self._links.pop(link) for link in tuple(self._links) if _same(given, link)]
        return found[0] if found else None

    def make_room(self) -> list[Pass]:
        """For one more browser; those that end for it."""
        oldest = self._browsers[: max(0, len(self._browsers) - MAX_BROWSERS + 1)]
        for browser in oldest:
            self.revoke(browser)
        return oldest

    def admit_browser(self, scope: Scope = "full") -> Pass:
        self.make_room()
        name = f"browser-{secrets.token_hex(3)}"
        cookie, key = secrets.token_urlsafe(32), secrets.token_urlsafe(32)
        browser = Pass("browser", name, cookie, key, scope=scope)
        self._browsers.append(browser)
        return browser

    def revoke(self, browser: Pass) -> None:
        if browser in self._browsers:
            self._browsers.remove(browser)
        self.on_ended(browser.name)
        browser.revoked.set()

    def list_passes(self, door: Door) -> tuple[PassInfo, ...]:
        """The credential is listed at the outer door: here it opens nothing that this user cannot."""
        bearer = [self._bearer_pass] if door == "outside" and not self._bearer_pass.revoked.is_set() else []
        return tuple(
            PassInfo(
                name=one.name,
                kind="browser" if one.kind == "browser" else "credential",
                door=door,
                scope=one.scope,
                since_ms=one.since_ms,
                seen_at_ms=one.seen_at_ms,
            )
            for one in (*bearer, *self._browsers)
        )

    def find_credential(self, name: str) -> str:
        return self.bearer if name == self._bearer_pass.name else ""

    def revoke_named(self, name: str) -> bool:
        found = [one for one in (self._bearer_pass, *self._browsers) if one.name == name]
        for one in found:
            self.revoke(one)
        return bool(found)

    def _forget_old_links(self) -> None:
        now = self._now_s()
        self._links = {name: link for name, link in self._links.items() if link.ends_s > now}


def _same(given: str, kept: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "surrogateescape"), kept.encode())
