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
        ("demo_docs.ts", [kind.says for kind in KINDS.values()]),
    ],
)
def test_every_row_has_its_text_in_every_language(file: str, keys: Iterable[str]) -> None:
    text = (I18N / file).read_text(encoding="utf-8")
    said = Counter(re.findall(r'^    "([^"]+)":', text, re.MULTILINE))
    assert said == dict.fromkeys(keys, len(OTHERS))  # and nothing of what is no longer there


def test_every_setting_has_a_name_in_words() -> None:
    text = (I18N / "setting_titles.ts").read_text(encoding="utf-8")
    assert sorted(re.findall(r'^  "(bascule\.[^"]+)":', text, re.MULTILINE)) == sorted(
        row.shown for row in TABLE.values()
    )


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_every_code_that_the_daemon_sends_has_its_sentence(language: str) -> None:
    """Codes with a part that is filled in are held by their beginning."""
    source = Path(__file__).parents[1] / "src" / "bascule"
    files = (path for path in source.rglob("*.py") if "page" not in path.relative_to(source).parts)
    codes = {
        code
        for path in files
        for code in re.findall(r'\bSaid\(\s*f?"([a-z_.]+)', path.read_text(encoding="utf-8"))
    }
    text = (I18N / f"sentences_{language}.ts").read_text(encoding="utf-8")
    known = set(re.findall(r'^  "?([\w.]+)"?:', text, re.MULTILINE))
    assert len(codes) > 60
    assert [code for code in sorted(codes) if not any(one.startswith(code) for one in known)] == []


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_how_a_question_and_a_run_ended_while_bascule_was_stopped_is_told_in_full(language: str) -> None:
    ends = ("expired", "expired.unsure", "answered.no")
    yes = (f"answered.yes.{end}" for end in ("done", "ended", "unknown", "undone", "written"))
    text = (I18N / f"sentences_{language}.ts").read_text(encoding="utf-8")
    for code in ("bascule.stopped", *(f"ask.{end}" for end in (*ends, *yes))):
        assert f'  "{code}":' in text
        assert f'  "{code}.text":' in text
