"""Tasks: named, owned, ended; what fails is logged under its name and takes nobody along."""

import asyncio
import logging

import pytest

from bascule.host.processes.tasks import Tasks, whole


async def wait_for_ever(ended: list[str]) -> None:
    try:
        await asyncio.Event().wait()
    finally:
        ended.append("ended")


async def fail() -> None:
    raise ValueError("broken")


async def test_a_failure_is_logged_with_the_tasks_name_and_the_others_go_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    ended: list[str] = []
    async with Tasks() as tasks:
        other = tasks.start("reader", wait_for_ever(ended))
        await tasks.start("codex[7] writer", fail())
        assert not other.done()
        assert tasks.names == ["reader"]
    [record] = caplog.records
    assert (record.levelno, record.getMessage()) == (logging.ERROR, "task codex[7] writer failed")
    assert record.__dict__["subject"] == "codex[7] writer"
    assert record.exc_info is not None
    assert str(record.exc_info[1]) == "broken"
    assert ended == ["ended"]


async def test_closing_waits_until_each_has_ended() -> None:
    order: list[str] = []
    begun = asyncio.Event()

    async def slow_to_end() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0)
            order.append("task")

    tasks = Tasks()
    tasks.start("slow", slow_to_end())
    await begun.wait()
    await tasks.close()
    order.append("closed")
    await tasks.close()
    assert (order, tasks.names) == (["task", "closed"], [])


async def test_a_task_may_close_its_owner() -> None:
    tasks = Tasks()
    ended: list[str] = []
    other = tasks.start("other", wait_for_ever(ended))

    async def close() -> None:
        await asyncio.sleep(0)
        await tasks.close()
        ended.append("closer")

    await tasks.start("closer", close())
    assert other.cancelled()
    assert ended == ["ended", "closer"]


async def test_nothing_starts_after_the_close() -> None:
    tasks = Tasks()
    await tasks.close()
    with pytest.raises(RuntimeError, match="task late was started after its owner was closed"):
        tasks.start("late", fail())


async def test_what_is_whole_ends_before_who_waited_for_it_and_was_cancelled(
    caplog: pytest.LogCaptureFixture,
) -> None:
    done, goes_on, asked = list[str](), asyncio.Event(), list[str]()

    async def act() -> str:
        done.append("recorded")
        await goes_on.wait()
        done.append("done")
        return "result"

    waiting = asyncio.gather(whole("an act", act(), lambda: asked.append("end soon")))
    await asyncio.sleep(0)
    await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.sleep(0)
    assert (done, asked, waiting.done()) == (["recorded"], ["end soon"], False)
    goes_on.set()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    assert done == ["recorded", "done"]
    assert await whole("an act", act()) == "result"
    with pytest.raises(ValueError, match="broken"):
        await whole("a failure", fail())
    failing = asyncio.gather(whole("a failure", fail()))
    await asyncio.sleep(0)
    failing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await failing
    assert [record.getMessage() for record in caplog.records] == [
        "a failure failed when nobody waited for it: broken"
    ]
