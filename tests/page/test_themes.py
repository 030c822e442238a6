"""Light, dark, high contrast and forced colours, by the system and by choice; an editor's own fonts win."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error, Locator, expect
from tests.page.viewer import ServedPage, Viewer

import bascule

pytestmark = pytest.mark.asyncio(loop_scope="session")

LEAST_CONTRAST = 4.5
MORE_CONTRAST = 7.0


async def style(one: Locator, name: str) -> str:
    computed: str = await one.evaluate("(one, name) => getComputedStyle(one)[name]", name)
    return computed


async def expect_ground(viewer: Viewer, colour: tuple[float, ...]) -> None:
    """As soon as the page has heard of it."""
    shown = ", ".join(f"{part:.0f}" for part in colour)
    await expect(viewer.page.locator("body")).to_have_css("background-color", f"rgb({shown})")


async def ground(viewer: Viewer) -> tuple[float, ...]:
    return parse(await style(viewer.page.locator("body"), "backgroundColor"))


def parse(colour: str) -> tuple[float, ...]:
    return tuple(float(number) for number in re.findall(r"[\d.]+", colour))[:3]


def luminance(colour: tuple[float, ...]) -> float:
    parts = [c / 255 for c in colour]
    red, green, blue = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


async def contrasts(viewer: Viewer) -> dict[str, float]:
    """Of every text that stands on the page's own ground, by its words."""
    under = await ground(viewer)
    pairs: list[list[str]] = await viewer.page.evaluate(
        """() => [...document.querySelectorAll("h1, time, .frame-status span, .blocks-title")]
        .filter((one) => one.innerText?.trim() && one.checkVisibility())
        .map((one) => [one.innerText.trim(), getComputedStyle(one).color])"""
    )
    hint: str = await viewer.input.evaluate("(one) => getComputedStyle(one, '::placeholder').color")
    field = parse(await style(viewer.input, "backgroundColor"))
    hints = {"the input's hint": contrast(parse(hint), field)}
    return {words: contrast(parse(colour), under) for words, colour in pairs} | hints


async def choose_theme(viewer: Viewer, theme: str) -> None:
    await viewer.page.get_by_role("button", name="Settings", exact=True).click()
    await viewer.page.get_by_role("combobox", name="Theme").select_option(theme)
    await viewer.page.keyboard.press("Escape")
    await viewer.page.wait_for_function("() => !history.state?.open")  # a reload before that is cut off by it


@pytest.mark.parametrize(
    ("wishes", "is_dark", "least"),
    [
        ({"color_scheme": "light"}, False, LEAST_CONTRAST),
        ({"color_scheme": "dark"}, True, LEAST_CONTRAST),
        ({"color_scheme": "light", "contrast": "more"}, False, MORE_CONTRAST),
        ({"color_scheme": "dark", "contrast": "more"}, True, MORE_CONTRAST),
    ],
    ids=["light", "dark", "light, more contrast", "dark, more contrast"],
)
async def test_the_page_is_as_the_system_is(
    served: ServedPage, wishes: dict[str, Any], is_dark: bool, least: float
) -> None:
    session = await served.live.create()
    await served.live.play(session, "demo:text")
    async with served.viewer(**wishes) as viewer:
        await viewer.enter(session)
        await expect(viewer.log).to_contain_text("A raised bridge")
        assert (luminance(await ground(viewer)) < 0.2) == is_dark
        weak = {words: found for words, found in (await contrasts(viewer)).items() if found < least}
        assert not weak
        send = viewer.page.get_by_role("button", name="Send", exact=True)
        await expect(send).to_be_disabled()
        words, under = parse(await style(send, "color")), parse(await style(send, "backgroundColor"))
        assert contrast(words, under) >= LEAST_CONTRAST


async def test_it_follows_the_system_while_it_is_open_until_something_is_chosen(served: ServedPage) -> None:
    async with served.viewer(color_scheme="light") as viewer:
        await viewer.create()
        light = await ground(viewer)
        await viewer.page.emulate_media(color_scheme="dark")
        dark = await ground(viewer)
        assert luminance(dark) < luminance(light)
        await viewer.page.emulate_media(color_scheme="dark", contrast="more")
        await expect_ground(viewer, (0, 0, 0))

        await choose_theme(viewer, "Light")
        await expect_ground(viewer, light)
        await viewer.page.reload()
        await expect(viewer.log).to_be_visible()
        await expect_ground(viewer, light)
        await choose_theme(viewer, "Match system")
        await expect_ground(viewer, (0, 0, 0))


@pytest.mark.parametrize(("theme", "seen"), [("Dark", (19, 20, 22)), ("High contrast", (255, 255, 255))])
async def test_a_choice_wins_over_the_system(served: ServedPage, theme: str, seen: tuple[float, ...]) -> None:
    async with served.viewer(color_scheme="light") as viewer:
        await viewer.create()
        await choose_theme(viewer, theme)
        await expect_ground(viewer, seen)


async def test_with_forced_colours_what_is_chosen_and_what_waits_can_still_be_distinguished(
    served: ServedPage,
) -> None:
    session = await served.live.create()
    async with served.viewer(forced_colors="active") as viewer:
        await viewer.enter(session)
        row = viewer.page.get_by_role("option", selected=True)
        other = viewer.page.get_by_role("option", selected=False).first
        assert await style(row, "backgroundColor") != await style(other, "backgroundColor")
        assert (
            contrast(parse(await style(row, "color")), parse(await style(row, "backgroundColor")))
            >= LEAST_CONTRAST
        )
        send = viewer.page.get_by_role("button", name="Send", exact=True)
        assert await style(send, "borderTopStyle") == "solid"
        served.live.say(session, "demo:approval")
        await served.live.until_ask(session)
        dot = row.locator(".frame-dot")
        await expect(dot).to_have_attribute("title", "Waiting for you")
        assert await dot.locator("svg path").count() == 1
        served.live.app.prompts.interrupt(session)
        await served.live.until_idle(session)


# -- an editor around the page --


async def test_the_fonts_of_an_editor_win(viewer: Viewer) -> None:
    session = await viewer.create()
    await viewer.live.play(session, "demo:text")
    pre = viewer.log.locator("pre").first
    await expect(pre).to_be_visible()
    own = [await style(one, "fontFamily") for one in (viewer.page.locator("body"), viewer.input, pre)]
    assert own[0].startswith('"Inter Variable", system-ui')
    assert own[1] == own[0], "what a person types is prose"
    assert "monospace" in own[2]
    await viewer.page.evaluate(
        """() => { const root = document.documentElement.style;
        root.setProperty("--vscode-font-family", "Georgia"); root.setProperty("--vscode-font-size", "17px");
        root.setProperty("--vscode-editor-font-family", "Courier");
        root.setProperty("--vscode-editor-font-size", "19px");
        root.setProperty("--vscode-editor-background", "rgb(1, 2, 3)"); }"""
    )
    body = viewer.page.locator("body")
    assert (await style(body, "fontFamily"), await style(body, "fontSize")) == ("Georgia", "17px")
    for one in (pre, viewer.input):
        assert (await style(one, "fontFamily"), await style(one, "fontSize")) == ("Courier", "19px")
    button = viewer.page.get_by_role("button", name="New", exact=True)
    assert await style(button, "fontFamily") == "Georgia"
    await expect_ground(viewer, (1, 2, 3))


async def test_the_font_comes_with_the_page_and_after_the_list(viewer: Viewer) -> None:
    await viewer.create()
    await viewer.page.wait_for_function("document.fonts.check('14px \"Inter Variable\"', 'Sessions')")
    order: list[tuple[str, float]] = await viewer.page.evaluate(
        """() => performance.getEntriesByType("resource")
        .map((one) => [one.name.split("/").at(-1), one.startTime])"""
    )
    fonts = [at for name, at in order if name.endswith(".woff2")]
    first = [at for name, at in order if name.startswith("index-")]
    assert fonts
    assert min(fonts) > max(first)
    licences = Path(bascule.__file__).parent / "page" / "licences"
    assert "SIL Open Font License" in (licences / "inter.txt").read_text(encoding="utf-8")
    assert "Permission is hereby granted" in (licences / "xterm.txt").read_text(encoding="utf-8")
    assert "ISC License" in (licences / "lucide.txt").read_text(encoding="utf-8")


# -- the policy --


async def test_the_page_is_one_document_whose_scripts_and_styles_are_files_of_ours(viewer: Viewer) -> None:
    async with viewer.page.expect_response(lambda answer: answer.request.is_navigation_request()) as coming:
        await viewer.page.goto(viewer.doors.new_link(str(viewer.setup.project)))
    await coming.value
    page = await viewer.page.request.get(viewer.page.url.partition("#")[0])
    policy = page.headers["content-security-policy"]
    assert "script-src 'self'" in policy
    assert "unsafe" not in policy.partition("script-src")[2].split(";")[0]
    await expect(viewer.page.locator("body")).to_have_attribute("data-connection", "open")
    inline = await viewer.page.evaluate(
        "[...document.scripts].filter((one) => !one.src?.startsWith(location.origin)).length"
    )
    assert inline == 0
    came_from: list[str] = await viewer.page.evaluate(
        "performance.getEntriesByType('resource').map((one) => new URL(one.name).origin)"
    )
    assert set(came_from) == {await viewer.page.evaluate("location.origin")}
    origin = await viewer.page.evaluate("location.origin")
    outside = await viewer.page.request.get(f"{origin}/assets/%2e%2e/%2e%2e/serve/rules.py")
    assert outside.status in (400, 401, 404)


async def test_a_script_that_somebody_slipped_in_does_not_run(served: ServedPage) -> None:
    async with served.viewer() as viewer:
        await viewer.create()
        with pytest.raises(Error, match="TrustedScript"):
            await viewer.page.evaluate("document.body.setAttribute('onclick', 'window.ran = 1')")
        with pytest.raises(Error, match="TrustedScript"):
            await viewer.page.evaluate("document.createElement('script').textContent = 'window.ran = 1'")
        await viewer.page.locator("body").click(position={"x": 1, "y": 1})
        assert await viewer.page.evaluate("window.ran") is None
        assert len([line for line in await viewer.refused() if line.startswith("require-trusted")]) == 2
        await viewer.page.evaluate("window.refused.length = 0")
        viewer.faults.clear()  # the browser has logged the refusal, as it should
