"""What a prompt is for: read once from a person's words, and never wider than an older version had it."""

import pytest
from msgspec.structs import replace

from bascule.core.prompts.purposes import AGAIN, INSTRUCTIONS, ask_again, parse_purpose, restore_purpose
from bascule.model.consent.audit import Remote
from bascule.model.ids import PromptKey
from bascule.model.session import Prompt


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


SENDER = Remote(user="ann", command_id="c1")


@pytest.mark.parametrize(
    ("stored", "purpose"),
    [
        (Prompt(key=PromptKey("k"), text="do it"), "talk"),
        (Prompt(key=PromptKey("k"), text="/patch do it"), "patch"),
        (Prompt(key=PromptKey("k"), text="anything", by="bascule"), "patch"),
        (Prompt(key=PromptKey("k"), text="@dev patch do it", sender=SENDER), "patch"),
        (Prompt(key=PromptKey("k"), text="@dev plan do it", sender=SENDER), "plan"),
        (Prompt(key=PromptKey("k"), text="do it", sender=SENDER), "plan"),
        (Prompt(key=PromptKey("k"), text="do it", purpose="plan"), "plan"),
    ],
)
def test_what_an_older_version_stored_is_never_wider_than_its_words(stored: Prompt, purpose: str) -> None:
    assert restore_purpose(stored) == replace(stored, purpose=purpose)


def test_only_a_talk_comes_without_instructions() -> None:
    assert [purpose for purpose, text in INSTRUCTIONS.items() if not text] == ["talk"]
