"""Made-up and broken diffs put to Bascule and to `git apply`: `python -m tools.fuzz [--cases N]`.

Each case is a folder and a text: a diff of made-up files or of this repository's history, whole or damaged
in one of many ways. What Bascule would write is compared with what Git writes:

- the same, or both refuse;
- Bascule refuses and Git writes: counted by kind;
- Bascule writes and Git refuses or writes something else: it must be what the diff was made for, or what Git
  writes once counts and line endings are set right (docs/guide/diffs.md lists these). All else is wrong, is
  printed, and fails the run. So does a diff that can be applied to its own result.
"""

import argparse
import random
import re
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from tools.fuzz.damage import cases
from tools.fuzz.git_judge import Case, Judge, ours
from tools.fuzz.made_up import history
from tools.fuzz.oracle import documented

from bascule.model.edits import EditRefused


@dataclass
class Counted:
    same: Counter[str] = field(default_factory=Counter)
    both_refuse: Counter[str] = field(default_factory=Counter)
    stricter: Counter[str] = field(default_factory=Counter)
    documented: Counter[str] = field(default_factory=Counter)
    looked_for: str = ""  # refusals of what Git writes that are printed too
    wrong: list[tuple[str, Case, object, object]] = field(default_factory=list)


def judge(case: Case, git: Judge, counted: Counted) -> None:
    mine = ours(case.before, case.text)
    theirs = git.apply(case.before, case.text)
    if isinstance(mine, EditRefused):
        if theirs is None:
            counted.both_refuse[case.kind] += 1
        else:
            counted.stricter[f"{case.kind}: {reason(mine.why)}"] += 1
            if counted.looked_for and counted.looked_for in mine.why:
                counted.wrong.append((mine.why, case, mine, theirs))
        return
    again = ours(mine, case.text)
    is_swap = case.kind == "swapped"  # nothing tells it from its own result
    if not isinstance(again, EditRefused) and not is_swap:
        counted.wrong.append(("applied twice", case, mine, again))
    if mine == theirs:
        counted.same[case.kind] += 1
    elif mine == case.wanted:
        counted.documented[f"{case.kind}: what the diff was made for"] += 1
    elif (how := documented(case, mine, git)) is not None:
        counted.documented[f"{case.kind}: {how}"] += 1
    else:
        counted.wrong.append(("Git refuses" if theirs is None else "Git differs", case, mine, theirs))


def reason(why: str) -> str:
    """Without names, numbers and quotes."""
    text = re.sub(r'"[^"]*"', '"…"', why.removeprefix("Edit refused: "))
    text = re.sub(r"^[^,:]+(, hunk \d+)?: ", "", text)
    text = re.sub(
        r"^.+(?=, hunk \d+ is)|(?<=^the diff names ).+(?= and has)|^.+(?= is (made by|a new file))", "…", text
    )
    text = re.sub(r"(?<=about the name of )[^ ]+( [^ ]+)?(?=\. )|^.+(?= is in the diff several)", "…", text)
    return re.sub(r"\d+", "N", text)[:90]


def report(counted: Counted, shown: int) -> None:
    def table(title: str, counts: Counter[str]) -> None:
        sys.stdout.write(f"\n{title}: {counts.total()}\n")
        for name, count in counts.most_common():
            sys.stdout.write(f"{count:7} {name}\n")

    table("The same", counted.same)
    table("Both refuse", counted.both_refuse)
    table("Bascule refuses, Git writes", counted.stricter)
    table("Bascule writes as documented, Git refuses or differs", counted.documented)
    sys.stdout.write(f"\nWRONG: {len(counted.wrong)}\n")
    for kind, count in Counter(f"{what}: {case.kind}" for what, case, _, _ in counted.wrong).most_common():
        sys.stdout.write(f"{count:7} {kind}\n")
    for what, case, mine, theirs in counted.wrong[:shown]:
        sys.stdout.write(
            f"\n==== {what}: {case.kind}\nbefore {case.before}\n{case.text}\nours {mine}\ngit  {theirs}\n"
        )


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--cases", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--shown", type=int, default=5, help="wrong cases that are printed whole")
    parser.add_argument("--repository", type=Path, default=Path())
    parser.add_argument("--refusal", default="", help="words: print what is refused so and Git writes")
    args = parser.parse_args()
    rng, counted = random.Random(args.seed), Counted(looked_for=args.refusal)
    bases = list(history(args.repository, rng, 150))
    with tempfile.TemporaryDirectory() as folder:
        git = Judge(Path(folder) / "judge")
        for number, case in enumerate(cases(rng, bases, args.cases), 1):
            judge(case, git, counted)
            if number % 2_000 == 0:
                sys.stderr.write(f"{number} cases, {len(counted.wrong)} wrong\n")
    report(counted, args.shown)
    return 1 if counted.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
