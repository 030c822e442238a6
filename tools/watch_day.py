"""A scripted day of real agents: every status that the board shows is counted as right or wrong.

`python -m tools.watch_day [CHANGES]` drives a shared Codex daemon as a person's terminal does and types into
a Claude in a terminal of its own, knows by its own acts what each is doing, and compares. It prints one JSON
line, and each change that was wrong."""

import asyncio
import itertools
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from tests.e2e.claude import ARGV, ClaudeModel, allow
from tests.e2e.codex_terminal import elsewhere
from tests.e2e.screen import Screen
from tests.e2e.test_watch import DaemonTerminal, SeenBoard, connected, shared_daemon, watching

from bascule.demo.home import prepare_home
from bascule.demo.server import DemoModel

CHANGES = 100
PATIENCE_S = 20.0


class Count:
    """What is known to be true of one agent's only session, next to what the board showed."""

    def __init__(self, board: SeenBoard, agent: str) -> None:
        self._board = board
        self._agent = agent
        self._seen = 0
        self._last = ""
        self.right = 0
        self.wrong: list[str] = []

    @property
    def total(self) -> int:
        return self.right + len(self.wrong)

    async def expect(self, status: str, doing: str) -> None:
        """The next status; one that is late or another is wrong, and the day goes on."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                self._last = await self._next()
        except TimeoutError:
            self.wrong.append(f"{self._agent}, {doing}: {status} was never shown")
            return
        if self._last == status:
            self.right += 1
        else:
            self.wrong.append(f"{self._agent}, {doing}: {self._last} was shown, and it was {status}")

    async def _next(self) -> str:
        while True:
            for at in range(self._seen, len(self._board.lines)):
                line = self._board.lines[at]
                if line.agent == self._agent and line.status not in ("unknown", self._last):
                    self._seen = at + 1
                    return line.status
            self._seen = len(self._board.lines)
            self._board.news.clear()
            await self._board.news.wait()


class CodexDay:
    """Prompts, approvals and interrupts over the shared daemon."""

    def __init__(self, count: Count, terminal: DaemonTerminal, thread: str) -> None:
        self._expect = count.expect
        self._terminal = terminal
        self._thread = thread
        self.acts: list[Callable[[], Awaitable[None]]] = [self.talk, self.approve, self.interrupt]

    async def talk(self) -> None:
        await self._say("demo:text")
        await self._expect("working", "a prompt")
        await self._terminal.hear("turn/completed")
        await self._expect("completed", "an answer")

    async def approve(self) -> None:
        await self._say("demo:approval")
        await self._expect("working", "a prompt")
        asked = await self._terminal.next_ask()
        await self._expect("waiting_user", "an approval")
        await self._terminal.accept(asked)
        await self._expect("working", "a yes")
        await self._terminal.hear("turn/completed")
        await self._expect("completed", "the end after a yes")

    async def interrupt(self) -> None:
        await self._say("demo:slow")
        await self._expect("working", "a long prompt")
        begun = await self._terminal.hear("turn/started")
        await self._terminal.hear("item/agentMessage/delta")
        turn = {"threadId": self._thread, "turnId": begun["params"]["turn"]["id"]}
        await self._terminal.call("turn/interrupt", turn)
        await self._terminal.hear("turn/completed")
        await self._expect("completed", "Esc")

    async def _say(self, text: str) -> None:
        self._terminal.forget()  # earlier turns
        await self._terminal.say(self._thread, text)


class ClaudeDay:
    """Prompts, permissions and Esc, typed into its terminal."""

    def __init__(self, count: Count, claude: Screen, model: ClaudeModel) -> None:
        self._expect = count.expect
        self._claude = claude
        self._model = model
        self._numbers = itertools.count(1)
        self.acts: list[Callable[[], Awaitable[None]]] = [self.talk, self.approve, self.interrupt]

    async def talk(self) -> None:
        await self._work_after(self._claude.say("demo:text"), "a prompt")
        await self._expect("completed", "an answer")

    async def approve(self) -> None:
        await self._work_after(self._claude.say("demo:approval"), "a prompt")
        await self._expect("waiting_user", "a permission")
        await self._work_after(allow(self._claude), "a yes")
        await self._expect("completed", "the end after a yes")

    async def interrupt(self) -> None:
        number = next(self._numbers)
        await self._work_after(self._claude.say(f"demo:slow-{number}"), "a long prompt")
        await self._claude.until(f"word-{number}-1 ")
        self._claude.press("esc")
        await self._expect("completed", "Esc")

    async def leave(self) -> None:
        await self._claude.say("/exit")
        await self._expect("stopped", "its end")

    async def _work_after(self, act: Awaitable[None], doing: str) -> None:
        """Claude's file holds the latest status only, so the model waits until this one has been shown."""
        self._model.speaks.clear()
        await act
        await self._expect("working", doing)
        self._model.speaks.set()


async def spend_with_codex(root: Path, env: dict[str, str], board: SeenBoard, changes: int) -> Count:
    async with shared_daemon(env) as path, connected(path) as socket:
        terminal, count = DaemonTerminal(socket), Count(board, "codex")
        day = CodexDay(count, terminal, await terminal.begin(root / "project"))
        await count.expect("completed", "the beginning")
        while count.total < changes:
            for act in day.acts:
                await act()
    return count


async def spend_with_claude(root: Path, board: SeenBoard, changes: int) -> Count:
    model, count = ClaudeModel(), Count(board, "claude")
    async with model.serving():
        env = {"PATH": os.environ["PATH"], **model.prepare(root, root / "project")}
        with elsewhere(list(ARGV), env, root / "project") as claude:
            day = ClaudeDay(count, claude, model)
            await count.expect("completed", "the beginning")
            while count.total < changes:
                for act in day.acts:
                    await act()
            await day.leave()
    return count


async def spend(changes: int) -> tuple[Count, Count]:
    """Half of them with each agent, at the same time."""
    root = Path(tempfile.mkdtemp(prefix="bd", dir="/tmp"))  # short: the path of a socket has a ceiling
    (root / "project").mkdir()
    try:
        async with AsyncExitStack() as stack:
            model = await stack.enter_async_context(DemoModel(word_delay_s=0.005))
            made = prepare_home(root / "codex", base_url=model.base_url, token=model.token)
            env = {"PATH": os.environ["PATH"], "HOME": str(root), "CLAUDE_CONFIG_DIR": "", **made}
            board = await stack.enter_async_context(watching(root, env))
            return await asyncio.gather(
                spend_with_codex(root, env, board, changes // 2),
                spend_with_claude(root, board, changes // 2),
            )
    finally:
        shutil.rmtree(root)


def main(arguments: list[str]) -> None:
    counts = asyncio.run(spend(int(arguments[0]) if arguments else CHANGES))
    wrong = [line for count in counts for line in count.wrong]
    for line in wrong:
        print(line, file=sys.stderr)
    total = sum(count.total for count in counts)
    print(json.dumps({"changes": total, "right": total - len(wrong), "wrong": len(wrong)}))


if __name__ == "__main__":
    main(sys.argv[1:])
