"""kill -9 around a yes: what was answered is never called expired, and what was written is on record."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.e2e.live_app import Setup, of_kind

from bascule.daemon.consent.ask_recovery import FOUND, UNDONE
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.blocks import InfoBlock
from bascule.model.consent.audit import Line

if sys.platform == "win32":
    pytest.skip("processes are killed by signals here", allow_module_level=True)

KILLED = """
import asyncio, os, signal, sys
from pathlib import Path
from bascule.daemon.edits import edits
from bascule.daemon.app import open_app
from bascule.daemon.consent.asks import Asks
from bascule.host.edits import apply as host_edits
from bascule.host.files.data_folder import open_folder
from bascule.model.asks import Answer
from tests.e2e.test_edits_over_protocol import DIFF

ROOT, PROJECT, POINT, CHOICE = sys.argv[1:]

def die(*_args, **_more):
    os.kill(os.getpid(), signal.SIGKILL)

def then_die(act):
    def acting(*args, **more):
        act(*args, **more)
        die()
    return acting

match POINT:
    case "on record":
        Asks._tell_asker = die
    case "before writing":
        edits.apply_plan = die
    case "while writing":
        host_edits.rewrite = then_die(host_edits.rewrite)
    case "after writing":
        edits.apply_plan = then_die(edits.apply_plan)

async def main():
    async with open_app(open_folder(Path(ROOT)), command="a test", env={}) as app:
        session = await app.sessions.create(PROJECT)
        watcher = app.hub.watch(session)
        made = await app.edits.prepare(session, DIFF)
        writing = asyncio.ensure_future(app.edits.apply(made.diff_id, "browser"))
        while not (asks := app.roster.get(session).asks):
            await watcher.next()
        app.hub._saver.flush()
        app.hub.read_keys(session)  # by the same thread: the Ask is stored
        choice = next(one.id for one in asks[0].choices if one.grants == (CHOICE == "yes"))
        print(session, asks[0].id, flush=True)
        await app.asks.answer(session, Answer(ask=asks[0].id, choice=choice, by="browser"))
        await writing

asyncio.run(main())
"""


async def kill(setup: Setup, point: str, choice: str = "yes") -> tuple[str, list[InfoBlock], list[Line]]:
    """What is shown of the Ask at the next start, and what is recorded then."""
    (setup.project / "NOTES.md").write_text("one\ntwo\n")
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(setup.folder.root), str(setup.project), point, choice],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        timeout=60,
    )
    assert done.returncode == -9, done.stderr
    session, ask = done.stdout.split()
    async with setup.run() as live:
        seen = live.see(session)  # type: ignore[arg-type]
        assert seen.asks == ()
        note = [block for block in of_kind(seen, InfoBlock) if block.id.endswith(ask)]
    async with setup.run() as live:
        assert [block for block in of_kind(live.see(session), InfoBlock) if block.id.endswith(ask)] == note  # type: ignore[arg-type]
    audit = Audit(audit_in(setup.folder.root))
    assert audit.verify() == []
    return (setup.project / "NOTES.md").read_text(), note, audit.last(100)


def ends(lines: list[Line]) -> list[tuple[str, str, str]]:
    return [(line.entry.kind, line.entry.answer, line.entry.outcome) for line in lines]


@pytest.mark.parametrize("point", ["on record", "before writing"])
async def test_killed_between_the_yes_and_the_writing(setup: Setup, point: str) -> None:
    text, (note,), lines = await kill(setup, point)
    assert text == "one\ntwo\n"
    assert note.title.startswith("Answered yes, just before Bascule was stopped: Write these files?")
    assert note.text == f"NOTES.md, fresh.txt\nbrowser said yes (line 1 of `bascule audit`). {UNDONE}"
    assert ends(lines) == [("ask", "yes", "done")]


async def test_killed_while_writing(setup: Setup) -> None:
    text, (note,), lines = await kill(setup, "while writing")
    assert text == "one\ntwo\n"
    assert "browser said yes" in note.text
    assert "was cut off, and was put back." in note.text
    assert ends(lines) == [("ask", "yes", "done"), ("apply", "none", "failed")]


async def test_killed_between_the_writing_and_its_line(setup: Setup) -> None:
    text, (note,), lines = await kill(setup, "after writing")
    assert text == "one\nzwei\n"
    assert "browser said yes (line 1 of `bascule audit`). The files were written. `bascule undo " in note.text
    assert ends(lines) == [("ask", "yes", "done"), ("apply", "yes", "done")]
    yes, done = (line.entry for line in lines)
    assert (done.hash, done.who, done.why) == (yes.hash, yes.who, FOUND)


async def test_killed_after_a_no(setup: Setup) -> None:
    text, (note,), lines = await kill(setup, "on record", "no")
    assert text == "one\ntwo\n"
    assert note.text.endswith("browser said no (line 1 of `bascule audit`). Nothing was done.")
    assert ends(lines) == [("ask", "no", "done")]
