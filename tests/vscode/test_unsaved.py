"""Files with unsaved changes in a real VS Code: no plan is written over them, whichever way a yes comes."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import psutil
import pytest
from playwright.async_api import Locator, expect
from tests.e2e.live_app import left_over
from tests.e2e.mirror_surface import onlooker
from tests.vscode.editor import Editor, Home

from bascule.host.network.registration import find_daemon
from bascule.model.attachments import DiffAttachment

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

MODULE = "wordkit.py"
SETTLE_MS = 500  # for the first 400, a question that has just appeared takes no answer
REFUSED = f"Not applied: save or revert {MODULE} first."


async def test_a_diff_of_a_file_with_unsaved_changes_is_not_written(editor: Editor) -> None:
    on_disk = await prepare_diff(editor)
    await leave_unsaved(editor)
    await editor.chat.get_by_role("button", name="Apply Diff").click()
    await expect(editor.chat.get_by_text(REFUSED)).to_be_visible()
    await expect(editor.dialog).to_have_count(0)
    assert read_module(editor.home) == on_disk
    await revert(editor)


async def test_a_file_that_is_changed_while_the_question_waits_bars_the_yes_and_never_the_no(
    editor: Editor,
) -> None:
    on_disk = await prepare_diff(editor)
    await editor.chat.get_by_role("button", name="Apply Diff").click()
    await editor.dialog.get_by_role("button", name="Show Diff").click()
    await leave_unsaved(editor)
    await say_yes(editor)
    await expect(editor.chat.get_by_text(REFUSED)).to_be_visible()
    await answer(editor, "No").click()
    await expect(answer(editor, "No")).to_have_count(0)
    assert read_module(editor.home) == on_disk
    await revert(editor)


async def test_a_yes_to_a_question_that_the_extension_has_not_heard_of_waits_until_it_has(
    editor: Editor,
) -> None:
    """The page hears of it on a line of its own; the extension's is held up."""
    on_disk = await prepare_diff(editor)
    await leave_unsaved(editor)
    line = list_lines(editor.home)[0]
    line.suspend()
    try:
        async with applied_elsewhere(editor):
            await say_yes(editor)
            await expect(answer(editor, "Yes")).to_be_disabled()  # on its way
            assert read_module(editor.home) == on_disk
            line.resume()
            await expect(editor.chat.get_by_text(REFUSED)).to_be_visible()
            await answer(editor, "No").click()
            await expect(answer(editor, "No")).to_have_count(0)
    finally:
        line.resume()
    assert read_module(editor.home) == on_disk
    await revert(editor)


async def prepare_diff(editor: Editor) -> str:
    """The file, as it is on the disk."""
    await editor.new_session()
    await editor.say("/patch one more function")
    await expect(editor.chat.get_by_role("button", name="Apply Diff")).to_be_visible()
    return read_module(editor.home)


async def leave_unsaved(editor: Editor) -> None:
    await editor.open_file(MODULE)
    await editor.page.keyboard.press("Control+Home")
    await editor.page.keyboard.type("# not saved")
    await editor.show_bascule()


async def revert(editor: Editor) -> None:
    await editor.open_file(MODULE)
    await editor.run("File: Revert File")
    await editor.close_editors()


def read_module(home: Home) -> str:
    return (home.project / MODULE).read_text(encoding="utf-8")


def answer(editor: Editor, word: str) -> Locator:
    return editor.chat.locator(".asks-card").get_by_role("button", name=word).first


async def say_yes(editor: Editor) -> None:
    """One in the first moment answers nothing, and one before the end was in view shows the next page."""
    await expect(editor.chat.locator(".asks-card .diff-scroll").first).to_be_attached()
    is_read = False
    while not is_read:
        await editor.page.wait_for_timeout(SETTLE_MS)
        is_read = await editor.chat.get_by_role("button", name="more line").count() == 0
        await answer(editor, "Yes").click()


def list_lines(home: Home) -> list[psutil.Process]:
    """Of the editor to the daemon: the extension's own, and then those of its pages."""
    lines = [one for one in left_over() if is_line(one, str(home.root))]
    return sorted(lines, key=lambda one: one.create_time())


def is_line(process: psutil.Process, root: str) -> bool:
    with suppress(psutil.NoSuchProcess):
        return "runtime" in process.cmdline() and process.environ().get("HOME") == root
    return False


@asynccontextmanager
async def applied_elsewhere(editor: Editor) -> AsyncIterator[None]:
    """Another surface asks whether to write the diff of the session that is shown."""
    daemon = find_daemon(editor.home.data)
    assert daemon is not None
    session = await editor.chat.get_by_role("main").get_attribute("data-session")
    assert session is not None
    async with onlooker(daemon, "another") as other:
        seen = (await other.watch(session)).session()
        (diff,) = {
            one.diff_id
            for block in seen.blocks
            for one in block.attachments
            if isinstance(one, DiffAttachment)
        }
        asking = asyncio.ensure_future(other.call("edits.apply", diff_id=diff))  # noqa: TID251
        await expect(answer(editor, "Yes")).to_be_visible()
        yield
        assert (await asking).status == "rejected"
