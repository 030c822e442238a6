"""Which pane a session belongs to: certain or not at all, and never undone by time."""

from typing import NamedTuple

from bascule.core.watch.launch import CodexStart


class PendingStart(NamedTuple):
    cwd: str = ""
    session: str = ""  # that was named: no other is waited for

    def could_be(self, session: str, cwd: str) -> bool:
        if self.session:
            return self.session == session
        return not (self.cwd and cwd) or self.cwd == cwd


class Bindings:
    """One pane shows one session; one session is shown in one pane."""

    def __init__(self) -> None:
        self._pane_of: dict[str, str] = {}  # session: pane
        self._pending: dict[str, PendingStart] = {}  # pane: what was started there

    def find_pane(self, session: str) -> str | None:
        return self._pane_of.get(session)

    def find_session(self, pane: str) -> str | None:
        return next((session for session, at in self._pane_of.items() if at == pane), None)

    @property
    def pending(self) -> tuple[str, ...]:
        return tuple(self._pending)

    def start(self, pane: str, launch: CodexStart, known: frozenset[str], cwd: str = "") -> str | None:
        """A Codex UI starts in a pane. The session, where it is bound at once."""
        self._pending.pop(pane, None)
        if launch.how == "resume" and launch.session in known:
            self.bind(pane, launch.session)
            return launch.session
        self._pending[pane] = PendingStart(cwd, launch.session if launch.how == "resume" else "")
        return None

    def appear(self, session: str, cwd: str = "") -> str | None:
        """A session that was not there before. Where two panes could have made it, it is bound to neither."""
        able = [pane for pane, one in self._pending.items() if one.could_be(session, cwd)]
        if len(able) != 1 or session in self._pane_of:
            return None
        self.bind(able[0], session)
        return able[0]

    def correct(self, pane: str, cwd: str) -> None:
        """The folder that the program itself is in: `cd sub && codex` is typed above it."""
        pending = self._pending.get(pane)
        if pending is not None and cwd:
            self._pending[pane] = pending._replace(cwd=cwd)

    def is_free(self, pane: str) -> bool:
        """Nothing is bound to it, and nothing is waited for."""
        return pane not in self._pending and self.find_session(pane) is None

    def bind(self, pane: str, session: str) -> None:
        """Also where something proves it: a hook with the pane's name, an open file, a pid."""
        self._pending.pop(pane, None)
        self._pane_of = {one: at for one, at in self._pane_of.items() if at != pane}
        self._pane_of[session] = pane

    def leave(self, pane: str) -> str | None:
        """The shell's prompt is back, or the pane is gone. The session that was bound."""
        self._pending.pop(pane, None)
        session = self.find_session(pane)
        if session is not None:
            del self._pane_of[session]
        return session
