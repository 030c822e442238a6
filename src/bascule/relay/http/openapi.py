"""The relay's routes in one table, and the OpenAPI description that is made of it."""

import re
from typing import Any, NamedTuple

import msgspec

from bascule import __version__
from bascule.model.relay_frames import EnrollRequest
from bascule.relay.http import operation_results as results

JSON = "application/json"
SCHEME = "operationsToken"


class Operation(NamedTuple):
    method: str
    path: str
    summary: str
    returns: type | None = None  # None: described by `media` alone
    media: str = JSON
    query: tuple[str, ...] = ()
    errors: tuple[int, ...] = ()


OPERATIONS = (
    Operation("GET", "/healthz", "Whether this node and its database work", results.Health, errors=(503,)),
    Operation("GET", "/metrics", "Figures for Prometheus", media="text/plain"),
    Operation(
        "GET", "/machines", "Enrolled machines, and which node each is connected to", results.MachineList
    ),
    Operation(
        "POST",
        "/machines/{machine_id}/code",
        "A one-time code to enrol a machine",
        results.MachineCode,
        errors=(400, 409),
    ),
    Operation(
        "POST",
        "/machines/{machine_id}/revoke",
        "End a machine's right to connect, at once",
        results.MachineRevoked,
        errors=(404,),
    ),
    Operation("GET", "/inflight", "Commands without a result, the oldest first", results.InFlightList),
    Operation(
        "GET",
        "/commands/{command_id}",
        "One command, its result and every step",
        results.CommandDetail,
        errors=(404,),
    ),
    Operation(
        "POST",
        "/commands/{command_id}/cancel",
        "Stop a command, also at its machine",
        results.CancelSent,
        errors=(404,),
    ),
    Operation(
        "POST",
        "/commands/{command_id}/retry",
        "The same under a new id, once the first has ended",
        results.RetrySent,
        errors=(403, 404, 409),
    ),
    Operation(
        "GET",
        "/audit/recent",
        "The audit trail, latest first",
        results.AuditList,
        query=("limit", "userId", "machineId", "commandId", "status"),
    ),
    Operation("GET", "/ops/config", "The configuration, without secrets"),
    Operation("GET", "/openapi.json", "This description"),
)
# Without the token: each checks what it is given by itself.
PUBLIC = (
    Operation("GET", "/wecom/callback", "WeCom checks the address", media="text/plain", errors=(403,)),
    Operation(
        "POST",
        "/wecom/callback",
        "A message of WeCom, signed and encrypted",
        media="application/xml",
        errors=(403, 413, 503),
    ),
    Operation("POST", "/webhook", "A signed message of another chat", errors=(400, 401, 413, 503)),
    Operation("POST", "/machine/enroll", "A machine enrols with a one-time code", errors=(403,)),
)


def describe_routes() -> dict[str, Any]:
    """OpenAPI 3.1. The WebSocket `/machine` has no words there; its frames are in `model/relay_frames.py`."""
    types = [one.returns for one in OPERATIONS if one.returns is not None]
    types += [results.OperationError, EnrollRequest]
    schemas, components = msgspec.json.schema_components(types, ref_template="#/components/schemas/{name}")
    by_type = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for one in (*OPERATIONS, *PUBLIC):
        described = _describe(one, by_type, is_public=one in PUBLIC)
        paths.setdefault(one.path, {})[one.method.lower()] = described
    body = {"required": True, "content": {JSON: {"schema": by_type[EnrollRequest]}}}
    paths["/machine/enroll"]["post"]["requestBody"] = body
    return {
        "openapi": "3.1.0",
        "info": {"title": "Bascule relay", "version": __version__},
        "security": [{SCHEME: []}],
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {SCHEME: {"type": "http", "scheme": "bearer"}},
        },
    }


def _describe(one: Operation, by_type: dict[type, Any], *, is_public: bool) -> dict[str, Any]:
    schema = by_type[one.returns] if one.returns is not None else {}
    error = {"content": {JSON: {"schema": by_type[results.OperationError]}}}
    statuses = one.errors if is_public else (401, *one.errors)
    refusals = {
        str(status): {"description": "Refused", **({} if is_public else error)} for status in statuses
    }
    named = [(name, "path") for name in re.findall(r"{(\w+)}", one.path)] + [
        (name, "query") for name in one.query
    ]
    described: dict[str, Any] = {
        "summary": one.summary,
        "responses": {"200": {"description": "OK", "content": {one.media: {"schema": schema}}}, **refusals},
    }
    if named:
        described["parameters"] = [
            {"name": name, "in": where, "required": where == "path", "schema": {"type": "string"}}
            for name, where in named
        ]
    if is_public:
        described["security"] = []
    return described
