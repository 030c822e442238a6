"""A listener: what a screen reader and the rules of axe-core find on a page."""

from pathlib import Path
from typing import Any

from playwright.async_api import Page

AXE = Path(__file__).parents[2] / "ui" / "node_modules" / "axe-core" / "axe.min.js"
THEMES = ("light", "dark", "contrast")
CONTROLS = {
    "button",
    "checkbox",
    "combobox",
    "link",
    "listbox",
    "menuitem",
    "option",
    "radio",
    "searchbox",
    "slider",
    "spinbutton",
    "switch",
    "tab",
    "textbox",
}
SET_THEME = """(theme) => {
  const root = document.documentElement;
  root.toggleAttribute("data-contrast", theme === "contrast");
  if (theme === "contrast") delete root.dataset.theme;
  else root.dataset.theme = theme;
}"""
RUN = """async (rules) => {
  const passing = (one) => one.effect.getTiming().iterations !== Infinity;
  for (const one of document.getAnimations().filter(passing)) one.finish();
  const options = rules.length > 0 ? { runOnly: rules } : {};
  const { violations } = await axe.run(document, { ...options, resultTypes: ["violations"] });
  const why = (node) => node.any.map((one) => one.message).join("; ");
  return violations.flatMap(({ id, nodes }) => nodes.map((node) =>
    `${id}: ${node.target.join(" ")} ${node.html.slice(0, 160)} ${why(node)}`));
}"""


async def load_axe(page: Page) -> None:
    """Before the page is opened: the policy lets no script in later."""
    await page.add_init_script(path=AXE)


# The arrows scroll it from the input, where the focus stays.
LED_FROM_ELSEWHERE = 'role="listbox"'


async def find_violations(page: Page) -> list[str]:
    """In every theme; only colours differ between them."""
    found: list[str] = []
    for theme in THEMES:
        await page.evaluate(SET_THEME, theme)
        rules = [] if theme == THEMES[0] else ["color-contrast"]
        violations: list[str] = await page.evaluate(RUN, rules)
        found += [f"{theme}: {violation}" for violation in violations if not _is_led(violation)]
    return found


def _is_led(violation: str) -> bool:
    return violation.startswith("scrollable-region-focusable") and LED_FROM_ELSEWHERE in violation


async def find_nameless(page: Page) -> list[str]:
    """Controls of which a screen reader could say no more than their role."""
    client = await page.context.new_cdp_session(page)
    tree: dict[str, Any] = await client.send("Accessibility.getFullAXTree")
    await client.detach()
    return [str(node) for node in tree["nodes"] if _is_control(node) and not _name(node)]


def _is_control(node: dict[str, Any]) -> bool:
    return not node["ignored"] and node["role"]["value"] in CONTROLS


def _name(node: dict[str, Any]) -> str:
    return str(node.get("name", {}).get("value", "")).strip()
