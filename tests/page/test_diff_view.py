"""The diff view: both layouts, its files, its keys, all that a diff can say, and any size of it."""

import re

import pytest
from playwright.async_api import Locator, expect
from tests.page.session_blocks import tell
from tests.page.viewer import Viewer

from bascule.model.changes import DiffSet
from bascule.model.ids import SessionId
from bascule.model.session import LatestDiff

pytestmark = pytest.mark.asyncio(loop_scope="session")

CODE = """\
diff --git a/src/gate.py b/src/gate.py
--- a/src/gate.py
+++ b/src/gate.py
@@ -1,3 +1,3 @@ class Gate:
 import os
-limit = "two hundred"
+limit = "three hundred"
 # the end
@@ -40,3 +40,4 @@
 def late() -> None:
+    \"\"\"Late.\"\"\"
     return None
 # done
diff --git a/src/hall.py b/src/hall.py
new file mode 100644
--- /dev/null
+++ b/src/hall.py
@@ -0,0 +1,2 @@
+one = 1
+two = 2
diff --git a/docs/gone.md b/docs/gone.md
deleted file mode 100644
--- a/docs/gone.md
+++ /dev/null
@@ -1 +0,0 @@
-# Gone
"""
KINDS = """\
diff --git a/old name.txt b/new name.txt
similarity index 90%
rename from old name.txt
rename to new name.txt
--- a/old name.txt
+++ b/new name.txt
@@ -1,2 +1,2 @@
 kept
-before
+after
diff --git a/run.sh b/run.sh
old mode 100644
new mode 100755
diff --git a/logo.png b/logo.png
index 0123456..789abcd 100644
Binary files a/logo.png and b/logo.png differ
diff --git a/windows.txt b/windows.txt
--- a/windows.txt
+++ b/windows.txt
@@ -1,2 +1,2 @@
 stays\r
-line\r
+line
diff --git a/bare.txt b/bare.txt
--- a/bare.txt
+++ b/bare.txt
@@ -1 +1 @@
-ends with a newline
+ends without one
\\ No newline at end of file
"""
COLOUR = "(element) => getComputedStyle(element).color"
BIG = 6_000  # changed lines of each of two files


def make_big(path: str) -> str:
    lines = "".join(f"-old {n}\n+new {n}\n" for n in range(1, BIG + 1))
    return f"diff --git a/{path} b/{path}\n--- a/{path}\n+++ b/{path}\n@@ -1,{BIG} +1,{BIG} @@\n{lines}"


async def begin(viewer: Viewer, unified: str) -> SessionId:
    """A session whose agent has sent a diff; beside its log there is room for two sides."""
    await viewer.page.set_viewport_size({"width": 2200, "height": 800})
    session = await viewer.create()
    tell(viewer, session, DiffSet(LatestDiff(unified=unified, files=())))
    return session


async def open_latest(viewer: Viewer) -> Locator:
    await viewer.page.get_by_role("button", name="Open Latest Diff").click()
    return viewer.pane


async def show(viewer: Viewer, unified: str) -> Locator:
    await begin(viewer, unified)
    return await open_latest(viewer)


def button(place: Locator, name: str) -> Locator:
    return place.get_by_role("button", name=name, exact=True)


def row(diff: Locator, text: str) -> Locator:
    return diff.locator(".diff-row").filter(has_text=text)


def cursor(diff: Locator) -> Locator:
    return diff.locator(".diff-cursor")


async def test_the_latest_diff_opens_by_button_and_command_once_there_is_one(viewer: Viewer) -> None:
    session = await viewer.create()
    opener = viewer.page.get_by_role("button", name="Open Latest Diff")
    await expect(opener).to_be_disabled()
    await viewer.say("/diff")
    await expect(viewer.pane).to_have_count(0)

    tell(viewer, session, DiffSet(LatestDiff(unified=CODE, files=())))
    diff = await open_latest(viewer)
    await expect(diff).to_contain_text("3 files")
    await expect(diff).to_contain_text("+4 −2")
    await viewer.page.keyboard.press("Escape")
    await expect(diff).to_have_count(0)
    await expect(opener).to_be_focused()

    await viewer.say("/diff")
    await expect(row(diff, "three hundred")).to_be_visible()
    await viewer.page.keyboard.press("Escape")
    await expect(viewer.input).to_be_focused()
    assert viewer.live.see(session).runs == ()


async def test_the_layout_that_was_chosen_is_there_after_a_reload(viewer: Viewer) -> None:
    session = await begin(viewer, CODE)
    diff = await open_latest(viewer)
    await expect(button(diff, "Side by side")).to_have_attribute("aria-pressed", "true")
    halves = row(diff, "three hundred").locator(".diff-half")
    await expect(halves).to_have_text([re.compile("two hundred"), re.compile("three hundred")])

    await button(diff, "Unified").click()
    await expect(halves).to_have_count(0)
    await expect(diff.locator(".diff-line.diff-deleted").first).to_contain_text("two hundred")
    await viewer.page.reload()
    await expect(viewer.shown).to_have_attribute("data-session", session)
    diff = await open_latest(viewer)
    await expect(button(diff, "Unified")).to_have_attribute("aria-pressed", "true")
    await expect(row(diff, "three hundred").locator(".diff-number")).to_have_text(["", "2"])
    await button(diff, "Side by side").click()
    await expect(halves).to_have_count(2)


async def test_a_narrow_window_is_unified_whatever_was_chosen(viewer: Viewer) -> None:
    diff = await show(viewer, CODE)
    await expect(diff.locator(".diff-pair").first).to_be_visible()
    await viewer.page.set_viewport_size({"width": 500, "height": 800})
    await expect(diff.locator(".diff-line").first).to_be_visible()
    await expect(diff.locator(".diff-pair")).to_have_count(0)
    await expect(button(diff, "Side by side")).to_have_count(0)


async def test_files_are_listed_filtered_and_gone_to(viewer: Viewer) -> None:
    diff = await show(viewer, CODE + make_big("zoo/many.txt"))
    files = diff.get_by_role("navigation", name="Files")
    await expect(files.get_by_role("button")).to_have_text(
        [re.compile("gate.py"), re.compile("hall.py"), re.compile("gone.md"), re.compile("many.txt")]
    )
    await expect(files.locator(".diff-folder")).to_have_text(["src/", "docs/", "zoo/"])
    await files.get_by_role("searchbox", name="Filter files").fill("src HALL")
    await expect(files.get_by_role("button")).to_have_text([re.compile(r"hall\.py\+2$")])
    await files.get_by_role("searchbox").fill("nowhere")
    await expect(files).to_contain_text("No matching files.")

    await files.get_by_role("searchbox").fill("")
    await files.get_by_role("button", name="many.txt").click()
    await expect(row(diff, "new 1").first).to_be_in_viewport()
    await expect(files.get_by_role("button", name="many.txt")).to_have_attribute("aria-current", "true")
    await expect(row(diff, "import os")).to_have_count(0)

    await button(diff, "Files").click()
    await expect(files).to_have_count(0)
    await button(diff, "Collapse all").click()
    await expect(diff.locator(".diff-row")).to_have_count(4)
    await button(diff, "src/hall.py").click()
    await expect(row(diff, "two = 2")).to_be_visible()


async def test_all_of_it_can_be_walked_by_keys(viewer: Viewer) -> None:
    diff = await show(viewer, CODE)
    keys = viewer.page.keyboard
    await expect(diff.get_by_role("region", name="Line-by-line changes")).to_be_focused()
    for expected in ("three hundred", "Late.", "one = 1", "# Gone"):
        await keys.press("n")
        await expect(cursor(diff)).to_contain_text(expected)
    await keys.press("n")  # there is no other
    await expect(cursor(diff)).to_contain_text("# Gone")
    await keys.press("p")
    await expect(cursor(diff)).to_contain_text("one = 1")
    await keys.press("j")
    await expect(cursor(diff)).to_contain_text("two = 2")
    await expect(diff.locator("[aria-live]").last).to_have_text("added line 2: two = 2")
    await keys.press("k")
    await keys.press("k")
    await expect(cursor(diff)).to_contain_text("src/hall.py")
    await keys.press("]")
    await expect(cursor(diff)).to_contain_text("docs/gone.md")
    await keys.press("[")
    await keys.press("[")
    await expect(cursor(diff)).to_contain_text("src/gate.py")
    await keys.press("Enter")
    await expect(row(diff, "import os")).to_have_count(0)
    await keys.press("Enter")
    await expect(row(diff, "import os")).to_be_visible()

    await button(diff, "Next change (n)").click()
    await expect(cursor(diff)).to_contain_text("three hundred")
    await button(diff, "Unified").click()
    await expect(cursor(diff)).to_contain_text("three hundred")  # the same place in the other layout


async def test_keys_that_are_typed_into_the_filter_are_letters(viewer: Viewer) -> None:
    diff = await show(viewer, CODE)
    await diff.get_by_role("searchbox", name="Filter files").click()
    await viewer.page.keyboard.type("npjk")
    await expect(diff.get_by_role("searchbox")).to_have_value("npjk")
    await expect(cursor(diff)).to_have_count(0)


async def test_what_changed_within_a_line_stands_out_in_its_colours(viewer: Viewer) -> None:
    diff = await show(viewer, CODE)
    halves = row(diff, "three hundred").locator(".diff-half")
    await expect(halves.nth(0).locator(".diff-word")).to_have_text(["two"])
    await expect(halves.nth(1).locator(".diff-word")).to_have_text(["three"])
    await expect(row(diff, "import os").locator(".hljs-keyword").first).to_have_text("import")
    plain = await row(diff, "import os").locator("code").first.evaluate(COLOUR)
    assert await row(diff, "import os").locator(".hljs-keyword").first.evaluate(COLOUR) != plain


async def test_renames_modes_binaries_and_line_ends_are_shown(viewer: Viewer) -> None:
    diff = await show(viewer, KINDS)
    heads = diff.locator(".diff-file")
    await expect(heads.nth(0)).to_contain_text("old name.txt → new name.txt")
    await expect(heads.nth(0)).to_contain_text("renamed")
    await expect(diff).to_contain_text("Only the file mode changed: 100644 → 100755.")
    await expect(diff).to_contain_text("Binary file, content not shown.")
    crlf = diff.locator(".diff-pair").filter(has_text="line").first.locator(".diff-half")
    await expect(crlf.nth(0).locator(".diff-hidden")).to_have_text("\\r")
    await expect(crlf.nth(1).locator(".diff-hidden")).to_have_count(0)
    bare = row(diff, "ends without one").locator(".diff-half")
    await expect(bare.nth(1)).to_contain_text("no newline at end of file")
    await expect(bare.nth(0)).not_to_contain_text("no newline at end of file")


# Rows of that place and after it fill the window; how high each is, is measured on the way there.
FILLED = """(least) => {
  const window_ = document.querySelector(".diff-scroll").getBoundingClientRect();
  const rows = [...document.querySelectorAll(".diff-row")].filter((row) => {
    const { top, bottom } = row.getBoundingClientRect();
    return Number(row.dataset.index) >= least && bottom > window_.top && top < window_.bottom;
  });
  return rows.reduce((sum, row) => sum + row.offsetHeight, 0) >= window_.height - 40;
}"""


async def test_thousands_of_rows_scroll_and_only_some_are_made(viewer: Viewer) -> None:
    diff = await show(viewer, make_big("a.txt") + make_big("b.txt"))
    await expect(diff).to_contain_text(f"+{2 * BIG} −{2 * BIG}")
    region = diff.get_by_role("region", name="Line-by-line changes")
    await expect(row(diff, "new 1").first).to_be_in_viewport()
    await region.hover()
    await viewer.page.mouse.wheel(0, 40_000)
    await viewer.page.wait_for_function(FILLED, arg=1_500)
    await expect(row(diff, "new 2001").first).to_be_in_viewport()
    await viewer.page.keyboard.press("End")
    await expect(row(diff, f"new {BIG}").first).to_be_in_viewport()
    await expect(diff.get_by_role("button", name="b.txt").first).to_have_attribute("aria-current", "true")
    assert await diff.locator(".diff-row").count() < 200
    await viewer.page.keyboard.press("[")
    await expect(row(diff, "new 1").first).to_be_in_viewport()


async def test_what_is_no_diff_is_shown_as_it_is(viewer: Viewer) -> None:
    diff = await show(viewer, "Binary or not, <b>this</b> is no diff.\n")
    await expect(diff).to_contain_text("Binary or not, <b>this</b> is no diff.")
