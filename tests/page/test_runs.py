"""A run in the log: its tool work in one line, its end, what can be done about it, and the search."""

import re

import pytest
from playwright.async_api import Locator, expect
from tests.page.session_blocks import answer, at, begin_tall, put, summary_of, tell
from tests.page.viewer import Viewer

from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    McpBlock,
    ReasoningBlock,
    UserBlock,
)
from bascule.model.changes import RunPut
from bascule.model.ids import BlockId, RunId, SessionId
from bascule.model.session import Run

pytestmark = pytest.mark.asyncio(loop_scope="session")

RUN = RunId("r1")


def work(*, last: str = "completed") -> tuple[Block, ...]:
    return (
        UserBlock(id=BlockId("u"), run=RUN, text="what is asked"),
        CommandBlock(
            id=BlockId("c1"),
            run=RUN,
            command="cat a b",
            summary="cat a b",
            status="completed",
            does="read",
            reads=2,
            duration_ms=1_200,
        ),
        ReasoningBlock(id=BlockId("t1"), run=RUN, summary=("thinking",), status="completed"),
        CommandBlock(
            id=BlockId("c2"),
            run=RUN,
            command="make",
            summary="make",
            output="a needle\n",
            status="completed",
            duration_ms=800,
        ),
        McpBlock(id=BlockId("m1"), run=RUN, server="demo", tool="define", status=last),  # type: ignore[arg-type]
    )


def group(viewer: Viewer) -> Locator:
    return viewer.log.locator(".blocks-group")


def ending(viewer: Viewer) -> Locator:
    return viewer.log.locator(".blocks-end")


async def begin_work(viewer: Viewer, *blocks: Block) -> SessionId:
    session = await begin_tall(viewer)
    tell(viewer, session, RunPut(Run(id=RUN, started_at_ms=1_000)))
    put(viewer, session, *blocks)
    return session


async def test_tool_work_is_folded_once_the_agent_goes_on_and_opens_in_place(viewer: Viewer) -> None:
    session = await begin_work(viewer, *work())
    for block in ("c1", "t1", "c2", "m1"):
        await expect(summary_of(at(viewer, block))).to_be_visible()  # it may be what is read right now
    await expect(group(viewer)).to_have_count(0)

    put(viewer, session, AssistantBlock(id=BlockId("a"), run=RUN, text="Now I know.", status="completed"))
    await expect(summary_of(group(viewer))).to_have_text(
        re.compile(r"^Read 2 files, ran 1 command, called 1 tool\s*2.0 s$")
    )
    await expect(at(viewer, "c1")).to_have_count(0)
    await summary_of(group(viewer)).click()
    await expect(summary_of(at(viewer, "c1"))).to_contain_text("Read cat a b")
    await summary_of(at(viewer, "c2")).click()
    await expect(at(viewer, "c2")).to_contain_text("a needle")
    await viewer.page.reload()
    await expect(at(viewer, "c2")).to_contain_text("a needle")  # it stays as it was left


async def test_what_is_being_read_stays_in_sight_when_it_is_folded(viewer: Viewer) -> None:
    session = await begin_work(viewer, *work())
    await summary_of(at(viewer, "c2")).click()
    await expect(at(viewer, "c2")).to_contain_text("a needle")
    put(viewer, session, AssistantBlock(id=BlockId("a"), run=RUN, text="Now I know.", status="completed"))
    await expect(group(viewer)).to_have_count(1)
    await expect(at(viewer, "c2")).to_contain_text("a needle")


async def test_work_that_goes_on_is_not_folded_and_a_failure_shows_on_the_fold(viewer: Viewer) -> None:
    session = await begin_work(viewer, *work(last="inProgress"))
    put(viewer, session, AssistantBlock(id=BlockId("a"), run=RUN, text="Meanwhile.", status="completed"))
    await expect(at(viewer, "a")).to_be_visible()
    await expect(summary_of(at(viewer, "m1"))).to_contain_text("Calling demo/define")
    await expect(group(viewer)).to_have_count(0)
    put(viewer, session, McpBlock(id=BlockId("m1"), run=RUN, server="demo", tool="define", status="failed"))
    await expect(group(viewer).get_by_role("img", name="Failed")).to_be_visible()


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        ("completed", "Done in 47.0 s · 3.1K tokens"),
        ("interrupted", "Interrupted after 47.0 s · 3.1K tokens"),
        ("failed", "Failed after 47.0 s · 3.1K tokens"),
    ],
)
async def test_a_run_ends_in_one_line(viewer: Viewer, outcome: str, words: str) -> None:
    session = await begin_work(viewer, *work())
    await expect(ending(viewer)).to_have_count(0)
    run = Run(id=RUN, outcome=outcome, started_at_ms=1_000, ended_at_ms=48_000, tokens=3_100)  # type: ignore[arg-type]
    tell(viewer, session, RunPut(run))
    await expect(ending(viewer).locator(".blocks-end-words")).to_have_text(words)
    await expect(ending(viewer).get_by_role("button", name="Retry")).to_have_count(int(outcome == "failed"))
    await expect(ending(viewer).get_by_role("button", name="Undo")).to_have_count(0)  # it changed nothing


async def test_what_a_run_changed_is_undone_after_one_yes_and_brought_back_by_the_toast(
    viewer: Viewer,
) -> None:
    session = await begin_tall(viewer)
    wordkit = viewer.setup.project / "wordkit.py"
    before = wordkit.read_text(encoding="utf-8")
    await viewer.live.play(session, "demo:edit")
    after = wordkit.read_text(encoding="utf-8")
    assert after != before
    await expect(ending(viewer)).to_contain_text(re.compile(r"^Done in .* · 2 files \+14"))

    await ending(viewer).get_by_role("button", name="Review").click()
    await expect(viewer.pane.get_by_role("button", name="Revert all")).to_be_enabled()
    await ending(viewer).get_by_role("button", name="Undo").click()
    ask = viewer.page.get_by_role("region", name="Waiting for your answer")
    await answer(ask, "Yes, exactly this")
    toast = viewer.page.get_by_role("region", name="Messages")
    await expect(toast).to_contain_text("The changes of this run are reverted.")
    assert wordkit.read_text(encoding="utf-8") == before
    await expect(ending(viewer)).to_contain_text("· reverted")
    await expect(ending(viewer).get_by_role("button", name="Undo")).to_have_count(0)
    await expect(viewer.pane.get_by_text("reverted", exact=True).first).to_be_visible()
    await expect(viewer.pane.get_by_role("button", name="Revert all")).to_have_count(0)
    await expect(ending(viewer)).not_to_contain_text("+14")
    await toast.get_by_role("button", name="Undo").click()  # the click is the yes
    await expect(toast).to_contain_text("The changes of this run are back.")
    await viewer.live.until(session, lambda seen: any(one.id.startswith("undo:") for one in seen.blocks))
    await expect(ending(viewer).get_by_role("button", name="Undo")).to_be_enabled()
    assert wordkit.read_text(encoding="utf-8") == after
    await expect(viewer.pane.get_by_role("button", name="Revert all")).to_be_enabled()


async def test_a_run_that_failed_is_tried_again(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    await viewer.live.play(session, "demo:error")
    await expect(ending(viewer)).to_contain_text("Failed after")
    await ending(viewer).get_by_role("button", name="Retry").click()
    await viewer.until_said(session, 2)
    await expect(viewer.block("user")).to_have_text([re.compile("demo:error")] * 2)
    await expect(ending(viewer)).to_have_count(2)
    await expect(ending(viewer).get_by_role("button", name="Retry")).to_have_count(1)  # of the latest alone


async def test_all_of_the_log_is_searched_whatever_is_drawn_or_folded(viewer: Viewer) -> None:
    session = await viewer.begin()
    put(viewer, session, *work())
    put(
        viewer,
        session,
        *(
            AssistantBlock(id=BlockId(f"b{number}"), text=f"answer {number}\n\n" + "words " * 60)
            for number in range(120)
        ),
    )
    tell(viewer, session, RunPut(Run(id=RUN, outcome="completed")))
    await expect(at(viewer, "b119")).to_be_in_viewport()
    await expect(at(viewer, "c2")).to_have_count(0)

    await viewer.log.focus()
    await viewer.page.keyboard.press("Control+f")
    field = viewer.page.get_by_role("textbox", name="Find in this session")
    await expect(field).to_be_focused()
    await field.fill("NEEDLE")
    await expect(viewer.page.get_by_role("search")).to_contain_text("1 of 1")
    await expect(at(viewer, "c2").get_by_text("a needle")).to_be_in_viewport()
    marked = "[...CSS.highlights.get('log-found')].map((range) => range.toString())"
    assert await viewer.page.evaluate(marked) == ["needle"]

    await field.fill("answer 1")
    await expect(viewer.page.get_by_role("search")).to_contain_text("1 of 31")  # the nearest
    await expect(at(viewer, "b1")).to_be_in_viewport()
    await field.press("Enter")
    await expect(viewer.page.get_by_role("search")).to_contain_text("31 of 31")
    await expect(at(viewer, "b119")).to_be_in_viewport()
    await viewer.page.wait_for_function("CSS.highlights.get('log-found').size > 1")  # all in view
    await field.press("Enter")
    await expect(viewer.page.get_by_role("search")).to_contain_text("30 of 31")
    await expect(at(viewer, "b118")).to_be_in_viewport()
    await field.fill("nowhere to be found")
    await expect(viewer.page.get_by_role("search")).to_contain_text("No match")
    await field.press("Escape")
    await expect(field).to_have_count(0)
    await expect(viewer.log).to_be_focused()
    assert not await viewer.page.evaluate("CSS.highlights.has('log-found')")


A_WHILE = "new Promise((done) => setTimeout(done, 500))"  # in which the list measures what it has drawn
FOUND_IS_IN_VIEW = """
() => {
  const [range] = CSS.highlights.get("log-found-now") ?? [];
  const spot = range?.getBoundingClientRect();
  const log = document.querySelector("[role=log]").getBoundingClientRect();
  return spot !== undefined && spot.top >= log.top && spot.bottom <= log.bottom;
}"""


async def test_words_are_shown_wherever_they_are_in_an_answer_longer_than_the_view(viewer: Viewer) -> None:
    session = await viewer.begin()
    long = "\n\n".join(["the needle at its start", *["words " * 60] * 200, "the needle at its end"])
    put(viewer, session, AssistantBlock(id=BlockId("long"), text=long, final=True, status="completed"))
    put(
        viewer,
        session,
        *(AssistantBlock(id=BlockId(f"b{number}"), text="words " * 60) for number in range(40)),
    )
    await expect(at(viewer, "b39")).to_be_in_viewport()
    await viewer.page.keyboard.press("Control+f")
    field = viewer.page.get_by_role("textbox", name="Find in this session")
    for words in ("at its start", "at its end", "at its start"):
        await field.fill(words)
        await expect(viewer.page.get_by_role("search")).to_contain_text("1 of 1")
        await viewer.page.wait_for_function(FOUND_IS_IN_VIEW)
        await viewer.page.evaluate(A_WHILE)
        assert await viewer.page.evaluate(FOUND_IS_IN_VIEW)
