"""Changes: files with their diffs, the latest diff, and a diff that is viewed, asked for and written."""

import re

import pytest
from msgspec.structs import replace
from playwright.async_api import Locator, expect
from tests.agents.codex.listening import Listener
from tests.e2e.live_app import accept
from tests.page.session_blocks import answer, at, begin_tall, hear, put, summary_of, tell
from tests.page.viewer import Viewer

from bascule.model.blocks import AssistantBlock, FileChangeBlock, FileEdit
from bascule.model.changes import BlockPut, DiffSet, TextGrew, UsageSet
from bascule.model.ids import BlockId, SessionId
from bascule.model.session import LatestDiff, Session, Usage

pytestmark = pytest.mark.asyncio(loop_scope="session")

HUNK = "@@ -1,2 +1,2 @@\n # wordkit\n-old\n+new\n"
UNIFIED = f"diff --git a/README.md b/README.md\n--- a/README.md\n+++ b/README.md\n{HUNK}"


def file_row(block: Locator, path: str) -> Locator:
    return block.locator("li", has=block.page.get_by_text(path, exact=True))


def diff_of(place: Locator) -> Locator:
    return place.get_by_role("region", name="Line-by-line changes")


async def test_an_edit_lists_its_files_each_with_its_own_diff(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    latest = viewer.page.get_by_role("button", name="Open Latest Diff")
    await expect(latest).to_be_disabled()
    seen = await viewer.live.play(session, "demo:edit")
    (change,) = [block for block in seen.blocks if isinstance(block, FileChangeBlock)]
    added = next(file for file in change.files if file.change == "add")
    changes = viewer.block("fileChange")
    counts = f"+{sum(file.additions for file in change.files)}"
    await expect(summary_of(changes)).to_contain_text("Edited 2 files")
    await expect(summary_of(changes)).to_contain_text(counts)
    await expect(changes.get_by_role("listitem")).to_have_count(2)
    await summary_of(changes).click()
    await expect(changes.get_by_role("listitem")).to_have_count(0)
    await summary_of(changes).click()
    wordkit, new = file_row(changes, "wordkit.py"), file_row(changes, added.path)
    await expect(summary_of(new)).to_contain_text("new")
    await expect(summary_of(new)).to_contain_text(f"+{added.additions}")
    await expect(summary_of(new).locator(".frame-bar-added")).not_to_have_count(0)
    await expect(diff_of(changes)).to_have_count(0)
    await summary_of(wordkit).click()
    await expect(diff_of(wordkit)).to_contain_text("__all__")
    await expect(diff_of(wordkit).locator(".diff-added").first).to_be_visible()
    await expect(diff_of(changes)).to_have_count(1)  # of this file alone
    await summary_of(new).click()
    await expect(diff_of(new)).to_contain_text("import unittest")

    await expect(latest).to_be_enabled()
    await latest.click()
    dialog = viewer.pane
    await expect(diff_of(dialog)).to_contain_text("wordkit.py")
    await expect(diff_of(dialog)).to_contain_text(added.path)
    await viewer.page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await changes.get_by_role("button", name="Open in diff view").click()
    await expect(diff_of(dialog)).to_contain_text("__all__")


async def test_an_opened_diff_stays_under_its_reader_while_the_work_goes_on(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    added = "".join(f"+line {number}\n" for number in range(60))
    diff = f"@@ -0,0 +1,60 @@\n{added}"
    edit = FileEdit(path="earlier.py", change="add", diff=diff, additions=60)
    latest = FileEdit(path="latest.py", change="add", diff=diff, additions=60)
    block = FileChangeBlock(
        id=BlockId("c"), files=(edit, FileEdit(path="latest.py", change="add")), has_diff=True
    )
    tell(viewer, session, DiffSet(LatestDiff(unified="", files=(latest,))), BlockPut(block))
    for name in ("earlier.py", "latest.py"):
        row = file_row(at(viewer, "c"), name)
        await summary_of(row).click()
        line = diff_of(row).get_by_text("line 7", exact=True)
        await expect(line.locator("span").first).to_be_visible()  # its colours have come
        await line.dblclick()
        tell(
            viewer,
            session,
            UsageSet(Usage(context_used=1)),
            BlockPut(replace(block, files=(replace(edit, additions=60), block.files[1]))),
            TextGrew(block.id, "detail", f"{name} is written"),
        )
        await expect(at(viewer, "c")).to_contain_text(f"{name} is written")
        assert await viewer.page.evaluate("getSelection().toString()") == "line", name


async def test_a_deleted_line_that_looks_like_a_header_is_none(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    files = (
        FileEdit(path="a.py", change="update", diff=HUNK, additions=1, deletions=1),
        FileEdit(
            path="b.lua", change="update", diff="@@ -1 +1 @@\n--- old\n+-- new\n", additions=1, deletions=1
        ),
    )
    put(viewer, session, FileChangeBlock(id=BlockId("c"), files=files, status="completed"))
    await at(viewer, "c").get_by_role("button", name="Open in diff view").click()
    dialog = viewer.pane
    await expect(diff_of(dialog).get_by_role("button", expanded=True)).to_have_text(
        [re.compile("a.py$"), re.compile("b.lua$")]
    )


@pytest.mark.parametrize("key", ["Control", "Meta"])
async def test_a_click_with_control_or_command_opens_the_file(viewer: Viewer, key: str) -> None:
    session = await begin_tall(viewer)
    files = (
        FileEdit(path="wordkit.py", change="update", diff=HUNK, additions=1, deletions=1),
        FileEdit(path="README.md", change="update"),  # without a diff
        FileEdit(path="gone.py", change="delete", diff=HUNK, deletions=1),
    )
    put(viewer, session, FileChangeBlock(id=BlockId("c"), files=files, status="completed"))
    for path, text in (("wordkit.py", "Small functions about words."), ("README.md", "A few functions")):
        name = file_row(at(viewer, "c"), path).get_by_text(path, exact=True)
        await name.click(modifiers=[key])  # type: ignore[list-item]
        dialog = viewer.page.get_by_role("dialog", name=path)
        await expect(dialog.get_by_text(text)).to_be_visible()
        await viewer.page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)
    await expect(diff_of(at(viewer, "c"))).to_have_count(0)  # it neither opens nor closes the diff

    await at(viewer, "c").get_by_role("button", name="Open README.md").press("Enter")
    await expect(viewer.page.get_by_role("dialog", name="README.md")).to_be_visible()
    await viewer.page.keyboard.press("Escape")
    await expect(at(viewer, "c").get_by_role("button", name="Open gone.py")).to_have_count(0)


async def test_what_applying_said_is_shown_and_both_wires_are_one_block(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    wire = Listener()
    wire.tell_agent("thread/started", thread={"id": "t", "cwd": "/w"})
    wire.begin()
    changes = {"/w/a.txt": {"type": "update", "unified_diff": HUNK, "move_path": None}}
    v2 = [{"path": "/w/a.txt", "kind": {"type": "update", "move_path": None}, "diff": HUNK}]
    wire.item("fileChange", done=False, id="f", changes=v2, status="inProgress")
    wire.tell_legacy("patch_apply_begin", call_id="legacy", auto_approved=True, changes=changes)
    said = {"stdout": "Success.\n", "stderr": "warning: \x1b[33mtabs\x1b[0m\n"}
    wire.tell_legacy("patch_apply_end", call_id="legacy", success=True, changes=changes, **said)
    hear(viewer, session, wire)
    block = viewer.block("fileChange")
    await expect(block).to_have_count(1)
    detail = block.get_by_role("group", name="Output from applying")
    await expect(detail).to_contain_text("Success.")
    await expect(detail).to_contain_text("warning: tabs")
    await expect(viewer.block("system")).to_have_count(0)


async def test_a_new_latest_diff_gives_the_files_their_diffs_anew(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    wire = Listener()
    wire.tell_agent("thread/started", thread={"id": "t", "cwd": "/w"})
    wire.begin()
    v2 = [{"path": "/w/README.md", "kind": {"type": "update", "move_path": None}, "diff": ""}]
    wire.item("fileChange", id="f", changes=v2, status="completed")
    hear(viewer, session, wire)
    row = file_row(at(viewer, "f"), "README.md")
    await expect(row.locator("details")).to_have_count(0)

    wire.tell("turn/diff/updated", turnId="r", diff=UNIFIED)
    hear(viewer, session, wire)
    await summary_of(row).click()
    await expect(diff_of(row)).to_contain_text("new")
    wire.tell_legacy("turn_diff", unified_diff=UNIFIED.replace("+new", "+newer still"))
    hear(viewer, session, wire)
    await expect(diff_of(row)).to_contain_text("newer still")
    await expect(row.locator("details")).to_have_attribute("open", "")
    await viewer.page.get_by_role("button", name="Open Latest Diff").click()
    await expect(diff_of(viewer.pane)).to_contain_text("newer still")


async def test_the_latest_diff_is_of_the_session_that_is_shown(viewer: Viewer) -> None:
    other = await viewer.live.begin()
    session = await begin_tall(viewer)
    latest = viewer.page.get_by_role("button", name="Open Latest Diff")
    await viewer.live.play(session, "demo:edit")
    await expect(latest).to_be_enabled()
    await viewer.show(other)
    await expect(latest).to_be_disabled()
    await viewer.show(session)
    await expect(latest).to_be_enabled()


async def patch(viewer: Viewer) -> tuple[SessionId, Locator]:
    """Asks for a patch over the page and gives what hangs on its answer."""
    session = await begin_tall(viewer)
    await viewer.say("/patch one more function")
    hung = viewer.log.locator(".blocks-attachment-diff")
    await expect(hung).to_be_visible()
    await viewer.live.until_idle(session)
    return session, hung


def new_function(viewer: Viewer, seen: Session) -> str:
    """The name of the function that the diff would add."""
    text = "".join(block.text for block in seen.blocks if isinstance(block, AssistantBlock))
    names = re.findall(r"^\+def (\w+)\(text", text, re.MULTILINE)
    assert names
    assert f"def {names[-1]}(" not in (viewer.setup.project / "wordkit.py").read_text()
    return str(names[-1])


async def test_a_patch_is_applied_from_the_block_after_a_yes_to_its_ask(viewer: Viewer) -> None:
    session, hung = await patch(viewer)
    name = new_function(viewer, viewer.live.see(session))
    module, test = viewer.setup.project / "wordkit.py", viewer.setup.project / f"test_{name}.py"
    before = module.read_bytes()
    await expect(hung.get_by_role("listitem")).to_contain_text(["wordkit.py", f"test_{name}.py"])

    await hung.get_by_role("button", name="Apply").click()
    await expect(hung.get_by_role("button", name="Waiting for your approval")).to_be_disabled()
    ask = viewer.page.get_by_role("region", name="Waiting for your answer").get_by_role("article")
    await expect(ask).to_contain_text("wordkit.py")
    assert (module.read_bytes(), test.exists()) == (before, False), "nothing is written before the yes"
    await answer(ask, "No")
    messages = viewer.page.get_by_role("region", name="Messages")
    await expect(messages).to_contain_text("Nothing was written")
    await expect(hung.get_by_role("button", name="Apply")).to_be_enabled()
    assert (module.read_bytes(), test.exists()) == (before, False), "a no writes nothing"

    await hung.get_by_role("button", name="Apply").click()
    await answer(ask, "Yes, exactly this")
    await expect(hung.get_by_role("status")).to_have_text("Applied")
    await expect(hung.get_by_role("button")).to_have_text(["View Diff", "Undo…"])
    assert f"def {name}(".encode() in module.read_bytes()
    assert test.exists()
    await expect(ask).to_have_count(0)

    await viewer.page.reload()  # the log itself tells that it was applied
    await hung.get_by_role("button", name="View Diff").click()
    await expect(viewer.pane.get_by_role("status").filter(has_text="Applied")).to_be_visible()
    await expect(viewer.pane.get_by_role("checkbox")).to_have_count(0)
    await expect(viewer.pane.get_by_role("button", name="Apply")).to_have_count(0)
    await viewer.pane.get_by_role("button", name="Close").click()
    await hung.get_by_role("button", name="Undo…").click()
    await expect(ask).to_contain_text("Undo this edit?")
    await answer(ask, "Yes, exactly this")
    await expect(hung.get_by_role("button", name="Apply Diff")).to_be_enabled()
    assert (module.read_bytes(), test.exists()) == (before, False)


async def test_a_patch_is_viewed_chosen_from_and_written_in_the_view(viewer: Viewer) -> None:
    session, hung = await patch(viewer)
    name = new_function(viewer, viewer.live.see(session))
    module, test = viewer.setup.project / "wordkit.py", viewer.setup.project / f"test_{name}.py"
    before = module.read_bytes()
    await hung.get_by_role("button", name="View").click()
    dialog = viewer.pane
    await expect(diff_of(dialog)).to_contain_text(f"def {name}")
    await dialog.get_by_role("checkbox", name="Select all of wordkit.py").click()  # leaves it
    await dialog.get_by_role("button", name="Apply selected…").click()
    ask = dialog.get_by_role("region", name="Write these files?")
    await expect(ask.get_by_role("listitem")).to_have_text([re.compile(rf"^test_{name}\.py")])
    await ask.get_by_role("button", name="Yes, exactly this").click()
    await expect(viewer.page.get_by_role("region", name="Messages")).to_contain_text("Written: 1 file")
    await expect(hung.get_by_role("status")).to_have_text("Applied in part")
    assert (module.read_bytes(), test.exists()) == (before, True)
    test.unlink()


async def test_the_changes_of_a_run_are_reviewed_from_its_prompt(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    await viewer.live.play(session, "demo:edit")
    await viewer.live.play(session, "demo:text")
    first, second = viewer.block("user").nth(0), viewer.block("user").nth(1)
    await first.hover()
    await first.get_by_role("button", name="Review changes").click()
    dialog = viewer.pane
    await expect(diff_of(dialog)).to_contain_text("__all__")
    await viewer.page.keyboard.press("Escape")
    await expect(dialog).to_have_count(0)
    await second.get_by_role("button", name="Review changes").press("Enter")
    await expect(dialog).to_contain_text("This run changed no files.")


async def test_a_prompt_is_forked_from(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    for text in ("demo:search one", "demo:search two"):
        await viewer.live.play(session, text, accept)
    first = viewer.block("user").first
    await first.hover()
    await first.get_by_role("button", name="Fork from here").click()
    await expect(viewer.shown).not_to_have_attribute("data-session", session)
    await expect(viewer.block("user")).to_have_count(1)
    await expect(viewer.block("user")).to_contain_text("demo:search one")
    await viewer.show(session)
    await expect(viewer.block("user")).to_have_count(2)
