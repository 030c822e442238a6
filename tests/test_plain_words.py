"""Plain words: texts for people use none of the phrases that CONTEXT.md lists as words to avoid."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
SECTION = "## Words to use, words to avoid"

# Add a glob here to have more files checked.
SCANNED = (
    "README.md",
    "CHANGELOG.md",
    "Makefile",
    "docs/README.md",
    "docs/guide/*.md",
    "docs/explain/*.md",  # not decisions/: they are history
    "ui/README.md",
    "ui/src/**/*texts.ts",
    "ui/src/i18n/*.ts",
    "tools/gen_reference.py",
    "src/bascule/**/*.py",  # messages, and comments too
)


def read_word_list(context: str) -> dict[str, str]:
    """Each phrase to avoid, with what to use instead."""
    section = context.partition(SECTION)[2].partition("\n## ")[0]
    rows = [row.strip("| \n").split(" | ") for row in section.splitlines() if row.startswith("| ")]
    return {
        phrase.strip(): use for use, avoid in rows for phrase in avoid.split(",") if use not in ("use", "---")
    }


AVOIDED = read_word_list((ROOT / "CONTEXT.md").read_text(encoding="utf-8"))
ANY_OF_THEM = re.compile(
    r"\b(?:" + "|".join(re.escape(phrase).replace(r"\ ", r"\s+") for phrase in AVOIDED) + r")\b",
    re.IGNORECASE,
)


def find_avoided(text: str) -> Iterator[tuple[int, str]]:
    """Line and phrase; a phrase may run over the end of a line."""
    for found in ANY_OF_THEM.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, " ".join(found[0].lower().split())


def test_the_word_list_is_read_from_context() -> None:
    assert AVOIDED["from afar"] == "remotely, from another machine"
    assert AVOIDED["anew"] == "again, new"
    assert len(AVOIDED) > 50


def test_phrases_are_found_as_whole_words_in_any_case_and_over_line_ends() -> None:
    text = "Told again: asked from\n  afar.\nRecommend a manewver.\nANEW"
    assert list(find_avoided(text)) == [(1, "told again"), (1, "from afar"), (4, "anew")]


@pytest.mark.parametrize("pattern", SCANNED)
def test_texts_for_people_use_plain_words(pattern: str) -> None:
    paths = sorted(ROOT.glob(pattern))
    assert paths, f"{pattern} names no file"
    hits = [
        f'{path.relative_to(ROOT)}:{line}: "{phrase}". Use: {AVOIDED[phrase]}'
        for path in paths
        for line, phrase in find_avoided(path.read_text(encoding="utf-8"))
    ]
    assert hits == []
