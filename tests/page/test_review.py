"""Reviews in the page: hunks of a patch written after a yes, a run taken back in part, comments sent."""

import asyncio
import json
import os
import re
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.e2e.live_app import said
from tests.page.viewer import ServedPage, Viewer
from tests.patience import PATIENCE_S

from bascule.core.prompts.comments import BEFORE_THEM
from bascule.daemon.edits.edits import NOT_CONFIRMED
from bascule.demo.edit import make_diff
from bascule.demo.project import FILES, prepare_project
from bascule.model.ids import SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

MODULE = FILES["wordkit.py"]
EXPORTS = '__all__ = ["count", "longest", "slug", "words"]'
MORE_EXPORTS = '__all__ = ["count", "initials", "longest", "slug", "words"]'
NEW_FUNCTION = '''

def initials(text: str) -> str:
    """The first letter of each word."""
    return "".join(word[0] for word in words(text))
'''
AT = len((MODULE + NEW_FUNCTION).splitlines()) - 1  # of the line about what the function does
NEW_TEST = make_diff(MODULE).rpartition("@@\n")[2].replace("\n+", "\n").removeprefix("+")


@pytest_asyncio.fixture(loop_scope="session")
async def project(served: ServedPage, request: pytest.FixtureRequest) -> AsyncIterator[Path]:
    """A wordkit of this test alone."""
    folder = served.setup.project.parent / request.node.name
    prepare_project(folder, os.environ)
    yield folder


def button(place: Locator, name: str) -> Locator:
    return place.get_by_role("button", name=name, exact=True)


def messages(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("region", name="Messages")


def outcome(overlay: Locator) -> Locator:
    """What came of it."""
    return overlay.locator(".review-foot .review-told")


# The list measures its rows as they are drawn, and grows while it is scrolled.
TO_THE_END = """async (one) => {
  for (let frame = 0; frame < 5; frame++) {
    one.scrollTo(0, one.scrollHeight);
    await new Promise(requestAnimationFrame);
  }
  return one.closest(".review-pane").querySelector(".asks-more button") === null;
}"""


async def read_all(overlay: Locator) -> None:
    """To the end of what would be written: a yes before that is none."""
    diff = overlay.locator(".diff-scroll")
    await expect(diff).to_have_count(1)
    async with asyncio.timeout(PATIENCE_S):
        while not await diff.evaluate(TO_THE_END):
            pass


def files_of(project: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in project.iterdir() if path.is_file()}


# -- a diff that hangs on an answer --


async def ask_for_patch(viewer: Viewer, project: Path) -> tuple[SessionId, Locator]:
    session = await viewer.begin(project)
    await viewer.say("/patch one more function")
    attached = viewer.log.locator(".blocks-attachment-diff")
    await expect(attached).to_contain_text("wordkit.py")
    return session, attached


async def view_patch(viewer: Viewer, project: Path) -> Locator:
    _, attached = await ask_for_patch(viewer, project)
    log = viewer.page.get_by_role("log")
    await expect(log).to_contain_text("Done in")  # nothing moves under the pointer any more
    await button(attached, "View Diff").click()
    overlay = viewer.pane
    await expect(overlay).to_contain_text("3 of 3 hunks selected")
    return overlay


async def test_two_hunks_of_three_are_chosen_seen_written_and_undone(viewer: Viewer, project: Path) -> None:
    before = files_of(project)
    overlay = await view_patch(viewer, project)
    await overlay.get_by_role("checkbox", name="Select hunk 1 of wordkit.py").uncheck()
    await expect(overlay).to_contain_text("2 of 3 hunks selected")
    await expect(overlay).not_to_contain_text("plan ")  # a part is another plan, which the question names
    whole = overlay.get_by_role("checkbox", name="Select all of wordkit.py")
    assert await whole.evaluate("(tick) => tick.indeterminate")

    await button(overlay, "Resulting files").click()
    after = overlay.get_by_role("region", name="Content of wordkit.py")
    await expect(after).to_contain_text(EXPORTS)
    await expect(after).to_contain_text("def initials")
    await overlay.get_by_role("combobox", name="File").select_option("test_initials.py")
    after = overlay.get_by_role("region", name="Content of test_initials.py")
    await expect(after).to_contain_text("class InitialsTest")
    await button(overlay, "Before").click()
    await expect(overlay).to_contain_text("This file doesn't exist at this point.")
    await button(overlay, "Changes").click()
    await expect(overlay.get_by_role("checkbox", name="Select hunk 1 of wordkit.py")).not_to_be_checked()
    assert files_of(project) == before

    await button(overlay, "Apply selected…").click()
    question = overlay.get_by_role("region", name="Write these files?")
    await expect(question.get_by_role("listitem")).to_have_text(
        ["wordkit.py +5", f"test_initials.py +{len(NEW_TEST.splitlines())}"]
    )
    await expect(overlay).to_contain_text("Exactly this will be written:")
    assert files_of(project) == before
    await read_all(overlay)
    await button(question, "Yes, exactly this").click()
    await expect(messages(viewer)).to_contain_text("Written: 2 files, +13 −0")
    assert files_of(project) == {
        **before,
        "wordkit.py": (MODULE + NEW_FUNCTION).encode(),
        "test_initials.py": NEW_TEST.encode(),
    }
    await expect(button(overlay, "Apply selected…")).to_be_disabled()
    await expect(overlay).not_to_contain_text("Nothing is written")

    await button(overlay.locator(".review-foot"), "Undo").click()  # the click is the yes
    await expect(messages(viewer)).to_contain_text("Undone: 2 files")
    assert files_of(project) == before


async def test_a_no_is_shown_and_nothing_is_written(viewer: Viewer, project: Path) -> None:
    before = files_of(project)
    overlay = await view_patch(viewer, project)
    await viewer.page.set_viewport_size({"width": 1280, "height": 480})
    await button(overlay, "Apply…").click()
    question = overlay.get_by_role("region", name="Write these files?")
    await expect(question.get_by_role("button", name="more line")).to_be_visible()
    await button(question, "Yes, exactly this").click()  # the end of the diff was not in view
    await expect(question.get_by_role("status")).to_have_text(
        "Scroll down to read all of them before you answer."
    )
    await button(overlay, "No").click()
    await expect(outcome(overlay)).to_contain_text(f"Not written: {NOT_CONFIRMED}")
    assert files_of(project) == before
    await expect(button(overlay, "Apply…")).to_be_enabled()  # one may think again
    await button(overlay, "None").click()
    await expect(button(overlay, "Apply selected…")).to_be_disabled()
    await expect(overlay).to_contain_text("Select at least one hunk.")


async def test_a_file_that_changed_after_the_preview_is_not_written(viewer: Viewer, project: Path) -> None:
    overlay = await view_patch(viewer, project)
    await button(overlay, "Apply…").click()
    await expect(button(overlay, "Yes, exactly this")).to_be_visible()
    source = project / "wordkit.py"
    source.write_text(f"# mine\n{MODULE}", encoding="utf-8")
    before = files_of(project)
    await read_all(overlay)
    await button(overlay, "Yes, exactly this").click()
    await expect(outcome(overlay)).to_contain_text("wordkit.py changed since the preview")
    assert files_of(project) == before


async def now(viewer: Viewer) -> float:
    moment: float = await viewer.page.evaluate("performance.now()")
    return moment


async def test_the_same_question_over_the_log_is_the_same_yes(viewer: Viewer, project: Path) -> None:
    _, attached = await ask_for_patch(viewer, project)
    await button(attached, "Apply Diff").click()
    asks = viewer.page.get_by_role("region", name="Waiting for your answer")
    await expect(asks).to_contain_text("Write these files?")
    await expect(asks).to_contain_text("test_initials.py")
    assert not (project / "test_initials.py").exists()
    await expect(asks.locator(".diff-scroll")).to_be_visible()
    is_read = False
    while not is_read:
        # a yes in the first moment is not meant, and one before the end was in view shows the next page
        await viewer.page.wait_for_function("(at) => performance.now() > at + 500", arg=await now(viewer))
        is_read = await asks.get_by_role("button", name="more line").count() == 0
        await button(asks, "Yes, exactly this").click()
    await expect(asks).to_have_count(0)
    await expect(attached.get_by_role("status")).to_have_text("Applied")
    assert (project / "wordkit.py").read_text() == MODULE.replace(EXPORTS, MORE_EXPORTS) + NEW_FUNCTION
    assert (project / "test_initials.py").read_text() == NEW_TEST


async def test_where_a_setting_forbids_it_that_is_shown_and_nobody_is_asked(
    viewer: Viewer, project: Path
) -> None:
    (project / ".vscode").mkdir()
    (project / ".vscode" / "settings.json").write_text(json.dumps({"bascule.allowApplyPatch": False}))
    before = files_of(project)
    overlay = await view_patch(viewer, project)
    await button(overlay, "Apply…").click()
    await expect(outcome(overlay)).to_contain_text("Not written: bascule.allowApplyPatch is false")
    assert files_of(project) == before
    await button(overlay, "Open the setting").click()
    settings = viewer.page.get_by_role("dialog", name="Settings")
    await expect(settings.get_by_role("checkbox", name="Apply diffs")).to_be_focused()


# -- the review of a run --


async def open_review(viewer: Viewer) -> Locator:
    """By keyboard: a log that still moves takes the block away from under a mouse."""
    await button(viewer.block("user").last, "Review changes").press("Enter")
    await expect(viewer.pane.get_by_role("heading", name="Review")).to_be_visible()
    return viewer.pane


async def play_edit(viewer: Viewer, project: Path) -> tuple[SessionId, Locator]:
    """A run after which, and before which, the person edits the same file."""
    source = project / "wordkit.py"
    source.write_text(MODULE.replace("import re\n", "import re  # mine, before\n"), encoding="utf-8")
    session = await viewer.begin(project)
    await viewer.live.play(session, "demo:edit")
    source.write_text(
        source.read_text(encoding="utf-8").replace("def slug", "# mine, after\ndef slug"),
        encoding="utf-8",
    )
    return session, await open_review(viewer)


async def test_only_the_runs_own_hunks_are_shown_and_one_is_reverted_and_brought_back(
    viewer: Viewer, project: Path
) -> None:
    _, review = await play_edit(viewer, project)
    changed = review.locator(".diff-added, .diff-deleted")
    await expect(changed.filter(has_text="__all__")).to_have_count(2)
    await expect(changed.filter(has_text="mine")).to_have_count(0)
    await expect(viewer.page.get_by_role("dialog")).to_have_count(0)
    await expect(viewer.log).to_be_in_viewport()  # beside it, not under it
    before = (project / "wordkit.py").read_text()

    await button(review, "Revert hunk 2 of wordkit.py").click()
    question = review.get_by_role("region", name="Revert these changes?")
    await expect(question.get_by_role("listitem")).to_have_text(["wordkit.py −5"])
    await expect(question).to_be_focused()
    docked = viewer.page.get_by_role("region", name="Waiting for your answer")
    await expect(docked).to_have_count(0)  # asked once on one screen
    await expect(button(question, "Yes, exactly this")).to_be_enabled()
    await viewer.page.keyboard.press("y")
    await expect(messages(viewer)).to_contain_text("Reverted: 1 file, +0 −5")
    mine = MODULE.replace("import re\n", "import re  # mine, before\n").replace(
        "def slug", "# mine, after\ndef slug"
    )
    assert (project / "wordkit.py").read_text() == mine.replace(EXPORTS, MORE_EXPORTS)
    assert (project / "test_initials.py").read_text() == NEW_TEST
    hunk = review.locator(".diff-hunk").nth(1)
    await expect(hunk.locator(".diff-mark")).to_have_text("reverted")  # no conflict
    await expect(button(review, "Revert hunk 2 of wordkit.py")).to_have_count(0)
    await expect(button(review, "Revert hunk 1 of wordkit.py")).to_be_enabled()

    await expect(viewer.log.locator(".blocks-end-words").last).to_contain_text("partly reverted")
    await button(messages(viewer), "Undo").click()  # the click is the yes
    await expect(messages(viewer)).to_contain_text("Undone: 1 file")
    await expect(viewer.log.locator(".blocks-end-words").last).not_to_contain_text("reverted")
    assert (project / "wordkit.py").read_text() == before
    await expect(button(review, "Revert hunk 2 of wordkit.py")).to_be_enabled()


async def test_a_new_file_is_shown_in_one_column_and_reverted_whole(viewer: Viewer, project: Path) -> None:
    await viewer.page.set_viewport_size({"width": 2000, "height": 900})  # room for two columns
    _, review = await play_edit(viewer, project)
    await expect(review.locator(".diff-pair").first).to_be_visible()
    new = review.locator(".diff-row").filter(has_text="class InitialsTest")
    await expect(new.locator(".diff-line")).to_have_count(1)
    await expect(new.locator(".diff-half")).to_have_count(0)
    await button(review, "Revert test_initials.py").click()
    await button(review, "Yes, exactly this").click()
    await expect(review.locator(".diff-file").first).to_contain_text("reverted")
    assert not (project / "test_initials.py").exists()


async def test_a_file_is_looked_at_over_the_review_which_stays(viewer: Viewer, project: Path) -> None:
    _, review = await play_edit(viewer, project)
    opener = button(review, "Open wordkit.py")
    await opener.click()
    file = viewer.page.get_by_role("dialog", name="wordkit.py")
    await expect(file).to_contain_text("mine, after")
    await button(file.get_by_role("navigation", name="Path"), "workspace").click()
    folder = viewer.page.get_by_role("dialog", name="Folder")
    await folder.get_by_role("button", name="README.md").click()
    await expect(viewer.page.get_by_role("dialog", name="README.md")).to_be_visible()
    await viewer.page.keyboard.press("Escape")
    await expect(viewer.page.get_by_role("dialog")).to_have_count(0)  # however many files were looked at
    await expect(opener).to_be_focused()
    await viewer.page.keyboard.press("Escape")
    await expect(review).to_have_count(0)
    await expect(button(viewer.block("user").last, "Review changes")).to_be_focused()


async def test_on_a_phone_the_review_covers_the_log_and_has_a_way_back(viewer: Viewer, project: Path) -> None:
    _, review = await play_edit(viewer, project)
    await viewer.page.set_viewport_size({"width": 390, "height": 844})
    box = await review.bounding_box()
    assert box == {"x": 0, "y": 0, "width": 390, "height": 844}
    await button(review, "Revert hunk 1 of wordkit.py").click()
    yes = button(review, "Yes, exactly this")
    await expect(yes).to_be_in_viewport()  # the question is where the hand is
    await button(review, "No").click()
    await expect(outcome(review)).to_contain_text("Not written")
    await button(review, "Back").click()
    await expect(review).to_have_count(0)
    await expect(viewer.log).to_be_in_viewport()


async def test_the_pane_is_as_wide_as_it_was_made_and_goes_with_its_session(
    viewer: Viewer, project: Path
) -> None:
    other = await viewer.live.begin(project)
    _, review = await play_edit(viewer, project)
    edge = review.get_by_role("separator", name="Width of the pane")
    before = await review.bounding_box()
    await edge.focus()
    await viewer.page.keyboard.press("ArrowRight")
    await expect(edge).to_have_attribute("aria-valuenow", "42")
    after = await review.bounding_box()
    assert before is not None
    assert after is not None
    assert after["width"] < before["width"]
    await viewer.show(other)
    await expect(review).to_have_count(0)


async def test_what_a_command_wrote_is_shown_as_such(viewer: Viewer, project: Path) -> None:
    session = await viewer.begin(project)
    await viewer.live.play(session, "demo:rewrite")
    await expect(viewer.log.locator(".blocks-end")).to_contain_text("1 file")
    review = await open_review(viewer)
    await expect(review.locator(".diff-file")).to_contain_text("README.md")
    await expect(review.locator(".diff-mark")).to_have_text("by a command")
    await expect(review.locator(".diff-more")).to_contain_text("your changes are included")
    await expect(review.locator(".diff-added")).to_contain_text("A command wrote this line.")


async def test_earlier_runs_can_be_chosen_and_one_without_changes_says_so(
    viewer: Viewer, project: Path
) -> None:
    session = await viewer.begin(project)
    await viewer.live.play(session, "demo:edit")
    await viewer.live.play(session, "demo:text")
    review = await open_review(viewer)
    await expect(review).to_contain_text("This run changed no files.")
    runs = review.get_by_role("combobox", name="Run")
    await runs.select_option(index=1)
    await expect(review.locator(".diff-file")).to_contain_text(["test_initials.py", "wordkit.py"])
    await viewer.page.keyboard.press("Escape")
    await expect(review).to_have_count(0)


async def test_a_comment_on_a_line_is_the_agents_next_prompt(viewer: Viewer, project: Path) -> None:
    session, review = await play_edit(viewer, project)
    await expect(review.locator(".diff-row").first).to_be_visible()
    await viewer.page.keyboard.press("n")
    await viewer.page.keyboard.press("c")
    await viewer.page.keyboard.type("demo:text, and sort @nobody")
    await viewer.page.keyboard.press("Escape")
    await viewer.page.keyboard.press("n")  # the diff has its keys again
    await expect(review.locator(".diff-cursor")).to_contain_text("__all__")
    added = review.locator(".diff-line").filter(has_text="The first letter of each word.")
    await added.hover()
    await added.get_by_role("button", name=re.compile("Comment on line")).click()
    await viewer.page.keyboard.type("Which words?")
    await expect(review).to_contain_text("Comments (2)")

    await viewer.page.reload()
    review = await open_review(viewer)
    await expect(review).to_contain_text("Comments (2)")
    first = review.get_by_role("textbox", name="Message before the comments")
    await first.fill("/new is no word for an agent")
    await button(review, "Send to agent").click()
    await expect(outcome(review)).to_contain_text("a slash command is typed by itself")
    await expect(review).to_contain_text("Comments (2)")
    await first.fill("Nearly there")
    await button(review, "Send to agent").click()
    await expect(review).not_to_contain_text("Comments (")
    await viewer.page.keyboard.press("Escape")
    prompt = viewer.block("user").last
    await expect(prompt).to_contain_text("Nearly there")
    await expect(prompt).to_contain_text("demo:text, and sort @nobody")
    seen = await viewer.live.until_idle(session)
    assert said(seen)[-1] == (
        "Nearly there\n\n"
        f"{BEFORE_THEM}\n\n"
        "`test_initials.py`, line 1:\n> import unittest\n\ndemo:text, and sort @nobody\n\n"
        f'`wordkit.py`, line {AT}:\n> """The first letter of each word."""\n\nWhich words?'
    )
    await viewer.page.reload()
    review = await open_review(viewer)
    await expect(review).to_contain_text("This run changed no files.")
