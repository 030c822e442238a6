"""Every kind of block: its colour, its frame, and the sign that says how far it is."""

import pytest
from playwright.async_api import expect
from tests.page.colours import colours, hue, is_neutral
from tests.page.session_blocks import at, begin_tall, put, summary_of
from tests.page.viewer import ServedPage, Viewer

from bascule.model.attachments import ErrorAttachment
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
from bascule.model.ids import BlockId

pytestmark = pytest.mark.asyncio(loop_scope="session")

RED = (0, 15)  # degrees
SIGNS: dict[Progress, tuple[str, int]] = {  # its name, and whether a picture is drawn; one turns by itself
    "completed": ("Completed", 1),
    "failed": ("Failed", 1),
    "declined": ("Declined", 1),
    "cancelled": ("Cancelled", 1),
    "inProgress": ("In progress", 0),
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


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_each_kind_has_the_colour_that_tells_it_apart(served: ServedPage, scheme: str) -> None:
    """Colour is kept for state. A kind is known by where it stands: on a panel, in a card, as a line."""
    async with served.viewer(color_scheme=scheme) as viewer:
        session = await begin_tall(viewer)
        put(viewer, session, *of_every_kind())
        await expect(at(viewer, "error")).to_be_visible()
        for block in of_every_kind():
            edges, ground = await colours(at(viewer, block.id))
            is_calm = [is_neutral(colour) for colour in (*edges, ground)]
            assert all(is_calm) == (block.id != "error"), (block.id, edges, ground)
        error, _ = await colours(at(viewer, "error"))
        assert RED[0] <= hue(error[0]) <= RED[1]

        grounds = {str(block.id): (await colours(at(viewer, block.id)))[1] for block in of_every_kind()}
        bare = {name for name, ground in grounds.items() if ground[3] == 0}
        assert bare == {
            *("assistant", "reasoning", "command", "fileChange", "mcp", "webSearch", "plan", "divider")
        }
        assert grounds["user"] == grounds["remote"] != grounds["info"], "a person's words are on a panel"
        rows = ("reasoning", "command", "fileChange", "mcp", "webSearch", "plan")
        drawn = {await at(viewer, kind).locator(".blocks-sign > svg").first.inner_html() for kind in rows}
        assert len(drawn) == len(rows), "each kind of work has its own picture"


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
        assert len(set(edges)) == 1, "the line goes all around"
    await expect(error.get_by_text("because")).to_be_visible()
    await expect(error.get_by_text("Error details")).to_have_count(0)
    why = ErrorAttachment(code="agent_gone", message="because")
    put(
        viewer, session, ErrorBlock(id=BlockId("coded"), title="It broke", text="because", attachments=(why,))
    )
    await expect(at(viewer, "coded")).not_to_contain_text("agent_gone")
    await at(viewer, "coded").get_by_text("Error details").click()
    await expect(at(viewer, "coded")).to_contain_text("agent_gone")


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
    for status, (name, drawn) in SIGNS.items():
        blocks = with_status(status)
        put(viewer, session, *blocks)
        for block in blocks:
            summary = summary_of(at(viewer, block.id))
            icon = summary.get_by_role("img", name=name, exact=True)
            await expect(icon).to_be_visible()
            await expect(icon.locator("svg")).to_have_count(drawn)
            line, box, words = (
                await summary.bounding_box(),
                await icon.bounding_box(),
                await summary.locator(".blocks-summary").bounding_box(),
            )
            assert line is not None
            assert box is not None
            assert words is not None
            assert line["x"] + line["width"] - (box["x"] + box["width"]) < 12
            assert line["y"] <= box["y"] < line["y"] + 6  # in the first line, which it does not make higher
            assert words["x"] + words["width"] <= box["x"]
            await expect(at(viewer, block.id)).not_to_contain_text("status", ignore_case=True)
    turning = at(viewer, "mcp-inProgress").get_by_role("img", name="In progress")
    assert await turning.evaluate("(one) => getComputedStyle(one, '::before').animationName") == "blocks-turn"

    put(
        viewer, session, McpBlock(id=BlockId("mcp-inProgress"), server="demo", tool="define", status="failed")
    )
    await expect(at(viewer, "mcp-inProgress").get_by_role("img", name="Failed")).to_be_visible()
    await expect(turning).to_have_count(0)
