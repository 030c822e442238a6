"""`bascule audit`: the record of what was asked, answered and done; and the proof that it is whole."""

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from bascule.cli import say
from bascule.cli.connect.start_options import add_place, open_data_folder, read_count
from bascule.core.consent.record_words import say_entry
from bascule.core.text.counts import counted
from bascule.model.consent.audit import Line

if TYPE_CHECKING:
    from bascule.host.storage.audit import Audit, Proof

EXAMPLES = """\
examples:
  bascule audit                              the last 50 entries
  bascule audit -n 5 --json                  with every field
  bascule audit --verify                     was a line changed or removed?"""
SHOWN = 50
MAX_SHOWN = 100_000
EMPTY = "The record is empty: nothing has been asked yet."
PROVES = (
    "Compared with the note in the session store: no line was changed, put in, reordered or removed since it "
    "was written, unless said above."
)
PROVES_NOT = (
    "Not proved: somebody with your rights on this machine can rewrite both the record and the note. "
    "To notice that, keep the number and the hash of the last line somewhere else, and compare."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON line per entry or problem")
    parser.add_argument("--verify", action="store_true", help="check every line; exit with 1 if one is wrong")
    parser.add_argument(
        "-n", metavar="N", type=read_count, default=SHOWN, help=f"the last N (default: {SHOWN})"
    )
    add_place(parser)


def run(args: argparse.Namespace) -> int:
    from bascule.host.storage.audit import Audit, audit_in

    audit = Audit(audit_in(open_data_folder(demo=args.demo).root))
    if args.verify:
        return _verify(audit, as_json=args.json)
    lines = audit.last(min(args.n, MAX_SHOWN))
    for line in lines if args.json else _without_starts(lines):
        say(msgspec.json.encode(line).decode() if args.json else _shown(line))
    if not audit.last(1) and not args.json:
        say(audit.find_loss() or EMPTY)
    return 0


def _without_starts(lines: "list[Line]") -> "list[Line]":
    """The line of a start is shown while its end is missing."""
    ends: Counter[tuple[str, str]] = Counter()
    shown: list[Line] = []
    for line in reversed(lines):
        deed = (line.entry.kind, line.entry.ref)
        if line.entry.outcome != "started":
            ends[deed] += 1
        elif ends[deed]:  # the same may have been done before: each end hides its own start
            ends[deed] -= 1
            continue
        shown.append(line)
    return shown[::-1]


def _verify(audit: "Audit", *, as_json: bool) -> int:
    proof = audit.prove()
    if as_json:
        for problem in proof.problems:
            say(msgspec.json.encode(problem).decode())
    else:
        for sentence in _findings(proof):
            say(sentence)
    return 1 if proof.problems else 0


def _findings(proof: "Proof") -> Iterator[str]:
    if not proof.count and proof.anchor is None and not proof.problems:
        yield EMPTY
        return
    yield from (f"✗ {problem}" for problem in proof.problems)
    if not proof.problems:
        yield "✓ Every line is as it was written."
    if proof.first is not None and proof.last is not None:
        times = f"{_time(proof.first)} to {_time(proof.last)}"
        yield f"{counted(proof.count, 'line')}, {times}; the last is line {proof.last.seq}:"
        yield f"  {proof.hash}"
    if proof.anchor is not None:
        yield PROVES
    yield PROVES_NOT


def _time(line: Line) -> str:
    from bascule.host.clock import local_time

    return f"{local_time(line.entry.at_ms):%Y-%m-%d %H:%M:%S}"


def _shown(line: Line) -> str:
    bound = f"  [{line.entry.hash[:12]}]" if line.entry.hash else ""
    return f"{line.seq:>5}  {_time(line)}  {say_entry(line.entry)}{bound}"
