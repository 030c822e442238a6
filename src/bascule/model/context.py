"""Context: what a person lets a prompt carry of their workspace, and what was sent of it."""

from typing import Literal

from msgspec import Struct


class ContextRequest(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The active file and the selection are those of the surface's last `ui.context.update`."""

    include_active_file: bool = False
    include_selection: bool = False
    include_workspace_summary: bool = False
    files: tuple[str, ...] = ()  # relative to the workspace


class ContextPart(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One thing that is sent, or why it is not."""

    kind: Literal["active_file", "selection", "workspace_summary", "file"]
    name: str  # "src/a.py", "src/a.py#L3-L9"
    size: int = 0  # bytes of it that are sent
    whole: int = 0  # bytes that it has
    note: str = ""  # truncated, skipped: in words
    left_out: bool = False
