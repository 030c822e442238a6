"""A plan as surfaces are shown it."""

from pathlib import Path

from bascule.core.diff.read.parse import parse_diff
from bascule.daemon.edits.prepared_plans import Ready, as_edits, as_prepared, as_viewed, make_ready
from bascule.host.edits.planning import plan_diff
from bascule.model.edits import Diff
from bascule.model.protocol.edits import ViewedFile

DIFF = """\
diff --git a/old b/new
rename from old
rename to new
--- a/old
+++ b/new
@@ -1 +1 @@
-a
+b
"""


def ready_in(folder: Path) -> Ready:
    (folder / "old").write_bytes(b"a\n")
    diff = parse_diff(DIFF)
    assert isinstance(diff, Diff)
    ready = make_ready(lambda: plan_diff(folder, diff))
    assert isinstance(ready, Ready)
    return ready


def test_it_is_shown_everywhere_as_it_was_made_ready(tmp_path: Path) -> None:
    ready = ready_in(tmp_path)
    assert as_prepared("diff_1", ready).preview == DIFF
    assert as_viewed("diff_1", ready).files == (ViewedFile(path="new", before="a\n", after="b\n"),)
    (edit,) = as_edits(ready)
    assert (edit.path, edit.moved_to, edit.change, edit.diff) == ("old", "new", "update", DIFF)


def test_its_size_is_all_that_is_kept_of_it(tmp_path: Path) -> None:
    shown = 2 * len(DIFF)  # as text, and as hunks
    assert ready_in(tmp_path).size == len(b"a\n") + len(b"b\n") + shown
