"""Who may come in: one bearer token, links that open once, and the browsers that came by one."""

import asyncio
import secrets
from collections.abc import Callable
from typing import Literal

from msgspec import Struct

LINK_LIFE_S = 300.0  # from the printed link to the click
MAX_LINKS = 16
MAX_BROWSERS = 32  # the one that came first goes first


class Link(Struct, frozen=True):
    """Opens once; whoever comes by it works in the folder where it was asked for."""

    ends_s: float
    workspace: str


class Pass:
    """How somebody came in. Once revoked, what was opened with it is closed."""

    def __init__(self, kind: Literal["bearer", "browser"], name: str, secret: str) -> None:
        self.kind = kind
        self.name = name  # for the log
        self.secret = secret
        self.revoked = asyncio.Event()


class Keys:
    """Nothing in here outlives the process; every comparison takes the same time."""

    def __init__(self, *, now_s: Callable[[], float], bearer: str = "") -> None:
        self.bearer = bearer or secrets.token_urlsafe(32)
        self._now_s = now_s
        self._bearer_pass = Pass("bearer", "bearer", self.bearer)
        self._links: dict[str, Link] = {}
        self._browsers: list[Pass] = []

    def find_bearer(self, given: str) -> Pass | None:
        return self._bearer_pass if _same(given, self.bearer) else None

    def find_browser(self, given: str) -> Pass | None:
        found = None
        for browser in self._browsers:
            if _same(given, browser.secret):
                found = browser
        return found

    def new_link(self, workspace: str = "") -> str:
        """A token that may stand in a URL, because it opens once and not for long."""
        self._forget_old_links()
        while len(self._links) >= MAX_LINKS:
            self._links.pop(next(iter(self._links)))
        link = secrets.token_urlsafe(32)
        self._links[link] = Link(self._now_s() + LINK_LIFE_S, workspace)
        return link

    def spend(self, given: str) -> Link | None:
        """What it opens, the first time and if it comes in time."""
        self._forget_old_links()
        found = [self._links.pop(link) for link in tuple(self._links) if _same(given, link)]
        return found[0] if found else None

    def admit_browser(self) -> Pass:
        while len(self._browsers) >= MAX_BROWSERS:
            self.revoke(self._browsers[0])
        secret = secrets.token_urlsafe(32)
        browser = Pass("browser", f"browser-{secrets.token_hex(3)}", secret)
        self._browsers.append(browser)
        return browser

    def revoke(self, browser: Pass) -> None:
        if browser in self._browsers:
            self._browsers.remove(browser)
        browser.revoked.set()

    def _forget_old_links(self) -> None:
        now = self._now_s()
        self._links = {name: link for name, link in self._links.items() if link.ends_s > now}


def _same(given: str, kept: str) -> bool:
    return secrets.compare_digest(given.encode("utf-8", "surrogateescape"), kept.encode())
