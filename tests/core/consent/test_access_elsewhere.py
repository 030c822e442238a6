"""Every command, route and request of an agent has its row; a new one without a row fails here."""

from typing import get_args

from bascule.agents.codex.events.asks import ASKS, REFUSED_CALLS
from bascule.cli import VERBS
from bascule.core.consent.access import RULES
from bascule.core.consent.access_elsewhere import AGENT_REQUESTS, COMMANDS, ROUTES
from bascule.model.consent.audit import Kind
from bascule.serve import http
from bascule.serve.rules import RequestHead, find_need

AS_THE_METHOD = "as the method says"


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


def test_every_line_that_a_row_promises_is_of_a_kind_that_the_record_has() -> None:
    promised = {
        kind
        for rules in (RULES, COMMANDS, ROUTES, AGENT_REQUESTS)
        for rule in rules.values()
        for kind in rule.record.split(", ")
        if kind and kind != AS_THE_METHOD
    }
    assert promised <= set(get_args(Kind))
    assert promised >= set(get_args(Kind)) - {"record"}  # that one is the record's own


def test_what_writes_runs_or_loosens_asks_first_and_is_on_record() -> None:
    acts = ("runs", "writes", "signs", "enrols", "a device is enrolled")
    loud = {name: rule for name, rule in RULES.items() if rule.effect.startswith(acts)}
    assert set(loud) >= {"shell.exec", "auth.logout", "edits.apply", "edits.undo", "test.run", "settings.set"}
    assert [name for name, rule in loud.items() if not (rule.ask and rule.record)] == []
