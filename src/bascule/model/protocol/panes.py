"""pane.*: terminals that the daemon owns. Bytes travel as base64, each piece with its offset."""

from typing import Literal

from msgspec import Struct

PaneState = Literal[
    "running",
    "ended",  # its shell has exited; what it showed is still here
    "restored",  # of an earlier daemon: only its text is left
]


class Pane(Struct, frozen=True, kw_only=True, omit_defaults=True):
    pane_id: str
    state: PaneState
    shell: str  # the program's name
    cwd: str
    cols: int
    rows: int
    title: str = ""  # as a program in it set it
    command: str = ""  # what runs in it now, where the shell says so
    typing: str = ""  # the surface that types in it; empty: none
    exit_code: int | None = None
    opened_at_ms: int = 0


class PanesParams(Struct, frozen=True, kw_only=True):
    pass


class PaneList(Struct, frozen=True, kw_only=True):
    panes: tuple[Pane, ...]
    is_available: bool = True  # false on a system without ptys


class OpenPaneParams(Struct, frozen=True, kw_only=True):
    cwd: str = ""  # empty: the person's home
    cols: int = 80
    rows: int = 24
    pane_id: str = ""  # a pane that has ended, to start a shell in it again
    run: str = ""  # typed into the shell for the person, and run


class OpenedPane(Struct, frozen=True, kw_only=True):
    pane: Pane


class PaneRef(Struct, frozen=True, kw_only=True):
    pane_id: str


class AttachPaneParams(Struct, frozen=True, kw_only=True):
    pane_id: str
    offset: int = -1  # the next byte that this surface does not have yet; below 0: all that is kept


class WritePaneParams(Struct, frozen=True, kw_only=True):
    pane_id: str
    data: str  # base64


class ResizePaneParams(Struct, frozen=True, kw_only=True):
    pane_id: str
    cols: int
    rows: int


class AckPaneParams(Struct, frozen=True, kw_only=True):
    pane_id: str
    offset: int  # all before it was shown


class PanesNotify(Struct, frozen=True, kw_only=True):
    """Panes that are new or changed, and those that are gone."""

    panes: tuple[Pane, ...]
    gone: tuple[str, ...] = ()


class PaneOutputNotify(Struct, frozen=True, kw_only=True):
    pane_id: str
    offset: int  # of the first byte
    data: bytes  # as base64
    reset: bool = False  # begin with an empty terminal: what came before is no longer kept
    before: bytes = b""  # with a reset: as base64, what puts an empty terminal into the right modes
    is_old: bool = False  # from before it was attached to: a terminal answers no question in it
