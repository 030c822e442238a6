"""Joining the daemon of a data folder: the one that runs, or one that this command hosts while it lasts."""

import argparse
import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from bascule.cli import complain
from bascule.cli.connect.start_options import agent_env, demo_prompts, find_place, open_data_folder
from bascule.core.faults import DaemonGone
from bascule.model.blocks import InfoBlock, SystemBlock
from bascule.model.consent.origin import Origin, Scope
from bascule.model.protocol.sessions import AgentNotify, DaemonNotice, DaemonNotify, WatchParams

if TYPE_CHECKING:
    from msgspec import Raw

    from bascule.client.link import Wire
    from bascule.client.mirror import Mirror
    from bascule.daemon.parts import App
    from bascule.host.files.data_folder import Folder
    from bascule.host.network.dial import DialedSocket
    from bascule.host.processes.tasks import Tasks
    from bascule.model.session import AgentState
    from bascule.serve.serving import Serving

PATIENCE_S = 10.0  # for an owner that has the lock but does not listen yet, or no longer
LOOK_S = 0.1


class Joined:
    """This command as a surface: calls, and the sessions that it mirrors."""

    def __init__(self, wire: "Wire", workspace: str, tasks: "Tasks", *, demo: bool = False) -> None:
        from bascule.client.link import Link

        self.workspace = workspace
        self.demo = demo
        self.tasks = tasks
        self._link = Link(wire, self._notified)
        self._mirrors: dict[str, Mirror] = {}
        self._troubles: set[str] = set()  # of the daemon itself, by their ids
        self._silent: set[tuple[str, str]] = set()  # workspaces and agents that do not answer
        self.notices: dict[str, InfoBlock | SystemBlock] = {}  # of the agents, by their ids
        self.on_cards: Callable[[], None] = lambda: None  # the list of sessions has changed
        self.on_notified: Callable[[str, Raw], None] = lambda _method, _params: None  # whatever it is
        self._awaited: asyncio.Event | None = None
        self._is_lost = False

    async def begin(self, name: str) -> None:
        self.tasks.start("the link to the daemon", self._read())
        await self._link.initialize(name)

    async def _read(self) -> None:
        try:
            await self._link.run()
        finally:
            self._is_lost = True
            if self._awaited is not None:
                self._awaited.set()

    async def wait_for(self, news: asyncio.Event) -> None:
        """Until it is set, which it no longer is afterwards; `DaemonGone` when the link ends before."""
        self._awaited = news
        if not self._is_lost:
            await news.wait()
        if self._is_lost:
            raise DaemonGone("The daemon has closed the connection.")
        news.clear()

    async def call(self, method: str, params: object) -> Any:
        return await self._link.call(method, params)

    async def watch(self, session_id: str) -> "Mirror":
        """Its first news is the whole session."""
        from bascule.client.mirror import Mirror

        mirror = Mirror(session_id, on_gap=lambda: self._watch_again(session_id))
        self._mirrors[session_id] = mirror
        await self.call("session.watch", WatchParams(session_id=session_id))
        return mirror

    async def unwatch(self, mirror: "Mirror") -> None:
        self._mirrors.pop(mirror.session_id, None)
        await self.call("session.unwatch", WatchParams(session_id=mirror.session_id))

    def _watch_again(self, session_id: str) -> None:
        async def again() -> None:
            await self.call("session.watch", WatchParams(session_id=session_id))

        self.tasks.start(f"watch {session_id} again", again())

    def _notified(self, method: str, params: "Raw") -> None:
        if method == "agent.state":
            state = msgspec.json.decode(params, type=AgentNotify).state
            self.notices.update({notice.id: notice for notice in state.notices})
            self._mind_silence(state)
        if method == "session.cards":
            self.on_cards()
        if method == "daemon.state":
            self._mind_troubles(msgspec.json.decode(params, type=DaemonNotify).notices)
        self.on_notified(method, params)
        for mirror in tuple(self._mirrors.values()):
            mirror.feed(method, params)

    def _mind_troubles(self, notices: tuple[DaemonNotice, ...]) -> None:
        """Each said once, as long as it lasts."""
        for notice in notices:
            if notice.id not in self._troubles:
                complain(notice.text)
        self._troubles = {notice.id for notice in notices}

    def _mind_silence(self, state: "AgentState") -> None:
        """Said once for each silence, and when it is over."""
        agent, name = (state.workspace, state.agent), f"The agent {state.agent} in {state.workspace}"
        was_silent = agent in self._silent
        if state.silent_since_ms is not None and not was_silent:
            self._silent.add(agent)
            complain(
                f"{name} does not answer. Wait, or restart it from another terminal: "
                f"bascule session restart {self._name_session(state.workspace)}"
                + (" --demo" if self.demo else "")
            )
        elif state.silent_since_ms is None and was_silent:
            self._silent.discard(agent)
            complain(f"{name} answers again, or was ended.")

    def _name_session(self, workspace: str) -> str:
        """One that is followed here, to be typed elsewhere."""
        ours = [one for one in self._mirrors.values() if one.is_known and one.head().workspace == workspace]
        return ours[0].session_id if ours else "ID"


@asynccontextmanager
async def joined(args: argparse.Namespace, name: str, scope: Scope = "full") -> AsyncIterator[Joined]:
    """A running daemon is joined; where there is none this command is one, as long as it lasts."""
    from bascule.host.processes.tasks import Tasks

    folder = open_data_folder(demo=args.demo)
    async with AsyncExitStack() as stack:
        daemon = await reach(folder, args, name, stack, scope)
        tasks = await stack.enter_async_context(Tasks())
        wire: Wire = daemon.wire() if isinstance(daemon, Hosted) else daemon
        link = Joined(wire, find_place(args, folder), tasks, demo=args.demo)
        await link.begin(name)
        yield link
        if isinstance(daemon, Hosted):
            await daemon.wait_for_others()


async def reach(
    folder: "Folder", args: argparse.Namespace, name: str, stack: AsyncExitStack, scope: Scope = "full"
) -> "DialedSocket | Hosted":
    """The daemon that runs, or one of our own. One that is about to leave is waited for."""
    from bascule.host.locks.lockfile import Owned
    from bascule.host.network.registration import find_daemon

    give_up_s = asyncio.get_running_loop().time() + PATIENCE_S
    while True:
        daemon = find_daemon(folder)
        try:
            if daemon is None:
                return await stack.enter_async_context(hosted(folder, args, f"bascule {name}", scope))
            from bascule.host.network.dial import dial

            wire = await dial(daemon, find_place(args, folder), scope)
        except (Owned, DaemonGone):
            if asyncio.get_running_loop().time() > give_up_s:
                raise
        else:
            stack.push_async_callback(wire.close)
            return wire
        await asyncio.sleep(LOOK_S)  # its owner is about to listen, or about to leave


class Hosted:
    """The daemon that this command is."""

    def __init__(self, app: "App", doors: "Serving", workspace: str, scope: Scope) -> None:
        self.app = app
        self.workspace = workspace
        self._doors = doors
        self._surface = app.surfaces.connect(Origin(door="terminal", scope=scope), workspace=workspace)

    def wire(self) -> "Wire":
        from bascule.client.in_process import InProcessWire
        from bascule.daemon.surfaces.surfaces import SurfaceClosed

        return InProcessWire(self._surface, SurfaceClosed)

    async def wait_for_others(self) -> None:
        others = [surface for surface in self.app.surfaces.all() if surface is not self._surface]
        if others:
            complain(
                f"{len(others)} other surface(s) are connected; leaving when they do. Ctrl+C leaves now."
            )
            await self.app.surfaces.wait_until_alone(self._surface)
        self._doors.shut()  # at once: a newcomer would be thrown out in the middle of a word


@asynccontextmanager
async def hosted(
    folder: "Folder", args: argparse.Namespace, command: str, scope: Scope = "full"
) -> AsyncIterator[Hosted]:
    """The app, its local socket for other commands, and with --demo the model beside it. No TCP port is
    opened, unless `bascule up` asks for a link meanwhile. A signal to end is like Ctrl+C."""
    from bascule.daemon.app import open_app
    from bascule.host.processes.signals import HANGUPS, on_signals
    from bascule.host.processes.tasks import Tasks
    from bascule.serve.serving import serving

    hung_up = asyncio.Event()  # set as often as signals come: what is being closed is closed to its end
    async with AsyncExitStack() as stack:
        stack.enter_context(on_signals(HANGUPS, hung_up.set))
        app = await stack.enter_async_context(
            open_app(
                folder,
                command=command,
                beside=lambda: agent_env(args, folder),
                demo_prompts=demo_prompts(args),
                orphans="end",
            )
        )
        doors = await stack.enter_async_context(serving(app, folder, for_browsers=False))
        tasks = await stack.enter_async_context(Tasks())
        tasks.start("bascule down", _leave_when_asked(app, doors.asked_to_stop))
        tasks.start("a signal to end", _cancel_when(hung_up, asyncio.current_task()))
        yield Hosted(app, doors, find_place(args, folder), scope)


async def _cancel_when(hung_up: asyncio.Event, command: "asyncio.Task[Any] | None") -> None:
    await hung_up.wait()
    if command is not None:
        command.cancel()


async def _leave_when_asked(app: "App", asked: asyncio.Event) -> None:
    """`bascule down` while a command hosts: every surface is dropped, this command's own too."""
    await asked.wait()
    for surface in app.surfaces.all():
        surface.close()
