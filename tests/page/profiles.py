"""Browser profiles, used by one test after the other: each clears what it did, or its profile is closed."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from playwright.async_api import Browser, BrowserContext, Error, Page, ViewportSize

PATIENCE_MS = 20_000
SIZE: ViewportSize = {"width": 1280, "height": 800}
PARKED = "icon.svg"  # of the same origin, so that the browser goes on with the same process
# What the page's own policy refused is kept where a test can read it.
LISTEN = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.refused.push(`${event.violatedDirective}: ${event.blockedURI} ${event.sample}`);
});
"""
FORGET = """async () => {
  localStorage.clear();
  sessionStorage.clear();
  for (const { name } of await indexedDB.databases()) indexedDB.deleteDatabase(name);
}"""
# Whoever calls one of these has changed the profile for good.
LASTING_IN_PAGE = (
    *("add_init_script", "emulate_media", "expose_binding", "expose_function", "on", "once", "route"),
    *("route_from_har", "route_web_socket", "set_extra_http_headers"),
)
LASTING_IN_CONTEXT = (
    *("add_cookies", "add_init_script", "expose_binding", "expose_function", "grant_permissions"),
    *("new_cdp_session", "new_page", "on", "once", "route", "route_from_har", "route_web_socket"),
    *("set_extra_http_headers", "set_geolocation", "set_offline"),
)
LASTING_IN_CLOCK = ("fast_forward", "install", "pause_at", "set_fixed_time", "set_system_time")


class Profile:
    """One page and its cookies; every fault that the page logs is kept."""

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.page = page
        self.faults: list[str] = []
        self.is_spent = False
        self._context = context
        page.on("pageerror", lambda error: self.faults.append(f"{error}\n{error.stack}"))
        page.on("console", self._hear)
        self._mark(page, LASTING_IN_PAGE)
        self._mark(context, LASTING_IN_CONTEXT)
        self._mark(context.clock, LASTING_IN_CLOCK)
        self._mark(page.clock, LASTING_IN_CLOCK)

    def _hear(self, message: Any) -> None:
        if message.type == "error":
            self.faults.append(message.text)

    def _mark(self, owner: object, names: tuple[str, ...]) -> None:
        for name in names:
            setattr(owner, name, self._spending(getattr(owner, name)))

    def _spending(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def spend(*words: Any, **more: Any) -> Any:
            self.is_spent = True
            return call(*words, **more)

        return spend

    async def clear(self, origin: str) -> None:
        """As if nobody had been here. The page leaves first: what it writes then is cleared too."""
        try:
            await self.page.goto(f"{origin.rstrip('/')}/{PARKED}")
        except Error as fault:
            if "ERR_ABORTED" not in str(fault):  # by a step back, which the page takes when something closes
                raise
            await self.page.goto(f"{origin.rstrip('/')}/{PARKED}")
        await self.page.evaluate(FORGET)
        await self._context.clear_cookies()
        await self.page.mouse.move(-1, -1)
        await self.page.set_viewport_size(SIZE)
        self.faults = []

    async def close(self) -> None:
        await self._context.close()


class Profiles:
    """All of one browser: at most one lies ready."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self._ready: Profile | None = None

    @asynccontextmanager
    async def use(self, origin: str, **wishes: Any) -> AsyncIterator[Profile]:
        """Kept for the next only after a test that passed, and of no special kind."""
        profile = await self._take(wishes)
        try:
            yield profile
        except BaseException:
            await profile.close()
            raise
        if wishes or profile.is_spent or profile.page.is_closed() or self._ready is not None:
            await profile.close()
        else:
            await profile.clear(origin)
            self._ready = profile

    async def _take(self, wishes: dict[str, Any]) -> Profile:
        ready, self._ready = (self._ready, None) if not wishes else (None, self._ready)
        if ready is not None:
            return ready
        context = await self.browser.new_context(viewport=SIZE, **wishes)
        context.set_default_timeout(PATIENCE_MS)
        page = await context.new_page()
        await page.add_init_script(LISTEN)
        return Profile(context, page)
