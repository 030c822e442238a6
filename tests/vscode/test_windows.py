"""Windows of their own in a real VS Code: two folders, a link, no chat view, a chat not shown yet."""

import json

import pytest
from playwright.async_api import Locator, expect
from tests.e2e.mirror_surface import onlooker
from tests.vscode.conftest import OpenWindow
from tests.vscode.editor import Editor, Home

from bascule.host.network.registration import find_daemon

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

MODULE = "wordkit.py"


async def test_a_window_whose_chat_was_not_shown_yet(window: OpenWindow) -> None:
    async with window() as editor:
        await editor.open_file(MODULE)
        await editor.select_lines(2)
        await editor.run("Bascule: Add Selection to Prompt")
        await expect(editor.input).to_have_value(f"@{MODULE}#L1-L2")

        await editor.run("Bascule: Open in Browser")  # which this editor does through a proxy
        notice = editor.notice("Open the link in a browser on the machine that Bascule runs on.")
        await expect(notice.get_by_role("button", name="Copy Link")).to_be_visible()
        assert len(editor.page.context.pages) == 1

        await rename_elsewhere(editor, "$(error) a\u202egnp.exe")
        plain = "$ (error) a<U+202E>gnp.exe"  # no icon, and nothing turned around
        await expect(editor.tree.get_by_role("treeitem", name=plain)).to_be_visible()
        await editor.run("Bascule: Open in Editor")
        await expect(editor.page.get_by_role("tab", name=plain)).to_be_visible()
        await expect(editor.tab.get_by_role("main")).to_be_visible()  # before, it would swallow keys
        await editor.run("Bascule: Sessions…")
        rows = editor.page.locator(".quick-input-list .monaco-list-row", has_text=plain)
        await expect(rows).to_have_count(1)


async def test_a_setting_that_only_a_folder_can_have_is_not_ignored_in_silence(window: OpenWindow) -> None:
    async with window(bascule__allowApplyPatch=False) as editor:
        await editor.show_bascule()
        notice = editor.notice("No effect in user settings or a workspace file: bascule.allowApplyPatch.")
        await notice.get_by_role("button", name="Open Settings").click()
        await expect(editor.page.get_by_role("tab", name="Settings")).to_be_visible()
        await expect(editor.page.locator(".settings-editor")).to_contain_text("Allow Apply Patch")
        await editor.close_editors()


async def test_a_diff_is_there_again_after_a_reload_that_shows_nothing_else_of_bascule(
    window: OpenWindow,
) -> None:
    async with window() as editor:
        await editor.show_bascule()
        await editor.new_session()
        await editor.say("/patch one more function")
        await editor.chat.get_by_role("button", name="View Diff").click()
        await expect(editor.side("after", MODULE)).to_contain_text("initials")
        await editor.run("View: Show Explorer")
        await editor.reload()
        await expect(editor.side("after", MODULE)).to_contain_text("initials")
        await expect(editor.side("after", "test_").last).to_contain_text("unittest")
        await editor.close_editors()


async def rename_elsewhere(editor: Editor, title: str) -> None:
    daemon = find_daemon(editor.home.data)
    assert daemon is not None
    shown = await editor.chat.get_by_role("main").get_attribute("data-session")
    async with onlooker(daemon, "another") as other:
        await other.call("session.rename", session_id=shown, title=title)


async def test_without_a_chat_view_a_selection_goes_to_a_tab(window: OpenWindow) -> None:
    async with window(bascule__ui__enableChatView=False) as editor:
        await editor.open_file(MODULE)
        await editor.select_lines(2)
        await editor.run("Bascule: Add Selection to Prompt")
        await expect(editor.input).to_have_value(f"@{MODULE}#L1-L2")  # of the only page
        await expect(editor.page.locator(".tab", has_text="project")).to_be_visible()


async def test_a_window_with_two_folders_has_sessions_in_each(window: OpenWindow, home: Home) -> None:
    """One of them through a link."""
    (home.root / "second").mkdir()
    (home.root / "second" / MODULE).write_text("one = 1\n", encoding="utf-8")
    (home.root / "link").symlink_to(home.project)
    file = home.root / "two.code-workspace"
    file.write_text(json.dumps({"folders": [{"path": "link"}, {"path": "second"}]}), encoding="utf-8")
    async with window(f"workspace={file}") as editor:
        await editor.show_bascule()
        await editor.connected()
        await editor.run("Bascule: New Session")
        second = editor.page.locator(".quick-input-list .monaco-list-row", has_text="second")
        await expect(second).to_be_visible()
        await editor.chat.get_by_role("main").focus()  # as a chat that has just loaded does
        await second.click()
        await expect(editor.chat.get_by_text("second").first).to_be_visible()
        await editor.say("demo:text in the second")
        await expect(row(editor, "/second")).to_have_attribute("aria-expanded", "true")  # this window's
        await expect(row(editor, "demo:text in the second")).to_have_attribute("aria-level", "2")

        await editor.open_file(MODULE)  # of the first folder, which is unfolded
        await editor.select_lines(2)
        await editor.run("Bascule: Add Selection to Prompt")
        notice = editor.notice("is not in the folder of the session that is shown")
        await expect(notice).to_be_visible()
        await expect(editor.input).to_have_value("")  # there, that name is another file
        await notice.get_by_role("button", name="New Session").click()
        await expect(editor.input).to_have_value(f"@{MODULE}#L1-L2")
        await expect(row(editor, "/project")).to_have_attribute("aria-expanded", "true")
        await a_file_that_is_not_saved_is_not_written(editor)


def row(editor: Editor, label: str) -> Locator:
    return editor.tree.locator(f'[role=treeitem][aria-label$="{label}"]')


async def a_file_that_is_not_saved_is_not_written(editor: Editor) -> None:
    """Though the session knows it by another name."""
    on_disk = (editor.home.project / MODULE).read_bytes()
    await editor.page.locator(f'.monaco-editor[data-uri$="/link/{MODULE}"] .view-lines').click()
    await editor.page.keyboard.type("# not saved")
    await editor.say("/patch one more function")
    await editor.chat.get_by_role("button", name="Apply Diff").click()
    await expect(editor.chat.get_by_text(f"save or revert {MODULE} first")).to_be_visible()
    await expect(editor.dialog).to_have_count(0)
    assert (editor.home.project / MODULE).read_bytes() == on_disk
