"""The operator's page of a real relay: signed in with the token, live, and safe against what others wrote."""

import asyncio
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect
from tests.page.listener import find_nameless, find_violations, load_axe
from tests.page.profiles import LISTEN
from tests.relay.service import OPERATIONS, Service, connect_machine, open_service
from tests.relay.test_relay import next_command, outcome_of

from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.steps import Note

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session")]

HOSTILE = "<img src=x onerror=alert(1)>\u202e"


@pytest_asyncio.fixture(loop_scope="session")
async def service(tmp_path: Path) -> AsyncIterator[Service]:
    async with open_service(tmp_path) as service:
        yield service


@pytest_asyncio.fixture(loop_scope="session")
async def page(browser: Browser) -> AsyncIterator[Page]:
    context = await browser.new_context(viewport={"width": 1280, "height": 800}, locale="en")
    page = await context.new_page()
    await page.add_init_script(LISTEN)
    await load_axe(page)
    yield page
    await context.close()


async def sign_in(page: Page, service: Service) -> None:
    await page.goto(f"{service.url}/ops")
    await page.get_by_label("Operations token").fill(OPERATIONS)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", name="Machines")).to_be_visible()


async def test_the_day_of_an_operator(page: Page, service: Service) -> None:
    await page.goto(f"{service.url}/ops/")
    await page.get_by_label("Operations token").fill("a wrong token of some length")
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("alert")).to_have_text("The relay refused this token.")
    await sign_in(page, service)
    await page.reload()
    await expect(page.get_by_text("No machine is enrolled.")).to_be_visible()
    await page.get_by_label("Enrol a machine").last.fill("desk")
    await page.get_by_role("button", name="Make a code").click()
    await expect(page.get_by_text("run `bascule bridge join` and enter:")).to_be_visible()
    await expect(page.locator(".operator-code code")).to_have_text(re.compile("^[A-Za-z0-9_-]{40,}$"))
    joined = await service.enroll("desk")  # with a code of its own; the newest counts
    async with connect_machine(joined) as machine:
        await machine.next()
        await expect(page.get_by_text("Connected since")).to_be_visible()
        await service.say(f"@dev plan {HOSTILE}")
        order = await next_command(machine)
        row = page.locator("li", has_text=order.command_id)
        await expect(row).to_contain_text("ann on desk")
        await machine.send(outcome_of(order, summary=HOSTILE))
        await expect(row).to_have_count(0)
        await expect(page.locator("tr", has_text="outcome")).to_contain_text("<img src=x onerror=alert(1)>")
        assert await find_violations(page) == []
        assert await find_nameless(page) == []
        await page.get_by_role("button", name="Revoke").click()
        await page.get_by_role("button", name="Yes").click()
        await expect(page.locator("li", has_text="desk")).to_contain_text("Revoked")
    await page.get_by_label("Status").fill("rejected")
    await expect(page.get_by_text("No line matches.")).to_be_visible()
    assert await page.evaluate("window.refused") == []
    await page.get_by_role("button", name="Sign out").click()
    assert await page.evaluate("sessionStorage.length") == 0


async def test_a_short_machine_name_is_on_one_line_at_every_width(page: Page, service: Service) -> None:
    await service.enroll("build-server")
    await service.enroll("desk")
    await service.say("@dev plan it")
    (command,) = (await service.operate("GET", "/inflight"))[1]["items"]
    await service.operate("POST", f"/commands/{command['commandId']}/cancel")
    detail = "WeCom answered 60020: not allow to access from your ip, the address of the relay is not trusted"
    line = AuditLine(at_ms=1, step="not reported yet", actor="ann", machine="build-server", detail=detail)
    await asyncio.to_thread(service.change, Note(line=line))
    await sign_in(page, service)
    name = page.locator("td", has_text=re.compile("^build-server$")).first
    await expect(name).to_be_visible()
    for width in range(860, 1281, 20):
        await page.set_viewport_size({"width": width, "height": 800})
        lines = await name.evaluate(
            "(cell) => { const text = document.createRange(); "
            "text.selectNodeContents(cell); return text.getClientRects().length; }"
        )
        assert lines == 1, width
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), width


async def test_the_tab_has_a_picture(page: Page, service: Service) -> None:
    await page.goto(f"{service.url}/ops/")
    picture = await page.locator('link[rel="icon"]').evaluate("(link) => link.href")
    answer = await page.request.get(picture)
    assert (answer.status, answer.headers["content-type"]) == (200, "image/svg+xml")


async def test_the_page_without_a_token_shows_nothing_of_the_relay(page: Page, service: Service) -> None:
    answer = await page.goto(f"{service.url}/ops/")
    assert answer is not None
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert (await page.request.get(f"{service.url}/ops/assets/../index.html")).status == 404
    for path in ("/machines", "/inflight", "/audit/recent"):
        assert (await page.request.get(f"{service.url}{path}")).status == 401
