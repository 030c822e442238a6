"""A driver on a daemon that others share: what was opened here is ours, and the rest is left alone."""

from typing import Any

import pytest
from tests.agents.codex.listening import Listener, dump

from bascule.agents.codex.shared_driver import SharedCodexDriver
from bascule.agents.driver import Confinement, OpenedThread, Policy
from bascule.core.faults import AgentFault
from bascule.model.asks import Answer
from bascule.model.changes import AskClosed, AskOpened, RunPut, StatusSet, TheirRightsSet
from bascule.model.ids import PromptKey, RunId, ThreadId
from bascule.model.session import Prompt

OURS = ThreadId("t")
APPROVAL = "item/commandExecution/requestApproval"


def approval(thread: str, number: int = 7) -> bytes:
    params = {"threadId": thread, "turnId": "r", "itemId": "i", "command": "ls", "cwd": "/p"}
    return dump({"id": number, "method": APPROVAL, "params": params})


class SharedListener(Listener):
    """Answers at once, as far as it has answers."""

    def __init__(self) -> None:
        super().__init__(driver=SharedCodexDriver)
        self.answers: dict[str, Any] = {"thread/unsubscribe": {"status": "unsubscribed"}}

    def _hear(self, said: dict[str, Any]) -> None:
        super()._hear(said)
        if (answer := self.answers.get(said.get("method", ""))) is not None:
            self.feed(dump({"id": said["id"], "result": answer}))

    async def join(self, status: dict[str, Any], *turns: dict[str, Any]) -> None:
        thread = {"id": "t", "cwd": "/p", "status": status}
        self.answers["thread/resume"] = {
            "thread": thread,
            "model": "m",
            "sandbox": {"type": "dangerFullAccess"},
            "approvalPolicy": "never",
            "initialTurnsPage": {"data": list(turns)},
        }
        seen: list[OpenedThread] = []
        opened = await self.driver.resume(OURS, "/p", Confinement(approvals="never"), 5, seen.append)
        assert [opened] == seen
        page = {"limit": 5, "sortDirection": "desc", "itemsView": "full"}
        params = {"threadId": "t", "excludeTurns": True, "initialTurnsPage": page}
        assert self.said[-1] == {"id": self.said[-1]["id"], "method": "thread/resume", "params": params}
        self.feed(approval("t"))


async def test_of_what_was_not_opened_here_nothing_is_shown_and_nothing_is_answered() -> None:
    listener = SharedListener()
    listener.tell("turn/started", turn={"id": "r"})
    listener.tell("thread/status/changed", status={"type": "active", "activeFlags": []})
    listener.tell_agent("configWarning", summary="x")
    listener.feed(
        approval("t"),
        dump({"id": 8, "method": "currentTime/read", "params": {"threadId": "t"}}),
        dump({"id": 9, "method": "something/new", "params": {}}),
        dump({"id": 10, "method": APPROVAL, "params": {"odd": True}}),
    )
    assert (listener.changes, listener.agent_changes, listener.said) == ({}, [], [])


async def test_a_run_and_a_question_that_are_there_already_are_taken_over() -> None:
    listener = SharedListener()
    status = {"type": "active", "activeFlags": ["waitingOnApproval"]}
    await listener.join(status, {"id": "r", "status": "inProgress", "items": []})
    kinds = [type(change) for change in listener.changes[OURS]]
    assert kinds == [TheirRightsSet, RunPut, StatusSet, StatusSet, AskOpened]
    (opened,) = [change for change in listener.changes[OURS] if isinstance(change, AskOpened)]
    assert opened.ask.run == RunId("r")
    assert listener.driver.answer(Answer(ask=opened.ask.id, choice="accept")) is None
    assert listener.said[-1] == {"id": 7, "result": {"decision": "accept"}}


async def test_what_its_terminal_allows_is_told_and_told_again_when_it_changes() -> None:
    listener = SharedListener()
    await listener.join({"type": "idle"})
    finer = {"granular": {"rules": True, "sandbox_approval": True, "mcp_elicitations": True}}
    for sandbox, approvals in (("readOnly", "on-request"), ("ofTomorrow", finer)):
        now = {"model": "m", "sandboxPolicy": {"type": sandbox}, "approvalPolicy": approvals}
        listener.tell("thread/settings/updated", threadSettings=now)
    assert [change for change in listener.changes[OURS] if isinstance(change, TheirRightsSet)] == [
        TheirRightsSet("full-access", "never"),
        TheirRightsSet("read-only", "on-request"),
        TheirRightsSet("", ""),
    ]


async def test_a_prompt_chooses_neither_sandbox_nor_model() -> None:
    listener = SharedListener()
    await listener.join({"type": "idle"})
    prompt = Prompt(key=PromptKey("k"), text="hi")
    policy = Policy(sandbox="danger-full-access", approvals="never")
    listener.answers["turn/start"] = {"turn": {"id": "r"}}
    assert await listener.driver.prompt(OURS, prompt, policy=policy, model="other", effort="high") == "r"
    assert sorted(listener.said[-1]["params"]) == ["clientUserMessageId", "input", "threadId"]


async def test_leaving_answers_nothing_and_hears_no_more() -> None:
    listener = SharedListener()
    await listener.join({"type": "active", "activeFlags": ["waitingOnApproval"]})
    before = len(listener.said)
    await listener.driver.leave(OURS)
    assert [said["method"] for said in listener.said[before:]] == ["thread/unsubscribe"]
    assert isinstance(listener.changes[OURS][-1], AskClosed)
    heard = len(listener.changes[OURS])
    listener.feed(approval("t", 11))
    listener.tell("turn/started", turn={"id": "r2"})
    assert len(listener.changes[OURS]) == heard
    assert len(listener.said) == before + 1


async def test_no_conversation_is_begun_there() -> None:
    listener = SharedListener()
    with pytest.raises(AgentFault, match="Create a new session"):
        await listener.driver.start("/p", Confinement(approvals="never"), "", lambda _opened: None)
    assert listener.said == []
