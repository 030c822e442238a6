"""Places for open calls: quick ones are slowed down, slow ones never stop the reader for long."""

import asyncio

from bascule.daemon.surfaces.call_slots import CallSlots

SOON_S = 0.01


async def test_no_more_than_there_are() -> None:
    slots = CallSlots(2, SOON_S)
    assert [await slots.take() for _ in range(3)] == [True, True, False]


async def test_a_place_that_becomes_free_is_waited_for() -> None:
    slots = CallSlots(1, 60)
    assert await slots.take()
    asyncio.get_running_loop().call_soon(slots.give_back)
    assert await slots.take()


async def test_when_none_became_free_in_time_nobody_waits_until_one_does() -> None:
    slots = CallSlots(1, SOON_S)
    assert [await slots.take(), await slots.take()] == [True, False]
    async with asyncio.timeout(SOON_S / 2):  # at once: those calls all wait for somebody
        assert not await slots.take()
    slots.give_back()
    assert await slots.take()
