"""Orders with a real Codex: mirrored here, nothing written or run without a yes here, all on record."""

import asyncio

import msgspec
import pytest
from tests.e2e.live_app import LiveApp, Setup, of_kind
from tests.e2e.orders.given_orders import (
    NOW,
    PROMPT,
    begin,
    entries,
    give,
    order,
    outcome,
    session_of,
    until_session,
)
from tests.e2e.test_edits_over_protocol import answer, open_peer
from tests.e2e.test_patches import files_of
from tests.e2e.test_test_runs import COMMAND, allow

from bascule.core.order_workspaces import NONE_SET
from bascule.daemon.edits.edits import NOT_CONFIRMED
from bascule.daemon.orders.order_actions import NO_DIFF, NOT_STARTED
from bascule.daemon.orders.orders import KEPT_BACK, USED
from bascule.demo import server
from bascule.demo.outputs import Phase, Say
from bascule.demo.request import ModelRequest, plain_text
from bascule.demo.script import ScriptedAnswer
from bascule.host.machine import host_name
from bascule.model.asks import CommandSubject, FilesSubject
from bascule.model.attachments import DiffAttachment, ErrorAttachment, LogsAttachment, StatusAttachment
from bascule.model.blocks import (
    AssistantBlock,
    CommandBlock,
    ErrorBlock,
    FileChangeBlock,
    RemoteBlock,
    UserBlock,
)
from bascule.model.changes import DeletedSet
from bascule.model.consent.audit import Local, Remote
from bascule.model.consent.orders import Order

pytestmark = pytest.mark.real


async def test_a_patch_is_made_mirrored_and_written_only_after_a_yes_here(live: LiveApp) -> None:
    before = files_of(live.project)
    made = await give(live, order("c-1", "patch", PROMPT))
    assert (made.status, made.command_id, made.machine_id) == ("ok", "c-1", host_name())
    assert "+def initials" in made.diff
    assert "`@dev apply c-1` asks for that at the machine" in made.summary
    session = session_of(live)
    seen = live.see(session)
    (asked,) = of_kind(seen, RemoteBlock)
    assert (asked.text, asked.author, asked.command_id) == (f"@dev patch {PROMPT}", "ann", "c-1")
    assert of_kind(seen, UserBlock) == []
    assert (seen.title, seen.hidden) == ("Orders of ann", False)
    (attached,) = of_kind(seen, AssistantBlock)[-1].attachments
    assert isinstance(attached, DiffAttachment)
    assert "+def initials" in attached.unified_diff
    assert files_of(live.project) == before

    async with open_peer(live) as peer:
        applying = await begin(peer, order("c-2", "apply", ref="c-1"))
        ask = await live.until_ask(session)
        assert isinstance(ask.subject, FilesSubject)
        assert ask.sender is not None
        assert (ask.sender.user, ask.sender.command_id) == ("ann", "c-2")
        assert files_of(live.project) == before
        await answer(live, session, ask, ask.choices[0].id)
        status, summary = await outcome(peer, applying)
        assert (status, summary.partition(",")[0]) == ("ok", "2 files")
    assert b"def initials" in files_of(live.project)["wordkit.py"]

    kept = await entries(live)
    remote = [entry for entry in kept if isinstance(entry.who, Remote) and entry.outcome != "started"]
    assert [(entry.kind, entry.outcome, entry.asked) for entry in remote] == [
        ("command", "done", "/bin/bash -lc 'cat wordkit.py'"),
        ("order", "done", f"@dev patch {PROMPT}"),
        ("apply", "done", "wordkit.py, test_initials.py"),
        ("order", "done", "@dev apply c-1"),
    ]
    assert [(e.who.user, e.who.command_id) for e in remote if isinstance(e.who, Remote)] == [
        ("ann", "c-1"),
        ("ann", "c-1"),
        ("ann", "c-2"),
        ("ann", "c-2"),
    ]
    assert isinstance(remote[2].answered_by, Local)
    assert remote[2].answered_by.surface == "somebody"
    assert made.summary.startswith(f"2 files, +14 -1, plan {remote[2].hash[:12]}. ")


async def test_after_a_restart_an_older_patch_is_applied_and_one_that_no_longer_fits_is_not(
    setup: Setup,
) -> None:
    async with setup.run() as live:
        for name in ("c-1", "c-2"):
            assert (await give(live, order(name, "patch", PROMPT))).status == "ok"
        before = files_of(live.project)
    async with setup.run() as live, open_peer(live) as peer:
        session = session_of(live)
        applying = await begin(peer, order("c-3", "apply", ref="c-1"))
        ask = await live.until_ask(session)
        assert files_of(live.project) == before
        await answer(live, session, ask, ask.choices[0].id)
        assert (await outcome(peer, applying))[0] == "ok"
        assert b"def initials" in files_of(live.project)["wordkit.py"]
        late = await give(live, order("c-4", "apply", ref="c-2"))
        assert late.status == "error"
        assert live.see(session).asks == ()


async def test_a_patch_that_no_longer_fits_is_refused_without_what_the_files_hold_now(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    diff = "--- a/note.md\n+++ b/note.md\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"

    def say(_request: ModelRequest, _setup: object, *, number: int) -> ScriptedAnswer:
        return ScriptedAnswer([Say(diff, phase=Phase.FINAL)], [f"answer_{number}"])

    monkeypatch.setattr(server, "next_answer", say)
    (setup.project / "note.md").write_text("one\ntwo\n")
    async with setup.run() as live:
        assert (await give(live, order("c-1", "patch", PROMPT))).status == "ok"
    (setup.project / "note.md").write_text("one\nour password is swordfish\n")
    async with setup.run() as live:
        late = await give(live, order("c-2", "apply", ref="c-1"))
        assert late.status == "error"
        assert "swordfish" not in late.summary
        assert "note.md" in late.summary
        assert "swordfish" in (await entries(live))[-1].why, "here it is said whole"


async def test_after_a_restart_a_patch_is_applied_whose_line_numbers_were_not_those_of_the_file(
    setup: Setup, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As an agent's often are."""
    diff = "--- a/note.md\n+++ b/note.md\n@@ -4,3 +4,3 @@\n one\n-two\n+2\n three\n"

    def say(_request: ModelRequest, _setup: object, *, number: int) -> ScriptedAnswer:
        return ScriptedAnswer([Say(diff, phase=Phase.FINAL)], [f"answer_{number}"])

    monkeypatch.setattr(server, "next_answer", say)
    (setup.project / "note.md").write_text("one\ntwo\nthree\n")
    async with setup.run() as live:
        made = await give(live, order("c-1", "patch", PROMPT))
        assert made.status == "ok"
    async with setup.run() as live, open_peer(live) as peer:
        session = session_of(live)
        applying = await begin(peer, order("c-2", "apply", ref="c-1"))
        ask = await live.until_ask(session)
        assert f"plan {ask.plan[:12]}. " in made.summary
        await answer(live, session, ask, ask.choices[0].id)
        assert (await outcome(peer, applying))[0] == "ok"
        assert (setup.project / "note.md").read_text() == "one\n2\nthree\n"


async def test_an_old_order_or_one_without_a_folder_is_refused_with_what_to_do(setup: Setup) -> None:
    async with setup.run() as live:
        old = msgspec.structs.replace(order("c-1", "plan", PROMPT), created_at="2026-01-31T12:00:00Z")
        refused = await give(live, old)
        assert (refused.status, "too old" in refused.summary) == ("rejected", True)
        nowhere = await live.app.orders.take(order("c-2", "plan", PROMPT), "", "chat")
        assert (nowhere.status, nowhere.summary) == ("rejected", NONE_SET)
        assert live.app.hub.heads() == []
    setup.write_settings(orders_commands=f'"deny"\nworkspaces = ["kit={setup.project}"]')
    async with setup.run() as live:
        done = await live.app.orders.take(order("c-2", "plan", f"@kit {PROMPT}"), "", "chat")
        assert done.status == "ok"
        assert live.app.roster.get(session_of(live)).workspace == str(setup.project)


async def test_a_plan_goes_back_as_words_and_the_next_order_follows_in_the_same_session(
    live: LiveApp,
) -> None:
    before = files_of(live.project)
    first = await give(live, order("c-1", "plan", PROMPT))
    second = await give(live, order("c-2", "plan", PROMPT))
    assert (first.status, second.status, first.diff) == ("ok", "ok", "")
    seen = live.see(session_of(live))
    said = [block.text.strip() for block in of_kind(seen, AssistantBlock)]
    assert first.summary in said
    assert [block.command_id for block in of_kind(seen, RemoteBlock)] == ["c-1", "c-2"]
    assert len(seen.runs) == 2
    assert files_of(live.project) == before


async def test_codex_itself_refuses_every_write_of_an_order(setup: Setup) -> None:
    written = setup.folder.settings.read_text()
    setup.folder.settings.write_text(written.replace("[codex]\n", '[codex]\nsandbox = "workspace-write"\n'))
    async with setup.run() as live:
        before = files_of(live.project)
        await give(live, order("c-1", "patch", f"demo:write {PROMPT}"))
        seen = live.see(session_of(live))
        assert files_of(live.project) == before
        assert [block.status for block in of_kind(seen, FileChangeBlock) if block.status == "completed"] == []
        assert any("blocked by read-only sandbox" in b.text for b in of_kind(seen, AssistantBlock))


async def test_a_useless_answer_is_asked_for_once_more_and_then_shown_as_it_is(live: LiveApp) -> None:
    made = await give(live, order("c-1", "patch", f"demo:wrong {PROMPT}"))
    assert (made.status, "+def initials" in made.diff) == ("ok", True)
    failed = await give(live, order("c-2", "patch", f"demo:useless {PROMPT}"))
    assert (failed.status, failed.diff) == ("error", "")
    assert "cannot be used as a diff" in failed.summary
    unknown = await give(live, order("c-3", "apply", ref="c-2"))
    assert (unknown.status, unknown.summary) == ("error", NO_DIFF)


async def test_a_no_here_is_rejected_there_and_nothing_is_written(live: LiveApp) -> None:
    before = files_of(live.project)
    await give(live, order("c-1", "patch", PROMPT))
    session = session_of(live)
    async with open_peer(live) as peer:
        applying = await begin(peer, order("c-2", "apply", ref="c-1"))
        ask = await live.until_ask(session)
        await answer(live, session, ask, "decline")
        assert await outcome(peer, applying) == ("rejected", NOT_CONFIRMED)
    assert files_of(live.project) == before
    block = of_kind(live.see(session), ErrorBlock)[-1]
    (attached,) = block.attachments
    assert isinstance(attached, ErrorAttachment)
    assert (attached.code, attached.message) == ("rejected", NOT_CONFIRMED)


async def test_tests_run_after_a_yes_here_and_their_end_goes_back(setup: Setup) -> None:
    allow(setup)
    async with setup.run() as live, open_peer(live) as peer:
        testing = await begin(peer, order("c-1", "test", COMMAND))
        session = await until_session(live)
        ask = await live.until_ask(session)
        assert isinstance(ask.subject, CommandSubject)
        assert (ask.subject.command, ask.subject.cwd) == (COMMAND, str(live.project))
        assert ask.sender is not None
        assert (ask.sender.user, ask.sender.command_id) == ("ann", "c-1")
        await answer(live, session, ask, "accept")
        status, summary = await outcome(peer, testing)
        assert status == "ok"
        assert f"{COMMAND}: exit code 0" in summary
        assert "Ran 5 tests" in summary
        assert [block.text for block in of_kind(live.see(session), RemoteBlock)] == [f"@dev test {COMMAND}"]
        (logs,) = of_kind(live.see(session), CommandBlock)[-1].attachments
        assert isinstance(logs, LogsAttachment)
        assert "Ran 5 tests" in logs.text


async def test_no_test_is_run_where_the_settings_do_not_allow_it(live: LiveApp) -> None:
    done = await give(live, order("c-1", "test", COMMAND))
    assert (done.status, "allowRunTerminal is false" in done.summary) == ("rejected", True)
    seen = live.see(session_of(live))
    assert seen.asks == ()
    (block,) = of_kind(seen, ErrorBlock)
    assert "allowRunTerminal is false" in block.text


async def test_help_and_status_tell_no_secrets(live: LiveApp) -> None:
    helped = await give(live, order("c-1", "help"))
    assert "patch PROMPT: a diff; nothing is written" in helped.summary
    done = await give(live, order("c-2", "status"))
    figures = f"machine {host_name()}, sessions 1, working 0, waiting 0, asks 0"
    assert (done.status, done.summary) == ("ok", figures)
    (attached,) = of_kind(live.see(session_of(live)), AssistantBlock)[-1].attachments
    assert isinstance(attached, StatusAttachment)
    assert attached.json["sessions"] == 1


async def test_without_an_agent_help_still_comes_and_a_plan_says_why_not(setup: Setup) -> None:
    setup.write_settings(command="/nowhere/codex")
    async with setup.run() as live:
        assert (await give(live, order("c-1", "help"))).status == "ok"
        failed = await give(live, order("c-2", "plan", PROMPT))
        assert (failed.status, failed.summary) == ("error", NOT_STARTED)
        _, recorded = await entries(live)
        assert (recorded.kind, recorded.outcome) == ("order", "failed")
        assert "/nowhere/codex" in recorded.why, "here it is said whole"


async def test_how_an_agent_ends_is_said_without_what_it_wrote_of_this_machine(setup: Setup) -> None:
    broken = setup.project.parent / "broken"
    broken.write_text("#!/bin/sh\necho cannot read /home/ann/.codex/auth.json >&2; exit 3\n")
    broken.chmod(0o700)
    setup.write_settings(command=str(broken))
    async with setup.run() as live:
        failed = await give(live, order("c-1", "plan", PROMPT))
        assert (failed.status, failed.summary) == ("error", NOT_STARTED)
        assert "auth.json" in str(live.see(session_of(live)).blocks), "here it is said whole"


async def test_one_order_is_carried_out_once_however_often_it_comes(setup: Setup) -> None:
    async with setup.run() as live:
        wanted = order("c-1", "plan", PROMPT)
        first, second = await asyncio.gather(give(live, wanted), give(live, wanted))
        assert first == second == await give(live, wanted)
        session = session_of(live)
        assert len(live.see(session).runs) == 1
        other = await give(live, order("c-1", "plan", "something else"))
        assert (other.status, other.summary) == ("rejected", USED)
    async with setup.run() as live:
        assert await give(live, wanted) == first  # as it was sent, over a restart
        other = await give(live, order("c-1", "plan", "something else"))
        assert (other.status, other.summary) == ("rejected", USED)
        assert len(live.see(session).runs) == 1


async def test_what_is_for_another_machine_or_makes_no_sense_is_refused_and_on_record(live: LiveApp) -> None:
    wrong = Order(
        command_id="c-1",
        machine_id="elsewhere",
        user_id="ann",
        kind="help",
        created_at=NOW,
    )
    done = await give(live, wrong)
    assert (done.status, "takes no orders for elsewhere" in done.summary) == ("rejected", True)
    assert live.app.hub.heads() == []
    (entry,) = await entries(live)
    assert (entry.kind, entry.outcome, entry.who) == (
        "order",
        "refused",
        Remote(user="ann", command_id="c-1", via="chat"),
    )


async def test_two_people_have_a_session_each_and_a_closed_one_comes_back(live: LiveApp) -> None:
    told = await asyncio.gather(*(give(live, order(f"c-{n}", "help", user=n)) for n in ("ann", "bob")))
    assert [outcome.status for outcome in told] == ["ok", "ok"], told
    ann, bob = session_of(live), session_of(live, "bob")
    assert ann != bob
    live.app.sessions.hide(ann)
    await give(live, order("c-9", "help"))
    assert session_of(live) == ann
    assert not live.app.roster.get(ann).hidden
    live.app.hub.apply(ann, [DeletedSet(1)])
    await give(live, order("c-10", "help"))
    (made,) = [head for head in live.app.hub.conversations() if head.sender == "ann"]
    assert made.id != ann


async def test_the_agent_tells_an_order_again_as_an_order(setup: Setup) -> None:
    async with setup.run() as live:
        await give(live, order("c-1", "plan", PROMPT))
        session = session_of(live)
        before = [b for b in live.see(session).blocks if isinstance(b, RemoteBlock | UserBlock)]
    async with setup.run() as live:
        await live.app.sessions.open(session)
        seen = await live.until(session, lambda seen: seen.runs)
        after = [b for b in seen.blocks if isinstance(b, RemoteBlock | UserBlock)]
        assert after == before
        forked = await live.app.sessions.fork(session)
        assert isinstance(forked, str)
        (block,) = of_kind(live.see(forked), RemoteBlock)
        assert (block.text, block.author, block.command_id) == (f"@dev plan {PROMPT}", "ann", "c-1")


async def test_over_the_protocol_an_order_is_spelt_as_the_specification_does(live: LiveApp) -> None:
    async with open_peer(live) as peer:
        envelope = {
            "commandId": "c-1",
            "machineId": host_name(),
            "userId": "ann",
            "kind": "help",
            "createdAt": NOW,
        }
        result = await peer.call("order.take", {"order": envelope})
        assert set(result) == {"commandId", "machineId", "status", "summary", "createdAt"}
        for kind in ("ask.answer", "task"):
            refused = await peer.refused("order.take", {"order": {**envelope, "kind": kind}})
            assert "kind" in refused.message


@pytest.mark.parametrize(
    ("answer", "status"),
    [
        ("*** Begin Patch\n*** Delete File: customers.csv\n*** End Patch", "ok"),
        ("*** Begin Patch\n*** Update File: customers.csv\n@@\n+x\n*** End of File\n*** End Patch", "ok"),
        ("--- a/customers.csv\n+++ b/customers.csv\n@@ -2,1 +2,1 @@\n-guess\n+x\n", "error"),
    ],
)
async def test_what_goes_back_holds_no_line_of_a_file_that_the_agent_did_not_write(
    live: LiveApp, monkeypatch: pytest.MonkeyPatch, answer: str, status: str
) -> None:
    asked: list[str] = []

    def say(request: ModelRequest, _setup: object, *, number: int) -> ScriptedAnswer:
        asked.append("\n".join(plain_text(item.content) for item in request.input))
        return ScriptedAnswer([Say(answer, phase=Phase.FINAL)], [f"answer_{len(asked)}_{number}"])

    monkeypatch.setattr(server, "next_answer", say)
    (live.project / "customers.csv").write_text("".join(f"customer {n} owes {n * 31}\n" for n in range(9)))
    made = await give(live, order("c-1", "patch", PROMPT))
    assert made.status == status
    assert made.diff in (answer, "")
    assert "owes" not in f"{made.diff} {made.summary} {asked}"
    assert "owes" in str(live.see(session_of(live)).blocks), "here it is shown whole"


async def test_a_secret_does_not_leave_with_an_outcome_and_a_diff_is_never_altered(live: LiveApp) -> None:
    live.app.redactor.watch(lambda: ["def initials"])
    made = await give(live, order("c-1", "patch", PROMPT))
    assert (made.status, made.diff) == ("ok", "")
    assert made.summary.endswith(KEPT_BACK)
    (attached,) = of_kind(live.see(session_of(live)), AssistantBlock)[-1].attachments
    assert "+def initials" in attached.unified_diff  # here it is whole
    live.app.redactor.watch(lambda: [host_name() * 3])
    other = order("c-2", "plan", f"password=hunter2 {host_name() * 3}")
    asked = msgspec.structs.replace(other, machine_id=f"token=abc/{host_name() * 3}")
    assert (await give(live, asked)).summary == (
        f"This machine is {host_name()}, and takes no orders for token=[redacted]"
    )
