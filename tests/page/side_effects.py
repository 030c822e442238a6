"""What a page must not do: what it ran, opened, asked of elsewhere or grew."""

import re
from typing import Any

from playwright.async_api import Dialog, Frame, Page, Request
from tests.page.viewer import Viewer

# Elements and attributes that only somebody else's text could have brought.
FOREIGN = """() => {
  const tags =
    "script, style, link, meta, base, iframe, object, embed, form[action], video, audio, math, template";
  const bad = /^[\\x00-\\x20]*(javascript|vbscript|data:text|file|blob):?/i;
  const found = [...document.body.querySelectorAll(tags)].map((one) => one.outerHTML.slice(0, 200));
  for (const one of document.querySelectorAll("body, body *")) {
    for (const { name, value } of one.attributes) {
      const isCode = name.startsWith("on") || name === "srcdoc" || name === "formaction";
      const isAddress = ["href", "xlink:href", "src", "srcset", "action", "data"].includes(name);
      const isOurs = one.localName === "a" || /^(data:image\\/|blob:|\\.\\/files\\/)/.test(value);
      const isBad = isAddress && (!isOurs || bad.test(value));
      if (isCode || isBad) found.push(`${one.localName} ${name}=${value}`.slice(0, 200));
    }
  }
  return found;
}"""

# Text that is drawn in another order than it has, in a name or a label: a person reads what is not there.
LYING = """() => {
  const turned = /[\\u202a-\\u202e\\u2066-\\u2069]/;
  const texts = ".text-markdown, .text-plain, .text-code";
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let one = walker.nextNode(); one; one = walker.nextNode()) {
    if (one instanceof Text) {
      if (turned.test(one.data) && !one.parentElement.closest(texts))
        found.push(`${one.parentElement.className}: ${one.data}`.slice(0, 200));
    } else
      for (const name of ["aria-label", "title", "alt", "placeholder"])
        if (turned.test(one.getAttribute(name) ?? ""))
          found.push(`${one.className} ${name}=${one.getAttribute(name)}`.slice(0, 200));
  }
  return found;
}"""


ADDRESS = re.compile(r"/#/s/s_[0-9a-f]{32}")  # of a session, which the page itself gives it


class SideEffects:
    def __init__(self, viewer: Viewer) -> None:
        self.page = viewer.page
        self.origin = viewer.doors.url.rstrip("/")
        self.sprung: list[str] = []
        self.page.on("dialog", self._dialog)
        self.page.on("request", self._request)
        self.page.on("popup", lambda page: self.sprung.append(f"opened {page.url}"))
        self.page.on("download", lambda file: self.sprung.append(f"downloaded {file.url}"))
        self.page.on("websocket", lambda socket: self._address(socket.url.replace("ws://", "http://")))
        self.page.on("framenavigated", self._navigated)
        self._entered = False

    async def arm(self) -> None:
        """From now on the page stays where it is: the same document, under the address of a session."""
        await self.page.evaluate("window.armed = true")
        self._entered = True

    async def look(self) -> list[str]:
        """All that should not be; nothing, where texts stayed texts."""
        ran: Any = await self.page.evaluate(
            "[window.pwned, ({}).polluted].filter((one) => one !== undefined)"
        )
        foreign: list[str] = await self.page.evaluate(FOREIGN)
        lying: list[str] = await self.page.evaluate(LYING)
        refused: list[str] = await self.page.evaluate("window.refused")
        same: bool = await self.page.evaluate("window.armed === true")
        left = ["left the document"] if self._entered and not same else []
        return [*self.sprung, *left, *(f"ran {one}" for one in ran), *foreign, *lying, *refused]

    async def _dialog(self, dialog: Dialog) -> None:
        self.sprung.append(f"dialog {dialog.message}")
        await dialog.dismiss()

    def _request(self, request: Request) -> None:
        self._address(request.url)

    def _address(self, url: str) -> None:
        if not url.startswith((f"{self.origin}/", "data:image/", "blob:")):
            self.sprung.append(f"asked {url[:200]}")

    def _navigated(self, frame: Frame) -> None:
        if frame != self.page.main_frame or (self._entered and not self._is_address(frame.url)):
            self.sprung.append(f"went to {frame.url}")

    def _is_address(self, url: str) -> bool:
        return url.startswith(self.origin) and ADDRESS.fullmatch(url.removeprefix(self.origin)) is not None


async def scroll_width(page: Page) -> int:
    """By how much the page is wider than its window."""
    wider: int = await page.evaluate(
        "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    )
    return wider
