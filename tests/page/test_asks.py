"""Asks on the page: what is asked in full, exactly the legal answers, and never a yes by accident."""

import re
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio
from msgspec.structs import replace
from playwright.async_api import Locator, ViewportSize, expect
from tests.e2e.live_app import last_run, of_kind, replies, said
from tests.page.viewer import ServedPage, Viewer
from tests.page.wire_log import overhear, params_of

from bascule.daemon.agents.pool import place_of
from bascule.host.storage.audit import Audit, audit_in
from bascule.model.asks import Answer, Ask, Choice, Option, Question, QuestionsSubject
from bascule.model.blocks import CommandBlock, McpBlock
from bascule.model.changes import AskClosed, AskOpened
from bascule.model.ids import AskId, SessionId

pytestmark = pytest.mark.asyncio(loop_scope="session")

SETTLE_MS = 400  # an answer given sooner than this after a card has come is not meant
YES_OR_NO = (Choice(id="accept", label="Answer", grants=True), Choice(id="decline", label="No", grants=False))


@pytest_asyncio.fixture(loop_scope="session")
async def viewer(served: ServedPage) -> AsyncIterator[Viewer]:
    """With a clock of the test's own: the guard against hasty answers opens when the test says so."""
    async with served.viewer() as viewer:
        await viewer.page.clock.install()
        yield viewer


async def settle(viewer: Viewer) -> None:
    await viewer.page.clock.run_for(SETTLE_MS + 100)


def cards(viewer: Viewer) -> Locator:
    return viewer.page.get_by_role("region", name="Waiting for your answer").get_by_role("article")


def button(card: Locator, name: str) -> Locator:
    return card.get_by_role("button", name=name, exact=True)


async def read_all(viewer: Viewer, card: Locator) -> None:
    """A yes to what does not fit into the card counts once its end was in view."""
    for part in (card.locator(".asks-body"), card.locator(".diff-scroll")):
        await part.evaluate("one => one.scrollTo(0, one.scrollHeight)")
    await expect(card.get_by_role("button", name="more line")).to_have_count(0)
    await settle(viewer)


async def asked(viewer: Viewer, prompt: str) -> tuple[SessionId, Locator]:
    session = await viewer.create()
    await expect(cards(viewer)).to_have_count(0)  # only while something is asked
    await viewer.say(prompt)
    await expect(cards(viewer)).to_have_count(1)
    await settle(viewer)
    return session, cards(viewer)


# --- grants ---------------------------------------------------------------------------------------


async def test_what_was_granted_for_the_session_is_listed_and_revoked(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:edit")
    granted = viewer.page.get_by_role("button", name="Allowed without asking: 1")
    await expect(granted).to_have_count(0)
    await read_all(viewer, card)
    await card.get_by_role("button", name="Yes, for this session").click()
    await viewer.until_said(session)
    await granted.click()
    panel = viewer.page.get_by_role("dialog", name="Allowed without asking: 1")
    await expect(panel).to_contain_text("wordkit.py")
    await expect(panel).to_contain_text("Until this session's agent ends.")
    pool, place = viewer.live.app.pool, place_of(viewer.live.see(session))
    assert pool.is_running(place)

    await button(panel, "Revoke").click()
    await expect(granted).to_have_count(0)
    assert not pool.is_running(place)  # Codex kept it in memory alone
    lines = Audit(audit_in(viewer.setup.folder.root)).last(20)
    (line,) = [line for line in lines if line.entry.kind == "grant"][-1:]
    assert (line.entry.outcome, line.entry.workspace) == ("done", str(viewer.setup.project))


async def test_a_rule_that_codex_keeps_is_listed_with_where_it_is_removed(viewer: Viewer) -> None:
    session = await viewer.create()
    app = viewer.live.app
    rule = "allow commands that begin with: cargo build"
    entry = app.record.entry(
        "ask",
        "done",
        asker="page",
        asked="Run this command? cargo build",
        workspace=str(viewer.setup.project),
    )
    await app.record.write(replace(entry, answer="yes", lasts="always", rule=rule, ref="ask-always"))
    await viewer.say("demo:text")
    await viewer.until_said(session)
    await viewer.page.get_by_role("button", name=re.compile("^Allowed without asking")).click()
    panel = viewer.page.get_by_role("dialog", name=re.compile("^Allowed without asking"))
    # in the home that Codex was given
    await expect(panel.get_by_role("listitem").filter(has_text=rule)).to_contain_text(
        "Remove it in ~/codex/rules/default.rules"
    )
    await expect(panel.get_by_role("listitem").filter(has_text=rule).get_by_role("button")).to_have_count(0)


# --- commands -------------------------------------------------------------------------------------


async def test_a_card_shows_what_would_run_where_and_why(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:approval")
    await expect(card.get_by_role("heading")).to_have_text("Run this command?")
    await expect(card).to_contain_text("The agent says: May I compile the module?")
    await expect(card).to_contain_text("-m compileall -q wordkit.py")
    await expect(card).to_contain_text(f"Folder ~/{viewer.setup.project.name}")
    docked, log = await card.bounding_box(), await viewer.log.bounding_box()
    field = await viewer.input.bounding_box()
    assert docked
    assert log
    assert field
    assert log["y"] + log["height"] <= docked["y"] + 1, "under the log"
    assert docked["y"] + docked["height"] <= field["y"] + 1, "and above the input"

    await expect(button(card, "Yes, and always")).to_have_accessible_description(
        re.compile(r"allow commands that begin with:\s.*-m compileall -q wordkit\.py")
    )
    await button(card, "Yes, once").click()
    await expect(cards(viewer)).to_have_count(0)
    seen = await viewer.live.until_idle(session)
    assert (of_kind(seen, CommandBlock)[0].exit_code, replies(seen)[-1]) == (
        0,
        "You allowed it, and the module is compiled.",
    )


async def give_reason(card: Locator, reason: str) -> None:
    await button(card, "Add a reason…").click()
    await card.get_by_role("textbox", name="Reason for declining").fill(reason)


async def test_a_no_runs_nothing(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:approval")
    await button(card, "No, and stop the run").click()
    await expect(cards(viewer)).to_have_count(0)
    seen = await viewer.live.until_idle(session)
    assert (of_kind(seen, CommandBlock)[0].status, last_run(seen).outcome) == ("declined", "interrupted")


async def test_the_reason_of_a_no_reaches_the_model(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:edit")
    await give_reason(card, "Not on a Sunday.")
    await button(card, "No, go on without it").click()
    await expect(viewer.block("user").last).to_contain_text("Not on a Sunday.")
    assert said(await viewer.live.until_idle(session))[-1] == "Not on a Sunday."


async def test_the_reason_of_a_no_that_stops_the_run_is_in_the_log(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:approval")
    await give_reason(card, "Not on a Sunday.")
    await button(card, "No, and stop the run").click()
    await viewer.live.until_idle(session)
    await expect(viewer.block("info").last).to_contain_text("Not on a Sunday.")
    await expect(viewer.log.locator(".blocks-end")).to_contain_text("Declined after")
    await expect(viewer.page.get_by_role("region", name="Status")).to_contain_text("Declined")
    await expect(viewer.log.locator(".blocks-end").get_by_role("button")).to_have_count(0)  # nothing ran
    await expect(viewer.page.get_by_role("option", selected=True)).to_contain_text("Declined")


async def test_always_writes_its_rule_and_is_not_asked_again(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:approval")
    await button(card, "Yes, and always").click()
    await viewer.live.until_idle(session)
    await viewer.say("demo:approval")
    await expect(viewer.block("command")).to_have_count(2)
    seen = await viewer.live.until_idle(session)
    await expect(cards(viewer)).to_have_count(0)
    (rules,) = (viewer.setup.project.parent / "codex").rglob("*.rules")
    written = rules.read_text(encoding="utf-8")
    rules.unlink()  # the other tests are asked again
    assert '"compileall", "-q", "wordkit.py"' in written
    assert [(block.status, block.exit_code) for block in of_kind(seen, CommandBlock)] == [
        ("completed", 0)
    ] * 2
    assert replies(seen)[-1] == "You allowed it, and the module is compiled."


# --- nothing by accident --------------------------------------------------------------------------


async def test_an_answer_within_the_first_moment_is_not_taken(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.page.clock.pause_at(await viewer.page.evaluate("Date.now() + 1000"))
    heard = overhear(viewer.page)
    await viewer.live.until_idle(session)
    viewer.live.say(session, "demo:approval")
    await viewer.live.until_ask(session)
    await viewer.page.clock.run_for(50)  # the frame in which it is drawn
    await expect(cards(viewer)).to_have_count(1)
    await button(cards(viewer), "Yes, once").click()
    await cards(viewer).press("y")
    await viewer.page.clock.run_for(SETTLE_MS - 100)
    await button(cards(viewer), "Yes, once").click()
    assert params_of(heard, "ask.answer") == []
    assert len(viewer.live.see(session).asks) == 1

    await settle(viewer)
    await button(cards(viewer), "Yes, once").click()
    seen = await viewer.live.until_idle(session)
    assert of_kind(seen, CommandBlock)[0].exit_code == 0


async def test_nothing_is_said_yes_to_by_typing(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:approval")
    await viewer.input.click()
    await viewer.page.keyboard.type("yes y n")
    await viewer.input.press("Enter")  # waits in the queue
    await expect(card).to_be_visible()
    await give_reason(card, "")
    await viewer.page.keyboard.type("yn")
    await viewer.log.focus()
    await viewer.page.keyboard.press("y")
    await viewer.page.keyboard.press("Enter")
    await expect(card).to_be_visible()
    assert len(viewer.live.see(session).asks) == 1
    await card.get_by_role("textbox", name="Reason for declining").fill("")

    await card.focus()
    await viewer.page.keyboard.press("n")  # on the card itself the letter is an answer
    await expect(cards(viewer)).to_have_count(0)
    await expect(viewer.input).to_be_focused()
    await viewer.live.until_head(session, lambda seen: seen.runs[0].outcome == "interrupted")


async def test_the_letter_also_counts_while_a_button_of_the_card_has_the_focus(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:approval")
    await button(card, "Yes, and always").focus()
    await viewer.page.keyboard.press("y")
    seen = await viewer.live.until_idle(session)
    assert of_kind(seen, CommandBlock)[0].exit_code == 0


async def test_a_key_leads_to_the_question_from_anywhere(viewer: Viewer) -> None:
    waiting, card = await asked(viewer, "demo:approval")
    await viewer.input.focus()
    await viewer.page.keyboard.press("Alt+a")
    await expect(card).to_be_focused()

    quiet = await viewer.create()  # another session, that asks nothing
    await expect(cards(viewer)).to_have_count(0)
    await viewer.input.focus()
    await viewer.page.keyboard.press("Alt+a")
    await viewer.page.keyboard.press("n")  # at once: it goes into no input, and answers nothing yet
    await expect(card).to_be_focused()
    assert len(viewer.live.see(waiting).asks) == 1
    await viewer.show(quiet)
    await expect(viewer.input).to_have_value("")
    await viewer.show(waiting)
    await settle(viewer)
    await button(card, "No, and stop the run").click()
    await viewer.live.until_head(waiting, lambda seen: seen.runs[0].outcome == "interrupted")


async def test_an_ask_that_is_answered_elsewhere_goes_away(served: ServedPage, viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:approval")
    async with served.viewer() as other:
        await other.enter(session)
        await expect(cards(other)).to_have_count(1)
        ask = viewer.live.see(session).asks[0]
        await viewer.live.answer(session, Answer(ask=ask.id, choice="accept", by="terminal"))
        await expect(card).to_have_count(0)
        await expect(cards(other)).to_have_count(0)


async def test_an_interrupt_withdraws_it(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:approval")
    await viewer.page.get_by_role("button", name="Stop", exact=True).click()
    await expect(card).to_have_count(0)
    assert last_run(await viewer.live.until_idle(session)).outcome == "interrupted"


# --- questions ------------------------------------------------------------------------------------


async def test_questions_are_answered_by_options_and_own_words(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:question")
    await button(card, "Answer").click()
    await expect(card.get_by_role("alert")).to_have_text(["Enter an answer.", "Enter an answer."])
    assert len(viewer.live.see(session).asks) == 1

    await card.get_by_role("radio", name="South").check()
    pace = card.get_by_role("group", name=re.compile("How fast"))
    await pace.get_by_role("radio", name="Slowly").check()
    await pace.get_by_role("textbox").fill("as the wind blows")  # takes the option's place
    await expect(pace.get_by_role("radio", name="Slowly")).not_to_be_checked()
    await expect(card.get_by_role("alert")).to_have_count(0)
    await button(card, "Answer").click()
    await viewer.live.until_idle(session)
    answer = viewer.block("assistant").last
    await expect(answer).to_contain_text("leaf: South")
    await expect(answer).to_contain_text("as the wind blows")


async def test_a_server_asks_for_a_form(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:mcp")
    await expect(card).to_contain_text("sign_guest_book")
    await card.get_by_role("button").first.click()
    form = cards(viewer).filter(has_text="Who signs the guest book?")
    assert (await form.inner_text()).count("demo asks") == 1
    await expect(form).to_have_count(1)
    await settle(viewer)
    await form.get_by_role("group", name=re.compile("Name")).get_by_role("textbox").fill("Ann")
    await form.get_by_role("radio", name="south").check()
    await form.get_by_role("group", name=re.compile("Show it")).get_by_role("radio", name="yes").check()
    await form.get_by_role("button").first.click()
    await expect(cards(viewer)).to_have_count(0)
    seen = await viewer.live.until_idle(session)
    assert "Signed by Ann." in of_kind(seen, McpBlock)[-1].result
    await expect(viewer.block("assistant").last).to_contain_text("Signed by Ann.")


async def test_every_type_of_question(viewer: Viewer) -> None:
    session = await viewer.create()
    heard = overhear(viewer.page)
    await viewer.page.reload()
    questions = (
        Question(id="many", text="Which leaves?", options=(Option("north"), Option("south")), several=True),
        Question(id="key", text="The key?", secret=True, required=True),
        Question(id="count", text="How many?", type="integer"),
        Question(id="angle", text="What angle?", type="number"),
        Question(id="sure", text="Are you sure?", type="boolean"),
        Question(id="left", text="Anything else?"),
    )
    ask = Ask(
        id=AskId("all-types"),
        title="A form",
        subject=QuestionsSubject(questions=questions, server="harbour", message="Tell me."),
        choices=YES_OR_NO,
    )
    await expect(viewer.log).to_be_visible()
    viewer.live.app.hub.apply(session, [AskOpened(ask)])
    card = cards(viewer)
    await expect(card).to_contain_text("harbour asks:")
    await settle(viewer)

    def group(name: str) -> Locator:
        return card.get_by_role("group", name=re.compile(re.escape(name)))

    await group("Which leaves?").get_by_role("checkbox", name="north").check()
    await group("Which leaves?").get_by_role("checkbox", name="south").check()
    await group("How many?").get_by_role("textbox").fill("two")
    await group("What angle?").get_by_role("textbox").fill("steep")
    await group("Are you sure?").get_by_role("radio", name="yes").check()
    await button(card, "Answer").click()
    await expect(card.get_by_role("alert")).to_have_text(
        ["Enter an answer.", "Enter a whole number.", "Enter a number."]
    )
    key = group("The key?").locator("input")
    await expect(key).to_have_attribute("type", "password")
    await expect(key).to_be_focused()
    await key.fill(" swordfish")
    await group("How many?").get_by_role("textbox").fill("2")
    await group("What angle?").get_by_role("textbox").fill("72.5")
    await button(card, "Answer").click()
    await expect(viewer.page.get_by_role("alert")).not_to_have_text("")  # no agent waits for this one
    assert params_of(heard, "ask.answer")[-1] == {
        "session_id": session,
        "ask_id": "all-types",
        "choice": "accept",
        "answers": {
            "many": ["north", "south"],
            "key": [" swordfish"],
            "count": ["2"],
            "angle": ["72.5"],
            "sure": ["yes"],
        },
    }
    stored = await viewer.page.evaluate("JSON.stringify({ ...localStorage, ...sessionStorage })")
    assert "swordfish" not in stored
    viewer.live.app.hub.apply(session, [AskClosed(ask.id, "withdrawn")])
    await expect(card).to_have_count(0)


# --- files, and other sessions --------------------------------------------------------------------


async def test_files_are_shown_with_their_diff(viewer: Viewer) -> None:
    session, card = await asked(viewer, "demo:edit")
    await expect(card).to_contain_text("wordkit.py")
    source = viewer.setup.project / "wordkit.py"
    before = source.read_text(encoding="utf-8")
    await expect(card.locator(".diff-added").first).to_be_visible()
    assert source.read_text(encoding="utf-8") == before  # nothing is written before the yes
    await read_all(viewer, card)
    await button(card, "Yes, once").click()
    await expect(cards(viewer)).to_have_count(0)
    await viewer.live.until_idle(session)
    assert source.read_text(encoding="utf-8") != before


async def test_the_inbox_counts_and_answers_for_other_sessions(viewer: Viewer) -> None:
    here = await viewer.create()
    inbox = viewer.page.get_by_role("button", name=re.compile("Waiting in other sessions"))
    await expect(inbox).to_have_accessible_name("Waiting in other sessions: 0")
    there, last = await viewer.live.create(), await viewer.live.create()
    for session in (there, last):
        viewer.live.say(session, "demo:approval")
        await viewer.live.until_ask(session)
    await expect(inbox).to_have_accessible_name("Waiting in other sessions: 2")
    await expect(inbox).to_contain_text("2")
    await expect(cards(viewer)).to_have_count(0)  # none of this session

    await inbox.click()
    panel = viewer.page.get_by_role("dialog", name=re.compile("Waiting in other sessions"))
    await expect(panel.get_by_role("article")).to_have_count(2)
    await settle(viewer)
    await button(panel.get_by_role("article").first, "Yes, once").click()
    await expect(panel.get_by_role("article")).to_have_count(1)
    await settle(viewer)
    await panel.get_by_role("button", name=re.compile("^Go to")).click()
    await expect(panel).to_be_hidden()
    await expect(cards(viewer)).to_have_count(1)
    await expect(viewer.shown).not_to_have_attribute("data-session", here)
    await expect(inbox).to_have_accessible_name("Waiting in other sessions: 0")
    await settle(viewer)
    await button(cards(viewer), "No, and stop the run").click()
    outcomes = [last_run(await viewer.live.until_idle(one)).outcome for one in (there, last)]
    assert sorted(map(str, outcomes)) == ["completed", "interrupted"]


@pytest.mark.parametrize("size", [{"width": 1280, "height": 800}, {"width": 390, "height": 780}])
async def test_the_answers_are_in_sight_however_long_the_question_is(
    viewer: Viewer, size: ViewportSize
) -> None:
    await viewer.page.set_viewport_size(size)
    _, card = await asked(viewer, "demo:edit")
    for name in ("Yes, once", "No, go on without it", "No, and stop the run"):
        await expect(button(card, name)).to_be_in_viewport(ratio=1)


async def test_the_rule_of_a_lasting_yes_is_whole_beside_a_low_editor(viewer: Viewer) -> None:
    await viewer.page.set_viewport_size({"width": 300, "height": 530})
    _, card = await asked(viewer, "demo:approval")
    await expect(card.locator(".asks-foot")).to_contain_text("allow commands that begin with")
    inside = "(one) => one.scrollHeight <= one.clientHeight"
    assert await card.evaluate(inside)
    assert await viewer.page.locator(".asks").evaluate(inside)
    await button(card, "No, and stop the run").click(trial=True)


async def test_the_settings_scroll_in_one_place(viewer: Viewer) -> None:
    await viewer.create()
    await viewer.page.get_by_role("button", name="Settings").click()
    dialog = viewer.page.get_by_role("dialog", name="Settings")
    await expect(dialog).to_be_visible()
    await dialog.hover()
    await viewer.page.mouse.wheel(0, 10_000)
    assert await dialog.evaluate("one => one.scrollTop") == 0
    await expect(dialog.get_by_role("heading", name="Settings", exact=True)).to_be_in_viewport()


async def test_what_waits_for_a_yes_is_not_said_to_run(viewer: Viewer) -> None:
    _, card = await asked(viewer, "demo:edit")
    work = viewer.block("fileChange").last
    await expect(work.locator("summary").first).to_contain_text("Waiting for you 2 files")
    await expect(work.get_by_role("img", name="Waiting for you")).to_be_visible()
    await read_all(viewer, card)
    await button(card, "Yes, once").click()
    await expect(work.locator("summary").first).to_contain_text("Edited 2 files")
