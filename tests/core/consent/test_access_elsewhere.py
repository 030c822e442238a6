"""Every command, route and request of an agent has its row; a new one without a row fails here."""

from typing import get_args

from bascule.agents.codex.events.asks import ASKS, REFUSED_CALLS
from bascule.cli import VERBS
from bascule.core.consent.access import RULES
from bascule.core.consent.access_elsewhere import AGENT_REQUESTS, COMMANDS, ROUTES
from bascule.core.consent.access_events import (
    FROM_RELAY,
    HOOKS,
    MARKS,
    ORDERS,
    SENT,
    TO_RELAY,
    may_be_sent,
)
from bascule.core.panes.marks import MarkKind
from bascule.core.watch.hook_lines import EVENTS
from bascule.model.consent.audit import Kind
from bascule.model.consent.orders import OrderKind
from bascule.model.consent.origin import Origin
from bascule.model.protocol.table import DOWN, METHODS
from bascule.model.relay_frames import FromMachine, FromRelay
from bascule.serve import http
from bascule.serve.rules import RequestHead, find_need

AS_SAID = ("as the method says", "as the Order says")


def test_every_command_has_its_row() -> None:
    assert set(COMMANDS) == set(VERBS)


def test_every_route_has_its_row() -> None:
    assert set(ROUTES) == {*(f"{row.method} {row.path}" for row in http.ROUTES), "WEBSOCKET /ws"}


def test_without_a_key_only_the_page_itself_and_signing_in_are_to_be_had() -> None:
    ways = [way.split(" ") for way in ROUTES if not way.startswith("WEBSOCKET")]
    heads = {f"{method} {path}": RequestHead("http", method, path, ()) for method, path in ways}
    free = {way for way, head in heads.items() if find_need(head) == "nothing"}
    assert free == {"GET /", "GET /icon.svg", "GET /assets/{name}", "POST /signin"}
    assert find_need(RequestHead("websocket", "GET", "/ws", ())) == "key"


def test_every_request_of_an_agent_has_its_row_and_what_is_refused_asks_nobody() -> None:
    assert set(AGENT_REQUESTS) == {*ASKS, *REFUSED_CALLS}
    assert {name for name, rule in AGENT_REQUESTS.items() if not rule.ask} == set(REFUSED_CALLS)


def test_every_kind_of_order_and_every_frame_of_the_bridge_has_its_row() -> None:
    assert set(ORDERS) == set(get_args(OrderKind))
    assert set(FROM_RELAY) == {frame.__struct_config__.tag for frame in get_args(FromRelay)}
    assert set(TO_RELAY) == {frame.__struct_config__.tag for frame in get_args(FromMachine)}


def test_every_hook_and_every_mark_of_a_pane_has_its_row_and_asks_or_records_nothing() -> None:
    assert list(HOOKS) == list(EVENTS)
    assert set(MARKS) == set(get_args(MarkKind))
    assert [name for name, rule in {**HOOKS, **MARKS}.items() if rule.ask or rule.record] == []


def test_everything_that_a_surface_is_sent_has_its_row_and_an_orders_pass_is_sent_no_session() -> None:
    assert set(SENT) == {name for name, spec in METHODS.items() if spec.way == DOWN}
    pipe = Origin(door="terminal", scope="orders")
    assert {name for name in SENT if may_be_sent(pipe, name)} == {"daemon.state", "ui.toast"}
    looker = Origin(door="page", scope="look")
    assert [
        name for name in SENT if name.startswith(("ui.c", "ui.p", "pane")) and may_be_sent(looker, name)
    ] == []


def test_every_line_that_a_row_promises_is_of_a_kind_that_the_record_has() -> None:
    promised = {
        kind
        for rules in (RULES, COMMANDS, ROUTES, AGENT_REQUESTS, ORDERS, FROM_RELAY, TO_RELAY)
        for rule in rules.values()
        for kind in rule.record.split(", ")
        if kind and kind not in AS_SAID
    }
    assert promised <= set(get_args(Kind))
    assert promised >= set(get_args(Kind)) - {"record"}  # that one is the record's own


def test_what_writes_runs_or_loosens_asks_first_and_is_on_record() -> None:
    acts = ("runs", "writes", "signs", "enrols", "a device is enrolled")
    loud = {name: rule for name, rule in RULES.items() if rule.effect.startswith(acts)}
    assert set(loud) >= {"shell.exec", "auth.logout", "edits.apply", "edits.undo", "test.run", "settings.set"}
    assert [name for name, rule in loud.items() if not (rule.ask and rule.record)] == []
