"""A bare client of a real Codex with the demo behind it: says lines, remembers every line said either way."""

import asyncio
import json
import os
import re
import shlex
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.patience import PATIENCE_S

from bascule.demo.home import prepare_home
from bascule.demo.project import prepare_project
from bascule.demo.server import DemoModel

MAX_LINE = 16 * 1024 * 1024

Message = dict[str, Any]
Answer = Callable[[Message], Message | None]

QUIET = {
    "account/rateLimits/updated",
    "configWarning",
    "item/agentMessage/delta",
    "item/commandExecution/outputDelta",
    "item/fileChange/patchUpdated",
    "item/plan/delta",
    "item/reasoning/summaryTextDelta",
    "mcpServer/startupStatus/updated",
    "remoteControl/status/changed",
    "serverRequest/resolved",
    "thread/goal/cleared",
    "thread/readState/changed",
    "thread/settings/updated",
    "thread/started",
    "thread/status/changed",
    "thread/tokenUsage/updated",
    "turn/diff/updated",
    "warning",
}  # varies from run to run, or is not what the scenes are about


class CodexPeer:
    def __init__(self, process: asyncio.subprocess.Process, root: Path) -> None:
        self.lines: list[str] = []
        self.heard: list[Message] = []
        self.answer: Answer = accept
        self.thread_id = ""
        self.home = root / ".codex"
        self.project = root / "demo"
        self._process = process
        self._replies: dict[int, asyncio.Future[Message]] = {}
        self._news = asyncio.Condition()

    def send(self, message: Message) -> None:
        assert self._process.stdin is not None
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        self.lines.append(f"> {line}")
        self._process.stdin.write(line.encode() + b"\n")

    async def call(self, method: str, params: Message) -> Message:
        """The whole reply, so that a scene can look at an error too."""
        our_id = sum(1 for line in self.lines if line.startswith("> ") and '"method":' in line)
        self._replies[our_id] = asyncio.get_running_loop().create_future()
        self.send({"id": our_id, "method": method, "params": params})
        return await asyncio.wait_for(self._replies[our_id], PATIENCE_S)

    async def hear(self, method: str, *, since: int = 0) -> Message:
        """The first notification or request of that name, waited for."""

        def found() -> Message | None:
            return next((each for each in self.heard[since:] if each.get("method") == method), None)

        async with self._news:
            await asyncio.wait_for(self._news.wait_for(lambda: found() is not None), PATIENCE_S)
        message = found()
        assert message is not None
        return message

    async def start(self) -> None:
        await self.call(
            "initialize",
            {
                "clientInfo": {"name": "bascule", "title": "Bascule", "version": "0"},
                "capabilities": {"experimentalApi": True},
            },
        )
        self.send({"method": "initialized"})

    async def open_thread(self) -> None:
        params = {"cwd": str(self.project), "approvalPolicy": "on-request", "sandbox": "read-only"}
        reply = await self.call("thread/start", params)
        self.thread_id = reply["result"]["thread"]["id"]

    async def begin(self, prompt: str, **more: Any) -> str:
        """Start a turn; its id."""
        words = [{"type": "text", "text": prompt}]
        reply = await self.call("turn/start", {"threadId": self.thread_id, "input": words, **more})
        return str(reply["result"]["turn"]["id"])

    async def play(self, prompt: str, **more: Any) -> str:
        """A turn from its start to its end; its id."""
        since = len(self.heard)
        turn = await self.begin(prompt, **more)
        await self.hear("turn/completed", since=since)
        return turn

    async def steer(self, turn: str, text: str, **more: str) -> Message:
        words = [{"type": "text", "text": text}]
        params = {"threadId": self.thread_id, "expectedTurnId": turn, "input": words, **more}
        return await self.call("turn/steer", params)

    async def interrupt(self, turn: str) -> Message:
        return await self.call("turn/interrupt", {"threadId": self.thread_id, "turnId": turn})

    async def read(self) -> None:
        assert self._process.stdout is not None
        while line := await self._process.stdout.readline():
            self.lines.append(f"< {line.decode().rstrip()}")
            self._take(json.loads(line))
            async with self._news:
                self._news.notify_all()

    def _take(self, message: Message) -> None:
        self.heard.append(message)
        if "method" not in message:
            self._replies.pop(message["id"]).set_result(message)
        elif "id" in message and (result := self.answer(message)) is not None:
            self.send({"id": message["id"], "result": result})

    def landmarks(self) -> list[str]:
        """What happened, without what streams: items, asks, plans, the end of turns."""
        notices = (each for each in self.heard if "method" in each and each["method"] not in QUIET)
        return [_landmark(each) for each in notices]

    def items(self, kind: str) -> list[Message]:
        """The items of that type, as completed."""
        done = (each["params"]["item"] for each in self.heard if each.get("method") == "item/completed")
        return [item for item in done if item["type"] == kind]

    def texts(self) -> list[str]:
        return [item["text"] for item in self.items("agentMessage")]


def accept(request: Message) -> Message:
    """Yes to everything, the first option of every question, Ann in every form."""
    match request["method"]:
        case "item/tool/requestUserInput":
            asked = request["params"]["questions"]
            return {"answers": {each["id"]: {"answers": [each["options"][0]["label"]]} for each in asked}}
        case "mcpServer/elicitation/request":
            blanks = request["params"]["requestedSchema"]["properties"]
            return {"action": "accept", "content": {"name": "Ann"} if blanks else {}, "_meta": None}
        case _:
            return {"decision": "accept"}


def refuse(word: str) -> Answer:
    """`decline` or `cancel` to everything; questions stay open."""

    def answer(request: Message) -> Message:
        match request["method"]:
            case "item/tool/requestUserInput":
                return {"answers": {}}
            case "mcpServer/elicitation/request":
                return {"action": word, "content": None, "_meta": None}
            case _:
                return {"decision": word}

    return answer


def keep_silent(_request: Message) -> None:
    return None


@asynccontextmanager
async def codex_peer(
    codex: Path, root: Path, *, word_delay_s: float = 0.0, python: str | None = None
) -> AsyncIterator[CodexPeer]:
    """A Codex that ends with the block, its demo model, its home and its project under `root`."""
    async with DemoModel(word_delay_s=word_delay_s, python=python or shlex.quote(sys.executable)) as model:
        await asyncio.to_thread(prepare_project, root / "demo", os.environ)
        home = prepare_home(root / ".codex", base_url=model.base_url, token=model.token)
        with (root / "stderr.log").open("ab") as log:
            process = await asyncio.create_subprocess_exec(
                *(str(codex), "app-server"),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=log,
                env={**os.environ, **home, "HOME": str(root)},  # a home without a shell profile
                limit=MAX_LINE,
            )
        peer = CodexPeer(process, root)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(peer.read(), name="codex peer reader")
            try:
                await peer.start()
                yield peer
            finally:
                await _end(process)


async def _end(process: asyncio.subprocess.Process) -> None:
    assert process.stdin is not None
    process.stdin.close()
    try:
        await asyncio.wait_for(process.wait(), PATIENCE_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise AssertionError("Codex did not end when its stdin was closed") from None


def _landmark(message: Message) -> str:
    params = message.get("params", {})
    words = [re.sub("^item/(started|completed)$", r"\1", message["method"])]
    if "id" in message:
        words.insert(0, "ask")
    if "item" in params:
        words += [params["item"]["type"], params["item"].get("status") or params["item"].get("phase") or ""]
    if message["method"] in {"turn/completed", "turn/started"}:
        words.append(params["turn"]["status"])
    return " ".join(word for word in words if word)
