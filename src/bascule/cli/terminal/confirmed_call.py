"""A call that opens an Ask, answered at this terminal: what it is about is shown, and y or n is typed."""

import asyncio
from typing import TYPE_CHECKING, Any, TextIO

from bascule.cli.terminal.keyboard import read_answer
from bascule.cli.terminal.yes_no import AGAIN, HOW, MAX_TRIES, parse_yes_no
from bascule.cli.wording import fit
from bascule.client.link import LinkRefused
from bascule.core.consent.ask_subjects import show
from bascule.core.consent.dialogs import find_no, find_yes
from bascule.core.events.fitting import visible_line
from bascule.core.faults import UserError
from bascule.core.orders import say_outside
from bascule.model.protocol.setup import AskList, InspectParams, WaitingAsk
from bascule.model.protocol.sync import AnswerParams, WatchParams

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.terminal import Terminal

NO_TERMINAL = (
    "This needs a yes, and there is no terminal here to ask on. Nothing was changed. Run it in a terminal."
)
ELSEWHERE = "Answered on another surface."


async def call_and_answer(link: "Joined", terminal: "Terminal | None", method: str, params: object) -> Any:
    """The result, or `LinkRefused`; an Ask that the call opens is put to the person here."""
    await link.call("session.watch", WatchParams())
    known = {one.ask.id for one in await _list(link)}
    asked = _Asked(link, terminal)
    link.on_cards = asked.news.set
    link.tasks.start(method, asked.call(method, params))
    while not asked.ended:
        await asked.news.wait()
        asked.news.clear()
        if asked.ended:
            break
        for one in await _list(link):
            if one.ask.id not in known:
                known.add(one.ask.id)
                await asked.answer(one)
    ended = asked.ended[0]
    if is_lost(ended):
        raise ended
    return ended


async def _list(link: "Joined") -> tuple[WaitingAsk, ...]:
    listed: AskList = await link.call("ask.list", InspectParams())
    return listed.asks


class _Asked:
    """The call, and the question that waits at this terminal: whichever ends first."""

    def __init__(self, link: "Joined", terminal: "Terminal | None") -> None:
        self._link = link
        self._terminal = terminal
        self.news = asyncio.Event()  # the call has ended, a line was typed, or an Ask came or went
        self.ended: list[Any] = []

    async def call(self, method: str, params: object) -> None:
        try:
            self.ended.append(await self._link.call(method, params))
        except UserError as fault:
            self.ended.append(fault)
        self.news.set()

    async def answer(self, one: WaitingAsk) -> None:
        if self._terminal is None:
            raise UserError(NO_TERMINAL)
        said = await self._read(self._terminal, one)
        if said is not None:
            await self._send(self._terminal, one, said)
        elif not self.ended or not is_lost(self.ended[0]):
            self._terminal.screen.write(f"{ELSEWHERE}\n")

    async def _read(self, terminal: "Terminal", one: WaitingAsk) -> str | None:
        """None: the Ask is no longer open, or the call has ended."""
        from bascule.host.terminal import forget_typed

        typed: list[str] = []

        async def read() -> None:
            said = await read_answer(terminal, _question(one, terminal.screen))
            for _ in range(MAX_TRIES):
                if parse_yes_no(said) is not None:
                    break
                said = await read_answer(terminal, AGAIN)
            typed.append(said)
            self.news.set()

        reading = self._link.tasks.start("read the answer", read())
        try:
            while not typed and not self.ended and await self._is_open(one):
                await self.news.wait()
                self.news.clear()
        finally:
            reading.cancel()
            if not typed:
                forget_typed(terminal.keys)  # half a line must not be what the shell reads next
                terminal.screen.write("\n")
                terminal.screen.flush()
        return typed[0] if typed else None

    async def _is_open(self, one: WaitingAsk) -> bool:
        return any(one.ask.id == other.ask.id for other in await _list(self._link))

    async def _send(self, terminal: "Terminal", one: WaitingAsk, said: str) -> None:
        yes = find_yes(one.ask)
        choice = yes.id if yes is not None and parse_yes_no(said) else find_no(one.ask)
        answer = AnswerParams(session_id=one.session_id, ask_id=one.ask.id, choice=choice)
        try:
            await self._link.call("ask.answer", answer)
        except LinkRefused as refused:
            from bascule.daemon.consent.asks import TOO_LATE

            if refused.message != TOO_LATE:
                raise UserError(f"The answer was not taken: {refused.message}") from None
            terminal.screen.write(f"{ELSEWHERE}\n")


def is_lost(ended: object) -> bool:
    """Not an answer of the daemon, whatever it says."""
    return isinstance(ended, UserError) and not isinstance(ended, LinkRefused)


def _question(one: WaitingAsk, screen: TextIO) -> str:
    lines = show(one.ask.subject, preview_shown=False).lines
    outside = [f"  {visible_line(say_outside(one.ask.outside))}"] if one.ask.outside else []
    return fit("\n".join([one.ask.title, *outside, *(f"  {line}" for line in lines), HOW]), screen)
