"""Plans, searches, notices and thoughts: what each says, folded and opened, and what hangs on it."""

import json
import re

import pytest
from playwright.async_api import expect
from tests.agents.codex.listening import Listener
from tests.page.session_blocks import at, begin_tall, hear, put, summary_of, tell
from tests.page.viewer import ServedPage, Viewer

from bascule.model.attachments import (
    DiffAttachment,
    DiffFileSummary,
    ErrorAttachment,
    LogsAttachment,
    StatusAttachment,
)
from bascule.model.blocks import (
    AssistantBlock,
    ReasoningBlock,
    RemoteBlock,
    UserBlock,
)
from bascule.model.changes import TextGrew
from bascule.model.ids import BlockId, RunId

pytestmark = pytest.mark.asyncio(loop_scope="session")

NOTE_THE_HIT = """
(button) => button.addEventListener("click", (click) => {
  button.dataset.hit = "";
  click.stopPropagation();
})"""


async def test_a_plan_shows_a_sign_for_each_step_and_follows_the_work(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    wire = Listener()
    wire.begin()
    steps = [
        ("Stop **all** traffic", "completed"),
        ("Raise the leaf", "inProgress"),
        ("Let it pass", "pending"),
    ]
    wire.tell(
        "turn/plan/updated",
        turnId="r",
        explanation="In *order*.",
        plan=[{"step": step, "status": status} for step, status in steps],
    )
    hear(viewer, session, wire)
    plan = viewer.block("plan")
    await expect(summary_of(plan)).to_contain_text("1 of 3 done")
    rows = plan.get_by_role("listitem")
    await expect(rows.nth(0).get_by_role("img", name="Completed")).to_be_visible()
    await expect(rows.nth(1).get_by_role("img", name="In progress")).to_be_visible()
    await expect(rows.nth(2).get_by_role("img", name="To do")).to_be_visible()
    await expect(rows.nth(0).locator("strong")).to_have_text("all")
    await expect(plan.locator("em")).to_have_text("order")

    await viewer.live.play(session, "demo:plan")
    mine = viewer.block("plan").nth(1)
    await expect(mine.get_by_role("listitem")).to_have_text(
        ["Stop the traffic", "Raise the leaf", "Let the ship through"]
    )
    await expect(mine.get_by_role("img", name="Completed")).to_have_count(3)
    await expect(mine).to_contain_text("The ship is through.")
    await expect(viewer.block("plan")).to_have_count(2)  # three updates are one block


async def test_a_web_search_is_one_line_that_goes_from_turning_to_a_tick(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    wire = Listener()
    wire.tell_legacy("web_search_begin", call_id="s")
    hear(viewer, session, wire)
    card = at(viewer, "s")
    await expect(card.get_by_role("img", name="In progress")).to_be_visible()
    wire.tell_legacy("web_search_end", call_id="s", query="bascule bridges", action={"type": "search"})
    hear(viewer, session, wire)
    await expect(card.get_by_role("img", name="Completed")).to_be_visible()
    await expect(card.locator(".blocks-summary")).to_have_text("Searched the web bascule bridges")
    await expect(card.locator(".blocks-sign > svg")).to_have_count(1)
    await expect(card.locator("details")).to_have_count(0)
    box = await card.bounding_box()
    assert box
    assert box["height"] < 48

    await viewer.live.play(session, "demo:search")
    await expect(viewer.block("webSearch").nth(1)).to_contain_text("how does a bascule bridge work")
    await expect(viewer.block("system")).to_have_count(0)


async def test_a_compaction_is_a_line_across_the_log(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    wire = Listener()
    wire.begin(at_ms=1_000)
    wire.tell("thread/compacted", 22_000, turnId="r")
    hear(viewer, session, wire)
    divider = viewer.block("divider")
    await expect(divider.get_by_text("Worked for 21s")).to_be_visible()
    await expect(divider.get_by_text("• Context compacted")).to_be_visible()
    sides = await divider.get_by_text("Worked for 21s").evaluate(
        "(one) => ['::before', '::after'].map((side) => getComputedStyle(one, side).borderTopStyle)"
    )
    assert sides == ["solid", "solid"]


async def test_a_session_begins_with_a_quiet_line_of_a_few_facts(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    card = viewer.block("info").first
    weights = (
        "(one) => [...one.querySelectorAll('span, dt, dd')].map((part) => getComputedStyle(part).fontWeight)"
    )
    assert set(await card.evaluate(weights)) == {"400"}
    for width in (1280, 390):
        await viewer.page.set_viewport_size({"width": width, "height": 844})
        assert (
            await card.evaluate("(one) => one.getBoundingClientRect().height") < 24
        )  # one line, on a phone too
    await expect(card).to_contain_text("Session started")
    # the demo's repository has no origin
    await expect(card.get_by_role("term")).to_have_text(["folder", "agent version"])
    facts = card.get_by_role("definition")
    await expect(facts.nth(0)).to_have_text("~/wordkit")
    await expect(facts.nth(1)).to_have_text(re.compile(r"^\d+\.\d+\.\d+"))

    wire = Listener()
    git = {"originUrl": "https://example.com/demo.git", "sha": "abc", "branch": "main"}
    thread = {"id": "t", "cwd": "/home/dev/demo", "cliVersion": "0.163.0", "gitInfo": git}
    wire.tell_agent("thread/started", thread=thread)
    hear(viewer, session, wire)
    await expect(at(viewer, "started:t").get_by_role("definition")).to_have_text(
        ["/home/dev/demo", "0.163.0", "https://example.com/demo.git"]
    )
    await expect(viewer.block("system")).to_have_count(0)


async def test_what_nobody_knows_is_kept_folded_as_other_events(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    wire = Listener()
    wire.begin()
    wire.tell_legacy("hologram_shown", colour="blue")
    hear(viewer, session, wire)
    events = viewer.block("system")
    await expect(summary_of(events)).to_have_text("Other events (debug)")
    await expect(events).not_to_contain_text("hologram")
    await summary_of(events).click()
    await expect(events.locator("pre")).to_have_text(
        'codex/event/hologram_shown {"type":"hologram_shown","colour":"blue"}\n'
    )
    wire.tell_legacy("hologram_hidden")
    hear(viewer, session, wire)
    await expect(events.locator("pre")).to_contain_text("hologram_hidden")
    await expect(events).to_have_count(1)


async def test_reasoning_opens_to_its_summary_and_in_it_to_the_raw_thought(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    await viewer.live.play(session, "demo:reasoning")
    block = viewer.block("reasoning")
    await expect(summary_of(block)).to_contain_text("Choosing an answer")
    await summary_of(block).click()
    await expect(block.locator("strong")).to_have_text(["Reading the question", "Choosing an answer"])
    await expect(block.get_by_text("Raw")).to_have_count(0)

    put(viewer, session, ReasoningBlock(id=BlockId("t"), summary=("a *summary*",), raw=("first *raw*\n",)))
    thought = at(viewer, "t")
    await summary_of(thought).click()
    await expect(thought.locator("em")).to_have_text("summary")
    await expect(thought).not_to_contain_text("first *raw*")
    await thought.get_by_text("Raw", exact=True).click()
    await expect(thought.locator("pre")).to_have_text("first *raw*\n")
    await expect(thought.get_by_role("img", name="In progress")).to_be_visible()
    tell(
        viewer,
        session,
        TextGrew(BlockId("t"), "raw", "second", 0),
        TextGrew(BlockId("t"), "summary", " grows"),
    )
    await expect(thought.locator("pre")).to_have_text("first *raw*\nsecond")
    await expect(thought.locator(".blocks-inside > .text-markdown")).to_have_text("a summary grows")


async def test_what_is_said_remotely_has_its_author_and_what_a_person_said_its_circumstances(
    viewer: Viewer,
) -> None:
    session = await begin_tall(viewer)
    put(
        viewer,
        session,
        RemoteBlock(id=BlockId("r"), text="please **patch**", author="Wen", at_ms=1_800_000_000_000),
        UserBlock(id=BlockId("waits"), text="not yet there", sent=False),
        UserBlock(id=BlockId("into"), text="and this", steered=True, run=RunId("x")),
    )
    await expect(at(viewer, "r").locator(".blocks-author")).to_have_text("Wen")
    await expect(at(viewer, "r").locator("strong")).to_have_text("patch")
    await expect(at(viewer, "r").locator("time")).to_have_attribute("datetime", "2027-01-15T08:00:00.000Z")
    await expect(at(viewer, "waits")).to_contain_text("Not sent yet")
    await expect(at(viewer, "into")).to_contain_text("Added to the current run")


async def test_logs_status_and_errors_hang_on_a_block(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    attached = (
        LogsAttachment(title="Tests", text="\x1b[31m1 failed\x1b[0m\n"),
        LogsAttachment(text="untitled"),
        StatusAttachment(title="Machine", json={"cpu": [1, 2], "up": True}),
        StatusAttachment(json="fine"),
        ErrorAttachment(
            title="Refused", code="workspace_busy", message="Somebody writes", details={"who": "Ann"}
        ),
        ErrorAttachment(code="E1", message="no more is known"),
    )
    put(
        viewer,
        session,
        AssistantBlock(id=BlockId("a"), text="Done.", status="completed", attachments=attached),
    )
    hung = at(viewer, "a").locator(".blocks-attachment")
    await expect(hung).to_have_count(6)
    await expect(hung.nth(0)).not_to_contain_text("1 failed")
    await summary_of(hung.nth(0)).click()
    await expect(hung.nth(0).get_by_role("group", name="Output")).to_have_text("1 failed")
    await expect(summary_of(hung.nth(0))).to_have_text("Tests")
    await expect(summary_of(hung.nth(1))).to_have_text("Logs")
    await expect(summary_of(hung.nth(2))).to_have_text("Machine")
    await expect(hung.nth(2)).not_to_contain_text("cpu")
    await summary_of(hung.nth(2)).click()
    shown = await hung.nth(2).get_by_role("group", name="Code, json").text_content()
    assert json.loads(shown or "") == {"cpu": [1, 2], "up": True}
    await expect(summary_of(hung.nth(3))).to_have_text("Status")
    await summary_of(hung.nth(3)).click()
    await expect(hung.nth(3).locator("pre")).to_have_text('"fine"')
    await expect(hung.nth(4)).to_contain_text("Refusedworkspace_busy Somebody writes")
    await summary_of(hung.nth(4)).click()
    await expect(hung.nth(4).get_by_role("group", name="Code, json")).to_contain_text('"who": "Ann"')
    await expect(hung.nth(5)).to_have_text("ErrorE1 no more is known")
    await expect(hung.nth(5).locator("details")).to_have_count(0)


async def test_a_diff_that_hangs_on_a_block_names_its_files(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    files = (
        DiffFileSummary(path="a.py", additions=3, deletions=1),
        DiffFileSummary(path="docs/b.md", additions=0, deletions=7),
    )
    diff = DiffAttachment(diff_id="d", title="A patch", unified_diff="", files=files)
    put(viewer, session, AssistantBlock(id=BlockId("a"), text="", status="completed", attachments=(diff,)))
    hung = at(viewer, "a").locator(".blocks-attachment")
    await expect(hung.get_by_role("listitem")).to_have_text(
        [re.compile(r"a\.py.*\+3.*−1"), re.compile(r"^docs/b\.md −7")]
    )
    await expect(hung.get_by_role("button")).to_have_text(["View Diff", "Apply Diff"])


async def test_a_tap_hits_the_button_that_was_there_when_it_began(served: ServedPage) -> None:
    """On glass, the actions of the block that was tapped are shown under it, and those of the last one go."""
    diff = DiffAttachment(
        diff_id="d",
        title="A patch",
        unified_diff="",
        files=(DiffFileSummary(path="a.py", additions=3, deletions=0),),
    )
    async with served.viewer(has_touch=True, is_mobile=True) as viewer:
        await viewer.page.set_viewport_size({"width": 390, "height": 844})
        session = await begin_tall(viewer)
        for block in ("a", "b"):
            put(
                viewer,
                session,
                AssistantBlock(
                    id=BlockId(block), text="A patch.", final=True, status="completed", attachments=(diff,)
                ),
            )
        for block in ("a", "b"):
            await expect(at(viewer, block).get_by_role("group", name="Actions")).to_be_hidden()
            view = at(viewer, block).get_by_role("button", name="View Diff")
            await view.evaluate(NOTE_THE_HIT)
            where = await view.bounding_box()
            assert where
            await viewer.page.touchscreen.tap(where["x"] + 20, where["y"] + where["height"] / 2)
            await expect(view).to_have_attribute("data-hit", "")
            await expect(at(viewer, block).get_by_role("group", name="Actions")).to_be_visible()
