"""The Codelia TUI, a client that nobody here wrote, over `bascule runtime --demo`."""

import os
import platform
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.e2e.live_app import SUITE, SUITE_ID
from tools.fetch_programs import CODELIA, RUNS_HERE

from bascule.cli.connect.join_daemon import Joined
from bascule.client.mirror import Mirror
from bascule.host.files.data_folder import open_folder
from bascule.host.network.dial import dial
from bascule.host.network.registration import find_daemon
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Ask
from bascule.model.blocks import UserBlock
from bascule.model.protocol.runs import RunInput, RunStartParams, SessionListParams
from bascule.model.protocol.sessions import AnswerParams

if TYPE_CHECKING or RUNS_HERE:
    from tests.e2e.screen import Screen
else:
    Screen = object

pytestmark = [
    pytest.mark.real,
    pytest.mark.skipif(
        not RUNS_HERE, reason=f"the TUI is built for Linux x86-64, this is {platform.platform()}"
    ),
]

REMEMBER, DENY = "2. Allow (don't ask again)", "3. Deny (Tab to add reason)"
LONG_LINE = 400_000  # characters; drawn as one line it holds up the TUI for seconds


class Tui(Screen):
    """The real binary, and what a person does with it."""

    def __init__(self, home: Path, *words: str) -> None:
        assert CODELIA.path.exists(), (
            f"{CODELIA.path} is missing. Next: {sys.executable} tools/fetch_programs.py"
        )
        self.home = home
        self.project = home / "demo" / "project"
        env = {
            **{key: value for key, value in os.environ.items() if not key.startswith("CODELIA_")},
            "HOME": str(home),
            "BASCULE_HOME": str(home),
            "CODELIA_RUNTIME_CMD": sys.executable,
            "CODELIA_RUNTIME_ARGS": "-m bascule runtime --demo",
            "TERM": "xterm-256color",
            SUITE: SUITE_ID,
        }
        super().__init__([str(CODELIA.path), *words], env, home)

    async def say(self, text: str) -> None:
        """Typed, seen in the composer, sent."""
        self.type(text)
        await self.until_holds(lambda: self._composes(text), f"{text!r} in the composer")
        self.press("enter")
        await self.until_holds(lambda: not self._composes(text), f"{text!r} sent")

    def _composes(self, text: str) -> bool:
        return any(line in (f"  > {text}", f"  ! {text.removeprefix('!')}") for line in self.lines())

    async def answer(self, *keys: str) -> None:
        """To the dialog that comes."""
        await self.until_on_screen(DENY)
        self.press(*keys)
        await self.until_gone(DENY)


@asynccontextmanager
async def open_tui(home: Path, *words: str) -> AsyncIterator[Tui]:
    settings = open_folder(open_folder(home).demo).settings
    settings.write_text("allowRunTerminal = true\n", encoding="utf-8")
    tui = Tui(home, *words)
    try:
        await tui.until("model: openai/demo [medium]")
        yield tui
    finally:
        tui.close()


@asynccontextmanager
async def open_other(tui: Tui) -> AsyncIterator[Joined]:
    """Another surface on the daemon that the TUI's runtime hosts."""
    daemon = find_daemon(open_folder(open_folder(tui.home).demo))
    assert daemon is not None
    wire = await dial(daemon, str(tui.project))
    async with Tasks() as tasks:
        other = Joined(wire, str(tui.project), tasks)
        await other.begin("other")
        yield other
        await wire.close()


async def only_session(other: Joined) -> Mirror:
    listed = (await other.call("session.list", SessionListParams())).sessions
    assert len(listed) == 1
    mirror = await other.watch(listed[0].session_id)
    await mirror.news()
    return mirror


async def test_a_prompt_and_the_lines_of_its_tools(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:reasoning demo:command demo:plan demo:search")
        await tui.until("A short one will do: the summary itself is what matters here.")
        await tui.until("✔ Shell: python3 -m unittest -v")
        await tui.until("... (3 line(s) omitted) ...")
        await tui.until("The tests pass.")
        await tui.until(
            "✔ TODO: Set 3 task(s)\n  1. [x] Stop the traffic\n  2. [>] Raise the leaf\n  3. [ ] Let"
        )
        await tui.until("✔ WebSearch: how does a bascule bridge work")
        await tui.until("⏱ Run duration:")
        await tui.until_on_screen("● completed")
        seen = await tui.until("context left: 9")
        assert seen.count("The demo is offline, so nothing was looked up.") == 1  # `final` does not repeat it


async def test_a_yes_a_no_and_a_no_with_its_reason(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:edit")
        await tui.until("diff --git a/test_initials.py b/test_initials.py\n     1 + import unittest")
        await tui.until("Review apply_patch changes, then choose Allow or Deny")
        await tui.until_on_screen("Write these files?\n    Command: 2 files, +14 -1")
        await tui.answer("y")
        await tui.until("wordkit.py has one more function, and a new test file checks it.")
        assert (tui.project / "test_initials.py").exists()

        await tui.say("again demo:edit")
        await tui.answer("n")
        await tui.until("The edit was not made, so the files are as they were.")
        assert sorted(path.name for path in tui.project.glob("test_*.py")) == [
            "test_initials.py",
            "test_wordkit.py",
        ]

        await tui.say("demo:approval")
        await tui.until_on_screen("DANGER: Run this command?\n    Command: $ python3 -m compileall")
        tui.press("tab")
        await tui.until_on_screen("Reason input active")
        await tui.say("not on a Friday")
        await tui.until("✖ Shell cancelled - python3 -m compileall -q wordkit.py")
        await tui.until(" > not on a Friday")
        await tui.until("I am the demo model")  # the reason was heard as a prompt of its own
        async with open_other(tui) as other:
            blocks = (await only_session(other)).session().blocks
        assert [block.text for block in blocks if isinstance(block, UserBlock)][-1] == "not on a Friday"


async def test_a_yes_that_is_remembered(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:approval")
        await tui.until_on_screen(REMEMBER)
        await tui.answer("down", "enter")
        await tui.until("You allowed it, and the module is compiled.")
        await tui.say("again demo:approval")
        await tui.until("You allowed it, and the module is compiled.", times=2)  # nobody was asked


async def test_questions(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:question demo:mcp")
        await tui.until_on_screen("The agent asks (1/2): Leaf: Which leaf of the bridge should go up first?")
        tui.press("down", "enter")
        await tui.until_on_screen("The agent asks (2/2): Pace: How fast should it go?")
        tui.press("down", "down", "enter")
        await tui.until_on_screen("Enter to submit")
        await tui.say("half speed")
        await tui.until("• leaf: South\n  • pace: half speed")

        await tui.until('✔ demo/define: {"word":"bascule"}')
        await tui.until_on_screen("Call this tool?")
        await tui.answer("y")
        await tui.until_on_screen("demo asks (1/3): Who signs the guest book? — Leaf")
        tui.press("down", "enter")
        await tui.until_on_screen("Name: As it will appear in the book")
        await tui.say("Ann")
        await tui.until_on_screen("demo asks (3/3): Show it to others")
        tui.press("enter")
        await tui.until("✔ demo/sign_guest_book:")
        await tui.until("And of the guest book:")


async def test_cancel_and_what_was_queued(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:slow")
        await tui.until_on_screen("● running")
        await tui.say("demo:text")
        await tui.until("Queued prompt q2 (queue=1)")
        tui.press("esc")
        await tui.until("Cancel requested (Esc)")
        await tui.until("A raised bridge")  # the queued prompt was sent when the run had ended
        await tui.until_on_screen("● completed")

        await tui.say("again demo:slow")
        await tui.until_on_screen("● running")
        tui.press("esc")
        await tui.until_on_screen("● cancelled")
        await tui.say("demo:error")
        await tui.until_on_screen("● error")
        await tui.say("demo:search")
        await tui.until("✔ WebSearch: how does a bascule bridge work")
        async with open_other(tui) as other:
            runs = (await only_session(other)).session().runs
    assert [run.outcome for run in runs[:4]] == ["interrupted", "completed", "interrupted", "failed"]


async def test_resume(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:command")
        await tui.until("The tests pass.")
        await tui.until_on_screen("● completed")
    async with open_tui(tmp_path, "--resume") as tui:
        await tui.until_on_screen("Updated (UTC)       | Msgs | Session | Preview")
        await tui.until_on_screen("|    1 | s_")
        tui.press("enter")
        await tui.until(" > demo:command\n")
        await tui.until("✔ Shell: python3 -m unittest -v")
        await tui.until("History restored: 6 events from 1 runs")
        await tui.say("demo:search")
        await tui.until("✔ WebSearch: how does a bascule bridge work")
        await tui.until_on_screen("● completed")
        async with open_other(tui) as other:
            said = [b.text for b in (await only_session(other)).session().blocks if isinstance(b, UserBlock)]
    assert said == ["demo:command", "demo:search"]


async def test_lists_commands_and_compaction(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("/model")
        await tui.until_on_screen("Select provider")
        tui.press("enter")
        await tui.until_on_screen("Models (openai) current: demo")
        await tui.until_on_screen("      demo-small")
        tui.press("down", "enter")
        await tui.until_on_screen("Select reasoning (openai/demo-small)")
        tui.press("down", "enter")
        await tui.until("Model set for this session: openai/demo-small [high, session]")

        await tui.say("demo:search")
        await tui.until("✔ WebSearch: how does a bascule bridge work")
        await tui.until_on_screen("● completed")
        await tui.say("/mcp")
        await tui.until("demo stdio global true ready 2")
        await tui.say("/skills")
        await tui.until_on_screen("Skills picker (")
        tui.press("esc")
        await tui.until_gone("Skills picker (")
        await tui.say("/context")
        await tui.until_on_screen("codex, sandbox read-only, approvals on-request")
        tui.press("esc")
        await tui.until_gone("EXECUTION ENVIRONMENT")
        await tui.say("/compact")
        await tui.until("Compaction: completed (compacted=true)")
        await tui.until_on_screen("● completed")

        await tui.say("!echo hi $((6*7))")
        await tui.until_on_screen("DANGER: Run this command here?")
        tui.press("y")
        await tui.until("bang stdout:\n  hi 42")
        await tui.say("!echo no > refused.txt")
        await tui.until_on_screen("DANGER: Run this command here?")
        tui.press("n")
        await tui.until("Not done: the answer was no.")
        assert not (tui.project / "refused.txt").exists()


async def test_a_run_of_another_surface_is_shown(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:text")
        await tui.until("橋が下りるまで待つ。")
        await tui.until_on_screen("● completed")
        async with open_other(tui) as other:
            mirror = await only_session(other)
            await prompt(other, mirror, "from afar: demo:search")
            await tui.until(" > from afar: demo:search")
            await tui.until("✔ WebSearch: how does a bascule bridge work")
            await tui.until_on_screen("● completed")

        await tui.say("demo:plan")
        await tui.until("All three steps of the plan are done.")


async def test_what_is_answered_elsewhere_is_asked_no_longer(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:approval demo:question")
        await tui.until_on_screen("DANGER: Run this command?")
        async with open_other(tui) as other:
            mirror = await only_session(other)
            await answer(other, mirror, "accept")
            await tui.until_on_screen("This is no longer asked")
            await tui.until_on_screen(") has answered it. Nothing is decided here.")
            await tui.until_gone("DANGER: Run this command?")
            await tui.until("You allowed it, and the module is compiled.")
            tui.press("enter")  # closes it; that yes finds nobody

            await tui.until_on_screen("The agent asks (1/2): Leaf:")
            await answer(other, mirror, "answer", leaf=("North (Recommended)",), pace=("Quickly",))
            await tui.until_on_screen("This is no longer asked: other (")
            await tui.until("• pace: Quickly")
        tui.press("enter")
        await tui.until_gone("This is no longer asked")
        await tui.say("demo:plan")
        await tui.until("All three steps of the plan are done.")


async def test_two_questions_at_once_come_one_after_the_other(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        await tui.say("demo:search")
        await tui.until("✔ WebSearch: how does a bascule bridge work")
        await tui.until_on_screen("● completed")
        await tui.say("!echo mine")
        await tui.until_on_screen("DANGER: Run this command here?")
        async with open_other(tui) as other:
            mirror = await only_session(other)
            await prompt(other, mirror, "from afar: demo:approval")
            await until_asked(mirror)
            tui.press("y")
            await tui.until("bang stdout:\n  mine")
            await tui.until_on_screen("DANGER: Run this command?")
            await tui.answer("y")
            await tui.until("You allowed it, and the module is compiled.")


async def prompt(other: Joined, mirror: Mirror, text: str) -> None:
    said = RunStartParams(input=RunInput(type="text", text=text), session_id=mirror.session_id)
    await other.call("run.start", said)


async def until_asked(mirror: Mirror) -> Ask:
    while not mirror.head().asks:
        await mirror.news()
    return mirror.head().asks[0]


async def answer(other: Joined, mirror: Mirror, choice: str, **answers: tuple[str, ...]) -> None:
    ask = await until_asked(mirror)
    given = AnswerParams(session_id=mirror.session_id, ask_id=ask.id, choice=choice, answers=answers)
    await other.call("ask.answer", given)
    while any(left.id == ask.id for left in mirror.head().asks):
        await mirror.news()


async def test_long_answers_and_very_long_lines(tmp_path: Path) -> None:
    async with open_tui(tmp_path) as tui:
        wide = f'import sys\nprint("wide", "x" * {LONG_LINE}, file=sys.stderr)\n'
        (tui.project / "test_wide.py").write_text(wide, encoding="utf-8")
        await tui.say("demo:command demo:long")
        await tui.until("wide xxxxxxxx")
        await tui.until("The tests pass.")
        await tui.until("⏱ Run duration:")
        tui.type("awake")
        await tui.until_on_screen("> awake")
