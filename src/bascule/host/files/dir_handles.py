"""The folders that an edit stands on: each held open from the first look to the end."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

from bascule.host.files.dir_handle import DirHandle, NotWritable, walked

MAX_HELD = 128  # folders; some systems give a process no more than 256 descriptors

Parts = tuple[str, ...]


class DirHandles:
    """Forward, a folder must still be where it was; back, it is the folder itself, wherever it is now."""

    def __init__(self, root: DirHandle) -> None:
        self.root = root
        self._held: dict[Parts, DirHandle] = {}
        self._seen: set[Parts] = set()  # in this phase

    def close(self) -> None:
        for handle in self._held.values():
            handle.close()
        self._held.clear()

    def begin_phase(self) -> None:
        """From now on each folder is walked to again, once."""
        self._seen.clear()

    def at(self, parts: Parts) -> AbstractContextManager[DirHandle]:
        return self._held[parts] if parts in self._seen else self._walk_to(parts)

    @contextmanager
    def _walk_to(self, parts: Parts) -> Iterator[DirHandle]:
        with walked(self.root, parts) as now:
            held = self._hold(parts, now)
            if held.identity != now.identity:
                raise NotWritable("is in a folder that was moved while the edit was being written")
            if held is not now:
                self._seen.add(parts)
            yield held

    @contextmanager
    def back_at(self, parts: Parts) -> Iterator[DirHandle]:
        if self.holds(parts):
            yield self._held[parts]
            return
        with walked(self.root, parts) as now:
            yield now

    def holds(self, parts: Parts) -> bool:
        """A folder that was removed since is of no use."""
        return parts in self._held and self._held[parts].is_alive

    def _hold(self, parts: Parts, now: DirHandle) -> DirHandle:
        if parts not in self._held and parts and now.fd is not None and len(self._held) < MAX_HELD:
            self._held[parts] = now.twin()
        return self._held.get(parts, now)
