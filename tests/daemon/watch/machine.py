"""A home with agents' files in it, an application that watches them, and what a surface is sent."""

import asyncio
import json
import os
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from msgspec import Raw
from tests.core.watch.logs.rollouts import ID, WORDS

from bascule.client.in_process import InProcessWire
from bascule.client.link import Link
from bascule.client.mirror import Mirror
from bascule.daemon.app import open_app
from bascule.daemon.parts import App
from bascule.daemon.surfaces.surfaces import SurfaceClosed
from bascule.host.files.data_folder import open_folder
from bascule.host.processes.tasks import Tasks
from bascule.host.watch.hook_file import CHOSEN, notify_folder
from bascule.host.watch.process_facts import read_process
from bascule.model.consent.origin import Origin
from bascule.model.protocol.board import BoardNotify
from bascule.model.protocol.sessions import WatchParams
from bascule.model.session import Session
from bascule.model.watch import WatchedSession


class Machine:
    """A home with agents' files in it, and a board that watches them."""

    def __init__(self, home: Path, app: App, link: Link) -> None:
        self.home, self.app, self.link = home, app, link
        self.lines: list[WatchedSession] = []
        self.frames: list[BoardNotify] = []
        self.news = asyncio.Event()
        self.mirrors: list[Mirror] = []

    def hear(self, method: str, params: Raw) -> None:
        for mirror in self.mirrors:
            mirror.feed(method, params)
        if method == "board.changed":
            frame = msgspec.json.decode(params, type=BoardNotify)
            self.frames.append(frame)
            self.lines += frame.sessions
            self.news.set()

    async def until(self, key: str, status: str) -> WatchedSession:
        while True:
            latest = [one for one in self.lines if one.key == key]
            if latest and latest[-1].status == status:
                return latest[-1]
            self.news.clear()
            await self.news.wait()

    async def until_faults(self, *faults: str) -> None:
        """Told at last, whatever else is."""
        while [frame.faults for frame in self.frames if frame.faults is not None][-1:] != [faults]:
            self.news.clear()
            await self.news.wait()

    async def until_gone(self, key: str) -> None:
        while not any(key in frame.gone for frame in self.frames):
            self.news.clear()
            await self.news.wait()

    def rollout(self, *words: str, name: str = ID, day: str = "2026/11/16") -> Path:
        path = self.home / ".codex" / "sessions" / day / f"rollout-{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as out:
            out.write(b"".join(WORDS[word] + b"\n" for word in words))
        return path

    def claude(self, status: str | None, session: str = "c1") -> Path:
        path = self.home / ".claude" / "sessions" / f"{os.getpid()}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        said = {
            "pid": os.getpid(),
            "sessionId": session,
            "procStart": read_process(os.getpid()).proc_start,
            "cwd": str(self.home),
            "name": "tidy-66",
        }
        path.write_text(json.dumps({**said, "status": status} if status else said))
        return path

    def hook(self, event: str, hook: str, session: str = "h1") -> None:
        path = notify_folder(self.app.folder.root) / f"outside-{os.getpid()}.jsonl"
        said = {"source": "claude", "event": event, "session_id": session, "hook": hook, "cwd": "/p"}
        with path.open("a") as out:
            out.write(json.dumps(said) + "\n")

    def transcript(self, *lines: dict[str, object], session: str = "c1") -> Path:
        path = self.home / ".claude" / "projects" / "-p" / f"{session}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a") as out:
            out.write("".join(json.dumps(one) + "\n" for one in lines))
        return path

    async def look(self, session: str) -> "Looked":
        """At a session, as a surface does."""
        mirror = Mirror(session, lambda: None)
        self.mirrors.append(mirror)
        await self.link.call("session.watch", WatchParams(session_id=session))
        return Looked(mirror)


class Looked:
    def __init__(self, mirror: Mirror) -> None:
        self._mirror = mirror

    async def until(self, holds: Callable[[Session], object]) -> Session:
        while True:
            if self._mirror.is_known and holds(now := self._mirror.session()):
                return now
            await self._mirror.news()


@asynccontextmanager
async def open_machine(tmp_path: Path, home: Path | None = None) -> AsyncIterator[Machine]:
    """With a home of its own, or as a second watcher of one that is there."""
    home = home or tmp_path / "home"
    home.mkdir(exist_ok=True)
    tmp_path.mkdir(exist_ok=True)
    folder = open_folder(tmp_path / "data")
    notify_folder(folder.root).mkdir()
    (notify_folder(folder.root) / CHOSEN).touch()
    env = {"HOME": str(home), "CODEX_HOME": "", "CLAUDE_CONFIG_DIR": ""}
    heard: list[Machine] = []

    def hear(method: str, params: Raw) -> None:
        for one in heard:
            one.hear(method, params)

    async with open_app(folder, command="test", env=env) as app, Tasks() as tasks:
        surface = app.surfaces.connect(Origin(door="terminal"), workspace=str(home))
        link = Link(InProcessWire(surface, SurfaceClosed), hear)
        heard.append(Machine(home, app, link))
        tasks.start("link", link.run())
        await link.initialize("test")
        yield heard[0]
