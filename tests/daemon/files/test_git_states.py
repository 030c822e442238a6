"""Git states: looked at when something happened, when Git's own files differ, and now and then."""

import asyncio

import pytest
from tests.patience import PATIENCE_S

from bascule.daemon.files.git_states import FRESH_S, GitStates
from bascule.host.processes.tasks import Tasks
from bascule.model.blocks import AssistantBlock, CommandBlock
from bascule.model.changes import BlockPut
from bascule.model.ids import BlockId, ThreadId
from bascule.model.protocol.sessions import GitStatus, WorkspaceState

pytestmark = pytest.mark.asyncio

THREAD = ThreadId("t")


class FakeWorkspace:
    """A workspace as a test says it is, and what was reported of it."""

    def __init__(self) -> None:
        self.status: GitStatus | None = GitStatus(branch="main")
        self.marks = (1, 1)
        self.now_s = 100.0
        self.looks = 0
        self.reported: list[WorkspaceState] = []
        self.tasks = Tasks()
        self.states = GitStates(
            tasks=self.tasks,
            wanted=lambda: ["/w"],
            on_change=self.hear,
            read=self.read,
            read_marks=lambda _workspace: self.marks,
            clock_s=lambda: self.now_s,
        )

    def read(self, _workspace: str) -> GitStatus | None:
        self.looks += 1
        return self.status

    def hear(self, state: WorkspaceState) -> None:
        self.reported.append(state)

    async def settle(self) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while self.tasks.names:
                await asyncio.sleep(0)


async def test_a_change_is_told_once_and_the_same_again_is_not() -> None:
    fake = FakeWorkspace()
    fake.states.look_soon("/w")
    await fake.settle()
    fake.states.look_soon("/w")
    await fake.settle()
    assert fake.reported == [WorkspaceState(workspace="/w", git=GitStatus(branch="main"))]
    fake.status = GitStatus(branch="main", changed=2)
    fake.states.look_soon("/w")
    await fake.settle()
    assert fake.reported[-1].git == GitStatus(branch="main", changed=2)
    assert fake.states.states() == (fake.reported[-1],)


async def test_the_end_of_a_command_is_looked_after_and_text_is_not() -> None:
    fake = FakeWorkspace()
    said = BlockPut(AssistantBlock(id=BlockId("a"), text="x"))
    goes_on = BlockPut(CommandBlock(id=BlockId("c"), command="make", status="inProgress"))
    fake.states.take("/w", [(THREAD, [said, goes_on])])
    assert fake.looks == 0
    ended = BlockPut(CommandBlock(id=BlockId("c"), command="make", status="completed"))
    fake.states.take("/w", [(THREAD, [ended])])
    await fake.settle()
    assert fake.looks == 1


async def test_what_is_watched_is_polled_for_another_branch_at_once_and_for_edits_after_a_while() -> None:
    fake = FakeWorkspace()
    await fake.states.poll()
    await fake.settle()
    await fake.states.poll()
    await fake.settle()
    assert fake.looks == 1  # it is fresh, and Git's own files are as they were
    fake.marks, fake.status = (2, 1), GitStatus(branch="other")
    await fake.states.poll()
    await fake.settle()
    assert fake.reported[-1].git == GitStatus(branch="other")
    fake.now_s += FRESH_S
    fake.status = GitStatus(branch="other", changed=1)
    await fake.states.poll()
    await fake.settle()
    assert fake.reported[-1].git == GitStatus(branch="other", changed=1)


async def test_many_wishes_during_one_look_are_one_more() -> None:
    fake = FakeWorkspace()
    for _ in range(50):
        fake.states.look_soon("/w")
    await fake.settle()
    assert fake.looks <= 2
