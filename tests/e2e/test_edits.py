"""`bascule diff apply`, `undo` and `audit` as a person uses them, and as a script tries to."""

import asyncio
import hashlib
import os
import pty
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

import msgspec
import pytest
from tests.cli.command import run_bascule
from tests.cli.pty_terminal import Terminal, terminal
from tests.e2e.mirror_surface import onlooker
from tests.host.plans import look
from tests.patience import PATIENCE_S

from bascule.cli.consent.audit import PROVES, PROVES_NOT
from bascule.host.edits.journal import journals_in
from bascule.host.files.data_folder import open_folder
from bascule.host.locks.flock import try_lock
from bascule.host.network.registration import find_daemon
from bascule.model.consent.audit import Line

DIFF = """\
Here is the change:

```diff
--- a/greet.py
+++ b/greet.py
@@ -1,2 +1,2 @@
 def greet():
-    return "hello"
+    return "good morning"
diff --git a/new/tool.sh b/new/tool.sh
new file mode 100755
--- /dev/null
+++ b/new/tool.sh
@@ -0,0 +1 @@
+echo hi
```
"""


# The record of a question that nobody answered.
WITHDRAWN = [("ask", "none", "withdrawn"), ("apply", "none", "withdrawn")]


class EditCommands:
    def __init__(self, root: Path) -> None:
        self.home, self.workspace = root / "home", root / "ws"
        self.home.mkdir()
        self.workspace.mkdir()
        (self.workspace / "greet.py").write_text('def greet():\n    return "hello"\n')
        self.diff = root / "change.diff"
        self.diff.write_text(DIFF)

    def run(self, *words: str, stdin: str = "", **env: str) -> subprocess.CompletedProcess[str]:
        return run_bascule(*words, home=self.home, cwd=self.workspace, stdin=stdin, **env)

    def audit(self) -> list[Line]:
        done = self.run("audit", "--json")
        return [msgspec.json.decode(line, type=Line) for line in done.stdout.splitlines()]

    def change_record(self, statement: str) -> None:
        with closing(sqlite3.connect(self.home / "audit" / "record.db")) as db, db:
            db.execute(statement)

    def recorded(self) -> list[tuple[str, str, str]]:
        return [(line.entry.kind, line.entry.answer, line.entry.outcome) for line in self.audit()]

    def apply(self) -> str:
        """With a yes; the id that undoes it."""
        with self.terminal("diff", "apply", str(self.diff)) as screen:
            take_all(screen)
            screen.type("yes")
            screen.until("Undo it with: bascule undo ")
            journal = screen.until("\n").strip()
            assert screen.end() == 0
        return journal

    @contextmanager
    def held(self) -> Iterator[None]:
        """As by a Bascule that is just writing here: another one waits."""
        fd = os.open(self.workspace, os.O_RDONLY)
        try:
            assert try_lock(fd)
            yield
        finally:
            os.close(fd)

    def until_writing(self) -> None:
        """The journals are taken first."""
        deadline = time.monotonic() + PATIENCE_S
        while not (journals_in(self.home) / "lock").exists():
            assert time.monotonic() < deadline, "it never began to write"
            time.sleep(0.01)

    def terminal(self, *words: str) -> AbstractContextManager[Terminal]:
        return terminal(*words, home=self.home, cwd=self.workspace)


def take_all(screen: Terminal) -> str:
    """Every hunk; what is shown then, up to the one question that counts."""
    screen.until(",?] ")
    screen.type("a")
    return screen.until("[y/n] ")


@pytest.fixture
def commands(tmp_path: Path) -> EditCommands:
    return EditCommands(tmp_path)


def test_a_diff_is_shown_asked_for_written_recorded_and_undone(commands: EditCommands) -> None:
    before = look(commands.workspace)
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        shown = take_all(screen)
        for part in (
            '-    return "hello"',
            '+    return "good morning"',
            "greet.py",
            "new/tool.sh",
            "+echo hi",
        ):
            assert part in shown
        assert "2 files, +2 −1" in shown
        plan = shown.split(", plan")[1].split()[0]
        screen.type("yes")
        assert "Written: 2 files, +2 −1." in screen.until("Undo it with: bascule undo ")
        journal = screen.until("\n").strip()
        assert screen.end() == 0
    assert (commands.workspace / "greet.py").read_text() == 'def greet():\n    return "good morning"\n'
    assert os.access(commands.workspace / "new" / "tool.sh", os.X_OK)

    assert journal in commands.run("undo").stdout
    with commands.terminal("undo", journal) as screen:
        assert '+    return "hello"' in screen.until("[y/n] ")
        screen.type("yes")
        assert screen.end() == 0
    assert look(commands.workspace) == before
    assert commands.recorded() == [
        ("ask", "yes", "done"),
        ("apply", "yes", "done"),
        ("ask", "yes", "done"),
        ("undo", "yes", "done"),
    ]
    first, second, *_ = [line.entry for line in commands.audit()]
    assert first.hash == second.hash
    assert first.hash.startswith(plan)
    assert second.ref.endswith(journal)
    assert second.asked == "greet.py, new/tool.sh"
    last = hashlib.sha256(commands.run("audit", "--json", "-n", "1").stdout.strip().encode()).hexdigest()
    whole, count, hash_, *rest = commands.run("audit", "--verify").stdout.splitlines()
    assert whole == "✓ Every line is as it was written."
    assert count.startswith("4 lines, ")
    assert (hash_, rest) == (f"  {last}", [PROVES, PROVES_NOT])
    assert "(undone)" in commands.run("undo").stdout


@pytest.mark.parametrize("answer", ["", "n", "no", "yes please"])
def test_anything_but_a_yes_is_a_no_or_asked_again(commands: EditCommands, answer: str) -> None:
    before = look(commands.workspace)
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        take_all(screen)
        screen.type(answer)
        if answer == "yes please":
            screen.until("Please type y or n: ")
            screen.type("n")
        screen.until("Nothing was written: it was not confirmed.")
        assert screen.end() == 1
    assert look(commands.workspace) == before
    assert commands.recorded() == [("ask", "no", "done"), ("apply", "no", "rejected")]


def test_ctrl_c_at_a_question_is_a_no_that_is_reported_and_on_record(commands: EditCommands) -> None:
    before = look(commands.workspace)
    for question in (",?] ", "[y/n] "):
        with commands.terminal("diff", "apply", str(commands.diff)) as screen:
            screen.until(",?] ") if question == ",?] " else take_all(screen)
            screen.press_ctrl_c()
            screen.until("Nothing was written: it was not confirmed.")
            assert screen.end() == 130
    assert look(commands.workspace) == before
    assert commands.recorded() == WITHDRAWN  # choosing hunks is no question


def test_ctrl_c_after_the_yes_waits_for_the_end_and_says_it(commands: EditCommands) -> None:
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        with commands.held():
            take_all(screen)
            screen.type("yes")
            commands.until_writing()
            screen.press_ctrl_c()
            screen.until("Too late to stop: you said yes.")
        screen.until("Written: 2 files, +2 −1.")
        assert screen.end() == 0
    assert (commands.workspace / "greet.py").read_text() == 'def greet():\n    return "good morning"\n'
    assert commands.recorded() == [("ask", "yes", "done"), ("apply", "yes", "done")]


def test_hunks_are_taken_one_by_one_and_the_yes_is_for_those_only(commands: EditCommands) -> None:
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        assert '+    return "good morning"' in screen.until("Apply hunk 1 of 1 of greet.py?")
        screen.until(",?] ")
        screen.type("n")
        assert "+echo hi" in screen.until("Apply hunk 1 of 1 of new/tool.sh?")
        screen.until(",?] ")
        screen.type("y")
        shown = screen.until("[y/n] ")
        assert ("1 file, +1 −0" in shown, "greet.py" in shown) == (True, False)
        plan = shown.split(", plan")[1].split()[0]
        screen.type("yes")
        screen.until("Written: 1 file, +1 −0.")
        assert screen.end() == 0
    assert (commands.workspace / "greet.py").read_text() == 'def greet():\n    return "hello"\n'
    assert (commands.workspace / "new" / "tool.sh").read_text() == "echo hi\n"
    entries = [line.entry for line in commands.audit()]
    assert [(entry.hash[:12], entry.workspace) for entry in entries] == [(plan, str(commands.workspace))] * 2
    question = f"Write these files in {commands.workspace}? (plan {plan}) new/tool.sh"
    assert [entry.asked for entry in entries] == [question, "new/tool.sh"]


@pytest.mark.parametrize("keys", ["q", "d", "n n"])
def test_choosing_nothing_writes_nothing(commands: EditCommands, keys: str) -> None:
    before = look(commands.workspace)
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        for key in keys.split():
            screen.until(",?] ")
            screen.type(key)
        screen.until("Nothing was written: no hunk was selected.")
        assert screen.end() == 1
    assert look(commands.workspace) == before
    assert commands.recorded() == []  # nobody was asked to write anything


def test_a_terminal_that_closes_is_a_no(commands: EditCommands) -> None:
    before = look(commands.workspace)
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        take_all(screen)
        screen.type("\x04")
        assert screen.end() == 1
    assert look(commands.workspace) == before


def test_without_a_terminal_nothing_answers_for_the_person(commands: EditCommands) -> None:
    before = look(commands.workspace)
    for words, stdin in (
        (("diff", "apply", str(commands.diff)), "yes\nyes\n"),
        (("diff", "apply", "-"), DIFF + "yes\n"),
    ):
        done = commands.run(*words, stdin=stdin, BASCULE_YES="1", CI="1")
        assert done.returncode == 2
        assert "there is no terminal to ask on" in done.stderr
    for flag in ("--yes", "-y", "--force", "--no-confirm"):
        assert commands.run("diff", "apply", str(commands.diff), flag).returncode == 2
    assert look(commands.workspace) == before
    assert commands.recorded() == WITHDRAWN * 2


def test_a_yes_typed_before_the_question_does_not_count(commands: EditCommands) -> None:
    """As when somebody gets a command and its answer to be pasted together."""
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        screen.type("yes")
        take_all(screen)
        screen.type("no")
        assert screen.end() == 1
    assert commands.recorded()[0] == ("ask", "no", "done")


# Makes the terminal on this descriptor the one that the command was begun from.
BEGIN = """
import fcntl, os, sys, termios
fcntl.ioctl(int(sys.argv[1]), termios.TIOCSCTTY, 0)
os.execv(sys.executable, [sys.executable, "-m", "bascule", *sys.argv[2:]])
"""


def test_with_the_diff_on_standard_input_the_terminal_is_asked(commands: EditCommands) -> None:
    ours, theirs = pty.openpty()
    with (
        commands.diff.open("rb") as diff,
        subprocess.Popen(
            [sys.executable, "-c", BEGIN, str(theirs), "diff", "apply", "-"],
            env={**os.environ, "BASCULE_HOME": str(commands.home)},
            cwd=commands.workspace,
            stdin=diff,
            stdout=subprocess.PIPE,
            start_new_session=True,
            pass_fds=(theirs,),
        ) as process,
    ):
        shown = b""
        for question, keys in ((b",?] ", b"a\n"), (b"[y/n] ", b"yes\n")):
            while question not in shown:
                shown += os.read(ours, 4096)
            os.write(ours, keys)
        said, _ = process.communicate(timeout=60)
    os.close(ours)
    os.close(theirs)
    assert (process.returncode, said.split(b".")[0]) == (0, "Written: 2 files, +2 −1".encode())


async def answer_elsewhere(commands: EditCommands, *, grants: bool) -> None:
    daemon = find_daemon(open_folder(commands.home))
    assert daemon is not None
    async with onlooker(daemon, "another") as other:
        (one,) = (await other.call("ask.list")).asks
        choice = next(choice.id for choice in one.ask.choices if choice.grants == grants)
        await other.answer(one.session_id, ask_id=one.ask.id, choice=choice)


def test_the_question_is_open_on_every_surface_and_the_first_answer_counts(commands: EditCommands) -> None:
    before = look(commands.workspace)
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        take_all(screen)
        asyncio.run(answer_elsewhere(commands, grants=False))
        screen.until("Answered on another surface.")
        screen.until("Nothing was written: it was not confirmed.")
        assert screen.end() == 1
    assert look(commands.workspace) == before
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        take_all(screen)
        asyncio.run(answer_elsewhere(commands, grants=True))
        screen.until("Answered on another surface.")
        screen.until("Written: 2 files, +2 −1.")
        assert screen.end() == 0
    with commands.terminal("undo", "last") as screen:
        screen.until("[y/n] ")
        asyncio.run(answer_elsewhere(commands, grants=True))
        screen.until("Undone: 2 files")
        assert screen.end() == 0
    assert look(commands.workspace) == before
    assert commands.recorded()[-2:] == [("ask", "yes", "done"), ("undo", "yes", "done")]


def test_a_running_daemon_is_joined(commands: EditCommands) -> None:
    assert commands.run("up", "--no-open").returncode == 0
    try:
        journal = commands.apply()
        assert journal in commands.run("undo").stdout
        daemon = find_daemon(open_folder(commands.home))
        assert daemon is not None
        assert commands.recorded() == [("ask", "yes", "done"), ("apply", "yes", "done")]
    finally:
        commands.run("down")


def test_where_diffs_are_forbidden_no_hunk_is_asked_about(commands: EditCommands) -> None:
    (commands.home / "settings.toml").write_text("allowApplyPatch = false\n")
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        screen.until("bascule.allowApplyPatch is false here")
        assert screen.end() == 1
        assert "Apply hunk" not in screen.seen
    assert commands.recorded() == [("apply", "none", "not_allowed")]


def test_a_diff_of_bytes_that_are_no_text_is_written_as_it_is(commands: EditCommands) -> None:
    (commands.workspace / "latin").write_bytes(b"caf\xe9\nold\n")
    commands.diff.write_bytes(b"--- latin\n+++ latin\n@@ -1,2 +1,2 @@\n caf\xe9\n-old\n+n\xe9w\n")
    with commands.terminal("diff", "apply", str(commands.diff), "-p", "0") as screen:
        assert "+n\\xe9w" in screen.until("[y/n] ")
        screen.type("yes")
        assert screen.end() == 0
    assert (commands.workspace / "latin").read_bytes() == b"caf\xe9\nn\xe9w\n"


def test_a_file_saved_while_the_question_stands_is_not_written_over(commands: EditCommands) -> None:
    with commands.terminal("diff", "apply", str(commands.diff)) as screen:
        take_all(screen)
        (commands.workspace / "greet.py").write_text("mine\n")
        screen.type("yes")
        screen.until("greet.py changed since the preview")
        assert screen.end() == 1
    assert sorted(look(commands.workspace)) == ["greet.py"]
    assert (commands.workspace / "greet.py").read_text() == "mine\n"
    assert commands.recorded()[-1] == ("apply", "yes", "refused")


def test_an_undo_of_what_changed_since_is_refused_by_name(commands: EditCommands) -> None:
    journal = commands.apply()
    (commands.workspace / "greet.py").write_text("mine\n")
    done = commands.run("undo", journal)
    assert done.returncode == 1
    assert "greet.py changed since" in done.stderr
    assert commands.run("undo", "nowhere").stderr == (
        "bascule: 'nowhere' names no edit. `bascule undo` lists them.\n"
    )


def test_an_undo_without_a_terminal_is_refused(commands: EditCommands) -> None:
    commands.apply()
    after = look(commands.workspace)
    done = commands.run("undo", "last", stdin="yes\n")
    assert (done.returncode, "no terminal to ask on" in done.stderr) == (2, True)
    assert look(commands.workspace) == after


def test_a_refused_diff_says_why_and_asks_nobody(commands: EditCommands) -> None:
    commands.diff.write_text("--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n")
    done = commands.run("diff", "apply", str(commands.diff))
    assert done.returncode == 1
    assert "Edit refused: " in done.stderr


def test_a_record_that_was_tampered_with_is_reported(commands: EditCommands) -> None:
    commands.apply()
    commands.change_record("""UPDATE lines SET line = replace(line, '"yes"', '"no"') WHERE seq = 1""")
    done = commands.run("audit", "--verify")
    assert done.returncode == 1
    assert "✗ line 2: it does not follow from the line before" in done.stdout
    assert [line.seq for line in commands.audit()] == [1, 2]
    assert len(commands.run("audit", "-n", "1").stdout.splitlines()) == 1


def test_a_record_that_was_removed_is_missed_by_verify_by_doctor_and_by_the_next_line(
    commands: EditCommands,
) -> None:
    commands.apply()
    shutil.rmtree(commands.home / "audit")
    gone = "The record was removed: lines 1 to 2 are missing."
    assert "✗ the record: the whole of it is gone (2 lines)" in commands.run("audit", "--verify").stdout
    assert f"✗ record: {gone}" in commands.run("doctor").stdout
    (commands.workspace / "greet.py").write_text('def greet():\n    return "hello"\n')
    shutil.rmtree(commands.workspace / "new")
    commands.apply()
    first, *_ = commands.audit()
    assert (first.seq, first.note, first.entry.kind, first.entry.why) == (3, "removed", "record", gone)
    done = commands.run("audit", "--verify")
    assert (done.returncode, "✗ line 3: when this line was written" in done.stdout) == (1, True)
    assert f"✗ record: {gone}" in commands.run("doctor").stdout
