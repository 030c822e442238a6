"""Which of an agent's words are its patch answer."""

import pytest

from bascule.daemon.edits.patches import find_answer
from bascule.model.blocks import AssistantBlock, Block, UserBlock
from bascule.model.ids import BlockId


def said(text: str, *, final: bool = False) -> AssistantBlock:
    return AssistantBlock(id=BlockId(text), text=text, final=final)


@pytest.mark.parametrize(
    ("blocks", "answer"),
    [
        ([], ""),
        ([UserBlock(id=BlockId("u"), text="/patch it")], ""),
        ([said("I look."), said("the diff")], "the diff"),
        ([said("the diff", final=True), said("Is that all?")], "the diff"),
        ([said("first", final=True), said("second", final=True)], "second"),
        ([said("the diff"), said("  \n")], "the diff"),
    ],
)
def test_the_last_words_count_and_final_ones_before_all_others(blocks: list[Block], answer: str) -> None:
    assert find_answer(blocks) == answer
