"""The record over every path: each Ask, apply, undo, test and setting leaves one line that says all."""

import os
import shlex
import subprocess
import sys

import msgspec
import pytest
from tests.e2e.live_app import LiveApp, Setup
from tests.e2e.peer import Message, Peer
from tests.e2e.test_edits_over_protocol import DIFF, answer, open_peer

from bascule.daemon.consent.record import hash_command
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.consent.audit import Entry, Line, Local
from bascule.model.ids import SessionId

QUICK = "python3 -m unittest -q"
SLEEPS = f"{shlex.quote(sys.executable)} sleeps.py"
SETTINGS = f'allowRunTerminal = true\ntestTimeoutSeconds = 1\ntestCommands = ["{QUICK}", "{SLEEPS}"]\n'


class RecordReader:
    """How things have ended since the last look; every line of it complete, and the chain whole."""

    def __init__(self, setup: Setup, live: LiveApp) -> None:
        self._audit = Audit(audit_in(setup.folder.root))
        self._live = live
        self._read = 0

    async def news(self) -> list[Entry]:
        await self._live.app.record.written()
        assert self._audit.verify() == []
        lines = self._audit.last(1_000)[self._read :]
        self._read += len(lines)
        for line in lines:
            check_whole(line.entry)
        ends = [line.entry for line in lines if line.entry.outcome != "started"]
        starts = {line.entry.ref for line in lines if line.entry.outcome == "started"}
        assert starts <= {entry.ref for entry in ends}
        return ends

    async def recorded(self) -> list[tuple[str, str, str]]:
        return [(entry.kind, entry.answer, entry.outcome) for entry in await self.news()]


def check_whole(entry: Entry) -> None:
    assert isinstance(entry.who, Local)
    assert entry.who.surface
    assert entry.asked
    assert entry.at_ms
    assert entry.workspace or entry.kind == "apply"  # nothing is known of a diff that nobody made
    assert len(entry.hash) == 64 or (entry.answer == "none" and entry.kind != "ask")
    assert entry.why or entry.outcome in ("started", "done")


async def prepare(peer: Peer, session: SessionId) -> Message:
    made: Message = await peer.call("edits.prepare", {"session_id": session, "diff": DIFF})
    return made


async def confirm(live: LiveApp, peer: Peer, session: SessionId, call: str, choice: str = "") -> Message:
    ask = await live.until_ask(session)
    await answer(live, session, ask, choice or ask.choices[0].id)
    done: Message = await peer.result(call)
    return done


@pytest.mark.real
async def test_every_path_writes_exactly_one_line(setup: Setup) -> None:
    setup.folder.settings.write_text(SETTINGS + setup.folder.settings.read_text())
    async with setup.run() as live, open_peer(live) as peer:
        notes = live.project / "NOTES.md"
        notes.write_text("one\ntwo\n")
        (live.project / "sleeps.py").write_text("import time\ntime.sleep(600)\n")
        session, reader = await live.begin(), RecordReader(setup, live)
        await apply_and_undo(live, peer, session, reader)
        await refused_edits(live, peer, session, reader)
        await chosen_and_reverted(live, peer, session, reader)
        await ends_of_tests(live, peer, session, reader)
        await settings_changed_and_refused(peer, session, reader)
        await questions_of_the_agent(live, session, reader)
    env = {**os.environ, "BASCULE_HOME": str(setup.folder.root)}
    words = [sys.executable, "-m", "bascule", "audit"]
    shown = subprocess.run([*words, "--json", "-n", "1000"], env=env, capture_output=True, check=True)
    lines = [msgspec.json.decode(line, type=Line) for line in shown.stdout.splitlines()]
    assert [line.seq for line in lines] == list(range(1, len(lines) + 1))
    proved = subprocess.run([*words, "--verify"], env=env, capture_output=True, text=True)
    assert (proved.returncode, proved.stdout.splitlines()[0]) == (0, "✓ Every line is as it was written.")


async def apply_and_undo(live: LiveApp, peer: Peer, session: SessionId, reader: RecordReader) -> None:
    plan = await prepare(peer, session)
    assert await reader.recorded() == []  # making a diff and looking at it changes nothing
    done = await confirm(live, peer, session, await peer.begin("edits.apply", {"diff_id": plan["diff_id"]}))
    ask, apply = await reader.news()
    assert (ask.kind, ask.answer, ask.outcome, ask.hash) == ("ask", "yes", "done", plan["hash"])
    assert (apply.kind, apply.answer, apply.outcome, apply.hash) == ("apply", "yes", "done", plan["hash"])
    assert (apply.asked, apply.ref) == ("NOTES.md, fresh.txt", done["undo_id"])
    assert isinstance(apply.answered_by, Local)
    assert apply.answered_by.surface == "somebody"
    undo = {"session_id": session, "undo_id": done["undo_id"]}
    await confirm(live, peer, session, await peer.begin("edits.undo", undo), "decline")
    assert await reader.recorded() == [("ask", "no", "done"), ("undo", "no", "rejected")]
    await confirm(live, peer, session, await peer.begin("edits.undo", undo))
    assert await reader.recorded() == [("ask", "yes", "done"), ("undo", "yes", "done")]
    await peer.call("edits.undo", undo)  # for the second time
    await peer.call("edits.undo", {**undo, "undo_id": "edit_of_nobody"})
    assert await reader.recorded() == [("undo", "none", "refused")] * 2


async def refused_edits(live: LiveApp, peer: Peer, session: SessionId, reader: RecordReader) -> None:
    plan = await prepare(peer, session)
    apply = {"diff_id": plan["diff_id"]}
    await confirm(live, peer, session, await peer.begin("edits.apply", apply), "decline")
    assert await reader.recorded() == [("ask", "no", "done"), ("apply", "no", "rejected")]
    call = await peer.begin("edits.apply", apply)
    ask = await live.until_ask(session)
    (live.project / "NOTES.md").write_text("mine\n")
    await answer(live, session, ask, ask.choices[0].id)
    await peer.result(call)
    assert await reader.recorded() == [("ask", "yes", "done"), ("apply", "yes", "refused")]
    (live.project / "NOTES.md").write_text("one\ntwo\n")
    await peer.call("edits.apply", {"diff_id": "diff_of_nobody"})
    assert await reader.recorded() == [("apply", "none", "refused")]
    async with open_peer(live) as other:
        await other.begin("edits.apply", apply)
        await live.until_ask(session)
    await live.until(session, lambda seen: not seen.asks)
    assert await reader.recorded() == [("ask", "none", "withdrawn"), ("apply", "none", "withdrawn")]


async def chosen_and_reverted(live: LiveApp, peer: Peer, session: SessionId, reader: RecordReader) -> None:
    plan = await prepare(peer, session)
    chosen = {"diff_id": plan["diff_id"], "files": [{"path": "NOTES.md"}]}
    part = await peer.call("edits.select", chosen)
    await confirm(live, peer, session, await peer.begin("edits.apply", {"diff_id": part["diff_id"]}))
    ask, apply = await reader.news()
    assert (ask.hash, apply.hash, apply.asked) == (part["hash"], part["hash"], "NOTES.md")
    assert part["hash"] != plan["hash"]
    await live.play(session, "demo:edit")
    assert await reader.recorded() == [("ask", "yes", "done")]
    review = await peer.call("edits.review", {"session_id": session})
    files = [{"path": file["path"]} for file in review["files"]]
    wanted = {"session_id": session, "run_id": review["run_id"], "files": files}
    back = await peer.call("edits.revert", wanted)
    assert await reader.recorded() == []
    await confirm(live, peer, session, await peer.begin("edits.apply", {"diff_id": back["diff_id"]}))
    assert await reader.recorded() == [("ask", "yes", "done"), ("apply", "yes", "done")]


async def ends_of_tests(live: LiveApp, peer: Peer, session: SessionId, reader: RecordReader) -> None:
    def run(command: str) -> Message:
        return {"session_id": session, "command": command}

    await peer.call("test.run", run("rm -rf ."))
    assert await reader.recorded() == [("test", "none", "not_allowed")]
    await confirm(live, peer, session, await peer.begin("test.run", run(QUICK)), "decline")
    assert await reader.recorded() == [("ask", "no", "done"), ("test", "no", "rejected")]
    await confirm(live, peer, session, await peer.begin("test.run", run(SLEEPS)))
    ask, test = await reader.news()
    assert (ask.answer, test.answer, test.outcome) == ("yes", "yes", "timed_out")
    assert ask.hash == test.hash == hash_command(SLEEPS, str(live.project))
    call = await peer.begin("test.run", run(QUICK))
    await live.until_ask(session)
    await peer.call("test.run", run(QUICK))  # the first still waits
    await peer.call("test.cancel", {"session_id": session})
    await peer.result(call)
    lines = await reader.recorded()
    assert lines == [
        ("test", "none", "refused"),
        ("ask", "none", "withdrawn"),
        ("test", "none", "cancelled"),
    ]
    async with open_peer(live) as other:
        await other.begin("test.run", run(QUICK))
        await live.until_ask(session)
    await live.until(session, lambda seen: not seen.asks)
    assert await reader.recorded() == [("ask", "none", "withdrawn"), ("test", "none", "withdrawn")]


async def settings_changed_and_refused(peer: Peer, session: SessionId, reader: RecordReader) -> None:
    for key, value, outcome in (
        ("bascule.contextMaxFiles", 5, "done"),
        ("bascule.contextMaxFiles", None, "done"),
        ("bascule.contextMaxFiles", 1_000, "refused"),
        ("bascule.nothing", 1, "refused"),
    ):
        wish = {"session_id": session, "key": key, "value": value}
        if outcome == "done":
            await peer.call("settings.set", wish)
        else:
            await peer.refused("settings.set", wish)
        (entry,) = await reader.news()
        assert (entry.kind, entry.outcome, key in entry.asked) == ("setting", outcome, True)


async def questions_of_the_agent(live: LiveApp, session: SessionId, reader: RecordReader) -> None:
    live.say(session, "demo:approval")
    ask = await live.until_ask(session)
    await answer(live, session, ask, next(choice.id for choice in ask.choices if not choice.grants))
    await live.until_idle(session)
    assert await reader.recorded() == [("ask", "no", "done")]
    live.say(session, "demo:approval")
    await live.until_ask(session)
    live.app.prompts.interrupt(session)
    await live.until_idle(session)
    assert await reader.recorded() == [("ask", "none", "withdrawn")]
