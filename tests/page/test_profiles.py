"""A profile that one test used and the next one gets: as new, or another."""

import pytest
from tests.page.profiles import PARKED, SIZE
from tests.page.viewer import ServedPage

pytestmark = pytest.mark.asyncio(loop_scope="session")

KEPT = "[localStorage.length, sessionStorage.length, (await indexedDB.databases()).length]"


async def test_what_a_test_left_is_gone_for_the_next(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        await viewer.enter()
        await viewer.page.evaluate("localStorage.setItem('a', '1'); sessionStorage.setItem('a', '1')")
        await viewer.page.evaluate("new Promise((done) => { indexedDB.open('a').onsuccess = done; }).then()")
        await viewer.page.set_viewport_size({"width": 300, "height": 300})
        used = viewer.page
    async with served.viewer() as viewer:
        assert viewer.page is used
        assert viewer.page.viewport_size == SIZE
        assert await viewer.page.context.cookies() == []
        await viewer.page.goto(f"{served.doors.url}{PARKED}")
        assert await viewer.page.evaluate(f"async () => {KEPT}") == [0, 0, 0]


async def test_a_profile_that_was_changed_for_good_is_closed(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        await viewer.enter()
        await viewer.page.add_init_script("window.changed = true")
        scripted = viewer.page
    async with served.viewer() as viewer:
        assert scripted.is_closed()
        await viewer.enter()
        await viewer.page.clock.install()
        timed = viewer.page
    assert timed.is_closed()


async def test_two_at_once_have_nothing_in_common(served: ServedPage) -> None:
    async with served.viewer() as one, served.viewer() as other:
        await one.enter()
        await other.page.goto(served.doors.url)
        assert (len(await one.page.context.cookies()), await other.page.context.cookies()) == (1, [])
        other.faults.clear()  # the browser's own line about the 401
