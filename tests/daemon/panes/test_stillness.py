"""Output that stands still is heard once, and heard over with the next byte; at rest no timer runs."""

import asyncio

from bascule.daemon.panes.stillness import Stillness


class Heard:
    def __init__(self) -> None:
        self.said: list[bool] = []
        self.news = asyncio.Event()

    def __call__(self, is_still: bool) -> None:
        self.said.append(is_still)
        self.news.set()


async def test_it_is_told_once_and_over_with_the_next_output() -> None:
    heard = Heard()
    stillness = Stillness(heard, still_s=0.01)
    assert (stillness.is_still, stillness.has_timer) == (False, False)
    for _ in range(1_000):
        stillness.moved()
    assert (heard.said, stillness.has_timer) == ([], True)
    await heard.news.wait()
    assert (heard.said, stillness.is_still, stillness.has_timer) == ([True], True, False)
    stillness.moved()
    assert (heard.said, stillness.is_still) == ([True, False], False)
    stillness.end()
    assert not stillness.has_timer


async def test_output_in_between_begins_the_wait_again() -> None:
    heard = Heard()
    loop = asyncio.get_running_loop()
    stillness = Stillness(heard, still_s=0.05)
    begun = loop.time()
    stillness.moved()
    loop.call_later(0.03, stillness.moved)
    await heard.news.wait()
    assert loop.time() - begun >= 0.08
