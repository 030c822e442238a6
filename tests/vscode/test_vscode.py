"""The extension in a real VS Code: one window, in which one test follows the other."""

import asyncio
import os
import re
import signal

import pytest
from playwright.async_api import Locator, expect
from tests.e2e.test_orders_pipe import envelope
from tests.page.payloads import MARKDOWN, MARKUP
from tests.vscode.editor import Editor

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

MODULE = "wordkit.py"


async def test_an_untrusted_folder_starts_nothing(editor: Editor) -> None:
    await editor.show_bascule()
    await expect(editor.tree).to_contain_text("starts nothing in a folder that you don't trust")
    await expect(editor.chat.get_by_text("Connection lost")).to_be_visible()
    assert editor.home.daemon_pid() is None


async def test_a_trusted_folder_starts_the_daemon_and_shows_the_page(editor: Editor) -> None:
    await editor.run("Workspaces: Manage Workspace Trust")
    trust = editor.page.locator(".workspace-trust-editor")
    await trust.get_by_role("button", name="Trust", exact=True).first.click()
    await editor.connected()
    assert editor.home.daemon_pid() is not None
    await editor.close_editors()


async def test_a_prompt_streams_into_the_view_and_the_session_is_in_the_tree(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:text")
    await expect(editor.chat.locator(".blocks-assistant table")).to_be_visible()
    await expect(editor.tree.get_by_role("treeitem", name="demo:text")).to_be_visible()
    frames = [frame for frame in editor.page.frames if "fake.html" in frame.url]
    assert frames, "the page is in a webview"
    scripts = await frames[0].evaluate("[...document.scripts].map((one) => one.src).filter(Boolean)")
    assert scripts
    assert all("vscode-resource" in source or "vscode-remote-resource" in source for source in scripts)
    kept = await frames[0].evaluate("Object.keys(localStorage).filter((key) => key.startsWith('bascule'))")
    assert kept == []  # there is no key to take


async def test_an_agents_question_is_counted_told_and_answered(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:approval")
    ask = editor.chat.get_by_role("button", name="Yes, once")
    await expect(ask).to_be_visible()
    await expect(editor.page.locator(".activitybar").get_by_role("tab", name="Bascule")).to_have_attribute(
        "aria-label", re.compile("1 waiting for you")
    )
    await expect(
        editor.page.get_by_role("button", name="Bascule: 1 waiting for you, 0 working")
    ).to_be_visible()
    notice = editor.notice("demo:approval")
    await notice.get_by_role("button", name="Answer…").click()  # leads to the page, which shows all of it
    await editor.chat.locator(".asks-body").evaluate("one => one.scrollTo(0, one.scrollHeight)")
    await expect(editor.chat.get_by_role("button", name="more line")).to_have_count(0)
    await expect(editor.dialog).to_have_count(0)
    await ask.click()
    await expect(ask).to_be_hidden()
    await expect(done(editor)).to_be_visible()


def done(editor: Editor) -> Locator:
    return editor.chat.get_by_text(re.compile(r"^Done in")).last


async def test_a_run_is_interrupted_by_a_command(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:slow")
    await expect(editor.chat.locator(".blocks-assistant")).to_be_visible()
    await editor.run("Bascule: Interrupt")
    await expect(editor.tree.get_by_role("treeitem", name="demo:slow, interrupted")).to_be_visible()


async def test_a_session_opens_in_a_tab_beside_the_view(editor: Editor) -> None:
    await editor.tree.get_by_role("treeitem", name="demo:text").click()
    await expect(editor.chat.locator(".blocks-assistant table")).to_be_visible()
    await editor.run("Bascule: Open in Editor")
    await expect(editor.page.get_by_role("tab", name="demo:text")).to_be_visible()
    await expect(editor.tab.locator(".blocks-assistant table")).to_be_visible()


async def test_a_reload_of_the_window_loses_nothing(editor: Editor) -> None:
    pid = editor.home.daemon_pid()
    await editor.input.fill("half a thought")
    await asyncio.sleep(0.5)  # drafts are stored a moment after the last key
    await editor.reload()
    await editor.connected()
    await expect(editor.input).to_have_value("half a thought")
    await expect(editor.tab.locator(".blocks-assistant table")).to_be_visible()
    assert editor.home.daemon_pid() == pid
    await editor.input.fill("")
    await editor.close_editors()


async def test_the_selection_goes_to_the_prompt_and_to_the_daemon(editor: Editor) -> None:
    await editor.open_file(MODULE)
    await editor.page.keyboard.press("Control+Home")
    await editor.page.keyboard.press("Shift+ArrowDown")
    await editor.page.keyboard.press("Shift+ArrowDown")
    await editor.run("Bascule: Add Selection to Prompt")
    await expect(editor.input).to_have_value(f"@{MODULE}#L1-L2")
    await editor.input.fill("@")
    await expect(editor.chat.get_by_role("option").nth(1)).to_have_text(f"@{MODULE}open in the editor")
    await editor.say("What is @selection?")
    said = editor.chat.locator(".blocks-user").last
    await expect(said).to_contain_text(f"@{MODULE}#L1-L2")


async def test_a_diff_is_shown_in_the_editor_and_written_after_a_yes_in_a_dialog(editor: Editor) -> None:
    before = (editor.home.project / MODULE).read_text(encoding="utf-8")
    await editor.close_editors()
    await editor.open_file(MODULE)
    await editor.show_bascule()
    await editor.new_session()
    await editor.say("/patch one more function")
    await editor.chat.get_by_role("button", name="View Diff").click()
    await expect(editor.page.locator(".monaco-diff-editor, .multiDiffEntry").first).to_be_visible()
    await expect(editor.page.get_by_role("tab", name=re.compile("2 files"))).to_be_visible()
    await expect(editor.page.get_by_text(re.compile(r"/diff/diff_\w+/after")).first).to_be_visible()

    apply = editor.chat.get_by_role("button", name="Apply Diff")
    await apply.click()
    await expect(editor.dialog).to_contain_text(f"{MODULE} (update)")
    await expect(editor.dialog).to_contain_text("Your yes is bound to the plan")
    await editor.dialog.get_by_role("button", name=re.compile("^No")).click()
    await expect(apply).to_be_enabled()  # the call has ended
    assert '"no"' in await editor.home.run("audit", "--json")
    assert (editor.home.project / MODULE).read_text(encoding="utf-8") == before

    await apply.click()
    await editor.dialog.get_by_role("button", name=re.compile("^Yes")).click()
    await expect(editor.chat.locator(".blocks-applied")).to_be_visible()
    after = (editor.home.project / MODULE).read_text(encoding="utf-8")
    assert after != before
    await editor.page.get_by_role("tab", name=MODULE, exact=True).click()
    new_line = next(line for line in after.splitlines() if line.startswith("def ") and line not in before)
    await expect(editor.page.locator(".view-lines", has_text=new_line[4:12]).first).to_be_visible()


async def test_a_file_with_unsaved_changes_is_not_written(editor: Editor) -> None:
    await editor.open_file(MODULE)
    await editor.page.keyboard.press("Control+Home")
    await editor.page.keyboard.type("# not saved")
    await editor.show_bascule()
    await editor.new_session()
    await editor.say("/patch one more function")
    on_disk = (editor.home.project / MODULE).read_text(encoding="utf-8")
    await editor.chat.get_by_role("button", name="Apply Diff").click()
    await expect(editor.chat.get_by_text(f"save or revert {MODULE} first")).to_be_visible()
    await expect(editor.dialog).to_have_count(0)
    assert (editor.home.project / MODULE).read_text(encoding="utf-8") == on_disk
    await editor.run("File: Revert File")
    await editor.close_editors()


async def test_tests_run_after_a_yes_in_a_dialog(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("/test python3 -m unittest -q")
    await expect(editor.dialog).to_contain_text("$ python3 -m unittest -q")
    await expect(editor.dialog).to_contain_text(str(editor.home.project))
    await expect(editor.dialog.get_by_role("button", name="Open")).to_be_focused()  # Enter is no yes
    await editor.dialog.get_by_role("button", name=re.compile("^Yes|^Run")).click()
    await expect(editor.chat.get_by_text(re.compile("exit code 0")).first).to_be_visible()


async def test_a_remote_order_is_shown_with_its_sender_and_asked_about_here(editor: Editor) -> None:
    order = envelope("order-1", "test", prompt="python3 -m unittest -q")
    asked = asyncio.ensure_future(editor.home.run("orders", stdin=order))  # noqa: TID251
    await editor.page.locator(".notification-toast").get_by_role("button", name="Answer…").first.click()
    await expect(editor.dialog).to_contain_text("Requested remotely by ann")
    await editor.dialog.get_by_role("button", name=re.compile("^No")).click()
    assert '"rejected"' in await asked


async def test_a_daemon_that_was_killed_is_started_again(editor: Editor) -> None:
    pid = editor.home.daemon_pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    await expect(editor.chat.locator("body")).not_to_have_attribute("data-connection", "open")
    await editor.connected()
    assert editor.home.daemon_pid() not in (None, pid)
    await expect(editor.tree.get_by_role("treeitem", name="one more function").first).to_be_visible()


async def test_hostile_text_runs_nowhere_and_the_policy_has_nothing_to_refuse(editor: Editor) -> None:
    await editor.new_session()
    for text in ("\n\n".join(MARKUP.values()), "\n\n".join(MARKDOWN.values())):
        await editor.say(text)
        await expect(editor.chat.locator(".blocks-user").last).to_contain_text("pwned")
    frame = next(frame for frame in editor.page.frames if "fake.html" in frame.url)
    assert await frame.evaluate("window.pwned") is None
    assert editor.refused == []


async def test_without_bascule_it_says_so_and_offers_the_next_step(editor: Editor) -> None:
    """At the end: the window that comes up finds no program."""
    editor.home.configure(bascule__command="/nowhere/bascule")
    await editor.reload()
    notice = editor.notice("Can't find /nowhere/bascule")
    await expect(notice.get_by_role("button", name="Open Settings")).to_be_visible()
    await expect(editor.page.get_by_role("button", name="Bascule: Can't reach Bascule.")).to_be_visible()
