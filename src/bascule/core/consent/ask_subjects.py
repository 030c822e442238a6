"""What an Ask is about, in lines that hide nothing; and whether they are all of it."""

from itertools import groupby
from typing import assert_never

from msgspec import Struct

from bascule.core.events.block_events import diff_text, summary_text
from bascule.core.events.surface_text import visible, visible_line, wrap
from bascule.core.text.reading_order import keep_order
from bascule.model.asks import (
    ActionSubject,
    Ask,
    CommandSandbox,
    CommandSubject,
    DeviceSubject,
    FilesSubject,
    PermissionsSubject,
    QuestionsSubject,
    RealPath,
    SettingSubject,
    Subject,
    TrustSubject,
)
from bascule.model.blocks import FileEdit
from bascule.model.consent.trust import TrustFinding
from bascule.model.edits import short_hash

MAX_SHOWN = 20_000  # characters of what a yes is asked for; what is longer cannot be allowed in a dialog
MAX_DIFF = 100_000  # bytes, where the dialog itself must show the changes
MAX_FILES = 500
FEW_BLANK = 2  # lines in a row that are shown as they are, as the page has it

SANDBOX: dict[CommandSandbox, str] = {
    "outside": "runs outside the sandbox",
    "unknown": "may leave the sandbox: the agent does not say",
}
MIXED_FILES = (
    "These files are inside and outside of the folder. Ask for them separately, by their real paths."
)
PER_PROCESS = (
    "A path here leads each program to a different place, so this can't be allowed. Ask for the real path."
)
TRUST_WHAT = "Agents would run or follow these files. Trust them only if you know who wrote them."
TRUST_MORE = "There is too much to show in full, so this folder can't be trusted."
TRUST_LONG = "This is too long to show here. `bascule trust add {folder}` in a terminal shows all of it."
TRUST_MEANWHILE = (
    "Until you trust this folder, agents work without these files. Your answer holds until the files change; "
    "`bascule trust` changes it before that."
)
SIGN = {"add": "A", "delete": "D", "update": "M"}


def title_with_plan(ask: Ask) -> str:
    """For a surface that shows an Ask as text: the title, and which plan a yes would be bound to."""
    return f"{ask.title} (plan {short_hash(ask.plan)})" if ask.plan else ask.title


class ShownSubject(Struct, frozen=True):
    """What the yes would be to, line by line, and whether that is all of it."""

    lines: tuple[str, ...]
    whole: bool


def show(subject: Subject, *, preview_shown: bool) -> ShownSubject:
    """`preview_shown`: the surface has drawn the changes of files before it asks."""
    shown = _shown(subject, preview_shown)
    return shown if shown.lines else ShownSubject(("The agent does not say what it is about.",), whole=False)


def _shown(subject: Subject, preview_shown: bool) -> ShownSubject:
    match subject:
        case CommandSubject():
            return _command(subject)
        case FilesSubject():
            return _files(subject, diff_too=not preview_shown)
        case PermissionsSubject():
            wants = [f"• {visible_line(want)}" for want in subject.wants]
            links = [leads_line(link) for link in subject.links]
            why = [PER_PROCESS] if subject.per_process else []
            return _allowable(_whole_lines([*wants, *links, *why] if wants else []), subject)
        case DeviceSubject():
            return _whole_lines(
                [f"device: {visible_line(subject.name)}", f"key: {visible_line(subject.fingerprint)}"]
            )
        case QuestionsSubject():
            message = _quoted(subject.message, "> ") if subject.message else ShownSubject((), whole=True)
            link = _whole_lines([f"open: {visible_line(subject.url)}"]) if subject.url else message
            return ShownSubject(
                (*message.lines, *(link.lines if subject.url else ())), message.whole and link.whole
            )
        case SettingSubject():
            return _whole_lines(
                [
                    *([subject.effect] if subject.effect else []),
                    f"{visible_line(subject.key)}",
                    f"now: {visible_line(subject.old)}",
                    f"new: {visible_line(subject.new)}",
                    *([visible_line(subject.doc)] if subject.doc else []),
                    *([f"in {visible_line(subject.file)}"] if subject.file else []),
                ]
            )
        case ActionSubject():
            return _whole_lines([visible_line(subject.text)])
        case TrustSubject():
            return _trust(subject)
        case _:
            assert_never(subject)


def _trust(subject: TrustSubject) -> ShownSubject:
    """What is not listed is counted: a yes to it would be a yes to something unseen."""
    findings = _cut([line for finding in subject.findings for line in finding_lines(finding)])
    more = [f"[truncated: {subject.more} more]", TRUST_MORE] if subject.more else []
    folder = wrap(f"folder: {visible_line(subject.folder)}")
    elsewhere = [wrap(TRUST_LONG.format(folder=visible_line(subject.folder)))] if not findings.whole else []
    lines = (TRUST_WHAT, folder, *findings.lines, *more, *(elsewhere if not more else []), TRUST_MEANWHILE)
    return ShownSubject(lines, findings.whole and not more)


def finding_lines(finding: TrustFinding) -> list[str]:
    """What a file holds is below its name, each line marked, so that none can pass for one of ours."""
    mark = " (changed)" if finding.changed else ""
    what = finding.text.removesuffix(f": {finding.content.strip()}")  # one line, shown as content
    named = wrap(f"• {visible_line(finding.path)}{mark}: {visible_line(what)}").split("\n")
    content = wrap(keep_order(visible(finding.content))).split("\n") if finding.content else []
    return [*named, *fold_blank([f"> {line}" for line in content])]


def _command(subject: CommandSubject) -> ShownSubject:
    host = [f"host: {visible_line(subject.host)}"] if subject.host else []
    cwd = [f"in {visible_line(subject.cwd)}"] if subject.cwd else []
    cwd += [f"which is in fact {visible_line(subject.real_cwd)}"] if subject.real_cwd else []
    cwd += [SANDBOX[subject.sandbox]] if subject.sandbox in SANDBOX else []
    command = _quoted(subject.command, "$ ") if subject.command else ShownSubject((), whole=True)
    cwd += [PER_PROCESS] if subject.per_process else []
    whole = command.whole and bool(command.lines or host)
    return _allowable(ShownSubject((*command.lines, *map(wrap, host), *map(wrap, cwd)), whole), subject)


def _allowable(
    shown: ShownSubject, subject: CommandSubject | FilesSubject | PermissionsSubject
) -> ShownSubject:
    """Where a path leads each process elsewhere, nothing shows what a yes would be to."""
    return ShownSubject(shown.lines, shown.whole and not subject.per_process)


def _quoted(text: str, first: str) -> ShownSubject:
    """Each line is marked, so that none can pass for one of ours."""
    spelt = keep_order(visible(text))
    kept = wrap(spelt[:MAX_SHOWN])
    lines = fold_blank([f"{'> ' if at else first}{line}" for at, line in enumerate(kept.split("\n"))])
    more = len(spelt) - MAX_SHOWN
    cut = [f"[truncated: {more} more characters]"] if more > 0 else []
    return ShownSubject((*lines, *cut), whole=not cut)


def fold_blank(quoted: list[str]) -> list[str]:
    """Runs of blank lines as their number: they would push the rest out of view. That line has no mark."""
    folded: list[str] = []
    for is_blank, run in groupby(quoted, lambda line: line[2:].strip() == ""):
        lines = list(run)
        folded += [f"[{len(lines)} blank lines]"] if is_blank and len(lines) > FEW_BLANK else lines
    return folded


def _files(subject: FilesSubject, *, diff_too: bool) -> ShownSubject:
    names = _whole_lines([_file_line(edit) for edit in subject.files[:MAX_FILES]])
    unnamed = len(subject.files) - MAX_FILES
    diff, truncated = diff_text(subject.files, MAX_DIFF) if diff_too else ("", diff_text(subject.files)[1])
    root = f"and from now on everything below {visible_line(subject.grant_root)}"
    more = "1 more file" if subject.more == 1 else f"{subject.more} more files"
    lines = [
        *([summary_text(subject.files)] if subject.files else []),
        *names.lines,
        *([f"[truncated: {unnamed} more files]"] if unnamed > 0 else []),
        *([f"[truncated: {more}, so this cannot be allowed]"] if subject.more else []),
        *([MIXED_FILES] if subject.mixed else []),
        *([wrap(PER_PROCESS)] if subject.per_process else []),
        *(wrap(existing_line(path)) for path in subject.existing),
        *(wrap(link_line(link)) for link in subject.links),
        *([wrap(root)] if subject.grant_root else []),
        *(f"> {line}" for line in diff.splitlines()),
        *(["[truncated: the changes are longer than what is shown]"] if truncated else []),
    ]
    whole = bool(lines) and (names.whole or not subject.files) and not truncated
    whole = whole and unnamed <= 0 and not subject.more and not subject.mixed
    return _allowable(ShownSubject(tuple(lines), whole), subject)


def link_line(link: RealPath) -> str:
    return f"{visible_line(link.path)} is written to {_real_place(link)}"


def leads_line(link: RealPath) -> str:
    return f"{visible_line(link.path)} leads to {_real_place(link)}"


def _real_place(link: RealPath) -> str:
    return f"{visible_line(link.real)}{', OUTSIDE this folder' if link.is_outside else ''}"


def existing_line(path: str) -> str:
    return f"{visible_line(path)} exists and is replaced"


def _file_line(edit: FileEdit) -> str:
    moved = f" → {visible_line(edit.moved_to)}" if edit.moved_to else ""
    return f"{SIGN[edit.change]} {visible_line(edit.path)}{moved} (+{edit.additions} -{edit.deletions})"


def _whole_lines(lines: list[str]) -> ShownSubject:
    return _cut("\n".join(map(wrap, lines)).split("\n") if lines else [])


def _cut(lines: list[str]) -> ShownSubject:
    text = "\n".join(lines)
    if len(text) <= MAX_SHOWN:
        return ShownSubject(tuple(text.split("\n")) if text else (), whole=bool(text))
    more = len(text) - MAX_SHOWN
    return ShownSubject((text[:MAX_SHOWN], f"[truncated: {more} more characters]"), whole=False)
