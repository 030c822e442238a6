"""The sidebar: every session, searched, walked, and what each of them is at."""

from contextlib import suppress
from pathlib import Path

import pytest
from playwright.async_api import Error, Locator, expect
from tests.e2e.live_app import choose
from tests.page.listener import find_violations, load_axe
from tests.page.viewer import ServedPage, Viewer

from bascule.core.session.status import is_draft
from bascule.model.changes import StatusSet
from bascule.model.ids import SessionId
from bascule.model.protocol.sessions import Card, CardsNotify

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE = {"width": 390, "height": 780}


def sessions(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("listbox", name="Sessions")


def row(viewer: Viewer, title: str) -> Locator:
    return sessions(viewer).get_by_role("option").filter(has_text=title)


def search(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("searchbox", name="Search sessions")


async def named(viewer: Viewer, title: str, project: Path | None = None) -> SessionId:
    session = await viewer.live.create(project)
    await viewer.live.app.sessions.rename(session, title)
    return session


async def test_sessions_stand_under_their_folder_the_latest_first_with_their_whole_place_to_hover(
    viewer: Viewer, tmp_path: Path
) -> None:
    other = tmp_path / "ferry"
    other.mkdir()
    await named(viewer, "Paint the hull", other)
    await named(viewer, "Oil the hinge")
    last = await named(viewer, "Raise the leaf")
    await viewer.enter(last)
    texts = await sessions(viewer).locator(".frame-folder, .frame-row-title").all_inner_texts()
    leaf, hinge, hull = (texts.index(t) for t in ("Raise the leaf", "Oil the hinge", "Paint the hull"))
    assert leaf < hinge < hull
    assert texts[0].splitlines()[0] == "wordkit"
    assert texts[hull - 1].splitlines() == ["ferry", "1"]
    await expect(row(viewer, "Raise the leaf")).to_have_attribute("aria-selected", "true")
    leaf_row, hull_row = row(viewer, "Raise the leaf"), row(viewer, "Paint the hull")
    await expect(leaf_row).to_have_attribute("title", "Raise the leaf\n~/wordkit\ncodex")
    await expect(hull_row).to_have_attribute("title", f"Paint the hull\n{other}\ncodex")


async def test_a_search_narrows_by_words_of_title_and_folder_and_enter_opens_the_first(
    viewer: Viewer, tmp_path: Path
) -> None:
    place = tmp_path / "lighthouse"
    place.mkdir()
    found = await named(viewer, "Trim the Lamp", place)
    await viewer.create()
    await search(viewer).press_sequentially("lamp LIGHT")
    await expect(sessions(viewer).get_by_role("option")).to_have_count(1)
    await viewer.page.keyboard.press("Enter")
    heading = viewer.page.get_by_role("banner").get_by_role("heading", level=1)
    await expect(heading).to_have_text("Trim the Lamp")
    await search(viewer).fill("nothing of the kind")
    await expect(viewer.page.get_by_text("No session matches “nothing of the kind”.")).to_be_visible()
    await search(viewer).press("Escape")
    await expect(search(viewer)).to_have_value("")
    await search(viewer).fill(found)  # an id from a log
    await expect(row(viewer, "Trim the Lamp")).to_have_count(1)


async def test_a_search_finds_what_was_said_and_opens_it_there(viewer: Viewer) -> None:
    said = await named(viewer, "Nothing in the name")
    await viewer.live.play(said, "demo:text")
    await viewer.create()
    await search(viewer).fill("raised bridge")
    found = row(viewer, "Nothing in the name")
    await expect(found.locator(".frame-row-hit mark").first).to_have_text("raised")
    await found.click()
    await expect(viewer.shown).to_have_attribute("data-session", said)
    await expect(viewer.log).to_contain_text("A raised bridge")
    await search(viewer).fill("said by nobody")
    await expect(viewer.page.get_by_text("No session matches “said by nobody”.")).to_be_visible()


async def test_a_session_is_pinned_archived_and_deleted_and_each_can_be_undone(viewer: Viewer) -> None:
    await load_axe(viewer.page)
    pinned, gone = await named(viewer, "Keep me near"), await named(viewer, "Put me away")
    await viewer.create()

    async def choose_item(title: str, item: str) -> None:
        await row(viewer, title).click(button="right")
        await viewer.page.get_by_role("menuitem", name=item, exact=True).click()

    group = sessions(viewer).locator(".frame-folder")
    await choose_item("Keep me near", "Pin")
    await expect(group.first).to_contain_text("Pinned")
    await viewer.live.until_head(pinned, lambda head: head.place == "pinned")
    await choose_item("Keep me near", "Unpin")
    await expect(group.filter(has_text="Pinned")).to_have_count(0)

    messages = viewer.page.get_by_role("region", name="Messages")
    await choose_item("Put me away", "Archive")
    await expect(row(viewer, "Put me away")).to_have_count(0)
    await messages.get_by_role("button", name="Undo").click()
    await expect(row(viewer, "Put me away")).to_be_visible()
    await choose_item("Put me away", "Archive")
    await expect(row(viewer, "Put me away")).to_have_count(0)
    await viewer.page.get_by_role("button", name="List options").click()
    await viewer.page.get_by_role("menuitemcheckbox", name="Show archived sessions (1)").click()
    await expect(group.last).to_contain_text("Archived")
    assert await find_violations(viewer.page) == []
    await choose_item("Put me away", "Move out of the archive")
    await expect(group.filter(has_text="Archived")).to_have_count(0)

    await choose_item("Put me away", "Delete…")
    question = viewer.page.get_by_role("article", name="Delete this session?")
    await expect(question).to_be_visible()
    while await question.count():  # what has just appeared takes no answer for a moment
        with suppress(Error):  # it has just gone
            yes = question.get_by_role("button", name="Yes, delete it")
            await yes.dispatch_event("click", timeout=1_000)
    await expect(row(viewer, "Put me away")).to_have_count(0)
    assert [head.id for head in viewer.live.app.deletion.list()] == [gone]
    await viewer.page.get_by_role("button", name="List options").click()
    await viewer.page.get_by_role("menuitem", name="Restore deleted sessions").click()
    deleted = viewer.page.get_by_role("dialog", name="Deleted sessions")
    await deleted.get_by_role("listitem").filter(has_text="Put me away").get_by_role("button").click()
    await expect(deleted).to_contain_text("No deleted sessions.")
    assert await find_violations(viewer.page) == []
    await viewer.page.keyboard.press("Escape")
    await expect(row(viewer, "Put me away")).to_be_visible()


async def test_the_list_is_walked_with_keys(viewer: Viewer) -> None:
    first, second = await named(viewer, "Key one"), await named(viewer, "Key two")
    await viewer.enter(second)
    await search(viewer).press("ArrowDown")
    await expect(sessions(viewer)).to_be_focused()
    at = sessions(viewer).locator(".frame-row-current")
    await expect(at).to_contain_text("Key two")
    await viewer.page.keyboard.press("ArrowDown")
    await expect(at).to_contain_text("Key one")
    assert await sessions(viewer).get_attribute("aria-activedescendant") == await at.get_attribute("id")
    await viewer.page.keyboard.press("F2")
    await viewer.page.get_by_role("textbox", name="Title").fill("Key one again")
    await viewer.page.keyboard.press("Enter")
    await expect(row(viewer, "Key one again")).to_be_visible()
    await expect(sessions(viewer)).to_be_focused()
    await viewer.page.keyboard.press("Shift+F10")
    await expect(viewer.page.get_by_role("menu", name="Menu for session Key one again")).to_be_visible()
    await viewer.page.keyboard.press("Escape")
    await expect(sessions(viewer)).to_be_focused()
    await viewer.page.keyboard.press("Enter")
    chosen = viewer.shown
    await expect(chosen).to_have_attribute("data-session", first)


async def test_each_status_has_its_sign_and_its_name(viewer: Viewer) -> None:
    """Working, waiting with a count, done, failed and the rest: by shape and name, not by colour alone."""
    session = await named(viewer, "Signs")
    looking = await viewer.create()
    line = row(viewer, "Signs")
    dot = line.locator(".frame-dot")
    viewer.live.say(session, "demo:approval")
    await viewer.live.until_ask(session)
    await expect(dot).to_have_attribute("title", "Waiting for you")
    await expect(line.locator(".frame-count")).to_have_attribute("title", "1 waiting for you")
    shapes = {"waiting": await dot.locator("svg").inner_html()}

    viewer.live.say(looking, "demo:slow")
    await viewer.live.until_streaming(looking)
    working = sessions(viewer).locator('[aria-selected="true"] .frame-dot')
    await expect(working).to_have_attribute("title", "Working")
    shapes["working"] = await working.locator("svg").inner_html()
    viewer.live.app.prompts.interrupt(looking)
    await viewer.live.until_idle(looking)
    await expect(working).to_have_attribute("title", "Interrupted")
    shapes["interrupted"] = await working.locator("svg").inner_html()

    await viewer.live.finish(session, choose("cancel"))
    await expect(dot).to_have_attribute("title", "Declined")
    await expect(line.locator(".frame-count")).to_have_count(0)
    shapes["declined"] = await dot.locator("svg").inner_html()
    await viewer.live.play(session, "demo:error")
    await expect(dot).to_have_attribute("title", "Failed")
    shapes["failed"] = await dot.locator("svg").inner_html()
    await viewer.live.play(session, "demo:text")
    await expect(dot).to_have_attribute("title", "Done")
    shapes["done"] = await dot.locator("svg").inner_html()
    assert len(set(shapes.values())) == 6
    viewer.live.app.hub.apply(session, [StatusSet("stopped")])  # as after a crash
    await expect(dot).to_have_attribute("title", "Failed")
    assert await dot.locator("svg").inner_html() == shapes["failed"]
    await viewer.show(session)
    await expect(viewer.page.get_by_role("tab", selected=True).locator(".frame-dot")).to_have_text("Failed")
    await expect(viewer.page.locator(".frame-status-doing")).to_contain_text("Failed")


async def test_what_is_queued_is_counted(viewer: Viewer) -> None:
    session = await named(viewer, "Busy one")
    await viewer.create()
    viewer.live.say(session, "demo:slow")
    await viewer.live.until_streaming(session)
    viewer.live.say(session, "demo:text")
    viewer.live.say(session, "demo:text and more")
    await expect(row(viewer, "Busy one")).to_contain_text("2 queued")
    viewer.live.app.prompts.interrupt(session)


async def test_it_is_put_away_and_stays_away(viewer: Viewer) -> None:
    await viewer.create()
    await viewer.page.get_by_role("button", name="Hide sessions").click()
    await expect(sessions(viewer)).to_have_count(0)
    await viewer.page.reload()
    shown = viewer.page.get_by_role("button", name="Show sessions")
    await expect(shown).to_have_attribute("aria-expanded", "false")
    await expect(sessions(viewer)).to_have_count(0)
    await shown.click()
    await expect(sessions(viewer)).to_be_visible()


async def test_on_a_phone_it_is_a_drawer_that_goes_after_a_choice(served: ServedPage) -> None:
    async with served.viewer(has_touch=True, is_mobile=True) as viewer:
        session = await named(viewer, "From the drawer")
        await viewer.page.set_viewport_size({**PHONE})  # type: ignore[typeddict-item]
        await viewer.enter()
        await expect(sessions(viewer)).to_have_count(0)
        await viewer.page.get_by_role("button", name="Show sessions").tap()
        await expect(search(viewer)).to_be_focused()
        await row(viewer, "From the drawer").tap()
        await expect(sessions(viewer)).to_have_count(0)
        chosen = viewer.shown
        await expect(chosen).to_have_attribute("data-session", session)
        wide = await viewer.page.evaluate("document.documentElement.scrollWidth")
        assert wide == PHONE["width"]


async def test_thousands_of_sessions_are_listed_and_only_those_in_sight_are_made(viewer: Viewer) -> None:
    session = await viewer.create()
    known = sum(not is_draft(head) or head.id == session for head in viewer.live.app.hub.heads())
    many = tuple(
        Card(session_id=f"s_{n}", title=f"Old one {n:04}", workspace="/srv/archive", status="stopped")
        for n in range(5_000)
    )
    viewer.live.app.surfaces.broadcast("session.cards", CardsNotify(cards=many))
    await expect(viewer.page.get_by_text(f"{known + 5_000} total")).to_be_visible()
    await sessions(viewer).focus()
    await viewer.page.keyboard.press("End")
    last = sessions(viewer).locator(".frame-row-current")
    await expect(last).to_be_in_viewport()
    await expect(last).to_have_attribute("aria-posinset", str(known + 5_000))
    assert await sessions(viewer).get_by_role("option").count() < 100
    await search(viewer).fill("one 4321")
    await expect(sessions(viewer).get_by_role("option")).to_have_text(["StoppedOld one 4321"])


async def test_a_session_is_deleted_after_the_question_in_it_is_answered(viewer: Viewer) -> None:
    await viewer.page.clock.install()  # a question that has just appeared takes no answer
    keep = await named(viewer, "Keep this one")
    gone = await named(viewer, "Delete this one")
    await viewer.enter(keep)
    await row(viewer, "Delete this one").click(button="right")
    await viewer.page.get_by_role("menuitem", name="Delete…").click()
    card = viewer.page.get_by_role("article", name="Delete this session?")
    await expect(card).to_be_visible()
    await viewer.page.clock.run_for(500)
    await card.get_by_role("button", name="Yes, delete it").click()
    await expect(row(viewer, "Delete this one")).to_have_count(0)
    await expect(row(viewer, "Keep this one")).to_be_visible()
    assert [head.id for head in viewer.live.app.deletion.list()] == [gone]


async def test_a_session_without_a_word_is_listed_by_its_draft_or_not_at_all(viewer: Viewer) -> None:
    spoken = await viewer.live.begin()
    await viewer.live.play(spoken, "demo:text")
    await viewer.enter(spoken)
    await viewer.page.get_by_role("banner").get_by_role("button", name="New", exact=True).click()
    await expect(viewer.shown).not_to_have_attribute("data-session", spoken)
    await viewer.input.fill("Paint the bridge\nin blue")
    await expect(row(viewer, "Draft: Paint the bridge")).to_be_visible()
    await viewer.page.reload()
    await expect(row(viewer, "Draft: Paint the bridge")).to_be_visible()
    count = await sessions(viewer).get_by_role("option").count()
    await viewer.input.fill("")
    await viewer.show(spoken)
    await expect(sessions(viewer).get_by_role("option")).to_have_count(count - 1)
