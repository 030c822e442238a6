"""Commands and calls of tools: the line that tells them, and what went in and came out."""

import re

import pytest
from playwright.async_api import expect
from tests.agents.codex.events.test_blocks import NOISE
from tests.agents.codex.listening import Listener
from tests.page.colours import hue, parse_colour
from tests.page.session_blocks import at, begin_tall, hear, put, summary_of, tell
from tests.page.viewer import Viewer

from bascule.model.blocks import CommandBlock, McpBlock
from bascule.model.changes import TextGrew
from bascule.model.ids import BlockId

pytestmark = pytest.mark.asyncio(loop_scope="session")

TOP = "(one) => one.scrollTop"
TO_END = "(one) => one.scrollHeight - one.clientHeight - one.scrollTop"


async def test_a_tool_call_says_server_and_tool_and_opens_to_what_went_in_and_out(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    await viewer.live.play(session, "demo:mcp")
    await summary_of(viewer.log.locator(".blocks-group")).click()
    define, sign = viewer.block("mcp").nth(0), viewer.block("mcp").nth(1)
    await expect(define.locator(".blocks-summary")).to_have_text("Called demo/define")
    await expect(sign.locator(".blocks-summary")).to_have_text("Called demo/sign_guest_book")
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
    await viewer.live.play(session, "demo:edit")
    command = viewer.block("command").first
    summary = summary_of(command)
    await expect(summary.locator(".blocks-summary")).to_have_text("Read wordkit.py")
    await expect(summary).to_have_attribute("title", re.compile(r"^/bin/\w+ -lc 'cat wordkit\.py'$"))
    await expect(command).not_to_contain_text("Small functions")

    await summary.click()
    await expect(command.locator("pre").first).to_have_text("cat wordkit.py")
    await expect(command).to_contain_text('"""Small functions about words."""')
    meta = command.locator(".blocks-meta")
    await expect(meta).to_have_text(re.compile(r"^in .*wordkit · exit code 0( · took \d.*)?$"))
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
        re.compile(r'^Ran rg -n "needle needle .{60,120}…$')
    )
    await expect(long).to_have_attribute("title", wrapped)
    noise = summary_of(at(viewer, "noise"))
    await expect(noise.locator(".blocks-summary")).to_have_text(
        "Ran read a.py, list files src, search needle in src"
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
    while await (more := at(viewer, "c").get_by_role("button", name="Show more")).count():
        pieces = await shown.count()
        await more.click()
        await expect(shown).to_have_count(pieces + 1)
    assert "".join(await shown.all_text_contents()) == lines
    await at(viewer, "c").get_by_role("button", name="Show only the end").click()
    await expect(shown).to_have_count(1)


async def test_under_who_reads_in_an_output_nothing_is_taken_away(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    lines = "".join(f"line {number}\n" for number in range(900))
    put(viewer, session, CommandBlock(id=BlockId("c"), command="seq", summary="seq", output=lines))
    await summary_of(at(viewer, "c")).click()
    shown = at(viewer, "c").get_by_role("group", name="Output")
    await expect(shown).to_contain_text("line 899")

    async def grow(number: int) -> None:
        more = "".join(f"part {number}, line {line}\n" for line in range(400))
        tell(viewer, session, TextGrew(BlockId("c"), "output", more))
        await expect(shown).to_contain_text(f"part {number}, line 399")

    await shown.hover()
    await viewer.page.mouse.wheel(0, -300)
    await viewer.page.wait_for_function(f"(one) => ({TO_END})(one) > 200", arg=await shown.element_handle())
    place = await shown.evaluate(TOP)
    await grow(1)
    assert await shown.evaluate(TOP) == place
    await expect(shown).to_contain_text("line 410\n")

    await viewer.page.mouse.wheel(0, 100_000)
    await viewer.page.wait_for_function(f"(one) => ({TO_END})(one) < 2", arg=await shown.element_handle())
    await grow(2)
    await expect(shown).not_to_contain_text("line 410\n")
    assert await shown.evaluate(TO_END) < 2  # the end is followed again
    box = await shown.bounding_box()
    assert box
    await shown.dblclick(position={"x": 20, "y": box["height"] - 40})
    selected = await viewer.page.evaluate("getSelection().toString()")
    assert selected
    await grow(3)
    assert await viewer.page.evaluate("getSelection().toString()") == selected
