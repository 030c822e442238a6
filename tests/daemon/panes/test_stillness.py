"""Output that stands still is told once, and told over with the next byte; at rest no timer runs."""

import asyncio

from bascule.daemon.panes.stillness import Stillness


class Told:
    def __init__(self) -> None:
        self.said: list[bool] = []
        self.news = asyncio.Event()

    def __call__(self, is_still: bool) -> None:
        self.said.append(is_still)
        self.news.set()


async def test_it_is_told_once_and_over_with_the_next_output() -> None:
    told = Told()
    stillness = Stillness(told, still_s=0.01)
    assert (stillness.is_still, stillness.has_timer) == (False, False)
    for _ in range(1_000):
        stillness.moved()
    assert (told.said, stillness.has_timer) == ([], True)
    await told.news.wait()
    assert (told.said, stillness.is_still, stillness.has_timer) == ([True], True, False)
    stillness.moved()
    assert (told.said, stillness.is_still) == ([True, False], False)
    stillness.end()
    assert not stillness.has_timer


async def test_output_in_between_begins_the_wait_again() -> None:
    told = Told()
    loop = asyncio.get_running_loop()
    stillness = Stillness(told, still_s=0.05)
    begun = loop.time()
    stillness.moved()
    loop.call_later(0.03, stillness.moved)
    await told.news.wait()
    assert loop.time() - begun >= 0.08
