"""hooks.*: the hooks by which Claude reports its status, in its own settings file."""

from typing import Literal

from msgspec import Struct


class HooksParams(Struct, frozen=True, kw_only=True):
    settings: str = (
        ""  # whole path of Claude's settings.json, at a terminal; empty: the one that Claude reads
    )
    outside: bool = True  # of install: sessions outside panes are watched too


class HooksStatus(Struct, frozen=True, kw_only=True):
    settings: str
    state: Literal["installed", "partly", "absent"]
    command: str  # what a hook runs
    backup: str = ""  # path, where there is one
    outside: bool = False
    is_off: bool = False  # the file turns off all hooks, ours too
