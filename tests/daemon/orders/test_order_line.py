"""The line of Orders: two at once, the third hears its place, and one that gives up leaves it."""

import asyncio
from contextlib import suppress

from bascule.daemon.orders.order_line import OrderLine
from bascule.host.processes.tasks import Tasks


async def test_the_next_one_begins_when_one_ends_and_hears_its_place_meanwhile() -> None:
    line, begun, places = OrderLine(), asyncio.Queue[str](), list[tuple[str, int]]()
    ends = {name: asyncio.Event() for name in "abcd"}

    async def work(name: str) -> None:
        async with line.turn("/w", name, 2, lambda place: places.append((name, place))):
            begun.put_nowait(name)
            await ends[name].wait()

    async with Tasks() as tasks:
        started = {name: tasks.start(name, work(name)) for name in "abcd"}
        assert [await begun.get(), await begun.get()] == ["a", "b"]
        while len(places) < 2:
            await asyncio.sleep(0)
        assert (line.ahead("/w"), line.ahead("/elsewhere"), begun.empty()) == (4, 0, True)
        started["c"].cancel()  # it gives up its place
        with suppress(asyncio.CancelledError):
            await started["c"]
        ends["a"].set()
        assert await begun.get() == "d"
        ends["b"].set()
        ends["d"].set()
    assert (line.ahead("/w"), places) == (0, [("c", 2), ("d", 3), ("d", 2)])
