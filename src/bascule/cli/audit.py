"""`bascule audit`: the record of what was asked, answered and done; and the proof that it is whole."""

import argparse
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import complain, say
from bascule.cli.opening import add_place, open_data_folder
from bascule.core.diff.visible import visible
from bascule.core.text import shorten
from bascule.model.audit import Line, Local, Remote

if TYPE_CHECKING:
    from bascule.host.audit import Audit

SHOWN = 50
MAX_SHOWN = 100_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON line an entry, or a problem")
    parser.add_argument("--verify", action="store_true", help="prove every line; problems end with 1")
    parser.add_argument("-n", metavar="N", type=int, default=SHOWN, help=f"the last N (default: {SHOWN})")
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.audit import Audit, audit_in

    audit = Audit(audit_in(open_data_folder(demo=args.demo).root))
    if args.verify:
        return _verify(audit, as_json=args.json)
    for line in audit.last(max(0, min(args.n, MAX_SHOWN))):
        say(msgspec.json.encode(line).decode() if args.json else _shown(line))
    return 0


def _verify(audit: "Audit", *, as_json: bool) -> int:
    problems = audit.verify()
    for problem in problems:
        say(msgspec.json.encode(problem).decode() if as_json else f"✗ {problem}")
    for path in audit.torn():
        complain(f"half of a line that was cut off is kept in {path}")
    if not problems and not as_json:
        say(_whole(audit))
    return 1 if problems else 0


def _whole(audit: "Audit") -> str:
    """The last, to compare with one noted elsewhere: who rewrites everything rewrites the proof as well."""
    head = audit.read_head()
    if head is None:
        return "The record is empty."
    return f"✓ Every line is as it was written; the last is line {head.seq}, {head.hash[:12]}."


def _shown(line: Line) -> str:
    from bascule.host.clock import local_time

    entry = line.entry
    answer = "" if entry.answer == "none" else f" answer {entry.answer}"
    what = shorten(visible(entry.asked, keep="\n"), 60)
    why = f" ({shorten(visible(entry.why), 80)})" if entry.why else ""
    bound = f" [{entry.hash[:12]}]" if entry.hash else ""
    return (
        f"{line.seq:>5}  {local_time(entry.at_ms):%Y-%m-%d %H:%M:%S}  {entry.kind:<7} {_who(entry.who)}: "
        f"{what}{bound}{answer} → {entry.outcome}{why}"
    )


def _who(who: Local | Remote) -> str:
    match who:
        case Local(surface=surface, person=person):
            return visible(f"{person}@{surface}" if person else surface)
        case Remote(user=user, command_id=command_id):
            return visible(f"{user} (order {command_id})")
