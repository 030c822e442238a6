"""`bascule diff`: what a diff would change here, to the byte, or why it cannot be applied."""

import argparse
import hashlib
import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import complain, say
from bascule.cli.opening import add_workspace
from bascule.core.faults import CannotGoOn
from bascule.model.edits import EditPlan, EditRefused, FileKind, Moved, PlannedFile

if TYPE_CHECKING:
    from bascule.core.diff.plan import Read

MAX_DIFF = 64 * 1024 * 1024  # bytes that are looked at; the parser has its own ceiling
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
    plan = verbs.add_parser("plan", help="say what a diff would change; writes nothing")
    plan.add_argument("file", help="the diff, or a text with one in it; `-` reads standard input")
    plan.add_argument("--json", action="store_true", help="as JSON")
    add_workspace(plan)
    apply = verbs.add_parser("apply", help="show what a diff would change, ask, and change it")
    apply.add_argument("file", help="the diff, or a text with one in it")
    add_workspace(apply)


def run(args: argparse.Namespace) -> int:
    if args.verb == "apply":
        return int(importlib.import_module("bascule.cli.diff_apply").run(args))
    return _run_plan(args)


def _run_plan(args: argparse.Namespace) -> int:
    text = read_diff(args.file)
    with reading(Path(args.workspace) if args.workspace else Path.cwd()) as read:
        shown = _plan(text, read)
    if args.json:
        say(msgspec.json.encode({"refused": shown} if isinstance(shown, EditRefused) else shown).decode())
    elif isinstance(shown, EditRefused):
        complain(shown.why)
    else:
        _print(shown)
    return EXIT_REFUSED if isinstance(shown, EditRefused) else 0


# -- what is read --


def read_diff(name: str) -> str:
    """Bytes that are no UTF-8 stay recognisable, so that a diff of such a file still fits it."""
    try:
        if name == "-":
            data = sys.stdin.buffer.read(MAX_DIFF + 1)
        else:
            with Path(name).open("rb") as file:
                data = file.read(MAX_DIFF + 1)
    except OSError as fault:
        raise CannotGoOn(f"{name} cannot be read: {fault.strerror}.") from None
    if len(data) > MAX_DIFF:
        raise CannotGoOn(f"{name} is larger than {MAX_DIFF} bytes. Give the diff in parts.")
    return data.decode("utf-8", "surrogateescape")


@contextmanager
def reading(workspace: Path) -> Iterator["Read"]:
    """Reads files of the workspace for a plan; through no link, as they are written later."""
    from bascule.host.foothold import Unfit, open_root, read_all, walked

    try:
        root = open_root(workspace)
    except (OSError, ValueError) as fault:
        raise CannotGoOn(f"The workspace {workspace} cannot be opened: {fault}.") from None

    def read(path: str) -> bytes | EditRefused | None:
        *folders, name = path.split("/")
        try:
            with walked(root, tuple(folders)) as folder:
                fd = folder.open(name)
                try:
                    return read_all(fd)
                finally:
                    os.close(fd)
        except FileNotFoundError:
            return None
        except Unfit as unfit:
            return EditRefused(why=f"Edit refused: {path} {unfit}.", path=path)
        except OSError as fault:
            return EditRefused(why=f"Edit refused: {path} cannot be read: {fault.strerror}.", path=path)

    with closing(root):
        yield read


# -- what is shown --


def _plan(text: str, read: "Read") -> ShownPlan | EditRefused:
    from bascule.core.diff.parse import parse_diff
    from bascule.core.diff.plan import plan_edits
    from bascule.core.diff.preview import preview_all

    seen: dict[str, bytes] = {}

    def remember(path: str) -> bytes | EditRefused | None:
        data = read(path)
        if isinstance(data, bytes):
            seen[path] = data
        return data

    diff = parse_diff(text)
    if isinstance(diff, EditRefused):
        return diff
    plan = plan_edits(diff, remember)
    return plan if isinstance(plan, EditRefused) else _shown(plan, preview_all(plan.files, seen))


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
    for file in plan.files:
        name = f"{file.source} -> {file.path}" if file.source else file.path
        mode = f"  mode {file.mode_after}" if file.mode_after else ""
        say(f"{file.kind:<7} {name}  +{file.additions} -{file.deletions}{mode}")
        for moved in file.moved:
            way = "down" if moved.offset > 0 else "up"
            say(f"        hunk {moved.hunk} stands {abs(moved.offset)} lines further {way}")
    count = "1 file" if len(plan.files) == 1 else f"{len(plan.files)} files"
    say(f"{count}, +{plan.additions} -{plan.deletions}, plan {plan.short}; nothing was written\n")
    sys.stdout.write(plan.preview)
