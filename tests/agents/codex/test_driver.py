"""A connection: calls and their answers, retries, wire order, and its end."""

import asyncio
from typing import Any

import pytest
from tests.agents.codex.conversation import CONFINED, THREAD, Conversation, settle
from tests.agents.codex.listening import dump

from bascule.agents.codex.calls import MAX_PENDING, MAX_RETRIES
from bascule.agents.codex.wire.threads import ThreadAnswer
from bascule.agents.driver import (
    OpenedThread,
)
from bascule.core.faults import AgentFault, AgentGone, AgentRefused
from bascule.model.changes import AskClosed, BlockPut
from bascule.model.ids import AskId


@pytest.fixture
def codex() -> Conversation:
    return Conversation()


# -- calls --


async def test_a_call_is_answered(codex: Conversation) -> None:
    answer = await codex.during(codex.driver.call("x", {"a": 1}, dict[str, int]), {"result": {"b": 2}})
    assert answer == {"b": 2}
    assert codex.said == [{"id": 0, "method": "x", "params": {"a": 1}}]


async def test_answers_may_come_in_any_order(codex: Conversation) -> None:
    first, second, _ = await asyncio.gather(
        codex.driver.call("a", {}, str),
        codex.driver.call("b", {}, str),
        codex.hear(b'{"id":1,"result":"B"}', b'{"id":0,"result":"A"}'),
    )
    assert (first, second) == ("A", "B")


async def test_an_error_answer_says_method_words_and_code(codex: Conversation) -> None:
    with pytest.raises(AgentRefused, match=r"codex refused turn/steer: no active turn \(code -32600\)"):
        await codex.during(
            codex.driver.call("turn/steer", {}, Any), {"error": {"code": -32600, "message": "no active turn"}}
        )
    assert codex.pauses == []


@pytest.mark.parametrize("error", ["just words", 5, {"message": "no code"}, {"code": "x"}, []])
async def test_an_error_of_a_strange_shape_is_still_a_refusal(codex: Conversation, error: Any) -> None:
    with pytest.raises(AgentRefused) as refused:
        await codex.during(codex.driver.call("x", {}, Any), {"error": error})
    assert refused.value.code == 0


@pytest.mark.parametrize("result", [None, 5, "text", [], {}, {"thread": 5}, {"thread": {}}])
async def test_an_answer_of_a_strange_shape_is_codexs_fault(codex: Conversation, result: Any) -> None:
    with pytest.raises(AgentFault, match="codex answered x in an unknown shape"):
        await codex.during(codex.driver.call("x", {}, ThreadAnswer), {"result": result})


async def test_an_answer_that_is_no_utf8_is_codexs_fault(codex: Conversation) -> None:
    with pytest.raises(AgentFault, match="in an unknown shape"):
        await asyncio.gather(codex.driver.call("x", {}, str), codex.hear(b'{"id":0,"result":"\xff"}'))


async def test_a_second_answer_to_one_call_is_shown(codex: Conversation) -> None:
    await codex.during(codex.driver.call("x", {}, Any), {"result": 1})
    codex.feed(b'{"id":0,"result":2}')
    assert codex.other_events() == 'codex answered a call that nobody made: {"id":0}\n'


async def test_an_answer_to_a_call_that_nobody_waits_for_any_more_is_shown(codex: Conversation) -> None:
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await codex.driver.call("x", {}, Any)
    codex.feed(b'{"id":0,"result":1}')
    assert "nobody made" in codex.other_events()


async def test_only_so_many_calls_are_open_at_once(codex: Conversation) -> None:
    async def one_more() -> None:
        await settle()
        with pytest.raises(AgentFault, match=f"{MAX_PENDING} calls unanswered; y was not sent"):
            await codex.driver.call("y", {}, Any)
        codex.driver.fail("the end")

    calls = [codex.driver.call("x", {}, Any) for _ in range(MAX_PENDING)]
    *ends, _ = await asyncio.gather(*calls, one_more(), return_exceptions=True)
    assert {type(end) for end in ends} == {AgentGone}
    assert len(codex.said) == MAX_PENDING


# -- an overloaded server --

BUSY = {"error": {"code": -32001, "message": "try again later"}}


async def test_an_overloaded_server_is_asked_again(codex: Conversation) -> None:
    answer = await codex.during(codex.driver.call("x", {"a": 1}, str), BUSY, BUSY, {"result": "at last"})
    assert answer == "at last"
    assert codex.pauses == [0, 1]
    assert codex.said == [{"id": number, "method": "x", "params": {"a": 1}} for number in range(3)]


async def test_a_server_that_stays_overloaded_is_given_up(codex: Conversation) -> None:
    with pytest.raises(AgentRefused, match="try again later"):
        await codex.during(codex.driver.call("x", {}, str), *[BUSY] * (MAX_RETRIES + 1))
    assert codex.pauses == list(range(MAX_RETRIES))
    assert len(codex.said) == MAX_RETRIES + 1


async def test_a_refusal_after_a_retry_is_not_retried(codex: Conversation) -> None:
    with pytest.raises(AgentRefused, match="no"):
        await codex.during(codex.driver.call("x", {}, str), BUSY, {"error": {"code": -1, "message": "no"}})
    assert codex.pauses == [0]


# -- wire order --


async def test_a_thread_is_bound_before_it_is_announced(codex: Conversation) -> None:
    """Codex answers thread/start and announces the thread in one breath."""
    bound: list[str] = []

    def bind(opened: OpenedThread) -> None:
        assert codex.changes == {}, "nothing of the thread has been sent yet"
        bound.append(opened.id)

    thread = {"id": "t", "cwd": "/w", "cliVersion": "0.166.0"}

    async def codex_speaks() -> None:
        await settle()
        codex.feed(
            dump({"id": 1, "result": {"thread": thread, "model": "demo"}}),
            dump({"method": "thread/started", "params": {"thread": thread}}),
        )
        assert bound == ["t"], "before the caller has had a chance to run"
        assert [type(change) for change in codex.changes[THREAD]] == [BlockPut]
        assert codex.driver.is_loaded(THREAD)

    answer, _ = await asyncio.gather(codex.driver.start("/w", CONFINED, "", bind), codex_speaks())
    assert answer.model == "demo"


async def test_an_unreadable_thread_is_never_bound(codex: Conversation) -> None:
    bound: list[OpenedThread] = []
    with pytest.raises(AgentFault, match="codex answered thread/start in an unknown shape"):
        await codex.during(codex.driver.start("/w", CONFINED, "", bound.append), {"result": {"thread": 5}})
    assert bound == []


async def test_a_refused_thread_is_never_bound(codex: Conversation) -> None:
    bound: list[OpenedThread] = []
    with pytest.raises(AgentRefused):
        await codex.during(
            codex.driver.start("/w", CONFINED, "", bound.append),
            {"error": {"code": 1, "message": "no"}},
        )
    assert bound == []


# -- the end --


async def test_fail_ends_every_call_and_withdraws_every_ask(codex: Conversation) -> None:
    async def codex_dies() -> None:
        await settle()
        codex.begin()
        codex.ask("item/commandExecution/requestApproval", itemId="i", turnId="r", command="ls")
        codex.driver.fail("codex was killed (signal 9)")

    calls = [codex.driver.call("x", {}, Any) for _ in range(3)]
    *ends, _ = await asyncio.gather(*calls, codex_dies(), return_exceptions=True)
    assert [str(end) for end in ends] == ["codex was killed (signal 9)"] * 3
    closed = AskClosed(AskId("e-0"), "withdrawn", why="codex was killed (signal 9)", unbegun=True)
    assert closed in codex.changes[THREAD]
    assert [said["method"] for said in codex.said] == ["x"] * 3, "no request was answered"


async def test_after_the_end_nothing_is_sent(codex: Conversation) -> None:
    codex.driver.fail("codex was killed")
    with pytest.raises(AgentGone, match="codex was killed"):
        await codex.driver.call("x", {}, Any)
    codex.driver.fail("again")
    assert codex.said == []


async def test_the_end_during_a_pause_ends_the_retries(codex: Conversation) -> None:
    codex.on_pause = lambda: codex.driver.fail("codex was killed")
    with pytest.raises(AgentGone, match="codex was killed"):
        await codex.during(codex.driver.call("x", {}, Any), BUSY)
