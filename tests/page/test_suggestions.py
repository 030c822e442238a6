"""Suggestions: commands at the very start, mentions anywhere, by key and by mouse, and gone once chosen."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, expect
from tests.e2e.live_app import said
from tests.page.viewer import ServedPage, Viewer
from tests.page.wire_log import overhear, params_of

pytestmark = pytest.mark.asyncio(loop_scope="session")

COMMANDS = [
    *("/new", "/resume", "/plan", "/patch", "/test", "/diff", "/rename", "/compact", "/clear", "/fork"),
    *("/model", "/restart", "/status", "/help"),
]
FILES = (
    *("README.md", "docs/README_first.txt", "docs/guide/README.md", "src/app.py", "src/deep/er/app.py"),
    *("apples.txt", ".git/README", "web/node_modules/left/README.md", "a b/README.md"),
    *("odd/logo@2x.png", "odd/notes(1)", "odd/it's.txt", "odd/日本語.md", "odd/two words.md"),
)


@pytest_asyncio.fixture(loop_scope="session")
async def viewer(served: ServedPage) -> AsyncIterator[Viewer]:
    """In a session of a workspace whose files are all in sight."""
    project = served.setup.project.parent / "library"
    for name in FILES:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(f"{name}\n", encoding="utf-8")
    session = await served.live.create(project)
    async with served.viewer() as viewer:
        await viewer.enter(session)
        await viewer.input.click()
        yield viewer
        assert said(served.live.see(session)) == []


def popup(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("listbox", name="Suggestions")


def options(viewer: Viewer) -> Locator:
    """The first word of each; what it does stands after it."""
    return popup(viewer).get_by_role("option").locator(":scope > :first-child")


def chosen(viewer: Viewer) -> Locator:
    return popup(viewer).get_by_role("option", selected=True).locator(":scope > :first-child")


# Of the text in each element.
LINES = """(all) => all.map((one) => {
    const range = document.createRange();
    range.selectNodeContents(one);
    return range.getClientRects().length;
})"""


async def test_a_slash_at_the_very_start_offers_the_commands(viewer: Viewer) -> None:
    await viewer.page.keyboard.type("/")
    await expect(options(viewer)).to_have_text(COMMANDS)
    await expect(chosen(viewer)).to_have_text("/new")
    await viewer.page.set_viewport_size({"width": 390, "height": 844})
    lines = await options(viewer).evaluate_all(LINES)
    assert set(lines) == {1}, "no name breaks, however long its note"
    await viewer.page.keyboard.type("re")
    await expect(options(viewer)).to_have_text(["/resume", "/rename", "/restart"])
    await viewer.page.keyboard.type("nx")
    await expect(popup(viewer)).to_be_hidden()


async def test_a_slash_anywhere_else_offers_nothing(viewer: Viewer) -> None:
    for before in (" ", "a", "\n", "first line\n"):
        await viewer.input.fill(before)
        await viewer.page.keyboard.type("/n")
        await expect(viewer.input).to_have_value(f"{before}/n")
        await expect(popup(viewer)).to_be_hidden()


async def test_the_arrows_move_and_enter_takes_a_command_without_sending_it(viewer: Viewer) -> None:
    await viewer.page.keyboard.type("/re")
    await expect(chosen(viewer)).to_have_text("/resume")
    await viewer.input.press("ArrowDown")
    await expect(chosen(viewer)).to_have_text("/rename")
    await viewer.input.press("ArrowDown")
    await expect(chosen(viewer)).to_have_text("/restart")
    await viewer.input.press("ArrowDown")  # around
    await expect(chosen(viewer)).to_have_text("/resume")
    await viewer.input.press("ArrowUp")
    await viewer.input.press("ArrowUp")
    await expect(chosen(viewer)).to_have_text("/rename")
    described = await viewer.input.get_attribute("aria-activedescendant")
    assert described == await popup(viewer).get_by_role("option", selected=True).get_attribute("id")

    await viewer.input.press("Enter")
    await expect(viewer.input).to_have_value("/rename ")
    await expect(popup(viewer)).to_be_hidden()


async def test_escape_closes_and_the_same_word_stays_closed(viewer: Viewer) -> None:
    await viewer.page.keyboard.type("/re")
    await expect(popup(viewer)).to_be_visible()
    await viewer.input.press("Escape")
    await expect(popup(viewer)).to_be_hidden()
    await expect(viewer.input).to_have_value("/re")
    await viewer.page.keyboard.type("n")
    await expect(viewer.input).to_have_value("/ren")
    await expect(popup(viewer)).to_be_hidden()
    await viewer.input.fill("")
    await viewer.page.keyboard.type("/")
    await expect(options(viewer)).to_have_text(COMMANDS)


async def test_an_at_offers_the_selection_and_the_files_that_fit_best(viewer: Viewer) -> None:
    await viewer.page.keyboard.type("look at @")
    await expect(options(viewer).first).to_have_text("@selection")
    await expect(options(viewer)).to_contain_text(["@README.md", "@docs/guide/README.md"])
    await expect(popup(viewer)).not_to_contain_text(".git")
    await expect(popup(viewer)).not_to_contain_text("node_modules")

    await viewer.page.keyboard.type("README")
    await expect(options(viewer)).to_have_text(
        ["@README.md", '@"a b/README.md"', "@docs/README_first.txt", "@docs/guide/README.md"]
    )
    await viewer.input.fill("@app")
    await expect(options(viewer)).to_have_text(["@apples.txt", "@src/app.py", "@src/deep/er/app.py"])
    await viewer.input.fill("@sel")
    await expect(options(viewer)).to_have_text(["@selection"])
    await viewer.input.fill("somebody@app")  # an address is no mention
    await expect(popup(viewer)).to_be_hidden()


async def test_a_choice_adds_a_space_and_does_not_open_again(viewer: Viewer) -> None:
    await viewer.page.keyboard.type("see @README")
    await expect(chosen(viewer)).to_have_text("@README.md")
    await viewer.input.press("Enter")
    await expect(viewer.input).to_have_value("see @README.md ")
    await expect(popup(viewer)).to_be_hidden()

    for key in ("ArrowLeft", "ArrowLeft", "ArrowRight", "ArrowRight"):  # back into the word, and out
        await viewer.input.press(key)
        await expect(popup(viewer)).to_be_hidden()
    await viewer.page.keyboard.type("and @src/a")
    await expect(options(viewer)).to_have_text(["@src/app.py", "@src/deep/er/app.py"])
    await viewer.input.press("Tab")
    await expect(viewer.input).to_have_value("see @README.md and @src/app.py ")
    await expect(viewer.input).to_be_focused()
    await expect(popup(viewer)).to_be_hidden()


async def test_on_white_space_only_the_word_to_the_right_counts(viewer: Viewer) -> None:
    await viewer.input.fill("@app  @README")
    await viewer.input.press("Home")
    await expect(popup(viewer)).to_be_hidden()  # from the very start the arrows walk the history
    for _ in range(5):
        await viewer.input.press("ArrowRight")  # behind the first blank: the left word is out of it
    await expect(options(viewer)).to_have_text(
        ["@README.md", '@"a b/README.md"', "@docs/README_first.txt", "@docs/guide/README.md"]
    )
    await viewer.input.press("Enter")
    await expect(viewer.input).to_have_value("@app  @README.md ")


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("@logo", "@odd/logo@2x.png"),
        ("@notes", "@odd/notes(1)"),
        ("@it's", "@odd/it's.txt"),
        ("@日本", "@odd/日本語.md"),
        ("@two", '@"odd/two words.md"'),
        ('@"two', '@"odd/two words.md"'),
    ],
)
async def test_whatever_a_file_is_called_what_is_offered_is_taken_by_the_daemon(
    served: ServedPage, viewer: Viewer, typed: str, offered: str
) -> None:
    session = await served.live.create(served.setup.project.parent / "library")
    await viewer.show(session)
    await viewer.input.click()
    await viewer.page.keyboard.type(typed)
    await expect(options(viewer)).to_have_text([offered])
    await viewer.input.press("Enter")
    await expect(viewer.input).to_have_value(f"{offered} ")
    await expect(popup(viewer)).to_be_hidden()
    await viewer.input.press("Enter")
    assert said(await viewer.until_said(session)) == [offered]


async def test_an_input_method_composes_a_mention_and_has_its_keys_to_itself(viewer: Viewer) -> None:
    keys = await viewer.page.context.new_cdp_session(viewer.page)
    await viewer.page.keyboard.type("@")
    await keys.send("Input.imeSetComposition", {"text": "日本", "selectionStart": 2, "selectionEnd": 2})
    await expect(options(viewer)).to_have_text(["@odd/日本語.md"])
    for key, code in (("ArrowDown", 40), ("Enter", 13), ("Escape", 27)):
        await keys.send(
            "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": key, "windowsVirtualKeyCode": code}
        )
        await expect(options(viewer)).to_have_text(["@odd/日本語.md"])
        await expect(viewer.input).to_have_value("@日本")
    await keys.send("Input.insertText", {"text": "日本"})
    await expect(viewer.input).to_have_value("@日本")
    await viewer.input.press("Enter")
    await expect(viewer.input).to_have_value("@odd/日本語.md ")


async def test_a_mouse_points_and_takes(viewer: Viewer) -> None:
    await viewer.page.keyboard.type("@app")
    await expect(options(viewer)).to_have_count(3)
    await popup(viewer).get_by_role("option", name="@src/app.py").hover()
    await expect(chosen(viewer)).to_have_text("@src/app.py")
    await popup(viewer).get_by_role("option", name="@src/deep/er/app.py").click()
    await expect(viewer.input).to_have_value("@src/deep/er/app.py ")
    await expect(viewer.input).to_be_focused()
    await expect(popup(viewer)).to_be_hidden()


async def test_files_are_asked_for_when_they_are_needed(viewer: Viewer) -> None:
    heard = overhear(viewer.page)
    await viewer.page.reload()
    await viewer.input.click()
    await viewer.page.keyboard.type("nothing of the kind ")
    assert params_of(heard, "files.find") == []
    await viewer.page.keyboard.type("@apples")
    await expect(options(viewer)).to_have_text(["@apples.txt"])
    queries = [params["query"] for params in params_of(heard, "files.find")]
    assert queries
    assert all("apples".startswith(query) for query in queries)  # of this word only, as far as it was typed
