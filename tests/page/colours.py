"""Colours as a browser computes them: read, and compared as a person sees them."""

import colorsys
import re

from playwright.async_api import Locator

NEUTRAL = 20  # between the most and the least of red, green and blue

Colour = tuple[int, int, int, float]


async def colours(block: Locator) -> tuple[list[Colour], Colour]:
    """Of its four edges (left, top, right, bottom), and of its ground."""
    css: list[str] = await block.evaluate(
        """(one) => { const style = getComputedStyle(one); return [style.borderLeftColor,
        style.borderTopColor, style.borderRightColor, style.borderBottomColor, style.backgroundColor]; }"""
    )
    *edges, ground = (parse_colour(one) for one in css)
    return edges, ground


def parse_colour(css: str) -> Colour:
    red, green, blue, *rest = (float(number) for number in re.findall(r"[\d.]+", css))
    return int(red), int(green), int(blue), rest[0] if rest else 1.0


def hue(colour: Colour) -> float:
    return colorsys.rgb_to_hsv(*colour[:3])[0] * 360


def is_neutral(colour: Colour) -> bool:
    return colour[3] == 0 or max(colour[:3]) - min(colour[:3]) <= NEUTRAL
