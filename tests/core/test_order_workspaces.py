"""Which folder an Order works in."""

import pytest
from msgspec.structs import replace
from tests.core.test_orders import ORDER

from bascule.core.order_workspaces import NONE_SET, OrderPlace, find_place, parse_workspaces
from bascule.core.orders import find_age_fault
from bascule.host.clock import parse_utc_ms
from bascule.model.asks import Refuse

NAMED = {"site": "/srv/site", "app": "/srv/app"}


def test_the_first_is_the_default_and_a_first_word_picks_another() -> None:
    assert parse_workspaces(("site=/srv/site", "app=/srv/app")) == NAMED
    assert find_place(ORDER, NAMED) == OrderPlace("/srv/site", ORDER)
    asked = replace(ORDER, prompt="@app fix the login")
    assert find_place(asked, NAMED) == OrderPlace("/srv/app", ORDER)
    assert find_place(asked, NAMED, "/pipe") == OrderPlace("/srv/app", ORDER)
    assert find_place(ORDER, {}, "/pipe") == OrderPlace("/pipe", ORDER)


def test_a_file_that_is_mentioned_is_no_workspace_and_an_unknown_name_is_refused() -> None:
    mentions = replace(ORDER, prompt="@src/login.py is wrong")
    assert find_place(mentions, NAMED) == OrderPlace("/srv/site", mentions)
    refused = find_place(replace(ORDER, prompt="@apq fix it"), NAMED)
    assert isinstance(refused, Refuse)
    assert "@site, @app" in refused.why
    assert find_place(ORDER, {}) == Refuse(NONE_SET)


@pytest.mark.parametrize("entry", ["/srv/site", "=x", "a b=/x", "site="])
def test_an_entry_is_a_name_and_a_folder(entry: str) -> None:
    refused = parse_workspaces((entry,))
    assert isinstance(refused, Refuse)
    assert repr(entry) in refused.why
    assert refused.remote == "bascule.orders.workspaces holds something else; it must be NAME=FOLDER."


def test_an_order_has_an_age() -> None:
    sent_ms = parse_utc_ms(ORDER.created_at)
    assert sent_ms == 1_769_860_800_000
    assert find_age_fault(sent_ms, sent_ms + 60 * 60_000, 60) is None
    assert find_age_fault(sent_ms, sent_ms + 60 * 60_000 + 1, 60) is not None
    assert find_age_fault(sent_ms, sent_ms - 5 * 60_000, 60) is None
    assert find_age_fault(sent_ms, sent_ms - 5 * 60_000 - 1, 60) is not None
    assert parse_utc_ms("2026-02-31T12:00:00Z") is None
