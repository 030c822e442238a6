"""How a browser gets in: by a link, with a key of its own; and what the cookie is worth without it."""

import asyncio
import os

import pytest
from playwright.async_api import expect
from tests.page.listener import find_violations, load_axe
from tests.page.viewer import ServedPage

from bascule.host.network.browser_link import open_in_browser
from bascule.host.own_command import find_own_command
from bascule.host.processes.program import SearchPath
from bascule.serve.selftest.probe import RawWebSocket, ask, make_request

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_without_a_key_the_page_says_how_to_get_one_and_takes_the_link(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        page, link = viewer.page, served.doors.new_link()
        await load_axe(page)
        await page.goto(served.doors.url)
        await expect(page.get_by_role("heading", name="Sign in to Bascule")).to_be_visible()
        assert await find_violations(page) == []
        field = page.get_by_role("textbox", name=f"Link from {find_own_command()} up")
        for pasted, why in (("http://elsewhere/", "This isn't a link"), (link + "x", "has been used")):
            await field.fill(pasted)
            await page.get_by_role("button", name="Sign in").click()
            await expect(page.get_by_role("status").filter(has_text=why)).to_be_visible()
        await field.fill(f"  {link} ")
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.locator("body")).to_have_attribute("data-connection", "open")
        viewer.faults.clear()  # the browser's own line about the 401


async def test_a_link_leaves_the_address_and_its_key_is_in_no_cookie(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        link = served.doors.new_link(str(served.setup.project))
        await viewer.page.goto(link)
        await expect(viewer.page.locator("body")).to_have_attribute("data-connection", "open")
        assert viewer.page.url == served.doors.url
        key = await viewer.page.evaluate("localStorage.getItem('bascule:key')")
        [cookie] = await viewer.page.context.cookies()
        assert (len(key), cookie["httpOnly"], cookie["sameSite"], key in cookie["value"]) == (
            43,
            True,
            "Strict",
            False,
        )

        second = await viewer.page.context.new_page()  # another tab needs no link
        await second.goto(served.doors.url)
        await expect(second.locator("body")).to_have_attribute("data-connection", "open")

        other = await viewer.page.context.new_page()  # a link that is spent takes nothing from who is in
        await other.goto(link)
        await expect(other.locator("body")).to_have_attribute("data-connection", "open")


async def test_another_server_on_this_machine_gets_the_cookie_and_nothing_by_it(served: ServedPage) -> None:
    """Cookies know no ports. The browser hands ours to whatever else listens on 127.0.0.1."""
    stolen: list[str] = []

    async def steal(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        stolen.extend(
            line.partition(": ")[2] for line in head.split("\r\n") if line.lower().startswith("cookie:")
        )
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 2\r\n\r\nhi")
        await writer.drain()
        writer.close()

    thief = await asyncio.start_server(steal, "127.0.0.1", 0)
    async with thief, served.viewer() as viewer:
        await viewer.enter()
        known = len(viewer.live.app.surfaces.all())
        port = thief.sockets[0].getsockname()[1]
        page = await viewer.page.context.new_page()
        await page.goto(f"http://127.0.0.1:{port}/")
        cookie = next(one for one in stolen if "bascule_" in one)
        assert await page.evaluate("localStorage.length") == 0
        host = served.doors.url.split("/")[2]
        forged = {"Host": host, "Origin": f"http://{host}", "Cookie": cookie}
        where = served.doors.registration.port
        for more in ({}, {"Sec-WebSocket-Protocol": "bascule"}):
            socket = await asyncio.to_thread(RawWebSocket, where, {**forged, **more})
            socket.close()
            assert socket.status == 401
        for target in ("/status", "/files/x", "/nowhere"):
            answer = await asyncio.to_thread(ask, where, make_request("GET", target, forged.items()))
            assert answer.status in (401, 404)
        assert len(viewer.live.app.surfaces.all()) == known


async def test_the_file_that_hands_over_a_link_opens_the_page(
    served: ServedPage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To the browser that file is another site."""
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    open_in_browser(served.setup.folder, served.doors.new_link(), SearchPath(os.environ))
    async with served.viewer() as viewer:
        await viewer.page.goto(opened[0])
        await expect(viewer.page.locator("body")).to_have_attribute("data-connection", "open")
        assert viewer.page.url == served.doors.url


async def test_a_link_that_is_opened_where_the_page_is_shown_signs_it_in_again(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        page = viewer.page
        await viewer.enter()
        await page.context.clear_cookies()
        await page.evaluate("localStorage.clear()")
        await page.reload()
        await expect(page.get_by_role("heading", name="Sign in to Bascule")).to_be_visible()
        await viewer.enter()  # only what is behind the # changes
        await expect(page.get_by_role("heading", name="Sign in to Bascule")).to_have_count(0)


async def test_a_page_whose_key_is_old_when_it_is_opened_asks_for_a_link(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        page = viewer.page
        await viewer.enter()
        await page.evaluate("localStorage.setItem('bascule:key', 'old')")
        await page.reload()
        await expect(page.get_by_role("heading", name="Sign in to Bascule")).to_be_visible()
        await page.wait_for_function("() => [...document.fonts].some((one) => one.status === 'loaded')")
        await page.close()
        viewer.faults.clear()  # the browser's own lines about the 401s


async def test_signing_out_in_the_settings_ends_every_tab_and_takes_a_new_link(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        page = viewer.page
        await viewer.enter()
        second = await page.context.new_page()
        await second.goto(served.doors.url)
        await expect(second.locator("body")).to_have_attribute("data-connection", "open")
        await page.get_by_role("button", name="Settings", exact=True).click()
        await page.get_by_role("button", name="Sign out of this browser").click()
        for tab in (page, second):
            await expect(tab.get_by_role("heading", name="Sign in to Bascule")).to_be_visible()
            await expect(tab.get_by_text("Retrying")).to_have_count(0)
        assert await page.evaluate("localStorage.getItem('bascule:key')") is None
        await page.get_by_role("textbox", name=f"Link from {find_own_command()} up").fill(
            served.doors.new_link()
        )
        await page.get_by_role("button", name="Sign in").click()
        await expect(page.locator("body")).to_have_attribute("data-connection", "open")
        await expect(second.get_by_role("heading", name="Sign in to Bascule")).to_have_count(0)
        await second.close()
        await page.close()
        viewer.faults.clear()  # the browser's own lines about the 401s
