"""Joining the daemon of a data folder: the one that runs, or one that this command hosts while it lasts."""

import argparse
import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from bascule.cli import complain
from bascule.cli.opening import agent_env, demo_prompts, find_place, open_data_folder
from bascule.core.faults import DaemonGone
from bascule.model.blocks import InfoBlock, SystemBlock
from bascule.model.protocol.sync import AgentNotify, WatchParams

if TYPE_CHECKING:
    from msgspec import Raw

    from bascule.client.link import Wire
    from bascule.client.mirror import Mirror
    from bascule.daemon.app import App
    from bascule.host.dial import Dialled
    from bascule.host.folder import Folder
    from bascule.host.tasks import Tasks
    from bascule.serve.serving import Serving

PATIENCE_S = 10.0  # for an owner that has the lock but does not listen yet, or no longer
LOOK_S = 0.1


class Joined:
    """This command as a surface: calls, and the sessions that it mirrors."""

    def __init__(self, wire: "Wire", workspace: str, tasks: "Tasks") -> None:
        from bascule.client.link import Link

        self.workspace = workspace
        self.tasks = tasks
        self._link = Link(wire, self._notified)
        self._mirrors: dict[str, Mirror] = {}
        self.notices: dict[str, InfoBlock | SystemBlock] = {}  # of the agents, by their ids

    async def begin(self, name: str) -> None:
        self.tasks.start("the link to the daemon", self._link.run())
        await self._link.initialize(name)

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
        for mirror in tuple(self._mirrors.values()):
            mirror.feed(method, params)


@asynccontextmanager
async def joined(args: argparse.Namespace, name: str) -> AsyncIterator[Joined]:
    """A running daemon is joined; where there is none this command is one, as long as it lasts."""
    from bascule.host.tasks import Tasks

    folder = open_data_folder(demo=args.demo)
    async with AsyncExitStack() as stack:
        daemon = await reach(folder, args, name, stack)
        tasks = await stack.enter_async_context(Tasks())
        wire: Wire = daemon.wire() if isinstance(daemon, Hosted) else daemon
        link = Joined(wire, find_place(args, folder), tasks)
        await link.begin(name)
        yield link
        if isinstance(daemon, Hosted):
            await daemon.wait_for_others()


async def reach(
    folder: "Folder", args: argparse.Namespace, name: str, stack: AsyncExitStack
) -> "Dialled | Hosted":
    """The daemon that runs, or one of our own. One that is about to leave is waited for."""
    from bascule.host.dial import dial
    from bascule.host.lockfile import Owned
    from bascule.host.registration import find_daemon

    give_up_s = asyncio.get_running_loop().time() + PATIENCE_S
    while True:
        daemon = find_daemon(folder)
        try:
            if daemon is None:
                return await stack.enter_async_context(hosted(folder, args, f"bascule {name}"))
            wire = await dial(daemon, find_place(args, folder))
        except (Owned, DaemonGone):
            if asyncio.get_running_loop().time() > give_up_s:
                raise
        else:
            stack.push_async_callback(wire.close)
            return wire
        await asyncio.sleep(LOOK_S)  # its owner is about to listen, or about to leave


class Hosted:
    """The daemon that this command is."""

    def __init__(self, app: "App", doors: "Serving", workspace: str) -> None:
        self.app = app
        self.workspace = workspace
        self._doors = doors
        self._surface = app.surfaces.connect(transport="terminal", workspace=workspace)

    def wire(self) -> "Wire":
        from bascule.client.inside import Inside
        from bascule.daemon.surfaces import SurfaceClosed

        return Inside(self._surface, SurfaceClosed)

    async def wait_for_others(self) -> None:
        others = [surface for surface in self.app.surfaces.all() if surface is not self._surface]
        if others:
            complain(
                f"{len(others)} other surface(s) are connected; leaving when they do. Ctrl+C leaves now."
            )
            await self.app.surfaces.wait_until_alone(self._surface)
        self._doors.shut()  # at once: whoever came between would be thrown out in the middle of a word


@asynccontextmanager
async def hosted(folder: "Folder", args: argparse.Namespace, command: str) -> AsyncIterator[Hosted]:
    """The app, its doors, and with --demo the model beside it."""
    from bascule.daemon.app import open_app
    from bascule.host.tasks import Tasks
    from bascule.serve.serving import serving

    async with (
        open_app(
            folder, command=command, beside=lambda: agent_env(args, folder), demo_prompts=demo_prompts(args)
        ) as app,
        serving(app, folder) as doors,
        Tasks() as tasks,
    ):
        tasks.start("bascule down", _leave_when_asked(app, doors.asked_to_stop))
        yield Hosted(app, doors, find_place(args, folder))


async def _leave_when_asked(app: "App", asked: asyncio.Event) -> None:
    """`bascule down` while a command hosts: every surface is let go, this command's own too."""
    await asked.wait()
    for surface in app.surfaces.all():
        surface.close()
