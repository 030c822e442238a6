"""All panes: opened on a person's word and recorded, typed in by one surface at a time, kept as text."""

import asyncio
import logging
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path

from bascule.core.faults import UserError
from bascule.core.panes.marks import Mark
from bascule.core.panes.shell_start import plan_start
from bascule.core.session.growing_text import shorten
from bascule.core.settings.reading import SettingsRefused
from bascule.core.text.plain import plain_line
from bascule.daemon.consent.record import Record
from bascule.daemon.panes.pane_terminal import PaneTerminal
from bascule.daemon.panes.pane_views import PanesView, PaneView
from bascule.daemon.panes.scrollback import Scrollback
from bascule.daemon.surfaces.surfaces import Surface
from bascule.host.files.data_folder import VARIABLE, Folder
from bascule.host.processes.process_register import Register
from bascule.host.processes.program import SearchPath
from bascule.host.processes.tasks import Tasks, every, whole
from bascule.host.terminals.pty_process import PtyProcess, PtyRefused, PtySize, has_terminals
from bascule.host.terminals.shell_program import INTEGRATION, find_shell, is_folder, make_environment
from bascule.host.watch.hook_file import find_hook_path
from bascule.model.asks import Refuse
from bascule.model.consent.audit import Entry
from bascule.model.consent.origin import Origin
from bascule.model.protocol.panes import Pane
from bascule.model.settings import PanesSettings

MAX_PANES = 40
MAX_TITLE = 200
MAX_PATH = 4096
SIZES = range(2, 1001)  # columns, rows
SAVE_S = 5.0
# Where a shell starts again below the old text: no full screen (the cursor stays), no colours, usual keys.
START_AGAIN = b"\x1b[?47l\x1b[!p\x1b[0m\r\n"

log = logging.getLogger("bascule.panes")


class PaneMissing(UserError):
    """There is no such pane, or it has no program any more."""


class Panes:
    def __init__(
        self,
        *,
        folder: Folder,
        env: Mapping[str, str],
        home: str,
        settings: Callable[[], PanesSettings],
        search_path: SearchPath,
        register: Register,
        record: Record,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
    ) -> None:
        self._folder = folder
        self._env = env
        self._home = home
        self._settings = settings
        self._search_path = search_path
        self._register = register
        self._record = record
        self._new_id = new_id
        self._now_ms = now_ms
        self._panes: dict[str, PaneTerminal] = {}
        self._views: set[PanesView] = set()
        self._tasks = Tasks()
        self._ending: set[asyncio.Task[None]] = set()
        self._scrollback = Scrollback(folder.panes)
        self.on_command: Callable[[Pane, str], None] = lambda _pane, _line: None
        self.on_prompt: Callable[[str], None] = lambda _pane: None
        self.on_end: Callable[[str], None] = lambda _pane: None
        self.on_still: Callable[[str, bool], None] = lambda _pane, _is_still: None
        self._restore()

    def _restore(self) -> None:
        for saved in self._scrollback.read_all()[-MAX_PANES:]:
            size = PtySize(saved.cols, saved.rows)
            # Past every offset of an earlier life: a page that resumes there begins again.
            later = self._now_ms()
            pane = self._make(saved.pane_id, saved.shell, saved.cwd, size, first_offset=later)
            pane.state, pane.title, pane.opened_at_ms = "restored", saved.title, saved.opened_at_ms
            pane.feed(saved.text.replace("\n", "\r\n").encode())
            pane.saved_at = pane.kept.end
            self._panes[pane.id] = pane

    def _make(
        self, pane_id: str, shell: str, cwd: str, size: PtySize, *, first_offset: int = 0
    ) -> PaneTerminal:
        return PaneTerminal(
            pane_id,
            shell=shell,
            cwd=cwd,
            size=size,
            opened_at_ms=self._now_ms(),
            first_offset=first_offset,
            on_change=self._tell,
            on_mark=self._take_mark,
            on_still=lambda pane, is_still: self.on_still(pane.id, is_still),
        )

    # -- seen --

    @property
    def are_available(self) -> bool:
        return has_terminals()

    def are_open_to(self, origin: Origin) -> bool:
        """From outside as long as the setting says so: looked at for every call, and for all that is sent."""
        try:
            return origin.is_here or self._settings().from_outside
        except SettingsRefused:
            return False

    def all(self) -> tuple[Pane, ...]:
        return tuple(pane.describe() for pane in self._panes.values())

    def shells(self) -> dict[str, int]:
        """The pid of each pane's shell."""
        return {pane.id: pane.pty.pid for pane in self._panes.values() if pane.pty is not None}

    def watch(self, surface: Surface) -> PanesView:
        view = PanesView(
            surface.news,
            may_see=lambda: self.are_open_to(surface.origin),
            on_closed=self._views.discard,
        )
        self._views.add(view)
        return view

    def get(self, pane_id: str) -> PaneTerminal:
        pane = self._panes.get(pane_id)
        if pane is None:
            raise PaneMissing("This pane was closed.")
        return pane

    def attach(self, surface: Surface, pane_id: str, offset: int) -> PaneView:
        pane = self.get(pane_id)

        def leave() -> None:
            if pane.typist == surface.id:
                pane.set_typing("", "")

        return PaneView(
            pane, surface.news, offset, may_see=lambda: self.are_open_to(surface.origin), on_closed=leave
        )

    def _tell(self, pane: PaneTerminal) -> None:
        if self._panes.get(pane.id) is pane:
            for view in self._views:
                view.put(pane.id, pane.describe())

    # -- opened and closed --

    async def open(
        self, surface: Surface, *, cwd: str, size: PtySize, pane_id: str = "", run: str = ""
    ) -> Pane | Refuse:
        """A shell in a new pane, or again in one that has ended. It is recorded before it starts."""
        before = self.get(pane_id) if pane_id else None
        if before is not None and before.pty is not None:
            return Refuse("A shell is running in this pane already.")
        if before is None and len(self._panes) >= MAX_PANES:
            return Refuse(f"{MAX_PANES} panes are open. Close one, then try again.")
        folder = cwd or (before.cwd if before else "") or self._home
        if not await asyncio.to_thread(is_folder, folder):
            return Refuse(f"cwd: There is no folder {shorten(plain_line(folder), MAX_TITLE)}.")
        shell = find_shell(self._settings().shell, {**self._env, **self._search_path.environ})
        pane = before or self._make(self._new_id("pane"), Path(shell).name, folder, size)
        pane.shell, pane.cwd, pane.size = Path(shell).name, folder, size
        self._panes[pane.id] = pane
        try:
            await whole(f"open {pane.id}", self._start(surface, pane, shell, is_again=before is not None))
        except (UserError, asyncio.CancelledError):
            if before is None and pane.pty is None:
                del self._panes[pane.id]
            self._tell(pane)
            raise
        if run and pane.pty is not None:
            pane.pty.write(run.encode() + b"\r")
        pane.set_typing(surface.id, surface.label)
        self._tell(pane)
        if not self._tasks.names:
            self._tasks.start("save what panes show", every(SAVE_S, self._save))
        return pane.describe()

    async def _start(self, surface: Surface, pane: PaneTerminal, shell: str, *, is_again: bool) -> None:
        entry = self._record.entry(
            "pane", "started", asker=surface.who, asked=f"Open a terminal: {shell}", workspace=pane.cwd
        )
        started = await self._record.start(entry)
        pane.nonce = secrets.token_hex(8)
        start = plan_start(shell, str(INTEGRATION), pane.nonce, self._env)
        ours = {
            VARIABLE: str(self._folder.root),  # `bascule` typed there reaches this daemon
            "BASCULE_PANE_ID": pane.id,
            "BASCULE_NOTIFY_PATH": str(find_hook_path(self._folder.root, "panes")),
            "BASCULE_INSTANCE_ID": self._folder.id,
            **start.env,
        }
        if is_again:
            pane.feed(START_AGAIN)
        try:
            pty = await PtyProcess.start(
                start.argv,
                cwd=Path(pane.cwd),
                env=make_environment(self._env, ours),
                size=pane.size,
                register=self._register,
                on_output=pane.feed,
                on_end=lambda code: self._finish(pane, started, code),
            )
        except PtyRefused as refused:
            await self._record.finish(started, "failed", str(refused))
            raise
        pane.begin(pty)

    def _finish(self, pane: PaneTerminal, started: Entry, code: int) -> None:
        pane.finish(code)
        self.on_end(pane.id)
        how = f"exit code {code}" if code >= 0 else f"ended by signal {-code}"
        task = self._tasks.start(f"record the end of {pane.id}", self._record.finish(started, "done", how))
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)

    async def close_pane(self, pane_id: str) -> None:
        """As closing a terminal's window; what it showed goes too."""
        pane = self.get(pane_id)
        del self._panes[pane_id]
        for view in self._views:
            view.put(pane_id, None)
        if pane.pty is not None:
            await pane.pty.hang_up()
        self.on_end(pane_id)
        await asyncio.to_thread(self._scrollback.remove, pane_id)

    # -- typed --

    def find_typist_bar(self, surface: Surface, pane: PaneTerminal) -> Refuse | None:
        """One types at a time; the others take over first."""
        if pane.typist in ("", surface.id):
            return None
        return Refuse(f"{pane.typing} is typing in this pane. Take over to type here.")

    def write(self, surface: Surface, pane_id: str, data: bytes) -> Refuse | PtyProcess:
        pane = self.get(pane_id)
        if pane.pty is None:
            raise PaneMissing("The shell in this pane has ended.")
        if barred := self.find_typist_bar(surface, pane):
            return barred
        if not pane.pty.has_room:
            return Refuse("The program in this pane is not reading what is typed. Wait, or close the pane.")
        pane.pty.write(data)
        return pane.pty

    def resize(self, surface: Surface, pane_id: str, size: PtySize) -> Refuse | None:
        pane = self.get(pane_id)
        if size.cols not in SIZES or size.rows not in SIZES:
            return Refuse(f"A terminal has {SIZES.start} to {SIZES.stop - 1} columns and rows.")
        if barred := self.find_typist_bar(surface, pane):
            return barred
        pane.resize(size)
        return None

    def drive(self, surface: Surface, pane_id: str) -> None:
        self.get(pane_id).set_typing(surface.id, surface.label)

    # -- marks --

    def _take_mark(self, pane: PaneTerminal, mark: Mark) -> None:
        """A program can print marks too: only the shell's own count, by its word or while it has the keys."""
        match mark.kind:
            case "title":
                pane.say(title=shorten(plain_line(mark.text), MAX_TITLE))
            case "folder":
                pane.next_cwd = mark.text
                if not pane.has_integration and pane.is_shell_in_front:
                    self._prompt_is_back(pane)  # shells that say their folder say it at the prompt
            case "prompt" if mark.nonce == pane.nonce:
                pane.has_integration = True
                self._prompt_is_back(pane)
            case "prompt" if not pane.has_integration and pane.is_shell_in_front:
                self._prompt_is_back(pane)
            case "command" if mark.nonce == pane.nonce:
                pane.say(command=shorten(plain_line(mark.text), MAX_TITLE))
                self.on_command(pane.describe(), mark.text)
            case _:
                pass

    def _prompt_is_back(self, pane: PaneTerminal) -> None:
        said = pane.next_cwd if pane.next_cwd.startswith("/") else pane.cwd
        pane.say(command="", cwd=shorten(plain_line(said), MAX_PATH), title="")
        self.on_prompt(pane.id)

    # -- kept --

    async def _save(self) -> None:
        try:
            if not self._settings().keep_text:
                return
        except SettingsRefused:
            return
        await self._scrollback.save([pane for pane in self._panes.values() if pane.has_news])

    async def close(self) -> None:
        """With the daemon: every shell ends, with all that runs in it."""
        await self._save()
        ptys = [pane.pty for pane in self._panes.values() if pane.pty is not None]
        await asyncio.gather(*(pty.end() for pty in ptys))
        await asyncio.gather(*self._ending)
        await self._tasks.close()
