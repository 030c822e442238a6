"""Ids from outside, of messages, people, machines and commands: one plain line, short enough to be kept."""

from bascule.core.text.plain import plain_line

MAX_ID = 200  # characters


def is_id(text: str) -> bool:
    return 0 < len(text) <= MAX_ID and plain_line(text) == text
