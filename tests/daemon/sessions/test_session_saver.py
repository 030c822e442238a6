"""The session saver: what is stored is what was folded, in the same order, soon and after any mishap."""

import asyncio
import logging
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from tests.daemon.hubs import ONE, make_session, open_hub
from tests.patience import PATIENCE_S

from bascule.daemon.sessions.hub import Hub
from bascule.daemon.sessions.session_saver import DELAY_S, SessionSaver
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.store import Saved, Store
from bascule.model.asks import Ask, Choice, CommandSubject
from bascule.model.blocks import AssistantBlock, SystemBlock
from bascule.model.changes import (
    AskClosed,
    AskOpened,
    BlockGone,
    BlockPut,
    Change,
    Cleared,
    HistoryPut,
    RunPut,
    StatusSet,
    TextGrew,
)
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, ThreadId
from bascule.model.session import Run, Session

IDS = st.sampled_from([BlockId(name) for name in "abcd"])
RUN = RunId("r")
ASK = Ask(
    id=AskId("ask-1"),
    title="Run this?",
    subject=CommandSubject(command="make", original="make"),
    choices=(Choice(id="decline", label="No", grants=False),),
)
CHANGES: st.SearchStrategy[Change] = st.one_of(
    st.builds(lambda name, text: BlockPut(SystemBlock(id=name, text=text)), IDS, st.text(max_size=3)),
    st.builds(lambda name: BlockPut(AssistantBlock(id=name, run=RUN)), IDS),
    st.builds(lambda name, text: TextGrew(name, "text", text, run=RUN), IDS, st.text(max_size=3)),
    st.builds(BlockGone, IDS),
    st.just(RunPut(Run(id=RUN))),
    st.just(RunPut(Run(id=RUN, outcome="completed"))),
    st.just(HistoryPut(blocks=(AssistantBlock(id=BlockId("h"), run=RUN),), runs=(Run(id=RUN),))),
    st.just(HistoryPut(blocks=(SystemBlock(id=BlockId("o")),), runs=(), older=True)),
    st.just(Cleared(ThreadId("next"))),
)


def read_back(path: Path) -> Session:
    store = Store(path)
    (head,) = store.read_heads()
    blocks = store.read_blocks(head.id)
    store.close()
    return replace(head, blocks=blocks)


class Failing(Store):
    """Says that the disk is full whenever it is asked to."""

    is_full = False

    def save(self, saved: Iterable[Saved]) -> None:
        if self.is_full:
            fault = sqlite3.OperationalError("database or disk is full")
            fault.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise fault
        super().save(saved)


@settings(max_examples=2 * settings().max_examples, deadline=None)
@given(batches=st.lists(st.tuples(st.lists(CHANGES, max_size=3), st.booleans()), max_size=8))
def test_whatever_happened_the_disk_tells_the_same_story(
    tmp_path_factory: pytest.TempPathFactory, batches: list[tuple[list[Change], bool]]
) -> None:
    """Also when some of the writes fail: what is left to write stays one difference of each session."""

    async def live(path: Path) -> Session:
        store = Failing(path)
        saver = SessionSaver(store)
        hub = Hub(saver, [], lambda: 7)
        hub.add(make_session())
        for batch, fails in batches:
            store.is_full = fails
            hub.apply(ONE, batch)
            saver.flush()
            saver._thread.submit(lambda: None).result()
            assert len(saver._failed) <= 1
        store.is_full = False
        seen = hub.session(ONE)
        saver.close()
        return seen

    path = tmp_path_factory.mktemp("saver") / "db"
    assert asyncio.run(live(path)) == read_back(path)


async def test_a_block_that_went_and_came_again_is_the_last_one_on_disk_too(tmp_path: Path) -> None:
    """As a prompt that could not be sent, and was sent later."""
    saver = SessionSaver(Store(tmp_path / "db"))
    hub = Hub(saver, [], lambda: 7)
    hub.add(make_session())
    for change in (
        BlockPut(SystemBlock(id=BlockId("prompt"))),
        BlockPut(SystemBlock(id=BlockId("error"))),
        BlockGone(BlockId("prompt")),
        BlockPut(SystemBlock(id=BlockId("prompt"))),
        BlockPut(SystemBlock(id=BlockId("answer"))),
    ):
        hub.apply(ONE, [change])
        saver.flush()
    saver.close()
    assert [block.id for block in read_back(tmp_path / "db").blocks] == ["error", "prompt", "answer"]


async def test_a_change_is_stored_by_itself_after_a_quarter_of_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = asyncio.Event()
    loop = asyncio.get_running_loop()
    delays: list[float] = []

    def call_soon(delay_s: float, do: Callable[[], None]) -> asyncio.TimerHandle:
        delays.append(delay_s)
        return loop.call_at(loop.time(), do)

    class Telling(Store):
        def save(self, saved: Iterable[Saved]) -> None:
            super().save(saved)
            loop.call_soon_threadsafe(written.set)

    saver = SessionSaver(Telling(tmp_path / "db"))
    hub = Hub(saver, [], lambda: 7)
    with monkeypatch.context() as patched:
        patched.setattr(loop, "call_later", call_soon)
        hub.add(make_session())
        hub.apply(ONE, [StatusSet("working")])
    assert delays == [DELAY_S] == [0.25]
    await asyncio.wait_for(written.wait(), PATIENCE_S)
    assert read_back(tmp_path / "db").status == "working"
    saver.close()


@pytest.mark.parametrize("is_loaded", [True, False])
async def test_a_question_is_stored_before_anybody_can_answer_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_loaded: bool
) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.add(make_session())
    with open_hub(tmp_path / "db") as hub:
        if is_loaded:
            await hub.load(ONE)
        delays: list[float] = []
        later = asyncio.get_running_loop().call_later

        def note(delay_s: float, do: Callable[[], None]) -> asyncio.TimerHandle:
            delays.append(delay_s)
            return later(delay_s, do)

        monkeypatch.setattr(asyncio.get_running_loop(), "call_later", note)
        hub.apply(ONE, [StatusSet("working"), AskOpened(ASK), StatusSet("waiting_user")])
    assert delays == ([DELAY_S, 0] if is_loaded else [0])


async def test_settling_waits_for_a_slow_disk_and_not_for_a_full_one(tmp_path: Path) -> None:
    free, store = threading.Event(), Failing(tmp_path / "db")
    saver = SessionSaver(store)
    hub = Hub(saver, [], lambda: 7)
    hub.add(make_session())
    hub.apply(ONE, [AskOpened(ASK)])
    saver._thread.submit(free.wait, PATIENCE_S)
    async with Tasks() as tasks:
        settling = tasks.start("settle", saver.settle(ONE))
        await asyncio.sleep(0)
        assert (settling.done(), saver.is_saved(ONE)) == (False, False)
        free.set()
        await settling
    assert store.read_heads()[0].asks == (ASK,)
    store.is_full = True
    hub.apply(ONE, [AskClosed(ASK.id, "withdrawn")])
    await saver.settle(ONE)
    assert not saver.is_saved(ONE), "it is said, and tried again"
    store.is_full = False
    saver.close()


async def test_it_is_tried_again_by_itself_later_and_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without another change: who waits hears when it is well."""
    store = Failing(tmp_path / "db")
    saver = SessionSaver(store)
    hub = Hub(saver, [], lambda: 7)
    heard: asyncio.Queue[sqlite3.Error | None] = asyncio.Queue()
    saver.on_trouble = heard.put_nowait
    delays: list[float] = []
    loop = asyncio.get_running_loop()

    def call_soon(delay_s: float, do: Callable[[], None]) -> asyncio.TimerHandle:
        delays.append(delay_s)
        return loop.call_at(loop.time(), do)

    monkeypatch.setattr(loop, "call_later", call_soon)
    store.is_full = True
    hub.add(make_session())
    async with asyncio.timeout(PATIENCE_S):
        faults = [await heard.get() for _ in range(9)]
        store.is_full = False
        while (fault := await heard.get()) is not None:
            faults.append(fault)
    assert {str(fault) for fault in faults} == {"database or disk is full"}
    assert delays[:9] == [DELAY_S, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 30.0, 30.0]
    monkeypatch.undo()
    saver.close()
    assert read_back(tmp_path / "db").id == ONE


async def test_one_session_that_cannot_be_stored_does_not_hold_up_the_others(tmp_path: Path) -> None:
    class Spoilt(Store):
        def save(self, saved: Iterable[Saved]) -> None:
            listed = list(saved)
            if any(one.head.id == ONE for one in listed):
                fault = sqlite3.DatabaseError("database disk image is malformed")
                fault.sqlite_errorcode = sqlite3.SQLITE_CORRUPT
                raise fault
            super().save(listed)

    saver = SessionSaver(Spoilt(tmp_path / "db"))
    hub = Hub(saver, [], lambda: 7)
    hub.add(make_session())
    hub.add(make_session("s_two"))
    saver.close()
    assert read_back(tmp_path / "db").id == "s_two"


async def test_what_could_not_be_written_is_written_with_the_next_change(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "db"
    store = Store(path)
    saver = SessionSaver(store)
    hub = Hub(saver, [], lambda: 7)
    hub.add(make_session())
    saver.flush()
    hub.apply(ONE, [BlockPut(SystemBlock(id=BlockId("a")))])
    hub.keep_keys(ONE, {PromptKey("k"): "h"})
    other = sqlite3.connect(path, isolation_level=None)
    saver.read_last_prompts()  # the first write is through
    other.execute("ALTER TABLE blocks RENAME TO hidden")
    with caplog.at_level(logging.ERROR):
        saver.flush()
        saver.read_keys(ONE)  # the second one has failed
    assert "the store could not be written" in caplog.text
    other.execute("ALTER TABLE hidden RENAME TO blocks")
    other.close()
    hub.apply(ONE, [BlockPut(SystemBlock(id=BlockId("b")))])
    saver.close()
    assert [block.id for block in read_back(path).blocks] == ["a", "b"]
    again = Store(path)
    assert again.read_keys(ONE) == {"k": "h"}
    again.close()


async def test_the_oldest_blocks_leave_the_disk_with_the_log(tmp_path: Path) -> None:
    with open_hub(tmp_path / "db") as hub:
        hub.max_blocks = lambda: 3
        hub.add(make_session())
        for number in range(5):
            hub.apply(ONE, [BlockPut(SystemBlock(id=BlockId(f"b{number}")))])
    seen = read_back(tmp_path / "db")
    assert ([block.id for block in seen.blocks], seen.dropped_blocks) == (["b2", "b3", "b4"], 2)
