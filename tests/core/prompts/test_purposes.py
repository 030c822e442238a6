"""What a prompt is for: read from its text, so that it is the same however it came."""

import pytest

from bascule.core.prompts.purposes import AGAIN, INSTRUCTIONS, ask_again, find_purpose, purpose_of
from bascule.model.audit import Remote
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
def test_it_is_read_from_the_text(text: str, purpose: str) -> None:
    assert purpose_of(text) == purpose
    assert find_purpose(Prompt(key=PromptKey("k"), text=text)) == purpose


def test_what_bascule_asks_once_more_is_for_a_patch_and_names_what_was_wrong() -> None:
    text = ask_again("hunk 2 of a.py does not fit.")
    assert text.startswith(f"{AGAIN} hunk 2 of a.py does not fit.")
    assert find_purpose(Prompt(key=PromptKey("k"), text=text, by="bascule")) == "patch"
    assert find_purpose(Prompt(key=PromptKey("k"), text=text)) == "talk"


@pytest.mark.parametrize(
    ("text", "purpose"),
    [
        ("@dev patch do it", "patch"),
        ("@dev plan do it", "plan"),
        ("do it", "plan"),
        ("/new", "plan"),
        ("@dev talk do it", "plan"),
    ],
)
def test_somebody_from_afar_never_begins_a_turn_that_may_write(text: str, purpose: str) -> None:
    sender = Remote(user="ann", command_id="c1")
    assert find_purpose(Prompt(key=PromptKey("k"), text=text, sender=sender)) == purpose


def test_only_a_talk_comes_without_instructions() -> None:
    assert [purpose for purpose, text in INSTRUCTIONS.items() if not text] == ["talk"]
