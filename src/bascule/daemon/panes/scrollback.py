"""What panes show, written as text every few seconds, so that a restart does not lose it."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

from bascule.core.panes.scrollback_text import make_text
from bascule.daemon.panes.pane_terminal import PaneTerminal
from bascule.host.terminals.scrollback_files import SavedPane, ScrollbackFiles

MAX_BYTES = 512 * 1024  # of output that the text is made of
MAX_TEXT = 200_000  # characters

log = logging.getLogger("bascule.panes")


class Scrollback:
    def __init__(self, folder: Path) -> None:
        self._files = ScrollbackFiles(folder)
        self._has_warned = False

    def read_all(self) -> list[SavedPane]:
        return self._files.read_all()

    def remove(self, pane_id: str) -> None:
        self._files.remove(pane_id)

    async def save(self, panes: Sequence[PaneTerminal]) -> None:
        """A disk that is full loses the text and nothing else."""
        for pane in panes:
            end = pane.kept.end
            data = pane.kept.read(max(pane.kept.start, end - MAX_BYTES), MAX_BYTES)
            try:
                await asyncio.to_thread(self._save, pane, data)
                pane.saved_at = end
            except OSError as fault:
                if not self._has_warned:
                    log.warning("what panes show is not kept: %s", fault)
                self._has_warned = True

    def _save(self, pane: PaneTerminal, data: bytes) -> None:
        self._files.write(
            SavedPane(
                pane_id=pane.id,
                shell=pane.shell,
                cwd=pane.cwd,
                cols=pane.size.cols,
                rows=pane.size.rows,
                title=pane.title,
                text=make_text(data, MAX_TEXT),
                opened_at_ms=pane.opened_at_ms,
            )
        )
