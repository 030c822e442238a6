"""Claude's live registry on the disk: its files read, and their processes looked at."""

import heapq
import os
import time
from collections.abc import Callable, Iterable, Iterator

from bascule.core.bounded import forget_oldest
from bascule.core.watch.registry import (
    MAX_BYTES,
    ProcessFacts,
    RegistryEntry,
    is_named_after,
    is_registry_file,
    is_same_process,
    make_left,
    make_signal,
    parse_registry,
    pick_most_urgent,
)
from bascule.host.watch.faults import WatchFaults, why_of
from bascule.host.watch.growing_file import read_head
from bascule.host.watch.process_facts import read_process
from bascule.model.watch import Signal

MAX_FILES = 2_000
MAX_QUIET = 40_000
SETTLED_NS = 100_000_000  # a younger file may be written again within the same tick of the clock

FileStamp = tuple[int, int, int]  # when it was changed, its size, which file it is


class RegistryFiles:
    """`read_all` gives what changed since the last look: files that came, went, or whose process ended."""

    def __init__(
        self, claude_home: str, faults: WatchFaults, read_facts: Callable[[int], ProcessFacts] = read_process
    ) -> None:
        self.folder = os.path.join(claude_home, "sessions")  # noqa: PTH118
        self._too_many = f"files of {self.folder}"
        self._faults = faults
        self._read_facts = read_facts
        self._sent: dict[str, Signal] = {}  # session: what was said of it last
        self._entries: dict[str, RegistryEntry] = {}  # file name: as it was read last
        self._seen: dict[str, FileStamp] = {}  # file name: what it was read at
        self._quiet: dict[str, FileStamp] = {}  # those that say nothing of a process that runs
        self._ended: set[str] = set()  # names of files whose process is gone: looked at no more
        self._present: dict[str, FileStamp] = {}  # as they were listed last
        self._unread: set[str] = set()  # those that could not be read

    def read_all(self) -> list[Signal]:
        self._present = self._list()
        for name in self._unread - self._present.keys():
            self._faults.forget(os.path.join(self.folder, name))  # noqa: PTH118
        self._unread.clear()
        for name, stamp in self._present.items():
            if self._seen.get(name) != stamp:
                self._take(name, stamp)
        return self._find_news(self._present)

    def look_at_processes(self) -> list[Signal]:
        """Between changes of the folder: those that ended without a word."""
        return self.read_all() if self._unread else self._find_news(self._present)

    def _find_news(self, present: dict[str, FileStamp]) -> list[Signal]:
        gone = [name for name in self._entries if name not in present]
        judged = self._judge(frozenset(gone))
        now = {  # of processes that were never seen alive, nothing is said
            session: signal
            for session, signal in judged.items()
            if signal.status != "stopped" or session in self._sent
        }
        for name in gone:
            if name in self._ended:
                del self._entries[name]
        self._seen = {name: stamp for name, stamp in self._seen.items() if name in present}
        self._quiet |= {name: stamp for name, stamp in self._seen.items() if not self._speaks(name)}
        forget_oldest(self._quiet, MAX_QUIET)
        news = [signal for session, signal in now.items() if self._sent.get(session) != signal]
        left = [
            make_left(signal)
            for session, signal in self._sent.items()
            if session not in now and signal.status != "stopped"
        ]
        self._sent = now
        return left + news

    def _speaks(self, name: str) -> bool:
        return name in self._entries and name not in self._ended

    def _take(self, name: str, stamp: FileStamp) -> None:
        data = self._read(name)
        if data is None:
            self._unread.add(name)
            return
        if time.time_ns() - stamp[0] > SETTLED_NS:
            self._seen[name] = stamp
        entry = parse_registry(data)
        if entry is None or not is_named_after(name, entry.pid):
            return  # it is being written: the last entry stays
        if self._entries.get(name) != entry:
            self._entries[name] = entry
            self._ended.discard(name)

    def _judge(self, gone: frozenset[str]) -> dict[str, Signal]:
        """One word for each session, which may be open in several processes: the most urgent one."""
        said: dict[str, list[Signal]] = {}
        for name, entry in self._entries.items():
            is_alive = self._is_alive(name, entry)
            if name in gone and is_alive is None:
                is_alive = False  # nothing else can tell
            if is_alive is False:
                self._ended.add(name)
            said.setdefault(entry.session, []).append(make_signal(entry, is_alive, has_file=name not in gone))
        return {session: pick_most_urgent(signals) for session, signals in said.items()}

    def _is_alive(self, name: str, entry: RegistryEntry) -> bool | None:
        """A process that has ended stays so: its number may be another's by now."""
        if name in self._ended:
            return False
        return is_same_process(entry, self._read_facts(entry.pid))

    def _list(self) -> dict[str, FileStamp]:
        try:
            with os.scandir(self.folder) as entries:
                found = heapq.nlargest(MAX_FILES + 1, self._rank(entries))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as fault:
            self._faults.report(self.folder, why_of(fault))
            return dict(self._seen)
        if len(found) > MAX_FILES:
            self._faults.report(self._too_many, f"only the latest {MAX_FILES} are read")
        else:
            self._faults.forget(self._too_many)
        return dict(sorted((name, stamp) for _, stamp, name in found[:MAX_FILES]))

    def _rank(self, entries: Iterable["os.DirEntry[str]"]) -> Iterator[tuple[bool, FileStamp, str]]:
        """Those that say nothing come last, or they would hide one that does; then the latest first."""
        known, self._quiet = self._quiet, {}
        for entry in entries:
            if is_registry_file(entry.name) and not entry.is_symlink():
                stamp = _stamp(entry)
                is_quiet = known.get(entry.name) == stamp
                if is_quiet:
                    self._quiet[entry.name] = stamp
                yield not is_quiet, stamp, entry.name

    def _read(self, name: str) -> bytes | None:
        """None where it cannot be read: it is tried again."""
        path = os.path.join(self.folder, name)  # noqa: PTH118
        try:
            data = read_head(path, MAX_BYTES + 1)[0]
        except FileNotFoundError:
            data = None
        except OSError as fault:
            self._faults.report(path, why_of(fault))
            return None
        self._faults.forget(path)
        return data


def _stamp(entry: "os.DirEntry[str]") -> FileStamp:
    try:
        state = entry.stat(follow_symlinks=False)
    except OSError:
        return (0, 0, 0)  # it went while we looked
    return (state.st_mtime_ns, state.st_size, state.st_ino)
