"""A long question on the page: how long it is, what is out of view, and no yes before its end was in view."""

from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page, ViewportSize, expect
from tests.page.test_asks import button, cards, settle
from tests.page.viewer import ServedPage, Viewer
from tests.page.wire_log import overhear, params_of

from bascule.model.asks import Ask, Choice, CommandSubject, FilesSubject, Subject
from bascule.model.blocks import FileEdit
from bascule.model.changes import AskClosed, AskOpened
from bascule.model.ids import AskId, SessionId
from bascule.model.protocol.ui import UiToastNotify

pytestmark = pytest.mark.asyncio(loop_scope="session")

DESK: ViewportSize = {"width": 1280, "height": 800}
PHONE: ViewportSize = {"width": 390, "height": 844}
EVIL = "touch EVIL"
SCROLLERS = """(root) => [root, ...root.querySelectorAll("*")]
  .filter((one) => ["auto", "scroll"].includes(getComputedStyle(one).overflowY))
  .filter((one) => one.scrollHeight > one.clientHeight + 1 && !one.matches("textarea"))
  .map((one) => one.className)"""
HEIGHT_OF_BODY = """one => one.querySelector(".asks-body").clientHeight"""
FOLDED = "ls" + "\n" * 300 + EVIL + "\n" * 300 + "true"
PADDED = "ls # " + "a" * 200 + "\n\t#" * 60 + f"\n{EVIL}"


@pytest_asyncio.fixture(loop_scope="session")
async def viewer(served: ServedPage) -> AsyncIterator[Viewer]:
    async with served.viewer() as viewer:
        await viewer.page.clock.install()
        yield viewer


def make_ask(name: str, subject: Subject, rule: str = "") -> Ask:
    return Ask(
        id=AskId(name),
        title="Run this command?",
        reason="list the files",
        subject=subject,
        choices=(
            Choice(id="accept", label="Yes, once", grants=True),
            Choice(
                id="always", label="Yes, and always", grants=True, lasts="always", rule=rule or "all of it"
            ),
            Choice(id="decline", label="No, go on without it", grants=False),
            Choice(id="cancel", label="No, and stop the run", grants=False),
        ),
    )


def command(text: str) -> CommandSubject:
    return CommandSubject(command=text, original=text, cwd="/home/me")


async def put(viewer: Viewer, session: SessionId, *asks: Ask) -> Locator:
    viewer.live.app.hub.apply(session, [AskOpened(ask) for ask in asks])
    await expect(cards(viewer)).to_have_count(len(asks))
    await settle(viewer)
    return cards(viewer)


def answered(heard: list[dict[str, object]]) -> list[object]:
    return [params["choice"] for params in params_of(heard, "ask.answer")]


async def is_in_sight(page: Page, text: str) -> bool:
    """Whether the command's words are drawn at a place where nothing covers or cuts them."""
    found: bool = await page.evaluate(
        """(text) => {
          const script = document.querySelector("pre.asks-command");
          const walk = document.createTreeWalker(script, NodeFilter.SHOW_TEXT);
          while (walk.nextNode()) {
            const at = walk.currentNode.data.indexOf(text);
            if (at < 0) continue;
            const range = document.createRange();
            range.setStart(walk.currentNode, at);
            range.setEnd(walk.currentNode, at + text.length);
            const box = range.getBoundingClientRect();
            const top = document.elementFromPoint(box.x + 2, box.y + box.height / 2);
            return top === walk.currentNode.parentElement;
          }
          return false;
        }""",
        text,
    )
    return found


async def test_nothing_moves_under_the_pointer_when_the_end_comes_into_view(viewer: Viewer) -> None:
    await viewer.page.set_viewport_size(DESK)
    session = await viewer.create()
    card = await put(viewer, session, make_ask("long", command("echo\n" * 80)))
    more = card.get_by_role("button", name="more line")
    await expect(more).to_be_visible()
    before, height = await card.evaluate(HEIGHT_OF_BODY), await card.evaluate("one => one.clientHeight")
    await card.locator(".asks-body").evaluate("one => one.scrollTo(0, one.scrollHeight)")
    await expect(card.locator(".asks-more")).to_have_text("You have seen all of it.")
    await expect(more).to_have_count(0)
    assert await card.evaluate(HEIGHT_OF_BODY) == before
    assert await card.evaluate("one => one.clientHeight") == height


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_what_a_script_hides_below_blank_lines_and_comments_is_seen_before_a_yes_counts(
    viewer: Viewer, size: ViewportSize
) -> None:
    page = viewer.page
    await page.set_viewport_size(size)
    session = await viewer.create()
    heard = overhear(page)
    await page.reload()
    await expect(viewer.log).to_be_visible()

    card = await put(viewer, session, make_ask("folded", command(FOLDED)))
    await expect(card).to_contain_text("The command has 601 lines.")
    await expect(card.locator(".asks-fold")).to_have_text(["299 blank lines", "299 blank lines"])
    assert await is_in_sight(page, EVIL)  # nothing is left to scroll for
    await expect(card).not_to_contain_text("more line")
    await button(card, "Yes, once").click()
    await expect(page.get_by_role("alert")).not_to_have_text("")  # no agent waits for this one
    assert answered(heard) == ["accept"]
    viewer.live.app.hub.apply(session, [AskClosed(AskId("folded"), "withdrawn")])
    await expect(cards(viewer)).to_have_count(0)

    rule = f"allow commands that begin with: {PADDED}"
    card = await put(viewer, session, make_ask("padded", command(PADDED), rule))
    await expect(card).to_contain_text("The command has 62 lines.")
    assert await is_in_sight(page, "ls # aaa"), "the rule leaves the command its place"
    assert not await is_in_sight(page, EVIL)
    more = card.get_by_role("button", name="more line")
    await expect(more).to_be_in_viewport(ratio=1)
    await expect(button(card, "Yes, once")).to_be_in_viewport(ratio=1)
    await card.focus()
    await page.keyboard.press("y")
    await expect(card.get_by_role("status")).to_have_text(
        "Scroll down to read all of them before you answer."
    )
    await button(card, "Yes, once").dblclick()
    await button(card, "Yes, and always").click()
    assert answered(heard) == ["accept"], "a yes before the end is none"
    for _ in range(40):
        if await is_in_sight(page, EVIL):
            break
        await settle(viewer)
        await button(card, "Yes, once").click()  # shows the next page
    assert await is_in_sight(page, EVIL)
    assert answered(heard) == ["accept"]
    await page.locator(".asks-body").evaluate("one => one.scrollTo(0, one.scrollHeight)")
    await expect(more).to_have_count(0)
    await page.locator(".asks-body").evaluate("one => one.scrollTo(0, 0)")  # read again from its beginning
    await expect(more).to_have_count(1)
    await settle(viewer)

    await card.get_by_role("button", name="Show all").click()
    await expect(card.locator(".asks-rule")).to_contain_text(EVIL)
    assert await is_in_sight(page, "ls # aaa")
    for name in ("Yes, once", "No, go on without it", "No, and stop the run"):
        await expect(button(card, name)).to_be_in_viewport(ratio=1)
    await card.focus()
    await page.keyboard.press("y")
    await expect(page.get_by_role("alert")).not_to_have_text("")
    assert answered(heard) == ["accept", "accept"]
    viewer.live.app.hub.apply(session, [AskClosed(AskId("padded"), "withdrawn")])


async def test_two_long_questions_and_a_no_which_needs_no_reading(viewer: Viewer) -> None:
    page = viewer.page
    await page.set_viewport_size(DESK)
    session = await viewer.create()
    heard = overhear(page)
    await page.reload()
    await expect(viewer.log).to_be_visible()
    both = await put(viewer, session, *(make_ask(name, command(PADDED)) for name in ("one", "two")))
    second = both.nth(1)
    await second.focus()
    await page.keyboard.press("y")
    assert answered(heard) == []
    await expect(second.get_by_role("button", name="more line")).to_have_count(1)
    await page.keyboard.press("n")
    await expect(page.get_by_role("alert")).not_to_have_text("")
    assert answered(heard) == ["decline"]
    for name in ("one", "two"):
        viewer.live.app.hub.apply(session, [AskClosed(AskId(name), "withdrawn")])


async def test_a_long_list_of_files_and_a_long_diff_say_how_much_there_is(viewer: Viewer) -> None:
    page = viewer.page
    await page.set_viewport_size(DESK)
    session = await viewer.create()
    heard = overhear(page)
    await page.reload()
    await expect(viewer.log).to_be_visible()
    lines = "".join(f"+line {number}\n" for number in range(199))
    lines += f"+x = 1{' ' * 4_000}; far_right()\n+os.system('evil')\n"
    diff = f"--- /dev/null\n+++ b/long.py\n@@ -0,0 +1,201 @@\n{lines}"
    files = (
        *(FileEdit(path=f"src/{number}.py", change="update", additions=1) for number in range(20)),
        FileEdit(path="long.py", change="add", additions=201, diff=diff),
    )
    card = await put(viewer, session, make_ask("files", FilesSubject(files=files)))
    await expect(card).to_contain_text("21 files +221")
    assert await page.locator(".asks").evaluate(SCROLLERS) == ["asks-body"]  # the answers are outside of it
    more = card.get_by_role("button", name="more line")
    await expect(more).to_have_count(1)
    for _ in range(60):
        await settle(viewer)
        if await more.count() == 0:
            break
        assert answered(heard) == []
        left = await more.inner_text()
        await button(card, "Yes, once").click()
        await expect(more.filter(has_text=left)).to_have_count(0)  # it has read on, and says so a frame later
    await expect(card.locator(".diff-scroll").get_by_text("os.system")).to_be_in_viewport()
    await expect(card.locator(".diff-scroll").get_by_text("far_right")).to_be_in_viewport()  # not cut
    await settle(viewer)
    await button(card, "Yes, once").click()
    await expect(page.get_by_role("alert")).not_to_have_text("")
    assert answered(heard) == ["accept"]
    viewer.live.app.hub.apply(session, [AskClosed(AskId("files"), "withdrawn")])


async def test_a_new_file_that_exists_is_replaced_and_messages_cover_no_answer(
    viewer: Viewer,
) -> None:
    page = viewer.page
    await page.set_viewport_size(DESK)
    session = await viewer.create()
    diff = "--- /dev/null\n+++ b/wordkit.py\n@@ -0,0 +1 @@\n+pass\n"
    files = (FileEdit(path="wordkit.py", change="add", additions=1, diff=diff),)
    card = await put(
        viewer, session, make_ask("replaced", FilesSubject(files=files, existing=("wordkit.py",)))
    )
    await expect(card).to_contain_text("replaces the existing file")
    await expect(card).not_to_contain_text("new")
    for number in range(5):
        notice = UiToastNotify(level="error", message=f"Something went wrong {number}")
        viewer.live.app.surfaces.broadcast("ui.toast", notice)
    toasts = page.locator(".frame-toast")
    await expect(toasts.last).to_contain_text("Something went wrong 4")
    await expect(toasts).to_have_count(3)
    box = await card.bounding_box()
    last = await toasts.last.bounding_box()
    assert box
    assert last
    assert last["y"] + last["height"] <= box["y"]
    for name in ("Yes, once", "No, and stop the run"):
        await button(card, name).click(trial=True)
    viewer.live.app.hub.apply(session, [AskClosed(AskId("replaced"), "withdrawn")])
