"""The status line and the toasts: what the agent is at, how full it is, what it may still use."""

import re
import time
from pathlib import Path

import pytest
from playwright.async_api import Locator, expect
from tests.agents.codex.listening import Listener
from tests.e2e.live_app import choose
from tests.page.viewer import ServedPage, Viewer

from bascule.core.session.agent_fold import fold_agent
from bascule.daemon.agents.pool import AgentPlace
from bascule.model.blocks import SystemBlock
from bascule.model.protocol.ui import UiToastNotify

pytestmark = pytest.mark.asyncio(loop_scope="session")


def status(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("region", name="Status")


def doing(viewer: Viewer) -> Locator:
    return status(viewer).locator(".frame-status-what")


def meter(viewer: Viewer, name: str | re.Pattern[str]) -> Locator:
    return status(viewer).get_by_role("meter", name=name)


async def test_it_stands_below_the_input(viewer: Viewer) -> None:
    await viewer.create()
    line, field = await status(viewer).bounding_box(), await viewer.input.bounding_box()
    assert line
    assert field
    assert line["y"] >= field["y"] + field["height"]


async def test_it_says_what_the_agent_is_at_from_the_prompt_to_the_end(viewer: Viewer) -> None:
    session = await viewer.create()
    await expect(doing(viewer)).to_have_text("Idle")
    await viewer.say("demo:approval")
    await expect(doing(viewer)).to_have_text("Waiting for you")
    shown = status(viewer).get_by_role("status")
    await expect(shown).to_have_text("Waiting for you")  # said aloud too
    await viewer.live.finish(session, choose("cancel"))
    await expect(doing(viewer)).to_have_text("Declined")
    await viewer.say("demo:search")
    await expect(doing(viewer)).to_have_text("Done")
    await viewer.say("demo:slow")
    await expect(doing(viewer)).to_have_text("Writing")
    await viewer.input.press("Escape")
    await expect(doing(viewer)).to_have_text("Interrupted")
    await expect(shown).to_have_text("Interrupted")
    await viewer.say("demo:error")
    await expect(doing(viewer)).to_have_text("Failed")


async def test_it_names_the_command_that_runs(viewer: Viewer) -> None:
    session = await viewer.create()
    wire = Listener()
    wire.tell("turn/started", turn={"id": "r", "items": [], "status": "inProgress"})
    wire.item(
        "commandExecution",
        done=False,
        command="make bridge",
        cwd=str(viewer.setup.project),
        status="inProgress",
    )
    viewer.live.app.hub.apply(session, next(iter(wire.changes.values())))
    await expect(doing(viewer)).to_have_text("Running make bridge")


async def test_rate_limits_come_from_the_agent_and_warn_when_they_are_nearly_gone(viewer: Viewer) -> None:
    await viewer.create()
    workspace = str(viewer.setup.project)
    wire = Listener()
    soon = int(time.time()) + 3 * 3600 + 600
    wire.tell_agent(
        "account/rateLimits/updated",
        rateLimits={
            "primary": {"usedPercent": 41.6, "windowDurationMins": 300, "resetsAt": soon},
            "secondary": {"usedPercent": 96, "windowDurationMins": 10_080},
            "planType": "pro",
        },
    )
    state = viewer.live.app.pool.state(AgentPlace("codex", workspace))
    for change in wire.agent_changes:
        state = fold_agent(state, change)
    viewer.live.app.pool.on_state(state)
    five, week = meter(viewer, "Rate limit 5 h: 42% used"), meter(viewer, "Rate limit week: 96% used")
    await expect(five).to_have_attribute("aria-valuenow", "42")
    await expect(status(viewer)).to_contain_text("resets in 3h")
    await expect(week).to_be_visible()
    colours = [
        await one.locator("span").evaluate("(one) => getComputedStyle(one).backgroundColor")
        for one in (five, week)
    ]
    assert colours[0] != colours[1]


async def test_what_belongs_to_no_session_is_a_notice_beside_all_of_them(viewer: Viewer) -> None:
    session = await viewer.create()
    notices = viewer.live.app.pool.state(viewer.live.place).notices
    before = sum(not isinstance(one, SystemBlock) or not one.debug for one in notices)
    wire = Listener()
    wire.tell_agent("configWarning", summary="The bridge is up.", details="bridge.toml, line 7")
    state = viewer.live.app.pool.state(viewer.live.place)
    for change in wire.agent_changes:
        state = fold_agent(state, change)
    viewer.live.app.pool.on_state(state)
    await status(viewer).get_by_role("button", name=f"Notices: {before + 1}").click()
    await expect(viewer.page.get_by_role("dialog", name="Notices")).to_contain_text("The bridge is up.")
    assert not any("bridge is up" in str(block) for block in viewer.live.see(session).blocks)


async def test_it_fits_a_phone(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        await viewer.page.set_viewport_size({"width": 390, "height": 780})
        session = await viewer.live.create()
        await viewer.live.play(session, "demo:text")
        await viewer.enter(session)
        await expect(doing(viewer)).to_be_visible()
        wide = await status(viewer).evaluate("(one) => one.scrollWidth <= one.clientWidth")
        assert wide
        assert await viewer.page.evaluate("document.documentElement.scrollWidth") == 390


# -- toasts --


def toasts(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("region", name="Messages")


async def test_a_toast_is_said_counted_when_it_comes_again_and_sent_away(viewer: Viewer) -> None:
    await viewer.create()
    tell = viewer.live.app.surfaces.broadcast
    for _ in range(3):
        tell("ui.toast", UiToastNotify(level="warn", message="<b>The tide</b> turns"))
    tell("ui.toast", UiToastNotify(level="error", message="The gate is stuck"))
    soft, loud = toasts(viewer).get_by_role("status"), toasts(viewer).get_by_role("alert")
    await expect(soft).to_contain_text("Warning: <b>The tide</b> turns")
    await expect(soft).to_contain_text("3 times")
    await expect(loud).to_contain_text("Error: The gate is stuck")
    await loud.get_by_role("button", name="Dismiss").click()
    await expect(loud).not_to_contain_text("stuck")
    await expect(soft).to_contain_text("The tide")


async def test_a_refusal_of_the_daemon_is_a_toast_also_over_a_dialog(viewer: Viewer) -> None:
    await viewer.create()
    await viewer.page.get_by_role("button", name="Settings").click()
    await expect(viewer.page.get_by_role("dialog", name="Settings")).to_be_visible()
    message = UiToastNotify(level="error", message="Over the dialog")
    viewer.live.app.surfaces.broadcast("ui.toast", message)
    dismiss = toasts(viewer).get_by_role("alert").get_by_role("button", name="Dismiss")
    await dismiss.click()  # a modal dialog makes all that is outside of it inert
    await expect(toasts(viewer)).not_to_contain_text("Over the dialog")


@pytest.mark.parametrize(("width", "leave"), [(1280, "Close"), (360, "Back")])
async def test_messages_beside_the_log_cover_none_of_its_controls(
    viewer: Viewer, width: int, leave: str
) -> None:
    session = await viewer.live.create()
    await viewer.live.play(session, "demo:edit")
    await viewer.page.set_viewport_size({"width": width, "height": 740})
    await viewer.enter(session)
    await viewer.page.get_by_role("button", name="Open Latest Diff").click()
    pane = viewer.pane
    await expect(pane).to_contain_text("wordkit.py")
    before = await pane.get_by_role("button", name=leave, exact=True).bounding_box()
    for number in range(3):
        message = UiToastNotify(level="error", message=f"Gate {number} is stuck. Ask for the diff again.")
        viewer.live.app.surfaces.broadcast("ui.toast", message)
    await expect(toasts(viewer).get_by_role("button", name="Dismiss")).to_have_count(3)
    assert await pane.get_by_role("button", name=leave, exact=True).bounding_box() == before
    box = await toasts(viewer).bounding_box()
    assert box
    for button in await pane.locator(".review-pane-head, .diff-tools").get_by_role("button").all():
        tool = await button.bounding_box()
        assert tool
        assert tool["y"] + tool["height"] <= box["y"]
        await button.click(trial=True)  # nothing lies over it


async def test_while_a_folder_is_asked_about_the_session_waits_for_the_person(
    viewer: Viewer, tmp_path: Path
) -> None:
    folder = tmp_path / "cloned"
    (folder / ".codex").mkdir(parents=True)
    (folder / ".codex" / "config.toml").write_text('[mcp_servers.tide]\ncommand = "tide"\n')
    session = await viewer.create(folder)
    await viewer.say("demo:text")
    question = viewer.page.get_by_role("article", name=re.compile("[Tt]rust"))
    await expect(question).to_be_visible()
    await expect(doing(viewer)).to_have_text("Waiting for you")
    dot = viewer.page.get_by_role("option", selected=True).locator(".frame-dot")
    await expect(dot).to_have_attribute("title", "Waiting for you")
    await viewer.live.until_ask(session)
