"""Several hundred diffs, each put to the installed Git as well: what is written is what Git writes."""

import shutil

import pytest
from tests.core.diff.judged import CASES, Case
from tests.core.diff.test_against_git import applied
from tests.core.diff.trees import Repository, Tree

from bascule.core.diff.plan.edit_plan import plan_edits
from bascule.core.diff.read.parse import parse_diff
from bascule.model.edits import EditPlan, EditRefused

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="Git is the judge")


@pytest.fixture(scope="module")
def repository(tmp_path_factory: pytest.TempPathFactory) -> Repository:
    return Repository(tmp_path_factory.mktemp("judge") / "repository")


def result_of(case: Case) -> Tree | EditRefused:
    diff = parse_diff(case.text, case.strip)
    plan = diff if isinstance(diff, EditRefused) else plan_edits(diff, case.before.get)
    return applied(plan, case.before) if isinstance(plan, EditPlan) else plan


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_as_git_or_refused(repository: Repository, case: Case) -> None:
    ours = result_of(case)
    if case.wanted == "refused":
        assert isinstance(ours, EditRefused)
        return
    if case.wanted == "safe" and isinstance(ours, EditRefused):
        return
    options = () if case.strip is None else (f"-p{case.strip}",)
    assert ours == repository.apply(case.before, case.text, *options)
