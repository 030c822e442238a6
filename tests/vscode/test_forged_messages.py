"""What a script in the webview could say to the extension: more than the page does."""

import pytest
from playwright.async_api import Browser, Frame, expect
from tests.vscode.editor import Editor, Home, open_editor

pytestmark = [pytest.mark.real, pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(180)]

# The page's own way to the extension, kept for a script that comes later.
KEEP_API = """(() => {
  let given;
  Object.defineProperty(globalThis, "acquireVsCodeApi", {
    configurable: true,
    get: () => given && (() => (globalThis.stolen = given())),
    set: (one) => (given = one),
  });
})();"""
LOAD = """(source) => new Promise((done) => {
  const one = document.createElement("link");
  Object.assign(one, { rel: "stylesheet", href: source, onload: () => done("loaded") });
  addEventListener("securitypolicyviolation", (event) => done(event.effectiveDirective), { once: true });
  document.head.append(one);
})"""

FLOOD = """() => {
  for (let wire = 100; wire < 150; wire++) stolen.postMessage({ type: "connect", wire });
}"""


async def test_forged_messages_open_and_load_nothing_outside(
    home: Home, server: str, browser: Browser
) -> None:
    outside = home.root / "outside.txt"
    outside.write_text("not of the project", encoding="utf-8")
    (home.project / "theirs.css").write_text("body { display: none }", encoding="utf-8")
    async with open_editor(browser, home, server) as editor:
        await editor.page.context.add_init_script(KEEP_API)
        await editor.open()
        await editor.show_bascule()
        await editor.trust()
        frame = next(one for one in editor.page.frames if "fake.html" in one.url)
        await opens_nothing_outside(editor, frame)
        await loads_no_style_of_the_workspace(editor, frame)
        await floods_start_few_processes(editor, frame)
    (home.project / "theirs.css").unlink()


async def opens_nothing_outside(editor: Editor, frame: Frame) -> None:
    root = str(editor.home.root)
    for workspace, path in ((root, "outside.txt"), ("/", f"{root}/outside.txt"), ("", "outside.txt")):
        await say(frame, type="openFile", workspace=workspace, place={"path": path})
        await expect(editor.notice("outside of the session's folder").first).to_be_visible()
        await editor.run("Notifications: Clear All Notifications")
    for odd in (
        "command:workbench.action.terminal.new",
        "file:///etc/hostname",
        "vscode://file/etc/hostname",
        ["https://example.invalid"],
    ):
        await say(frame, type="openExternal", url=odd)
    await say(frame, type="openFile", workspace=str(editor.home.project), place=None)
    await say(frame)
    await say(frame, type="openFile", workspace=str(editor.home.project), place={"path": "wordkit.py"})
    await expect(editor.page.get_by_role("tab", name="wordkit.py")).to_be_visible()  # heard after all others
    await expect(editor.page.locator(".tabs-container .tab")).to_have_count(1)
    await expect(editor.dialog).to_have_count(0)


async def loads_no_style_of_the_workspace(editor: Editor, frame: Frame) -> None:
    base = await frame.evaluate("JSON.parse(document.getElementById('bascule-start').textContent).fileBase")
    ours = await frame.evaluate("document.querySelector('link[rel=stylesheet]').href")
    assert await frame.evaluate(LOAD, ours) == "loaded"
    assert await frame.evaluate(LOAD, f"{base}{editor.home.project}/theirs.css") == "style-src-elem"


async def floods_start_few_processes(editor: Editor, frame: Frame) -> None:
    before = len(editor.home.starts())
    await frame.evaluate(FLOOD)
    await say(frame, type="openFile", workspace=str(editor.home.project), place={"path": "test_wordkit.py"})
    await expect(editor.page.get_by_role("tab", name="test_wordkit.py")).to_be_visible()  # heard after them
    assert len(editor.home.starts()) - before < 10


async def say(frame: Frame, **message: object) -> None:
    await frame.evaluate("(message) => stolen.postMessage(message)", message)
