"""An agent that does not answer is said to be silent, and no longer when it says anything."""

import asyncio

import pytest
from tests.agents.codex.listening import NOW_MS, Listener
from tests.patience import FOREVER_S, PATIENCE_S

from bascule.agents.codex import silence
from bascule.agents.codex.silence import Silence
from bascule.core.faults import AgentGone
from bascule.host.processes.tasks import Tasks
from bascule.model.changes import SilenceSet

SOON_S = 0.01


class SilenceLog:
    """What was said of one silence after the other, with a clock that the test sets."""

    def __init__(self) -> None:
        self.now_ms = 1_000
        self.said: list[int | None] = []
        self.news = asyncio.Event()
        self.silence = Silence(now_ms=lambda: self.now_ms, tell=self._tell, after_s=SOON_S)

    def _tell(self, since_ms: int | None) -> None:
        self.said.append(since_ms)
        self.news.set()

    async def next(self) -> None:
        await asyncio.wait_for(self.news.wait(), PATIENCE_S)
        self.news.clear()


@pytest.fixture
def silence_log() -> SilenceLog:
    return SilenceLog()


def start_call(silence_log: SilenceLog, tasks: Tasks, method: str = "turn/start") -> "asyncio.Future[bytes]":
    answer = asyncio.get_running_loop().create_future()

    async def wait() -> None:
        await silence_log.silence.wait_for(method, answer)

    tasks.start(method, wait())
    return answer


async def test_it_is_said_since_when_and_taken_back_when_it_speaks(silence_log: SilenceLog) -> None:
    async with Tasks() as tasks:
        answer = start_call(silence_log, tasks)
        await silence_log.next()
        assert silence_log.said == [1_000]
        silence_log.now_ms = 9_000
        silence_log.silence.heard()
        assert silence_log.said == [1_000, None]
        await silence_log.next()
        await silence_log.next()  # the call has no answer yet: silent again, since it last spoke
        assert silence_log.said == [1_000, None, 9_000]
        silence_log.silence.heard()
        answer.set_result(b"")
    assert silence_log.said == [1_000, None, 9_000, None]


async def test_two_calls_are_one_silence(silence_log: SilenceLog) -> None:
    async with Tasks() as tasks:
        start_call(silence_log, tasks)
        await silence_log.next()
        answer = start_call(silence_log, tasks)
        assert not (await asyncio.wait({answer}, timeout=5 * SOON_S))[0]
    assert silence_log.said == [1_000]


async def test_what_is_known_to_be_slow_has_more_time(
    silence_log: SilenceLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "SLOW_AFTER_S", FOREVER_S)
    async with Tasks() as tasks:
        start_call(silence_log, tasks, "thread/resume")
        start_call(silence_log, tasks, "turn/start")
        await silence_log.next()
        assert silence_log.said == [1_000]


async def test_an_agent_that_ends_is_silent_no_more() -> None:
    listener = Listener()
    listener.driver._silence._after_s = SOON_S
    silent = asyncio.Event()
    listener.on_agent = silent.set

    async def end_when_silent() -> None:
        await silent.wait()
        assert listener.driver.is_waiting
        listener.driver.fail("Restarted by somebody.")

    call = listener.driver.list_models()
    async with asyncio.timeout(PATIENCE_S):
        answer, _ = await asyncio.gather(call, end_when_silent(), return_exceptions=True)
    assert isinstance(answer, AgentGone)
    assert str(answer) == "Restarted by somebody."
    assert listener.agent_changes == [SilenceSet(NOW_MS), SilenceSet(None)]
