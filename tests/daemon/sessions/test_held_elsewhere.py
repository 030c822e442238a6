"""A session that another program has open: the refusal names it, and the ways on that there are."""

import pytest
from tests.daemon.hubs import make_session

from bascule.daemon.sessions.held_elsewhere import HeldElsewhere, name_nobody
from bascule.model.session import Elsewhere


@pytest.mark.parametrize(
    ("there", "said"),
    [
        (
            Elsewhere(key="codex:t", their_id="t"),
            "Another program has this session open. Fork it, or close it there and try again.",
        ),
        (
            Elsewhere(key="codex:t", their_id="t", holder="codex (pid 812)", home="/home/ann/.codex"),
            "codex (pid 812) has this session open. Join it, fork it, or close it there and try again.",
        ),
    ],
    ids=["nobody is known", "its daemon can be joined"],
)
def test_what_a_person_can_do_is_said(there: Elsewhere, said: str) -> None:
    held = HeldElsewhere(there)
    assert (str(held), held.there) == (said, there)


async def test_where_nobody_looks_only_the_conversation_is_known() -> None:
    head = make_session("s", agent="codex", thread="t")
    assert await name_nobody(head) == Elsewhere(key="codex:t", their_id="t")
