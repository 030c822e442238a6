"""Anchors and headings: what they begin, in the languages that people write, and where it ends."""

import pytest

from bascule.core.diff.place.headings import find_end
from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditPlan, EditRefused

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


@pytest.mark.parametrize(
    "line", ["if (a) {", "for (;;) {", "while (x) {", "switch (x) {", "catch (e) {", "return {"]
)
def test_a_branch_begins_nothing_that_has_an_end(line: str) -> None:
    lines = [f"  {line}".encode(), b"    x", b"  }", b"  other();"]
    assert find_end(lines, 0) == len(lines)
