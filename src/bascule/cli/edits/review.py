"""`bascule review`: what a run changed here, and chosen hunks of it reverted after a yes."""

import argparse
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import complain, say
from bascule.cli.connect.start_options import add_place, add_workspace, run_async
from bascule.core.diff.show.shown_diff import show_lines
from bascule.core.text.counts import counted
from bascule.core.text.visible import visible
from bascule.model.ids import short_id
from bascule.model.protocol import edits

if TYPE_CHECKING:
    from bascule.cli.connect.join_daemon import Joined
    from bascule.host.terminal import Terminal

EXAMPLES = """\
examples:
  bascule review                             what the latest run changed here
  bascule review --revert                    hunk by hunk, as in `git add -p`"""
NOTHING = "This run changed no files."
NOTHING_CHOSEN = "Nothing was reverted: no hunk was selected."
HERE, NOT_HERE, ALREADY = "", "  (changed since the run)", "  (already reverted)"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "session", nargs="?", default="last", help="an id, the end of an id, a title, or `last` (default)"
    )
    parser.add_argument("--run", metavar="ID", default="", help="the run (default: the latest)")
    parser.add_argument("--json", action="store_true", help="as JSON")
    parser.add_argument("--revert", action="store_true", help="choose hunks to revert; asks before it writes")
    add_workspace(parser)
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    """No flag, setting or variable answers for the person."""
    from bascule.cli.terminal.confirmed_call import NO_TERMINAL, NoTerminal
    from bascule.host.terminal import person_here

    if not args.revert:
        return run_async(_run(args, None))
    with person_here(stdin_is_taken=False) as terminal:
        if terminal is None:
            raise NoTerminal(NO_TERMINAL)
        return run_async(_run(args, terminal))


async def _run(args: argparse.Namespace, terminal: "Terminal | None") -> int:
    from bascule.cli.connect.join_daemon import joined
    from bascule.cli.sessions.ask import find_session

    async with joined(args, "review") as link:
        session = await find_session(link, args.session)
        review = await link.call("edits.review", edits.RunRef(session_id=session, run_id=args.run))
        if terminal is not None:
            return await _revert(link, terminal, review)
    say(msgspec.json.encode(review).decode() if args.json else describe(review))
    return 0


def describe(review: edits.RunReview) -> str:
    lines = [line for file in review.files for line in _describe_file(file)]
    count = counted(len(review.files), "file")
    lines.append(f"{count} in run {review.run_id}" if review.files else NOTHING)
    return "\n".join([*lines, review.note] if review.note else lines)


def _describe_file(file: edits.ReviewedFile) -> list[str]:
    lines = [f"{file.kind:<7} {_name(file)}  +{file.additions} -{file.deletions}"]
    if file.note:
        lines.append(f"        {file.note}")
    for hunk in file.hunks:
        state = HERE if hunk.there else ALREADY if hunk.reverted else NOT_HERE
        lines.append(f"  hunk {hunk.number}{state}")
        lines.append(show_lines(hunk).rstrip("\n"))
    return [*lines, ""]


def _name(file: edits.ReviewedFile) -> str:
    return visible(f"{file.path} -> {file.moved_to}" if file.moved_to else file.path)


# -- taking back --


async def _revert(link: "Joined", terminal: "Terminal", review: edits.RunReview) -> int:
    from bascule.cli.terminal.edit_confirmation import apply_here

    if not review.files:
        complain(NOTHING)
        return 1
    chosen = await _choose(terminal, review)
    if not chosen:
        complain(NOTHING_CHOSEN)
        return 1
    wanted = edits.RevertParams(session_id=review.session_id, run_id=review.run_id, files=chosen)
    prepared = await link.call("edits.revert", wanted)
    written = await apply_here(link, terminal, prepared, link.workspace)
    if written.status != "ok":
        complain(written.summary)
        return 1
    say(f"Reverted: {written.summary}.\nUndo it with: bascule undo {short_id(written.undo_id)}")
    return 0


async def _choose(terminal: "Terminal", review: edits.RunReview) -> tuple[edits.ChosenFile, ...]:
    from bascule.cli.terminal.change_review import choose_part
    from bascule.cli.terminal.hunk_picker import ShownChange

    pieces = [
        ShownChange(
            path=file.path,
            head=f"{file.kind} {_name(file)}\n" + (f"{file.note}\n" if file.note else ""),
            hunks=tuple(_shown(hunk) for hunk in file.hunks),
            closed=frozenset(at for at, hunk in enumerate(file.hunks) if hunk.reverted),
        )
        for file in review.files
    ]
    return await choose_part(terminal, pieces, "Revert")


def _shown(hunk: edits.ReviewedHunk) -> str:
    if hunk.there:
        return show_lines(hunk)
    return f"{show_lines(hunk)}({hunk.why if hunk.reverted else f'cannot be reverted: {hunk.why}'})\n"
