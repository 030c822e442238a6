"""An Ask of ours waits for its answer, for its time, or until who asked gives up."""

import asyncio

import pytest

from bascule.daemon.consent.answer_wait import AnswerWait
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Answer
from bascule.model.ids import AskId

YES = Answer(ask=AskId("a"), choice="yes")


async def test_an_answer_is_kept_and_cannot_be_given_up_afterwards() -> None:
    wait = AnswerWait()

    async def ask() -> Answer:
        return YES

    assert (await wait.wait(ask), wait.give_up(), wait.gave_up) == (YES, False, False)


async def test_without_an_answer_in_time_there_is_none() -> None:
    async def never() -> Answer:
        return await asyncio.Future()

    assert await AnswerWait(limit_s=0).wait(never) is None


async def test_who_gives_up_stops_waiting_and_nothing_is_asked_again() -> None:
    wait, asked = AnswerWait(), asyncio.Event()

    async def never() -> Answer:
        asked.set()
        return await asyncio.Future()

    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(wait.wait(never))
        await asked.wait()
        assert wait.give_up()
        assert await waiting is None
    asked.clear()
    assert (await wait.wait(never), asked.is_set()) == (None, False)


async def test_an_answer_and_giving_up_in_one_moment_have_one_end() -> None:
    wait, asked = AnswerWait(), asyncio.Event()
    yes: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()

    async def ask() -> Answer:
        asked.set()
        return await yes

    async with asyncio.TaskGroup() as tasks:
        waiting = tasks.create_task(wait.wait(ask))
        await asked.wait()
        yes.set_result(YES)
        assert wait.give_up()
        assert wait.give_up()
        assert await waiting is None


async def test_who_is_cancelled_from_outside_does_not_go_on() -> None:
    wait, asked = AnswerWait(), asyncio.Event()

    async def never() -> Answer:
        asked.set()
        return await asyncio.Future()

    async def ask() -> None:
        await wait.wait(never)

    async with Tasks() as tasks:
        waiting = tasks.start("waiting", ask())
        await asked.wait()
        assert wait.give_up()
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
