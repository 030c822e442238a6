"""Which sessions leave memory: the ceilings hold, and what was used last stays."""

import pytest

from bascule.core.session import residency
from bascule.core.session.residency import (
    MAX_IDLE_BLOCKS,
    MAX_IDLE_SESSIONS,
    MAX_IDLE_TEXT,
    Idle,
    choose_leaving,
    text_size,
)
from bascule.model.blocks import CommandBlock
from bascule.model.changes import BlockPut, Change, StatusSet, TextGrew
from bascule.model.ids import BlockId, SessionId


def idle(used: int, blocks: int = 1, text: int = 1) -> Idle:
    return Idle(SessionId(f"s_{used}"), used, blocks, text)


def test_the_ones_used_longest_ago_leave() -> None:
    many = [idle(used) for used in range(MAX_IDLE_SESSIONS + 3)]
    assert sorted(choose_leaving(many)) == ["s_0", "s_1", "s_2"]
    assert choose_leaving(many[3:]) == []


@pytest.mark.parametrize("large", [idle(9, blocks=MAX_IDLE_BLOCKS), idle(9, text=MAX_IDLE_TEXT)])
def test_a_large_one_leaves_no_room_for_others_and_stays_itself(large: Idle) -> None:
    assert choose_leaving([idle(1), large, idle(2)]) == ["s_2", "s_1"]
    assert choose_leaving([large, idle(10)]) == ["s_9"]


@pytest.mark.parametrize(
    ("change", "size"),
    [
        (TextGrew(BlockId("b"), "output", "12345"), 5),
        (BlockPut(CommandBlock(id=BlockId("b"), command="make", output="12345")), 5),
        (StatusSet("working"), 0),
    ],
)
def test_what_a_change_adds_is_counted_by_its_long_texts(change: Change, size: int) -> None:
    assert text_size(change) == size


def test_the_long_texts_are_those_of_blocks() -> None:
    assert residency.TEXTS == ("text", "output", "detail")
