"""Operations: what machines and commands do, cancel and retry, enrol and revoke; behind a token, always."""

import asyncio
import hmac
from collections.abc import Awaitable, Callable

import msgspec
from msgspec.structs import replace
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from bascule.core.faults import UserError
from bascule.core.orders import NAME
from bascule.core.relay.relay_ids import is_id
from bascule.core.relay.replies import say
from bascule.model.consent.orders import OrderOutcome
from bascule.relay.chat.intake import MAX_WAITING
from bascule.relay.config import RelayConfig, redact_config
from bascule.relay.http import operation_results as results
from bascule.relay.http.openapi import OPERATIONS, describe_routes
from bascule.relay.machines.machine_hub import MachineHub
from bascule.relay.machines.machine_keys import CODE_LASTS_MS, make_code
from bascule.relay.metrics import CONTENT_TYPE, RelayMetrics
from bascule.relay.storage.audit_chain import AuditLine
from bascule.relay.storage.machine_steps import AddCode, Revoke
from bascule.relay.storage.records import NewCommand, StoredCommand
from bascule.relay.storage.relay_store import RelayStore
from bascule.relay.storage.steps import Admit, Cancel, Finish

MAX_LISTED = 500
OPERATOR = "operator"
HEALTH_S = 3.0
NOT_FOUND = {"command_id": "command_not_found", "machine_id": "machine_not_found"}
FILTERS = {"actor": "userId", "machine": "machineId", "status": "status", "command_id": "commandId"}

Handle = Callable[[Request], Awaitable[Response]]


class Operations:
    def __init__(
        self,
        *,
        config: RelayConfig,
        store: RelayStore,
        hub: MachineHub,
        metrics: RelayMetrics,
        new_id: Callable[[str], str],
        now_ms: Callable[[], int],
        utc_text: Callable[[int], str],
        node: str,
        on_outcome: Callable[[StoredCommand], None],
    ) -> None:
        self._config = config
        self._store = store
        self._hub = hub
        self._metrics = metrics
        self._new_id = new_id
        self._now_ms = now_ms
        self._utc_text = utc_text
        self._node = node
        self._on_outcome = on_outcome

    def routes(self) -> list[Route]:
        handles: dict[tuple[str, str], Handle] = {
            ("GET", "/healthz"): self._health,
            ("GET", "/metrics"): self._show_metrics,
            ("GET", "/machines"): self._machines,
            ("POST", "/machines/{machine_id}/code"): self._make_code,
            ("POST", "/machines/{machine_id}/revoke"): self._revoke,
            ("GET", "/inflight"): self._in_flight,
            ("GET", "/commands/{command_id}"): self._command,
            ("POST", "/commands/{command_id}/cancel"): self._cancel,
            ("POST", "/commands/{command_id}/retry"): self._retry,
            ("GET", "/audit/recent"): self._audit,
            ("GET", "/ops/config"): self._show_config,
            ("GET", "/openapi.json"): self._describe,
        }
        return [
            Route(one.path, self._guarded(handles[one.method, one.path]), methods=[one.method])
            for one in OPERATIONS
        ]

    def _guarded(self, handle: Handle) -> Handle:
        expected = f"Bearer {self._config.operations_token}".encode()

        async def guarded(request: Request) -> Response:
            given = request.headers.get("authorization", "").encode("utf-8", "replace")
            if not hmac.compare_digest(given, expected):
                return _refuse("unauthorized", 401)
            named = request.path_params
            unknown = [kind for kind, name in named.items() if not is_id(name)]
            return _refuse(NOT_FOUND[unknown[0]], 404) if unknown else await handle(request)

        return guarded

    async def _health(self, _request: Request) -> Response:
        try:
            async with asyncio.timeout(HEALTH_S):
                await self._store.ping()
        except TimeoutError:
            return _refuse("unavailable", 503)
        return _answer(results.Health(status="ok", node=self._node))

    async def _show_metrics(self, _request: Request) -> Response:
        text = await self._metrics.write(self._store, self._hub.count)
        return Response(text, headers={"Content-Type": CONTENT_TYPE})

    # -- machines --

    async def _machines(self, _request: Request) -> Response:
        items = [
            results.MachineItem(
                machine_id=one.machine,
                connected=one.connected_ms is not None,
                connected_at=self._utc_text(one.connected_ms) if one.connected_ms is not None else None,
                node=one.node,
                enrolled_at=self._utc_text(one.enrolled_ms),
                revoked=one.revoked_ms is not None,
            )
            for one in await self._store.list_machines()
        ]
        return _answer(results.MachineList(items=items))

    async def _make_code(self, request: Request) -> Response:
        machine = request.path_params["machine_id"]
        if NAME.fullmatch(machine) is None:
            return _refuse("invalid_name", 400)
        code, hashed = make_code(self._config.public_url, machine)
        now_ms = self._now_ms()
        adding = AddCode(machine=machine, hashed=hashed, expires_ms=now_ms + CODE_LASTS_MS, now_ms=now_ms)
        try:
            await self._store.run(adding)
        except UserError:
            return _refuse("enrolled_already", 409)
        expires_at = self._utc_text(adding.expires_ms)
        return _answer(results.MachineCode(machine_id=machine, code=code, expires_at=expires_at))

    async def _revoke(self, request: Request) -> Response:
        machine = request.path_params["machine_id"]
        if not await self._store.run(Revoke(machine=machine, now_ms=self._now_ms(), actor=OPERATOR)):
            return _refuse("machine_not_found", 404)
        self._hub.end(machine)
        return _answer(results.MachineRevoked(machine_id=machine, status="revoked"))

    # -- commands --

    async def _in_flight(self, _request: Request) -> Response:
        now_ms = self._now_ms()
        items = [
            results.InFlightItem(
                command_id=one.id,
                user_id=one.actor,
                machine_id=one.machine,
                kind=one.order.kind,
                state=one.state,
                cancelled=one.is_cancelled,
                age_ms=now_ms - one.created_ms,
            )
            for one in await self._store.list_in_flight(MAX_LISTED)
        ]
        return _answer(results.InFlightList(items=items))

    async def _command(self, request: Request) -> Response:
        command = await self._store.find_command(request.path_params["command_id"])
        if command is None:
            return _refuse("command_not_found", 404)
        events = await self._store.read_audit(MAX_LISTED, command_id=command.id)
        detail = results.CommandDetail(
            command=command.order,
            state=command.state,
            outcome=command.outcome,
            reported=("no", "yes", "failed")[command.reported],
            cancelled=command.is_cancelled,
            retried_from=command.retried_from,
            events=[self._event(line) for line in reversed(events)],
        )
        return _answer(detail)

    async def _cancel(self, request: Request) -> Response:
        cancel = Cancel(command_id=request.path_params["command_id"], actor=OPERATOR, now_ms=self._now_ms())
        command = await self._store.run(cancel)
        if command is None:
            return _refuse("command_not_found", 404)
        if command.state == "queued" and not await self._store.is_connected(command.machine):
            await self._end(command)
        else:
            self._hub.look(command.machine)
        return _answer(results.CancelSent(status="cancel_sent"))

    async def _end(self, command: StoredCommand) -> None:
        """Its machine is away and has not said that it has it."""
        ended = OrderOutcome(
            command_id=command.id,
            machine_id=command.machine,
            status="cancelled",
            summary=say("cancelled_away", command.said_in, machine=command.machine),
            created_at=self._utc_text(self._now_ms()),
        )
        finish = Finish(
            outcome=ended, machine=command.machine, now_ms=self._now_ms(), node=self._node, step="cancelled"
        )
        if (done := await self._store.run(finish)) is not None:
            self._on_outcome(done)

    async def _retry(self, request: Request) -> Response:
        """The same under a new id, where the first has ended."""
        command = await self._store.find_command(request.path_params["command_id"])
        if command is None:
            return _refuse("command_not_found", 404)
        if command.state != "done":
            return _refuse("command_in_flight", 409)
        if self._config.find_machine(command.platform, command.actor) != command.machine:
            return _refuse("user_not_allowed", 403)
        now_ms = self._now_ms()
        order = replace(command.order, command_id=self._new_id("c"), created_at=self._utc_text(now_ms))
        new = NewCommand(
            order=order,
            platform=command.platform,
            chat=command.chat,
            language=command.language,
            fingerprint="",
            retried_from=command.id,
        )
        admit = Admit(
            messages=(), new=new, now_ms=now_ms, repeat_ms=0, most_waiting=MAX_WAITING, node=self._node
        )
        admitted = await self._store.run(admit)
        if admitted.command is None:
            return _refuse(admitted.refusal or "refused", 409)
        self._hub.deliver(admitted.command)
        return _answer(
            results.RetrySent(status="retried_sent", command_id=order.command_id, retried_from=command.id)
        )

    # -- the audit trail, and the relay itself --

    async def _audit(self, request: Request) -> Response:
        asked = request.query_params
        limit = asked.get("limit", "100")
        wanted = {column: asked.get(name, "") for column, name in FILTERS.items()}
        if not all(is_id(value) for value in wanted.values() if value):
            return _answer(results.AuditList(items=[]))
        most = int(limit) if limit.isascii() and limit.isdecimal() and len(limit) < 9 else 100
        lines = await self._store.read_audit(min(most, MAX_LISTED), **wanted)
        return _answer(results.AuditList(items=[self._event(line) for line in lines]))

    def _event(self, line: AuditLine) -> results.AuditItem:
        return results.AuditItem(
            at=self._utc_text(line.at_ms),
            step=line.step,
            command_id=line.command_id,
            user_id=line.actor,
            machine_id=line.machine,
            status=line.status,
            detail=line.detail,
        )

    async def _show_config(self, _request: Request) -> Response:
        return JSONResponse(redact_config(self._config))

    async def _describe(self, _request: Request) -> Response:
        return JSONResponse(describe_routes())


def _answer(result: results.OperationResult) -> Response:
    return Response(msgspec.json.encode(result), media_type="application/json")


def _refuse(error: str, status: int) -> Response:
    body = msgspec.json.encode(results.OperationError(error=error))
    return Response(body, status, media_type="application/json")
