"""What a prompt is for: read once, from a person's words."""

import pytest

from bascule.core.prompts.purposes import AGAIN, INSTRUCTIONS, ask_again, parse_purpose


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("/patch do it", "patch"),
        ("/patch\ndo it", "patch"),
        ("/plan do it", "plan"),
        ("do it", "talk"),
        (" /patch do it", "talk"),
        ("/patches do it", "talk"),
        ("/patch", "talk"),
        ("/test", "talk"),
    ],
)
def test_it_is_read_from_the_words_that_a_prompt_is_made_of(text: str, purpose: str) -> None:
    assert parse_purpose(text) == purpose


def test_what_bascule_asks_once_more_names_what_was_wrong() -> None:
    text = ask_again("hunk 2 of a.py does not fit.")
    assert text.startswith(f"{AGAIN} hunk 2 of a.py does not fit.")


def test_only_a_talk_comes_without_instructions() -> None:
    assert [purpose for purpose, text in INSTRUCTIONS.items() if not text] == ["talk"]
