"""The store of Orders, used by several at once."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from bascule.host.storage.order_store import OrderStore
from bascule.model.consent.orders import Order, OrderOutcome


def test_orders_that_come_at_once_are_all_stored_with_their_outcomes(tmp_path: Path) -> None:
    store = OrderStore(tmp_path / "orders.db")

    def take(number: int) -> OrderOutcome | None:
        name = f"c-{number}"
        when = "2026-11-18T00:00:00.000Z"
        order = Order(command_id=name, machine_id="desk", user_id="ann", kind="help", created_at=when)
        assert store.find(name) is None
        store.begin(order, "/work")
        outcome = OrderOutcome(command_id=name, machine_id="desk", status="ok", summary="", created_at=when)
        store.finish(outcome)
        found = store.find(name)
        return found.outcome if found else None

    with ThreadPoolExecutor(16) as several:
        kept = list(several.map(take, range(200)))
    store.close()
    assert [one.command_id if one else "" for one in kept] == [f"c-{number}" for number in range(200)]
