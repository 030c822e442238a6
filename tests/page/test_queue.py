"""While a run goes on: prompts wait, cut in or stop it, and the queue is the person's to change."""

import re

import pytest
from playwright.async_api import Locator, expect
from tests.e2e.live_app import last_run, said
from tests.page.viewer import ServedPage, Viewer

from bascule.model.ids import SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

WORD_DELAY_S = 0.2  # demo:slow then takes a minute


async def begin_slowly(viewer: Viewer) -> SessionId:
    session = await viewer.begin()
    await viewer.say("demo:slow")
    await viewer.live.until_streaming(session)
    await expect(button(viewer, "Queue")).to_be_visible()
    return session


def button(viewer: Viewer, name: str) -> Locator:
    return viewer.page.get_by_role("button", name=name, exact=True)


def queued(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("region", name="Queue").get_by_role("listitem")


def texts(viewer: Viewer) -> Locator:
    return queued(viewer).locator(":scope > :first-child")


def of(viewer: Viewer, text: str) -> Locator:
    return queued(viewer).filter(has_text=text)


async def fill_queue(viewer: Viewer, *prompts: str) -> None:
    for prompt in prompts:
        await viewer.say(prompt)
    await expect(texts(viewer)).to_have_text(prompts)


async def stop(viewer: Viewer, session: SessionId) -> None:
    await button(viewer, "Stop").click()
    await viewer.live.until_head(session, lambda seen: seen.runs[-1].outcome == "interrupted")


async def test_enter_queues_and_the_queue_goes_on_by_itself(viewer: Viewer) -> None:
    session = await begin_slowly(viewer)
    await viewer.input.fill("typed while it works")
    await button(viewer, "Queue").click()
    await viewer.say("and one more")
    await expect(viewer.input).to_have_value("")
    await expect(texts(viewer)).to_have_text(["typed while it works", "and one more"])
    await expect(viewer.page.get_by_role("region", name="Status")).to_contain_text("2")
    assert said(viewer.live.see(session)) == ["demo:slow"]

    await of(viewer, "and one more").get_by_role("button", name="Remove from queue").click()
    await expect(texts(viewer)).to_have_text(["typed while it works"])
    await of(viewer, "typed").get_by_role("button", name="Send now").click()  # cuts in
    await expect(queued(viewer)).to_have_count(0)
    await expect(viewer.block("user").last).to_contain_text("typed while it works")
    await viewer.live.until_idle(session)
    assert said(viewer.live.see(session)) == ["demo:slow", "typed while it works"]


@pytest.mark.parametrize("by", ["the button", "the keyboard"])
async def test_steering_says_it_into_the_present_run(viewer: Viewer, by: str) -> None:
    session = await begin_slowly(viewer)
    await viewer.input.fill("the other way")
    if by == "the button":
        await button(viewer, "Steer").click()
    else:
        await viewer.input.press("ControlOrMeta+Enter")
    await expect(viewer.input).to_have_value("")
    await expect(viewer.block("user").last).to_contain_text("the other way")
    await expect(viewer.block("user").last).to_contain_text("Added to the current run")
    seen = await viewer.live.until_idle(session)
    assert (said(seen), [run.outcome for run in seen.runs]) == (["demo:slow", "the other way"], ["completed"])


@pytest.mark.parametrize("by", ["Stop", "Escape in the input", "Escape in the log"])
async def test_a_run_is_stopped(viewer: Viewer, by: str) -> None:
    session = await begin_slowly(viewer)
    if by == "Stop":
        await button(viewer, "Stop").click()
    elif by == "Escape in the input":
        for _ in range(3):
            await viewer.input.press("Escape")  # as one does who wants it to stop
    else:
        await viewer.log.click()
        await viewer.page.keyboard.press("Escape")
    await expect(button(viewer, "Send")).to_be_visible()
    await expect(button(viewer, "Stop")).to_be_hidden()
    seen = await viewer.live.until_idle(session)
    assert last_run(seen).outcome == "interrupted"
    await viewer.say("go on")
    assert last_run(await viewer.until_said(session, 2)).outcome == "completed"


async def test_escape_closes_what_is_open_before_it_stops_anything(viewer: Viewer) -> None:
    session = await begin_slowly(viewer)
    await viewer.input.fill("/")
    await expect(viewer.page.get_by_role("listbox", name="Suggestions")).to_be_visible()
    await viewer.input.press("Escape")
    await expect(viewer.page.get_by_role("listbox", name="Suggestions")).to_be_hidden()
    await button(viewer, "Add context").click()
    await viewer.page.keyboard.press("Escape")
    await expect(viewer.page.get_by_role("combobox", name="Find a file")).to_be_hidden()
    await viewer.page.get_by_role("button", name="Keyboard").first.click()
    await expect(viewer.page.get_by_role("dialog")).to_be_visible()
    await viewer.page.keyboard.press("Escape")
    await expect(viewer.page.get_by_role("dialog")).to_be_hidden()
    assert last_run(viewer.live.see(session)).outcome == "running"
    await stop(viewer, session)


async def test_a_waiting_prompt_is_changed(viewer: Viewer) -> None:
    session = await begin_slowly(viewer)
    await fill_queue(viewer, "teh plan", "second")
    await of(viewer, "teh plan").get_by_role("button", name="Edit").click()
    field = viewer.page.get_by_role("textbox", name="Edit queued prompt")
    await expect(field).to_be_focused()
    await field.fill("never mind")
    await field.press("Escape")  # thought better of it; the run goes on
    await expect(texts(viewer)).to_have_text(["teh plan", "second"])

    await of(viewer, "teh plan").get_by_role("button", name="Edit").click()
    await field.fill("the plan")
    await field.press("Shift+Enter")
    await viewer.page.keyboard.type("in two lines")
    await field.press("Enter")
    await expect(texts(viewer)).to_have_text(["the plan\nin two lines", "second"])
    assert [prompt.text for prompt in viewer.live.see(session).queue] == ["the plan\nin two lines", "second"]
    assert last_run(viewer.live.see(session)).outcome == "running"
    await stop(viewer, session)


async def test_what_is_typed_over_a_prompt_that_goes_meanwhile_is_kept(viewer: Viewer) -> None:
    session = await begin_slowly(viewer)
    await fill_queue(viewer, "teh plan", "second")
    await viewer.input.fill("a thought of its own")
    await of(viewer, "teh plan").get_by_role("button", name="Edit").click()
    field = viewer.page.get_by_role("textbox", name="Edit queued prompt")
    await field.fill("the plan, at length")
    (waiting, _) = viewer.live.see(session).queue
    assert viewer.live.app.prompts.steer_queued(session, waiting.key) is None  # another surface sends it
    assert [prompt.text for prompt in viewer.live.see(session).queue] == ["second"]
    await expect(field).to_be_hidden()
    await expect(viewer.input).to_have_value("a thought of its own\n\nthe plan, at length")
    await expect(viewer.page.get_by_text("That prompt left the queue while you were editing")).to_be_visible()
    await expect(of(viewer, "teh plan")).to_have_count(0)
    await viewer.live.until_idle(session)


async def test_a_change_that_cannot_be_said_stays_in_the_hands_of_the_person(viewer: Viewer) -> None:
    session = await begin_slowly(viewer)
    await fill_queue(viewer, "look around")
    await of(viewer, "look around").get_by_role("button", name="Edit").click()
    field = viewer.page.get_by_role("textbox", name="Edit queued prompt")
    for text, why in (
        ("look at @nowhere.py", "@nowhere.py: there is no such file"),
        ("/new", "/new cannot wait in the queue"),
    ):
        await field.fill(text)
        await field.press("Enter")
        await expect(viewer.page.get_by_role("alert").filter(has_text=why)).to_be_visible()
        await expect(field).to_have_value(text)
    await field.fill("look at @file:README.md")
    await field.press("Enter")
    await expect(texts(viewer)).to_have_text(["look at @README.md"])
    await stop(viewer, session)


async def test_the_queue_is_put_in_order_by_keys_and_by_hand(viewer: Viewer) -> None:
    session = await begin_slowly(viewer)
    await fill_queue(viewer, "one", "two", "three")
    await of(viewer, "three").get_by_role("button", name="Move up").click()
    await expect(texts(viewer)).to_have_text(["one", "three", "two"])
    await of(viewer, "three").get_by_role("button", name="Edit").press("Alt+ArrowUp")
    await expect(texts(viewer)).to_have_text(["three", "one", "two"])
    await viewer.page.keyboard.press("Alt+ArrowDown")  # the focus went along
    await expect(texts(viewer)).to_have_text(["one", "three", "two"])
    await expect(of(viewer, "one").get_by_role("button", name="Move up")).to_be_disabled()
    await expect(of(viewer, "two").get_by_role("button", name="Move down")).to_be_disabled()

    await of(viewer, "two").drag_to(of(viewer, "one"), target_position={"x": 20, "y": 2})
    await expect(texts(viewer)).to_have_text(["two", "one", "three"])
    await of(viewer, "two").drag_to(of(viewer, "three"), target_position={"x": 20, "y": 26})
    await expect(texts(viewer)).to_have_text(["one", "three", "two"])
    assert [prompt.text for prompt in viewer.live.see(session).queue] == ["one", "three", "two"]
    await viewer.page.reload()
    await expect(texts(viewer)).to_have_text(["one", "three", "two"])
    await stop(viewer, session)


async def test_an_interrupt_holds_the_queue_until_a_person_lets_it_go_on(viewer: Viewer) -> None:
    session = await begin_slowly(viewer)
    await fill_queue(viewer, "later")
    await viewer.input.press("Escape")
    held = viewer.page.get_by_role("status").filter(has_text="Queue paused")
    await expect(held).to_be_visible()
    await expect(texts(viewer)).to_have_text(["later"])
    assert said(viewer.live.see(session)) == ["demo:slow"]

    await held.get_by_role("button", name="Resume").click()
    await expect(queued(viewer)).to_have_count(0)
    await expect(held).to_be_hidden()
    seen = await viewer.live.until_idle(session)
    assert (said(seen), [run.outcome for run in seen.runs]) == (
        ["demo:slow", "later"],
        ["interrupted", "completed"],
    )


async def test_another_surface_is_seen_to_drive_and_may_be_taken_over_from(served: ServedPage) -> None:
    async with served.viewer() as first, served.viewer() as second:
        session = await begin_slowly(first)
        await second.enter(session)
        notice = second.page.get_by_role("status").filter(has_text="is driving this session")
        await expect(notice).to_have_text(re.compile("Another page is driving this session"))
        await expect(first.page.get_by_text("is driving this session")).to_be_hidden()

        await notice.get_by_role("button", name="Take over").click()
        await expect(notice).to_be_hidden()
        await expect(first.page.get_by_text("is driving this session")).to_be_visible()
        await second.say("from the other side")
        await expect(texts(first)).to_have_text(["from the other side"])
        await stop(second, session)
        await expect(first.page.get_by_text("is driving this session")).to_be_hidden()
