"""The input: what sends and what does not, what is kept, and the way back through what was said."""

import re
from itertools import groupby
from typing import Any

import pytest
from playwright.async_api import Locator, expect
from tests.e2e.live_app import said
from tests.page.viewer import Viewer, show_session
from tests.page.wire_log import overhear, params_of
from tests.page.wires import Wire

pytestmark = pytest.mark.asyncio(loop_scope="session")

PROCESS_KEY = 229  # what a browser says of a key that the input method has taken


async def caret(field: Locator) -> tuple[int, int]:
    start, end = await field.evaluate("(field) => [field.selectionStart, field.selectionEnd]")
    return start, end


async def put_caret(field: Locator, at: int) -> None:
    await field.evaluate("(field, at) => field.setSelectionRange(at, at)", at)


async def test_enter_sends_and_shift_enter_makes_a_line(viewer: Viewer) -> None:
    session = await viewer.begin()
    await viewer.input.click()
    await viewer.page.keyboard.type("first line")
    await viewer.input.press("Shift+Enter")
    await viewer.page.keyboard.type("second line")
    await expect(viewer.input).to_have_value("first line\nsecond line")
    assert said(viewer.live.see(session)) == []

    await viewer.input.press("Enter")
    await expect(viewer.input).to_have_value("")
    assert await caret(viewer.input) == (0, 0)
    await expect(viewer.block("user")).to_contain_text("first line\nsecond line", use_inner_text=True)
    assert said(await viewer.live.until_idle(session)) == ["first line\nsecond line"]


async def test_keys_and_focus_stay_in_the_page(viewer: Viewer) -> None:
    wire = await Wire(viewer.page).lay()
    await viewer.begin()
    await viewer.input.click()
    await viewer.page.keyboard.type("hello")
    await expect(viewer.input).to_have_value("hello")
    sent = len(wire.sent)
    assert "session.watch" in wire.sent, "what the page asks for is seen"
    for key in ("a", "Backspace", "ArrowLeft", "Home", "Shift+End", "Escape", "Tab", "Shift+Tab", "F6"):
        await viewer.page.keyboard.press(key)
    await viewer.log.click()
    await viewer.input.click()
    await viewer.page.keyboard.type("x")
    await expect(viewer.input).to_have_value(re.compile("x"))
    assert set(wire.sent[sent:]) <= {"daemon.ping"}


async def test_the_send_button_sends_and_the_keyboard_stays_in_the_input(viewer: Viewer) -> None:
    session = await viewer.begin()
    send = viewer.page.get_by_role("button", name="Send", exact=True)
    await expect(send).to_be_disabled()
    await viewer.input.fill("   ")
    await expect(send).to_be_disabled()
    await viewer.input.press("Enter")  # nothing but blanks is not a prompt

    await viewer.input.fill("by the button")
    await send.click()
    await expect(viewer.input).to_have_value("")
    await expect(viewer.input).to_be_focused()
    await expect(viewer.block("user")).to_contain_text("by the button")
    assert said(await viewer.live.until_idle(session)) == ["by the button"]


async def test_an_input_method_composes_without_sending(viewer: Viewer) -> None:
    session = await viewer.begin()
    await viewer.input.click()
    keys = await viewer.page.context.new_cdp_session(viewer.page)
    enter = {"key": "Enter", "code": "Enter", "windowsVirtualKeyCode": PROCESS_KEY}
    composed = {"text": "にほん", "selectionStart": 3, "selectionEnd": 3}

    await keys.send("Input.imeSetComposition", composed)
    await expect(viewer.input).to_have_value("にほん")
    await keys.send("Input.dispatchKeyEvent", {"type": "rawKeyDown", **enter})
    await keys.send("Input.dispatchKeyEvent", {"type": "keyUp", **enter})
    await expect(viewer.input).to_have_value("にほん")
    await keys.send("Input.insertText", {"text": "日本"})
    await expect(viewer.input).to_have_value("日本")
    assert said(viewer.live.see(session)) == []
    await viewer.input.press("Enter")
    assert said(await viewer.until_said(session)) == ["日本"]

    await viewer.page.evaluate(
        "window.composed = []; addEventListener('keydown', (key) => composed.push(key.isComposing), true)"
    )
    await keys.send("Input.imeSetComposition", {"text": "へ", "selectionStart": 1, "selectionEnd": 1})
    await viewer.input.press("Enter")  # pressed by its own code, as some input methods do
    assert await viewer.page.evaluate("window.composed") == [True]
    await expect(viewer.input).to_have_value(re.compile("^へ"))
    assert said(await viewer.live.until_idle(session)) == ["日本"]


async def test_a_prompt_is_one_message_and_its_answer_a_stream(viewer: Viewer) -> None:
    heard = overhear(viewer.page)
    session = await viewer.begin()
    await viewer.say("demo:text")
    await expect(viewer.block("assistant")).to_contain_text("A raised bridge")
    await viewer.live.until_idle(session)
    await expect(viewer.page.get_by_role("button", name="Send", exact=True)).to_be_visible()

    starts = params_of(heard, "run.start")
    assert [start["input"] for start in starts] == [{"type": "text", "text": "demo:text"}]
    changes = [change for news in params_of(heard, "session.changed") for change in news["changes"]]
    assert [name for name, _ in groupby(filter(None, map(name_of, changes)))] == [
        *("user", "assistant begins", "assistant grows", "assistant completed")
    ]


def name_of(change: dict[str, Any]) -> str:
    """What a change says of the prompt or its answer; empty for all the rest."""
    block = change.get("block")
    if change["change"] == "textGrew":
        return "assistant grows"
    if change["change"] != "blockPut" or not isinstance(block, dict):
        return ""
    if block["kind"] != "assistant":
        return "user" if block["kind"] == "user" else ""
    return (
        "assistant completed"
        if block.get("status") == "completed"
        else f"assistant begins{block.get('text', '')}"
    )


async def test_drafts_are_kept_for_each_session_and_over_a_reload(viewer: Viewer) -> None:
    other = await viewer.live.begin()
    mine = await viewer.begin()
    await viewer.input.fill("half a thought")
    await viewer.show(other)
    await expect(viewer.input).to_have_value("")
    await viewer.input.fill("another one")
    await viewer.show(mine)
    await expect(viewer.input).to_have_value("half a thought")
    await viewer.input.press("End")
    await viewer.page.keyboard.type(", and more")

    await viewer.page.reload()
    await expect(viewer.input).to_have_value("half a thought, and more")
    await viewer.show(other)
    await expect(viewer.input).to_have_value("another one")
    assert said(viewer.live.see(mine)) + said(viewer.live.see(other)) == []


async def test_two_windows_type_and_send_in_one_session(viewer: Viewer) -> None:
    session = await viewer.begin()
    window = await viewer.page.context.new_page()
    await window.goto(viewer.doors.new_link(str(viewer.setup.project)))
    await show_session(window, session)
    other = window.get_by_role("textbox", name="Prompt to the agent")
    await viewer.input.fill("from the one")
    await other.fill("from the other, still being typed")
    await window.evaluate("dispatchEvent(new Event('pagehide'))")  # it is stored
    await viewer.input.press("Enter")
    await viewer.until_said(session)
    await expect(other).to_have_value("from the other, still being typed")
    await viewer.page.evaluate("dispatchEvent(new Event('pagehide'))")
    await window.wait_for_function("Object.values(localStorage).some((it) => it.includes('from the one'))")

    await window.reload()
    await expect(other).to_have_value("from the other, still being typed")
    await other.press("Enter")
    assert said(await viewer.until_said(session, 2)) == ["from the one", "from the other, still being typed"]
    await window.close()
    await viewer.page.reload()
    await expect(viewer.block("user")).to_have_count(2)
    for sent in ("from the other, still being typed", "from the one"):
        await viewer.input.press("ArrowUp")
        await expect(viewer.input).to_have_value(sent)


async def test_a_prompt_on_its_way_is_not_called_lost_when_its_tab_is_shown_again(viewer: Viewer) -> None:
    other = await viewer.live.begin()
    wire = await Wire(viewer.page).lay()
    session = await viewer.begin()
    wire.holds = lambda method: method == "run.start"
    await viewer.say("on its way")
    await viewer.show(other)
    await viewer.show(session)
    await expect(viewer.input).to_have_value("")
    await expect(viewer.page.get_by_text("Not sent yet")).to_have_count(0)
    assert wire.sent.count("run.start") == 1
    wire.release()
    assert said(await viewer.until_said(session)) == ["on its way"]


async def test_a_huge_paste_is_sent_whole_or_refused_and_given_back(viewer: Viewer) -> None:
    session = await viewer.begin()
    await viewer.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    for size, fits in ((1_200_000, False), (900_000, True)):
        await viewer.input.fill("")
        await viewer.page.evaluate(
            f"navigator.clipboard.writeText('a line of it\\n'.repeat({size} / 13).padEnd({size}, 'x'))"
        )
        await viewer.input.press("ControlOrMeta+v")
        await expect(viewer.input).to_have_js_property("textLength", size)
        await viewer.input.press("Enter")
        if not fits:
            await expect(viewer.page.get_by_role("alert")).to_contain_text(
                f"The prompt has {size} characters"
            )
            await expect(viewer.input).to_have_js_property("textLength", size)
    assert list(map(len, said(await viewer.until_said(session)))) == [900_000]


async def test_the_arrows_walk_through_what_was_sent(viewer: Viewer) -> None:
    session = await viewer.begin()
    for count, text in enumerate(("one", "two", "two"), 1):  # the same twice in a row is kept once
        await viewer.say(text)
        await viewer.until_said(session, count)
    await viewer.say("/nonsense")
    await expect(viewer.page.get_by_role("alert")).to_contain_text("/nonsense is not a command")

    await viewer.input.fill("a draft")
    await put_caret(viewer.input, 0)
    for expected in ("/nonsense", "two", "one", "one"):
        await viewer.input.press("ArrowUp")
        await expect(viewer.input).to_have_value(expected)
        assert await caret(viewer.input) == (0, 0)
    for expected in ("two", "/nonsense", "a draft", "a draft"):
        await viewer.input.press("ArrowDown")
        await expect(viewer.input).to_have_value(expected)


async def test_the_arrows_move_the_caret_anywhere_but_at_the_start(viewer: Viewer) -> None:
    session = await viewer.begin()
    await viewer.say("sent before")
    await viewer.until_said(session)

    await viewer.input.fill("a draft")
    await put_caret(viewer.input, 3)
    await viewer.input.press("ArrowUp")  # to the start of the only line, as in any field
    await expect(viewer.input).to_have_value("a draft")
    await viewer.input.press("ControlOrMeta+a")
    await viewer.input.press("ArrowUp")
    await expect(viewer.input).to_have_value("a draft")
    await put_caret(viewer.input, 0)
    await viewer.input.press("Shift+ArrowUp")
    await expect(viewer.input).to_have_value("a draft")

    await viewer.input.fill("/")
    await expect(viewer.page.get_by_role("listbox", name="Suggestions")).to_be_visible()
    await viewer.input.press("ArrowUp")  # moves through the suggestions
    await expect(viewer.input).to_have_value("/")
    await viewer.input.fill("")
    await viewer.input.press("ArrowUp")
    await expect(viewer.input).to_have_value("sent before")


async def test_a_walk_is_left_by_a_change_and_outlives_a_reload(viewer: Viewer) -> None:
    session = await viewer.begin()
    for count, text in enumerate(("one", "two"), 1):
        await viewer.say(text)
        await viewer.until_said(session, count)
    await viewer.page.reload()
    await viewer.input.press("ArrowUp")
    await expect(viewer.input).to_have_value("two")
    await viewer.page.keyboard.type("not ")
    await put_caret(viewer.input, 0)
    await viewer.input.press("ArrowDown")  # what was changed is a draft: there is nothing after it
    await expect(viewer.input).to_have_value("not two")


async def test_the_status_line_tells_what_is_done_and_how_full_the_context_is(viewer: Viewer) -> None:
    session = await viewer.begin()
    status = viewer.page.get_by_role("region", name="Status")
    await viewer.say("demo:slow")
    await viewer.live.until_streaming(session)
    await expect(status).to_contain_text("Writing")
    await viewer.page.get_by_role("button", name="Stop", exact=True).click()
    await viewer.live.until_idle(session)
    await viewer.live.play(session, "demo:text")
    await expect(status).to_contain_text("Done")
    used = re.compile(r"Context: [\d.]+K of [\d.]+K tokens used, \d+% left")
    await expect(viewer.page.get_by_role("meter", name=used)).to_be_visible()
    field, line = await viewer.input.bounding_box(), await status.bounding_box()
    assert field
    assert line
    assert field["y"] + field["height"] <= line["y"]
