"""Operations behind the token: described, counted, and true."""

import base64
import json
import re
from pathlib import Path

import msgspec
import pytest
from starlette.routing import Route, WebSocketRoute
from tests.relay.service import OPERATIONS as TOKEN
from tests.relay.service import Service, connect_machine, make_request, open_service
from tests.relay.test_relay import next_command, outcome_of

from bascule.host.config.bridge_file import make_joined
from bascule.host.network.relay_link import enroll
from bascule.model.relay_frames import StoredFrame, WelcomeFrame
from bascule.relay.http import operation_results as results
from bascule.relay.http.openapi import OPERATIONS, PUBLIC, describe_routes
from bascule.relay.relay_app import open_relay

ROOT = Path(__file__).parents[2]
BEARER = {"Authorization": f"Bearer {TOKEN}"}

PAGE = ("/ops", "/ops/", "/ops/assets/{name}")  # a page is no operation


async def test_the_description_has_exactly_the_routes_that_there_are(tmp_path: Path) -> None:
    async with open_service(tmp_path) as service:
        config = service.config
    async with open_relay(config, str(tmp_path / "other.db")) as app:
        found = {
            (method, route.path)
            for route in app.routes
            if isinstance(route, Route)
            for method in route.methods or ()
            if method != "HEAD" and route.path not in PAGE
        }
        assert [one.path for one in app.routes if isinstance(one, WebSocketRoute)] == ["/machine"]
    described = {
        (method.upper(), path) for path, methods in describe_routes()["paths"].items() for method in methods
    }
    assert described == found
    text = json.dumps(describe_routes())
    names = set(re.findall(r"#/components/schemas/(\w+)", text))
    assert names <= describe_routes()["components"]["schemas"].keys()
    open_ones = {one.path for one in PUBLIC}
    for path, methods in describe_routes()["paths"].items():
        assert all(("security" in one) == (path in open_ones) for one in methods.values())


async def test_every_answer_is_as_described(service: Service) -> None:
    joined = await service.enroll("desk")
    async with connect_machine(joined) as machine:
        await machine.next()
        await service.say("@dev plan it")
        order = await next_command(machine)
        parts = {"command_id": order.command_id, "machine_id": "new"}
        for one in OPERATIONS:
            if one.method == "GET" and one.returns is not None:
                status, body = await service.http("GET", one.path.format(**parts), headers=BEARER)
                assert status == 200
                decoded: object = msgspec.json.decode(body, type=one.returns)
                assert msgspec.to_builtins(decoded) == json.loads(body), one.path
        await machine.send(outcome_of(order))
        assert isinstance(await machine.next(), StoredFrame)
        await service.chat.next()
        _, text = await service.http("GET", "/metrics", headers=BEARER)
        figures = dict(re.findall(r"^([^# ].*) ([0-9.e+-]+)$", text.decode(), re.MULTILINE))
        assert figures['bascule_relay_steps_total{status="",step="created"}'] == "1.0"
        assert figures['bascule_relay_steps_total{status="ok",step="outcome"}'] == "1.0"
        assert figures["bascule_relay_machines_connected"] == "1.0"
        assert figures['bascule_relay_commands{state="queued"}'] == "0.0"
        assert float(figures["bascule_relay_commit_seconds_count"]) >= 3


async def test_an_operator_enrols_and_revokes_a_machine(service: Service) -> None:
    status, made = await service.operate("POST", "/machines/desk/code")
    assert status == 200
    code = made["code"]
    secret = json.loads(base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)))["secret"]
    joined = make_joined(service.url, "desk")
    await enroll(service.url, make_request(joined, secret))
    assert (await service.operate("POST", "/machines/desk/code"))[0] == 409
    assert (await service.operate("POST", "/machines/a%20b/code"))[0] == 400
    assert (await service.operate("POST", "/machines/other/revoke"))[0] == 404
    async with connect_machine(joined) as machine:
        assert await machine.next() == WelcomeFrame(machine_id="desk")
        assert await service.operate("POST", "/machines/desk/revoke") == (
            200,
            {"machineId": "desk", "status": "revoked"},
        )
        with pytest.raises(EOFError):
            await machine.next()
    _, audit = await service.operate("GET", "/audit/recent?machineId=desk&limit=1")
    assert [(line["step"], line["userId"]) for line in audit["items"]] == [("revoked", "operator")]


async def test_the_audit_trail_is_narrowed_by_person_machine_command_and_status(service: Service) -> None:
    await service.say("@dev plan it")
    await service.say("@dev plan it", user="bob")
    await service.say("@dev plan it", user="mallory")
    _, flying = await service.operate("GET", "/inflight")
    (name,) = (one["commandId"] for one in flying["items"] if one["userId"] == "bob")
    asked = {
        "userId=bob": [("created", "bob")],
        "machineId=desk": [("created", "ann")],
        f"commandId={name}": [("created", "bob")],
        "status=not%20on%20the%20list": [("refused", "mallory")],
        "userId=ann&machineId=other": [],
        "limit=1": [("refused", "mallory")],
    }
    for query, expected in asked.items():
        _, seen = await service.operate("GET", f"/audit/recent?{query}")
        assert [(line["step"], line["userId"]) for line in seen["items"]] == expected, query


def test_the_proxy_lets_through_what_is_public_and_nothing_else() -> None:
    text = (ROOT / "deploy" / "relay" / "nginx.conf").read_text()
    (pattern,) = re.findall(r"location ~ (\S+) {", text)
    public = {one.path for one in PUBLIC} | {"/machine"}
    assert {path for path in public if not re.search(pattern, path)} == set()
    assert {one.path for one in OPERATIONS if re.search(pattern, one.path)} == set()


def test_no_result_has_a_field_for_a_secret() -> None:
    shown = json.dumps(describe_routes()["components"]["schemas"])
    assert "publicKey" in shown  # of what a machine sends to enrol
    kinds = [one.returns for one in OPERATIONS if one.returns is not None]
    fields = {name for kind in kinds for name in getattr(kind, "__struct_encode_fields__", ())}
    assert not fields & {"secret", "token", "hash", "publicKey", "public_key"}
    assert results.MachineCode in kinds
