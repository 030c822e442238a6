"""A scripted day of a real Codex: every status that the board shows is counted as right or wrong.

`python -m tools.watch_day [CHANGES]` drives a shared Codex daemon as a person's terminal does, knows by its
own acts what the session is doing, and compares. It prints one JSON line, and each change that was wrong."""

import asyncio
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

from tests.e2e.test_watch import DaemonTerminal, SeenBoard, connected, shared_daemon, watching

from bascule.demo.home import prepare_home
from bascule.demo.server import DemoModel

CHANGES = 100
PATIENCE_S = 20.0


class Day:
    """What the script knows to be true of one session, next to what the board showed."""

    def __init__(self, board: SeenBoard, terminal: DaemonTerminal, thread: str) -> None:
        self._board = board
        self._terminal = terminal
        self._thread = thread
        self._seen = 0
        self.right = 0
        self.wrong: list[str] = []

    @property
    def count(self) -> int:
        return self.right + len(self.wrong)

    async def expect(self, status: str, doing: str) -> None:
        """The next status of this session; one that is late or another is wrong, and the day goes on."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                shown = await self._next()
        except TimeoutError:
            self.wrong.append(f"{doing}: {status} was never shown")
            return
        if shown == status:
            self.right += 1
        else:
            self.wrong.append(f"{doing}: {shown} was shown, and it was {status}")

    async def _next(self) -> str:
        before = self._last()
        while True:
            for at in range(self._seen, len(self._board.lines)):
                line = self._board.lines[at]
                if line.their_id == self._thread and line.status not in ("unknown", before):
                    self._seen = at + 1
                    return line.status
            self._seen = len(self._board.lines)
            self._board.news.clear()
            await self._board.news.wait()

    def _last(self) -> str:
        seen = [one.status for one in self._board.lines[: self._seen] if one.their_id == self._thread]
        return seen[-1] if seen else ""

    # -- what happens in a day --

    async def talk(self) -> None:
        await self._terminal.say(self._thread, "demo:text")
        await self.expect("working", "a prompt")
        await self._terminal.hear("turn/completed")
        await self.expect("completed", "an answer")

    async def approve(self) -> None:
        await self._terminal.say(self._thread, "demo:approval")
        await self.expect("working", "a prompt")
        asked = await self._terminal.next_ask()
        await self.expect("waiting_user", "an approval")
        await self._terminal.accept(asked)
        await self.expect("working", "a yes")
        await self._terminal.hear("turn/completed")
        await self.expect("completed", "the end after a yes")

    async def interrupt(self) -> None:
        await self._terminal.say(self._thread, "demo:slow")
        await self.expect("working", "a long prompt")
        begun = await self._terminal.hear("turn/started")
        await self._terminal.hear("item/agentMessage/delta")
        turn = {"threadId": self._thread, "turnId": begun["params"]["turn"]["id"]}
        await self._terminal.call("turn/interrupt", turn)
        await self._terminal.hear("turn/completed")
        await self.expect("completed", "Esc")

    def forget(self) -> None:
        """What the terminal heard of earlier turns is no longer waited for."""
        self._terminal.forget()


async def spend(changes: int) -> Day:
    root = Path(tempfile.mkdtemp(prefix="bd", dir="/tmp"))  # short: the path of a socket has a ceiling
    (root / "project").mkdir()
    try:
        async with AsyncExitStack() as stack:
            model = await stack.enter_async_context(DemoModel(word_delay_s=0.005))
            made = prepare_home(root / "codex", base_url=model.base_url, token=model.token)
            env = {"PATH": os.environ["PATH"], "HOME": str(root), "CLAUDE_CONFIG_DIR": "", **made}
            path = await stack.enter_async_context(shared_daemon(env))
            board = await stack.enter_async_context(watching(root, env))
            terminal = DaemonTerminal(await stack.enter_async_context(connected(path)))
            day = Day(board, terminal, await terminal.begin(root / "project"))
            await day.expect("completed", "the beginning")
            acts: list[Callable[[], Awaitable[None]]] = [day.talk, day.approve, day.interrupt]
            while day.count < changes:
                for act in acts:
                    await act()
                    day.forget()
            return day
    finally:
        shutil.rmtree(root)


def main(arguments: list[str]) -> None:
    day = asyncio.run(spend(int(arguments[0]) if arguments else CHANGES))
    for wrong in day.wrong:
        print(wrong, file=sys.stderr)
    print(json.dumps({"changes": day.count, "right": day.right, "wrong": len(day.wrong)}))


if __name__ == "__main__":
    main(sys.argv[1:])
