"""One session on this terminal: prompts go in, blocks and Asks come out."""

import sys
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.text import Text

from bascule.cli.answering import ask_person, decline
from bascule.cli.keyboard import Closed, Keyboard
from bascule.cli.printer import Printer
from bascule.cli.render import render
from bascule.client.link import Refused
from bascule.core.plain import plain_line
from bascule.model.asks import Answer, Ask
from bascule.model.blocks import InfoBlock, SystemBlock
from bascule.model.changes import Change
from bascule.model.ids import RunId
from bascule.model.protocol.runs import RunInput, RunStartParams, RunStartResult
from bascule.model.protocol.sync import AnswerParams, SessionRef
from bascule.model.session import Session

if TYPE_CHECKING:
    from bascule.cli.joining import Joined
    from bascule.client.mirror import Mirror

EXIT = {"completed": 0, "failed": 1, "interrupted": 130}
EXIT_REFUSED = 2


class Conversation:
    def __init__(self, link: "Joined", mirror: "Mirror", *, json: bool, known: bool) -> None:
        self._link = link
        self._mirror = mirror
        self._json = json
        self._known = known  # what the session holds already has been seen
        self._console = Console(stderr=json, highlight=False, markup=False, emoji=False)
        self._keyboard = Keyboard()
        self._printer = Printer(self._console)
        self._noticed: dict[str, InfoBlock | SystemBlock] = {}
        self.was_stopped = False

    @classmethod
    async def begin(
        cls, link: "Joined", session_id: str, *, json: bool = False, known: bool = False
    ) -> "Conversation":
        conversation = cls(link, await link.watch(session_id), json=json, known=known)
        conversation._show(await conversation._mirror.news())
        return conversation

    # -- speaking --

    async def say(self, text: str) -> int:
        """One prompt or command, until the agent is done with it and with what is queued behind it."""
        self.was_stopped = False
        before = {run.id for run in self._mirror.head().runs}
        try:
            went = await self._start(text)
        except Refused as refused:
            self._tell(refused.message, "red")
            return EXIT_REFUSED
        if went.session_id != self._mirror.session_id:
            await self._switch(went.session_id)
            before = {run.id for run in self._mirror.head().runs}
        await self._follow(RunId(went.run_id) if went.run_id else None)
        return self._outcome(before)

    async def _start(self, text: str) -> RunStartResult:
        said = RunInput(type="text", text=text)
        params = RunStartParams(input=said, session_id=self._mirror.session_id, how="queue")
        went: RunStartResult = await self._link.call("run.start", params)
        return went

    async def talk(self) -> int:
        """Line by line until the terminal closes; `/help` says what else there is."""
        self._tell(f"{self._mirror.head().title}   /help lists commands; an empty line leaves", "dim")
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
        if self.was_stopped or _rests(self._mirror.head()):
            return False
        self.was_stopped = True
        self._link.tasks.start("interrupt", self._interrupt())
        return True

    async def _interrupt(self) -> None:
        await self._link.call("session.interrupt", SessionRef(session_id=self._mirror.session_id))

    # -- watching --

    async def _switch(self, session_id: str) -> None:
        await self._link.unwatch(self._mirror)
        self._mirror = await self._link.watch(session_id)
        self._printer, self._known = Printer(self._console), False
        self._show(await self._mirror.news())

    async def _follow(self, run: RunId | None) -> None:
        """Until the agent rests; a command that began no run has been carried out already."""
        self._mirror.wake()
        while True:
            self._show(await self._mirror.news())
            for ask in self._mirror.head().asks:
                await self._answer(ask)
            head = self._mirror.head()
            if run is None or (_rests(head) and any(known.id == run for known in head.runs)):
                break
        if not self._json:
            self._printer.finish()
            self._show_notices()

    def _show_notices(self) -> None:
        """What an agent says of itself: each once, when the run is over."""
        for name, notice in self._link.notices.items():
            if self._noticed.get(name) != notice:
                self._noticed[name] = notice
                self._console.print(render(notice))

    def _outcome(self, before: set[RunId]) -> int:
        new = [run for run in self._mirror.head().runs if run.id not in before]
        return EXIT.get(new[-1].outcome, 1) if new else 0

    def _show(self, news: Session | list[Change]) -> None:
        if self._json:
            self._write(news)
        elif isinstance(news, list):
            self._printer.take(news)
        else:
            self._printer.start(news, known=self._known)
            self._known = False  # whatever else is new is to be seen, also after a gap

    def _write(self, news: Session | list[Change]) -> None:
        if isinstance(news, list):
            lines = [{"change": msgspec.to_builtins(change)} for change in news]
        else:
            lines = [{"session": msgspec.to_builtins(news)}]
        for line in lines:
            told = {"session_id": self._mirror.session_id, **line}
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
        try:
            await self._link.call("ask.answer", self._params(answer))
        except Refused as refused:
            self._tell(refused.message, "yellow")

    def _params(self, answer: Answer) -> AnswerParams:
        return AnswerParams(
            session_id=self._mirror.session_id,
            ask_id=answer.ask,
            choice=answer.choice,
            answers=answer.answers,
            reason=answer.reason,
        )

    async def _answer_by_person(self, ask: Ask) -> Answer | None:
        """None when it was answered elsewhere or withdrawn while the person was thinking."""
        given: list[Answer] = []

        async def person() -> None:
            given.append(await ask_person(self._console, self._keyboard, ask))
            self._mirror.wake()

        task = self._link.tasks.start(f"answer to {ask.id}", person())
        meanwhile: list[Session | list[Change]] = []
        while not given and any(ask.id == still.id for still in self._mirror.head().asks):
            meanwhile.append(await self._mirror.news())
        task.cancel()
        for news in meanwhile:
            self._show(news)
        self._printer.pause()
        return given[0] if given else None

    def _tell(self, text: str, style: str) -> None:
        self._console.print(Text(plain_line(text), style=style))


def _rests(head: Session) -> bool:
    """No run is going, and none will begin by itself."""
    running = any(run.outcome == "running" for run in head.runs)
    return not running and (not head.queue or head.queue_held)
