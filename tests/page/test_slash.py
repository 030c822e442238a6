"""Slash commands, typed: each does what it says, and none of them reaches the agent as a prompt."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect
from tests.e2e.live_app import of_kind, open_setup, said
from tests.e2e.test_test_runs import COMMAND, allow
from tests.page.session_blocks import at, put
from tests.page.viewer import ServedPage, Viewer

from bascule.model.blocks import AssistantBlock, CommandBlock
from bascule.model.ids import BlockId
from bascule.serve.serving import serving

pytestmark = pytest.mark.asyncio(loop_scope="session")

STUCK = """import unittest


class Bridge(unittest.TestCase):
    def test_it_opens(self):
        self.fail("The bridge is stuck")
"""


def title(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("banner").get_by_role("heading", level=1)


def alert(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("alert")


async def test_new_makes_a_session_and_shows_it(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/new")
    await expect(viewer.shown).not_to_have_attribute("data-session", session)
    await expect(viewer.input).to_have_value("")
    assert said(viewer.live.see(session)) == []


async def test_diff_opens_the_latest_diff_or_says_that_there_is_none(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/diff")
    await expect(alert(viewer)).to_contain_text("This session has no diff yet.")
    await viewer.live.play(session, "demo:edit")
    await viewer.say("/diff")
    await expect(viewer.pane).to_contain_text("wordkit.py")
    await viewer.pane.get_by_role("button", name="Close", exact=True).click()
    await expect(viewer.pane).to_have_count(0)
    assert said(viewer.live.see(session)) == ["demo:edit"]


async def test_rename_with_a_title_changes_it_at_once(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/rename The north leaf")
    await expect(title(viewer)).to_have_text("The north leaf")
    await viewer.page.reload()
    await expect(title(viewer)).to_have_text("The north leaf")
    assert viewer.live.see(session).title == "The north leaf"


async def test_rename_alone_asks_for_the_title(viewer: Viewer) -> None:
    session = await viewer.create()
    before = viewer.live.see(session).title
    shown = await title(viewer).inner_text()
    await viewer.say("/rename")
    dialog = viewer.page.get_by_role("dialog", name="Rename session")
    field = dialog.get_by_role("textbox", name="Title")
    await expect(field).to_have_value(shown)
    await viewer.page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(title(viewer)).to_have_text(shown)

    await viewer.say("/rename")
    await field.press("Enter")
    await expect(dialog).to_be_hidden()
    assert viewer.live.see(session).title == before  # its number is of this list, not of its name

    await viewer.say("/rename")
    await field.fill("The south leaf")
    await field.press("Enter")
    await expect(dialog).to_be_hidden()
    await expect(title(viewer)).to_have_text("The south leaf")
    await expect(viewer.input).to_be_focused()


async def test_help_is_a_system_block(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/help")
    block = viewer.block("system")
    await expect(block).to_contain_text("/rename TITLE")
    await expect(block.get_by_role("listitem")).to_have_count(14)
    assert said(viewer.live.see(session)) == []


@pytest.mark.parametrize("typed", ["/archive", "/Help", "/nonsense with words"])
async def test_an_unknown_command_is_an_error_and_consumed(viewer: Viewer, typed: str) -> None:
    session = await viewer.create()
    await viewer.say(typed)
    await expect(alert(viewer)).to_contain_text(
        f"{typed.split(maxsplit=1)[0]} is not a command. Type /help for the list."
    )
    await expect(viewer.input).to_have_value("")
    assert said(viewer.live.see(session)) == []


async def test_a_path_is_no_command(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/usr/bin is a folder")
    await expect(viewer.block("user")).to_contain_text("/usr/bin is a folder")
    assert said(await viewer.live.until_idle(session)) == ["/usr/bin is a folder"]


async def test_status_and_resume_and_model(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/status")
    await expect(viewer.block("system").last.get_by_text("agent: running")).to_be_in_viewport()
    await expect(viewer.block("system").last).not_to_contain_text('"sandbox"')  # until it is asked for
    await viewer.block("system").last.locator("summary").click()
    await expect(viewer.block("system").last).to_contain_text('"sandbox"')
    await viewer.say("/model")
    await expect(viewer.block("system").last).to_contain_text("demo")
    await viewer.say("/model demo high")
    await expect(viewer.page.get_by_role("button", name="Model: Codex · demo · high")).to_be_visible()
    assert viewer.live.see(session).effort == "high"
    await viewer.say("/model nothing-like-it")
    await expect(alert(viewer)).to_contain_text("nothing-like-it")
    await viewer.say("/resume")
    await expect(viewer.page.get_by_role("searchbox", name=re.compile("Search sessions"))).to_be_focused()
    assert said(viewer.live.see(session)) == []


async def test_the_model_is_chosen_from_what_the_agent_has(viewer: Viewer) -> None:
    session = await viewer.begin()
    await viewer.page.get_by_role("button", name=re.compile("^Model: Codex · demo")).click()
    efforts = viewer.page.get_by_role("group", name="Effort for demo", exact=True)
    await efforts.get_by_role("button", name="low", exact=True).click()
    await expect(viewer.page.get_by_role("button", name="Model: Codex · demo · low")).to_be_visible()
    assert viewer.live.see(session).effort == "low"


async def test_compact_leaves_a_divider(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.live.play(session, "demo:text")
    await viewer.say("/compact")
    await expect(viewer.block("divider")).to_contain_text("Context compacted")
    await viewer.live.until_idle(session)
    assert said(viewer.live.see(session)) == ["demo:text"]


async def test_fork_goes_on_in_a_copy(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.live.play(session, "the first words")
    await expect(viewer.block("user")).to_contain_text("the first words")
    await viewer.say("/fork")
    await expect(viewer.shown).not_to_have_attribute("data-session", session)
    await expect(viewer.block("user")).to_contain_text("the first words")
    await viewer.say("only in the copy")
    await expect(viewer.block("user").last).to_contain_text("only in the copy")
    assert said(viewer.live.see(session)) == ["the first words"]


async def test_clear_empties_the_log(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.live.play(session, "soon forgotten")
    await expect(viewer.block("user")).to_contain_text("soon forgotten")
    await viewer.say("/clear")
    await expect(viewer.block("user")).to_have_count(0)
    await expect(viewer.block("assistant")).to_have_count(0)
    await viewer.page.reload()
    await expect(viewer.log).to_be_visible()
    await expect(viewer.block("user")).to_have_count(0)
    assert said(viewer.live.see(session)) == []


# --- plan, patch, test ----------------------------------------------------------------------------


async def test_plan_is_a_turn_that_only_plans(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/plan")
    await expect(alert(viewer)).to_contain_text("/plan needs a prompt")
    before = {path.name: path.read_bytes() for path in viewer.setup.project.glob("*.py")}
    await viewer.say("/plan one more function")
    await expect(viewer.block("user")).to_contain_text("/plan one more function")
    await expect(viewer.block("assistant").last).to_contain_text("Add a test of it")
    await viewer.live.until_idle(session)
    assert before == {path.name: path.read_bytes() for path in viewer.setup.project.glob("*.py")}


async def test_patch_gives_a_diff_to_view_and_apply(viewer: Viewer) -> None:
    await viewer.create()
    source = viewer.setup.project / "wordkit.py"
    before = source.read_text(encoding="utf-8")
    await viewer.say("/patch one more function")
    attached = viewer.block("assistant").filter(has=viewer.page.get_by_role("button", name="Apply"))
    await expect(attached).to_contain_text("wordkit.py")
    await attached.get_by_role("button", name="View").click()
    await expect(viewer.pane).to_contain_text("initials")
    await viewer.page.keyboard.press("Escape")
    assert source.read_text(encoding="utf-8") == before

    await attached.get_by_role("button", name="Apply").click()
    card = viewer.page.get_by_role("region", name="Waiting for your answer").get_by_role("article")
    await expect(card).to_contain_text("wordkit.py")
    assert source.read_text(encoding="utf-8") == before


async def test_test_runs_after_a_yes_and_shows_its_result_once(served: ServedPage, tmp_path: Path) -> None:
    async with open_setup(tmp_path) as setup:
        allow(setup)
        async with setup.run() as live, serving(live.app, setup.folder) as doors:
            willing = ServedPage(served.profiles, setup, live, doors)
            async with willing.viewer() as viewer:
                await run_the_tests(viewer)


async def run_the_tests(viewer: Viewer) -> None:
    await viewer.page.clock.install()
    session = await viewer.create()
    put(
        viewer,
        session,
        *(AssistantBlock(id=BlockId(f"b{n}"), text="answer\n\n" * 5, status="completed") for n in range(60)),
    )
    await expect(at(viewer, "b59")).to_be_in_viewport()
    await viewer.log.press("Home")
    await expect(viewer.page.get_by_role("button", name="Jump to latest")).to_be_visible()
    (viewer.setup.project / "test_bridge.py").write_text(STUCK, encoding="utf-8")
    await viewer.say(f"/test {COMMAND}")
    card = viewer.page.get_by_role("region", name="Waiting for your answer").get_by_role("article")
    await expect(card).to_contain_text(COMMAND)
    await expect(card).to_contain_text(viewer.setup.project.name)
    assert of_kind(viewer.live.see(session), CommandBlock) == []
    await viewer.page.clock.run_for(500)  # a yes in the first moment is not taken
    await card.get_by_role("button").first.click()
    row = viewer.block("command")
    await expect(row).to_contain_text("exit code 1")
    await expect(row.get_by_role("img", name="Failed")).to_be_visible()
    await expect(row.locator(".blocks-attachment")).to_have_count(0)  # its output is in the row
    await expect(row.get_by_text("Tests failed")).to_be_in_viewport()  # sent by this person: the log follows
    await expect(row).to_contain_text("The bridge is stuck")
    assert said(viewer.live.see(session)) == []
    await viewer.page.clock.run_for(500)  # the list takes its time
    await expect(viewer.page.locator(".frame-row[aria-selected=true] .frame-dot")).to_contain_text("Failed")
    await expect(viewer.page.locator(".frame-status-doing")).to_contain_text("Tests failed")


async def test_test_is_refused_where_the_settings_do_not_allow_it(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.say("/test")
    await expect(alert(viewer)).to_contain_text("allowRunTerminal")
    assert said(viewer.live.see(session)) == []
