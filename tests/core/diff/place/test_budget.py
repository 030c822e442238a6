"""Hunks that look alike in files that look alike: placed in a second, or refused in one."""

import random
import time

import pytest

from bascule.core.diff.content import Content
from bascule.core.diff.place import splice
from bascule.core.diff.place.asked import Asked
from bascule.core.diff.place.budget import Budget, Exhausted
from bascule.core.diff.place.hunk_places import Places, place
from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import Diff, EditPlan, EditRefused

MANY = 10_000
BEGIN, END = "```diff\n--- a/x\n+++ b/x\n", "```\n"


def planned(text: str, file: str) -> tuple[EditPlan | EditRefused, float]:
    """And the seconds of the processor that it took."""
    read = parse_diff(text)
    assert isinstance(read, Diff), read
    began = time.process_time()
    return plan_edits(read, {"x": file.encode()}.get), time.process_time() - began


@pytest.mark.parametrize("heading", ["", "def f{n}():", "part {n}"])
def test_as_many_hunks_that_look_alike_as_places_go_there_in_order(heading: str) -> None:
    """Each fits everywhere, and only one row of places is in their order."""
    above = [heading.format(n=n) or "top" for n in range(MANY)]
    file = "".join(f"{line}\n  a\n  b\n  c\n" for line in above)
    header = "@@ -1,1 +1,1 @@ " if heading else "@@ ... @@"
    hunks = [
        f"{header}{line if heading else ''}\n   a\n-  b\n+  new {n}\n   c\n" for n, line in enumerate(above)
    ]
    plan, took_s = planned(BEGIN + "".join(hunks) + END, file)
    assert isinstance(plan, EditPlan), plan
    after = plan.files[0].after
    assert after is not None
    assert after.decode().split("\n")[2::4][:MANY] == [f"  new {n}" for n in range(MANY)]
    assert took_s < 5


def test_functions_in_each_other_are_looked_at_in_a_second() -> None:
    """Two thousand deep: what each of them begins reaches to the end of the file."""
    depths = range(2_000)
    file = "".join(f"{' ' * n}def f{n}():\n{' ' * n} x{n}\n" for n in depths)
    hunks = "".join(f"@@ def f{n}():\n-{' ' * n} x{n}\n+{' ' * n} y{n}\n" for n in depths)
    plan, took_s = planned(f"*** Begin Patch\n*** Update File: x\n{hunks}*** End Patch\n", file)
    assert isinstance(plan, EditPlan), plan
    assert plan.files[0].after == file.replace("x", "y").encode()
    assert took_s < 5


def test_hunks_of_lines_that_are_everywhere_are_refused_in_a_second() -> None:
    """Each looks for other lines, and every line of the file may begin them."""
    texts = random.Random(1).choices("ab", k=300_000)
    hunks = []
    for n in range(MANY):
        before, gone, *after = texts[n * 30 : n * 30 + 30]
        shown = "".join(f" {text}\n" for text in after)
        hunks.append(f"@@ ... @@\n {before}\n-{gone}\n+new {n}\n{shown}")
    refused, took_s = planned(BEGIN + "".join(hunks) + END, "\n".join([*texts, ""]))
    assert isinstance(refused, EditRefused)
    assert "its hunks fit so many places" in refused.why
    assert took_s < 5


def test_a_check_that_is_given_up_is_not_taken_for_one_that_found_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether a diff fits its own result again is asked last, with what is left then."""
    seen: list[Content] = []

    def place_once(content: Content, asked: list[Asked], budget: Budget) -> Places:
        seen.append(content)
        if len(seen) == 2:
            raise Exhausted("x")
        return place(content, asked, budget)

    monkeypatch.setattr(splice, "place", place_once)
    refused, _ = planned(f"{BEGIN}@@ ... @@\n a\n-b\n+c\n d\n{END}", "a\nb\nd\n")
    assert isinstance(refused, EditRefused)
    assert refused.why.startswith("Edit refused: x: its hunks fit so many places")
