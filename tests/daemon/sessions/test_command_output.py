"""Output: joined for a moment, told in order, never more than a ceiling waiting."""

import asyncio

from bascule.daemon.sessions.command_output import MAX_TAIL, MAX_WAITING, Output


async def test_neighbours_are_told_together_and_nothing_is_lost() -> None:
    told: asyncio.Queue[str] = asyncio.Queue()
    output = Output(told.put_nowait)
    for word in ("one ", "two ", "three"):
        output.hear(word)
    assert told.empty()
    assert await asyncio.wait_for(told.get(), 10) == "one two three"
    output.hear(" four")
    output.flush()
    assert told.get_nowait() == " four"
    output.flush()
    assert (told.empty(), output.tail) == (True, "one two three four")


async def test_a_flood_is_told_at_once_and_only_its_end_is_kept() -> None:
    told: list[str] = []
    output = Output(told.append)
    output.hear("a" * MAX_WAITING)
    assert [len(text) for text in told] == [MAX_WAITING]
    output.hear("b" * MAX_WAITING)
    assert output.tail == "b" * MAX_TAIL
