"""One session on this terminal: prompts go in, blocks and Asks come out."""

import sys
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.text import Text

from bascule.cli.answering import ask_person, decline
from bascule.cli.keyboard import Closed, Keyboard
from bascule.cli.printer import Printer
from bascule.core.plain import plain_line
from bascule.model.asks import Answer, Ask, Refuse
from bascule.model.ids import PromptKey, RunId, SessionId
from bascule.model.session import Session

if TYPE_CHECKING:
    from bascule.core.outbox import Numbered
    from bascule.daemon.app import App
    from bascule.daemon.hub import Snapshot, Watcher
    from bascule.host.tasks import Tasks

EXIT = {"completed": 0, "failed": 1, "interrupted": 130}


class Conversation:
    def __init__(
        self, app: "App", session: SessionId, tasks: "Tasks", *, json: bool = False, known: bool = False
    ) -> None:
        self._app = app
        self._session = session
        self._tasks = tasks
        self._json = json
        self._known = known  # what the session holds already has been seen
        self._console = Console(stderr=json, highlight=False, markup=False, emoji=False)
        self._keyboard = Keyboard()
        self._printer = Printer(self._console)
        self._watcher: Watcher = app.hub.watch(session)
        self.was_stopped = False

    # -- speaking --

    async def say(self, text: str) -> int:
        """One prompt or command, until the agent is done with it and with what is queued behind it."""
        from bascule.daemon.composer import Typed
        from bascule.host.clock import new_id

        self.was_stopped = False
        before = {run.id for run in self._head().runs}
        typed = Typed(text=text, key=PromptKey(new_id("prompt")))
        went = await self._app.composer.take(self._session, typed)
        if isinstance(went, Refuse):
            self._tell(went.why, "red")
            return 2
        if went.session != self._session:
            self._switch(went.session)
        await self._follow(before if went.prompted else None)
        return self._outcome(before)

    async def talk(self) -> int:
        """Line by line until the terminal closes; `/help` says what else there is."""
        self._tell(f"{self._head().title}   /help lists commands; an empty line leaves", "dim")
        code = 0
        while line := await self._read("› "):
            if line == "/rename":
                line = f"/rename {await self._read('Title: ')}"
            code = await self.say(line)
        return code

    async def _read(self, label: str) -> str:
        self._console.print(Text(label, style="bold blue"), end="")
        try:
            return (await self._keyboard.line()).strip()
        except Closed:
            return ""

    def stop(self) -> bool:
        """False when there is nothing to stop, or it was asked to stop already."""
        if self.was_stopped or self._app.roster.lane(self._session).idle:
            return False
        self.was_stopped = True
        self._app.prompts.interrupt(self._session)
        return True

    # -- watching --

    def _switch(self, session: SessionId) -> None:
        self._watcher.close()
        self._session, self._known = session, False
        self._watcher = self._app.hub.watch(session)
        self._printer = Printer(self._console)

    async def _follow(self, before: set[RunId] | None) -> None:
        """Until the agent rests; `before` are the runs that were there before the prompt."""
        while True:
            self._show(await self._watcher.next())
            for ask in self._head().asks:
                await self._answer(ask)
            if before is None or self._is_done(before):
                break
        if not self._json:
            self._printer.finish()

    def _is_done(self, before: set[RunId]) -> bool:
        head = self._head()
        began = any(run.id not in before for run in head.runs)
        return self._app.roster.lane(self._session).idle and (began or head.queue_held)

    def _outcome(self, before: set[RunId]) -> int:
        head = self._head()
        new = [run for run in head.runs if run.id not in before]
        if new:
            return EXIT.get(new[-1].outcome, 1)
        return 1 if head.queue_held else 0

    def _show(self, news: "Snapshot | list[Numbered]") -> None:
        if self._json:
            self._write(news)
        elif isinstance(news, list):
            self._printer.take(news)
        else:
            self._printer.start(news.session, known=self._known)
            self._known = False  # whatever else is new is to be seen, also after falling behind

    def _write(self, news: "Snapshot | list[Numbered]") -> None:
        for line in news if isinstance(news, list) else [news]:
            told = {"session_id": self._session, **msgspec.to_builtins(line)}
            sys.stdout.buffer.write(msgspec.json.encode(told) + b"\n")
        sys.stdout.buffer.flush()

    # -- Asks --

    async def _answer(self, ask: Ask) -> None:
        self._printer.pause()
        if self._keyboard.is_terminal:
            answer = await self._answer_by_person(ask)
        else:
            answer = decline(ask)
            self._tell(f"Declined, because there is no terminal to ask on: {ask.title}", "yellow")
        if answer is None:
            self._tell(f"No longer asked: {ask.title}", "yellow")
            return
        refused = await self._app.prompts.answer(self._session, answer)
        if refused is not None:
            self._tell(refused.why, "yellow")

    async def _answer_by_person(self, ask: Ask) -> Answer | None:
        """None when it was answered elsewhere or withdrawn while the person was thinking."""
        given: list[Answer] = []

        async def person() -> None:
            given.append(await ask_person(self._console, self._keyboard, ask))
            self._watcher.wake()

        task = self._tasks.start(f"answer to {ask.id}", person())
        meanwhile: list[Snapshot | list[Numbered]] = []
        while not given and any(ask.id == still.id for still in self._head().asks):
            meanwhile.append(await self._watcher.next())
        task.cancel()
        for news in meanwhile:
            self._show(news)
        self._printer.pause()
        return given[0] if given else None

    def _head(self) -> Session:
        return self._app.roster.get(self._session)

    def _tell(self, text: str, style: str) -> None:
        self._console.print(Text(plain_line(text), style=style))
