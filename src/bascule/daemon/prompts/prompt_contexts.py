"""Context: checked when it is asked for, read when it is sent; never anything outside the workspace."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from bascule.core.prompts.context_request import (
    MAX_SUMMARY,
    cut_bytes,
    parse_lines,
    plan_parts,
    summarise,
    take_lines,
)
from bascule.core.prompts.mentions import Selection
from bascule.core.prompts.prompt_context import ContextMark, ContextText, PromptContext, compose
from bascule.daemon.files.workspaces import Workspaces
from bascule.host.files.confined_path import find_inside
from bascule.host.files.workspace_files import Listing, read_sizes, read_text
from bascule.model.asks import Refuse
from bascule.model.context import ContextPart, ContextRequest
from bascule.model.protocol.runs import UiContext
from bascule.model.protocol.setup import PreviewedContext
from bascule.model.session import Prompt
from bascule.model.settings import Settings

MAX_LINES_FILE = 1024 * 1024  # bytes of a file in which selected lines are looked for


class RequestedContext(Struct, frozen=True, kw_only=True):
    """What a prompt takes with it: the parts by name, and what the editor shows as selected."""

    context: tuple[ContextPart, ...] = ()
    selected: str = ""


class Contexts:
    def __init__(self, *, workspaces: Workspaces, settings: Callable[[str], Settings]) -> None:
        self._workspaces = workspaces
        self._settings = settings

    async def preview(
        self, workspace: str, request: ContextRequest, ui: UiContext
    ) -> PreviewedContext | Refuse:
        requested = await self.plan(workspace, request, ui)
        if isinstance(requested, Refuse):
            return requested
        settings = self._settings(workspace)
        return PreviewedContext(
            parts=requested.context,
            max_files=settings.context_max_files,
            max_file_bytes=settings.context_max_file_bytes,
        )

    async def plan(
        self, workspace: str, request: ContextRequest | None, ui: UiContext
    ) -> RequestedContext | Refuse:
        """Refused before anything is sent, where something asked for is missing or lies outside."""
        if request is None:
            return RequestedContext()
        settings = self._settings(workspace)
        base = await asyncio.to_thread(_base, workspace, ui.workspace_root)
        parts = plan_parts(
            request,
            active=ui.active_file.path if ui.active_file else "",
            selection=read_selection(ui),
            workspace=base,
            max_files=settings.context_max_files,
        )
        if isinstance(parts, Refuse):
            return parts
        refused = await asyncio.to_thread(self._find_outside, workspace, parts)
        if refused is not None:
            return refused
        selected_text = ui.selection.selected_text if request.include_selection and ui.selection else ""
        selected = cut_bytes(selected_text, settings.context_max_file_bytes)
        pieces = await self._read_all(workspace, parts, selected_text)
        return RequestedContext(context=tuple(piece.part for piece in pieces), selected=selected)

    async def read(self, workspace: str, prompt: Prompt) -> PromptContext:
        """As the files are now; what has gone since it was asked for is named as left out."""
        pieces = await self._read_all(workspace, prompt.context, prompt.selected)
        mark = ContextMark(context=tuple(piece.part for piece in pieces))
        return PromptContext(compose(prompt.purpose, pieces), mark)

    async def _read_all(
        self, workspace: str, parts: tuple[ContextPart, ...], selected: str
    ) -> tuple[ContextText, ...]:
        summary = any(part.kind == "workspace_summary" for part in parts)
        listing = await self._workspaces.listing(workspace) if summary else Listing(())
        most = self._settings(workspace).context_max_file_bytes
        kept = await asyncio.to_thread(self._leave_out_private, workspace, parts)
        return await asyncio.to_thread(_read_parts, Path(workspace), kept, selected, listing, most)

    def _leave_out_private(self, workspace: str, parts: tuple[ContextPart, ...]) -> tuple[ContextPart, ...]:
        """What a name leads to may be another file by now."""
        barred = [self._find_bar(workspace, part) for part in parts]
        return tuple(
            _without(part, bar.why).part if bar else part for part, bar in zip(parts, barred, strict=True)
        )

    def _find_bar(self, workspace: str, part: ContextPart) -> Refuse | None:
        return None if part.kind == "workspace_summary" else self._workspaces.find_bar(workspace, _path(part))

    def _find_outside(self, workspace: str, parts: tuple[ContextPart, ...]) -> Refuse | None:
        barred = next(filter(None, (self._find_bar(workspace, part) for part in parts)), None)
        return Refuse(f"{barred.why} Nothing was sent.") if barred else _find_outside(Path(workspace), parts)


def read_selection(ui: UiContext) -> Selection | None:
    if ui.selection is None:
        return None
    begin, end = ui.selection.range.start, ui.selection.range.end
    return Selection(
        path=ui.selection.path,
        start_line=begin.line,
        start_column=begin.column,
        end_line=end.line,
        end_column=end.column,
    )


def _base(workspace: str, named: str) -> str:
    """The workspace as the editor writes it, where that is the same folder under another name."""
    try:
        return named if named and str(Path(named).resolve()) == workspace else workspace
    except (OSError, ValueError):
        return workspace


def _find_outside(workspace: Path, parts: tuple[ContextPart, ...]) -> Refuse | None:
    for part in parts:
        if part.kind == "workspace_summary":
            continue
        found = find_inside(workspace, _path(part))
        if isinstance(found, Refuse):
            return Refuse(f"{found.why} Nothing was sent.")
        if not found.real.is_file():
            return Refuse(f"{part.name} is not a file. Nothing was sent.")
    return None


def _path(part: ContextPart) -> str:
    return parse_lines(part.name)[0] if part.kind == "selection" else part.name


def _read_parts(
    workspace: Path, parts: tuple[ContextPart, ...], selected: str, listing: Listing, most: int
) -> tuple[ContextText, ...]:
    return tuple(_read(workspace, part, selected, listing, most) for part in parts)


def _read(workspace: Path, part: ContextPart, selected: str, listing: Listing, most: int) -> ContextText:
    if part.left_out:
        return ContextText(part, "")
    match part.kind:
        case "workspace_summary":
            return _summary(workspace, part, listing)
        case "selection":
            return _selection(workspace, part, selected, most)
        case "active_file" | "file":
            return _file(workspace, part, most)


def _file(workspace: Path, part: ContextPart, most: int) -> ContextText:
    read = read_text(workspace, part.name, 0, max(most, 1))
    if isinstance(read, Refuse):
        return _without(part, read.why.rstrip("."))
    if read.binary:
        return _without(replace(part, whole=read.size), "a binary file is not sent")
    return _cut(part, read.text, read.size, most)


def _selection(workspace: Path, part: ContextPart, selected: str, most: int) -> ContextText:
    """As the editor shows it, perhaps not saved; else the lines as they are on the disk."""
    if selected:
        whole = max(part.whole, len(selected.encode("utf-8", "replace")))  # it may have been cut before
        return _cut(part, selected, whole, most)
    path, first, last = parse_lines(part.name)
    read = read_text(workspace, path, 0, MAX_LINES_FILE)
    if isinstance(read, Refuse):
        return _without(part, read.why.rstrip("."))
    if read.binary:
        return _without(part, "a binary file is not sent")
    lines = take_lines(read.text, first, last)
    return _cut(part, lines, len(lines.encode("utf-8", "replace")), most)


def _summary(workspace: Path, part: ContextPart, listing: Listing) -> ContextText:
    some = listing.files[: MAX_SUMMARY + 1]
    text, note = summarise(read_sizes(workspace, some), truncated=listing.truncated)
    size = len(text.encode("utf-8", "replace"))
    return ContextText(replace(part, size=size, whole=size, note=note, left_out=False), text)


def _cut(part: ContextPart, text: str, whole: int, most: int) -> ContextText:
    kept = cut_bytes(text, most)
    size = len(kept.encode("utf-8", "replace"))
    note = f"the first {size} of {whole} bytes" if size < whole else ""
    return ContextText(replace(part, size=size, whole=whole, note=note), kept)


def _without(part: ContextPart, why: str) -> ContextText:
    return ContextText(replace(part, size=0, note=why, left_out=True), "")
