"""A Session as Markdown to read and to keep. All of it is hostile: nothing in it can end its own frame."""

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import msgspec

from bascule.core.consent.ask_subjects import title_with_plan
from bascule.core.session.growing_text import clip
from bascule.core.session.usage import duration_text, usage_text
from bascule.core.text.plain import plain, plain_line
from bascule.model import blocks as b
from bascule.model.session import Session

MAX_QUOTED = 200_000  # characters of one text; the last ones are kept, artifact.read has the rest
STEPS = {"completed": "x", "inProgress": "~", "pending": " "}

When = Callable[[int], str]


def session_json(session: Session) -> str:
    return msgspec.json.format(msgspec.json.encode(session), indent=2).decode()


def session_markdown(session: Session, when: When) -> str:
    """`when` tells a moment in words."""
    parts = [f"# {_title(session.title or session.id)}", _facts(_about(session, when))]
    parts += _notes(session)
    for block in session.blocks:
        parts += _block(block, when)
    parts += _rest(session)
    return "\n\n".join(part for part in parts if part) + "\n"


# -- the session --


def _about(session: Session, when: When) -> Iterator[tuple[str, str]]:
    yield "session", session.id
    yield "agent", session.agent
    yield "workspace", session.workspace
    yield "model", f"{session.model} {session.effort}".strip()
    yield "status", session.status
    if session.created_at_ms:
        yield "begun", when(session.created_at_ms)
    if session.updated_at_ms:
        yield "last change", when(session.updated_at_ms)
    if session.usage:
        yield "usage", usage_text(session.usage)


def _notes(session: Session) -> Iterator[str]:
    if session.earlier:
        yield "*An earlier part of this session was not loaded.*"
    if session.dropped_blocks:
        yield f"*{session.dropped_blocks} older blocks are no longer kept here.*"


def _rest(session: Session) -> Iterator[str]:
    if session.diff and session.diff.unified:
        yield "## Latest diff"
        yield fence(session.diff.unified, "diff")
    if session.asks:
        yield "## Waiting for an answer"
        yield "\n".join(f"- {code(title_with_plan(ask))}" for ask in session.asks)
    if session.queue:
        yield "## Queued"
        yield from (quote(prompt.text) for prompt in session.queue)


# -- blocks: a heading, then what it holds --


def _block(block: b.Block, when: When) -> Iterator[str]:
    heading, *parts = WRITERS[type(block)](block)
    at = f" · {when(block.at_ms)}" if block.at_ms else ""
    yield f"## {heading}{at}"
    if block.dropped:
        yield f"*{block.dropped} characters before this are no longer kept.*"
    yield from parts


def _user(block: b.UserBlock) -> Iterator[str]:
    yield "User (steered)" if block.steered else "User"
    yield quote(block.text)
    yield from (_picture(image) for image in block.images)


def _remote(block: b.RemoteBlock) -> Iterator[str]:
    yield f"Remote {_title(block.author)}".rstrip()
    yield quote(block.text)


def _assistant(block: b.AssistantBlock) -> Iterator[str]:
    yield _with_status("Assistant", block.status)
    yield quote(block.text)


def _reasoning(block: b.ReasoningBlock) -> Iterator[str]:
    yield _with_status("Reasoning", block.status)
    yield quote("\n\n".join(block.summary or block.raw))


def _command(block: b.CommandBlock) -> Iterator[str]:
    yield _with_status("Command", block.status)
    yield fence(block.command or block.summary, "sh")
    took = duration_text(block.duration_ms) if block.duration_ms else ""
    code_ = "" if block.exit_code is None else str(block.exit_code)
    yield _facts((("folder", block.cwd), ("exit code", code_), ("took", took)))
    yield from _named("Input", block.stdin)
    yield from _named("Output", block.output)


def _files(block: b.FileChangeBlock) -> Iterator[str]:
    yield _with_status("Changes", block.status)
    for edit in block.files:
        name = f"{edit.path} → {edit.moved_to}" if edit.moved_to else edit.path
        yield f"- {edit.change} {code(name)} +{edit.additions} −{edit.deletions}"
        yield fence(edit.diff, "diff") if edit.diff else ""
    yield from _named("Detail", block.detail)


def _mcp(block: b.McpBlock) -> Iterator[str]:
    call = f"{block.server}/{block.tool}" if block.server else block.tool
    yield _with_status(f"Tool {_title(call)}", block.status)
    yield from _named("Arguments", block.arguments, "json")
    yield from _named("Progress", block.progress)
    yield from _named("Result", block.result)
    yield from _named("Error", block.error)


def _search(block: b.WebSearchBlock) -> Iterator[str]:
    yield _with_status("Web search", block.status)
    yield code(block.query)


def _plan(block: b.PlanBlock) -> Iterator[str]:
    yield "Plan"
    yield quote(block.text) if block.text else ""
    yield "\n".join(f"- [{STEPS[step.status]}] {code(step.text)}" for step in block.steps)


def _image(block: b.ImageBlock) -> Iterator[str]:
    yield _with_status("Image", block.status)
    yield quote(block.caption) if block.caption else ""
    yield _picture(block.path or block.url)


def _divider(block: b.DividerBlock) -> Iterator[str]:
    yield " · ".join(filter(None, (_title(block.title), _title(block.text)))) or "·"


def _info(block: b.InfoBlock) -> Iterator[str]:
    yield _with_status(_title(block.title), block.status)
    yield _facts((fact.name, fact.value) for fact in block.facts)
    yield quote(block.text) if block.text else ""


def _system(block: b.SystemBlock) -> Iterator[str]:
    yield _title(block.title) or "System"
    yield quote(block.text) if block.text else ""


def _error(block: b.ErrorBlock) -> Iterator[str]:
    yield f"Error: {_title(block.title)}"
    yield fence(block.text) if block.text else ""


WRITERS: dict[type, Callable[[Any], Iterator[str]]] = {
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


# -- frames --


def fence(text: str, language: str = "") -> str:
    """A code block with a fence longer than any in the text."""
    kept, note = _kept(text)
    ticks = "`" * max(3, _longest_ticks(kept) + 1)
    return f"{note}{ticks}{language}\n{kept}\n{ticks}"


def quote(text: str) -> str:
    """Markdown as it was written, in a quotation: whatever it leaves open ends with the quotation."""
    kept, note = _kept(text)
    return note + "\n".join(f"> {line}" if line else ">" for line in kept.split("\n"))


def code(text: str) -> str:
    """One line, word for word."""
    line = plain_line(text)
    ticks = "`" * (_longest_ticks(line) + 1)
    pad = " " if "`" in line or not line else ""
    return f"{ticks}{pad}{line}{pad}{ticks}"


def _longest_ticks(text: str) -> int:
    return max(map(len, re.findall("`+", text)), default=0)


def _kept(text: str) -> tuple[str, str]:
    kept, dropped = clip(plain(text).strip("\n"), MAX_QUOTED)
    return kept, f"*{dropped} characters before this are left out.*\n\n" if dropped else ""


def _title(text: str) -> str:
    """Words for a heading: what Markdown or HTML would take for its own is escaped."""
    return re.sub(r"([\\`*_\[\]<>#|&!~])", r"\\\1", plain_line(text))


def _with_status(words: str, status: b.Progress) -> str:
    return words if status == "completed" else f"{words} ({status})"


def _facts(facts: Iterable[tuple[str, str]]) -> str:
    return "\n".join(f"- {_title(name)}: {code(value)}" for name, value in facts if value)


def _named(name: str, text: str, language: str = "text") -> Iterator[str]:
    if text.strip():
        yield f"{name}:"
        yield fence(text, language)


def _picture(source: str) -> str:
    """Not shown: an inline one would fill pages, and a remote one would be fetched."""
    if source.startswith("data:"):
        return f"Image, {len(source)} characters of {code(source[5:].partition(';')[0])}"
    return f"Image {code(source)}"
