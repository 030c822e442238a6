"""Every kind of block: its colour, its line, its sign, and what it holds when it is opened."""

import colorsys
import json
import re

import pytest
from playwright.async_api import Locator, expect
from tests.agents.codex.listening import Listener
from tests.agents.codex.test_blocks import NOISE
from tests.page.telling import at, begin_tall, hear, put, summary_of, tell
from tests.page.viewer import Theatre, Viewer

from bascule.model.attachments import (
    DiffAttachment,
    DiffFileSummary,
    ErrorAttachment,
    LogsAttachment,
    StatusAttachment,
)
from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    DividerBlock,
    ErrorBlock,
    FileChangeBlock,
    FileEdit,
    InfoBlock,
    McpBlock,
    PlanBlock,
    PlanStep,
    Progress,
    ReasoningBlock,
    RemoteBlock,
    SystemBlock,
    UserBlock,
    WebSearchBlock,
)
from bascule.model.changes import TextGrew
from bascule.model.ids import BlockId, RunId

pytestmark = pytest.mark.asyncio(loop_scope="module")

HUES = {  # of edge and ground, in degrees; none: it is neutral
    "user": (210, 235, True),
    "assistant": None,
    "reasoning": (130, 155, False),
    "system": (40, 60, False),
    "command": (255, 290, False),
    "fileChange": (20, 39, False),
    "mcp": (175, 195, False),
    "webSearch": (200, 212, False),
}
NEUTRAL = 20  # between the most and the least of red, green and blue
SIGNS: dict[Progress, tuple[str, str]] = {
    "completed": ("Completed", "✓"),
    "failed": ("Failed", "✕"),
    "declined": ("Declined", "−"),
    "cancelled": ("Cancelled", "−"),
    "inProgress": ("In progress", ""),
}


def of_every_kind() -> tuple[Block, ...]:
    return (
        UserBlock(id=BlockId("user"), text="what is asked"),
        RemoteBlock(id=BlockId("remote"), text="from afar", author="Wen"),
        AssistantBlock(id=BlockId("assistant"), text="what is answered", final=True, status="completed"),
        ReasoningBlock(id=BlockId("reasoning"), summary=("**Thinking**",), status="completed"),
        CommandBlock(id=BlockId("command"), command="ls", summary="ls", status="completed"),
        FileChangeBlock(
            id=BlockId("fileChange"), files=(FileEdit(path="a.py", change="update"),), status="completed"
        ),
        McpBlock(id=BlockId("mcp"), server="demo", tool="define", status="completed"),
        WebSearchBlock(id=BlockId("webSearch"), query="bridges", status="completed"),
        PlanBlock(id=BlockId("plan"), steps=(PlanStep("Raise", "pending"),)),
        DividerBlock(id=BlockId("divider"), title="Worked for 21s", text="Context compacted"),
        InfoBlock(id=BlockId("info"), title="Session started"),
        SystemBlock(id=BlockId("system"), title="A notice", text="of the system"),
        ErrorBlock(id=BlockId("error"), title="It went wrong", text="because"),
    )


Colour = tuple[int, int, int, float]


async def colours(block: Locator) -> tuple[list[Colour], Colour]:
    """Of its four edges (left, top, right, bottom), and of its ground."""
    told: list[str] = await block.evaluate(
        """(one) => { const style = getComputedStyle(one); return [style.borderLeftColor,
        style.borderTopColor, style.borderRightColor, style.borderBottomColor, style.backgroundColor]; }"""
    )
    *edges, ground = (parse_colour(one) for one in told)
    return edges, ground


def parse_colour(told: str) -> Colour:
    red, green, blue, *rest = (float(number) for number in re.findall(r"[\d.]+", told))
    return int(red), int(green), int(blue), rest[0] if rest else 1.0


def hue(colour: Colour) -> float:
    return colorsys.rgb_to_hsv(*colour[:3])[0] * 360


def is_neutral(colour: Colour) -> bool:
    return colour[3] == 0 or max(colour[:3]) - min(colour[:3]) <= NEUTRAL


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_each_kind_has_the_colour_that_tells_it_apart(theatre: Theatre, scheme: str) -> None:
    async with theatre.viewer(color_scheme=scheme) as viewer:
        session = await begin_tall(viewer)
        put(viewer, session, *of_every_kind())
        await expect(at(viewer, "error")).to_be_visible()
        for kind, told in HUES.items():
            (edge, *_), ground = await colours(at(viewer, kind))
            if told is None:
                assert [is_neutral(edge), is_neutral(ground)] == [True, True], (kind, edge, ground)
                continue
            low, high, is_ground_neutral = told
            assert low <= hue(edge) <= high, (kind, edge, hue(edge))
            assert not is_neutral(edge), kind
            if is_ground_neutral:
                assert is_neutral(ground), (kind, ground)
            else:
                assert low <= hue(ground) <= high, (kind, ground, hue(ground))
                assert ground[3] == 1

        user, _ = await colours(at(viewer, "user"))
        assert len(set(user)) == 1, "the blue goes all around"
        _, info = await colours(at(viewer, "info"))
        assert is_neutral(info), "a notice is a white card"
        assert (min(info[:3]) > 240) == (scheme == "light")
        grounds = [(await colours(at(viewer, kind)))[1] for kind in (*HUES, "info", "error")]
        assert len(set(grounds)) == len(grounds)


async def test_an_error_has_the_frame_of_a_system_notice_and_opens_to_its_details(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    put(viewer, session, *of_every_kind())
    error, system = at(viewer, "error"), at(viewer, "system")
    await expect(error).to_contain_text("It went wrong")
    frame = """(one) => { const style = getComputedStyle(one);
        return [style.borderWidth, style.borderStyle, style.borderRadius, style.padding]; }"""
    assert await error.evaluate(frame) == await system.evaluate(frame)
    for block in (error, system):
        edges, _ = await colours(block)
        assert len(set(edges)) == 1, "the colour goes all around"
    await expect(error.get_by_text("because")).to_be_visible()
    await error.get_by_text("Error details").click()
    await expect(error.get_by_text("because")).to_have_count(0)


def with_status(status: Progress) -> tuple[Block, ...]:
    return (
        ReasoningBlock(id=BlockId(f"reasoning-{status}"), summary=("Thinking",), status=status),
        CommandBlock(id=BlockId(f"command-{status}"), command="ls", summary="ls", status=status),
        FileChangeBlock(
            id=BlockId(f"files-{status}"), files=(FileEdit(path="a.py", change="update"),), status=status
        ),
        McpBlock(id=BlockId(f"mcp-{status}"), server="demo", tool="define", status=status),
    )


async def test_how_far_a_block_is_stands_as_a_sign_at_the_right_of_its_line(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    for status, (name, sign) in SIGNS.items():
        blocks = with_status(status)
        put(viewer, session, *blocks)
        for block in blocks:
            summary = summary_of(at(viewer, block.id))
            icon = summary.get_by_role("img", name=name, exact=True)
            await expect(icon).to_be_visible()
            await expect(icon).to_have_text(sign)
            line, box, words = (
                await summary.bounding_box(),
                await icon.bounding_box(),
                await summary.locator(".blocks-summary").bounding_box(),
            )
            assert line is not None
            assert box is not None
            assert words is not None
            assert line["x"] + line["width"] - (box["x"] + box["width"]) < 2
            assert line["y"] <= box["y"] < line["y"] + 4  # in the first line, which it does not make higher
            assert words["x"] + words["width"] <= box["x"]
            await expect(at(viewer, block.id)).not_to_contain_text("status", ignore_case=True)
    turning = at(viewer, "mcp-inProgress").get_by_role("img", name="In progress")
    assert await turning.evaluate("(one) => getComputedStyle(one, '::before').animationName") == "blocks-turn"

    put(
        viewer, session, McpBlock(id=BlockId("mcp-inProgress"), server="demo", tool="define", status="failed")
    )
    await expect(at(viewer, "mcp-inProgress").get_by_role("img", name="Failed")).to_be_visible()
    await expect(turning).to_have_count(0)


async def test_a_tool_call_says_server_and_tool_and_opens_to_what_went_in_and_out(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    await viewer.life.play(session, "demo:mcp")
    define, sign = viewer.block("mcp").nth(0), viewer.block("mcp").nth(1)
    await expect(define.locator(".blocks-summary")).to_have_text("Tool demo/define")
    await expect(sign.locator(".blocks-summary")).to_have_text("Tool demo/sign_guest_book")
    await expect(define).not_to_contain_text("counterweight")
    await summary_of(define).click()
    await expect(define.get_by_role("group", name="Code, json")).to_have_text('{\n  "word": "bascule"\n}')
    await expect(define).to_contain_text("balanced by a counterweight.")

    put(
        viewer,
        session,
        McpBlock(id=BlockId("broken"), server="s", tool="t", error="no such tool", progress="half way"),
    )
    await summary_of(at(viewer, "broken")).click()
    await expect(at(viewer, "broken")).to_contain_text("no such tool")
    await expect(at(viewer, "broken")).to_contain_text("half way")


async def test_a_command_shows_what_is_run_without_its_wrapper_which_is_there_to_hover(
    viewer: Viewer,
) -> None:
    session = await begin_tall(viewer)
    await viewer.life.play(session, "demo:edit")
    command = viewer.block("command").first
    summary = summary_of(command)
    await expect(summary.locator(".blocks-summary")).to_have_text("Command: cat wordkit.py")
    await expect(summary).to_have_attribute("title", re.compile(r"^/bin/\w+ -lc 'cat wordkit\.py'$"))
    await expect(command).not_to_contain_text("Small functions")

    await summary.click()
    await expect(command.locator("pre").first).to_have_text("cat wordkit.py")
    await expect(command).to_contain_text('"""Small functions about words."""')
    meta = command.locator(".blocks-meta")
    await expect(meta).to_have_text(re.compile(r"^in .*wordkit · exit code 0 · took \d"))
    await summary.click()
    await expect(command).not_to_contain_text("Small functions")


async def test_a_long_command_is_cut_and_one_that_nobody_can_read_says_what_it_does(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    wire = Listener()
    wrapped = "/bin/zsh -lc 'cd /home/dev/demo && rg -n \"" + "needle " * 100 + "\" src'"
    actions = [
        {"type": "read", "command": "x", "name": "a.py", "path": "/w/a.py"},
        {"type": "listFiles", "command": "x", "path": "src"},
        {"type": "search", "command": "x", "query": "needle", "path": "src"},
    ]
    wire.item("commandExecution", id="long", command=wrapped, cwd="/home/dev/demo", status="completed")
    wire.item(
        "commandExecution", id="noise", command=NOISE, commandActions=actions, status="failed", exitCode=3
    )
    hear(viewer, session, wire)

    long = summary_of(at(viewer, "long"))
    await expect(long.locator(".blocks-summary")).to_have_text(
        re.compile(r'^Command: rg -n "needle needle .{60,120}…$')
    )
    await expect(long).to_have_attribute("title", wrapped)
    noise = summary_of(at(viewer, "noise"))
    await expect(noise.locator(".blocks-summary")).to_have_text(
        "Command: read a.py, list files src, search needle in src"
    )
    await expect(noise).to_have_attribute("title", NOISE)
    await noise.click()
    await expect(at(viewer, "noise").locator("pre").first).to_have_text(NOISE)
    await expect(at(viewer, "noise").locator(".blocks-meta").first).to_have_text("exit code 3")


async def test_output_and_input_of_a_command_grow_apart(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    wire = Listener()
    wire.item("commandExecution", done=False, command="python", cwd="/w", status="inProgress")
    hear(viewer, session, wire)
    block = at(viewer, "i")
    await summary_of(block).click()
    wire.tell(
        "item/commandExecution/outputDelta", turnId="r", itemId="i", delta="name? \x1b[32mgreen\x1b[0m\n"
    )
    wire.tell(
        "item/commandExecution/terminalInteraction", turnId="r", itemId="i", processId="1", stdin="Ann\n"
    )
    hear(viewer, session, wire)
    output, typed = block.get_by_role("group", name="Output"), block.get_by_role("group", name="Input")
    await expect(output).to_have_text("name? green")
    await expect(typed).to_have_text("Ann")
    green = await output.get_by_text("green").evaluate("(one) => getComputedStyle(one).color")
    assert 120 <= hue(parse_colour(green)) <= 160
    wire.tell("item/commandExecution/outputDelta", turnId="r", itemId="i", delta="hello Ann\n")
    hear(viewer, session, wire)
    await expect(output).to_have_text("name? green\nhello Ann")


async def test_long_output_shows_its_end_and_all_of_it_when_asked(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    lines = "".join(f"line {n}\n" for n in range(20_000))
    block = CommandBlock(id=BlockId("c"), command="seq", summary="seq", output=lines, status="completed")
    put(viewer, session, block)
    await summary_of(at(viewer, "c")).click()
    shown = at(viewer, "c").get_by_role("group", name="Output")
    await expect(shown).to_contain_text("line 19999")
    await expect(shown).not_to_contain_text("line 12\n")
    await at(viewer, "c").get_by_role("button", name="Show all").click()
    await expect(shown.first).to_contain_text("line 12\n")
    while await (more := at(viewer, "c").get_by_role("button", name="Show the next part")).count():
        pieces = await shown.count()
        await more.click()
        await expect(shown).to_have_count(pieces + 1)
    assert "".join(await shown.all_text_contents()) == lines
    await at(viewer, "c").get_by_role("button", name="Show the last part only").click()
    await expect(shown).to_have_count(1)


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
    await expect(rows).to_have_text([re.compile(f"^{sign}") for sign in ("✅", "▶️", "⏳")])
    await expect(rows.nth(0).get_by_role("img", name="Completed")).to_be_visible()
    await expect(rows.nth(1).get_by_role("img", name="In progress")).to_be_visible()
    await expect(rows.nth(2).get_by_role("img", name="To do")).to_be_visible()
    await expect(rows.nth(0).locator("strong")).to_have_text("all")
    await expect(plan.locator("em")).to_have_text("order")

    await viewer.life.play(session, "demo:plan")
    mine = viewer.block("plan").nth(1)
    await expect(mine.get_by_role("listitem")).to_have_text(
        [re.compile(f"^✅{step}") for step in ("Stop the traffic", "Raise the leaf", "Let the ship through")]
    )
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
    await expect(card.get_by_role("img", name="Completed")).to_have_text("✓")
    await expect(card.locator(".blocks-summary")).to_have_text("🔎 bascule bridges")
    await expect(card.locator("details")).to_have_count(0)
    box = await card.bounding_box()
    assert box
    assert box["height"] < 48

    await viewer.life.play(session, "demo:search")
    await expect(viewer.block("webSearch").nth(1)).to_contain_text("🔎 how does a bascule bridge work")
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


async def test_a_session_begins_with_a_card_of_a_few_facts(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    card = viewer.block("info").first
    await expect(card).to_contain_text("Session started")
    # the demo's repository has no origin
    await expect(card.get_by_role("term")).to_have_text(["cwd", "version"])
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
    await viewer.life.play(session, "demo:reasoning")
    told = viewer.block("reasoning")
    await expect(summary_of(told)).to_contain_text("Choosing an answer")
    await summary_of(told).click()
    await expect(told.locator("strong")).to_have_text(["Reading the question", "Choosing an answer"])
    await expect(told.get_by_text("Raw")).to_have_count(0)

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


async def test_what_is_said_from_afar_has_its_author_and_what_a_person_said_its_circumstances(
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
    await expect(at(viewer, "waits")).to_contain_text("Not yet sent")
    await expect(at(viewer, "into")).to_contain_text("Added to the run that was going")


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
    shown = await hung.nth(2).get_by_role("group", name="Code, json").text_content()
    assert json.loads(shown or "") == {"cpu": [1, 2], "up": True}
    await expect(summary_of(hung.nth(3))).to_have_text("Status")
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
        [re.compile(r"a\.py.*\+3.*−1"), re.compile(r"docs/b\.md.*\+0.*−7")]
    )
    await expect(hung.get_by_role("button")).to_have_text(["View Diff", "Apply Diff"])
