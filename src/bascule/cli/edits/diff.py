"""`bascule diff`: what a diff would change here, to the byte, or why it cannot be applied."""

import argparse
import codecs
import hashlib
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import complain, say
from bascule.cli.connect.start_options import add_place, add_workspace, find_workspace, report_recovered
from bascule.core.faults import UserError
from bascule.core.text.counts import counted
from bascule.model.edits import MAX_STRIP, EditPlan, EditRefused, FileKind, Moved, PlannedFile

if TYPE_CHECKING:
    from bascule.host.files.data_folder import Folder

EXAMPLES = """\
examples:
  bascule diff plan change.diff              writes nothing
  bascule diff apply change.diff             hunk by hunk, then asks once
  git diff HEAD~1 | bascule diff plan -      from standard input
  bascule session diff last | bascule diff apply -"""
MAX_DIFF = 20 * 1024 * 1024  # bytes: as many as a frame takes, and the parser
EXIT_REFUSED = 1


class ShownFile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A planned file without its bytes."""

    path: str
    kind: FileKind
    additions: int
    deletions: int
    source: str | None = None
    before_hash: str | None = None
    after_hash: str | None = None
    mode_after: str | None = None
    moved: tuple[Moved, ...] = ()


class ShownPlan(msgspec.Struct, frozen=True, kw_only=True):
    files: tuple[ShownFile, ...]
    additions: int
    deletions: int
    hash: str
    short: str
    preview: str


def add_arguments(parser: argparse.ArgumentParser) -> None:
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="VERB")
    plan = verbs.add_parser("plan", help="show what a diff would change; writes nothing")
    plan.add_argument("file", help="the diff, or a text with one in it; `-` reads standard input")
    plan.add_argument("--json", action="store_true", help="as JSON")
    add_strip(plan)
    add_workspace(plan)
    apply = verbs.add_parser("apply", help="show what a diff would change, ask, and change it")
    apply.add_argument("file", help="the diff, or a text with one in it; `-` reads standard input")
    add_strip(apply)
    add_workspace(apply)
    add_place(apply)


def add_strip(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-p",
        dest="strip",
        metavar="N",
        type=int,
        choices=range(MAX_STRIP + 1),
        help="leave out the first N folders of the names in the diff, as `git apply -p` does",
    )


def run(args: argparse.Namespace) -> int:
    if args.verb == "apply":
        from bascule.cli.edits.diff_apply import run as run_apply

        return run_apply(args)
    return _run_plan(args)


def _run_plan(args: argparse.Namespace) -> int:
    """On files that no crash left half written."""
    from bascule.host.files.data_folder import Folder, find_root

    folder = Folder(find_root(os.environ))
    if folder.root.is_dir():
        report_recovered(folder)
    shown = _plan(Path(find_workspace(args)), read_diff(args.file), args.strip, folder)
    if args.json:
        say(msgspec.json.encode({"refused": shown} if isinstance(shown, EditRefused) else shown).decode())
    elif isinstance(shown, EditRefused):
        complain(shown.why)
    else:
        _print(shown)
    return EXIT_REFUSED if isinstance(shown, EditRefused) else 0


def read_diff(name: str) -> str:
    """Bytes that are no UTF-8 stay recognisable, so that a diff of such a file still fits it."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_DIFF + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MAX_DIFF + 1)
    except OSError as fault:
        raise UserError(f"{name} cannot be read: {fault.strerror}.") from None
    if len(data) > MAX_DIFF:
        raise UserError(f"{name} is larger than {MAX_DIFF} bytes. Give the diff in parts.")
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):  # `git diff > FILE` in PowerShell
        return data.decode("utf-16", "replace")
    return data.decode("utf-8", "surrogateescape")


# -- what is shown --


def _plan(workspace: Path, text: str, strip: int | None, folder: "Folder") -> ShownPlan | EditRefused:
    from bascule.core.diff.read.parse import parse_diff
    from bascule.core.diff.show.preview import preview_all
    from bascule.host.edits.apply import find_bar
    from bascule.host.edits.journal import journals_in
    from bascule.host.edits.planning import plan_diff

    bar = find_bar(workspace, journals_in(folder.root))
    diff = bar or parse_diff(text, strip)
    planned = diff if isinstance(diff, EditRefused) else plan_diff(workspace, diff)
    if isinstance(planned, EditRefused):
        return planned
    return _shown(planned.plan, preview_all(planned.plan.files, planned.before))


def _shown(plan: EditPlan, preview: str) -> ShownPlan:
    return ShownPlan(
        files=tuple(map(_shown_file, plan.files)),
        additions=sum(file.additions for file in plan.files),
        deletions=sum(file.deletions for file in plan.files),
        hash=plan.hash,
        short=plan.short,
        preview=preview,
    )


def _shown_file(file: PlannedFile) -> ShownFile:
    return ShownFile(
        path=file.path,
        kind=file.kind,
        additions=file.additions,
        deletions=file.deletions,
        source=file.source,
        before_hash=file.source_hash or file.before_hash,
        after_hash=None if file.after is None else hashlib.sha256(file.after).hexdigest(),
        mode_after=None if file.mode_after is None else f"{file.mode_after:o}",
        moved=file.moved,
    )


def _print(plan: ShownPlan) -> None:
    lines: list[str] = []
    for file in plan.files:
        name = f"{file.source} -> {file.path}" if file.source else file.path
        mode = f"  mode {file.mode_after}" if file.mode_after else ""
        lines.append(f"{file.kind:<7} {name}  +{file.additions} -{file.deletions}{mode}")
        for moved in file.moved:
            way = "down" if moved.offset > 0 else "up"
            by = counted(abs(moved.offset), "line")
            lines.append(f"        hunk {moved.hunk} is {by} further {way}")
    count = counted(len(plan.files), "file")
    lines.append(f"{count}, +{plan.additions} -{plan.deletions}, plan {plan.short}; nothing was written\n")
    say("\n".join(lines))
    sys.stdout.write(plan.preview)
