"""The same bytes as real Git, over generated folders."""

import difflib
import re
import shutil

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from tests.core.diff.trees import Repository, Tree, changes, contents, edited, git

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.core.diff.show.preview import preview_all
from bascule.model.edits import Diff, EditPlan, EditRefused

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="Git is what this compares with")
# Half of what others try: each example starts Git several times.
slow = settings(
    max_examples=settings().max_examples // 2, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

OPTIONS = (
    ("--no-renames",),
    ("-M10%",),
    ("-M", "-C", "--find-copies-harder"),
    ("--no-prefix",),
    ("--src-prefix=i/", "--dst-prefix=w/"),
    ("--patience", "--function-context"),
    ("--inter-hunk-context=3",),
)
# Why we are stricter: a place that is not certain, or lines that nothing shows the place of.
STRICTER = (
    *("again at line", "it only adds lines", "said to be the last", "it overlaps hunk"),
    *("already applied", "not in the order of the hunks", "is said to end"),
)


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("git") / "repository")


def planned(text: str, before: Tree) -> EditPlan | EditRefused:
    diff = parse_diff(text)
    assert isinstance(diff, Diff), diff
    return plan_edits(diff, before.get)


def applied(plan: EditPlan, before: Tree) -> Tree:
    gone = {file.source if file.kind == "rename" else file.path for file in plan.files}
    written = {file.path: file.after for file in plan.files if file.after is not None}
    return {path: data for path, data in before.items() if path not in gone} | written


def result_of(text: str, before: Tree) -> Tree:
    plan = planned(text, before)
    if any(b"\r\n" in data for data in before.values()) and isinstance(plan, EditRefused):
        assume("fits its own result again" not in plan.why)  # Git tells lines apart by their endings
    assert isinstance(plan, EditPlan), plan
    return applied(plan, before)


@slow
@given(folders=changes(), context=st.sampled_from([1, 3, 10]), options=st.sampled_from(OPTIONS))
def test_a_diff_that_git_made_gives_what_git_saw(
    repository: Repository, folders: tuple[Tree, Tree], context: int, options: tuple[str, ...]
) -> None:
    before, after = folders
    assume(before != after)
    assert result_of(repository.diff(before, after, f"-U{context}", *options), before) == after


@slow
@given(folders=changes())
def test_also_fenced_between_prose(repository: Repository, folders: tuple[Tree, Tree]) -> None:
    before, after = folders
    assume(before != after)
    text = repository.diff(before, after)
    assert result_of(f"Here it is:\n\n```diff\n{text}```\n\n- done\n", before) == after


@slow
@given(folders=changes(is_plain=True), wrong=st.tuples(st.integers(0, 40), st.integers(0, 40)))
def test_wrong_counts_and_a_crlf_transport_change_nothing_or_are_refused(
    repository: Repository, folders: tuple[Tree, Tree], wrong: tuple[int, int]
) -> None:
    before, after = folders
    assume(before != after)
    text = repository.diff(before, after)
    counts = rf"@@ -\1,{wrong[0]} +\2,{wrong[1]} @@"
    mangled = re.sub(r"^@@ -(\d+)\S* \+(\d+)\S* @@", counts, text, flags=re.MULTILINE)
    for fenced in (f"```diff\n{mangled}```\n", f"```diff\n{mangled}```\n".replace("\n", "\r\n")):
        diff = parse_diff(fenced)
        plan = diff if isinstance(diff, EditRefused) else plan_edits(diff, before.get)
        if isinstance(plan, EditPlan):
            theirs = (repository.apply(before, mangled), repository.apply(before, fenced))
            assert applied(plan, before) in (after, *theirs)


@slow
@given(before=contents(), data=st.data())
def test_where_git_and_we_apply_a_diff_to_a_changed_file_the_bytes_are_the_same(
    repository: Repository, before: bytes, data: st.DataObject
) -> None:
    after = data.draw(edited(before))
    above = data.draw(contents(most=4))
    assume(before != after)
    changed = {"x": above + before if above.endswith(b"\n") else before}
    text = repository.diff({"x": before}, {"x": after})
    theirs = repository.apply(changed, text)
    plan = planned(text, changed)
    if isinstance(plan, EditRefused):
        assert theirs is None or any(reason in plan.why for reason in STRICTER), plan
    elif theirs is not None:
        assert applied(plan, changed) == theirs


@slow
@given(before=st.lists(st.sampled_from(["a", "b", "-- x", "++ y", ""]), max_size=20), data=st.data())
def test_a_diff_that_difflib_made(before: list[str], data: st.DataObject) -> None:
    after = data.draw(st.lists(st.sampled_from(["a", "b", "c", "-- x", "++ y", ""]), max_size=20))
    assume(before != after and before and after)
    old, new = ([line + "\n" for line in side] for side in (before, after))
    lines = difflib.unified_diff(old, new, "a/x", "b/x", "2025-01-01", "2025-01-02")
    files = {"x": "".join(line + "\n" for line in before).encode()}
    assert result_of("".join(lines), files) == {"x": "".join(line + "\n" for line in after).encode()}


@slow
@given(folders=changes(is_plain=True))
def test_git_makes_the_same_of_our_preview(repository: Repository, folders: tuple[Tree, Tree]) -> None:
    """What a person is shown is what will be written."""
    before, after = folders
    assume(before != after)
    plan = planned(repository.diff(before, after), before)
    assert isinstance(plan, EditPlan)
    assert repository.apply(before, preview_all(plan.files, before), "--whitespace=nowarn") == after


def test_modes_and_patches_by_mail(repository: Repository) -> None:
    folder = repository.folder
    repository.put({"run": b"#!/bin/sh\n", "x": b"1\n2\n3\n"})
    as_somebody = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    git(folder, "add", "-A")
    git(folder, *as_somebody, "commit", "-qm", "before")
    (folder / "x").write_bytes(b"1\nzwei\n3\n")
    git(folder, "add", "-A")
    git(folder, "update-index", "--chmod=+x", "run")
    git(folder, *as_somebody, "commit", "-qm", "- a list in the message\n\n+ and more")
    mail = git(folder, "format-patch", "--stdout", "-1").stdout.decode()
    assert "\n-- \n" in mail  # the signature that looks like a removed line
    plan = planned(mail, {"run": b"#!/bin/sh\n", "x": b"1\n2\n3\n"})
    assert isinstance(plan, EditPlan)
    assert [(file.path, file.mode_after, file.after) for file in plan.files] == [
        ("run", 0o755, b"#!/bin/sh\n"),
        ("x", None, b"1\nzwei\n3\n"),
    ]
