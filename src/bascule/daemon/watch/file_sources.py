"""The files that are watched, all in one loop: rollouts, Claude's registry, the hooks' lines."""

import asyncio
import os
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from bascule.core.watch.places import is_rollout
from bascule.host.files.data_folder import Folder
from bascule.host.git.repository import find_branch
from bascule.host.processes.tasks import Tasks, every
from bascule.host.watch.agent_homes import AgentHomes, Home
from bascule.host.watch.dir_watch import DirWatch, FolderId, identify
from bascule.host.watch.faults import WatchFaults
from bascule.host.watch.hook_file import HookFile
from bascule.host.watch.inotify import ChangedName
from bascule.host.watch.process_facts import read_process, read_process_in
from bascule.host.watch.registry_files import RegistryFiles
from bascule.host.watch.rollout_files import RolloutFiles
from bascule.model.watch import Signal

LOOK_S = 2.0  # for folders that were missing, and processes that ended without a word
HOMES_S = 30.0  # for homes inside WSL
MAX_DELIVERED = 100  # signals; then everything else has its turn
MAX_LOOKS = 4  # at one file, in its turn
GATHER_S = 0.03  # what changes together is read together


class FileSources:
    def __init__(
        self,
        *,
        folder: Folder,
        homes: AgentHomes,
        faults: WatchFaults,
        deliver: Callable[[Iterable[Signal]], None],
        on_deleted: Callable[[str], None],
    ) -> None:
        self._deliver = deliver
        self._on_deleted = on_deleted  # a session whose rollout is gone
        self._faults = faults
        self._homes = homes
        self._rollouts: dict[str, RolloutFiles] = {}  # by home
        self._registries: dict[Home, RegistryFiles] = {}
        self._hooks = (HookFile(folder.root, faults), HookFile(folder.root, faults, "panes"))
        self._watch: DirWatch | None = None
        self._roots: dict[str, FolderId] = {}  # of rollouts and the registry: those that are watched
        self._reading = asyncio.Lock()  # files are read by one at a time

    async def run(self, read_once: asyncio.Event) -> None:
        self._watch = DirWatch(self._faults)
        try:
            async with Tasks() as tasks:
                await self._look_for_homes()
                await self._look()
                read_once.set()
                if self._homes.may_grow:
                    tasks.start("look for homes", every(HOMES_S, self._look_for_homes))
                tasks.start("look at what does not tell", every(LOOK_S, self._look))
                while True:
                    changed = await self._watch.next()
                    await asyncio.sleep(GATHER_S)
                    async with self._reading:
                        await self._take(changed)
        finally:
            read_once.set()
            self._watch.close()
            for hooks in self._hooks:
                hooks.close()

    async def _look_for_homes(self) -> None:
        await asyncio.to_thread(self._homes.look)
        for folder in self._homes.codex:
            if folder not in self._rollouts:
                self._rollouts[folder] = RolloutFiles(folder, self._faults)
        for home in self._homes.claude:
            if home not in self._registries:
                read_facts = partial(read_process_in, home.processes) if home.processes else read_process
                self._registries[home] = RegistryFiles(home.folder, self._faults, read_facts)

    async def _look(self) -> None:
        async with self._reading:
            await self._look_around()

    async def _look_around(self) -> None:
        """Folders that are there by now, and processes that are not any more."""
        assert self._watch is not None
        for files in list(self._rollouts.values()):
            which = await asyncio.to_thread(_find_folder, files.root)
            if which is None:
                self._roots.pop(files.root, None)
            elif self._roots.get(files.root) != which:  # also one that was moved away and made again
                self._roots[files.root] = which
                await self._add_tree(files, files.root)
        for registry in list(self._registries.values()):
            await self._look_at_registry(registry)
        for hooks in self._hooks:
            if not hooks.is_open and await asyncio.to_thread(hooks.open):
                self._watch.add(str(hooks.folder))

    async def _look_at_registry(self, registry: RegistryFiles) -> None:
        """Its files are read when the folder says that they changed; here only one that is new to us."""
        assert self._watch is not None
        which = await asyncio.to_thread(_find_folder, registry.folder)
        is_known = self._watch.add(registry.folder) and self._roots.get(registry.folder) == which
        if which is not None:
            self._roots[registry.folder] = which
        read = registry.look_at_processes if is_known else registry.read_all
        await self._hand_over(await asyncio.to_thread(_with_branches, read))

    async def _hand_over(self, signals: list[Signal]) -> None:
        """In portions, so that a flood does not hold up everything else."""
        for at in range(0, len(signals), MAX_DELIVERED):
            self._deliver(signals[at : at + MAX_DELIVERED])
            await asyncio.sleep(0)

    async def _add_tree(self, files: RolloutFiles, start: str) -> None:
        """Watched first, then read: what comes in between is not lost."""
        assert self._watch is not None
        for folder in await asyncio.to_thread(files.list_folders, start):
            self._watch.add(folder)
        for path in await asyncio.to_thread(files.list_latest, start):
            await self._read_rollout(files, ChangedName(*os.path.split(path)))

    async def _take(self, changed: list[ChangedName]) -> None:
        assert self._watch is not None
        folders = {one.folder for one in changed}
        if "" in folders:  # too much happened at once: everything is looked at again
            self._roots.clear()
            await self._look_around()
        for registry in list(self._registries.values()):
            if registry.folder in folders:
                await self._hand_over(await asyncio.to_thread(_with_branches, registry.read_all))
        for hooks in self._hooks:
            if str(hooks.folder) in folders:
                await self._hand_over(await asyncio.to_thread(hooks.read))
        for one in changed:
            await self._take_rollout(one)

    async def _take_rollout(self, changed: ChangedName) -> None:
        files = self._find_files(changed.folder)
        if files is None:
            return
        if not changed.name:
            self._roots.pop(changed.folder, None)  # a home that went may come again
        elif is_rollout(changed.name):
            await self._read_rollout(files, changed)
        else:
            folder = f"{changed.folder}/{changed.name}"
            if await asyncio.to_thread(_is_folder, folder):
                await self._add_tree(files, folder)

    def _find_files(self, folder: str) -> RolloutFiles | None:
        is_below = (files for files in self._rollouts.values() if Path(folder).is_relative_to(files.root))
        return next(is_below, None)

    async def _read_rollout(self, files: RolloutFiles, changed: ChangedName) -> None:
        """To its end; one that grows faster than it is read waits for the others in between."""
        assert self._watch is not None
        for _ in range(MAX_LOOKS):
            signal, has_more = await asyncio.to_thread(files.read, f"{changed.folder}/{changed.name}")
            for session in files.take_deleted():
                self._on_deleted(session)
            if not has_more:
                if signal is not None:
                    self._deliver([signal])
                return
        self._watch.put_back(changed)


def _find_folder(path: str) -> FolderId | None:
    try:
        return identify(path) if Path(path).is_dir() else None
    except OSError:
        return None


def _is_folder(path: str) -> bool:
    """A link to one is not followed."""
    return Path(path).is_dir() and not Path(path).is_symlink()


def _with_branches(read: Callable[[], list[Signal]]) -> list[Signal]:
    return [replace(signal, branch=find_branch(signal.cwd) if signal.cwd else "") for signal in read()]
