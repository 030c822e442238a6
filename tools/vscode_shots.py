"""Takes the pictures of the VS Code guide: code-server with the offline demo, in three themes."""

import asyncio
import base64
import sys
import tempfile
from pathlib import Path

from playwright.async_api import expect
from tests.page.viewer import open_browser
from tests.vscode.editor import Editor, Home, open_editor, open_server
from tools.screenshots import IMAGES, PACK, QUALITY

from tools import code_server, vscode

THEMES = {
    "dark": "Default Dark Modern",
    "light": "Default Light Modern",
    "contrast": "Default High Contrast",
}


async def take(folder: Path) -> None:
    for name, theme in THEMES.items():
        home = Home(folder / name)
        home.prepare()
        home.configure(workbench__colorTheme=theme, security__workspace__trust__enabled=False)
        async with (
            open_server(home) as address,
            open_browser() as browser,
            open_editor(browser, home, address) as editor,
        ):
            await show_diff(editor)
            await keep(editor, IMAGES / f"vscode-{name}.webp")
            if name == "dark":
                await show_question(editor)
                await keep(editor, IMAGES / "vscode-question-dark.webp")


async def show_diff(editor: Editor) -> None:
    await editor.page.set_viewport_size({"width": 1280, "height": 900})
    await editor.open()
    await editor.show_bascule()
    await editor.connected()
    await editor.new_session()
    await editor.say("/patch one more function")
    await editor.chat.get_by_role("button", name="View Diff").click()
    await expect(editor.page.locator(".monaco-diff-editor").first).to_be_visible()
    await expect(editor.side("after", "test_").last).to_contain_text("unittest")
    for name in ("wordkit.py", "test_initials.py"):  # coloured, which comes later
        await expect(editor.side("after", name).last.get_by_text("def", exact=True).first).to_be_visible()


async def show_question(editor: Editor) -> None:
    """Whether to apply it: in a dialog, and in the chat."""
    await editor.chat.get_by_role("button", name="Apply Diff").click()
    await expect(editor.dialog).to_be_visible()
    await expect(editor.chat.locator(".asks-body .diff-scroll").first).to_be_attached()
    await expect(editor.chat.get_by_text("Loading…")).to_have_count(0)
    await expect(editor.tree).to_contain_text("waiting for you")  # a moment after the chat


async def keep(editor: Editor, path: Path) -> None:
    await editor.page.mouse.move(1_100, 20)  # away from what shows more under it
    png = base64.b64encode(await shoot_still(editor)).decode()
    packer = await editor.page.context.new_page()
    packed = await packer.evaluate(PACK, [png, QUALITY])
    await asyncio.to_thread(path.write_bytes, base64.b64decode(packed))


async def shoot_still(editor: Editor) -> bytes:
    """Once nothing moves any more: two pictures are alike."""
    before = b""
    while (now := await editor.page.screenshot()) != before:
        before = now
    return now


def main() -> int:
    if code_server.main() != 0:
        return 1
    vscode.pack()
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(take(Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
