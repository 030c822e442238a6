"""Three languages: the browser's own where we have it, or the one that was chosen."""

import re
from contextlib import suppress

import pytest
from playwright.async_api import Error, expect
from tests.e2e.live_app import accept
from tests.page.viewer import ServedPage, Viewer

pytestmark = pytest.mark.asyncio(loop_scope="session")

KANA = re.compile(r"[\u3040-\u30ff]")
HAN = re.compile(r"[\u4e00-\u9fff]")
WORDS = {  # New, Send, Done, and the name of the input
    "en": ("New", "Send", "Done", "Prompt to the agent"),
    "ja": ("新規", "送信", "完了", "エージェントへのプロンプト"),
    "zh": ("新建", "发送", "已完成", "给智能体的提示"),
}


@pytest.mark.parametrize(
    ("locale", "language"),
    [("en-GB", "en"), ("ja-JP", "ja"), ("zh-CN", "zh"), ("zh-TW", "zh"), ("fr-FR", "en")],
)
async def test_the_page_speaks_the_browsers_language_or_english(
    served: ServedPage, locale: str, language: str
) -> None:
    session = await served.live.begin()
    await served.live.play(session, "demo:search")
    async with served.viewer(locale=locale) as viewer:
        await viewer.enter(session)
        new, send, done, prompt = WORDS[language]
        await expect(viewer.page.locator("html")).to_have_attribute("lang", language)
        await expect(viewer.page.get_by_role("button", name=new, exact=True)).to_be_visible()
        await expect(viewer.page.get_by_role("button", name=send, exact=True)).to_be_visible()
        await expect(viewer.page.locator(".frame-status-what")).to_have_text(done)
        await expect(viewer.page.get_by_role("textbox", name=prompt)).to_be_visible()


@pytest.mark.parametrize(("chosen", "language", "foreign"), [("日本語", "ja", HAN), ("中文", "zh", KANA)])
async def test_a_chosen_language_is_spoken_everywhere_at_once(
    served: ServedPage, chosen: str, language: str, foreign: re.Pattern[str]
) -> None:
    session = await served.live.begin()
    await served.live.play(session, "demo:approval", accept)
    async with served.viewer(locale="en-US") as viewer:
        await viewer.enter(session)
        await viewer.page.get_by_role("button", name="Settings", exact=True).click()
        dialog = viewer.page.get_by_role("dialog")
        await dialog.get_by_role("combobox", name="Language").select_option(chosen)
        await expect(viewer.page.locator("html")).to_have_attribute("lang", language)
        heading = await dialog.get_by_role("heading", level=2).inner_text()
        assert HAN.search(heading)
        await expect(dialog.locator(".settings-doc > p:first-child").first).to_be_visible()
        docs = await dialog.locator(".settings-doc > p:first-child").all_inner_texts()
        assert docs
        assert [doc for doc in docs if not HAN.search(doc)] == []
        await viewer.page.keyboard.press("Escape")
        await viewer.page.locator("textarea.composer-input").press_sequentially("/")
        await expect(viewer.page.get_by_role("option").filter(has_text="/new")).to_be_visible()
        offered = await viewer.page.get_by_role("listbox").last.get_by_role("option").all_inner_texts()
        assert [one for one in offered if not HAN.search(one) and not KANA.search(one)] == []
        await viewer.page.locator("textarea.composer-input").fill("")
        names: list[str] = await viewer.page.evaluate(
            """[...document.querySelectorAll("button, [role=tablist], nav, section, textarea")].map(
            (one) => one.getAttribute("aria-label") || one.innerText).filter(Boolean)"""
        )
        ours = [name for name in names if "wordkit" not in name and name not in ("demo", "1")]
        english = [name for name in ours if not HAN.search(name) and not KANA.search(name)]
        assert not english
        if language == "zh":
            assert not [name for name in ours if foreign.search(name)]
        await viewer.page.reload()
        await expect(viewer.page.locator("html")).to_have_attribute("lang", language)


# Words of ours on the screen; what the agent, the person or a file says stays as it was said.
OURS = """() => {
  const theirs = "pre, code, kbd, textarea, .blocks-assistant, .blocks-user, .blocks-reasoning, .diff-scroll,"
    + " .asks-words, .asks-rule, bdi, select option, [data-session], h1";
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement;
    if (parent && !parent.closest(theirs) && parent.checkVisibility()) found.push(walker.currentNode.data);
  }
  return found;
}"""
SENTENCE = re.compile(r"\b[A-Z][a-z']+(?: [a-z']+){1,}")  # "Write these files", not "Codex" or "Ctrl"

AGENT = ("Compiling the module", "The demo model")  # its own words, quoted in a line of ours


async def find_english(viewer: Viewer) -> list[str]:
    texts: list[str] = await viewer.page.evaluate(OURS)
    return sorted(
        {text.strip() for text in texts if SENTENCE.search(text) and not any(word in text for word in AGENT)}
    )


@pytest.mark.parametrize(
    ("locale", "revert", "yes"),
    [("ja-JP", "すべて元に戻す", "はい、この内容のとおり"), ("zh-CN", "全部还原", "是，完全照此")],
)
async def test_the_main_flows_have_no_english_sentence_of_ours(
    served: ServedPage, locale: str, revert: str, yes: str
) -> None:
    live = served.live
    session = await live.begin()
    async with served.viewer(locale=locale) as viewer:
        await viewer.page.set_viewport_size({"width": 1600, "height": 2400})
        await viewer.enter(session)
        live.say(session, "demo:approval")
        card = viewer.page.locator("main .asks-card")
        await expect(card).to_be_visible()
        assert await find_english(viewer) == []  # a question of the agent
        while live.see(session).asks:  # what has just appeared takes no answer for a moment
            with suppress(Error):  # it has just gone
                await card.press("n", timeout=1_000)
        await live.until_idle(session)
        await live.play(session, "demo:error")
        await expect(viewer.block("error")).to_be_visible()
        await live.play(session, "demo:edit", accept)
        await expect(viewer.block("fileChange").last).to_be_visible()
        assert await find_english(viewer) == []  # declined, failed, started and edited

        await expect(viewer.log.locator(".blocks-end")).to_have_count(3)
        await viewer.log.locator(".blocks-end-acts button").last.click()
        await viewer.pane.get_by_role("button", name=revert).click()
        await expect(viewer.pane.get_by_role("button", name=yes)).to_be_enabled()
        assert await find_english(viewer) == []  # the question of an edit of ours
        await viewer.pane.get_by_role("button", name=yes).click()
        await expect(viewer.pane.locator(".frame-toast")).to_be_visible()
        assert await find_english(viewer) == []  # and its note in the log
        await viewer.page.keyboard.press("Escape")
        await viewer.page.locator("textarea.composer-input").fill("/plan")
        await viewer.page.locator("textarea.composer-input").press("Enter")
        await expect(viewer.page.locator(".frame-toast, .composer-why").last).to_be_visible()
        assert await find_english(viewer) == []  # a refusal
        await viewer.page.keyboard.press("Alt+o")
        await expect(viewer.page.locator(".settings-field").first).to_be_visible()
        assert await find_english(viewer) == []  # the settings


async def test_the_end_of_a_run_changes_its_language_with_the_rest(viewer: Viewer) -> None:
    session = await viewer.begin()
    await viewer.live.play(session, "demo:text")
    words = viewer.log.locator(".blocks-end-words")
    await expect(words).to_contain_text("tokens")
    await viewer.page.keyboard.press("Alt+o")
    await viewer.page.locator('[data-setting="language"] select').select_option("ja")
    await expect(words).to_contain_text("トークン")
    await viewer.page.locator('[data-setting="language"] select').select_option("en")
    await expect(words).to_have_text(re.compile(r"^Done in [^\u3000-\u9fff]*tokens$"))
