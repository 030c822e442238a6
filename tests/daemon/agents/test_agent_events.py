"""What agents tell and how it ends: the right session, and a plain word for what was cut off."""

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace
from tests.daemon.hubs import NOW_MS, ONE, make_session, open_hub
from tests.patience import PATIENCE_S

from bascule.agents.driver import Driver, Policy
from bascule.core.faults import AgentGone
from bascule.core.orders import MAY_LEAVE
from bascule.daemon.agents.agent_events import AgentEvents
from bascule.daemon.agents.pool import AgentPlace
from bascule.daemon.agents.roster import Roster
from bascule.daemon.consent.ask_links import see_links
from bascule.daemon.consent.ask_recovery import STOPPED_MEANWHILE, UNKNOWN, AskRecovery
from bascule.daemon.consent.asks import Asks
from bascule.daemon.consent.record import Record, name_subject
from bascule.daemon.consent.write_check import WriteCheck
from bascule.daemon.edits.edits import Edits
from bascule.daemon.edits.patches import Patches
from bascule.daemon.files.workspaces import Workspaces
from bascule.daemon.orders.order_guard import BY_ITSELF, OrderGuard
from bascule.daemon.prompts.prompt_contexts import Contexts
from bascule.daemon.prompts.prompts import Prompts
from bascule.daemon.sessions.hub import Hub
from bascule.daemon.workspace_settings import WorkspaceSettings
from bascule.host.config.trust_store import TrustStore
from bascule.host.files.data_folder import Folder
from bascule.host.files.workspace_files import scan
from bascule.host.processes.tasks import Tasks
from bascule.host.storage.audit import Audit, audit_in, who_is_here
from bascule.model.asks import Answer, Ask, Choice, CommandSubject, FilesSubject, RealPath
from bascule.model.blocks import AssistantBlock, CommandBlock, ErrorBlock, FileEdit, InfoBlock, UserBlock
from bascule.model.changes import AskOpened, BlockPut, QueueSet, RunPut, StatusSet, TextGrew, TitleSet
from bascule.model.consent.audit import Remote
from bascule.model.ids import AskId, BlockId, PromptKey, RunId, SessionId, ThreadId
from bascule.model.said import Said
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


def at(workspace: str) -> AgentPlace:
    return AgentPlace("codex", workspace)


async def nobody(_session: SessionId) -> Driver:
    raise AgentGone("There is no agent in this test.")


async def at_once(_session: SessionId) -> None:
    """Nothing is on its way to the disk."""


@contextmanager
def open_agent_events(path: Path) -> Iterator[tuple[Hub, Roster, AgentEvents]]:
    numbers = count(1)
    with open_hub(path) as hub:
        roster, tasks = Roster(hub), Tasks()
        record = Record(path.parent, lambda: NOW_MS)
        asks = Asks(
            hub=hub,
            roster=roster,
            record=record,
            find_agent=nobody,
            settle=at_once,
            new_id=lambda prefix: prefix,
            now_ms=lambda: NOW_MS,
        )
        settings = WorkspaceSettings(Folder(path.parent), TrustStore(path.parent / "trust.json"))
        prompts = Prompts(
            hub=hub,
            roster=roster,
            ready=nobody,
            policy=lambda _session, _purpose: Policy(sandbox="read-only", approvals="never"),
            contexts=Contexts(workspaces=Workspaces(roster=roster, scan=scan), settings=settings),
            tasks=tasks,
            new_id=lambda prefix: f"{prefix}_{next(numbers)}",
            now_ms=lambda: NOW_MS,
        )
        edits = Edits(
            root=path.parent,
            hub=hub,
            roster=roster,
            asks=asks,
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
            AgentEvents(
                hub=hub,
                roster=roster,
                prompts=prompts,
                asks=asks,
                patches=patches,
                guard=OrderGuard(roster=roster, record=record, settings=settings),
                ask_recovery=AskRecovery(root=path.parent, record=record, now_ms=lambda: NOW_MS),
                write_check=WriteCheck(roster=roster, record=record, now_ms=lambda: NOW_MS),
                tasks=tasks,
                new_id=lambda prefix: f"{prefix}_{next(numbers)}",
                now_ms=lambda: NOW_MS,
            ),
        )


async def test_after_a_crash_nothing_goes_on_and_no_ask_counts_as_yes(tmp_path: Path) -> None:
    with open_agent_events(tmp_path / "db") as (hub, _, _):
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
    with open_agent_events(tmp_path / "db") as (hub, _, agent_events):
        untouched = hub.session(SessionId("s_done"))
        agent_events.recover()
        seen = hub.session(ONE)
        assert (seen.asks, seen.status, seen.queue_held) == ((), "stopped", True)
        assert seen.runs == (
            Run(
                id=RUN,
                outcome="failed",
                started_at_ms=1,
                ended_at_ms=NOW_MS,
                why=STOPPED_MEANWHILE,
                said=Said("bascule.stopped"),
            ),
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
    with open_agent_events(tmp_path / "db") as (hub, _, agent_events):
        agent_events.recover()
        assert hub.session(ONE) == seen  # reported once


async def test_after_a_crash_a_session_whose_agent_had_not_begun_does_not_go_on_working(
    tmp_path: Path,
) -> None:
    with open_agent_events(tmp_path / "db") as (hub, _, _):
        hub.add(make_session(thread=None))
        waiting = UserBlock(id=BlockId("k1"), text="tidy", sent=False, purpose="plan")
        hub.apply(ONE, [BlockPut(waiting), StatusSet("working")])
    with open_agent_events(tmp_path / "db") as (hub, _, agent_events):
        agent_events.recover()
        seen = hub.session(ONE)
        assert (seen.status, seen.queue_held) == ("stopped", True)
        assert seen.queue == (Prompt(key=PromptKey("k1"), text="tidy", purpose="plan"),)
        (error,) = seen.blocks
        assert isinstance(error, ErrorBlock)
        assert (error.title, error.text) == ("Bascule was stopped", "")


async def test_after_a_crash_a_question_of_our_own_between_runs_expires_and_the_last_run_has_not_failed(
    tmp_path: Path,
) -> None:
    done = Run(id=RUN, outcome="completed", started_at_ms=1, ended_at_ms=2)
    with open_agent_events(tmp_path / "db") as (hub, _, _):
        hub.add(make_session(status="completed"))
        hub.apply(ONE, [RunPut(done), AskOpened(replace(COMMAND, run=None, title="Run the tests?"))])
    with open_agent_events(tmp_path / "db") as (hub, _, agent_events):
        agent_events.recover()
        seen = hub.session(ONE)
        assert (seen.asks, seen.status, seen.runs) == ((), "completed", (done,))
        (expired,) = seen.blocks
        assert isinstance(expired, InfoBlock)
        assert expired.title == "Expired without an answer: Run the tests?"


async def test_after_a_crash_an_answer_on_record_is_reported_and_not_called_expired(tmp_path: Path) -> None:
    yes = Choice(id="accept", label="Yes", grants=True)
    ask = replace(COMMAND, choices=(yes, NO))
    with open_agent_events(tmp_path / "db") as (hub, _, _):
        hub.add(make_session())
        hub.apply(ONE, [RunPut(Run(id=RUN)), AskOpened(ask)])
    record = Record(tmp_path, lambda: NOW_MS)
    await record.answered(ask, Answer(ask=ask.id, choice="accept", by="browser"), "/w")
    with open_agent_events(tmp_path / "db") as (hub, _, agent_events):
        agent_events.recover()
        note, _ = hub.session(ONE).blocks
        assert isinstance(note, InfoBlock)
        assert note.title == "Answered yes, just before Bascule was stopped: Run this command?"
        assert note.text == f"make bridge\nbrowser said yes (line 1 of `bascule audit`). {UNKNOWN}"
    assert len(Audit(audit_in(tmp_path)).last(9)) == 1


async def test_a_thread_that_nobody_began_becomes_a_session_beside_the_tabs(tmp_path: Path) -> None:
    with open_agent_events(tmp_path / "db") as (hub, roster, agent_events):
        helper = ThreadId("helper-01234567")
        agent_events.take(at("/home/ann/bridge"), [(helper, [StatusSet("working")])])
        agent_events.take(at("/home/ann/bridge"), [(helper, [StatusSet("completed")])])
        (head,) = hub.heads()
        assert (head.title, head.hidden, head.status) == ("bridge (01234567)", True, "completed")
        assert roster.find_by_thread("codex", helper) == head.id


async def test_a_helper_of_an_orders_agent_asks_for_the_same_sender_and_there_is_no_yes_to_it(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    sender = Remote(user="ann", command_id="c-1")
    yes = Choice(id="accept", label="Yes", grants=True)
    (tmp_path / "settings.toml").write_text('[orders]\ncommands = "deny"\n')
    with open_agent_events(tmp_path / "db") as (hub, roster, agent_events):
        hub.add(make_session())
        roster.bind("codex", ThreadId(f"thread-of-{ONE}"), ONE)
        roster.lane(ONE).submit(
            Prompt(key=PromptKey("o"), text="@dev plan it", purpose="plan", sender=sender), "queue"
        )
        helper = make_session("s_helper", parent_thread=ThreadId(f"thread-of-{ONE}"))
        hub.add(helper)
        roster.bind("codex", ThreadId("helper"), helper.id)
        agent_events.take(at("/"), [(ThreadId("helper"), [AskOpened(replace(COMMAND, choices=(yes, NO)))])])
        (ask,) = hub.session(helper.id).asks
        assert (ask.choices, ask.sender, ask.title) == ((NO,), sender, MAY_LEAVE)
        declining = [task for task in asyncio.all_tasks() if task.get_name().startswith("no to ")]
        await asyncio.gather(*declining)
    assert "There is no agent in this test." in caplog.text
    (line,) = Audit(audit_in(tmp_path)).last(9)
    assert (line.entry.answer, line.entry.who) == ("no", who_is_here(BY_ITSELF))


async def test_a_thread_that_was_cleared_away_is_not_taken_for_a_new_one(tmp_path: Path) -> None:
    with open_agent_events(tmp_path / "db") as (hub, roster, agent_events):
        hub.add(make_session())
        roster.bind("codex", ThreadId("old"), ONE)
        roster.unbind("codex", ThreadId("old"))
        agent_events.take(at("/home/ann/bridge"), [(ThreadId("old"), [StatusSet("working")])])
        assert [(head.id, head.status) for head in hub.heads()] == [(ONE, "unknown")]


async def test_a_death_is_reported_to_the_sessions_that_were_at_work_there(tmp_path: Path) -> None:
    with open_agent_events(tmp_path / "db") as (hub, roster, agent_events):
        for name, folder in (("s_here", "/a"), ("s_idle", "/a"), ("s_there", "/b")):
            hub.add(make_session(name, workspace=folder))
            roster.bind("codex", ThreadId(f"thread-of-{name}"), SessionId(name))
        for name in ("s_here", "s_there"):
            agent_events.take(at(""), [(ThreadId(f"thread-of-{name}"), [RunPut(Run(id=RunId(name)))])])
        agent_events.agent_died(at("/a"), "It fell into the river.")
        statuses = {head.id: (head.status, [run.outcome for run in head.runs]) for head in hub.heads()}
        assert statuses == {
            "s_here": ("stopped", ["failed"]),
            "s_idle": ("unknown", []),
            "s_there": ("unknown", ["running"]),
        }
        assert roster.lane(SessionId("s_here")).idle


async def test_what_is_reported_of_a_session_that_is_not_in_memory_keeps_its_order(tmp_path: Path) -> None:
    thread = ThreadId(f"thread-of-{ONE}")
    with open_agent_events(tmp_path / "db") as (hub, _, _):
        hub.add(make_session())
        hub.apply(ONE, [BlockPut(UserBlock(id=BlockId("u"), text="before"))])
    with open_agent_events(tmp_path / "db") as (hub, roster, agent_events):
        agent_events.take(
            at("/w"), [(thread, [RunPut(Run(id=RUN)), TextGrew(BlockId("a"), "text", "It ", run=RUN)])]
        )
        agent_events.take(at("/w"), [(thread, [TextGrew(BlockId("a"), "text", "rises.", run=RUN)])])
        assert (hub.is_loaded(ONE), roster.is_idle(ONE)) == (False, True)
        watcher = hub.watch(ONE)
        while len(hub.session(ONE).blocks if hub.is_loaded(ONE) else ()) < 2:
            await asyncio.wait_for(watcher.next(), PATIENCE_S)
        assert roster.lane(ONE).run == RUN
        agent_events.take(at("/w"), [(thread, [RunPut(Run(id=RUN, outcome="completed"))])])
        assert hub.session(ONE).blocks == (
            UserBlock(id=BlockId("u"), text="before"),
            AssistantBlock(id=BlockId("a"), run=RUN, text="It rises.", status="completed"),
        )
        assert roster.is_idle(ONE)


async def test_what_an_agent_sent_before_it_died_comes_before_its_end(tmp_path: Path) -> None:
    with open_agent_events(tmp_path / "db") as (hub, _, _):
        hub.add(make_session())
    with open_agent_events(tmp_path / "db") as (hub, roster, agent_events):
        agent_events.take(at("/home/ann/bridge"), [(ThreadId(f"thread-of-{ONE}"), [RunPut(Run(id=RUN))])])
        agent_events.agent_died(at("/home/ann/bridge"), "gone")
        (run,) = hub.session(ONE).runs
        assert (run.outcome, run.why, roster.is_idle(ONE)) == ("failed", "gone", True)


async def test_what_is_reported_of_a_session_that_cannot_be_read_goes_to_another(tmp_path: Path) -> None:
    thread = ThreadId(f"thread-of-{ONE}")
    with open_agent_events(tmp_path / "db") as (hub, _, _):
        hub.add(make_session())
        hub.apply(ONE, [BlockPut(UserBlock(id=BlockId("u"), text="before"))])
    with closing(sqlite3.connect(tmp_path / "db")) as db, db:
        db.execute("UPDATE blocks SET body = x'00'")
    with open_agent_events(tmp_path / "db") as (hub, roster, agent_events):
        aside = asyncio.Event()
        hub.on_unreadable = lambda _head, _why: aside.set()
        agent_events.take(at("/w"), [(thread, [StatusSet("working")])])
        agent_events.take(at("/w"), [(thread, [StatusSet("completed")])])
        await asyncio.wait_for(aside.wait(), PATIENCE_S)
        await asyncio.sleep(0)
        agent_events.take(at("/w"), [(thread, [TitleSet("Here", "agent")])])
        (head,) = hub.heads()
        assert (head.id, head.title, head.status) == (
            roster.find_by_thread("codex", thread),
            "Here",
            "completed",
        )


async def test_a_question_about_files_says_where_links_of_a_clone_lead(tmp_path: Path) -> None:
    project, conf = tmp_path / "project", tmp_path / "conf"
    (project / "deep").mkdir(parents=True)
    conf.mkdir()
    (project / "cfg").symlink_to(conf)
    (project / "inner").symlink_to(project / "deep")
    (project / "plain.py").write_text("mine")
    names = ("cfg/new.sh", "inner/a.py", "plain.py")
    subject = FilesSubject(files=tuple(FileEdit(path=name, change="add") for name in names))
    (tmp_path / "data").mkdir()
    with open_agent_events(tmp_path / "data" / "bascule.db") as (hub, roster, agent_events):
        hub.add(make_session(ONE, workspace=str(project), thread=ThreadId("t")))
        roster.bind("codex", ThreadId("t"), ONE)
        agent_events.take(at(str(project)), [(ThreadId("t"), [AskOpened(replace(FILES, subject=subject))])])
        (ask,) = hub.session(ONE).asks
    assert isinstance(ask.subject, FilesSubject)
    assert ask.subject.existing == ("plain.py",)  # it is called new, and a yes would replace it
    assert ask.subject.links == (
        RealPath("cfg/new.sh", str(conf / "new.sh"), is_outside=True),
        RealPath("inner/a.py", "deep/a.py", is_outside=False),
    )
    assert name_subject(ask) == (
        f"cfg/new.sh (in fact {conf / 'new.sh'}), inner/a.py (in fact deep/a.py), plain.py (replaced)"
    )
    assert ask.subject.mixed
    assert not any(choice.grants for choice in ask.choices)


@pytest.mark.parametrize(
    ("names", "mixed"),
    [
        (("a.py", "deep/b.py", "inner/c.py"), False),
        (("{out}/a.py", "../out/b.py"), False),
        (("a.py", "{out}/ok.txt"), True),
        (("a.py", "../out/ok.txt"), True),
        (("a.py", "../project-2/ok.txt"), True),
        (("inner/a.py", "{out}/ok.txt"), True),
        (("cfg/a.py",), True),
        (("{out}/back/a.py",), True),
    ],
)
async def test_a_question_about_files_inside_and_outside_has_no_yes(
    tmp_path: Path, names: tuple[str, ...], mixed: bool
) -> None:
    """An agent writes an approved patch without its sandbox where a file of it is outside."""
    project, out = tmp_path / "project", tmp_path / "out"
    (project / "deep").mkdir(parents=True)
    out.mkdir()
    (project / "cfg").symlink_to(out)
    (project / "inner").symlink_to(project / "deep")
    (out / "back").symlink_to(project)
    yes, no = Choice(id="accept", label="Yes", grants=True), Choice(id="decline", label="No", grants=False)
    asked = replace(FILES, choices=(yes, no))
    files = tuple(FileEdit(path=name.format(out=out), change="add") for name in names)
    seen = see_links(replace(asked, subject=FilesSubject(files=files)), str(project))
    moved = tuple(FileEdit(path=one.path, change="update", moved_to=files[-1].path) for one in files[:1])
    renamed = see_links(replace(asked, subject=FilesSubject(files=moved)), str(project))
    for ask in (seen, renamed):
        assert isinstance(ask.subject, FilesSubject)
        assert ask.subject.mixed is mixed
        assert ask.choices == ((no,) if mixed else (yes, no))
