"""Blocks for a terminal: one small function per kind. Everything shown is hostile, so it is made plain."""

from collections.abc import Callable, Iterable
from typing import Any, assert_never

from rich.console import Group, RenderableType
from rich.markdown import Markdown
from rich.padding import Padding
from rich.rule import Rule
from rich.text import Text

from bascule.cli.terminal.change_review import DIFF_STYLES
from bascule.core.events.surface_text import visible, visible_line
from bascule.core.session.growing_text import shorten
from bascule.core.session.usage import duration_text
from bascule.core.text.plain import plain, plain_line
from bascule.model import blocks as b
from bascule.model.attachments import (
    Attachment,
    DiffAttachment,
    ErrorAttachment,
    LogsAttachment,
    StatusAttachment,
)

ICONS: dict[str, tuple[str, str]] = {
    "inProgress": ("…", "yellow"),
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "declined": ("−", "yellow"),
    "cancelled": ("−", "yellow"),
}
SAID = {"declined": " declined", "cancelled": " stopped"}
STEP_ICONS = {"completed": "✅", "inProgress": "▶️ ", "pending": "⏳"}
OUTPUT_LINES = 12
DIFF_LINES = 60


def render(block: b.Block) -> RenderableType:
    shown = RENDERERS[type(block)](block)
    attached = [part for one in block.attachments for part in _attached(block, one)]
    return Group(shown, _indent(*attached)) if attached else shown


def _head(label: str, style: str, words: str = "", status: str = "", note: str = "") -> Text:
    line = Text(label, style=f"bold {style}")
    if words:
        line.append(f" {plain_line(words)}", style="not bold default")
    if status:
        icon, colour = ICONS[status]
        line.append(f" {icon}{SAID.get(status, '')}", style=colour)
    if note:
        line.append(f" {note}", style="dim")
    return line


def _indent(*parts: RenderableType) -> Padding:
    return Padding(Group(*parts), (0, 0, 0, 2))


def _tail(text: str, limit: int, style: str = "dim") -> Text:
    lines = plain(text).rstrip().split("\n")
    hidden = len(lines) - limit
    kept = lines[-limit:] if hidden > 0 else lines
    first = [f"… {hidden} earlier {'line' if hidden == 1 else 'lines'}"] if hidden > 0 else []
    return Text("\n".join([*first, *kept]), style=style)


def diff_text(diff: str, limit: int = DIFF_LINES) -> Text:
    lines = visible(diff).rstrip("\n").split("\n")
    text = Text()
    for line in lines[:limit]:
        text.append(line + "\n", style=DIFF_STYLES.get(line[:1], ""))
    if len(lines) > limit:
        hidden = len(lines) - limit
        text.append(f"… {hidden} more {'line' if hidden == 1 else 'lines'}\n", style="dim")
    text.right_crop(1)
    return text


def edits(files: Iterable[b.FileEdit], limit: int = DIFF_LINES) -> list[RenderableType]:
    """Names and lines with what draws nothing spelt out: a yes may rest on them."""
    shown: list[RenderableType] = []
    for edit in files:
        name = f"{edit.path} → {edit.moved_to}" if edit.moved_to else edit.path
        line = Text.assemble((visible_line(name), "bold"), f" ({edit.change}) ")
        line.append(f"+{edit.additions}", style="green").append(" ").append(f"−{edit.deletions}", style="red")
        shown.append(line)
        if edit.diff:
            shown.append(Padding(diff_text(edit.diff, limit), (0, 0, 0, 2)))
    return shown


def _attached(block: b.Block, attachment: Attachment) -> list[RenderableType]:
    """What the block's own words do not say already."""
    match attachment:
        case DiffAttachment():
            return [diff_text(attachment.unified_diff)]
        case LogsAttachment():
            is_shown = bool(getattr(block, "output", "").strip())
            tail = [] if is_shown or not attachment.text.strip() else [_tail(attachment.text, OUTPUT_LINES)]
            return [Text(plain_line(attachment.title), style="dim"), *tail]
        case ErrorAttachment():
            if attachment.message in getattr(block, "text", ""):
                return []
            return [Text(f"{plain_line(attachment.title)}: {plain(attachment.message)}", style="red")]
        case StatusAttachment():
            return []  # for surfaces that draw it; the text says the same
        case _:
            assert_never(attachment)


def _user(block: b.UserBlock) -> RenderableType:
    mark = "steered" if block.steered else ""
    images = f" [{len(block.images)} image(s)]" if block.images else ""
    text = Text(plain(block.text) + images)
    return Group(_head("›", "blue", "", note=mark), _indent(text)) if mark else _quoted("›", text, "blue")


def _quoted(label: str, text: Text, style: str) -> Text:
    return Text.assemble((f"{label} ", f"bold {style}"), text)


def _remote(block: b.RemoteBlock) -> RenderableType:
    return _quoted(f"@{plain_line(block.author) or 'remote'}", Text(plain(block.text)), "blue")


def _assistant(block: b.AssistantBlock) -> RenderableType:
    return Markdown(plain(block.text), hyperlinks=False)


def _reasoning(block: b.ReasoningBlock) -> RenderableType:
    text = "\n\n".join(block.summary or block.raw)
    return Group(
        _head("Reasoning", "green", status=block.status),
        _indent(Markdown(plain(text), hyperlinks=False, style="dim")),
    )


def _command(block: b.CommandBlock) -> RenderableType:
    notes = [f"exit {block.exit_code}"] if block.exit_code else []
    if block.duration_ms and block.duration_ms >= 1000:
        notes.append(duration_text(block.duration_ms))
    head = _head("$", "magenta", block.summary or block.command, block.status, " ".join(notes))
    parts = [_tail(block.stdin, 3, "yellow")] if block.stdin else []
    parts += [_tail(block.output, OUTPUT_LINES)] if block.output.strip() else []
    return Group(head, _indent(*parts)) if parts else head


def _files(block: b.FileChangeBlock) -> RenderableType:
    count = f"{len(block.files)} file{'' if len(block.files) == 1 else 's'}"
    parts = edits(block.files)
    if block.detail:
        parts.append(_tail(block.detail, OUTPUT_LINES))
    return Group(_head("Changes", "dark_orange", count, block.status), _indent(*parts))


def _mcp(block: b.McpBlock) -> RenderableType:
    call = f"{block.server}/{block.tool}" if block.server else block.tool
    head = _head("Tool", "cyan", call, block.status, shorten(plain(block.arguments), 80))
    said = block.error or block.result or block.progress
    return Group(head, _indent(_tail(said, OUTPUT_LINES, "red" if block.error else "dim"))) if said else head


def _search(block: b.WebSearchBlock) -> RenderableType:
    return _head("🔎", "bright_cyan", block.query or "searching", block.status)


def _plan(block: b.PlanBlock) -> RenderableType:
    steps = [Text(f"{STEP_ICONS[step.status]} {plain_line(step.text)}") for step in block.steps]
    prose = [Markdown(plain(block.text), hyperlinks=False)] if block.text else []
    return Group(_head("Plan", "bright_yellow"), _indent(*prose, *steps))


def _image(block: b.ImageBlock) -> RenderableType:
    return _head("Image", "cyan", block.caption or block.path or block.url, block.status)


def _divider(block: b.DividerBlock) -> RenderableType:
    words = " • ".join(part for part in (plain_line(block.title), plain_line(block.text)) if part)
    return Rule(Text(words, style="dim"), style="dim")


def _info(block: b.InfoBlock) -> RenderableType:
    facts = ", ".join(f"{plain_line(fact.name)} {plain_line(fact.value)}" for fact in block.facts)
    status = "" if block.status == "completed" else block.status
    head = _head("·", "white", block.title, status, facts)
    return Group(head, _indent(Text(plain(block.text), style="dim"))) if block.text else head


def _system(block: b.SystemBlock) -> RenderableType:
    return Group(_head(plain_line(block.title) or "System", "yellow"), _indent(Markdown(plain(block.text))))


def _error(block: b.ErrorBlock) -> RenderableType:
    return Group(_head("Error", "red", block.title), _indent(Text(plain(block.text), style="red")))


RENDERERS: dict[type, Callable[[Any], RenderableType]] = {
    b.UserBlock: _user,
    b.RemoteBlock: _remote,
    b.AssistantBlock: _assistant,
    b.ReasoningBlock: _reasoning,
    b.CommandBlock: _command,
    b.FileChangeBlock: _files,
    b.McpBlock: _mcp,
    b.WebSearchBlock: _search,
    b.PlanBlock: _plan,
    b.ImageBlock: _image,
    b.DividerBlock: _divider,
    b.InfoBlock: _info,
    b.SystemBlock: _system,
    b.ErrorBlock: _error,
}
