"""Anchors and headings: what they begin, in the languages that people write, and where it ends."""

from typing import Any

import pytest

from bascule.core.diff.place.blocks import Blocks
from bascule.core.diff.place.budget import Budget
from bascule.core.diff.place.headings import Headings
from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import Diff, EditPlan, EditRefused

METHODS = (
    *("render() {", "async load(id) {", "static of(x) {", "get name() {", "set name(x) {", "#hide(a, b) {"),
    *("*walk() {", "constructor(a, b = 1) {", "private async find(id: string): Promise<User> {"),
    *("on = (event) => {", "on = async (event) => {", "on: function (event) {", "map<T>(x: T): T {"),
)


def javascript(method: str) -> bytes:
    body = "    const a = 1;\n    return a;\n  }\n"
    return f"class A {{\n  first() {{\n{body}\n  {method}\n{body}\n  last() {{\n{body}}}\n".encode()


@pytest.mark.parametrize("method", METHODS)
def test_an_anchor_may_be_a_method_of_a_class_in_javascript(method: str) -> None:
    data = javascript(method)
    patch = (
        f"*** Begin Patch\n*** Update File: x\n@@ {method}\n-    return a;\n+    return b;\n*** End Patch\n"
    )
    plans = []
    for anchor in (method, f"class A {{\n@@ {method}"):
        read = parse_diff(patch.replace(f"@@ {method}", f"@@ {anchor}"))
        assert not isinstance(read, EditRefused)
        plans.append(plan_edits(read, {"x": data}.get))
    at = data.index(b"return a", data.index(method.encode()))
    for plan in plans:
        assert isinstance(plan, EditPlan), plan
        assert plan.files[0].after == data[:at] + b"return b" + data[at + 8 :]


def headings_of(texts: list[bytes]) -> Headings:
    budget = Budget("x")
    return Headings(texts, Blocks(texts, budget), budget)


class _Counted(list[bytes]):
    """Lines that count how often one is looked at."""

    looked_at = 0

    def __getitem__(self, at: Any) -> Any:
        self.looked_at += 1
        return super().__getitem__(at)


@pytest.mark.parametrize("is_one", [True, False], ids=["one heading", "a heading for each"])
def test_lines_are_looked_at_once_for_all_hunks(is_one: bool) -> None:
    """However many hunks there are, and however far from their heading."""
    count = 2_000
    texts = _Counted(
        b"def f%d():" % n if n % 5 == 0 and (not is_one or n == 0) else b"    x" for n in range(count)
    )
    headings = headings_of(texts)
    for start in range(1, count, 5):
        assert headings.is_above(b"def f%d():" % (0 if is_one else start - 1), start, 3)
    assert texts.looked_at < 5 * count


def test_a_heading_that_a_program_cut_is_found_by_its_beginning() -> None:
    texts = [b"def first(a, b):", b"  x", b"  def first(a, c):", b"def second():"]
    headings = headings_of(texts)
    assert headings.find(b" def first(a, ") == [0, 2]
    assert headings.find(b"def second():") == [3]
    assert headings.find(b"def third") == headings.find(b" ") == []


@pytest.mark.parametrize(
    ("one", "two", "three"),
    [
        ("a:", "b:", "c:"),
        ("[a]", "[b]", "[c]"),
        (".a {", ".b {", ".c {"),
        ('it "a" do', 'it "b" do', 'it "c" do'),
    ],
)
def test_a_heading_without_a_known_end_does_not_choose_what_is_under_another(
    one: str, two: str, three: str
) -> None:
    """The hunk is for what `two` begins, where it no longer fits."""
    text = f"{one}\n  x\n  y\n{two}\n  x\n  q\n  y\n{three}\n  x\n  y\n"
    for numbers in ("-5,2 +5,3", "-5,9 +5,1"):
        diff = parse_diff(f"```diff\n--- a/f\n+++ b/f\n@@ {numbers} @@ {two}\n   x\n+  z\n   y\n```\n")
        assert isinstance(diff, Diff)
        plan = plan_edits(diff, {"f": text.encode()}.get)
        assert isinstance(plan, EditRefused), plan
    under = text.replace("  q\n", "")
    diff = parse_diff(f"```diff\n--- a/f\n+++ b/f\n@@ -50,9 +50,1 @@ {two}\n   x\n+  z\n   y\n```\n")
    assert isinstance(diff, Diff)
    plan = plan_edits(diff, {"f": under.encode()}.get)
    assert isinstance(plan, EditPlan), plan
    assert plan.files[0].after == under.replace(f"{two}\n  x\n", f"{two}\n  x\n  z\n").encode()


@pytest.mark.parametrize("line", ["var C = func() {", "c := func(x int) error {", "var c = function () {"])
def test_a_heading_ends_where_a_function_in_a_variable_begins(line: str) -> None:
    lines = ["func B() {", "\tx1", "\tq", "\ty1", "}", "", line, "\tx1", "\ty1", "}"]
    text = "--- a/x\n+++ b/x\n@@ -2,2 +2,3 @@ func B() {\n \tx1\n+\tNEW\n \ty1\n"
    read = parse_diff(text)
    assert isinstance(read, Diff)
    plan = plan_edits(read, {"x": "".join(f"{one}\n" for one in lines).encode()}.get)
    assert isinstance(plan, EditRefused), plan
    assert "not under its heading" in plan.why


@pytest.mark.parametrize("numbers", ["@@ ... @@", "@@ … @@", "@@ -,+ @@", "@@ @@", "@@ -x,3 +1,4 @@"])
def test_a_heading_counts_after_numbers_that_say_nothing(numbers: str) -> None:
    data = b"class A:\n    x = 1\n\nclass B:\n    x = 1\n\nclass C:\n    x = 1\n"
    text = f"```diff\n--- a/f\n+++ b/f\n{numbers} class B:\n-    x = 1\n+    x = 2\n```\n"
    diff = parse_diff(text)
    assert isinstance(diff, Diff)
    plan = plan_edits(diff, {"f": data}.get)
    if "x" in numbers:  # what is between the two may be a heading itself
        assert isinstance(plan, EditRefused)
        return
    assert isinstance(plan, EditPlan), plan
    assert plan.files[0].after == data.replace(b"B:\n    x = 1", b"B:\n    x = 2")


def often(after: str) -> bytes:
    """Two thousand times the same line, and then a function with it."""
    return b"def f():\n" + b"    x\n    y\n" * 1_500 + f"def g():\n{after}def h():\n    z\n".encode()


CHANGE = "-    x\n+    changed\n"
ADDED = "     x\n+    added\n"


@pytest.mark.parametrize("body", [CHANGE, ADDED])
def test_lines_that_are_there_more_than_a_thousand_times_are_all_looked_at(body: str) -> None:
    """Not only the first of them: the one place under the anchor or the heading is found, and of two none."""
    texts = (
        f"*** Begin Patch\n*** Update File: x\n@@ def g():\n{body}*** End Patch\n",
        f"```diff\n--- a/x\n+++ b/x\n@@ ... @@ def g():\n{body}```\n",
    )
    for text in texts:
        read = parse_diff(text)
        assert isinstance(read, Diff)
        for count in (1_500, 999):
            for inside, is_written in (("    x\n    c\n", True), ("    x\n    c\n    x\n", False)):
                data = often(inside).replace(b"    x\n    y\n", b"", 1_500 - count)
                plan = plan_edits(read, {"x": data}.get)
                assert isinstance(plan, EditPlan) == is_written, plan
                if isinstance(plan, EditRefused) and body == CHANGE:
                    assert f"are at line {2 * count + 3} and again at line {2 * count + 5}" in plan.why
