"""One pane: its program, the bytes it showed, who types in it, and how far each surface has read."""

import asyncio
from collections.abc import Callable

from bascule.core.panes.byte_ring import ByteRing
from bascule.core.panes.marks import Mark, MarkReader
from bascule.core.panes.screen_modes import ScreenModes
from bascule.daemon.panes.stillness import Stillness
from bascule.host.terminals.pty_process import PtyProcess, PtySize
from bascule.model.protocol.panes import Pane, PaneState

MAX_KEPT = 2 * 1024 * 1024  # bytes of output
MAX_BEHIND = 512 * 1024  # bytes that even the quickest surface has not shown; above it the program waits
RESUME_BEHIND = 128 * 1024


class PaneReader:
    """How far one surface is: all before `shown` is on its screen."""

    def __init__(self, news: asyncio.Event, offset: int) -> None:
        self.news = news
        self.shown = offset


class PaneTerminal:
    """Nobody waits for the slow one: the program waits when every surface that reads is behind."""

    def __init__(
        self,
        pane_id: str,
        *,
        shell: str,
        cwd: str,
        size: PtySize,
        opened_at_ms: int,
        first_offset: int = 0,
        on_change: Callable[["PaneTerminal"], None],
        on_mark: Callable[["PaneTerminal", Mark], None],
        on_still: Callable[["PaneTerminal", bool], None],
    ) -> None:
        self.id = pane_id
        self.shell = shell
        self.cwd = cwd
        self.size = size
        self.opened_at_ms = opened_at_ms
        self.state: PaneState = "running"
        self.title = ""
        self.command = ""
        self.typing = ""
        self.typist = ""  # id of the surface that types
        self.nonce = ""  # what the shell's own marks carry
        self.has_integration = False  # its shell has said that word
        self.next_cwd = ""  # said before a prompt that is still to come
        self.exit_code: int | None = None
        self.was_shown = False  # to some surface, which answered what a program asks a terminal
        self.pty: PtyProcess | None = None
        self.kept = ByteRing(MAX_KEPT, start=first_offset)
        self.saved_at = 0  # how much of the output is on the disk as text
        self._modes_at_start = ScreenModes()
        self._marks = MarkReader()
        self._readers: set[PaneReader] = set()
        self._is_held = False
        self._on_change = on_change
        self._on_mark = on_mark
        self._stillness = Stillness(lambda is_still: on_still(self, is_still))

    @property
    def has_news(self) -> bool:
        """Something is not on the disk yet."""
        return self.kept.end > self.saved_at

    @property
    def is_shell_in_front(self) -> bool:
        return self.pty is not None and self.pty.is_in_front is True

    def describe(self) -> Pane:
        return Pane(
            pane_id=self.id,
            state=self.state,
            shell=self.shell,
            cwd=self.cwd,
            cols=self.size.cols,
            rows=self.size.rows,
            title=self.title,
            command=self.command,
            typing=self.typing,
            exit_code=self.exit_code,
            opened_at_ms=self.opened_at_ms,
        )

    # -- out --

    def feed(self, data: bytes) -> None:
        gone = self.kept.add(data)
        if gone:
            self._modes_at_start.feed(gone)
        for mark in self._marks.feed(data):
            self._on_mark(self, mark)
        for reader in self._readers:
            reader.news.set()
        self._hold_or_go()
        if self.pty is not None:
            self._stillness.moved()

    @property
    def is_still(self) -> bool:
        """Nothing new was shown for some seconds."""
        return self._stillness.is_still

    @property
    def replay(self) -> bytes:
        """What an empty terminal needs before the first byte that is kept."""
        return self._modes_at_start.replay()

    def add_reader(self, reader: PaneReader) -> None:
        self._readers.add(reader)
        self._hold_or_go()

    def remove_reader(self, reader: PaneReader) -> None:
        self._readers.discard(reader)
        self._hold_or_go()

    def acknowledge(self, reader: PaneReader, offset: int) -> None:
        reader.shown = min(max(reader.shown, offset), self.kept.end)
        reader.news.set()
        self._hold_or_go()

    def _hold_or_go(self) -> None:
        if self.pty is None:
            return
        behind = min((self.kept.end - reader.shown for reader in self._readers), default=0)
        if not self._is_held and behind > MAX_BEHIND:
            self._is_held = True
            self.pty.pause()
        elif self._is_held and behind <= RESUME_BEHIND:
            self._is_held = False
            self.pty.resume()

    # -- in --

    def set_typing(self, surface_id: str, label: str) -> None:
        if surface_id != self.typist:
            self.typist, self.typing = surface_id, label
            self._on_change(self)

    def resize(self, size: PtySize) -> None:
        if self.pty is not None and size != self.size:
            self.size = size
            self.pty.resize(size)
            self._on_change(self)

    # -- what becomes known of it --

    def say(self, **fields: str) -> None:
        """`title`, `cwd` or `command`, where it is another now."""
        changed = {name: text for name, text in fields.items() if getattr(self, name) != text}
        for name, text in changed.items():
            setattr(self, name, text)
        if changed:
            self._on_change(self)

    def begin(self, pty: PtyProcess) -> None:
        self.pty, self.state, self.exit_code = pty, "running", None
        self.has_integration = False
        self._is_held = False
        self._hold_or_go()

    def finish(self, exit_code: int) -> None:
        self._stillness.end()
        self.pty, self.state, self.exit_code, self.command = None, "ended", exit_code, ""
        self._on_change(self)
