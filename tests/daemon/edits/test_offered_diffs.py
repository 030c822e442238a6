"""The text of a diff that a log offers: whole, or none."""

import pytest
from tests.daemon.hubs import make_session

from bascule.daemon.edits.offered_diffs import MAX_SHOWN_DIFF, find_offered
from bascule.model.attachments import DiffAttachment
from bascule.model.blocks import AssistantBlock
from bascule.model.ids import BlockId


def offer(block: str, diff_id: str, text: str) -> AssistantBlock:
    attachment = DiffAttachment(diff_id=diff_id, unified_diff=text, files=())
    return AssistantBlock(id=BlockId(block), attachments=(attachment,))


@pytest.mark.parametrize(
    ("diff_id", "text"),
    [
        ("one", "+a"),
        ("two", "+the latest"),
        ("three", ""),  # nobody offered it
        ("cut", ""),  # the log has only its beginning
    ],
)
def test_a_diff_is_found_by_its_id_the_latest_first_and_only_whole(diff_id: str, text: str) -> None:
    blocks = (
        offer("1", "one", "+a"),
        offer("2", "two", "+an older one"),
        offer("3", "two", "+the latest"),
        offer("4", "cut", "x" * MAX_SHOWN_DIFF),
        AssistantBlock(id=BlockId("5"), text="+a"),
    )
    assert find_offered(make_session(blocks=blocks), diff_id) == text
