"""What the daemon says of its own tables is on the page in every language that the page speaks."""

import re
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pytest

from bascule.core.prompts.slash import COMMANDS
from bascule.demo.plays import KINDS
from bascule.model.settings import TABLE

I18N = Path(__file__).parents[1] / "ui" / "src" / "i18n"
OTHERS = ("ja", "zh")  # beside the English that the daemon speaks


@pytest.mark.parametrize(
    ("file", "keys"),
    [
        ("setting_docs.ts", [row.shown for row in TABLE.values()]),
        ("command_docs.ts", list(COMMANDS)),
        ("demo_docs.ts", [f"demo:{name}" for name in KINDS]),
    ],
)
def test_every_row_has_its_text_in_every_language(file: str, keys: Iterable[str]) -> None:
    text = (I18N / file).read_text(encoding="utf-8")
    said = Counter(re.findall(r'^    "([^"]+)":', text, re.MULTILINE))
    assert said == dict.fromkeys(keys, len(OTHERS))  # and nothing of what is no longer there
