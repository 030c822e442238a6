"""Output: joined for a moment, sent in order, never more than a ceiling waiting."""

import asyncio

from tests.patience import PATIENCE_S

from bascule.daemon.edits.command_output import MAX_TAIL, MAX_WAITING, Output


async def test_neighbours_are_sent_together_and_nothing_is_lost() -> None:
    sent: asyncio.Queue[str] = asyncio.Queue()
    output = Output(sent.put_nowait)
    for word in ("one ", "two ", "three"):
        output.hear(word)
    assert sent.empty()
    assert await asyncio.wait_for(sent.get(), PATIENCE_S) == "one two three"
    output.hear(" four")
    output.flush()
    assert sent.get_nowait() == " four"
    output.flush()
    assert (sent.empty(), output.tail) == (True, "one two three four")


async def test_a_flood_is_sent_at_once_and_only_its_end_is_kept() -> None:
    sent: list[str] = []
    output = Output(sent.append)
    output.hear("a" * MAX_WAITING)
    assert [len(text) for text in sent] == [MAX_WAITING]
    output.hear("b" * MAX_WAITING)
    assert output.tail == "b" * MAX_TAIL
