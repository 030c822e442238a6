"""What a line begins ends where its indentation, its brackets or the next such line say."""

import pytest

from bascule.core.diff.place.blocks import Blocks
from bascule.core.diff.place.budget import Budget


@pytest.mark.parametrize(
    "line", ["if (a) {", "for (;;) {", "while (x) {", "switch (x) {", "catch (e) {", "return {"]
)
def test_a_branch_begins_nothing_that_has_an_end(line: str) -> None:
    lines = [f"  {line}".encode(), b"    x", b"  }", b"  other();"]
    assert Blocks(lines, Budget("x")).find_end(0) == len(lines)


# What the first line begins, and after a bar what it does not.
ENDS = (
    "def main(): /     pass | while True: /     tick()",
    "def main(): /     pass | try: /     tick()",
    "def f(): /     a = 1 / # of f | @dec / def g(): /     b = 1",
    "class A: /     x = 1 |  / async with y: /     z()",
    "public void f() { /   x(); / } | @Override / public void g() {",
    "Foo::Foo(int a) /     : a_(a) { /   x(); / } |  / Foo::~Foo() { /   y(); / }",
    "ns::Foo::Foo(int a, /   int b) { /   x(); / } |  / int y;",
    "foo() / { /   a / } | bar() / { /   b / }",
    "foo() { /   a / } | bar() {",
    "static int f(int a) / { /   return a; / } |  / /* of g */ / static int g(int a)",
    "val f = { x: Int -> /     a() / } | val g = { x: Int -> /     b() / }",
    "val f: (Int) -> Unit = { /     a() / } | println(f)",
    "list.each { |x| /   a / } | list.map { |x| /   b / }",
    ".a { /   color: blue; / } | .b { /   color: red; / }",
    "function f({ /   a, / }) { /   x(); / } | const y = 1;",
    "  run() { /     x(); /   } |  / } /  / class B {",
    "    def run(self): /         x() |  / ] / y = 1",
    "  def run /     x /   end |  / end /  / class B",
)


@pytest.mark.parametrize("text", ENDS)
def test_an_anchor_ends_with_what_it_begins(text: str) -> None:
    inside, _, outside = text.partition("|")
    own, others = (part.encode().split(b" / ") for part in (inside, outside))
    lines = [*own[:-1], own[-1].rstrip(), others[0].removeprefix(b" "), *others[1:]]
    end = Blocks(lines, Budget("x")).find_end(0)
    assert lines[len(own) : end] in ([], [b""])
    assert end >= len(own)
