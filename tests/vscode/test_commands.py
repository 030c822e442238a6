"""Commands in a real VS Code: on sessions, from files and terminals to the prompt; a run's end."""

import re

import pytest
from playwright.async_api import expect
from tests.e2e.mirror_surface import onlooker
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
