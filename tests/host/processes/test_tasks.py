"""Tasks: named, owned, ended; what fails is logged under its name and takes nobody along."""

import asyncio
import logging

import pytest

from bascule.host.processes.tasks import Tasks


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
