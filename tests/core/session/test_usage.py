"""The status line's words."""

import pytest

from bascule.core.session.usage import duration_text, limits_text, usage_text
from bascule.model.session import Limit, Usage


def test_usage_says_what_remains_of_the_context() -> None:
    usage = Usage(context_used=18_400, context_window=258_400)
    assert usage_text(usage) == "ctx remaining=93% (240000/258400)"


def test_usage_without_a_window_says_what_is_used() -> None:
    assert usage_text(Usage(context_used=120)) == "ctx used=120"
    assert usage_text(Usage(context_used=120, context_window=0)) == "ctx used=120"


def test_usage_over_the_window_leaves_nothing() -> None:
    assert usage_text(Usage(context_used=300, context_window=200)) == "ctx remaining=0% (0/200)"


def test_limits_name_each_window_and_the_plan() -> None:
    limits = (
        Limit(name="primary", used_percent=12.5, window_minutes=300),
        Limit(name="secondary", used_percent=40, window_minutes=10_080),
        Limit(name="third", used_percent=1, window_minutes=90),
        Limit(name="fourth", used_percent=2),
    )
    words = "primary=12.5% of 5h secondary=40% of 7d third=1% of 90m fourth=2% plan=pro"
    assert limits_text(limits, "pro") == words
    assert limits_text((), "") == ""


@pytest.mark.parametrize(
    ("ms", "words"),
    [
        (-5, "0s"),
        (0, "0s"),
        (21_000, "21s"),
        (59_499, "59s"),
        (59_600, "1m 00s"),
        (185_000, "3m 05s"),
        (3_720_000, "1h 02m"),
        (360_000_000, "100h 00m"),
    ],
)
def test_durations(ms: int, words: str) -> None:
    assert duration_text(ms) == words
