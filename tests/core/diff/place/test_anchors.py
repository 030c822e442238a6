"""An anchor of Codex's format ends with what it begins: a hunk under it is held to that."""

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import Diff, EditPlan, EditRefused

GO = """func a() {
	x()

}

func b() {
	y()
	x()
}
"""


def go_planned(hunk: str) -> EditPlan | EditRefused:
    read = parse_diff(f"*** Begin Patch\n*** Update File: x\n{hunk}*** End Patch\n")
    assert isinstance(read, Diff)
    return plan_edits(read, {"x": GO.encode()}.get)


def test_what_an_anchored_hunk_changes_is_in_what_the_anchor_begins() -> None:
    """The blank line before the next function is; that function, which the hunk goes on with, is not."""
    change = "-\ty()\n+\tz()\n"
    answer = go_planned(f"@@ func a() {{\n \n func b() {{\n{change}")
    assert isinstance(answer, EditRefused), answer
    assert 'its change is at line 7, which is not in what "func a() {" begins' in answer.why
    for right in (f"@@\n \n func b() {{\n{change}", f"@@ func b() {{\n{change}"):
        assert isinstance(go_planned(right), EditPlan)


def test_a_function_may_be_added_after_what_the_anchor_begins() -> None:
    added = "@@ func a() {\n }\n \n+func c() {\n+}\n+\n func b() {\n"
    plan = go_planned(added)
    assert isinstance(plan, EditPlan), plan
    assert plan.files[0].after == GO.replace("func b", "func c() {\n}\n\nfunc b").encode()


LAST_OF_F = "def f():\n    one()\n\ndef g():\n    two()\n"


def planned(data: str, hunks: str) -> EditPlan | EditRefused:
    read = parse_diff(f"*** Begin Patch\n*** Update File: x\n{hunks}*** End Patch\n")
    assert isinstance(read, Diff)
    return plan_edits(read, {"x": data.encode()}.get)


def test_a_hunk_may_go_on_into_the_next_function_from_the_last_lines_of_the_anchors() -> None:
    """Agents name the function that the hunk begins in, as Git does, and Codex itself goes there. Its lines
    are there once, so nothing is guessed."""
    for old, new in (("def g():", "def g(x):"), ("    two()", "    three()")):
        change = LAST_OF_F.partition("    one()")[2].replace(old, f"-{old}\n+{new}").split("\n")[1:-1]
        hunk = "".join(line + "\n" if line[:1] in ("-", "+") else f" {line}\n" for line in change)
        plan = planned(LAST_OF_F, f"@@ def f():\n     one()\n{hunk}")
        assert isinstance(plan, EditPlan), plan
        assert plan.files[0].after == LAST_OF_F.replace(old, new).encode()


def test_it_may_not_where_the_hunk_shows_no_line_of_the_function_or_fits_twice() -> None:
    blank = planned(LAST_OF_F, "@@ def f():\n \n-def g():\n+def g(x):\n     two()\n")
    assert isinstance(blank, EditRefused), blank
    twice = LAST_OF_F + "\ndef f():\n    one()\n\ndef g():\n    three()\n"
    both = planned(twice, "@@ def f():\n     one()\n \n-def g():\n+def g(x):\n")
    assert isinstance(both, EditRefused), both
