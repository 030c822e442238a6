"""Commands in a real VS Code: on sessions, from files and terminals to the prompt; a run's end."""

import re

import pytest
from playwright.async_api import expect
from tests.e2e.mirror_surface import onlooker
from tests.patience import until
from tests.vscode.editor import Editor

from bascule.host.network.registration import find_daemon

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

MODULE = "wordkit.py"


async def test_tests_run_by_a_command_after_a_yes(editor: Editor) -> None:
    await editor.new_session()
    await editor.run("Bascule: Run Tests…")
    await expect(editor.dialog).to_contain_text("unittest")
    await editor.dialog.get_by_role("button", name=re.compile("^Yes|^Run")).click()
    await expect(editor.notice("exit code").first).to_be_visible()


async def test_files_and_selections_go_to_the_prompt(editor: Editor) -> None:
    await editor.new_session()
    await editor.open_file(MODULE)
    await editor.select_lines(2)
    await editor.run("Bascule: Explain Selection")
    await expect(editor.input).to_have_value(f"Explain @{MODULE}#L1-L2")
    await editor.input.fill("")
    await editor.run("Bascule: Add File to Prompt")
    await expect(editor.input).to_have_value(f"@{MODULE}")
    await editor.input.fill("")


async def test_a_run_that_ended_elsewhere_in_the_window_is_told_once_with_a_way_to_it(editor: Editor) -> None:
    await editor.new_session()
    daemon = find_daemon(editor.home.data)
    assert daemon is not None
    async with onlooker(daemon, "another") as other:
        created = await other.call("session.create", workspace=str(editor.home.project))
        await other.run(created.session_id, "demo:text not looked at")
        notice = editor.notice("demo:text not looked at is done.")
        await expect(notice).to_have_count(1)
        await notice.get_by_role("button", name="Open").click()
        await expect(editor.chat.get_by_role("main")).to_have_attribute("data-session", created.session_id)
        await other.run(created.session_id, "demo:text looked at")
        await expect(editor.chat.locator(".blocks-assistant table")).to_have_count(2)
        await expect(notice).to_have_count(0)


async def test_commands_are_about_the_tab_or_chat_that_was_used_last(editor: Editor) -> None:
    for title in ("First of two", "Second of two"):
        await editor.new_session()
        await rename(editor, title)
        await editor.run("Bascule: Open in Editor")
        await expect(editor.page.get_by_role("tab", name=title)).to_be_visible()
        await expect(editor.last_tab.get_by_role("main")).to_be_visible()  # before, it would swallow keys
    await expect(editor.page.get_by_role("tab", name="First of two")).to_be_visible()  # both are open
    await editor.new_session()
    await rename(editor, "In the chat")  # though a tab is in front, and gets the focus from the palette
    await editor.last_tab.get_by_role("textbox", name="Prompt to the agent").click()
    await rename(editor, "Second, renamed")
    await expect(editor.tree.get_by_role("treeitem", name="First of two")).to_be_visible()
    await editor.run("Bascule: Close Tab (Hide)")
    await expect(editor.tree.get_by_role("treeitem", name="Second, renamed")).to_be_visible()  # not deleted
    await expect(editor.tree.get_by_role("treeitem", name="In the chat")).to_be_visible()


async def test_a_key_that_the_page_takes_is_not_the_editors_too(editor: Editor) -> None:
    """In the editor, Ctrl+K F closes the folder."""
    await editor.new_session()
    await editor.input.click()
    search = editor.chat.get_by_placeholder(re.compile("^Search sessions"))
    await editor.page.keyboard.press("Control+k")
    await expect(search).to_be_focused()
    await editor.page.keyboard.type("f")
    await expect(search).to_have_value("f")
    await expect(editor.page.locator(".statusbar")).not_to_contain_text("was pressed")
    await editor.page.keyboard.press("F1")  # which the page leaves to the editor
    await expect(editor.page.locator(".quick-input-widget input")).to_be_focused()
    await editor.page.keyboard.press("Escape")
    await expect(editor.page.get_by_text("project - code-server")).to_be_visible()


async def rename(editor: Editor, title: str) -> None:
    await editor.run("Bascule: Rename Session…")
    await expect(editor.page.get_by_text("A new title")).to_be_visible()
    await editor.page.locator(".quick-input-widget input").fill(title)
    await editor.page.keyboard.press("Enter")
    await expect(editor.tree.get_by_role("treeitem", name=title)).to_be_visible()


async def test_a_problem_goes_to_the_prompt_from_its_quick_fixes(editor: Editor) -> None:
    broken = editor.home.project / "broken.json"
    broken.write_text('{"a": }\n', encoding="utf-8")
    await editor.new_session()
    shown = await editor.open_file("broken.json")
    await expect(shown.locator(".squiggly-error")).to_be_visible()
    await editor.run("Go to Next Problem (Error, Warning, Info)")
    await editor.page.keyboard.press("Escape")
    await editor.page.keyboard.press("Control+.")
    await expect(editor.page.locator(".action-widget .focused")).to_have_text("Fix with Bascule")
    await editor.page.keyboard.press("Enter")  # a menu that has just opened ignores clicks
    await expect(editor.input).to_have_value(re.compile(r"^Fix this problem in @broken.json#L1: .*expected"))
    await editor.input.fill("")
    broken.unlink()


async def test_what_is_selected_in_a_terminal_goes_to_the_prompt(editor: Editor) -> None:
    await editor.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await editor.new_session()
    await editor.page.evaluate("navigator.clipboard.writeText('kept')")
    await editor.run("Terminal: Create New Terminal")
    await expect(editor.page.locator(".xterm.focus")).to_be_visible()
    answered = editor.home.project / "answered"
    await editor.page.keyboard.type(f"echo $((6 * 7)) answers; touch {answered.name}\n")
    await until(answered.exists, "the terminal shows the answers")
    await editor.run("Terminal: Select All")
    await editor.run("Bascule: Add Terminal Selection to Prompt")
    await expect(editor.input).to_have_value(re.compile("```\n(.|\n)*42 answers\n(.|\n)*```\n"))
    assert await editor.page.evaluate("navigator.clipboard.readText()") == "kept"
    await editor.input.fill("")
    await editor.run("Terminal: Kill All Terminals")


async def test_the_log_has_what_bascule_says_as_it_and_its_agents_start(editor: Editor) -> None:
    await editor.new_session()
    await editor.say("demo:text of an agent that is started")
    await expect(editor.chat.locator(".blocks-assistant table")).to_be_visible()
    await editor.run("Bascule: Show Logs")
    shown = editor.page.get_by_role("document", name="Bascule - Output")
    await expect(shown).to_be_visible()
    await expect(shown).to_contain_text("connecting")
    await until(lambda: "answers as bascule/0." in written(editor), "the agent's first words")
    assert "app-server" in written(editor)
    await editor.run("View: Hide Panel")
    assert "which was refused" not in await editor.home.run("logs", "--lines", "1000")


def written(editor: Editor) -> str:
    """All of that log: the editor shows a part."""
    logs = (editor.home.user / "logs").rglob("bascule.bascule/Bascule.log")
    return "".join(log.read_text(encoding="utf-8") for log in logs)
