"""What agents tell and how it ends: the right session, and a plain word for what was cut off."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

from tests.daemon.rooms import NOW_MS, ONE, make_session, open_hub

from bascule.agents.codex.driver import CodexDriver
from bascule.agents.codex.saying import NOTHING_WRITTEN
from bascule.core.faults import AgentGone
from bascule.daemon.contexts import Contexts
from bascule.daemon.desk import Desk
from bascule.daemon.edits import Edits
from bascule.daemon.hub import Hub
from bascule.daemon.inflow import STOPPED_MEANWHILE, Inflow
from bascule.daemon.patches import Patches
from bascule.daemon.preferences import Preferences
from bascule.daemon.prompts import Prompts
from bascule.daemon.record import Record
from bascule.daemon.roster import Roster
from bascule.daemon.workspaces import Workspaces
from bascule.host.folder import Folder
from bascule.host.tasks import Tasks
from bascule.model.asks import Ask, Choice, CommandSubject, FilesSubject
from bascule.model.blocks import CommandBlock, ErrorBlock, FileEdit, InfoBlock, UserBlock
from bascule.model.changes import AskOpened, BlockPut, QueueSet, RunPut, StatusSet
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, SessionId, ThreadId
from bascule.model.session import Prompt, Run

RUN = RunId("r")
NO = Choice(id="decline", label="No", grants=False)
COMMAND = Ask(
    id=AskId("ask-1"),
    title="Run this command?",
    subject=CommandSubject(command="make bridge", original="bash -lc 'make bridge'"),
    choices=(NO,),
    run=RUN,
)
FILES = Ask(
    id=AskId("ask-2"),
    title="Write these files?",
    subject=FilesSubject(files=(FileEdit(path="a.py", change="add"), FileEdit(path="b.py", change="update"))),
    choices=(NO,),
    run=RUN,
)


async def nobody(_session: SessionId) -> CodexDriver:
    raise AgentGone("There is no agent in this test.")


@contextmanager
def open_inflow(path: Path) -> Iterator[tuple[Hub, Roster, Inflow]]:
    numbers = count(1)
    with open_hub(path) as hub:
        roster, tasks = Roster(hub), Tasks()
        desk = Desk(hub=hub, new_id=lambda prefix: prefix, now_ms=lambda: NOW_MS)
        record = Record(path.parent, lambda: NOW_MS)
        settings = Preferences(Folder(path.parent), record)
        prompts = Prompts(
            hub=hub,
            roster=roster,
            ready=nobody,
            policy=lambda _workspace: NOTHING_WRITTEN,
            contexts=Contexts(workspaces=Workspaces(roster=roster), settings=settings),
            desk=desk,
            record=record,
            tasks=tasks,
            new_id=lambda prefix: f"{prefix}_{next(numbers)}",
            now_ms=lambda: NOW_MS,
        )
        edits = Edits(
            root=path.parent,
            hub=hub,
            roster=roster,
            desk=desk,
            record=record,
            settings=settings,
            new_id=lambda prefix: prefix,
            now_ms=lambda: NOW_MS,
        )
        patches = Patches(
            hub=hub, roster=roster, edits=edits, prompts=prompts, tasks=tasks, now_ms=lambda: NOW_MS
        )
        yield (
            hub,
            roster,
            Inflow(
                hub=hub,
                roster=roster,
                prompts=prompts,
                patches=patches,
                new_id=lambda prefix: f"{prefix}_{next(numbers)}",
                now_ms=lambda: NOW_MS,
            ),
        )


async def test_after_a_crash_nothing_goes_on_and_no_ask_counts_as_yes(tmp_path: Path) -> None:
    with open_inflow(tmp_path / "db") as (hub, _, _):
        hub.add(make_session())
        hub.add(make_session("s_done", status="completed"))
        hub.apply(
            ONE,
            [
                RunPut(Run(id=RUN, started_at_ms=1)),
                BlockPut(CommandBlock(id=BlockId("c"), run=RUN, command="make bridge")),
                AskOpened(COMMAND),
                AskOpened(FILES),
                StatusSet("waiting_user"),
                BlockPut(UserBlock(id=BlockId("k1"), text="not heard", sent=False)),
                QueueSet((Prompt(key=PromptKey("k2"), text="later"),)),
            ],
        )
    with open_inflow(tmp_path / "db") as (hub, _, inflow):
        untouched = hub.session(SessionId("s_done"))
        inflow.recover()
        seen = hub.session(ONE)
        assert (seen.asks, seen.status, seen.queue_held) == ((), "stopped", True)
        assert seen.runs == (
            Run(id=RUN, outcome="failed", started_at_ms=1, ended_at_ms=NOW_MS, why=STOPPED_MEANWHILE),
        )
        assert [prompt.text for prompt in seen.queue] == ["not heard", "later"]
        command, first, second, error = seen.blocks
        assert isinstance(command, CommandBlock)
        assert command.status == "failed"
        assert isinstance(first, InfoBlock)
        assert (first.title, first.text) == (
            "Expired without an answer: Run this command?",
            f"make bridge\n{STOPPED_MEANWHILE} It counts as a no.",
        )
        assert isinstance(second, InfoBlock)
        assert second.text.startswith("a.py, b.py\n")
        assert isinstance(error, ErrorBlock)
        assert hub.session(SessionId("s_done")) == untouched
    with open_inflow(tmp_path / "db") as (hub, _, inflow):
        inflow.recover()
        assert hub.session(ONE) == seen  # told once


async def test_a_thread_that_nobody_began_becomes_a_session_beside_the_tabs(tmp_path: Path) -> None:
    with open_inflow(tmp_path / "db") as (hub, roster, inflow):
        helper = ThreadId("helper-01234567")
        inflow.take("/home/ann/bridge", [(helper, [StatusSet("working")])])
        inflow.take("/home/ann/bridge", [(helper, [StatusSet("completed")])])
        (head,) = hub.heads()
        assert (head.title, head.hidden, head.status) == ("bridge (01234567)", True, "completed")
        assert roster.find_by_thread(helper) == head.id


async def test_a_thread_that_was_cleared_away_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    with open_inflow(tmp_path / "db") as (hub, roster, inflow):
        hub.add(make_session())
        roster.bind(ThreadId("old"), ONE)
        roster.unbind(ThreadId("old"))
        inflow.take("/home/ann/bridge", [(ThreadId("old"), [StatusSet("working")])])
        assert [(head.id, head.status) for head in hub.heads()] == [(ONE, "unknown")]


async def test_a_death_is_told_to_the_sessions_that_were_at_work_there(tmp_path: Path) -> None:
    with open_inflow(tmp_path / "db") as (hub, roster, inflow):
        for name, folder in (("s_here", "/a"), ("s_idle", "/a"), ("s_there", "/b")):
            hub.add(make_session(name, workspace=folder))
            roster.bind(ThreadId(f"thread-of-{name}"), SessionId(name))
        for name in ("s_here", "s_there"):
            inflow.take("", [(ThreadId(f"thread-of-{name}"), [RunPut(Run(id=RunId(name)))])])
        inflow.agent_died("/a", "It fell into the river.")
        statuses = {head.id: (head.status, [run.outcome for run in head.runs]) for head in hub.heads()}
        assert statuses == {
            "s_here": ("stopped", ["failed"]),
            "s_idle": ("unknown", []),
            "s_there": ("unknown", ["running"]),
        }
        assert roster.lane(SessionId("s_here")).idle
