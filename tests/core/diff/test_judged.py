"""Several hundred diffs, each put to the installed Git as well: what is written is what Git writes."""

import re
import shutil
from pathlib import Path

import pytest
from tests.core.diff.differences import DIFFERENCES, Difference
from tests.core.diff.judged import CASES, Case
from tests.core.diff.judged_moving import MOVING
from tests.core.diff.judged_placing import PLACING, ROOM, ROOMY, room_texts
from tests.core.diff.judged_reading import READING
from tests.core.diff.test_against_git import applied
from tests.core.diff.trees import Repository, Tree

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditPlan, EditRefused

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="Git is the judge")
GUIDE = Path(__file__).resolve().parents[3] / "docs" / "guide" / "diffs.md"


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("judge") / "repository")


def plan_of(case: Case) -> EditPlan | EditRefused:
    diff = parse_diff(case.text, case.strip)
    return diff if isinstance(diff, EditRefused) else plan_edits(diff, case.before.get)


def runnable(plan: EditPlan) -> set[str]:
    return {file.path for file in plan.files if (file.mode_after or 0) & 0o100}


ALL = [*CASES, *READING, *PLACING, *MOVING]


@pytest.mark.parametrize("case", ALL, ids=[case.name for case in ALL])
def test_as_git_or_refused(repository: Repository, case: Case) -> None:
    plan = plan_of(case)
    if case.wanted == "refused":
        assert isinstance(plan, EditRefused)
        return
    if case.wanted == "safe" and isinstance(plan, EditRefused):
        return
    options = () if case.strip is None else (f"-p{case.strip}",)
    assert isinstance(plan, EditPlan), plan
    assert applied(plan, case.before) == repository.apply(case.before, case.text, *options)
    assert runnable(plan) == repository.runnable()


@pytest.mark.parametrize("case", DIFFERENCES, ids=[f"{n} {one.name}" for n, one in enumerate(DIFFERENCES)])
def test_where_git_differs_on_purpose(repository: Repository, case: Difference) -> None:
    plan = plan_of(Case(case.name, case.before, case.text, "same"))
    assert isinstance(plan, EditPlan), plan
    assert applied(plan, case.before) == case.after
    assert repository.apply(case.before, case.text) != case.after


def test_a_change_of_the_last_newline_is_said_to_be_applied_already() -> None:
    again = [case for case in PLACING if " again " in case.name]
    assert again
    for case in again:
        plan = plan_of(case)
        assert isinstance(plan, EditRefused)
        assert "is already applied" in plan.why


@pytest.mark.parametrize("name", ROOM)
def test_what_its_result_has_room_for_again_is_written_once(name: str) -> None:
    for header, text in room_texts(name):
        assert isinstance(plan_of(Case(header, {"x": ROOMY}, text, "same")), EditPlan), header


def test_the_guide_lists_what_differs_on_purpose() -> None:
    """Nothing more, nothing less."""
    _, _, listed = GUIDE.read_text(encoding="utf-8").partition("**Where Bascule differs from `git apply`")
    items = re.findall(r"^- \*(.+?)\.\*", listed.partition("\n\n**")[0], re.MULTILINE)
    assert items == list(dict.fromkeys(one.name for one in DIFFERENCES))


def test_the_judge_can_fail(repository: Repository) -> None:
    """Git itself is asked: a tree that it does not make is another."""
    made: Tree | None = repository.apply({"x": b"1\n"}, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n")
    assert made == {"x": b"2\n"}
    assert repository.apply({"x": b"3\n"}, "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-1\n+2\n") is None
