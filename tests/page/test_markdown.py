"""Markdown: which texts are laid out and which are not, what it makes of code, and where its links go."""

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Locator, expect
from tests.page.session_blocks import at, begin_tall, put, summary_of, tell
from tests.page.viewer import ServedPage, Viewer

from bascule.model.blocks import (
    AssistantBlock,
    Block,
    CommandBlock,
    DividerBlock,
    ErrorBlock,
    InfoBlock,
    McpBlock,
    PlanBlock,
    PlanStep,
    ReasoningBlock,
    RemoteBlock,
    SystemBlock,
    UserBlock,
    WebSearchBlock,
)
from bascule.model.changes import TextGrew
from bascule.model.ids import BlockId, SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORDS = "some **strong** words"
# What is said is laid out; what programs wrote, and names, are shown as they are.
LAID_OUT: dict[str, Block] = {
    "user": UserBlock(id=BlockId("user"), text=WORDS),
    "remote": RemoteBlock(id=BlockId("remote"), text=WORDS),
    "assistant": AssistantBlock(id=BlockId("assistant"), text=WORDS, status="completed"),
    "system": SystemBlock(id=BlockId("system"), text=WORDS),
    "error": ErrorBlock(id=BlockId("error"), title="E", text=WORDS),
    "plan": PlanBlock(id=BlockId("plan"), text=WORDS),
    "step": PlanBlock(id=BlockId("step"), steps=(PlanStep(WORDS, "pending"),)),
    "info": InfoBlock(id=BlockId("info"), title="I", text=WORDS),
    "summary": ReasoningBlock(id=BlockId("summary"), summary=(WORDS,), status="completed"),
}
AS_THEY_ARE: dict[str, Block] = {
    "raw": ReasoningBlock(id=BlockId("raw"), raw=(WORDS,), status="completed"),
    "output": CommandBlock(id=BlockId("output"), command=WORDS, output=WORDS, status="completed"),
    "result": McpBlock(id=BlockId("result"), server="s", tool="t", result=WORDS, status="completed"),
    "query": WebSearchBlock(id=BlockId("query"), query=WORDS, status="completed"),
    "title": SystemBlock(id=BlockId("title"), title=WORDS),
    "wrong": ErrorBlock(id=BlockId("wrong"), title=WORDS),
    "across": DividerBlock(id=BlockId("across"), title=WORDS, text=WORDS),
}
RULES = """\
one line
and the next, <b>not bold</b> and &amp; read

see https://example.com/a_b?c=1#d and README.md and src/a.py and www.example.com

# Heading

- item
  - nested

1. first
2. second

| left | right |
| :--- | ----: |
| a    |     1 |

> quoted ~~gone~~ *so* `code`

---

<script>alert(1)</script>

![a picture](https://example.com/a.png)

[bad](javascript:alert(1)) [worse](data:text/html,x) [odd](vscode://x)
"""
PYTHON = 'def lower(angle: int) -> str:\n    return "down"  # slowly'


async def show(viewer: Viewer, text: str) -> tuple[SessionId, Locator]:
    """One answer of the agent."""
    session = await begin_tall(viewer)
    put(viewer, session, AssistantBlock(id=BlockId("a"), text=text, status="completed"))
    await expect(at(viewer, "a")).to_be_visible()
    return session, at(viewer, "a")


async def open_all(viewer: Viewer) -> None:
    closed = viewer.log.locator("details:not([open]) > summary")
    while await closed.count():
        await closed.first.click()


async def test_what_is_said_is_laid_out_and_what_is_not_said_stays_as_it_is(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    put(viewer, session, *LAID_OUT.values(), *AS_THEY_ARE.values())
    await expect(at(viewer, "across")).to_be_visible()
    await open_all(viewer)
    for name in LAID_OUT:
        await expect(at(viewer, name).locator("strong"), name).to_have_text("strong")
        await expect(at(viewer, name).locator(".text-markdown"), name).to_have_text("some strong words")
    for name in AS_THEY_ARE:
        await expect(at(viewer, name), name).to_contain_text(WORDS)
        await expect(at(viewer, name).locator("strong"), name).to_have_count(0)


async def test_the_rules_of_markdown(viewer: Viewer) -> None:
    _, answer = await show(viewer, RULES)
    first = answer.locator("p").first
    await expect(first.locator("br")).to_have_count(1)  # a line's end is one
    await expect(first).to_contain_text("and the next, <b>not bold</b> and & read")
    await expect(answer.locator("b, script, img")).to_have_count(0)
    await expect(answer).to_contain_text("<script>alert(1)</script>")

    links = answer.locator("a")
    assert [await link.get_attribute("href") for link in await links.all()] == [
        "https://example.com/a_b?c=1#d",  # neither a file's name nor a bare host is searched for
        "https://example.com/a.png",  # a picture is never fetched because a text says so
    ]
    for link in await links.all():
        await expect(link).to_have_attribute("target", "_blank")
        await expect(link).to_have_attribute("rel", "noreferrer noopener")
    await expect(answer).to_contain_text(
        "[bad](javascript:alert(1)) [worse](data:text/html,x) [odd](vscode://x)"
    )

    await expect(answer.get_by_role("heading", name="Heading", level=1)).to_be_visible()
    await expect(answer.locator("ul > li > ul > li")).to_have_text("nested")
    await expect(answer.locator("ol > li")).to_have_text(["first", "second"])
    await expect(answer.get_by_role("cell", name="1")).to_have_css("text-align", "right")
    await expect(answer.locator("blockquote s")).to_have_text("gone")
    await expect(answer.locator("blockquote em")).to_have_text("so")
    await expect(answer.locator("blockquote code")).to_have_text("code")
    await expect(answer.get_by_role("separator")).to_have_count(1)


async def test_the_answer_of_a_real_agent_is_laid_out(viewer: Viewer) -> None:
    session = await begin_tall(viewer)
    await viewer.live.play(session, "demo:text")
    answer = viewer.block("assistant")
    await expect(answer.get_by_role("heading", name="A raised bridge")).to_be_visible()
    await expect(answer.locator("strong")).to_have_text("Markdown")
    await expect(answer.locator("ol > li")).to_have_count(3)
    await expect(answer.get_by_role("row")).to_have_count(3)
    await expect(answer.get_by_role("link", name="links")).to_have_attribute("href", "https://example.com/")
    await expect(answer.get_by_role("group", name="Code, python")).to_contain_text("def lower(angle: int)")
    await expect(answer.locator("blockquote")).to_contain_text("橋が下りるまで待つ。")


@asynccontextmanager
async def with_clipboard(served: ServedPage) -> AsyncIterator[Viewer]:
    async with served.viewer(permissions=["clipboard-read", "clipboard-write"]) as viewer:
        yield viewer


async def test_code_is_coloured_and_copied_as_it_was_written(served: ServedPage) -> None:
    async with with_clipboard(served) as viewer:
        _, answer = await show(viewer, f"```python\n{PYTHON}\n```\n\n```\nplain <b>\n```\n")
        code = answer.get_by_role("group", name="Code, python")
        plain = answer.get_by_role("group", name="Code", exact=True)
        await expect(code).to_have_text(PYTHON)
        await expect(code.locator("span", has_text=re.compile("^def$"))).to_be_visible()
        looks = {
            word: await code.locator("span", has_text=re.compile(f"^{re.escape(word)}$")).evaluate(
                "(one) => getComputedStyle(one).color"
            )
            for word in ("def", '"down"', "# slowly")
        }
        assert len({*looks.values(), await code.evaluate("(one) => getComputedStyle(one).color")}) == 4, looks
        await expect(plain).to_have_text("plain <b>")

        bar = answer.locator(".text-code-bar").first
        await bar.get_by_role("button", name="Copy").click()
        await expect(bar.get_by_role("button", name="Copied")).to_be_visible()
        assert await viewer.page.evaluate("navigator.clipboard.readText()") == PYTHON

        await answer.hover()
        actions = answer.get_by_role("group", name="Actions")
        await actions.get_by_role("button", name="Copy", exact=True).click()
        await expect(actions.get_by_role("button", name="Copied")).to_be_visible()
        whole = await viewer.page.evaluate("navigator.clipboard.readText()")
        assert (
            whole == f"```python\n{PYTHON}\n```\n\n```\nplain <b>\n```\n"
        )  # as it was written, marks and all


async def test_a_command_and_its_output_are_copied_whole(served: ServedPage) -> None:
    async with with_clipboard(served) as viewer:
        session = await begin_tall(viewer)
        output = "".join(f"line {n}\n" for n in range(5_000))  # more than is shown
        put(
            viewer, session, CommandBlock(id=BlockId("c"), command="seq 5", output=output, status="completed")
        )
        await summary_of(at(viewer, "c")).click()
        for part, whole in ((".blocks-with-copy", "seq 5"), (".blocks-output", output)):
            await at(viewer, "c").locator(part).get_by_role("button", name="Copy").click()
            await expect(at(viewer, "c").locator(part).get_by_role("button", name="Copied")).to_be_visible()
            assert await viewer.page.evaluate("navigator.clipboard.readText()") == whole


@pytest.mark.parametrize("button", ["left", "middle"])
async def test_what_is_outside_is_opened_by_the_host_and_the_page_stays(viewer: Viewer, button: str) -> None:
    session, answer = await show(viewer, "[the way out](https://example.com/out?a=1) and mail@example.com")
    opened: list[str] = []
    asked: list[str] = []
    viewer.page.context.on("page", lambda page: opened.append(page.url))
    await viewer.page.context.route("https://example.com/**", lambda route: route.fulfill(body="outside"))
    viewer.page.on("framenavigated", lambda frame: asked.append(frame.url))
    async with viewer.page.context.expect_page() as other:
        await answer.get_by_role("link", name="the way out").click(button=button)  # type: ignore[arg-type]
    page = await other.value
    await page.wait_for_url("https://example.com/out?a=1")
    assert await page.evaluate("[window.opener, document.referrer]") == [None, ""]
    await page.close()
    assert (len(opened), asked) == (1, [])
    await expect(answer.get_by_role("link")).to_have_count(1)
    assert viewer.live.see(session).id == session


LINES = "".join(f"the {n}th line\n" for n in range(1, 3_001))


LINKS: tuple[tuple[str, str, int | None, str | None], ...] = (
    ("long.txt", "long.txt", None, None),
    ("./docs/deep.md#L1", "docs/deep.md", 1, None),
    ("/long.txt#L2500", "long.txt", 2500, None),
    ("long.txt#L1200C5", "long.txt", 1200, "1"),
    ("long.txt:1300:5", "long.txt", 1300, "1"),  # as agents write it
    ("ABSOLUTE/long.txt#L10", "long.txt", 10, None),
)


async def test_a_link_to_a_file_opens_it_at_its_line(viewer: Viewer) -> None:
    (viewer.setup.project / "long.txt").write_text(LINES)
    (viewer.setup.project / "docs").mkdir(exist_ok=True)
    (viewer.setup.project / "docs" / "deep.md").write_text("# Deep\n")
    await viewer.create()
    session = await viewer.create()
    for number, (address, path, line, column) in enumerate(LINKS):
        href, block = address.replace("ABSOLUTE", str(viewer.setup.project)), f"a{number}"
        text = f"Look [here]({href})."
        put(viewer, session, AssistantBlock(id=BlockId(block), text=text, status="completed"))
        await at(viewer, block).get_by_role("link", name="here").click()
        dialog = viewer.page.get_by_role("dialog", name=path)
        await shows_line(dialog, path, line, column)
        await viewer.page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)


async def shows_line(dialog: Locator, path: str, line: int | None, column: str | None) -> None:
    await expect(dialog).to_be_visible()
    there = dialog.locator(".files-line.files-picked")
    if line is None:
        await expect(dialog.get_by_text("the 1th line")).to_be_in_viewport()
        await expect(there).to_have_count(0)
    else:
        await expect(there).to_be_in_viewport()
        await expect(there.get_by_role("button", name=f"Line {line}", exact=True)).to_be_visible()
        text = f"the {line}th line" if path == "long.txt" else "# Deep"
        await expect(there).to_have_text(f"{line}{text}")
    if column is not None:
        await expect(there.locator(".diff-word")).to_have_text(column)  # the fifth character of the line


async def test_a_link_to_a_file_that_is_not_there_says_so(viewer: Viewer) -> None:
    _, answer = await show(viewer, "[gone](no/such.py) and [out](../../etc/passwd)")
    for name, path in (("gone", "no/such.py"), ("out", "../../etc/passwd")):
        await answer.get_by_role("link", name=name).click()
        dialog = viewer.page.get_by_role("dialog", name=path)
        why = "no such file" if name == "gone" else "workspace"
        await expect(dialog.get_by_role("alert").filter(has_text=why)).to_contain_text(path)
        await viewer.page.keyboard.press("Escape")
        await expect(dialog).to_have_count(0)


async def test_a_fence_that_is_still_open_is_code_already_and_is_coloured_while_it_grows(
    viewer: Viewer,
) -> None:
    session = await begin_tall(viewer)
    put(viewer, session, AssistantBlock(id=BlockId("a"), text="Here:\n\n```python\ndef "))
    code = at(viewer, "a").get_by_role("group", name="Code, python")
    await expect(code).to_have_text("def ")
    handle = await code.element_handle()
    for piece in ('lower():\n    return "', 'down"\n', "```\n\nand **after** it\n"):
        tell(viewer, session, TextGrew(BlockId("a"), "text", piece))
    await expect(code).to_have_text('def lower():\n    return "down"')
    await expect(code.locator("span", has_text=re.compile('^"down"$'))).to_be_visible()
    await expect(at(viewer, "a").locator("strong")).to_have_text("after")
    assert await code.evaluate(
        "(one, before) => one === before", handle
    )  # the same element from start to end
