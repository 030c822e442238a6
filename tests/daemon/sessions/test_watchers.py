"""A watcher gets a snapshot, then Changes in order; a list watcher gets which sessions changed."""

import asyncio

from tests.daemon.hubs import ONE, make_session

from bascule.daemon.sessions.watchers import ListWatcher, ResidentSession, SessionSnapshot, Watcher
from bascule.model.changes import TitleSet
from bascule.model.ids import SessionId


def resident(left: list[str]) -> ResidentSession:
    return ResidentSession(make_session(), lambda: left.append("left"), max_blocks=10)


async def test_nothing_is_sent_before_the_log_is_there_then_all_then_what_is_new() -> None:
    one, news = resident([]), asyncio.Event()
    watcher = Watcher(one, news)
    assert (watcher.take(), news.is_set()) == ([], True)
    async with asyncio.TaskGroup() as tasks:
        next_ = tasks.create_task(watcher.next())
        while news.is_set():
            await asyncio.sleep(0)
        one.is_loaded = True
        watcher.wake()
        assert await next_ == SessionSnapshot(0, one.fold.session())
    renamed = TitleSet("Lift the deck", by="person")
    watcher.put(1, renamed)
    taken = watcher.take()
    assert isinstance(taken, list)
    assert [numbered.change for numbered in taken] == [renamed]
    assert watcher.take() == []


def test_a_session_may_leave_memory_when_the_last_watcher_is_gone() -> None:
    left: list[str] = []
    one = resident(left)
    watcher = Watcher(one, asyncio.Event())
    one.watchers.add(watcher)
    one.is_loaded = True
    assert not one.is_free()
    watcher.close()
    assert (one.is_free(), left) == (True, ["left"])
    one.holds = 1
    assert not one.is_free()


def test_a_list_names_each_changed_session_once() -> None:
    owner: set[ListWatcher] = set()
    news = asyncio.Event()
    watcher = ListWatcher(owner, news)
    owner.add(watcher)
    for session in (ONE, SessionId("s_two"), ONE):
        watcher.mark(session)
    assert (news.is_set(), watcher.take(), watcher.take()) == (True, {ONE, "s_two"}, set())
    watcher.close()
    assert owner == set()
