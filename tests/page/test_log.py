"""The log: what a reader opened, selected and scrolled to stays theirs while text streams in."""

import re
from pathlib import Path

import pytest
from playwright.async_api import JSHandle, Locator, expect
from tests.e2e.live_app import open_setup, replies
from tests.e2e.test_resume import forget_blocks
from tests.page.session_blocks import at, begin_tall, put, summary_of, tell
from tests.page.viewer import ServedPage, Viewer

from bascule.model.attachments import LogsAttachment
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    Fact,
    InfoBlock,
    PlanBlock,
    PlanStep,
    ReasoningBlock,
    UserBlock,
)
from bascule.model.changes import HistoryPut, TextGrew
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.session import Run
from bascule.serve.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

NEAR = 40  # pixels from the end that count as the end
SELECT = """(root, word) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && !walker.currentNode.data.includes(word));
  const at = walker.currentNode.data.indexOf(word);
  getSelection().setBaseAndExtent(walker.currentNode, at, walker.currentNode, at + word.length);
}"""


def line(at_: int) -> AssistantBlock:
    return AssistantBlock(id=BlockId(f"b{at_}"), text=f"answer {at_}\n\n" + "words " * 60, status="completed")


async def begin_long(viewer: Viewer, count: int = 60) -> SessionId:
    session = await viewer.create()
    put(viewer, session, *(line(number) for number in range(count)))
    await expect(at(viewer, f"b{count - 1}")).to_be_in_viewport()
    return session


async def to_end(viewer: Viewer) -> float:
    """How far the end is from what is in sight."""
    away: float = await viewer.log.evaluate("(log) => log.scrollHeight - log.clientHeight - log.scrollTop")
    return away


async def is_same(element: Locator, before: JSHandle) -> bool:
    same: bool = await element.evaluate("(one, before) => one === before", before)
    return same


async def place_of(block: Locator) -> float:
    box = await block.bounding_box()
    assert box
    return box["y"]


async def painted(viewer: Viewer) -> None:
    """All that has arrived is laid out: two frames have been drawn."""
    await viewer.page.evaluate(
        "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
    )


def jump(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("button", name="Jump to latest")


async def test_what_was_opened_stays_open_while_text_streams_into_it(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    put(
        viewer,
        session,
        CommandBlock(id=BlockId("c"), command="make", summary="make", output="first\n"),
        ReasoningBlock(id=BlockId("r"), summary=("think",), raw=("raw",)),
    )
    for block in ("c", "r"):
        await summary_of(at(viewer, block)).click()
    await at(viewer, "r").get_by_text("Raw", exact=True).click()
    before = [await at(viewer, block).locator("details").first.element_handle() for block in ("c", "r")]
    output = await at(viewer, "c").get_by_role("group", name="Output").element_handle()
    for number in range(30):
        tell(viewer, session, TextGrew(BlockId("c"), "output", f"line {number}\n"))
        tell(viewer, session, TextGrew(BlockId("r"), "raw", f" {number}"))
        put(viewer, session, line(number))
    await expect(at(viewer, "c")).to_contain_text("line 29")
    await expect(at(viewer, "r")).to_contain_text("raw 0 1 2")
    await expect(at(viewer, "b29")).to_be_attached()
    for block, handle in zip(("c", "r"), before, strict=True):
        assert await is_same(at(viewer, block).locator("details").first, handle)
        await expect(at(viewer, block).locator("details").first).to_have_attribute("open", "")
    assert await is_same(at(viewer, "c").get_by_role("group", name="Output"), output)

    done = CommandBlock(id=BlockId("c"), command="make", summary="make", output="all\n", status="completed")
    put(viewer, session, done)  # what completes replaces what streamed
    await expect(at(viewer, "c").get_by_role("group", name="Output")).to_have_text("all")
    assert await is_same(at(viewer, "c").locator("details").first, before[0])
    await summary_of(at(viewer, "c")).click()
    put(viewer, session, line(100))
    await expect(at(viewer, "b100")).to_be_attached()
    await expect(at(viewer, "c").locator("details")).not_to_have_attribute("open", "")


async def test_the_answer_of_a_real_agent_streams_into_one_element(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("demo:slow")
    await viewer.live.until_streaming(session)
    answer = viewer.block("assistant")
    await expect(answer).to_contain_text(re.compile(r"\w+ \w+ \w+"))
    before = await answer.element_handle()
    first = await answer.inner_text()
    await expect(answer).not_to_have_text(first)  # more has come
    assert await is_same(answer, before)
    await viewer.page.get_by_role("button", name="Stop").click()
    seen = await viewer.live.until_idle(session)
    await expect(answer).to_contain_text(replies(seen)[-1].strip()[-20:])
    assert await is_same(answer, before)


async def test_a_selection_stays_while_its_text_grows(viewer: Viewer) -> None:
    session = await begin_long(viewer, 20)
    growing = BlockId("growing")
    put(viewer, session, AssistantBlock(id=growing, text="The bridge is **raised** and\n\n- waits\n"))
    word = at(viewer, growing).get_by_text("raised")
    await expect(word).to_be_in_viewport()
    await viewer.rest()
    await word.dblclick()
    selected = "document.getSelection().toString().trim()"
    assert await viewer.page.evaluate(selected) == "raised"
    place = await place_of(word)
    for number in range(40):
        tell(viewer, session, TextGrew(growing, "text", f"- item {number}\n"))
        await painted(viewer)
    put(viewer, session, line(500))
    await expect(jump(viewer)).to_contain_text("1 new")  # the end went on without the reader
    assert await viewer.page.evaluate(selected) == "raised"
    assert await place_of(word) == place

    await jump(viewer).click()
    await expect(at(viewer, "b500")).to_be_in_viewport()


REFERRED = "First [one], which waits.\n\nThen **marked** words.\n\nThe end.\n"
LOGS = LogsAttachment(title="Tests", text="a marked line\n")
SENT_AGAIN: dict[str, tuple[Block, Block]] = {  # a block, and the same as it is sent once more
    "a reference that comes last": (
        AssistantBlock(id=BlockId("b"), text=REFERRED),
        AssistantBlock(id=BlockId("b"), text=f"{REFERRED}\n[one]: https://example.com\n\nAnew.\n"),
    ),
    "facts": (
        InfoBlock(id=BlockId("b"), title="", facts=(Fact("cwd", "a marked folder"),)),
        InfoBlock(id=BlockId("b"), title="Anew.", facts=(Fact("cwd", "a marked folder"),)),
    ),
    "what hangs on it": (
        AssistantBlock(id=BlockId("b"), attachments=(LOGS,)),
        AssistantBlock(
            id=BlockId("b"), attachments=(LogsAttachment(title="Tests", text="a marked line\nAnew.\n"),)
        ),
    ),
    "a plan": (
        PlanBlock(id=BlockId("b"), steps=(PlanStep("a marked step", "inProgress"),)),
        PlanBlock(id=BlockId("b"), steps=(PlanStep("a marked step", "completed"),), text="Anew."),
    ),
}


@pytest.mark.parametrize("what", SENT_AGAIN)
async def test_a_selection_stays_when_its_block_is_shown_again(viewer: Viewer, what: str) -> None:
    before, after = SENT_AGAIN[what]
    session = await begin_tall(viewer)
    put(viewer, session, before)
    await expect(at(viewer, "b")).to_be_visible()
    for summary in await at(viewer, "b").locator("details:not([open]) > summary").all():
        await summary.click()
    await expect(at(viewer, "b")).to_contain_text("marked")
    await at(viewer, "b").evaluate(SELECT, "marked")
    put(viewer, session, after)
    await expect(at(viewer, "b")).to_contain_text("Anew.")
    assert await viewer.page.evaluate("getSelection().toString()") == "marked"


async def test_the_end_is_followed_until_the_reader_goes_up_and_again_after_the_button(
    viewer: Viewer,
) -> None:
    session = await begin_long(viewer)
    await expect(jump(viewer)).to_have_count(0)
    put(viewer, session, line(60))
    await expect(at(viewer, "b60")).to_be_in_viewport()
    tell(viewer, session, *(TextGrew(BlockId("b60"), "text", f"\n\nmore {number}") for number in range(30)))
    await expect(at(viewer, "b60").get_by_text("more 29")).to_be_in_viewport()
    assert await to_end(viewer) <= NEAR

    await viewer.log.hover()
    await viewer.page.mouse.wheel(0, -1500)
    for number in range(30):  # while it still streams
        tell(viewer, session, TextGrew(BlockId("b60"), "text", f"\n\nstill {number}"))
        await painted(viewer)
    await expect(jump(viewer)).to_be_visible()
    shown = viewer.log.locator("[data-block]").nth(2)
    block = await shown.get_attribute("data-block")
    assert block
    place = await place_of(at(viewer, block))
    put(viewer, session, line(61))
    await expect(jump(viewer)).to_have_text(re.compile("1 new$"))
    tell(viewer, session, TextGrew(BlockId("b60"), "text", "\n\nand much more" * 50))
    put(viewer, session, line(62), line(63))
    await expect(jump(viewer)).to_have_text(re.compile("3 new$"))
    await painted(viewer)
    assert await place_of(at(viewer, block)) == place

    await jump(viewer).click()
    await expect(at(viewer, "b63")).to_be_in_viewport()
    await expect(jump(viewer)).to_have_count(0)
    await expect(viewer.log).to_be_focused()
    put(viewer, session, line(64))
    await expect(at(viewer, "b64")).to_be_in_viewport()


async def test_the_keyboard_leaves_the_end_and_comes_back(viewer: Viewer) -> None:
    session = await begin_long(viewer)
    await viewer.log.focus()
    await viewer.page.keyboard.press("PageUp")
    await expect(jump(viewer)).to_be_visible()
    put(viewer, session, line(60))
    await expect(jump(viewer)).to_contain_text("1 new")
    await viewer.page.keyboard.press("Home")
    await expect(at(viewer, "b0")).to_be_in_viewport()
    await expect(jump(viewer)).to_be_visible()
    await viewer.page.keyboard.press("End")
    await expect(at(viewer, "b60")).to_be_in_viewport()
    await expect(jump(viewer)).to_have_count(0)


async def test_only_what_is_in_sight_is_made_and_nothing_is_missing(viewer: Viewer) -> None:
    await begin_long(viewer, 2_000)
    assert await viewer.log.locator("[data-block]").count() < 60
    for share in (0.5, 0, 1):
        await viewer.log.evaluate("(log, share) => { log.scrollTop = log.scrollHeight * share; }", share)
        await painted(viewer)
        numbers = [
            int(str(block).removeprefix("b"))
            for block in await viewer.log.locator('[data-block^="b"]').evaluate_all(
                "(all) => all.map((one) => one.dataset.block)"
            )
        ]
        assert numbers == list(range(numbers[0], numbers[-1] + 1))
        assert len(numbers) < 60
    await expect(at(viewer, "b1999")).to_be_in_viewport()


async def test_another_session_has_another_log_and_each_its_own_opened_details(viewer: Viewer) -> None:
    other = await viewer.live.create()
    mine = await viewer.create()
    for session, text in ((mine, "mine"), (other, "theirs")):
        put(
            viewer,
            session,
            UserBlock(id=BlockId("same"), text=text),
            CommandBlock(
                id=BlockId("c"), command=text, summary=text, output=f"of {text}", status="completed"
            ),
        )
    await expect(at(viewer, "same")).to_have_text(re.compile("^mine"))
    before = await at(viewer, "same").element_handle()
    await summary_of(at(viewer, "c")).click()
    await expect(at(viewer, "c")).to_contain_text("of mine")

    await viewer.show(other)
    await expect(at(viewer, "same")).to_have_text(re.compile("^theirs"))
    await expect(at(viewer, "c").locator("details")).not_to_have_attribute("open", "")
    assert not await is_same(at(viewer, "same"), before)
    put(viewer, mine, line(1))  # while it is not looked at
    await viewer.show(mine)
    await expect(at(viewer, "b1")).to_be_in_viewport()
    await expect(at(viewer, "c")).to_contain_text("of mine")
    await expect(viewer.log).not_to_contain_text("theirs")


async def test_opened_details_are_open_again_after_a_reload_and_closed_ones_closed(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    put(
        viewer,
        session,
        ReasoningBlock(id=BlockId("r"), summary=("think",), raw=("a raw thought",), status="completed"),
        CommandBlock(id=BlockId("c"), command="ls", summary="ls", output="listed", status="completed"),
        CommandBlock(id=BlockId("d"), command="df", summary="df", output="free", status="completed"),
    )
    await summary_of(at(viewer, "r")).click()
    await at(viewer, "r").get_by_text("Raw", exact=True).click()
    await summary_of(at(viewer, "c")).click()
    await summary_of(at(viewer, "d")).click()
    await expect(at(viewer, "d")).to_contain_text("free")
    await summary_of(at(viewer, "d")).click()
    await expect(at(viewer, "d")).not_to_contain_text("free")
    await viewer.page.reload()
    await expect(at(viewer, "r")).to_contain_text("a raw thought")
    await expect(at(viewer, "c")).to_contain_text("listed")
    await expect(at(viewer, "d")).to_be_visible()
    await expect(at(viewer, "d")).not_to_contain_text("free")
    kept: list[str] = await viewer.page.evaluate("Object.values(localStorage)")
    assert any(session in value for value in kept)  # by the page, for itself
    assert "a raw thought" not in "".join(kept)


async def test_another_profile_has_opened_nothing(viewer: Viewer, served: ServedPage) -> None:
    session = await begin_tall(viewer)
    block = CommandBlock(id=BlockId("c"), command="ls", summary="ls", output="listed", status="completed")
    put(viewer, session, block)
    await summary_of(at(viewer, "c")).click()
    await expect(at(viewer, "c")).to_contain_text("listed")
    async with served.viewer() as other:
        await other.enter(session)
        await expect(at(other, "c")).to_be_visible()
        await expect(at(other, "c")).not_to_contain_text("listed")


def page_of(numbers: range) -> tuple[tuple[UserBlock | AssistantBlock, ...], tuple[Run, ...]]:
    blocks: list[UserBlock | AssistantBlock] = []
    for number in numbers:
        run = RunId(f"run{number}")
        blocks.append(UserBlock(id=BlockId(f"u{number}"), run=run, text=f"question {number}"))
        text = f"reply {number}\n\n" + "words " * (20 + 90 * (number % 3))
        blocks.append(AssistantBlock(id=BlockId(f"a{number}"), run=run, text=text, status="completed"))
    return tuple(blocks), tuple(Run(id=RunId(f"run{number}"), outcome="completed") for number in numbers)


async def test_what_came_earlier_is_put_before_and_the_reader_stays_where_they_are(viewer: Viewer) -> None:
    session = await viewer.create()
    blocks, runs = page_of(range(20, 40))
    tell(viewer, session, HistoryPut(blocks, runs, earlier="cursor"))
    await expect(at(viewer, "a39")).to_be_in_viewport()
    await viewer.log.focus()
    await viewer.page.keyboard.press("Home")
    button = viewer.page.get_by_role("button", name="Load earlier")
    await expect(button).to_be_in_viewport()
    await painted(viewer)
    place = await place_of(at(viewer, "u20"))
    blocks, runs = page_of(range(20))
    tell(viewer, session, HistoryPut(blocks, runs, older=True))
    await expect(at(viewer, "a19")).to_be_attached()
    await painted(viewer)
    moved = await place_of(at(viewer, "u20")) - place
    assert abs(moved) < 60, "only the button may have gone from above"
    await expect(button).to_have_count(0)
    await viewer.page.keyboard.press("Home")
    await expect(at(viewer, "u0")).to_be_in_viewport()


async def test_load_earlier_asks_the_agent_for_its_past_page_by_page(
    served: ServedPage, tmp_path: Path
) -> None:
    async with open_setup(tmp_path) as setup:
        setup.write_settings(history_pageRuns=2)
        async with setup.run() as live:
            session = await live.create()
            for number in range(5):
                await live.play(session, f"demo:search {number}")
        forget_blocks(setup)
        async with (
            setup.run() as live,
            serving(live.app, setup.folder) as doors,
            ServedPage(served.profiles, setup, live, doors).viewer() as viewer,
        ):
            await viewer.enter(session)
            button = viewer.page.get_by_role("button", name="Load earlier")
            for first in (3, 1, 0):
                texts = [re.compile(f"^demo:search {number}") for number in range(first, 5)]
                await expect(viewer.block("user")).to_have_text(texts)
                if first:
                    await button.click()
            await expect(button).to_have_count(0)


async def test_a_cleared_log_is_empty(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.live.play(session, "demo:text")
    await expect(viewer.block("assistant")).to_be_visible()
    await viewer.say("/clear")
    await expect(viewer.block("assistant")).to_have_count(0)
    await expect(viewer.block("user")).to_have_count(0)


async def test_what_is_said_is_right_above_the_input(viewer: Viewer) -> None:
    """Whether a scrollbar takes room or not."""
    await begin_long(viewer)
    middle = "(one) => { const box = one.getBoundingClientRect(); return box.left + box.width / 2; }"
    for width in (1440, 1024, 390):
        await viewer.page.set_viewport_size({"width": width, "height": 800})
        said = viewer.log.locator("[data-block]").last
        await expect(said).to_be_in_viewport()
        field = viewer.page.locator("textarea.composer-input")
        assert abs(await said.evaluate(middle) - await field.evaluate(middle)) <= 1
