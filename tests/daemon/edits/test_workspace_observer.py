"""The workspace observer: what it makes of what an agent reports."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.daemon.hubs import open_hub

from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits.workspace_observer import WorkspaceObserver
from bascule.host.files.run_evidence import RunEvidence
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Ask, CommandSubject
from bascule.model.blocks import CommandBlock, FileChangeBlock, FileEdit, Progress
from bascule.model.changes import AskClosed, AskOpened, BlockPut, Change, RunPut
from bascule.model.ids import AskId, BlockId, RunId, SessionId
from bascule.model.session import Outcome, Run

SESSION, RUN = SessionId("s"), RunId("r")


class ObservedFolder:
    def __init__(self, observer: WorkspaceObserver, workspace: Path) -> None:
        self.observer = observer
        self.workspace = workspace

    async def tell(self, *changes: Change) -> RunEvidence:
        """And wait until it has looked."""
        self.observer.see(SESSION, str(self.workspace), changes)
        return await self.observer.recall(SESSION, RUN, str(self.workspace))

    def write(self, name: str, text: str) -> None:
        (self.workspace / name).write_text(text)


@pytest.fixture
async def observed_folder(tmp_path: Path) -> AsyncIterator[ObservedFolder]:
    workspace = tmp_path / "ws"
    workspace.mkdir()
    (workspace / "a").write_text("one\n")
    async with Tasks() as tasks:
        with open_hub(tmp_path / "db") as hub:
            yield ObservedFolder(WorkspaceObserver(root=tmp_path, roster=Roster(hub), tasks=tasks), workspace)


def run(outcome: Outcome = "running") -> RunPut:
    return RunPut(Run(id=RUN, outcome=outcome))


def command(status: Progress = "inProgress") -> BlockPut:
    return BlockPut(CommandBlock(id=BlockId("c"), run=RUN, status=status))


def steps_of(seen: RunEvidence) -> list[tuple[str, str, bytes, bytes]]:
    return [(step.block, step.path, step.before.data, step.after.data) for step in seen.steps]


async def test_what_changed_while_a_command_ran_is_the_commands(observed_folder: ObservedFolder) -> None:
    assert (await observed_folder.tell(run())).was_watched
    await observed_folder.tell(command())
    observed_folder.write("a", "zwei\n")
    seen = await observed_folder.tell(command("completed"))
    assert steps_of(seen) == [("c", "a", b"one\n", b"zwei\n")]
    assert steps_of(await observed_folder.tell(run("completed"))) == steps_of(seen)


async def test_a_command_that_nobody_ends_ends_with_its_run(observed_folder: ObservedFolder) -> None:
    await observed_folder.tell(run())
    await observed_folder.tell(command())
    observed_folder.write("a", "zwei\n")
    assert steps_of(await observed_folder.tell(run("interrupted"))) == [("c", "a", b"one\n", b"zwei\n")]
    observed_folder.write("a", "mine, after it\n")
    assert len(steps_of(await observed_folder.tell(command("completed")))) == 1


async def test_the_time_in_which_a_person_is_asked_is_not_the_commands(
    observed_folder: ObservedFolder,
) -> None:
    ask = Ask(
        id=AskId("q"), title="?", subject=CommandSubject(command="x", original="x"), choices=(), run=RUN
    )
    await observed_folder.tell(run(), command(), AskOpened(ask))
    observed_folder.write("mine", "mine\n")
    await observed_folder.tell(command())
    seen = await observed_folder.tell(AskClosed(ask.id, "answered", choice="decline"), command("declined"))
    assert steps_of(seen) == []


async def test_a_new_file_in_the_place_of_another_is_kept_with_what_that_held(
    observed_folder: ObservedFolder,
) -> None:
    await observed_folder.tell(run())
    observed_folder.write("a", "all new\n")
    files = (FileEdit(path="a", change="add"), FileEdit(path="other", change="add"))
    seen = await observed_folder.tell(
        BlockPut(FileChangeBlock(id=BlockId("f"), run=RUN, files=files, status="completed"))
    )
    assert steps_of(seen) == [("f", "a", b"one\n", b"all new\n")]


async def test_an_agent_that_dies_ends_its_commands(observed_folder: ObservedFolder) -> None:
    await observed_folder.tell(run())
    await observed_folder.tell(command())
    observed_folder.write("a", "zwei\n")
    observed_folder.observer.agent_died(AgentPlace("codex", str(observed_folder.workspace)))
    assert steps_of(await observed_folder.tell()) == [("c", "a", b"one\n", b"zwei\n")]


async def test_evidence_that_is_broken_is_no_evidence(observed_folder: ObservedFolder) -> None:
    (observed_folder.workspace.parent / "evidence.db").write_bytes(b"no database" * 1000)
    await observed_folder.tell(run())
    await observed_folder.tell(command())
    observed_folder.write("a", "zwei\n")
    assert await observed_folder.tell(command("completed")) == RunEvidence()
