"""Anything at all, fed to the translator."""

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agents.codex.listening import PLAYS, Listener, dump, is_healthy, read_play

# -- anything at all --

LINES = [
    line
    for name in ("recording", "mcp", "question")
    for line in read_play(PLAYS / f"codex-0.166-{name}.wire")
]
EVERY_LINE: list[bytes] = sorted({line for path in PLAYS.glob("*.wire") for line in read_play(path)})


@given(st.binary(max_size=300))
def test_random_bytes_never_raise(noise: bytes) -> None:
    listener = Listener()
    listener.feed(noise)
    assert is_healthy(listener)


@settings(max_examples=5 * settings().max_examples)
@given(st.sampled_from(LINES), st.data())
def test_a_line_with_bytes_changed_never_raises(line: bytes, data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(line)))
    upto = min(len(line), at + data.draw(st.integers(0, 5)))
    listener = Listener()
    listener.feed(line[:at] + data.draw(st.binary(max_size=5)).replace(b"\n", b"") + line[upto:])
    assert is_healthy(listener)


def values_changed(value: Any, dice: random.Random) -> Any:
    """The same JSON, with about one value in twenty become something else."""
    if dice.random() < 0.05:
        strange: list[Any] = [
            None,
            True,
            -1,
            10**30,
            1.5,
            "",
            "x",
            "\u2028",
            [],
            [None],
            {},
            {"type": []},
            [[[]]],
        ]
        return dice.choice(strange)
    if isinstance(value, dict):
        return {key: values_changed(inner, dice) for key, inner in value.items() if dice.random() > 0.02}
    if isinstance(value, list):
        return [values_changed(inner, dice) for inner in value]
    return value


@pytest.mark.parametrize("seed", range(4))
def test_messages_with_values_changed_never_raise(seed: int) -> None:
    dice = random.Random(seed)
    listener = Listener()
    for line in EVERY_LINE[seed::4]:
        listener.feed(dump(values_changed(json.loads(line), dice)))
    for thread in listener.changes:
        listener.session(thread)
    listener.driver.fail("the test is over")
    assert is_healthy(listener)


def test_no_play_is_left_out_of_the_fuzz() -> None:
    assert len(EVERY_LINE) > 2_000
