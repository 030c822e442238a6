"""Every kind of block: its colour, its frame, and the sign that says how far it is."""

import pytest
from playwright.async_api import expect
from tests.page.colours import colours, hue, is_neutral
from tests.page.telling import at, begin_tall, put, summary_of
from tests.page.viewer import Theatre, Viewer

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
