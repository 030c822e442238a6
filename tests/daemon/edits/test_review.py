"""What a run changed, looked for in the files as they are now, and the diff that takes it back."""

import tempfile
from difflib import unified_diff
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.daemon.hubs import ONE, make_session, open_hub

from bascule.core.diff.make.compare import hunks_between
from bascule.core.diff.make.compose import Composed, Edit, compose
from bascule.core.diff.show.unified import updated
from bascule.daemon.agents.roster import Roster
from bascule.daemon.edits import review
from bascule.daemon.edits.review import Reviews, RunChanges, fit_all, taking_back
from bascule.daemon.edits.workspace_observer import WorkspaceObserver
from bascule.host.edits.apply import apply_plan
from bascule.host.edits.journal import journals_in
from bascule.host.edits.planning import Planned, plan_diff
from bascule.host.processes.tasks import Tasks
from bascule.model.asks import Refuse
from bascule.model.blocks import FileChangeBlock
from bascule.model.edits import Applied
from bascule.model.ids import BlockId, RunId
from bascule.model.protocol.edits import ChosenFile
from bascule.model.session import Run

BEFORE = "".join(f"line {number}\n" for number in range(1, 41))
AFTER = BEFORE.replace("line 5\n", "five\n").replace("line 30\n", "")


def edit(before: str, after: str, path: str = "x", moved_to: str | None = None) -> Edit:
    hunks = hunks_between(before.encode(), after.encode())
    return Edit(path=path, change="update", hunks=hunks, moved_to=moved_to)


def whys(ws: Path, *edits: Edit) -> list[list[str]]:
    return [[fit.why for fit in fits] for fits in fit_all(str(ws), tuple(compose(edits)))]


def revert(ws: Path, *edits: Edit, files: tuple[ChosenFile, ...]) -> str:
    """Written, as after a yes; why not otherwise."""
    changes = RunChanges(workspace=str(ws), run=RunId("r"), files=tuple(compose(edits)), note="")
    reverting = taking_back(changes, files)
    if isinstance(reverting, Refuse):
        return reverting.why
    planned = plan_diff(ws, reverting.diff)
    if not isinstance(planned, Planned):
        return planned.why
    done = apply_plan(ws, planned.plan, confirmed=planned.plan.hash, journal_folder=ws.parent / "journals")
    assert isinstance(done, Applied), done
    return ""


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    folder.mkdir()
    (folder / "x").write_text(AFTER)
    return folder


X = ChosenFile(path="x")


def test_it_is_there_and_goes_back_to_the_byte(ws: Path) -> None:
    assert whys(ws, edit(BEFORE, AFTER)) == [["", ""]]
    assert revert(ws, edit(BEFORE, AFTER), files=(X,)) == ""
    assert (ws / "x").read_text() == BEFORE


def test_what_was_reverted_says_so_and_what_somebody_changed_does_not(ws: Path) -> None:
    changes = edit(BEFORE, AFTER)
    assert revert(ws, changes, files=(ChosenFile(path="x", hunks=(1,)),)) == ""
    assert [fit.is_reverted for fit in fit_all(str(ws), tuple(compose([changes])))[0]] == [True, False]
    assert whys(ws, changes) == [["already reverted", ""]]
    (ws / "x").write_text(AFTER.replace("five\n", "5\n"))
    (fits,) = fit_all(str(ws), tuple(compose([changes])))
    assert [(bool(fit.why), fit.is_reverted) for fit in fits] == [(True, False), (False, False)]


def test_the_run_is_named_where_nothing_of_it_is_left(ws: Path) -> None:
    (ws / "y").write_text("new\n")
    edits = (edit(BEFORE, AFTER), edit("old\n", "new\n", path="y"))
    changes = RunChanges(workspace=str(ws), run=RunId("r"), files=tuple(compose(edits)), note="")

    def left(*files: ChosenFile) -> str:
        reverting = taking_back(changes, files)
        assert not isinstance(reverting, Refuse)
        assert reverting.run == "r"
        return reverting.run if reverting.is_all else ""

    y = ChosenFile(path="y")
    assert (left(X), left(X, y)) == ("", "r")
    assert left(ChosenFile(path="x", hunks=(1,)), y) == ""
    assert revert(ws, *edits, files=(X,)) == ""
    assert left(y) == "r"  # the rest of it


def test_what_a_person_wrote_next_to_it_stays(ws: Path) -> None:
    mine = AFTER.replace("line 4\n", "mine\nmine too\n").replace("line 6\n", "")
    (ws / "x").write_text("top\n" + mine)
    assert whys(ws, edit(BEFORE, AFTER)) == [["", ""]]
    assert revert(ws, edit(BEFORE, AFTER), files=(ChosenFile(path="x", hunks=(1,)),)) == ""
    assert (ws / "x").read_text() == "top\n" + mine.replace("five\n", "line 5\n")


def test_what_was_changed_since_is_not_there_and_says_what_differs(ws: Path) -> None:
    (ws / "x").write_text(AFTER.replace("five\n", "FIVE\n"))
    ((first, second),) = whys(ws, edit(BEFORE, AFTER))
    assert (first, second) == ('line 5 should be "five", and is "FIVE".', "")
    assert 'x, hunk 1: line 5 should be "five"' in revert(ws, edit(BEFORE, AFTER), files=(X,))
    assert "five" not in (ws / "x").read_text()


def test_two_places_that_fit_are_refused_by_name(ws: Path) -> None:
    mine = AFTER.replace("line 4\n", "mine\n").replace("line 6\n", "mine too\n")
    (ws / "x").write_text("five\n" + mine)
    why = revert(ws, edit(BEFORE, AFTER), files=(ChosenFile(path="x", hunks=(1,)),))
    assert why.startswith("Edit refused: x, hunk 1: ")


def test_a_renamed_file_gets_its_name_back_or_only_its_lines(ws: Path) -> None:
    (ws / "x").rename(ws / "y")
    steps = edit(BEFORE, AFTER, moved_to="y")
    assert revert(ws, steps, files=(ChosenFile(path="x", hunks=(2,)),)) == ""
    assert (ws / "y").read_text() == BEFORE.replace("line 5\n", "five\n")
    (ws / "y").write_text(AFTER)
    assert revert(ws, steps, files=(X,)) == ""
    assert ((ws / "x").read_text(), (ws / "y").exists()) == (BEFORE, False)


def test_a_new_file_goes_unless_somebody_wrote_to_it(ws: Path) -> None:
    new = Edit(path="n", change="add", hunks=hunks_between(b"", b"new\n"))
    (ws / "n").write_text("new\nmine\n")
    assert "holds more than the diff shows" in revert(ws, new, files=(ChosenFile(path="n"),))
    assert "holds more than the diff shows" in whys(ws, new)[0][0]
    (ws / "n").write_text("new\n")
    assert revert(ws, new, files=(ChosenFile(path="n"),)) == ""
    assert not (ws / "n").exists()


def test_a_deleted_file_comes_back_unless_there_is_another(ws: Path) -> None:
    gone = Edit(path="gone", change="delete", hunks=hunks_between(b"a\nb", b""))
    assert revert(ws, gone, files=(ChosenFile(path="gone"),)) == ""
    assert (ws / "gone").read_bytes() == b"a\nb"
    assert "gone is already reverted" in revert(ws, gone, files=(ChosenFile(path="gone"),))


def test_nonsense_is_refused_by_name(ws: Path) -> None:
    steps = edit(BEFORE, AFTER)
    unknown = Edit(path="bin", change="update", unknown="it is a binary file")
    for files, why in (
        ((), "nothing is chosen"),
        ((ChosenFile(path="y"),), "y is not in this diff"),
        ((ChosenFile(path="x", hunks=(3,)),), "x has 2 hunks"),
        ((ChosenFile(path="x", hunks=()),), "nothing of it is chosen"),
        ((ChosenFile(path="bin"),), "bin cannot be reverted: it is a binary file"),
    ):
        assert why in revert(ws, steps, unknown, files=files)


def test_too_much_is_not_looked_for_and_says_so(ws: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "MAX_TRIED", 1)
    assert whys(ws, edit(BEFORE, AFTER)) == [[review.NOT_TRIED] * 2]


def test_what_is_too_long_for_one_answer_is_left_out_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(review, "MAX_SHOWN", 200)
    small, large = edit("a\n", "b\n", path="small"), edit("", "x\n" * 200, path="large")
    files = tuple(compose([large, small]))
    assert [one.file.path for one in review.within(files)] == ["small"]


def test_a_file_outside_is_shown_and_not_touched(ws: Path) -> None:
    outside = edit(BEFORE, AFTER, path="/etc/x")
    files: list[Composed] = compose([outside])
    assert [one.file.path for one in files] == ["/etc/x"]
    assert "absolute path" in whys(ws, outside)[0][0]


async def test_half_an_edit_is_put_back_before_the_files_are_looked_at(ws: Path, tmp_path: Path) -> None:
    """What another process left when it was killed: the first of two files was written."""
    (ws / "y").write_text("y\n")
    root = tmp_path / "data"
    reverting = taking_back(
        RunChanges(workspace=str(ws), run=RunId("r"), files=tuple(compose([edit(BEFORE, AFTER)])), note=""),
        (X,),
    )
    assert not isinstance(reverting, Refuse)
    planned = plan_diff(ws, reverting.diff)
    assert isinstance(planned, Planned)
    done = apply_plan(ws, planned.plan, confirmed=planned.plan.hash, journal_folder=journals_in(root))
    assert isinstance(done, Applied)
    (journals_in(root) / done.journal / "done").unlink()
    assert (ws / "x").read_text() == BEFORE

    lines = unified_diff(BEFORE.splitlines(keepends=True), AFTER.splitlines(keepends=True), "x", "x")
    hunks = "".join(list(lines)[2:])
    block = FileChangeBlock(id=BlockId("b"), run=RunId("r"), files=(updated("x", hunks),), status="completed")
    session = make_session(
        workspace=str(ws), runs=(Run(id=RunId("r"), outcome="completed"),), blocks=(block,)
    )
    with open_hub(tmp_path / "store.db") as hub:
        hub.add(session)
        roster = Roster(hub)
        observer = WorkspaceObserver(root=root, roster=roster, tasks=Tasks())
        reviews = Reviews(root=root, hub=hub, roster=roster, observer=observer)
        review = await reviews.review(ONE, "r")
    assert not isinstance(review, Refuse), review
    assert (ws / "x").read_text() == AFTER
    assert [hunk.there for file in review.files for hunk in file.hunks] == [True, True]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("alpha\nbeta\ngamma\n", "alpha\nbeta\n"),
        ("alpha\nbeta\ngamma\n", "beta\ngamma\n"),
        ("alpha\nbeta\ngamma\n", "beta\n"),
        ("x\nend\nend\nend\n", "x\nend\nend\n"),
        (
            "import os\n\ndef f():\n    return 1\n\ndef g():\n    return 2\n",
            "import os\n\ndef f():\n    return 1\n",
        ),
        ("a\n", "a\nb\n"),
        ("a\n", "b\na\n"),
    ],
)
def test_nothing_is_reverted_twice_at_an_edge_of_the_file(ws: Path, before: str, after: str) -> None:
    changes = edit(before, after)
    (ws / "x").write_text(after)
    assert revert(ws, changes, files=(X,)) == ""
    assert (ws / "x").read_text() == before
    assert revert(ws, changes, files=(X,)) != ""
    assert (ws / "x").read_text() == before


LINES = st.lists(st.sampled_from(["a\n", "b\n", "}\n", "\n"]), max_size=6).map("".join)


@settings(max_examples=3 * settings().max_examples, deadline=None)
@given(before=LINES, after=LINES)
def test_whatever_a_run_did_it_is_reverted_exactly_and_once_or_not_at_all(before: str, after: str) -> None:
    if before == after or not before or not after:
        return
    with tempfile.TemporaryDirectory() as folder:
        ws = Path(folder) / "ws"
        ws.mkdir()
        changes = edit(before, after)
        (ws / "x").write_text(after)
        if not revert(ws, changes, files=(X,)):
            assert (ws / "x").read_text() == before
        (ws / "x").write_text(before)
        assert revert(ws, changes, files=(X,)) != ""


PART = "def {}():\n    x = 1\n    y = 2\n    return x\n\n"
SERVER = "server {\n  listen 80;\n  root /srv;\n}\n"
TWICE = {
    "blank": PART.format("f") + PART.format("g"),
    "bracket": SERVER * 2,
    "repeated": "a\nb\nc\n" * 3,
    "alike": "begin\nstep\nend\n" * 2,
    "list": "{\n  0,\n  [\n  ]\n},\n" * 3,
}


@pytest.mark.parametrize("count", [1, 2])
@pytest.mark.parametrize("where", ["first", "last"])
@pytest.mark.parametrize("name", TWICE)
def test_a_line_removed_at_an_end_of_a_file_with_twins_goes_back_once(
    ws: Path, name: str, where: str, count: int
) -> None:
    before = TWICE[name]
    lines = before.splitlines(keepends=True)
    after = "".join(lines[count:] if where == "first" else lines[:-count])
    (ws / "x").write_text(after)
    assert revert(ws, edit(before, after), files=(X,)) == ""
    assert (ws / "x").read_text() == before
    assert revert(ws, edit(before, after), files=(X,)) == "Edit refused: x is already reverted."
    assert (ws / "x").read_text() == before


def test_a_line_removed_at_the_end_is_not_said_to_be_back_where_lines_were_added_above(ws: Path) -> None:
    before = TWICE["bracket"]
    after = before.removesuffix("}\n")
    (ws / "x").write_text("# mine\n" + after)
    assert "its lines are at line 2 and again at line 6" in revert(ws, edit(before, after), files=(X,))


@pytest.mark.parametrize("numbers", [(0, 0, 1, 1, 2), (0, 2), (0, 0, 2), (0, 1, 0, 2, 1)])
@pytest.mark.parametrize("cut", ["{\n  0,\n", "  0,\n"])
def test_what_is_back_in_its_place_is_not_reverted_where_the_runs_lines_stand_by_chance(
    ws: Path, numbers: tuple[int, ...], cut: str
) -> None:
    before = "".join(f"{{\n  {number},\n  [\n  ]\n}},\n" for number in numbers)
    after = before.replace(cut, "  2,\n", 1)
    (ws / "x").write_text(before)
    assert revert(ws, edit(before, after), files=(X,)) == "Edit refused: x is already reverted."
    (ws / "x").write_text(after)
    assert revert(ws, edit(before, after), files=(X,)) == ""
    assert (ws / "x").read_text() == before
