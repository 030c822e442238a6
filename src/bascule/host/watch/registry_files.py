"""Claude's live registry on the disk: its files read, and their processes looked at."""

import os
from collections.abc import Callable

from bascule.core.watch.registry import (
    MAX_BYTES,
    ProcessFacts,
    RegistryEntry,
    is_registry_file,
    is_same_process,
    make_signal,
    parse_registry,
)
from bascule.host.watch.faults import WatchFaults, why_of
from bascule.host.watch.growing_file import read_head
from bascule.host.watch.process_facts import read_process
from bascule.model.watch import Signal

MAX_FILES = 2_000


class RegistryFiles:
    """`read_all` gives what changed since the last look: files that came, went, or whose process ended."""

    def __init__(
        self, claude_home: str, faults: WatchFaults, read_facts: Callable[[int], ProcessFacts] = read_process
    ) -> None:
        self.folder = os.path.join(claude_home, "sessions")  # noqa: PTH118
        self._faults = faults
        self._read_facts = read_facts
        self._told: dict[str, Signal] = {}  # session: what was said of it last
        self._entries: dict[str, RegistryEntry] = {}  # file name: as it was read last

    def read_all(self) -> list[Signal]:
        present = self._list()
        for name in present:
            entry = self._read(name)
            if entry is not None:
                self._entries[name] = entry
        gone = [name for name in self._entries if name not in present]
        now = {  # of processes that were never seen alive, nothing is said
            session: signal
            for session, signal in self._judge(gone).items()
            if signal.status != "stopped" or session in self._told
        }
        for name in gone:
            del self._entries[name]
        news = [signal for session, signal in now.items() if self._told.get(session) != signal]
        self._told = now
        return news

    def _judge(self, gone: list[str]) -> dict[str, Signal]:
        """One word for each session: a process that runs speaks before those that ended."""
        now: dict[str, Signal] = {}
        for name, entry in self._entries.items():
            is_alive = False if name in gone else is_same_process(entry, self._read_facts(entry.pid))
            signal = make_signal(entry, is_alive)
            known = now.get(entry.session)
            if known is None or known.status == "stopped":
                now[entry.session] = signal
        return now

    def _list(self) -> set[str]:
        try:
            with os.scandir(self.folder) as entries:
                names = sorted(entry.name for entry in entries if is_registry_file(entry.name))
        except (FileNotFoundError, NotADirectoryError):
            return set()
        except OSError as fault:
            self._faults.report(self.folder, why_of(fault))
            return set(self._entries)
        if len(names) > MAX_FILES:
            self._faults.report(self.folder, f"it holds {len(names)} files, of which {MAX_FILES} are read")
        return set(names[-MAX_FILES:])

    def _read(self, name: str) -> RegistryEntry | None:
        """None while it is being written: the last entry stays."""
        path = os.path.join(self.folder, name)  # noqa: PTH118
        try:
            data, size = read_head(path, MAX_BYTES + 1)
        except OSError as fault:
            if not isinstance(fault, FileNotFoundError):
                self._faults.report(path, why_of(fault))
            return None
        return parse_registry(data) if size <= MAX_BYTES else None
