"""The extension in a real VS Code: one window, in which each test finds its own session."""

import asyncio
import json
import os
import re
import signal

import pytest
from playwright.async_api import Browser, Locator, expect
from tests.e2e.test_orders_pipe import envelope
from tests.page.payloads import MARKDOWN, MARKUP
from tests.vscode.editor import Editor, Home, open_editor

from bascule.host.watch.process_facts import read_process

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

MODULE = "wordkit.py"
SETTLE_MS = 500  # for the first 400, a question that has just appeared takes no answer
# What is used, and what the editor's settings say.
FONTS = r"""() => {
  const root = getComputedStyle(document.documentElement);
  const plain = (text) => text.replaceAll(/["']/g, "").split(",").map((one) => one.trim()).join(", ");
  const pair = (one, name) => [plain(getComputedStyle(one).fontFamily), plain(root.getPropertyValue(name))];
  return [pair(document.body, "--vscode-font-family"),
    pair(document.querySelector("textarea"), "--vscode-editor-font-family")];
}"""
# A mark of the editor is a style: whether a line of such a file says that it was left out.
LEFT_OUT = """(name) => {
  const marked = document.querySelectorAll(`[data-uri*="/after/${name}"] .view-line span span`);
  return [...marked].some((one) => /left.out/.test(getComputedStyle(one, "::after").content));
}"""


async def test_an_untrusted_folder_starts_nothing_until_it_is_trusted(
    home: Home, server: str, browser: Browser
) -> None:
    async with open_editor(browser, home, server) as editor:
        await editor.open()
        before = home.starts()
        await nothing_starts(editor)
        assert home.starts() == before
        await editor.trust()
        assert home.starts()[len(before) :]
        assert home.daemon_pid() is not None


async def nothing_starts(editor: Editor) -> None:
    await editor.show_bascule()
    await expect(editor.tree).to_contain_text("starts nothing in a folder that you don't trust")
    await expect(editor.chat.get_by_text("Bascule starts nothing")).to_be_visible()
    await expect(editor.chat.get_by_role("button", name="Manage Workspace Trust")).to_be_visible()
    for command in ("New Session", "Sessions…", "Open in Browser"):
        await editor.run(f"Bascule: {command}")
        notice = editor.notice("starts nothing in a folder that you don't trust")
        await expect(notice.get_by_role("button", name="Manage Workspace Trust")).to_be_visible()
        await editor.run("Notifications: Clear All Notifications")


async def test_a_prompt_streams_into_the_view_and_the_session_is_in_the_tree(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:text")
    await expect(editor.chat.locator(".blocks-assistant table")).to_be_visible()
    await expect(editor.tree.get_by_role("treeitem", name="demo:text")).to_be_visible()
    await expect(editor.chat.locator(".blocks-user")).to_have_count(1)  # one prompt, though it streams
    frames = [frame for frame in editor.page.frames if "fake.html" in frame.url]
    assert frames, "the page is in a webview"
    scripts = await frames[0].evaluate("[...document.scripts].map((one) => one.src).filter(Boolean)")
    assert scripts
    assert all("vscode-resource" in source or "vscode-remote-resource" in source for source in scripts)
    kept = await frames[0].evaluate("Object.keys(localStorage).filter((key) => key.startsWith('bascule'))")
    assert set(kept) <= {"bascule:start"}  # which command starts it; there is no key to take
    body, field = await frames[0].evaluate(FONTS)
    assert body[0] == body[1]  # the interface's font
    assert field[0] == field[1]  # the editor's


async def test_an_agents_question_is_counted_told_and_answered(editor: Editor) -> None:
    await editor.new_session()
    await editor.home.begin_elsewhere("demo:approval")
    ask = editor.chat.get_by_role("button", name="Yes, once")
    await expect(editor.page.locator(".activitybar").get_by_role("tab", name="Bascule")).to_have_attribute(
        "aria-label", re.compile("1 waiting for you")
    )
    await expect(
        editor.page.get_by_role("button", name="Bascule: 1 waiting for you, 0 working")
    ).to_be_visible()
    notice = editor.notice("demo:approval")
    await notice.get_by_role("button", name="Answer…").click()  # leads to the page, which shows all of it
    await expect(ask).to_be_visible()
    await editor.chat.locator(".asks-body").evaluate("one => one.scrollTo(0, one.scrollHeight)")
    await expect(editor.chat.get_by_role("button", name="more line")).to_have_count(0)
    await expect(editor.dialog).to_have_count(0)
    await editor.page.wait_for_timeout(SETTLE_MS)  # a click before that answers nothing
    await ask.click()
    await expect(ask).to_be_hidden()
    await expect(done(editor)).to_be_visible()
    await editor.say("demo:approval")
    await expect(ask).to_be_visible()
    await expect(notice).to_have_count(0)  # who looks at it needs no notification
    await editor.home.answer_elsewhere(grants=True)
    await expect(ask).to_be_hidden()


def done(editor: Editor) -> Locator:
    return editor.chat.get_by_text(re.compile(r"^Done in")).last


async def test_a_run_is_interrupted_by_a_command(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:slow")
    await expect(editor.chat.locator(".blocks-assistant")).to_be_visible()
    await editor.run("Bascule: Interrupt")
    await expect(editor.tree.get_by_role("treeitem", name="demo:slow, interrupted")).to_be_visible()


async def test_a_session_opens_in_a_tab_beside_the_view_and_a_reload_loses_nothing(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:command")
    await expect(done(editor)).to_be_visible()
    details = editor.chat.locator("details")
    await details.locator("summary").first.click()
    await expect(editor.chat.locator("details[open]")).to_have_count(1)
    await editor.say("demo:text")
    await expect(editor.chat.locator(".blocks-assistant table")).to_be_visible()
    await editor.run("Bascule: Open in Editor")
    await expect(editor.page.get_by_role("tab", name="demo:command")).to_be_visible()
    await expect(editor.tab.locator(".blocks-assistant table")).to_be_visible()
    pid = editor.home.daemon_pid()
    await editor.input.fill("half a thought")
    await asyncio.sleep(0.5)  # drafts are stored a moment after the last key
    await editor.reload()
    await editor.connected()
    await expect(editor.input).to_have_value("half a thought")
    await expect(editor.chat.locator("details[open]")).to_have_count(1)
    await expect(editor.tab.locator(".blocks-assistant table")).to_be_visible()
    assert editor.home.daemon_pid() == pid
    await editor.input.fill("")
    await editor.close_editors()


async def test_the_selection_goes_to_the_prompt_and_to_the_daemon(editor: Editor) -> None:
    await editor.new_session()
    await editor.open_file(MODULE)
    await editor.select_lines(2)
    await editor.run("Bascule: Add Selection to Prompt")
    await expect(editor.input).to_have_value(f"@{MODULE}#L1-L2")
    await editor.input.fill("@")
    await expect(editor.chat.get_by_role("option").nth(1)).to_have_text(f"@{MODULE}open in the editor")
    await editor.say("What is @selection?")
    said = editor.chat.locator(".blocks-user").last
    await expect(said).to_contain_text(f"@{MODULE}#L1-L2")
    await editor.close_editors()
    await editor.input.fill("@")
    await expect(editor.chat.get_by_text("open in the editor")).to_have_count(0)
    await editor.say("And now @selection?")
    await expect(editor.chat.get_by_text("Nothing was sent: @selection is empty").first).to_be_visible()
    await editor.input.fill("")


async def test_what_is_selected_in_a_text_of_no_folder_is_no_selection(editor: Editor) -> None:
    """Nor is what was selected in a file before; the output panel is no text that a person looks at."""
    await editor.new_session()
    await editor.open_file(MODULE)
    await editor.select_lines(2)
    await editor.show_bascule()
    await editor.run("Bascule: Show Logs")
    shown = editor.page.get_by_role("document", name="Bascule - Output")
    await shown.click()
    await editor.say("What is @selection?")
    said = editor.chat.locator(".blocks-user")
    await expect(said.last).to_contain_text(f"@{MODULE}#L1-L2")
    await editor.run("View: Hide Panel")

    await editor.page.locator(f'.monaco-editor[data-uri$="/{MODULE}"] .view-lines').click()
    await editor.select_lines(2)
    await editor.page.keyboard.press("Control+Alt+n")
    untitled = editor.page.locator('.monaco-editor[data-uri^="untitled:"]')
    await untitled.locator(".view-lines").click()
    await editor.chat.get_by_role("button", name="Add context").click()
    await expect(editor.chat.get_by_text("select lines in a file first")).to_be_visible()
    await editor.page.keyboard.press("Escape")
    await editor.say("And now @selection?")
    await expect(editor.chat.get_by_text("Nothing was sent: @selection is empty").first).to_be_visible()
    await expect(said).to_have_count(1)
    await editor.input.fill("@")
    await expect(editor.chat.get_by_role("option").nth(1)).to_have_text(f"@{MODULE}open in the editor")
    await editor.input.fill("")
    await editor.close_editors()


async def test_a_diff_is_shown_in_the_editor_and_written_after_a_yes_in_a_dialog(editor: Editor) -> None:
    before = (editor.home.project / MODULE).read_text(encoding="utf-8")
    await editor.close_editors()
    await editor.open_file(MODULE)
    await editor.show_bascule()
    await editor.new_session()
    await editor.say("/patch one more function")
    await editor.chat.get_by_role("button", name="View Diff").click()
    await expect(editor.page.get_by_role("tab", name=re.compile("2 files"))).to_be_visible()
    heads = editor.page.locator(".multiDiffEntry .header-content")
    await expect(heads).to_have_text(
        [MODULE + "project", re.compile(r"^test_\w+\.pyprojectA$")]
    )  # none renamed

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
    await the_open_editor_shows_it_and_can_undo_it(editor, after)


async def the_open_editor_shows_it_and_can_undo_it(editor: Editor, text: str) -> None:
    new = next(line for line in text.splitlines() if line.startswith("def initials"))
    tab = editor.page.get_by_role("tab", name=MODULE)
    await tab.click()
    shown = editor.page.locator(f'.monaco-editor[data-uri$="/{MODULE}"]')
    await shown.locator(".view-lines").click()
    await editor.page.keyboard.press("Control+End")
    await expect(shown).to_contain_text(no_break(new))
    await editor.page.keyboard.press("Control+z")
    await expect(shown).not_to_contain_text(no_break(new))
    await expect(tab).to_have_class(re.compile("dirty"))  # in the editor alone, until it is saved
    assert (editor.home.project / MODULE).read_text(encoding="utf-8") == text
    await editor.page.keyboard.press("Control+Shift+z")
    await expect(shown).to_contain_text(no_break(new))
    await editor.run("File: Revert File")
    await editor.close_editors()


def no_break(text: str) -> str:
    """As the editor spells blanks."""
    return text.replace(" ", "\xa0")


async def test_hunks_left_out_in_the_diff_view_are_not_written(editor: Editor) -> None:
    """By the toolbar and by the gutter; Enter, pressed blindly in the dialog, shows the diff."""
    files = {path.name: path.read_bytes() for path in editor.home.project.glob("*.py")}
    await editor.new_session()
    await editor.say("/patch one more function")
    await editor.chat.get_by_role("button", name="View Diff").click()
    module = editor.side("after", MODULE)
    added = module.locator(".view-line", has_text=re.compile("^def.*text:")).last
    await added.click()
    await editor.button("Take or Leave Out This Change").click()
    await editor.page.wait_for_function(LEFT_OUT, arg=MODULE)
    await editor.in_gutter(editor.side("after", "test_").last, 3, "Take or Leave Out This Change")
    await editor.page.wait_for_function(LEFT_OUT, arg="test_")

    await editor.chat.get_by_role("button", name="Apply Diff").click()
    await expect(editor.chat.get_by_text("you left out changes of this diff")).to_be_visible()
    await editor.button("Apply Diff…").click()
    await expect(editor.dialog).to_contain_text(f"{MODULE} (update) +1 −1")
    await expect(editor.dialog).not_to_contain_text("test_")
    await editor.page.keyboard.press("Enter")
    await expect(editor.page.get_by_role("tab", name=re.compile(f"^{MODULE} – "))).to_be_visible()
    for side in ("before", "after"):
        address = re.compile(rf"^bascule:/diff/diff_\w+/{side}/{re.escape(MODULE)}\?")
        await expect(editor.side(side, MODULE)).to_have_attribute("data-uri", address)
    assert {name: (editor.home.project / name).read_bytes() for name in files} == files

    await editor.page.locator(".notification-toast").get_by_role("button", name="Answer…").first.click()
    await editor.dialog.get_by_role("button", name=re.compile("^Yes")).click()
    await expect(editor.notice("Applied: 1 file, +1 −1")).to_be_visible()
    written = {path.name: path.read_bytes() for path in editor.home.project.glob("*.py")}
    assert [name for name in written if written[name] != files.get(name)] == [MODULE]
    await editor.close_editors()


async def test_what_a_run_changed_is_reverted_hunk_by_hunk_from_the_gutter(editor: Editor) -> None:
    files = {path.name: path.read_bytes() for path in editor.home.project.glob("*.py")}
    await editor.new_session()
    await editor.say("demo:edit")
    await expect(editor.chat.get_by_role("button", name="Yes, once")).to_be_visible()
    await editor.home.answer_elsewhere(grants=True)
    await expect(done(editor)).to_be_visible()
    (new,) = {path.name for path in editor.home.project.glob("*.py")} - set(files)
    changed = (editor.home.project / MODULE).read_bytes()
    row = editor.chat.locator(".blocks-log, [role=log]").get_by_text(new, exact=True).first
    await row.click(modifiers=["Control"])
    await expect(editor.page.get_by_role("tab", name=re.compile(f"^{new}"))).to_be_visible()
    await editor.close_editors()
    await editor.run("Bascule: Open Latest Diff")
    await editor.in_gutter(editor.side("after", new), 3, "Revert This Change…")
    await expect(editor.dialog).to_contain_text(f"{new} (delete)")
    await expect(editor.dialog).not_to_contain_text(MODULE)
    await editor.dialog.get_by_role("button", name=re.compile("^Yes")).click()
    await expect(editor.page.get_by_role("tab", name=re.compile(f"^{MODULE} – Latest diff"))).to_be_visible()
    assert not (editor.home.project / new).exists()
    assert (editor.home.project / MODULE).read_bytes() == changed

    await editor.button("Revert All of These Changes…").click()
    await editor.dialog.get_by_role("button", name=re.compile("^Yes")).click()
    await expect(editor.page.get_by_role("tab", name=re.compile("Latest diff"))).to_have_count(0)
    assert {path.name: path.read_bytes() for path in editor.home.project.glob("*.py")} == files


async def test_tests_run_after_a_yes_in_a_dialog(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("/test python3 -m unittest -q")
    await expect(editor.dialog).to_contain_text("$ python3 -m unittest -q")
    await expect(editor.dialog).to_contain_text(str(editor.home.project))
    await expect(editor.dialog.get_by_role("button", name="Open")).to_be_focused()  # Enter is no yes
    await editor.dialog.get_by_role("button", name=re.compile("^Yes|^Run")).click()
    ran = editor.chat.locator("details", has_text="python3 -m unittest -q").last
    await expect(ran.get_by_role("img", name="Completed")).to_be_visible()


async def test_a_question_answered_elsewhere_is_not_answered_by_the_dialog(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("/test python3 -m unittest -q")
    yes = editor.dialog.get_by_role("button", name=re.compile("^Yes|^Run"))
    await expect(yes).to_be_visible()
    await editor.home.answer_elsewhere(grants=False)
    await expect(editor.chat.locator(".asks-card")).to_have_count(0)
    await yes.click()
    await expect(editor.notice("This was answered elsewhere")).to_be_visible()
    await expect(editor.chat.get_by_text(re.compile("exit code"))).to_have_count(0)


async def test_sessions_of_other_programs_are_on_the_board_with_a_badge(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:text")
    registry = editor.home.root / ".claude" / "sessions"
    registry.mkdir(parents=True)
    us = {"pid": os.getpid(), "procStart": read_process(os.getpid()).proc_start, "sessionId": "attic"}
    waits = {"status": "waiting", "waitingFor": "permission to run rm", "statusUpdatedAt": 1}
    said = {**us, **waits, "cwd": "/srv/attic", "name": "Tidy the attic"}
    (registry / f"{os.getpid()}.json").write_text(json.dumps(said), encoding="utf-8")
    head = editor.page.get_by_role("button", name="All Agents Section")
    await head.click()
    board = editor.page.locator(".pane", has=head)
    rows = board.get_by_role("treeitem")
    await expect(rows.first).to_have_attribute(
        "aria-label", "Tidy the attic, waiting for you · permission to run rm · Claude · attic"
    )
    await expect(rows.nth(1)).to_have_attribute("aria-label", re.compile("Codex · project$"))  # ours too
    bar = editor.page.locator(".activitybar").get_by_role("tab", name="Bascule")
    await expect(bar).to_have_attribute("aria-label", re.compile("1 sessions? of other programs"))
    await rows.first.click()
    await expect(editor.chat.get_by_role("main")).to_have_attribute("data-session", "watched:claude:attic")
    await head.click()


async def test_a_remote_order_is_shown_with_its_sender_and_asked_about_here(editor: Editor) -> None:
    order = envelope("order-1", "test", prompt="python3 -m unittest -q")
    asked = asyncio.ensure_future(editor.home.run("orders", stdin=order))  # noqa: TID251
    await editor.page.locator(".notification-toast").get_by_role("button", name="Answer…").first.click()
    await expect(editor.dialog).to_contain_text("Requested remotely by ann")
    await editor.dialog.get_by_role("button", name=re.compile("^No")).click()
    assert '"rejected"' in await asked


async def test_a_daemon_that_was_killed_is_started_again(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:text before the end")
    row = editor.tree.get_by_role("treeitem", name="demo:text before the end").first
    await expect(row).to_be_visible()
    await expect(done(editor)).to_be_visible()  # its end is stored at once, a name within 250 ms
    pid = editor.home.daemon_pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    await expect(editor.chat.locator("body")).not_to_have_attribute("data-connection", "open")
    await editor.connected()
    assert editor.home.daemon_pid() not in (None, pid)
    await expect(row).to_be_visible()


async def test_a_question_that_ended_with_its_daemon_is_asked_nowhere(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("/test python3 -m unittest -q")
    yes = editor.dialog.get_by_role("button", name=re.compile("^Yes|^Run"))
    await expect(yes).to_be_visible()
    pid = editor.home.daemon_pid()
    assert pid is not None
    os.kill(pid, signal.SIGKILL)
    await expect(editor.chat.get_by_text("It counts as a no.")).to_be_visible()
    await yes.click()
    await expect(editor.notice("This was answered elsewhere, or is no longer asked.")).to_be_visible()
    await editor.run("Bascule: Answer…")
    await expect(editor.notice("Nothing is waiting for an answer.")).to_be_visible()
    await expect(editor.dialog).to_have_count(0)


async def test_hostile_text_runs_nowhere_and_the_policy_has_nothing_to_refuse(editor: Editor) -> None:
    await editor.new_session()
    for text in ("\n\n".join(MARKUP.values()), "\n\n".join(MARKDOWN.values())):
        await editor.say(text)
        await expect(editor.chat.locator(".blocks-user").last).to_contain_text("pwned")
    frame = next(frame for frame in editor.page.frames if "fake.html" in frame.url)
    assert await frame.evaluate("window.pwned") is None
    assert editor.refused == []
